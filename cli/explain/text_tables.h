/* The tables of a story in plain text. Each prints nothing if it has no rows. */
#ifndef GRAZE_CLI_TEXT_TABLES_H
#define GRAZE_CLI_TEXT_TABLES_H

#include "explain/story.h"

/* Steps `first` to `last`, of one phase. */
void table_steps(cli_text *out, const story *s, size_t first, size_t last);
void table_axes(cli_text *out, const story *s);
void table_contacts(cli_text *out, const story *s);
/* Of a Minkowski sum or difference. */
void table_vertices(cli_text *out, const story *s);
/* The steps of a sweep. */
void table_sweep(cli_text *out, const story *s);

#endif
