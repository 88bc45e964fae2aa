/* The measurements of `graze simulate --compare`. */
#ifndef GRAZE_CLI_SIMULATE_COMPARE_H
#define GRAZE_CLI_SIMULATE_COMPARE_H

#include "simulate/scene.h"

enum { SIM_COUNTS = 10, SIM_COUNT_STEP = 50, SIM_COMPARED = 5 };

/* One number of cubes, by one method. */
typedef struct sim_cell {
  double all_pairs, scene; /* milliseconds per step, median */
  size_t contacts, missed;
} sim_cell;

typedef struct sim_comparison {
  sim_cell cells[SIM_COUNTS][SIM_COMPARED];
  size_t counts; /* the number of rows done */
  size_t steps;
  uint64_t seed;
} sim_comparison;

extern const cli_method sim_compared[SIM_COMPARED];

/* A chart of time against the number of cubes. */
void sim_comparison_svg(cli_text *out, const sim_comparison *comparison);

#endif
