/* Sweep queries on families of motions: validated at many moments of the motion, and counted. */
#ifndef TESTS_SUPPORT_SWEEPS_H
#define TESTS_SUPPORT_SWEEPS_H

#include "support/proved.h"
#include "support/families_run.h"
#include "support/oracle/validate_sweep.h"

/* A pair in motion; owns its vertices. */
typedef struct sweep_case {
  shape_pair pair;
  graze_motion motion_a, motion_b;
  double t_max, clearance;
  int known; /* 1: constructed to hit; -1: constructed to miss; 0: unknown */
} sweep_case;

/* Shares in per cent. */
typedef struct sweep_family {
  const char *name;
  void (*make)(rng *random, sweep_case *c);
  int hits_low, hits_high;
  int exact_most;
  double possible_most; /* among pairs whose C has an interior: without one no overlap exists */
  double proved_least;  /* by the steps */
  double widest;        /* bracket, as a share of the motion */
} sweep_family;

typedef struct sweep_tally {
  long sweeps, result[4], flat, exact, proved, failed; /* flat: possible, and C has no interior */
  double widest;                                       /* bracket of a hit, as a share of the motion */
  int most_iterations;
  family_shown shown;
} sweep_tally;

typedef struct sweep_runner {
  oracle *o;   /* NULL: moments are evaluated in doubles by graze_distance() */
  int moments; /* number of moments */
  sweep_case given;
  turning_query motion;
  graze_placed a, b;
  graze_cast_step *steps;
  const char *name;
  sweep_tally count;
} sweep_runner;

sweep_runner *sweep_runner_new(int moments, bool exact);
void sweep_runner_free(sweep_runner *r);
void sweep_start(sweep_runner *r, const char *name);

/* Queries r->given with steps; validates and verifies the answer; repeats the query with A and B exchanged, without
 * steps, and for some cases with other methods and small budgets. */
void sweep_run(sweep_runner *r);

/* Fills r->motion, r->a and r->b from r->given; sweep_run() does so too. */
void sweep_place(sweep_runner *r);

/* The options of sweep_run(). */
graze_cast_options sweep_options(const sweep_runner *r, bool steps);

/* NULL: two answers about one motion agree. POSSIBLE agrees with every result. */
const char *sweep_agree(const proved_cast *x, const proved_cast *y);

/* NULL, or the first error that moments in doubles show in an answer. */
static inline const char *sweep_validate(const turning_query *m, int moments, const proved_cast *x) {
  return validate_sweep(NULL, m, moments, x);
}

/* Counts a failure, and prints the first of each kind with a query line that reproduces it. */
void sweep_fail(sweep_runner *r, const char *why, const proved_cast *result);

/* Runs `sweeps` cases of each family. Returns the number of failures, violated shares included. */
long sweep_run_families(sweep_runner *r, const sweep_family *list, int count, int sweeps);

#endif
