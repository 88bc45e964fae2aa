/* Aligned tables and wrapped paragraphs in plain text. */
#include "explain/table.h"

#include "explain/format.h"

#include <string.h>

enum { GAP = 2 }; /* between columns */

static size_t code_points(const char *bytes, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++) count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
  return count;
}

static void emit_spaces(cli_text *out, size_t count) {
  while (count-- > 0) cli_text_str(out, " ");
}

/* The number of bytes from `at` to one of the characters. */
static size_t length_to(const cli_text *table, size_t at, const char *ends) {
  size_t end = at;
  while (strchr(ends, table->data[end]) == NULL) end++;
  return end - at;
}

/* Visits every cell: measures it if `out` is NULL, else prints it. */
static void visit(const cli_text *table, size_t widths[TABLE_MAX_COLUMNS], cli_text *out, size_t indent) {
  bool right[TABLE_MAX_COLUMNS], heading = true;
  for (size_t at = 0, end; at < table->size; heading = false) {
    size_t spaces = indent, size; /* spaces are printed before the next text, so that no line ends with them */
    end = at + length_to(table, at, "\n");
    bool across = at + length_to(table, at, "\t\n") == end;
    for (int i = 0; at <= end; i++, at += size + 1) {
      const char *cell = table->data + at;
      size = length_to(table, at, "\t\n");
      if (heading) right[i] = *cell == '>';
      size_t mark = heading && right[i], width = code_points(cell, size) - mark;
      if (!across && width > widths[i]) widths[i] = width;
      size_t rest = across ? 0 : widths[i] - width;
      if (out && size > mark) {
        emit_spaces(out, spaces + (right[i] ? rest : 0));
        cli_text_bytes(out, cell + mark, size - mark);
        spaces = GAP + (right[i] ? 0 : rest);
      } else {
        spaces += GAP + rest;
      }
    }
    if (out) cli_text_str(out, "\n");
  }
}

size_t table_width(const cli_text *table) {
  size_t widths[TABLE_MAX_COLUMNS] = {0}, sum = 0;
  visit(table, widths, NULL, 0);
  for (int i = 0; i < TABLE_MAX_COLUMNS; i++) sum += widths[i] + (i > 0 && widths[i] > 0 ? GAP : 0);
  return sum;
}

void table_print(cli_text *out, cli_text *table, size_t indent) {
  size_t widths[TABLE_MAX_COLUMNS] = {0};
  if (table->failed) out->failed = true;
  visit(table, widths, NULL, 0);
  visit(table, widths, out, indent);
  cli_text_free(table);
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
  emit_spaces(out, indent);
  for (size_t at = 0, end; at < text->size; at = end + 1) {
    end = piece_end(text, at);
    size_t width = code_points(text->data + at, end - at);
    if (at > 0 && column + 1 + width > TEXT_WIDTH) {
      cli_text_str(out, "\n");
      emit_spaces(out, column = indent + hang);
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
