/* Inside graze_fit_box(): rotations are proposed in doubles, boxes are seated exactly. docs/theory/boxes.md. */
#ifndef GRAZE_GEOMETRY_FIT_BOX_H
#define GRAZE_GEOMETRY_FIT_BOX_H

#include "geometry/sort.h"
#include "exact/scaled.h"

#include <graze/build.h>

/* A rotation; any length but zero. */
typedef struct fit_turn {
  double w, x, y, z;
} fit_turn;

/* A box that contains every point, exactly. */
typedef struct fit_box {
  graze_pose pose;
  graze_vec half;
  grz_scaled measure; /* area or volume */
} fit_box;

/* Three orthonormal directions, rounded: right-handed. */
typedef struct fit_frame {
  graze_vec axis[3];
} fit_frame;

/* A solid hull for proposals: its vertices moved to the first and scaled to about 1, rounded. */
typedef struct fit_cloud {
  const graze_vec *at;
  size_t count;
  graze_vec *room; /* for projections: 3·count + 2 points … */
  grz_key *keys;   /* … and 2·count keys */
} fit_cloud;

static inline fit_turn fit_turn_of(double w, double x, double y, double z) {
  fit_turn turn = {w, x, y, z};
  return turn;
}

static inline double fit_part(graze_vec v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

/* v·2^k, k up to ±1100, rounded only where it becomes subnormal. */
static inline graze_vec fit_scale(graze_vec v, int k) {
  return vec_scale(vec_scale(v, real_power_of_two(k / 2)), real_power_of_two(k - k / 2));
}

/* The k with which 2^k·(the largest coordinate of all differences from points[0]) lies in [1/2, 2); 0 if they are 0. */
int grz_fit_unit(const graze_vec *points, size_t count);

/* fit_box_seat.c: the box with the given rotation: its centre near the middle, its extents the least doubles with which
 * it contains every point. False: one of its numbers would be larger than GRAZE_LARGEST. */
bool grz_fit_seat(const graze_vec *points, size_t count, int dim, fit_turn turn, fit_box *box);

/* fit_box_grid.c: the whole numbers of steps that bring a centre, off by `off` in the frame of the box, near the middle
 * of a rectangle with the half extents `half`. A step is grid[0] along x, grid[1] along y; (c, s) is the rotation. */
void grz_fit_grid(const double off[2], const double half[2], const double grid[2], double c, double s, double steps[2]);

/* fit_box_plane.c: the edge of a convex polygon (counter-clockwise, strictly convex, at least 3 vertices; z is not
 * looked at) on which the smallest rectangle stands, exactly; the first of equals. */
size_t grz_fit_edge(const graze_vec *vertices, size_t count);

/* fit_box_angle.c: the half-angle pair that turns the x axis or the y axis, whichever is nearer, to b - a, not zero, or
 * to its opposite, as nearly as doubles can. Only x and y count; only w and z are set. */
fit_turn grz_fit_angle(graze_vec a, graze_vec b);

/* fit_box_frame.c: the rotation of a frame, of all that give the same box the one nearest the identity. */
fit_turn grz_fit_turn(fit_frame frame);

/* That rotation by small whole numbers, where it is very near such a one. */
bool grz_fit_turn_whole(fit_turn turn, fit_turn *whole);

/* The volume of the box around the cloud; rounded. */
double grz_fit_volume(const fit_cloud *cloud, fit_frame frame);

/* Turns the frame about one axis to the smallest rectangle around the projection. */
fit_frame grz_fit_about(const fit_cloud *cloud, fit_frame frame, int axis);

/* fit_box_fast.c */
fit_frame grz_fit_fast(const fit_cloud *cloud);

/* fit_box_best.c: the smallest box of all, or `frame` where none is smaller; false: no memory. */
bool grz_fit_best(const graze_hull *hull, const fit_cloud *cloud, const graze_allocator *allocator, fit_frame *frame);

/* A unit normal of three points that are not collinear, from the exact one. */
graze_vec grz_fit_normal(graze_vec a, graze_vec b, graze_vec c);

#endif
