/* Measures numbers of cubes by every method, all pairs and in a scene. */
#ifndef GRAZE_CLI_SIMULATE_COMPARE_H
#define GRAZE_CLI_SIMULATE_COMPARE_H

#include "simulate/outputs.h"

#include <stdint.h>

/* `steps`: 0: the default. Prints a table, or rows with `csv`, and writes the outputs. Returns the exit status. */
int sim_compare(size_t steps, uint64_t seed, bool csv, sim_outputs *outputs);

#endif
