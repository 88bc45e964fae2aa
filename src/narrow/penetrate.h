/* How deep do overlapping cores overlap? */
#ifndef GRAZE_NARROW_PENETRATE_H
#define GRAZE_NARROW_PENETRATE_H

#include "narrow/axis_depth.h"
#include "geometry/polytope.h"
#include "narrow/query.h"

/* The relation is overlapping, its certificate's pairs are filled, the distance is not known: fills distance, interval,
 * normal, witness points and the bounds' certificate. `axes`: what is known already of the depth by axes, or NULL. */
void grz_penetrate(const grz_query *query, const grz_obstacle *obstacle, const grz_axis_depth *axes,
                   grz_result *result);

/* May it ask for grz_polygon_depth()? Two boxes have axes of their own. */
bool grz_penetrate_uses_polygon_axes(const grz_query *query, const grz_obstacle *obstacle);

/* The same where a budget ended the search before the cores were known to overlap: fills the numbers that are missing,
 * as well as they are known. */
void grz_penetrate_roughly(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* Writes the points to start EPA from. */
typedef void (*grz_polytope_fill)(const grz_obstacle *obstacle, grz_polytope *polytope);

/* As grz_penetrate(), by EPA with exact predicates from these points. */
void grz_penetrate_from(const grz_query *query, const grz_obstacle *obstacle, grz_polytope_fill fill,
                        grz_result *result);

#endif
