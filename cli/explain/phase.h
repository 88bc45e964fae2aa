/* The phases of a run: one table row each, with the title, the explanation, the columns of the text table, and the
 * sentences of a step and of a stop. A drawing function of the phase is in picture_steps.c. */
#ifndef GRAZE_CLI_PHASE_H
#define GRAZE_CLI_PHASE_H

#include "explain/story.h"

typedef enum phase_column {
  COLUMN_END = 0,
  COLUMN_NUMBER,
  COLUMN_POLYTOPE,
  COLUMN_DIRECTION,
  COLUMN_POINT,
  COLUMN_CHECK,   /* d·w */
  COLUMN_REACHES, /* whether w reaches the origin: the sign of d·w */
  COLUMN_SIMPLEX,
  COLUMN_LOWER,
  COLUMN_UPPER
} phase_column;

typedef struct phase_info {
  const char *title;       /* a heading */
  const char *name;        /* within a sentence */
  const char *explanation; /* what each step does */
  const char *handover;    /* how the sentence of the previous stop ends */
  const char *simplex;     /* the heading of COLUMN_SIMPLEX; NULL: "nearest face", or "nearest edge" in 2D */
  phase_column columns[10];
} phase_info;

const phase_info *phase_of(graze_phase phase);

/* True if step k is the first of a phase. */
bool phase_begins(const story *s, size_t k);
/* The explanation of a phase, as a paragraph. */
void phase_explain(cli_text *out, const story *s, graze_phase phase);
/* Step k: its direction, its support point, and what these show. */
void phase_step(cli_text *out, const story *s, size_t k);
/* Why the phase ended at step k, and the next phase; nothing if it continues. */
void phase_stop(cli_text *out, const story *s, size_t k);

#endif
