/* Pairs by one of the ways that this machine may have, for tests: all give the same, in the same order. */
#ifndef GRAZE_BVH_PAIRS_H
#define GRAZE_BVH_PAIRS_H

#include "bvh/eight.h"

/* Lanes: 1, portable, or 8, AVX2. */
bool grz_broad_lanes_supported(int lanes);
size_t grz_broad_pairs_lanes(int lanes, const grz_bvh *broad, size_t chunk, grz_bvh_pair *pairs, size_t capacity);

/* The fastest that this machine has. */
grz_eight_test *grz_broad_test(void);

#endif
