/* The slow truth: all vertex pairs a - b, and their convex hull. */
#ifndef GRAZE_COMPARE_BRUTE_H
#define GRAZE_COMPARE_BRUTE_H

#include "narrow/exact_hull.h"
#include "narrow/query.h"

/* All pairs of core vertices, as points of C; false: no room for them. `sum`: of A + B, for an obstacle whose B has its
 * position negated. */
bool grz_brute_points(const grz_obstacle *obstacle, bool sum, grz_polytope *polytope);

#endif
