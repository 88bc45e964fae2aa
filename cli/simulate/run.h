/* A scene, stepped: what each step took and did. */
#ifndef GRAZE_CLI_SIMULATE_RUN_H
#define GRAZE_CLI_SIMULATE_RUN_H

#include "simulate/exact.h"
#include "simulate/progress.h"
#include "simulate/record.h"

typedef struct sim_row {
  double ms;         /* of graze_scene_step() alone */
  size_t pairs;      /* of which the bounds of their ways meet */
  size_t casts;      /* how often a pair was asked */
  size_t contacts;   /* that began */
  size_t in_contact; /* pairs, at the end */
  size_t responses, stalled, overlaps;
  size_t missed; /* against exact */
} sim_row;

typedef struct sim_run {
  sim_row *rows;
  size_t count, wanted; /* steps that were done; that were to be */
  sim_exact exact;
  sim_stop *last; /* of each body: where it is in the end, and how it moves */
  bool interrupted;
} sim_run;

/* Runs all steps, or until interrupted. `record` may be NULL. False: the complaint says why. Otherwise end with
 * sim_run_free(). */
bool sim_run_make(const sim_scene *scene, graze_method method, sim_record *record, sim_progress *progress, sim_run *run,
                  cli_error *complaint);
void sim_run_free(sim_run *run);

/* Milliseconds per step. */
typedef struct sim_times {
  double mean, median, p99;
} sim_times;

sim_times sim_times_of(const sim_row *rows, size_t count);

/* The rows added up. */
sim_row sim_total(const sim_run *run);

#endif
