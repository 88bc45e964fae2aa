/* Random boxes of many kinds. */
#ifndef TESTS_BVH_WORLDS_H
#define TESTS_BVH_WORLDS_H

#include "support/random.h"

enum {
  WORLD_UNIFORM,
  WORLD_CLUSTERED, /* 7 clusters, each a thousandth of the whole */
  WORLD_MIXED,     /* sizes from 1 to 1000 */
  WORLD_EQUAL,     /* all the same */
  WORLD_LINE,      /* along x, flat */
  WORLD_PLANE,     /* 2D */
  WORLD_DISTANT,   /* 1e9 from the origin */
  WORLD_TWO_ENDS,  /* half of it at 1e9, half at -1e9 */
  WORLD_INFINITE,  /* a few half-spaces, and boxes infinite on one side */
  WORLD_HUGE,      /* up to 1e40 */
  WORLD_TINY,      /* 1e-300, 1e-320, and a few of ordinary size */
  WORLD_POINTS,    /* on a coarse lattice: many are equal */
  WORLD_LATTICE,   /* cubes that touch each other */
  WORLD_STRAY,     /* uniform, and a few at the largest distances */
  WORLD_KINDS,
};

extern const char *const world_name[WORLD_KINDS];

/* Returns 3 or 2. */
int world_dim(int kind);

/* Returns a random box of a world of `count` boxes. Each overlaps a few others, if the kind allows. */
graze_aabb world_box(int kind, uint64_t *state, size_t count);

#endif
