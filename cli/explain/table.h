/* Plain text: tables of aligned UTF-8 cells, and wrapped paragraphs. Every code point is one column wide. */
#ifndef GRAZE_CLI_TABLE_H
#define GRAZE_CLI_TABLE_H

#include "explain/story.h"

/* A table is a text: cells end with a tab, rows with a line break. The first row has the headings; columns whose
 * heading begins with > are aligned right. A row of one cell extends across all columns. */
enum { TABLE_MAX_COLUMNS = 10, TEXT_WIDTH = 100 };

/* The code points of the widest row. */
size_t table_width(const cli_text *table);
/* Frees the table. */
void table_print(cli_text *out, cli_text *table, size_t indent);

/* Wraps `text` into lines of TEXT_WIDTH, indented by `indent`, those after the first by `hang` more. Empties `text`. */
void print_paragraph(cli_text *out, cli_text *text, size_t indent, size_t hang);
/* The same with a text of emit(). */
void print_wrapped(cli_text *out, size_t indent, size_t hang, const char *format, ...);

/* ---- text_tables.c. Each prints nothing if it has no rows. */

/* Steps `first` to `last`, of one phase. */
void table_steps(cli_text *out, const story *s, size_t first, size_t last);
void table_axes(cli_text *out, const story *s);
void table_contacts(cli_text *out, const story *s);
/* The vertices of a Minkowski sum or difference. */
void table_vertices(cli_text *out, const story *s);
/* The steps of a sweep. */
void table_sweep(cli_text *out, const story *s);

#endif
