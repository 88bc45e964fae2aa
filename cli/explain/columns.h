/* Tables in plain text: cells of UTF-8, one code point wide each, aligned; and paragraphs. */
#ifndef GRAZE_CLI_COLUMNS_H
#define GRAZE_CLI_COLUMNS_H

#include "text.h"

enum { COLUMNS_MOST = 10, COLUMNS_WIDTH = 100, COLUMNS_GAP = 2 };

/* Zero it, set `count`, and end with columns_free(). Write a cell into `cells`, then call columns_next(). */
typedef struct columns {
  int count;
  bool right[COLUMNS_MOST]; /* aligned at its right end */
  cli_text cells;
  size_t *ends; /* of the cells, row by row */
  size_t cell_count, capacity;
} columns;

void columns_next(columns *table);
/* A whole row of one line across all columns. */
void columns_across(columns *table, const char *text);
/* Forgets the rows. */
void columns_clear(columns *table);
/* Code points of the widest row. */
size_t columns_width(const columns *table);
void columns_print(cli_text *out, const columns *table, size_t indent);
void columns_free(columns *table);

/* Words, broken into lines of COLUMNS_WIDTH code points; lines after the first are indented by `hang` more. */
void columns_paragraph(cli_text *out, const cli_text *words, size_t indent, size_t hang);
/* The same of words that are known, with no more indent. */
void columns_sentence(cli_text *out, const char *words, size_t indent);

#endif
