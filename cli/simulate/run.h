/* The run of a scene: what every step did, how long it took, and the progress display. */
#ifndef GRAZE_CLI_SIMULATE_RUN_H
#define GRAZE_CLI_SIMULATE_RUN_H

#include "simulate/exact.h"
#include "simulate/record.h"

/* A monotonic clock, in milliseconds. */
double sim_now(void);

/* Initialise with zeros; `total` is the number of steps of all runs. */
typedef struct sim_progress {
  size_t total, base; /* base: the steps of earlier runs */
  double began, shown;
  bool visible;
} sim_progress;

/* Draws a progress bar if standard error is a terminal that can erase it, at most ten times a second. */
void sim_progress_show(sim_progress *progress, size_t done);
/* Erases it. */
void sim_progress_end(sim_progress *progress);

/* After this, the first Ctrl-C only sets a flag, so that the command can print the results so far; the second one ends
 * the program. If interrupts are ignored, they stay ignored. */
void sim_watch_interrupt(void);
bool sim_interrupted(void);

enum { SIM_EXIT_INTERRUPTED = 130 }; /* the status that shells use for an interrupted program */

/* One step, or the sum of all steps. */
typedef struct sim_row {
  double ms;         /* of graze_scene_step() only */
  size_t pairs;      /* pairs with overlapping swept bounds */
  size_t casts;      /* the number of casts of pairs */
  size_t contacts;   /* the number of contacts that began */
  size_t in_contact; /* pairs in contact at the end */
  size_t responses, stalled, overlaps;
  size_t missed; /* compared with the reference */
} sim_row;

typedef struct sim_run {
  sim_row *rows;
  size_t count, wanted; /* steps done, and steps requested */
  sim_exact exact;
  sim_keyframe *last; /* the final pose and motion of each body */
  bool interrupted;
} sim_run;

/* Runs all steps, or until interrupted. `record` may be NULL. False: see error. Otherwise the caller frees the run. */
bool sim_run_make(const sim_scene *scene, cli_method method, sim_record *record, sim_progress *progress, sim_run *run,
                  cli_error *error);
void sim_run_free(sim_run *run);

/* Milliseconds per step. */
typedef struct sim_times {
  double mean, median, p99;
} sim_times;

sim_times sim_times_of(const sim_row *rows, size_t count);
sim_row sim_total(const sim_run *run);

#endif
