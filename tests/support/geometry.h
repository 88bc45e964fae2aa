/* Vectors and poses for tests. Rounded like any doubles: nothing here decides a relation. */
#ifndef TESTS_SUPPORT_GEOMETRY_H
#define TESTS_SUPPORT_GEOMETRY_H

#include <math.h>
#include <string.h>

#include <graze/graze.h>

static const graze_pose identity = {{0, 0, 0}, 1, 0, 0, 0};

static inline graze_vec vec(double x, double y, double z) { return (graze_vec){x, y, z}; }
static inline graze_vec add(graze_vec u, graze_vec v) { return vec(u.x + v.x, u.y + v.y, u.z + v.z); }
static inline graze_vec sub(graze_vec u, graze_vec v) { return vec(u.x - v.x, u.y - v.y, u.z - v.z); }
static inline graze_vec scaled(double f, graze_vec v) { return vec(f * v.x, f * v.y, f * v.z); }
static inline graze_vec add_scaled(graze_vec u, double f, graze_vec v) { return add(u, scaled(f, v)); }
static inline double dot(graze_vec u, graze_vec v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
static inline graze_vec cross(graze_vec u, graze_vec v) {
  return vec(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
}
static inline double size1(graze_vec v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }
static inline double norm(graze_vec v) { return sqrt(dot(v, v)); }

/* R(q)·v, for a quaternion of any length. */
static inline graze_vec rotated(const graze_pose *q, graze_vec v) {
  const graze_vec axis = vec(q->x, q->y, q->z), t = scaled(2, cross(axis, v));
  return add_scaled(v, 1 / (q->w * q->w + dot(axis, axis)), add(scaled(q->w, t), cross(axis, t)));
}

/* Equal bit by bit, so that -0 differs from 0 and NaN equals NaN. */
static inline bool same_bits(double x, double y) { return memcmp(&x, &y, sizeof x) == 0; }
static inline bool same_vec(graze_vec u, graze_vec v) {
  return same_bits(u.x, v.x) && same_bits(u.y, v.y) && same_bits(u.z, v.z);
}

static inline bool boxes_meet(graze_aabb p, graze_aabb q) {
  return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y && p.min.z <= q.max.z &&
         q.min.z <= p.max.z;
}

#endif
