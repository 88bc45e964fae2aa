/* The reference for every method: contacts that a step does not report, and bodies that entered each other. */
#ifndef GRAZE_CLI_SIMULATE_EXACT_H
#define GRAZE_CLI_SIMULATE_EXACT_H

#include "simulate/world.h"

/* A contact without an event, or a body that entered another one although they respond. */
typedef struct sim_miss {
  double t; /* a time at which they certainly overlap, or overlap deeper */
  size_t a, b;
} sim_miss;

typedef struct sim_exact {
  sim_miss *misses; /* owned; those of all steps so far */
  size_t count, capacity;
  /* For the current step. */
  struct sim_span *spans;
  double *free_until; /* the time until which a body certainly keeps its motion */
} sim_exact;

/* False: out of memory. Otherwise the caller frees the reference. */
bool sim_exact_make(size_t bodies, sim_exact *exact);
void sim_exact_free(sim_exact *exact);

/* Tests all pairs of the step that was just done, from the states before it. It adds pairs that certainly collide, by
 * an overlap that rounding cannot explain, but have no event. The motion of bodies that respond is known only until
 * their first contact; later contacts are not counted. It also adds pairs that respond and overlap deeper after the
 * step than before, or during the step if both moved at constant rates. False: out of memory. */
bool sim_exact_check(sim_exact *exact, const sim_world *world, const graze_step *step);

#endif
