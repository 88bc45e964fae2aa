/* Relation and signed distance of two convex shapes. Compounds: compound/queries.c. */
#ifndef GRAZE_NARROW_DISTANCE_H
#define GRAZE_NARROW_DISTANCE_H

#include "narrow/query.h"

/* graze_intersect() of convex shapes; GRAZE_UNSUPPORTED for compounds. */
graze_status grz_intersect_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result);

/* graze_distance() of convex shapes; GRAZE_UNSUPPORTED for compounds. */
graze_status grz_distance_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               grz_result *result);

/* Computes the signed distance of two cores, neither of them a half-space. `result` must be blank. */
void grz_distance_cores(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

#endif
