/* What the private numbers of graze_placed promise. Where status is not GRAZE_OK they are all zero. */
#ifndef GRAZE_SHAPE_PLACED_H
#define GRAZE_SHAPE_PLACED_H

#include "math/vec.h"

/* |rotation[i] - R(q)[i]| for every entry; docs/theory/rounding.md, "Rotation". */
#define GRZ_ROTATION_ERROR (10 * GRZ_U)

static inline bool placed_is_legal(graze_vec v) { /* NaN is not */
  return real_abs(v.x) <= GRAZE_LARGEST && real_abs(v.y) <= GRAZE_LARGEST && real_abs(v.z) <= GRAZE_LARGEST;
}

/* Asks a support function of the caller's; in 2D its z does not count. False: it gave numbers that none may give. */
static inline bool placed_user_support(const graze_shape *user, graze_vec d, graze_vec *point, double *slack) {
  *point = vec_make(0, 0, 0);
  *slack = user->support(user->context, d, point);
  if (user->dim == 2) point->z = 0;
  return placed_is_legal(*point) && *slack >= 0 && *slack <= GRAZE_LARGEST;
}

/* Judges a pose alone, for shapes of this dimension. */
graze_status grz_check_pose(const graze_pose *pose, int dim);

#endif
