/* The story as one page that needs nothing else. */
#include "explain/page.h"
#include "explain/story.h"

void story_print_html(cli_text *out, const story *s) {
  cli_text json = {0};
  story_print_json(&json, s);
  cli_text_bytes(out, (const char *)page_head, page_head_size);
  cli_text_script(out, &json);
  cli_text_bytes(out, (const char *)page_tail, page_tail_size);
  cli_text_free(&json);
}
