/* Vectors in doubles. In 2D, z is 0 and every formula below stays right. */
#ifndef GRAZE_CORE_VEC_H
#define GRAZE_CORE_VEC_H

#include "core/real.h"

#include <graze/graze.h>

#ifdef __FAST_MATH__
#error "Graze's bounds are theorems about IEEE 754 arithmetic: compile without -ffast-math"
#endif

/* Unit roundoff of a double: 2^-53. */
#define GRZ_U 0x1p-53

#if defined(__GNUC__)
#define GRZ_TEMPLATE static inline __attribute__((always_inline))
#else
#define GRZ_TEMPLATE static inline
#endif

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

static inline double real_abs(double x) { return __builtin_fabs(x); }
static inline double real_max(double x, double y) { return x > y ? x : y; }
static inline double real_min(double x, double y) { return x < y ? x : y; }

/* Coordinate by coordinate: the corners of bounds. */
static inline graze_vec vec_min(graze_vec a, graze_vec b) {
  return vec_make(real_min(a.x, b.x), real_min(a.y, b.y), real_min(a.z, b.z));
}
static inline graze_vec vec_max(graze_vec a, graze_vec b) {
  return vec_make(real_max(a.x, b.x), real_max(a.y, b.y), real_max(a.z, b.z));
}

/* The largest coordinate, in magnitude. */
static inline double vec_norm_inf(graze_vec a) {
  return real_max(real_max(real_abs(a.x), real_abs(a.y)), real_abs(a.z));
}

/* The sum of the coordinates' magnitudes: at least the length. */
static inline double vec_norm1(graze_vec a) { return (real_abs(a.x) + real_abs(a.y)) + real_abs(a.z); }

/* v with its largest coordinate made 1 in magnitude; v is not zero, and may be as small as it likes. */
static inline graze_vec vec_unit_inf(graze_vec v) {
  double largest = vec_norm_inf(v);
  return vec_make(v.x / largest, v.y / largest, v.z / largest);
}

/* A rotation, row by row, and its inverse. In 2D the third row and column are those of the identity. */
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

/* Local axis k in the world: a column of the rotation. */
static inline graze_vec vec_column(const double *r, int k) { return vec_make(r[k], r[3 + k], r[6 + k]); }

#endif
