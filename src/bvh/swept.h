/* Bounds of a moving body, rounded outward: what a scene inserts into the tree. */
#ifndef GRAZE_BVH_SWEPT_H
#define GRAZE_BVH_SWEPT_H

#include <graze/graze.h>

/* Computes a box that contains the body, enlarged by `grow`, at all times of [0, time]. The box of a half-space is
 * infinite. `placed` must be valid. */
graze_aabb grz_swept_bounds(const graze_placed *placed, const graze_motion *motion, double time, double grow);

/* Returns false only if the moving half-space, enlarged by `grow`, is disjoint from the box at all times of [0, time].
 */
bool grz_halfspace_overlaps(const graze_placed *halfspace, const graze_motion *motion, double time, double grow,
                            const graze_aabb *box);

#endif
