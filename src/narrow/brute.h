/* The slow truth: all vertex pairs a - b, and their convex hull. */
#ifndef GRAZE_NARROW_BRUTE_H
#define GRAZE_NARROW_BRUTE_H

#include "narrow/exact_hull.h"
#include "narrow/query.h"

/* All pairs of core vertices, as points of C; false: no room for them. `sum`: of A + B, for an obstacle whose B has its
 * position negated. */
bool grz_brute_points(const grz_obstacle *obstacle, bool sum, grz_polytope *polytope);

/* Fills the answer; where the cores overlap, all but the numbers. Relation and certificate come from the exact search,
 * and are believed only if the hull of all pairs says the same; the numbers of cores apart are the hull's own. Where C
 * is flat it has no faces, and the search stands alone. */
void grz_brute_answer(const grz_query *query, const grz_obstacle *obstacle, graze_answer *answer);

#endif
