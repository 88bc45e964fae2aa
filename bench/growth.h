/* Scaling measurements: declarations shared by growth.c and growth_scene.c. */
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include "probe.h"

/* Requested bytes, without the overhead of malloc(). */
typedef struct growth_memory {
  size_t live, peak;
} growth_memory;

/* A counting malloc(). */
graze_allocator growth_counted(growth_memory *memory);

/* Steps of scenes of 100 to 1,000,000 moving cubes. */
void growth_scenes_pass(void);

/* Prints a row per size, over all passes. */
void growth_scenes_print(void);

#endif
