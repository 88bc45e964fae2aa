/* Asking about motions, judging the answers by the exact truth, and counting. */
#ifndef TESTS_CSO_CASTS_H
#define TESTS_CSO_CASTS_H

#include "support/families_run.h"
#include "support/oracle/judge_cast.h"

/* A pair in motion; owns its vertices. */
typedef struct cast_case {
  shape_pair pair;
  graze_vec velocity_a, velocity_b;
  double t_max, clearance;
  bool ray, rough;
} cast_case;

typedef struct cast_tally {
  long casts, starts[5], hits, exact, failed, skipped;
  double worst_time, worst_clear, seconds;
  int worst_iterations;
  family_shown shown;
} cast_tally;

typedef struct cast_runner {
  oracle *o, *other;
  cast_case given;
  judge_motion motion;
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

cast_runner *cast_runner_new(void);
void cast_runner_free(cast_runner *r);
void cast_start(cast_runner *r, const char *name);

/* Asks about r->given: judges, verifies, asks again with A and B exchanged, and counts. The impact may be looked at
 * afterwards. Numbers beyond what is accepted are only counted. False: something was wrong. */
bool cast_run(cast_runner *r, graze_impact *impact);

/* Counts a failure, and prints the first of each kind with what it takes to reproduce it. */
void cast_fail(cast_runner *r, const char *why, const graze_impact *impact);

/* The same motion with the same velocity added to both: is what comes of it the same? */
bool cast_run_shifted(cast_runner *r, graze_vec shift, const graze_impact *impact);

/* One query line. */
void cast_print_json(FILE *out, const char *id, const cast_case *c);

void cast_print_head(void);

/* One row of the table. Returns how many failures there were; the shares of the family, where given, count. */
long cast_print_row(cast_runner *r, const char *suffix, const cast_family *bands);

/* Runs so many of each family; the number of failures. */
long cast_run_families(const cast_family *list, int count, int casts);

/* p + f·d; exact where the numbers are on a lattice. */
graze_vec cast_plus(graze_vec p, graze_vec d, double f);

#endif
