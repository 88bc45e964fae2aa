/* Vectors and rotations in doubles. One type serves 2D and 3D: in 2D, z is 0 and every formula below
 * holds. */
#ifndef GRAZE_CORE_VEC_H
#define GRAZE_CORE_VEC_H

#include "core/real.h"

#include <graze/graze.h>

static inline graze_vec vec_make(double x, double y, double z) {
  graze_vec v = {x, y, z};
  return v;
}
static inline graze_vec vec_add(graze_vec a, graze_vec b) { return vec_make(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline graze_vec vec_sub(graze_vec a, graze_vec b) { return vec_make(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline graze_vec vec_neg(graze_vec a) { return vec_make(-a.x, -a.y, -a.z); }
static inline graze_vec vec_scale(graze_vec a, double s) { return vec_make(a.x * s, a.y * s, a.z * s); }
static inline double vec_dot(graze_vec a, graze_vec b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
static inline graze_vec vec_cross(graze_vec a, graze_vec b) {
  return vec_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double vec_length(graze_vec a) { return real_sqrt(vec_dot(a, a)); }
static inline graze_vec vec_unit(graze_vec a) { return vec_scale(a, 1 / vec_length(a)); }
static inline bool vec_equal(graze_vec a, graze_vec b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
static inline double vec_coordinate(graze_vec v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

/* Lexicographic order: x, then y, then z. */
static inline bool vec_before(graze_vec a, graze_vec b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* Returns whether all coordinates are legal numbers: not NaN, and not above GRAZE_LARGEST in magnitude. */
static inline bool vec_is_legal(graze_vec v) {
  return real_abs(v.x) <= GRAZE_LARGEST && real_abs(v.y) <= GRAZE_LARGEST && real_abs(v.z) <= GRAZE_LARGEST;
}

/* Minimum and maximum of each coordinate, as for the corners of an axis-aligned box. */
static inline graze_vec vec_min(graze_vec a, graze_vec b) {
  return vec_make(real_min(a.x, b.x), real_min(a.y, b.y), real_min(a.z, b.z));
}
static inline graze_vec vec_max(graze_vec a, graze_vec b) {
  return vec_make(real_max(a.x, b.x), real_max(a.y, b.y), real_max(a.z, b.z));
}

/* The ∞-norm: the largest |coordinate|. */
static inline double vec_norm_inf(graze_vec a) {
  return real_max(real_max(real_abs(a.x), real_abs(a.y)), real_abs(a.z));
}

/* The 1-norm: the sum of all |coordinate|. It is at least the length. */
static inline double vec_norm1(graze_vec a) { return (real_abs(a.x) + real_abs(a.y)) + real_abs(a.z); }

/* v divided by its ∞-norm, which is not zero. Works for subnormal v, unlike vec_unit(). */
static inline graze_vec vec_unit_inf(graze_vec v) {
  double largest = vec_norm_inf(v);
  return vec_make(v.x / largest, v.y / largest, v.z / largest);
}

/* |v|, rounded up, too large by at most 2^-48·|v| + 2^-1073; exact if at most one coordinate is not zero. v is below
 * 2^900. Proof: docs/theory/rounding.md, "Lengths". */
static inline double vec_length_up(graze_vec v) {
  double largest = vec_norm_inf(v);
  if ((v.x != 0) + (v.y != 0) + (v.z != 0) <= 1) return largest;
  double length = vec_length(vec_make(v.x / largest, v.y / largest, v.z / largest));
  return real_next_up(largest * length * (1 + 8 * GRZ_U));
}

/* An upper bound of |v|, up to 2u. Tight unless squares underflow. Without a division, unlike vec_length_up(). */
static inline double vec_length_above(graze_vec v) {
  return real_min(vec_norm1(v), vec_length(v) * (1 + 8 * GRZ_U) + 0x1p-530);
}

/* r·v and its inverse r^T·v for a rotation r, row by row. In 2D the third row and column are those of the identity. */
GRZ_TEMPLATE graze_vec vec_rotate(const double *r, graze_vec v, const int dim) {
  if (dim == 2) return vec_make(r[0] * v.x + r[1] * v.y, r[3] * v.x + r[4] * v.y, 0);
  return vec_make((r[0] * v.x + r[1] * v.y) + r[2] * v.z, (r[3] * v.x + r[4] * v.y) + r[5] * v.z,
                  (r[6] * v.x + r[7] * v.y) + r[8] * v.z);
}
GRZ_TEMPLATE graze_vec vec_unrotate(const double *r, graze_vec v, const int dim) {
  if (dim == 2) return vec_make(r[0] * v.x + r[3] * v.y, r[1] * v.x + r[4] * v.y, 0);
  return vec_make((r[0] * v.x + r[3] * v.y) + r[6] * v.z, (r[1] * v.x + r[4] * v.y) + r[7] * v.z,
                  (r[2] * v.x + r[5] * v.y) + r[8] * v.z);
}

/* Column k of a rotation: local axis k in world coordinates. */
static inline graze_vec vec_column(const double *r, int k) { return vec_make(r[k], r[3 + k], r[6 + k]); }

/* Returns whether the rotation of a pose is not the identity. */
static inline bool pose_is_rotated(const graze_pose *pose) { return pose->x != 0 || pose->y != 0 || pose->z != 0; }

#endif
