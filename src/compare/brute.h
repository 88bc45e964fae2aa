/* The definition of the CSO: all differences of core vertices. Shared by the reference methods. */
#ifndef GRAZE_COMPARE_BRUTE_H
#define GRAZE_COMPARE_BRUTE_H

#include "narrow/search.h"
#include "narrow/query.h"

#include <graze/compare.h>

/* Validates a query about two polytopes and makes their CSO. Returns GRAZE_UNSUPPORTED for other shapes and methods. */
graze_status grz_compare_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                               const graze_options *options, grz_result *result);

/* Writes all pairs of core vertices as points of C. With `sum` they are points of A + B, for an obstacle whose B has
 * its position negated. Returns false if the polytope has too little capacity. */
bool grz_brute_points(const grz_obstacle *obstacle, bool sum, grz_polytope *polytope);

#endif
