#include "explain/columns.h"

#include <stdlib.h>
#include <string.h>

static size_t code_points(const char *bytes, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++) count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
  return count;
}

static void put_spaces(cli_text *out, size_t count) {
  while (count-- > 0) cli_text_str(out, " ");
}

void columns_next(columns *table) {
  if (table->cell_count == table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    size_t *ends = realloc(table->ends, capacity * sizeof *ends);
    if (ends == NULL) {
      cli_text_free(&table->cells);
      table->cells.failed = true;
      return;
    }
    table->ends = ends;
    table->capacity = capacity;
  }
  table->ends[table->cell_count++] = table->cells.size;
}

/* The size of a cell, and where it begins. */
static size_t cell_of(const columns *table, size_t row, int column, const char **bytes) {
  size_t k = row * (size_t)table->count + (size_t)column, begin = k > 0 ? table->ends[k - 1] : 0;
  *bytes = table->cells.data + begin;
  return table->ends[k] - begin;
}

/* A row of which only the first cell is filled: it does not count for the widths. */
static bool is_across(const columns *table, size_t row) {
  size_t first = row * (size_t)table->count;
  return table->ends[first + (size_t)table->count - 1] == table->ends[first];
}

void columns_across(columns *table, const char *text) {
  cli_text_str(&table->cells, text);
  for (int i = 0; i < table->count; i++) columns_next(table);
}

void columns_clear(columns *table) {
  table->cells.size = 0;
  table->cell_count = 0;
}

static size_t row_count(const columns *table) {
  return table->cells.failed ? 0 : table->cell_count / (size_t)table->count;
}

static void measure(const columns *table, size_t widths[COLUMNS_MOST]) {
  memset(widths, 0, COLUMNS_MOST * sizeof *widths);
  for (size_t row = 0; row < row_count(table); row++) {
    if (is_across(table, row)) continue;
    for (int i = 0; i < table->count; i++) {
      const char *bytes;
      size_t size = cell_of(table, row, i, &bytes), width = code_points(bytes, size);
      if (width > widths[i]) widths[i] = width;
    }
  }
}

size_t columns_width(const columns *table) {
  size_t widths[COLUMNS_MOST], sum = 0;
  measure(table, widths);
  for (int i = 0; i < table->count; i++) sum += widths[i] + (i > 0 ? COLUMNS_GAP : 0);
  return sum;
}

/* Blanks before a cell are only written when it comes, so that no line ends with them. */
static void print_row(cli_text *out, const columns *table, size_t row, const size_t *widths, size_t indent) {
  size_t blanks = indent;
  bool across = is_across(table, row);
  for (int i = 0; i < table->count; i++) {
    const char *bytes;
    size_t size = cell_of(table, row, i, &bytes), width = code_points(bytes, size);
    size_t rest = across || width > widths[i] ? 0 : widths[i] - width;
    if (size > 0) {
      put_spaces(out, blanks + (table->right[i] ? rest : 0));
      cli_text_bytes(out, bytes, size);
      blanks = table->right[i] ? 0 : rest;
    } else {
      blanks += rest;
    }
    blanks += COLUMNS_GAP;
  }
  cli_text_str(out, "\n");
}

void columns_print(cli_text *out, const columns *table, size_t indent) {
  size_t widths[COLUMNS_MOST];
  if (table->cells.failed) out->failed = true;
  measure(table, widths);
  for (size_t row = 0; row < row_count(table); row++) print_row(out, table, row, widths, indent);
}

void columns_free(columns *table) {
  free(table->ends);
  cli_text_free(&table->cells);
  *table = (columns){0};
}

static bool is_at(const char *bytes, size_t size, size_t at, const char *string) {
  size_t length = strlen(string);
  return at + length <= size && memcmp(bytes + at, string, length) == 0;
}

/* Is the blank there one of "A − B"? */
static bool is_of_difference(const char *bytes, size_t size, size_t at) {
  return is_at(bytes, size, at, " − ") || (at >= 4 && is_at(bytes, size, at - 4, " − "));
}

/* Where the piece that starts here may end: a blank that does not stand within a difference, parentheses or brackets,
 * so that vectors and intervals stay whole, unless they are long. */
static size_t piece_end(const char *bytes, size_t size, size_t from) {
  size_t depth = 0, end = from;
  for (; end < size; end++) {
    char c = bytes[end];
    if (c == '(' || c == '[') depth++;
    if ((c == ')' || c == ']') && depth > 0) depth--;
    if (c != ' ' || is_of_difference(bytes, size, end)) continue;
    if (depth == 0 || end - from > COLUMNS_WIDTH / 2) break;
  }
  return end;
}

void columns_paragraph(cli_text *out, const cli_text *words, size_t indent, size_t hang) {
  size_t at = 0, column = indent;
  if (words->failed) out->failed = true;
  if (words->size == 0) return;
  put_spaces(out, indent);
  while (at < words->size) {
    size_t end = piece_end(words->data, words->size, at), width = code_points(words->data + at, end - at);
    bool first = at == 0, fits = column + 1 + width <= COLUMNS_WIDTH;
    if (!first && !fits) {
      cli_text_str(out, "\n");
      put_spaces(out, indent + hang);
      column = indent + hang;
    } else if (!first) {
      cli_text_str(out, " ");
      column++;
    }
    cli_text_bytes(out, words->data + at, end - at);
    column += width;
    at = end + 1;
  }
  cli_text_str(out, "\n");
}

void columns_sentence(cli_text *out, const char *words, size_t indent) {
  cli_text text = {0};
  cli_text_str(&text, words);
  columns_paragraph(out, &text, indent, 0);
  cli_text_free(&text);
}
