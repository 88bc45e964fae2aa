/* Bounds of a body on its way, rounded outward. */
#ifndef GRAZE_BVH_SWEPT_H
#define GRAZE_BVH_SWEPT_H

#include <graze/graze.h>

/* Holds the body, rounded by `grow`, at every moment of [0, time]; of a half-space everything. `placed` must be good.
 */
graze_aabb grz_swept_bounds(const graze_placed *placed, const graze_motion *motion, double time, double grow);

/* May a half-space that moves meet what is in the box at all times of [0, time]? `grow` as above. */
bool grz_halfspace_overlaps(const graze_placed *halfspace, const graze_motion *motion, double time, double grow,
                         const graze_aabb *box);

#endif
