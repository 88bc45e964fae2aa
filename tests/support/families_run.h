/* Asking about the pairs of a family, judging the answers by the exact truth, and counting. */
#ifndef TESTS_CSO_FAMILIES_RUN_H
#define TESTS_CSO_FAMILIES_RUN_H

#include "support/families.h"
#include "support/oracle/judge.h"
#include "support/tier.h"

/* Failures that have been printed, by their reason. */
enum { FAMILY_REASONS = 8 };
typedef struct family_shown {
  const char *why[FAMILY_REASONS];
  int count[FAMILY_REASONS];
} family_shown;

typedef struct family_tally {
  long pairs, relation[5], exact, failed, unproven;
  double worst_width, seconds;
  int worst_iterations;
  family_shown shown;
} family_tally;

typedef struct family_runner {
  oracle *o, *other; /* the truth about the pair; about what else is asked */
  shape_pair pair;
  graze_placed a, b;
  const char *name;
  graze_options whole; /* with room for any depth surface of the families */
  graze_surface surface;
  family_tally count;
} family_runner;

family_runner *family_runner_new(void);
void family_runner_free(family_runner *r);

/* Have enough failures with this reason been printed? If not, it counts as one more. */
bool family_shown_enough(family_shown *shown, const char *why);

/* Starts to count anew. */
void family_start(family_runner *r, const char *name);

/* Solves and places r->pair; false, counted as a failure: unknown to the oracle. */
bool family_place(family_runner *r);

/* Only solves r->pair. */
bool family_solve(family_runner *r);

/* Counts a failure, and prints the first of each kind with what it takes to reproduce it. */
void family_fail(family_runner *r, const char *query, const char *why, const graze_answer *answer);

/* Ask, judge, verify, count. The answer is one with every proof; false: something was wrong. */
bool family_intersect(family_runner *r, const graze_options *options);
bool family_distance(family_runner *r, graze_answer *answer);

/* As the truth says, signed distance, interval, normal, witnesses: of any answer of graze_distance(). NULL: all well.
 */
const char *family_judge(family_runner *r, const graze_answer *answer);

/* Processor time. */
double family_seconds(void);

void family_print_head(void);

/* One row of the table. Returns how many failures there were; the shares of the family, where given, count. */
long family_print_row(family_runner *r, const char *suffix, const family *bands);

/* GRAZE_SEED: which. GRAZE_FAMILY: is this one wanted? */
uint64_t family_seed(const char *name);
bool family_wanted(const char *name);

#endif
