#include "explain/table.h"

#include "explain/format.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2 }; /* between columns */

static size_t code_points(const char *bytes, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++) count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
  return count;
}

static void put_spaces(cli_text *out, size_t count) {
  while (count-- > 0) cli_text_str(out, " ");
}

void table_begin(table *t, const char *const *headings, const bool *right) {
  t->cells.size = t->cell_count = 0;
  for (t->count = 0; headings[t->count]; t->count++) {
    t->right[t->count] = right[t->count];
    cli_text_str(&t->cells, headings[t->count]);
    table_next(t);
  }
}

void table_next(table *t) {
  if (t->cell_count == t->capacity) {
    size_t capacity = t->capacity ? 2 * t->capacity : 64;
    size_t *ends = realloc(t->ends, capacity * sizeof *ends);
    if (ends == NULL) {
      cli_text_free(&t->cells);
      t->cells.failed = true;
      return;
    }
    t->ends = ends;
    t->capacity = capacity;
  }
  t->ends[t->cell_count++] = t->cells.size;
}

void table_across(table *t, const char *text) {
  cli_text_str(&t->cells, text);
  for (int i = 0; i < t->count; i++) table_next(t);
}

static size_t row_count(const table *t) { return t->cells.failed ? 0 : t->cell_count / (size_t)t->count; }

static size_t cell_at(const table *t, size_t row, int column, const char **bytes) {
  size_t k = row * (size_t)t->count + (size_t)column, begin = k > 0 ? t->ends[k - 1] : 0;
  *bytes = t->cells.data + begin;
  return t->ends[k] - begin;
}

/* Only the first cell has text: the row does not count for the widths. */
static bool is_across(const table *t, size_t row) {
  size_t first = row * (size_t)t->count;
  return t->ends[first + (size_t)t->count - 1] == t->ends[first];
}

static void measure(const table *t, size_t widths[TABLE_MAX_COLUMNS]) {
  memset(widths, 0, TABLE_MAX_COLUMNS * sizeof *widths);
  for (size_t row = 0; row < row_count(t); row++) {
    for (int i = 0; i < t->count && !is_across(t, row); i++) {
      const char *bytes;
      size_t size = cell_at(t, row, i, &bytes), width = code_points(bytes, size);
      if (width > widths[i]) widths[i] = width;
    }
  }
}

size_t table_width(const table *t) {
  size_t widths[TABLE_MAX_COLUMNS], sum = 0;
  measure(t, widths);
  for (int i = 0; i < t->count; i++) sum += widths[i] + (i > 0 ? GAP : 0);
  return sum;
}

void table_print(cli_text *out, const table *t, size_t indent) {
  size_t widths[TABLE_MAX_COLUMNS];
  if (t->cells.failed) out->failed = true;
  measure(t, widths);
  for (size_t row = 0; row < row_count(t); row++) {
    size_t spaces = indent; /* written before the next text, so that no line ends with a space */
    for (int i = 0; i < t->count; i++, spaces += GAP) {
      const char *bytes;
      size_t size = cell_at(t, row, i, &bytes), width = code_points(bytes, size);
      size_t rest = is_across(t, row) || width > widths[i] ? 0 : widths[i] - width;
      if (size == 0) {
        spaces += rest;
        continue;
      }
      put_spaces(out, spaces + (t->right[i] ? rest : 0));
      cli_text_bytes(out, bytes, size);
      spaces = t->right[i] ? 0 : rest;
    }
    cli_text_str(out, "\n");
  }
}

void table_free(table *t) {
  free(t->ends);
  cli_text_free(&t->cells);
  *t = (table){0};
}

/* ---- Paragraphs */

static bool is_at(const cli_text *text, size_t at, const char *string) {
  size_t length = strlen(string);
  return at + length <= text->size && memcmp(text->data + at, string, length) == 0;
}

/* The end of the piece that begins at `from`: a space outside of "A − B", parentheses and brackets, so that vectors and
 * intervals are not broken unless they are long. */
static size_t piece_end(const cli_text *text, size_t from) {
  size_t depth = 0, end = from;
  for (; end < text->size; end++) {
    char c = text->data[end];
    if (c == '(' || c == '[') depth++;
    if ((c == ')' || c == ']') && depth > 0) depth--;
    bool of_difference = is_at(text, end, " − ") || (end >= 4 && is_at(text, end - 4, " − "));
    if (c == ' ' && !of_difference && (depth == 0 || end - from > TEXT_WIDTH / 2)) break;
  }
  return end;
}

void print_paragraph(cli_text *out, cli_text *text, size_t indent, size_t hang) {
  size_t column = indent;
  if (text->failed) out->failed = true;
  if (text->size == 0) return;
  put_spaces(out, indent);
  for (size_t at = 0, end; at < text->size; at = end + 1) {
    end = piece_end(text, at);
    size_t width = code_points(text->data + at, end - at);
    if (at > 0 && column + 1 + width > TEXT_WIDTH) {
      cli_text_str(out, "\n");
      put_spaces(out, column = indent + hang);
    } else if (at > 0) {
      cli_text_str(out, " ");
      column++;
    }
    cli_text_bytes(out, text->data + at, end - at);
    column += width;
  }
  cli_text_str(out, "\n");
  text->size = 0;
}

void print_wrapped(cli_text *out, size_t indent, size_t hang, const char *format, ...) {
  cli_text text = {0};
  va_list list;
  va_start(list, format);
  emit_list(&text, format, list);
  va_end(list);
  print_paragraph(out, &text, indent, hang);
  cli_text_free(&text);
}
