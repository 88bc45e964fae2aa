/* Asking about bodies that move and turn, judging the answers by many moments of the motion, and counting. */
#ifndef TESTS_MOTION_SWEEPS_H
#define TESTS_MOTION_SWEEPS_H

#include "support/families_run.h"
#include "support/oracle/judge_sweep.h"

/* A pair in motion; owns its vertices. */
typedef struct sweep_case {
  shape_pair pair;
  graze_motion motion_a, motion_b;
  double t_max, clearance;
  int known; /* 1: it was made so that they meet; -1: that they do not; 0: nobody knows */
} sweep_case;

/* What a family promises; shares are in per cent. */
typedef struct sweep_family {
  const char *name;
  void (*make)(rng *random, sweep_case *c);
  int hits_low, hits_high;
  int exact_most;
  double possible_most; /* of those of which C has an interior: without one there is no overlap to be found */
  double proved_least;  /* by their steps */
  double widest;        /* no bracket is wider, as a share of the motion */
} sweep_family;

typedef struct sweep_tally {
  long sweeps, starts[5], result[4], flat, exact, proved, failed; /* flat: possible, and without an interior */
  double widest, seconds;                                         /* brackets of hits, as shares of the motion */
  int most_iterations;
  size_t most_steps;
  family_shown shown;
} sweep_tally;

typedef struct sweep_runner {
  oracle *o;   /* NULL: moments are looked at in doubles, by graze_distance() */
  int moments; /* how many */
  sweep_case given;
  judge_turning motion;
  graze_placed a, b;
  graze_sweep_step *steps;
  size_t step_room;
  const char *name;
  sweep_tally count;
} sweep_runner;

sweep_runner *sweep_runner_new(int moments, bool exact);
void sweep_runner_free(sweep_runner *r);
void sweep_start(sweep_runner *r, const char *name);

/* Asks about r->given, with steps: judges, verifies, asks again with A and B exchanged, without steps, and now and then
 * by the other methods and cheaply, and counts. False: something was wrong. */
bool sweep_run(sweep_runner *r, graze_impact *impact);

/* Places r->given; sweep_run() does, too. */
void sweep_place(sweep_runner *r);

/* The options with which sweep_run() asks. */
graze_options sweep_options(const sweep_runner *r, bool steps);

/* Do two answers about one motion agree? One may be possible where the other knows. NULL: they do. */
const char *sweep_agree(const graze_impact *x, const graze_impact *y);

/* What is wrong with an impact, as the moments in doubles say. */
const char *sweep_judge(const judge_turning *m, int moments, const graze_impact *x);

/* Counts a failure, and prints the first of each kind with what it takes to reproduce it. */
void sweep_fail(sweep_runner *r, const char *why, const graze_impact *impact);

void sweep_print_head(void);

/* One row of the table. Returns how many failures there were, broken promises included. */
long sweep_print_row(sweep_runner *r, const sweep_family *promised);

/* Runs so many of each family; the number of failures. */
long sweep_run_families(sweep_runner *r, const sweep_family *list, int count, int sweeps);

#endif
