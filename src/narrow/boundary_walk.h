/* The nearest point of the CSO of two separated polygons in 2D, by a walk on its boundary. */
#ifndef GRAZE_NARROW_BOUNDARY_WALK_H
#define GRAZE_NARROW_BOUNDARY_WALK_H

#include "narrow/gjk.h"

/* True if grz_boundary_walk() applies: the vertices of both cores are in convex order. */
bool grz_boundary_walk_applies(const grz_obstacle *obstacle);

/* Continues after the first step of GJK, whose direction separates. Returns true if the simplex of `gjk` is the nearest
 * vertex or edge, as the support point along its normal verifies. Otherwise `gjk` is unchanged. */
bool grz_boundary_walk(const grz_obstacle *obstacle, const grz_goal *goal, grz_gjk *gjk);

#endif
