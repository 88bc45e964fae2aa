/* How cost grows with the work: what growth.c and growth_scene.c share. */
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include "probe.h"

/* Bytes as they were asked for: what malloc() adds is not known. */
typedef struct growth_memory {
  size_t live, most;
} growth_memory;

/* malloc(), counted. */
graze_allocator growth_counted(growth_memory *memory);

/* Steps of scenes of 100 to 1,000,000 cubes that move. */
void growth_scenes_pass(void);

/* A row for each, of all passes. */
void growth_scenes_tell(void);

#endif
