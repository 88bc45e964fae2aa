/* Polygons apart in 2D: along the border of C, from corner to corner, to the point nearest the origin. */
#ifndef GRAZE_NARROW_BOUNDARY_WALK_H
#define GRAZE_NARROW_BOUNDARY_WALK_H

#include "narrow/gjk.h"

/* May grz_boundary_walk() be asked? The corners of both cores stand in order. */
bool grz_boundary_walk_applies(const grz_obstacle *obstacle);

/* From GJK's first look, along a direction that separates. True: gjk is at its end, its simplex
 * the nearest corner or side, as a look along its normal shows; false: it is where it was. */
bool grz_boundary_walk(const grz_obstacle *obstacle, const grz_goal *goal, grz_gjk *gjk);

#endif
