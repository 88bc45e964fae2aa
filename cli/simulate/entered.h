/* Detects bodies that respond to each other and overlap deeper because of a step. */
#ifndef GRAZE_CLI_SIMULATE_ENTERED_H
#define GRAZE_CLI_SIMULATE_ENTERED_H

#include "simulate/world.h"

/* A body before and after a step. */
typedef struct sim_ends {
  const graze_placed *before, *after;
  graze_motion motion; /* from `before` to `after`, if the rates were constant */
  double off;          /* so far the body may have been from that motion: it was pushed at unknown times */
  bool steady;         /* the rates were constant during the whole step, pushes aside */
} sim_ends;

/* Computes the ends of body `index` in the step that was just done. */
sim_ends sim_ends_of(const sim_world *world, const graze_step *step, size_t index);

/* Returns whether two bodies overlap deeper after the step than before it; or, where both moved steadily, at a sampled
 * moment of the step. Differences below 2^-20 of the smaller body are not counted. *t receives that moment, in the
 * step. */
bool sim_entered(const sim_ends *a, const sim_ends *b, double dt, double *t);

#endif
