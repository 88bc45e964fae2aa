/* A growing piece of output, and how numbers and strings are written into it. Numbers are written so that they read
 * back to the same double. */
#ifndef GRAZE_CLI_TEXT_H
#define GRAZE_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Zero it to begin. When memory runs out, `failed` is set and later additions do nothing. */
typedef struct cli_text {
  char *data;
  size_t size, capacity;
  bool failed;
} cli_text;

void cli_text_free(cli_text *text);
void cli_text_bytes(cli_text *text, const char *bytes, size_t size);
void cli_text_str(cli_text *text, const char *string);
void cli_text_int(cli_text *text, long long value);
/* What is printed is at most 255 bytes long. */
void cli_text_format(cli_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For a terminal: control characters, which could move in it or colour it, as \u001b. `string` is UTF-8. */
void cli_text_plain(cli_text *text, const char *string);

/* JSON: a number, or null where it is not finite. */
void cli_text_number(cli_text *text, double value);
/* JSON: a string. `string` is UTF-8. */
void cli_text_quoted(cli_text *text, const char *string);

enum { CLI_NUMBER_SIZE = 32 };

/* The shorter of 15, 16 or 17 digits that reads back to the same double; "0" for -0, "null" where not finite. */
void cli_number_text(double value, char out[CLI_NUMBER_SIZE]);

/* JSON inside a script element of a page. Failed where `json` has. */
void cli_text_script(cli_text *out, const cli_text *json);

/* Another text, quoted, which ends with this; that has failed where the other has. */
void cli_text_quote(cli_text *out, cli_text *said);

#endif
