/* How far a run is, by a clock and on a terminal; and whether it was told to end. */
#ifndef GRAZE_CLI_SIMULATE_PROGRESS_H
#define GRAZE_CLI_SIMULATE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* A clock that only goes on, in milliseconds. */
double sim_now(void);

/* Zero it to begin; `total` counts what sim_progress_show() is told. */
typedef struct sim_progress {
  size_t total, base; /* base: what earlier runs have done */
  double began, shown;
  bool visible; /* something stands in the line */
} sim_progress;

/* Shows the bar where standard error is a terminal that can take it, ten times a second at most. */
void sim_progress_show(sim_progress *progress, size_t done);
/* Wipes it. */
void sim_progress_end(sim_progress *progress);

/* From now on the first interrupt (^C) only sets a mark, so that what was found so far is told; the second one ends the
 * program. Where interrupts are ignored they still are. */
void sim_watch_interrupt(void);
bool sim_interrupted(void);

#endif
