/* Rotations, frames and boxes shared by the parts of graze_fit_box(). fit_box.c selects rotations, fit_solid.c proposes
 * frames in doubles, fit_place.c computes centre and extents exactly. Proofs: docs/theory/boxes.md. */
#ifndef GRAZE_GEOMETRY_FIT_H
#define GRAZE_GEOMETRY_FIT_H

#include "exact/fixed.h"
#include "core/sort.h"

#include <graze/build.h>

/* A quaternion of any length but zero. */
typedef struct fit_rotation {
  double w, x, y, z;
} fit_rotation;

/* A box that contains every point, exactly. */
typedef struct fit_candidate {
  graze_pose pose;
  graze_vec half;
  grz_scaled measure; /* area or volume */
} fit_candidate;

/* Three orthonormal directions, rounded: right-handed. */
typedef struct fit_frame {
  graze_vec axis[3];
} fit_frame;

/* The vertices of a hull in 3D, relative to the first and scaled to about 1, rounded. For proposals. */
typedef struct fit_cloud {
  const graze_vec *at;
  size_t count;
  graze_vec *scratch; /* 3·count + 2 points */
  grz_key *keys;      /* 2·count keys */
} fit_cloud;

static inline fit_rotation fit_rotation_of(double w, double x, double y, double z) {
  fit_rotation rotation = {w, x, y, z};
  return rotation;
}

/* v·2^k, k up to ±1100, rounded only where it becomes subnormal. */
static inline graze_vec fit_scale(graze_vec v, int k) {
  return vec_scale(vec_scale(v, real_power_of_two(k / 2)), real_power_of_two(k - k / 2));
}

/* ---- fit_place.c */

/* The k for which 2^k·(the largest coordinate of all points[i] - points[0]) is in [1/2, 2); 0 if all are 0. */
int grz_fit_exponent(const graze_vec *points, size_t count);

/* The half-angle pair (w, z) that rotates the nearer of the x and the y axis to the line through a and b. Its error is
 * near the least possible in doubles. a and b differ; z coordinates are ignored. */
fit_rotation grz_fit_angle(graze_vec a, graze_vec b);

/* The box with a given rotation: a centre near the middle of the points, and the least half extents with which it
 * contains every point. False: a number would be larger than GRAZE_LARGEST. */
bool grz_fit_place(const graze_vec *points, size_t count, int dim, fit_rotation rotation, fit_candidate *box);

/* ---- fit_solid.c */

/* The unit normal of three points that are not collinear: the exact normal, rounded. */
graze_vec grz_fit_normal(graze_vec a, graze_vec b, graze_vec c);

/* The frame rotated about one of its axes so that the rectangle around the projection is smallest. */
fit_frame grz_fit_about_axis(const fit_cloud *cloud, fit_frame frame, int axis);

/* The rotation of a frame: of the 24 that give the same box, the one nearest to the identity. */
fit_rotation grz_fit_rotation(fit_frame frame);

/* A good frame around a solid, by local search. */
fit_frame grz_fit_search(const fit_cloud *cloud);

/* The frame of the smallest box around a solid, or `frame` if none is smaller. False: out of memory. */
bool grz_fit_best(const graze_hull *hull, const fit_cloud *cloud, const graze_allocator *allocator, fit_frame *frame);

#endif
