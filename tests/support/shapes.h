/* Shapes of either dimension, and shapes placed at a point. In 2D the third number is ignored. */
#ifndef TESTS_SUPPORT_SHAPES_H
#define TESTS_SUPPORT_SHAPES_H

#include <graze/graze.h>

static inline graze_shape box_of(int dim, double x, double y, double z) {
  return dim == 2 ? graze_box2(x, y) : graze_box(x, y, z);
}
static inline graze_shape point_of(int dim) { return dim == 2 ? graze_point2() : graze_point(); }
static inline graze_shape ball_of(int dim, double r) { return dim == 2 ? graze_circle(r) : graze_sphere(r); }
static inline graze_shape capsule_of(int dim, double r, double h) {
  return dim == 2 ? graze_capsule2(r, h) : graze_capsule(r, h);
}
static inline graze_shape segment_of(int dim, graze_vec p, graze_vec q) {
  return dim == 2 ? graze_segment2(p, q) : graze_segment(p, q);
}
static inline graze_shape hull_of(int dim, const graze_vec *vertices, int count) {
  return dim == 2 ? graze_hull_points2(vertices, (size_t)count) : graze_hull_points(vertices, (size_t)count);
}
static inline graze_shape halfspace_of(int dim, graze_vec normal, double offset) {
  return dim == 2 ? graze_halfspace2((graze_vec){normal.x, normal.y, 0}, offset) : graze_halfspace(normal, offset);
}

static inline graze_placed placed_at(graze_shape shape, double x, double y, double z) {
  return graze_place(&shape, graze_pose_at(x, y, z));
}

#endif
