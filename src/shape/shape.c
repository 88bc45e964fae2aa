/* Constructors of shapes, facts about shapes, and validation of shapes, poses and motions.
 *
 * Constructors do not validate: graze_check() does. All decisions of the validation are exact: whether a polygon is
 * convex depends on no tolerance. */
#include "shape/shape.h"

#include "exact/exact.h"

/* ---- Constructors and facts. */

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

graze_shape grz_mesh_face(const graze_mesh *mesh, size_t index) {
  const graze_vec *v = mesh->def.vertices;
  const int32_t *corner = mesh->def.faces + (size_t)mesh->def.dim * index;
  return mesh->def.dim == 2 ? graze_segment2(v[corner[0]], v[corner[1]])
                            : graze_triangle(v[corner[0]], v[corner[1]], v[corner[2]]);
}

static bool make_equal_points(const graze_vec *p, const graze_vec *q, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!vec_equal(p[i], q[i])) return false;
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
  case GRAZE_MESH: return a->as.mesh == b->as.mesh;
  case GRAZE_POLYGON:
  case GRAZE_HULL:
    return a->as.hull.count == b->as.hull.count &&
           make_equal_points(a->as.hull.vertices, b->as.hull.vertices, a->as.hull.count);
  }
  return false;
}

/* ---- Validation. */

static graze_error check_number(const char *what, ptrdiff_t index, double value) {
  const bool legal = real_abs(value) <= GRAZE_LARGEST; /* false for NaN */
  return legal ? grz_no_error() : grz_error(GRAZE_BAD_NUMBER, what, index, value);
}

static graze_error check_size(const char *what, ptrdiff_t index, double value) {
  graze_error error = check_number(what, index, value);
  if (error.status == GRAZE_OK && value < 0) error = grz_error(GRAZE_BAD_SHAPE, what, index, value);
  return error;
}

/* Checks a number that must be 0 in 2D. */
static graze_error check_third(const char *what, ptrdiff_t index, double value, int dim) {
  graze_error error = check_number(what, index, value);
  if (error.status == GRAZE_OK && dim == 2 && value != 0) error = grz_error(GRAZE_DIM_MISMATCH, what, index, value);
  return error;
}

/* The index of the error is `vertex`, or the coordinate if vertex < 0. */
static graze_error check_vec(const char *what, graze_vec v, int dim, ptrdiff_t vertex) {
  graze_error error = check_number(what, vertex < 0 ? 0 : vertex, v.x);
  if (error.status == GRAZE_OK) error = check_number(what, vertex < 0 ? 1 : vertex, v.y);
  if (error.status == GRAZE_OK) error = check_third(what, vertex < 0 ? 2 : vertex, v.z, dim);
  return error;
}

static graze_error check_sizes(const char *what, graze_vec v, int dim) {
  graze_error error = check_size(what, 0, v.x);
  if (error.status == GRAZE_OK) error = check_size(what, 1, v.y);
  if (error.status == GRAZE_OK) error = check_size(what, 2, v.z);
  if (error.status == GRAZE_OK) error = check_third(what, 2, v.z, dim);
  return error;
}

/* Pairs store indices of vertices as int32_t. */
graze_error grz_check_vertices(const graze_vec *vertices, size_t count, size_t min_count, int dim) {
  if (vertices == NULL || count < min_count || count > INT32_MAX)
    return grz_error(GRAZE_BAD_SHAPE, "vertices", -1, (double)count);
  for (size_t i = 0; i < count; i++) {
    const bool legal = vec_is_legal(vertices[i]) && (dim == 3 || vertices[i].z == 0);
    if (!legal) return check_vec("vertices", vertices[i], dim, (ptrdiff_t)i);
  }
  return grz_no_error();
}

/* The result of a walk around a polygon. Indices are -1 for none. For a repeated vertex, any of its indices is
 * possible. */
typedef struct check_outline {
  ptrdiff_t first_left, first_right; /* the first left turn and right turn */
  ptrdiff_t first_back;              /* the first vertex at which the outline reverses */
  ptrdiff_t third_change;            /* the third vertex at which the half-plane of the edges changes */
  int changes;                       /* the number of such vertices, at most 3 */
  size_t lowest;                     /* the first vertex in lexicographic order */
  int winding;                       /* the turn at that vertex */
} check_outline;

static void check_corner(check_outline *outline, const graze_vec *v, size_t before, size_t at, size_t after) {
  int turn = grz_orient2(v[before], v[at], v[after]);
  /* vec_before() assigns the direction of an edge to one of two half-planes. */
  bool change = vec_before(v[before], v[at]) != vec_before(v[at], v[after]);
  if (turn > 0 && outline->first_left < 0) outline->first_left = (ptrdiff_t)at;
  if (turn < 0 && outline->first_right < 0) outline->first_right = (ptrdiff_t)at;
  if (turn == 0 && change && outline->first_back < 0) outline->first_back = (ptrdiff_t)at;
  if (change && outline->changes < 3 && ++outline->changes == 3) outline->third_change = (ptrdiff_t)at;
  if (vec_before(v[at], v[outline->lowest]) || vec_equal(v[at], v[outline->lowest])) {
    outline->lowest = at;
    outline->winding = turn;
  }
}

static check_outline check_walk(const graze_vec *v, size_t count) {
  check_outline outline = {-1, -1, -1, -1, 0, 0, 0};
  size_t before = count - 1, at = 0;
  while (before > 0 && vec_equal(v[before], v[0])) before--;
  if (before == 0) return outline; /* one point */
  for (size_t i = 1; i <= count; i++) {
    size_t after = i < count ? i : 0;
    if (!vec_equal(v[after], v[at])) {
      check_corner(&outline, v, before, at, after);
      before = at;
    }
    at = after;
  }
  return outline;
}

/* A polygon is convex if all turns have one sign, no edge reverses, and the half-plane of the edges changes twice. Two
 * changes show that the outline turns by 360 degrees, not by 720. Points on one line, in any order, are a segment. */
ptrdiff_t grz_convex_fault(const graze_vec *v, size_t count, bool *flat) {
  check_outline outline = check_walk(v, count);
  *flat = outline.first_left < 0 && outline.first_right < 0;
  if (*flat) return -1;
  if (outline.first_back >= 0) return outline.first_back;
  if (outline.first_left >= 0 && outline.first_right >= 0)
    return outline.winding < 0 ? outline.first_left : outline.first_right;
  return outline.third_change;
}

static graze_error check_polygon(const graze_shape *shape) {
  graze_error error = grz_check_vertices(shape->as.hull.vertices, shape->as.hull.count, 3, shape->dim);
  if (error.status != GRAZE_OK) return error;
  bool flat;
  ptrdiff_t fault = grz_convex_fault(shape->as.hull.vertices, shape->as.hull.count, &flat);
  return fault < 0 ? error : grz_error(GRAZE_NOT_CONVEX, "vertices", fault, 0);
}

static graze_error check_round(const graze_shape *shape) {
  graze_error error = check_size("radius", -1, shape->as.capsule.radius);
  if (error.status == GRAZE_OK && shape->kind != GRAZE_SPHERE)
    error = check_size("half_length", -1, shape->as.capsule.half_length);
  return error;
}

static graze_error check_halfspace(const graze_shape *shape) {
  graze_error error = check_vec("normal", shape->as.halfspace.normal, shape->dim, -1);
  if (error.status == GRAZE_OK && vec_norm_inf(shape->as.halfspace.normal) == 0)
    error = grz_error(GRAZE_BAD_SHAPE, "normal", -1, 0);
  return error.status == GRAZE_OK ? check_number("offset", -1, shape->as.halfspace.offset) : error;
}

static graze_error check_dim(const graze_shape *shape) {
  if (shape->dim != 2 && shape->dim != 3) return grz_error(GRAZE_BAD_SHAPE, "dim", -1, shape->dim);
  bool only2 = shape->kind == GRAZE_POLYGON, only3 = shape->kind == GRAZE_CYLINDER || shape->kind == GRAZE_CONE;
  const bool possible = shape->dim == 2 ? !only3 : !only2;
  return possible ? grz_no_error() : grz_error(GRAZE_DIM_MISMATCH, "dim", -1, shape->dim);
}

/* graze_compound_create() has validated the parts. */
static graze_error check_compound(const graze_shape *shape) {
  if (shape->as.compound == NULL) return grz_error(GRAZE_BAD_SHAPE, "parts", -1, 0);
  const bool same = shape->dim == shape->as.compound->dim;
  return same ? grz_no_error() : grz_error(GRAZE_DIM_MISMATCH, "dim", -1, shape->dim);
}

/* graze_mesh_create() has validated the faces. */
static graze_error check_mesh(const graze_shape *shape) {
  if (shape->as.mesh == NULL) return grz_error_rule(GRAZE_BAD_SHAPE, "mesh", 0, "must not be NULL");
  const bool same = shape->dim == shape->as.mesh->def.dim;
  return same ? grz_no_error() : grz_error(GRAZE_DIM_MISMATCH, "dim", -1, shape->dim);
}

static graze_error check_kind(const graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_POINT: return grz_no_error();
  case GRAZE_SEGMENT: return grz_check_vertices(shape->as.segment.vertices, 2, 2, shape->dim);
  case GRAZE_TRIANGLE: return grz_check_vertices(shape->as.triangle.vertices, 3, 3, shape->dim);
  case GRAZE_BOX: return check_sizes("half_extents", shape->as.box.half_extents, shape->dim);
  case GRAZE_POLYGON: return check_polygon(shape);
  case GRAZE_HULL: return grz_check_vertices(shape->as.hull.vertices, shape->as.hull.count, 1, shape->dim);
  case GRAZE_SPHERE:
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE: return check_round(shape);
  case GRAZE_ELLIPSOID: return check_sizes("radii", shape->as.ellipsoid.radii, shape->dim);
  case GRAZE_HALFSPACE: return check_halfspace(shape);
  case GRAZE_USER:
    return shape->as.user.support != NULL ? grz_no_error() : grz_error(GRAZE_BAD_SHAPE, "support", -1, 0);
  case GRAZE_COMPOUND: return check_compound(shape);
  case GRAZE_MESH: return check_mesh(shape);
  }
  return grz_error(GRAZE_BAD_SHAPE, "type", -1, (double)shape->kind);
}

static graze_error check_shape(const graze_shape *shape) {
  graze_error error = check_dim(shape);
  if (error.status == GRAZE_OK) error = check_size("margin", -1, shape->margin);
  return error.status == GRAZE_OK ? check_kind(shape) : error;
}

static graze_error check_pose(const graze_pose *pose, int dim) {
  graze_error error = check_vec("position", pose->position, dim, -1);
  if (error.status == GRAZE_OK) error = check_number("rotation", 0, pose->w);
  if (error.status == GRAZE_OK) error = check_third("rotation", 1, pose->x, dim);
  if (error.status == GRAZE_OK) error = check_third("rotation", 2, pose->y, dim);
  if (error.status == GRAZE_OK) error = check_number("rotation", 3, pose->z);
  bool zero = pose->w == 0 && pose->x == 0 && pose->y == 0 && pose->z == 0;
  return error.status == GRAZE_OK && zero ? grz_error(GRAZE_BAD_SHAPE, "rotation", -1, 0) : error;
}

/* The common case first: no number is too large if the sum of all magnitudes is not. */
graze_status grz_check_pose(const graze_pose *pose, int dim) {
  const double rotation = (real_abs(pose->w) + real_abs(pose->x)) + (real_abs(pose->y) + real_abs(pose->z));
  if (dim == 3 && vec_norm1(pose->position) + rotation <= GRAZE_LARGEST && rotation > 0) return GRAZE_OK;
  return check_pose(pose, dim).status;
}

graze_status graze_check(const graze_shape *shape, const graze_pose *pose, graze_error *error) {
  graze_error found = shape != NULL ? check_shape(shape) : grz_error(GRAZE_BAD_SHAPE, "type", -1, 0);
  if (found.status == GRAZE_OK && pose != NULL) found = check_pose(pose, shape->dim);
  if (error != NULL) *error = found;
  return found.status;
}

/* Returns whether the shape is a valid point, sphere, capsule, box, ellipsoid, cylinder or cone in 3D. No number is too
 * large if the sum of all is not; a negative number or NaN makes a comparison false. */
static bool check_is_plain(const graze_shape *shape) {
  const graze_vec v = shape->as.box.half_extents; /* or the radii of an ellipsoid */
  const double margin = shape->margin, radius = shape->as.capsule.radius, length = shape->as.capsule.half_length;
  if (shape->dim != 3 || !(margin >= 0)) return false;
  switch (shape->kind) {
  case GRAZE_POINT: return margin <= GRAZE_LARGEST;
  case GRAZE_BOX:
  case GRAZE_ELLIPSOID: return v.x >= 0 && v.y >= 0 && v.z >= 0 && ((v.x + v.y) + v.z) + margin <= GRAZE_LARGEST;
  case GRAZE_SPHERE: return radius >= 0 && radius + margin <= GRAZE_LARGEST;
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE: return radius >= 0 && length >= 0 && (radius + length) + margin <= GRAZE_LARGEST;
  default: return false;
  }
}

graze_status grz_check_placing(const graze_shape *shape, const graze_pose *pose) {
  return shape != NULL && check_is_plain(shape) ? grz_check_pose(pose, 3) : graze_check(shape, pose, NULL);
}

graze_error grz_pair_error(const graze_placed *a, const graze_placed *b) {
  graze_error error = grz_no_error();
  if (a->status != GRAZE_OK || b->status != GRAZE_OK) {
    const graze_placed *bad = a->status != GRAZE_OK ? a : b;
    (void)graze_check(&bad->shape, &bad->pose, &error);
    if (error.status == GRAZE_OK) error = grz_error_rule(bad->status, "status", 0, "must be GRAZE_OK");
    error.status = bad->status;
    error.owner = bad == a ? "a" : "b";
  } else if (a->shape.dim != b->shape.dim) {
    error = grz_error_rule(GRAZE_DIM_MISMATCH, "dim", b->shape.dim, "must be the dimension of a");
    error.owner = "b";
  }
  return error;
}

graze_error grz_motion_error(graze_status status, const char *owner, const graze_placed *placed,
                             const graze_motion *motion) {
  const double v[6] = {motion->velocity.x, motion->velocity.y, motion->velocity.z,
                       motion->angular.x,  motion->angular.y,  motion->angular.z};
  graze_error error = {status, "angular", -1, 0, owner, "must be 0 for a half-space"};
  for (int i = 0; i < 6; i++) {
    const bool flat = placed->shape.dim == 2 && i >= 2 && i <= 4 && v[i] != 0;
    const bool turns = status == GRAZE_UNSUPPORTED && i >= 3 && v[i] != 0;
    if (real_abs(v[i]) <= GRAZE_LARGEST && !flat && !turns) continue;
    error.what = i < 3 ? "velocity" : "angular", error.index = i % 3, error.value = v[i];
    if (!turns) error.allowed = flat ? "must be 0 in 2D" : "must be a number of magnitude <= 1e40";
    break;
  }
  return error;
}
