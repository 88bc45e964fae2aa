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

/* The number of points of a polygon or hull; 0 for other kinds. */
static inline size_t points_of(const graze_shape *s) {
  return s->kind == GRAZE_POLYGON || s->kind == GRAZE_HULL ? s->as.hull.count : 0;
}

/* The parameter `radius`; 0 for kinds without one. */
static inline double radius_of(const graze_shape *s) {
  return s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE || s->kind == GRAZE_CYLINDER || s->kind == GRAZE_CONE
             ? s->as.capsule.radius
             : 0;
}

static inline graze_vec shape_scaled(double f, graze_vec v) { return (graze_vec){f * v.x, f * v.y, f * v.z}; }

/* Multiplies all lengths of a shape, but not the points of a polygon or hull. */
static inline void scale_parameters(graze_shape *s, double f) {
  s->margin *= f;
  switch (s->kind) {
  case GRAZE_SEGMENT:
  case GRAZE_TRIANGLE:
    for (int i = 0; i < (s->kind == GRAZE_SEGMENT ? 2 : 3); i++)
      s->as.triangle.vertices[i] = shape_scaled(f, s->as.triangle.vertices[i]);
    break;
  case GRAZE_BOX: s->as.box.half_extents = shape_scaled(f, s->as.box.half_extents); break;
  case GRAZE_ELLIPSOID: s->as.ellipsoid.radii = shape_scaled(f, s->as.ellipsoid.radii); break;
  case GRAZE_SPHERE: s->as.sphere.radius *= f; break;
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE: s->as.capsule.radius *= f, s->as.capsule.half_length *= f; break;
  case GRAZE_HALFSPACE: s->as.halfspace.offset *= f; break;
  default: break;
  }
}

static inline graze_placed placed_at(graze_shape shape, double x, double y, double z) {
  return graze_place(&shape, graze_pose_at(x, y, z));
}

#endif
