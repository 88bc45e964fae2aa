/* Plain text: tables of aligned UTF-8 cells, and wrapped paragraphs. Every code point is one column wide. */
#ifndef GRAZE_CLI_TABLE_H
#define GRAZE_CLI_TABLE_H

#include "text.h"

enum { TABLE_MAX_COLUMNS = 10, TEXT_WIDTH = 100 };

/* Zero it to begin, and end with table_free(). Write a cell into `cells`, then call table_next(). */
typedef struct table {
  int count;
  bool right[TABLE_MAX_COLUMNS]; /* aligned right */
  cli_text cells;
  size_t *ends; /* of the cells, row by row */
  size_t cell_count, capacity;
} table;

/* Removes all rows and begins a table with these headings, which end with NULL. */
void table_begin(table *t, const char *const *headings, const bool *right);
void table_next(table *t);
/* A row of one text across all columns. */
void table_across(table *t, const char *text);
/* The code points of the widest row. */
size_t table_width(const table *t);
void table_print(cli_text *out, const table *t, size_t indent);
void table_free(table *t);

/* Wraps `text` into lines of TEXT_WIDTH, indented by `indent`, those after the first by `hang` more. Empties `text`. */
void print_paragraph(cli_text *out, cli_text *text, size_t indent, size_t hang);
/* The same with a text of emit(). */
void print_wrapped(cli_text *out, size_t indent, size_t hang, const char *format, ...);

#endif
