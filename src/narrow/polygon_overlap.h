/* Polygons in 2D, of up to GRZ_OUTLINE_MOST corners: the depth by the normals of all edges. */
#ifndef GRAZE_NARROW_POLYGON_OVERLAP_H
#define GRAZE_NARROW_POLYGON_OVERLAP_H

#include "narrow/axis_depth.h"
#include "narrow/obstacle.h"

/* The depth of cores that surely overlap. False: other shapes, or the witness points are not where they ought to be. */
bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out);

/* The same of cores of which nothing is known: that they overlap is shown by `point`, a triangle of C with the origin
 * surely inside. False also where there is none to be had, or they are apart. */
bool grz_polygon_overlap(const grz_obstacle *c, grz_axis_depth *out, grz_cso_point point[3]);

#endif
