/* Placements in rational arithmetic, and random ones to try. */
#ifndef TESTS_SUPPORT_RATIONAL_H
#define TESTS_SUPPORT_RATIONAL_H

#include <gmp.h>

#include "support/random.h"

/* The world position of a local point of a placed shape or of a part of a compound: R(q) = M(q)/(q·q). */
void rational_world(mpq_t at[3], const graze_placed *placed, graze_vec local);

/* x -> m·x + p of a placed shape or part: m row by row. */
typedef struct rational_map {
  mpq_t m[9], p[3];
} rational_map;

void rational_map_init(rational_map *map);
void rational_map_clear(rational_map *map);
void rational_map_set(rational_map *map, const graze_placed *placed);

/* The double nearest to x·2^unit, ties to even, subnormal ones included. */
double nearest_double(const mpz_t x, long unit);

/* Poses with quaternions of every kind: unit and not, tiny, huge, of very unequal components, about an axis, rotations
 * that take axes to axes, and nearly those. */
graze_pose random_extreme_pose(uint64_t *state, int dim);

#endif
