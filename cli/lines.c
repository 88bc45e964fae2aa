#define _POSIX_C_SOURCE 200809L

#include "lines.h"

#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 20 };

static const char *shown_name(const cli_lines *lines) {
  return strcmp(lines->name, "-") == 0 ? "standard input" : lines->name;
}

bool cli_lines_open(cli_lines *lines, const char *name) {
  *lines = (cli_lines){.name = name, .fd = STDIN_FILENO};
  if (strcmp(name, "-") != 0) lines->fd = open(name, O_RDONLY | O_CLOEXEC);
  if (lines->fd >= 0) return true;
  cli_report("cannot open %s: %s", name, strerror(errno));
  return false;
}

void cli_lines_close(cli_lines *lines) {
  if (lines->fd > STDIN_FILENO) close(lines->fd);
  free(lines->data);
  *lines = (cli_lines){.fd = -1};
}

static bool is_blank(cli_span text) {
  for (size_t i = 0; i < text.size; i++)
    if (text.data[i] != ' ' && text.data[i] != '\t' && text.data[i] != '\r') return false;
  return true;
}

/* The bytes up to the next line's end; false when they are not all there yet. */
static bool take(cli_lines *lines, cli_span *text) {
  if (lines->data == NULL) return false;
  const char *begin = lines->data + lines->begin;
  const char *newline = NULL;
  if (lines->scanned < lines->end) newline = memchr(lines->data + lines->scanned, '\n', lines->end - lines->scanned);
  lines->scanned = lines->end;
  if (newline) {
    *text = (cli_span){begin, (size_t)(newline - begin)};
    lines->begin = lines->scanned = (size_t)(newline + 1 - lines->data);
    return true;
  }
  size_t rest = lines->end - lines->begin;
  if (!(lines->at_end && rest > 0) && rest <= CLI_MAX_LINE + 1) return false; /* + 1: a CR may be the last byte */
  *text = (cli_span){begin, rest};
  lines->begin = lines->end;
  lines->skipping = !lines->at_end;
  return true;
}

/* The rest of a line that was too long. */
static bool skip_rest(cli_lines *lines) {
  cli_span rest;
  if (!take(lines, &rest)) {
    lines->begin = lines->scanned = lines->end;
    return false;
  }
  lines->skipping = false;
  return true;
}

bool cli_lines_next(cli_lines *lines, cli_line *line) {
  if (lines->skipping && !skip_rest(lines)) return false;
  cli_span text;
  while (take(lines, &text)) {
    if (++lines->number == 1 && text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) {
      text.data += 3;
      text.size -= 3;
    }
    if (text.size > 0 && text.data[text.size - 1] == '\r') text.size--;
    bool too_long = text.size > CLI_MAX_LINE;
    if (too_long) text.size = CLI_MAX_LINE;
    if (!too_long && is_blank(text)) continue;
    *line = (cli_line){text, lines->number, too_long};
    return true;
  }
  return false;
}

/* Moves what is unread to the front and makes room behind it. */
static bool make_room(cli_lines *lines) {
  if (lines->begin > 0) memmove(lines->data, lines->data + lines->begin, lines->end - lines->begin);
  lines->scanned -= lines->begin;
  lines->end -= lines->begin;
  lines->begin = 0;
  if (lines->capacity - lines->end >= READ_SIZE / 2) return true;
  size_t capacity = lines->capacity ? 2 * lines->capacity : READ_SIZE;
  char *data = realloc(lines->data, capacity);
  if (data == NULL) return false;
  lines->data = data;
  lines->capacity = capacity;
  return true;
}

bool cli_lines_more(cli_lines *lines, bool *failed) {
  if (lines->at_end) return false;
  ssize_t got = -1;
  errno = ENOMEM;
  if (make_room(lines)) {
    size_t room = lines->capacity - lines->end;
    do got = read(lines->fd, lines->data + lines->end, room < READ_SIZE ? room : READ_SIZE);
    while (got < 0 && errno == EINTR);
  }
  if (got < 0) {
    cli_report("cannot read %s: %s", shown_name(lines), strerror(errno));
    *failed = true;
    return false;
  }
  lines->at_end = got == 0;
  lines->end += (size_t)got;
  return got > 0 || lines->end > lines->begin;
}
