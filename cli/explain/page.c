/* The story as one page that needs nothing else. */
#include "explain/page.h"
#include "explain/story.h"

/* JSON inside a script element: "<" stands only in strings, where it may be written so. */
static void put_escaped(cli_text *out, const cli_text *json) {
  size_t from = 0;
  for (size_t i = 0; i < json->size; i++) {
    if (json->data[i] != '<') continue;
    cli_text_add(out, json->data + from, i - from);
    cli_text_put(out, "\\u003c");
    from = i + 1;
  }
  cli_text_add(out, json->data + from, json->size - from);
}

void story_print_html(cli_text *out, const story *s) {
  cli_text json = {0};
  story_print_json(&json, s);
  cli_text_add(out, (const char *)page_head, page_head_size);
  if (json.failed)
    out->failed = true;
  else
    put_escaped(out, &json);
  cli_text_add(out, (const char *)page_tail, page_tail_size);
  cli_text_free(&json);
}
