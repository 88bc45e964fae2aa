/* Constructors of shapes, and facts about shapes. Constructors do not validate: graze_check() does. */
#include "shape/core.h"

#include <graze/graze.h>

static graze_shape make_shape(graze_shape_kind kind, int dim) {
  graze_shape shape = {.kind = kind, .dim = dim};
  return shape;
}

graze_shape graze_point(void) { return make_shape(GRAZE_POINT, 3); }
graze_shape graze_point2(void) { return make_shape(GRAZE_POINT, 2); }

static graze_shape make_corners(graze_shape_kind kind, int dim, graze_vec a, graze_vec b, graze_vec c) {
  graze_shape shape = make_shape(kind, dim);
  shape.as.triangle.vertices[0] = a;
  shape.as.triangle.vertices[1] = b;
  shape.as.triangle.vertices[2] = c;
  return shape;
}

static const graze_vec make_no_corner = {0, 0, 0};

graze_shape graze_segment(graze_vec a, graze_vec b) { return make_corners(GRAZE_SEGMENT, 3, a, b, make_no_corner); }
graze_shape graze_segment2(graze_vec a, graze_vec b) { return make_corners(GRAZE_SEGMENT, 2, a, b, make_no_corner); }
graze_shape graze_triangle(graze_vec a, graze_vec b, graze_vec c) { return make_corners(GRAZE_TRIANGLE, 3, a, b, c); }
graze_shape graze_triangle2(graze_vec a, graze_vec b, graze_vec c) { return make_corners(GRAZE_TRIANGLE, 2, a, b, c); }

static graze_shape make_extents(graze_shape_kind kind, int dim, double x, double y, double z) {
  graze_shape shape = make_shape(kind, dim);
  graze_vec extents = {x, y, z};
  shape.as.box.half_extents = extents;
  return shape;
}

graze_shape graze_box(double x, double y, double z) { return make_extents(GRAZE_BOX, 3, x, y, z); }
graze_shape graze_box2(double x, double y) { return make_extents(GRAZE_BOX, 2, x, y, 0); }
graze_shape graze_ellipsoid(double x, double y, double z) { return make_extents(GRAZE_ELLIPSOID, 3, x, y, z); }
graze_shape graze_ellipse(double x, double y) { return make_extents(GRAZE_ELLIPSOID, 2, x, y, 0); }

static graze_shape make_vertices(graze_shape_kind kind, int dim, const graze_vec *vertices, size_t count) {
  graze_shape shape = make_shape(kind, dim);
  shape.as.hull.vertices = vertices;
  shape.as.hull.count = count;
  return shape;
}

graze_shape graze_polygon(const graze_vec *vertices, size_t count) {
  return make_vertices(GRAZE_POLYGON, 2, vertices, count);
}
graze_shape graze_hull_points(const graze_vec *vertices, size_t count) {
  return make_vertices(GRAZE_HULL, 3, vertices, count);
}
graze_shape graze_hull_points2(const graze_vec *vertices, size_t count) {
  return make_vertices(GRAZE_HULL, 2, vertices, count);
}

static graze_shape make_round(graze_shape_kind kind, int dim, double radius, double half_length) {
  graze_shape shape = make_shape(kind, dim);
  shape.as.capsule.radius = radius;
  shape.as.capsule.half_length = half_length;
  return shape;
}

graze_shape graze_sphere(double radius) { return make_round(GRAZE_SPHERE, 3, radius, 0); }
graze_shape graze_circle(double radius) { return make_round(GRAZE_SPHERE, 2, radius, 0); }
graze_shape graze_capsule(double radius, double half_length) {
  return make_round(GRAZE_CAPSULE, 3, radius, half_length);
}
graze_shape graze_capsule2(double radius, double half_length) {
  return make_round(GRAZE_CAPSULE, 2, radius, half_length);
}
graze_shape graze_cylinder(double radius, double half_length) {
  return make_round(GRAZE_CYLINDER, 3, radius, half_length);
}
graze_shape graze_cone(double radius, double half_length) { return make_round(GRAZE_CONE, 3, radius, half_length); }

static graze_shape make_halfspace(int dim, graze_vec normal, double offset) {
  graze_shape shape = make_shape(GRAZE_HALFSPACE, dim);
  shape.as.halfspace.normal = normal;
  shape.as.halfspace.offset = offset;
  return shape;
}

graze_shape graze_halfspace(graze_vec normal, double offset) { return make_halfspace(3, normal, offset); }
graze_shape graze_halfspace2(graze_vec normal, double offset) { return make_halfspace(2, normal, offset); }

graze_shape graze_user(int dim, graze_support_function support, void *context) {
  graze_shape shape = make_shape(GRAZE_USER, dim);
  shape.as.user.support = support;
  shape.as.user.context = context;
  return shape;
}

graze_shape graze_with_margin(graze_shape shape, double margin) {
  shape.margin = margin;
  return shape;
}

bool graze_is_curved(const graze_shape *shape) { return grz_is_curved(shape); }
size_t graze_vertex_count(const graze_shape *shape) { return grz_core_count(shape); }
graze_vec graze_vertex(const graze_shape *shape, size_t index) { return grz_core_vertex(shape, index); }

static bool make_equal_points(const graze_vec *p, const graze_vec *q, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (p[i].x != q[i].x || p[i].y != q[i].y || p[i].z != q[i].z) return false;
  return true;
}

bool graze_shape_equal(const graze_shape *a, const graze_shape *b) {
  if (a->kind != b->kind || a->dim != b->dim || a->margin != b->margin) return false;
  switch (a->kind) {
  case GRAZE_POINT: return true;
  case GRAZE_SEGMENT: return make_equal_points(a->as.segment.vertices, b->as.segment.vertices, 2);
  case GRAZE_TRIANGLE: return make_equal_points(a->as.triangle.vertices, b->as.triangle.vertices, 3);
  case GRAZE_BOX: return make_equal_points(&a->as.box.half_extents, &b->as.box.half_extents, 1);
  case GRAZE_ELLIPSOID: return make_equal_points(&a->as.ellipsoid.radii, &b->as.ellipsoid.radii, 1);
  case GRAZE_SPHERE: return a->as.sphere.radius == b->as.sphere.radius;
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE:
    return a->as.capsule.radius == b->as.capsule.radius && a->as.capsule.half_length == b->as.capsule.half_length;
  case GRAZE_HALFSPACE:
    return a->as.halfspace.offset == b->as.halfspace.offset &&
           make_equal_points(&a->as.halfspace.normal, &b->as.halfspace.normal, 1);
  case GRAZE_USER: return a->as.user.support == b->as.user.support && a->as.user.context == b->as.user.context;
  case GRAZE_COMPOUND: return a->as.compound == b->as.compound;
  case GRAZE_POLYGON:
  case GRAZE_HULL:
    return a->as.hull.count == b->as.hull.count &&
           make_equal_points(a->as.hull.vertices, b->as.hull.vertices, a->as.hull.count);
  }
  return false;
}
