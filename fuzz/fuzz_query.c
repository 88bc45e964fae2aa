/* Arbitrary text as query lines. The command accepts its own answers in `graze verify`. */
#include "verdict.h"

#include "each_line.h"

#include <stdlib.h>
#include <string.h>

/* Answers a line and verifies the answer. */
static void fuzz_line(const cli_line *query) {
  cli_text text;
  memset(&text, 0, sizeof text);
  static cli_buffer buffer; /* kept from run to run */
  bool answered = cli_answer(query, &buffer, &text);
  if (text.failed || text.size == 0 || text.data[text.size - 1] != '\n') abort();
  cli_line line = {{text.data, text.size - 1}, query->number, false, NULL};
  cli_span id;
  cli_error reason;
  cli_verdict verdict = cli_check(query, &line, &id, &reason);
  if (answered && verdict == CLI_REJECTED) abort();
  cli_text_free(&text);
}
