/* Casts of pairs in motion: each result is validated by the exact oracle and the verifier, and counted. */
#ifndef TESTS_SUPPORT_CASTS_H
#define TESTS_SUPPORT_CASTS_H

#include "support/proved.h"
#include "support/families_run.h"
#include "support/oracle/validate_cast.h"

/* A pair in motion; owns its vertices. */
typedef struct cast_case {
  shape_pair pair;
  graze_vec velocity_a, velocity_b;
  double t_max, clearance;
  bool ray, rough;
  graze_cast_method method;
} cast_case;

typedef struct cast_tally {
  long casts, starts[5], hits, exact, failed, skipped;
  double worst_time;
  int worst_iterations;
  family_shown shown;
} cast_tally;

typedef struct cast_runner {
  oracle *o, *other;
  cast_case given;
  linear_query motion;
  graze_placed a, b;
  const char *name;
  cast_tally count;
} cast_runner;

typedef struct cast_family {
  const char *name;
  void (*make)(rng *random, cast_case *c);
  int hits_low, hits_high; /* per cent of casts that hit must lie within */
  int exact_most;          /* per cent of answers that may need exact arithmetic */
} cast_family;

/* A run over families: of motions, of pairs that `move` sets in motion, or both; with both, the list has no `make` and
 * names the promised shares. */
typedef struct cast_plan {
  const cast_family *list;
  const family *bases;
  int count, casts;
  uint64_t seed; /* added to the seed of each family */
  void (*move)(rng *random, cast_case *c);
  void (*check)(cast_runner *r, rng *random); /* NULL: cast_run() */
  bool any_share;                             /* the promised shares do not apply */
} cast_plan;

/* Returns the number of failures. */
long cast_run_plan(const cast_plan *plan);

/* Queries r->given: validates, verifies, queries again with A and B exchanged, and counts. Numbers beyond GRAZE_LARGEST
 * are only counted. Returns false after a failure. */
bool cast_run(cast_runner *r, proved_cast *result);

/* Queries r->given and its certificate, without any truth. */
graze_status cast_query(cast_runner *r, proved_cast *result);
graze_status cast_verify(const cast_runner *r, const proved_cast *result);

/* Counts a failure; prints the first ones of each kind with their query. */
void cast_fail(cast_runner *r, const char *why, const proved_cast *result);

/* p + f·d; exact if the numbers are on a lattice. */
graze_vec cast_plus(graze_vec p, graze_vec d, double f);

#endif
