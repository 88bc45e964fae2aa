/* Separating axes of polytopal cores, as certificates. Any box, polygon, hull, segment, triangle, point, rounded or
 * not; not half-spaces. */
#ifndef GRAZE_NARROW_SAT_H
#define GRAZE_NARROW_SAT_H

#include "narrow/axis_depth.h"
#include "narrow/obstacle.h"

/* Tests axes until one surely separates; fills the answer's relation, its certificate and path. False: none does, which
 * proves nothing. Either way answer->iterations grows by the axes tested. */
bool grz_sat_separates(const grz_obstacle *obstacle, const graze_options *options, graze_answer *answer);

/* The depth of cores that surely overlap. False: no room, or rounding leaves it open. */
bool grz_sat_depth(const grz_obstacle *obstacle, const graze_options *options, grz_axis_depth *depth);

#endif
