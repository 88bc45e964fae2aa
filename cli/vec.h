/* Rounded vector arithmetic. */
#ifndef GRAZE_CLI_VEC_H
#define GRAZE_CLI_VEC_H

#include <graze/graze.h>
#include <math.h>

static inline graze_vec vec_add(graze_vec u, graze_vec v) { return (graze_vec){u.x + v.x, u.y + v.y, u.z + v.z}; }
static inline graze_vec vec_sub(graze_vec u, graze_vec v) { return (graze_vec){u.x - v.x, u.y - v.y, u.z - v.z}; }
static inline graze_vec vec_scale(graze_vec v, double f) { return (graze_vec){f * v.x, f * v.y, f * v.z}; }
/* u + f·v */
static inline graze_vec vec_mad(graze_vec u, double f, graze_vec v) { return vec_add(u, vec_scale(v, f)); }
static inline double vec_dot(graze_vec u, graze_vec v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
static inline graze_vec vec_cross(graze_vec u, graze_vec v) {
  return (graze_vec){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
static inline bool vec_is_zero(graze_vec v) { return v.x == 0 && v.y == 0 && v.z == 0; }
static inline graze_vec vec_min(graze_vec u, graze_vec v) {
  return (graze_vec){fmin(u.x, v.x), fmin(u.y, v.y), fmin(u.z, v.z)};
}
static inline graze_vec vec_max(graze_vec u, graze_vec v) {
  return (graze_vec){fmax(u.x, v.x), fmax(u.y, v.y), fmax(u.z, v.z)};
}
/* The largest coordinate in magnitude. */
static inline double vec_norm_inf(graze_vec v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

#endif
