/* Queries on the pairs of a family: each answer is validated by the exact oracle and the verifier, and counted. */
#ifndef TESTS_SUPPORT_FAMILIES_RUN_H
#define TESTS_SUPPORT_FAMILIES_RUN_H

#include "support/proved.h"
#include "support/families.h"
#include "support/oracle/validate.h"
#include "support/tier.h"

/* Failures that have been printed, by their reason. */
enum { FAMILY_REASONS = 8 };
typedef struct family_shown {
  const char *why[FAMILY_REASONS];
  int count[FAMILY_REASONS];
} family_shown;

typedef struct family_tally {
  long pairs, relation[5], exact, failed;
  long intersect_by[5][GRAZE_ALGORITHM_CLOSED_FORM + 1],
      distance_by[5][GRAZE_ALGORITHM_CLOSED_FORM + 1]; /* by relation and algorithm */
  double worst_width;
  int worst_iterations;
  family_shown shown;
} family_tally;

typedef struct family_runner {
  oracle *o, *other; /* solved for the pair; for any other queries */
  shape_pair pair;
  graze_placed a, b;
  const char *name;
  graze_options whole; /* with a workspace for every depth surface of the families */
  graze_surface surface;
  family_tally count;
} family_runner;

family_runner *family_runner_new(void);
void family_runner_free(family_runner *r);

/* Returns true if enough failures with this reason have been printed; counts one more otherwise. */
bool family_shown_enough(family_shown *shown, const char *why);

/* Solves and places r->pair; returns false and counts a failure if the oracle does not support the shapes. */
bool family_place(family_runner *r);

/* Solves r->pair without placing it. */
bool family_solve(family_runner *r);

/* Counts a failure; prints the first ones of each kind with their query. */
void family_fail(family_runner *r, const char *query, const char *why, const proved_answer *answer);

/* Query, validate, verify, count. *answer has every proof. Returns false after a failure. */
bool family_intersect(family_runner *r, const graze_options *options);
bool family_distance(family_runner *r, proved_answer *answer);

/* Compares any answer of graze_distance() with the truth: relation, interval, normal, witness points. Returns the
 * error, or NULL. */
const char *family_validate(family_runner *r, const proved_answer *answer);

/* A run over families: `check` is called for `pairs` pairs of each family. */
typedef struct family_plan {
  const family *list;
  int count, pairs;
  uint64_t seed;      /* added to the seed of each family */
  const char *suffix; /* of the printed names; with one, the promised shares of the families do not apply */
  void (*check)(family_runner *r, rng *random, int i);
  family_tally *total; /* of all families, or NULL */
} family_plan;

/* Returns the number of failures. */
long family_run(const family_plan *plan);

/* family_intersect() and family_distance(), as a check. */
void family_check(family_runner *r, rng *random, int i);

/* Prints a row of the table. Returns the number of failures, shares in per cent that are not promised included. */
typedef struct family_row {
  const char *name;
  long count, touching, hits, exact, failed;
  double width;
  int iterations;
} family_row;
long family_report(family_row row, int hits_low, int hits_high, int exact_most);

/* The seed of a name, and of GRAZE_SEED. Whether GRAZE_FAMILY selects the name. */
uint64_t family_seed(const char *name);
bool family_wanted(const char *name);

#endif
