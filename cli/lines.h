/* Lines of a file or of standard input, one by one, in bounded memory. */
#ifndef GRAZE_CLI_LINES_H
#define GRAZE_CLI_LINES_H

#include "json.h"

/* The longest line, in bytes, its ending not counted. */
#define CLI_MAX_LINE ((size_t)64 << 20)

typedef struct cli_line {
  cli_span text;
  size_t number; /* from 1 */
  bool too_long; /* text is its beginning only */
} cli_line;

typedef struct cli_lines {
  const char *name;
  int fd;
  char *data;
  size_t begin, scanned, end, capacity; /* unread bytes are begin … end; no line ends before scanned */
  size_t number;
  bool at_end, skipping;
} cli_lines;

/* "-" is standard input. False: not readable, said on stderr. */
bool cli_lines_open(cli_lines *lines, const char *name);
void cli_lines_close(cli_lines *lines);

/* The next line that needs no reading; blank lines are skipped. It stands until cli_lines_more(). */
bool cli_lines_next(cli_lines *lines, cli_line *line);

/* Reads once. False at the end, and where reading fails, which is said on stderr and sets *failed. */
bool cli_lines_more(cli_lines *lines, bool *failed);

#endif
