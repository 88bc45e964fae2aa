/* What a step should have told, and did not: the measure of every method. */
#ifndef GRAZE_CLI_SIMULATE_EXACT_H
#define GRAZE_CLI_SIMULATE_EXACT_H

#include "simulate/world.h"

/* A contact that no event reports, or a body that entered another one although they respond. */
typedef struct sim_miss {
  double t; /* by then they surely overlapped, or overlapped deeper */
  size_t a, b;
} sim_miss;

typedef struct sim_exact {
  sim_miss *misses; /* owned: of all steps so far */
  size_t count, capacity;
  /* Of the step at hand. */
  struct sim_span *spans;
  double *free_until; /* until when a body surely goes as it began */
} sim_exact;

/* False: there is not enough memory. Otherwise end with sim_exact_free(). */
bool sim_exact_make(size_t bodies, sim_exact *exact);
void sim_exact_free(sim_exact *exact);

/* Asks all pairs of the step that was just done again, from the state before it, and adds those that surely met, by an
 * overlap deeper than rounding, though no event of the step names them. Where bodies respond, their ways are known only
 * until they first meet something: what would have come later is not counted. Pairs that respond are also added if they
 * overlap deeper after the step than before, or did so during the step where both moved at constant rates, whether an
 * event names them or not. False: there is not enough memory. */
bool sim_exact_check(sim_exact *exact, const sim_world *world, const graze_step *step);

#endif
