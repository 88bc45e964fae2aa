/* Arbitrary text as query lines of `graze explain`. Every output format is well-formed. */
#include "explain/story.h"

#include "each_line.h"

#include <jansson.h>
#include <stdlib.h>

static void check_json(cli_text *text) {
  json_t *root = json_loadb(text->data, text->size, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
  if (root == NULL) abort();
  json_decref(root);
}

static void print_all(const story *s) {
  cli_text text = {0}, json = {0}, picture = {0}, page = {0};
  story_print_text(&text, s);
  story_print_json(&json, s);
  story_print_html(&page, s);
  if (s->dim == 2) story_print_svg(&picture, s);
  if (text.failed || json.failed || page.failed || picture.failed) abort();
  check_json(&json);
  cli_text_free(&text);
  cli_text_free(&json);
  cli_text_free(&picture);
  cli_text_free(&page);
}

static void fuzz_line(const cli_line *line) {
  static cli_buffer buffer; /* kept from run to run */
  cli_request request;
  cli_error error;
  story s;
  if (!cli_request_read(line, &request, &error)) return;
  if (story_make(&request, line->text, &buffer, &s, &error)) {
    if (s.evidence.verdict == GRAZE_REFUTED) abort();
    print_all(&s);
    story_free(&s);
  }
  cli_request_free(&request);
}
