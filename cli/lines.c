/* Lines of a file or of standard input, and the id of a line. */
#define _POSIX_C_SOURCE 200809L

#include "json.h"

#include "command.h"
#include "model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 20 };

bool cli_lines_open(cli_lines *lines, const char *name) {
  *lines = (cli_lines){.name = name, .fd = STDIN_FILENO, .models = {.name = name}};
  if (strcmp(name, "-") != 0) lines->fd = open(name, O_RDONLY | O_CLOEXEC);
  if (lines->fd >= 0) return true;
  cli_report("%s: cannot open (%s)", name, strerror(errno));
  return false;
}

void cli_lines_close(cli_lines *lines) {
  if (lines->fd > STDIN_FILENO) close(lines->fd);
  free(lines->data);
  cli_models_free(&lines->models);
  *lines = (cli_lines){.fd = -1};
}

/* Returns the bytes up to the next line break; false if they are not all in memory. */
static bool next_text(cli_lines *lines, cli_span *text) {
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

bool cli_lines_next(cli_lines *lines, cli_line *line) {
  cli_span text;
  if (lines->skipping) { /* the rest of a line that is too long */
    lines->skipping = !next_text(lines, &text);
    if (lines->skipping) lines->begin = lines->scanned = lines->end;
    if (lines->skipping) return false;
  }
  while (next_text(lines, &text)) {
    if (++lines->number == 1 && text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) {
      text.data += 3;
      text.size -= 3;
    }
    if (text.size > 0 && text.data[text.size - 1] == '\r') text.size--;
    const bool too_long = text.size > CLI_MAX_LINE;
    size_t blanks = 0;
    if (too_long) text.size = CLI_MAX_LINE;
    while (blanks < text.size && strchr(" \t\r", text.data[blanks]) && text.data[blanks]) blanks++;
    if (!too_long && blanks == text.size) continue;
    *line = (cli_line){text, lines->number, too_long, &lines->models};
    return true;
  }
  return false;
}

static bool begins_with(const char *data, size_t size, const char *word) {
  return size >= strlen(word) && memcmp(data, word, strlen(word)) == 0;
}

/* The format of a model file: by its content, or by its name if the content is not JSON. NULL: no model. */
static const char *model_format(const char *name, const char *data, size_t size) {
  static const char *const words[] = {"v ", "vn ", "vt ", "o ", "g ", "mtllib ", "usemtl "};
  enum { STL_HEADER = 84, STL_TRIANGLE = 50 };
  const char *dot = strrchr(name, '.');
  size_t i = 0;
  if (size >= STL_HEADER && memchr(data, '\0', STL_HEADER)) { /* JSON has no NUL byte */
    const unsigned char *n = (const unsigned char *)data + STL_HEADER - 4;
    unsigned long long count = n[0] | (unsigned)n[1] << 8 | (unsigned)n[2] << 16 | (unsigned long long)n[3] << 24;
    if (STL_HEADER + STL_TRIANGLE * count >= size) return "STL";
  }
  while (i < size && strchr(" \t\r\n#", data[i]) && data[i]) { /* blank lines, and the comments of OBJ */
    const char *end = data[i] == '#' ? memchr(data + i, '\n', size - i) : data + i;
    if (end == NULL) break;
    i = (size_t)(end + 1 - data);
  }
  if (begins_with(data + i, size - i, "solid ")) return "STL";
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (begins_with(data + i, size - i, words[k])) return "OBJ";
  if (dot == NULL || begins_with(data + i, size - i, "{")) return NULL;
  return strcasecmp(dot, ".obj") == 0 ? "OBJ" : strcasecmp(dot, ".stl") == 0 ? "STL" : NULL;
}

bool cli_reject_model(const char *name, const char *data, size_t size, const char *allowed) {
  const char *format = model_format(name, data, size);
  if (format)
    cli_report("%s: an %s model, the input must be %s. A shape can name a model:\n"
               "  {\"type\":\"mesh\",\"file\":\"FILE\"}",
               strcmp(name, "-") == 0 ? "standard input" : name, format, allowed);
  return format;
}

bool cli_lines_more(cli_lines *lines, bool *failed) {
  const bool first = lines->data == NULL;
  if (lines->at_end) return false;
  /* Moves the unread bytes to the front and reserves memory behind them. */
  if (lines->begin > 0) memmove(lines->data, lines->data + lines->begin, lines->end - lines->begin);
  lines->scanned -= lines->begin;
  lines->end -= lines->begin;
  lines->begin = 0;
  bool reserved = cli_grow(&lines->data, 1, &lines->capacity, lines->end + READ_SIZE / 2);
  size_t space = lines->capacity - lines->end;
  ssize_t got = -1;
  errno = ENOMEM;
  while (reserved && (got = read(lines->fd, lines->data + lines->end, space < READ_SIZE ? space : READ_SIZE)) < 0 &&
         errno == EINTR) {}
  if (got < 0) {
    cli_report("%s: cannot read (%s)", strcmp(lines->name, "-") == 0 ? "standard input" : lines->name, strerror(errno));
    *failed = true;
    return false;
  }
  lines->at_end = got == 0;
  lines->end += (size_t)got;
  if (first && got > 0 && cli_reject_model(lines->name, lines->data, lines->end, "JSON Lines")) {
    *failed = lines->at_end = true;
    lines->end = 0;
    return false;
  }
  return got > 0 || lines->end > lines->begin;
}

/* ---- The id of a line. jansson does not keep the text of numbers, and does not parse broken lines. */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static size_t skip_space(cli_span s, size_t i) {
  while (i < s.size && is_space(s.data[i])) i++;
  return i;
}

/* Returns the position after the string that begins at i. */
static size_t skip_string(cli_span s, size_t i) {
  for (i++; i < s.size && s.data[i] != '"'; i++)
    if (s.data[i] == '\\') i++;
  return i < s.size ? i + 1 : s.size;
}

static size_t skip_value(cli_span s, size_t i) {
  size_t depth = 0;
  while (i < s.size) {
    char c = s.data[i];
    if (c == '"') {
      i = skip_string(s, i);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
    if (c == '{' || c == '[') depth++;
    if (c == '}' || c == ']') depth--;
    i++;
  }
  return i;
}

cli_span cli_json_id(cli_span s) {
  const cli_span none = {NULL, 0};
  size_t i = skip_space(s, 0);
  if (i >= s.size || s.data[i] != '{') return none;
  do {
    size_t key = skip_space(s, i + 1);
    if (key >= s.size || s.data[key] != '"') return none;
    size_t key_end = skip_string(s, key), colon = skip_space(s, key_end);
    if (colon >= s.size || s.data[colon] != ':') return none;
    size_t value = skip_space(s, colon + 1), value_end = skip_value(s, value);
    /* A key may contain escapes, then it is longer. */
    json_t *word =
        key_end - key < sizeof "\"\\u0069\\u0064\"" ? cli_json_value((cli_span){s.data + key, key_end - key}) : NULL;
    const bool is_id = json_is_string(word) && strcmp(json_string_value(word), "id") == 0;
    json_decref(word);
    if (is_id) {
      while (value_end > value && is_space(s.data[value_end - 1])) value_end--;
      cli_span id = {s.data + value, value_end - value};
      json_t *read = cli_json_value(id);
      bool good = json_is_string(read) || json_is_number(read);
      json_decref(read);
      return good ? id : none;
    }
    i = value_end;
  } while (i < s.size && s.data[i] == ',');
  return none;
}

bool cli_json_same_id(cli_span a, cli_span b) {
  if (a.data == NULL || b.data == NULL) return a.data == b.data;
  if (a.size == b.size && memcmp(a.data, b.data, a.size) == 0) return true;
  json_t *x = cli_json_value(a), *y = cli_json_value(b);
  bool same = json_equal(x, y);
  json_decref(x);
  json_decref(y);
  return same;
}
