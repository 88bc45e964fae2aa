/* The tables of a story in plain text. Each prints nothing where there is nothing of its kind. */
#ifndef GRAZE_CLI_TABLES_H
#define GRAZE_CLI_TABLES_H

#include "explain/story.h"

/* Steps `first` to `last`, of one search. */
void tables_steps(cli_text *out, const story *s, size_t first, size_t last);
void tables_axes(cli_text *out, const story *s);
void tables_contacts(cli_text *out, const story *s);
void tables_vertices(cli_text *out, const story *s);

#endif
