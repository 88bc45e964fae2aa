/* Validation of shapes, poses, motions and arrays of vertices. */
#ifndef GRAZE_SHAPE_CHECK_H
#define GRAZE_SHAPE_CHECK_H

#include "core/status.h"
#include "core/vec.h"

/* Validates an array of vertices: from `min_count` to INT32_MAX legal points, z = 0 in 2D. */
graze_error grz_check_vertices(const graze_vec *vertices, size_t count, size_t min_count, int dim);

/* Returns a vertex at which an outline is not convex, or -1 if it is convex. Points on one line (*flat) are convex. */
ptrdiff_t grz_convex_fault(const graze_vec *vertices, size_t count, bool *flat);

/* Returns the error that makes two placed shapes an invalid pair: of A, of B, or of their dimensions. */
graze_error grz_pair_error(const graze_placed *a, const graze_placed *b);

/* Returns the error behind the status with which a motion was rejected. */
graze_error grz_motion_error(graze_status status, const char *owner, const graze_placed *placed,
                             const graze_motion *motion);

/* Validates a pose of a shape of this dimension. */
graze_status grz_check_pose(const graze_pose *pose, int dim);

/* Returns whether all coordinates are legal numbers. NaN is not. */
static inline bool vec_is_legal(graze_vec v) {
  return real_abs(v.x) <= GRAZE_LARGEST && real_abs(v.y) <= GRAZE_LARGEST && real_abs(v.z) <= GRAZE_LARGEST;
}

#endif
