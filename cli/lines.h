/* Lines of a file or of standard input, in bounded memory; and the id of a line. */
#ifndef GRAZE_CLI_LINES_H
#define GRAZE_CLI_LINES_H

#include "json.h"

/* The maximum size of a line in bytes, without its line break. */
#define CLI_MAX_LINE ((size_t)64 << 20)

typedef struct cli_line {
  cli_span text;
  size_t number; /* from 1 */
  bool too_long; /* text is only the beginning */
} cli_line;

typedef struct cli_lines {
  const char *name;
  int fd;
  char *data;
  size_t begin, scanned, end, capacity; /* begin … end: the unread bytes; there is no line break before `scanned` */
  size_t number;
  bool at_end, skipping;
} cli_lines;

/* "-" is standard input. False: it cannot be read, reported on standard error. */
bool cli_lines_open(cli_lines *lines, const char *name);
void cli_lines_close(cli_lines *lines);

/* Returns the next line that is in memory, and skips blank lines. The line is valid until cli_lines_more(). */
bool cli_lines_next(cli_lines *lines, cli_line *line);

/* Reads once. False: end of file; or the read failed, which sets *failed and is reported on standard error. */
bool cli_lines_more(cli_lines *lines, bool *failed);

/* The text of the member `id` of a line, a string or a number, also in a line that is broken after it. */
cli_span cli_json_id(cli_span line);
/* Returns whether two ids have the same value. */
bool cli_json_same_id(cli_span a, cli_span b);

#endif
