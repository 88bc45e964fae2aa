/* Support functions of cores, and hill climbing on hulls.
 *
 * Support points of curved cores are exactly in the closed core: a rounded point is scaled inward. Exact points (on an
 * axis, a pole, a rim point on an axis) are not scaled. */
#include "shape/support.h"

#include "shape/mesh_support.h"

/* Scales inward by more than twice the relative error of the unit vectors below: docs/theory/rounding.md, "Curved
 * supports". */
#define SUPPORT_INWARD (1 - 8 * GRZ_U)

static grz_core_point support_vertex(graze_vec local, size_t index) {
  grz_core_point point = {local, (int32_t)index};
  return point;
}

static grz_core_point support_curved(graze_vec local) {
  grz_core_point point = {local, -1};
  return point;
}

static grz_core_point support_vertices(const graze_vec *vertices, size_t count, graze_vec d) {
  size_t best = count < GRZ_ARGMAX_SIMD_MIN ? grz_argmax_short(vertices, count, d, 3) : grz_argmax(vertices, count, d);
  return support_vertex(vertices[best], best);
}

/* Below this number of vertices, a loop over all of them is faster than the tree. */
enum { SUPPORT_TREE_MIN = 2048 };

static grz_core_point support_mesh(const graze_mesh *mesh, graze_vec d) {
  if (mesh->def.vertex_count < SUPPORT_TREE_MIN) return support_vertices(mesh->def.vertices, mesh->def.vertex_count, d);
  const size_t best = (size_t)grz_mesh_support(mesh, d);
  return support_vertex(mesh->def.vertices[best], best);
}

static grz_core_point support_capsule(const graze_shape *capsule, graze_vec d) {
  size_t end = (capsule->dim == 2 ? d.x : d.z) > 0;
  return support_vertex(grz_core_vertex(capsule, end), end);
}

/* radius · unit, scaled inward by a factor. Near the subnormal range the rounding error is absolute, so tiny results
 * are moved inward by the least double. */
static inline double support_inward(double radius, double unit) {
  double x = radius * unit * SUPPORT_INWARD;
  if (real_abs(x) >= 0x1p-960) return x;
  double step = x > 0 ? 0x1p-1074 : x < 0 ? -0x1p-1074 : 0;
  return x - step;
}

/* Between these squared lengths, a vector needs no scaling. */
#define SUPPORT_LEAST_SQUARE 0x1p-500
#define SUPPORT_LARGEST_SQUARE 0x1p500

/* The support point of { x : sum (x_i / r_i)^2 <= 1 }: x_i = r_i (r_i d_i) / |(r_k d_k)|. */
static graze_vec support_ellipsoid_point(graze_vec r, graze_vec d) {
  graze_vec t = {r.x * d.x, r.y * d.y, r.z * d.z};
  double square = vec_dot(t, t);
  if ((t.x != 0) + (t.y != 0) + (t.z != 0) <= 1)
    return vec_make(t.x > 0   ? r.x
                    : t.x < 0 ? -r.x
                              : 0,
                    t.y > 0   ? r.y
                    : t.y < 0 ? -r.y
                              : 0,
                    t.z > 0   ? r.z
                    : t.z < 0 ? -r.z
                              : 0);
  if (!(square > SUPPORT_LEAST_SQUARE && square < SUPPORT_LARGEST_SQUARE)) t = vec_unit_inf(t), square = vec_dot(t, t);
  const double inverse = 1 / real_sqrt(square);
  return vec_make(support_inward(r.x, t.x * inverse), support_inward(r.y, t.y * inverse),
                  support_inward(r.z, t.z * inverse));
}

/* The support point of a disk about the z axis. */
static inline graze_vec support_disk_point(double radius, graze_vec d) {
  const double square = d.x * d.x + d.y * d.y;
  const bool common = square > SUPPORT_LEAST_SQUARE && square < SUPPORT_LARGEST_SQUARE && d.x != 0 && d.y != 0;
  if (!common) return support_ellipsoid_point(vec_make(radius, radius, 0), d);
  const double inverse = 1 / real_sqrt(square);
  return vec_make(support_inward(radius, d.x * inverse), support_inward(radius, d.y * inverse), 0);
}

static graze_vec support_cylinder_point(const graze_shape *cylinder, graze_vec d) {
  graze_vec v = support_disk_point(cylinder->as.cylinder.radius, d);
  v.z = d.z > 0 ? cylinder->as.cylinder.half_length : -cylinder->as.cylinder.half_length;
  return v;
}

static graze_vec support_cone_point(const graze_shape *cone, graze_vec d) {
  graze_vec rim = support_disk_point(cone->as.cone.radius, d);
  rim.z = -cone->as.cone.half_length;
  graze_vec apex = {0, 0, cone->as.cone.half_length};
  return vec_dot(rim, d) >= vec_dot(apex, d) ? rim : apex;
}

/* An invalid result becomes the origin with the largest error bound. */
static grz_core_point support_user(const graze_shape *user, graze_vec d, double *slack) {
  graze_vec point;
  double error;
  bool legal = grz_user_support(user, vec_unit_inf(d), &point, &error);
  *slack += legal ? error : GRAZE_LARGEST;
  return support_curved(legal ? point : vec_make(0, 0, 0));
}

grz_core_point grz_support_other(const graze_shape *shape, graze_vec d, double *slack) {
  graze_vec local = {0, 0, 0};
  switch (shape->kind) {
  case GRAZE_POLYGON:
  case GRAZE_HULL: return support_vertices(shape->as.hull.vertices, shape->as.hull.count, d);
  case GRAZE_MESH: return support_mesh(shape->as.mesh, d);
  case GRAZE_SEGMENT: return support_vertices(shape->as.segment.vertices, 2, d);
  case GRAZE_TRIANGLE: return support_vertices(shape->as.triangle.vertices, 3, d);
  case GRAZE_CAPSULE: return support_capsule(shape, d);
  case GRAZE_ELLIPSOID: return support_curved(support_ellipsoid_point(shape->as.ellipsoid.radii, d));
  case GRAZE_CYLINDER: return support_curved(support_cylinder_point(shape, d));
  case GRAZE_CONE: return support_curved(support_cone_point(shape, d));
  case GRAZE_USER: return support_user(shape, d, slack);
  default: return support_vertex(local, 0);
  }
}

/* |(x, y, z)| for any magnitude. */
static inline double support_length(double x, double y, double z) {
  const graze_vec v = {x, y, z};
  const double square = vec_dot(v, v);
  if (square > SUPPORT_LEAST_SQUARE && square < SUPPORT_LARGEST_SQUARE) return real_sqrt(square);
  const double largest = vec_norm_inf(v);
  return largest > 0 ? largest * vec_length(vec_unit_inf(v)) : 0;
}

/* Errors: docs/theory/rounding.md, "Support points". */
double grz_support_value_other(const graze_shape *shape, graze_vec d, double *slack) {
  const graze_vec r = shape->as.ellipsoid.radii;
  const double radial = grz_radius_parameter(shape) * support_length(d.x, d.y, 0);
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: return 0;
  case GRAZE_CAPSULE: return shape->as.capsule.half_length * real_abs(shape->dim == 2 ? d.x : d.z);
  case GRAZE_ELLIPSOID: return support_length(r.x * d.x, r.y * d.y, r.z * d.z);
  case GRAZE_CYLINDER: return radial + real_abs(shape->as.cylinder.half_length * d.z);
  case GRAZE_CONE: return real_max(radial - shape->as.cone.half_length * d.z, shape->as.cone.half_length * d.z);
  default: return vec_dot(d, grz_support_other(shape, d, slack).local);
  }
}

/* ---- Hill climbing. */

/* The index of x among `rank` equal parts of [-1, 1]; 0 for NaN. */
static size_t climb_part(double x, int32_t rank) {
  double at = (x + 1) * 0.5 * rank;
  if (!(at > 0)) return 0;
  return at < rank ? (size_t)at : (size_t)rank - 1;
}

size_t grz_climb_cell(graze_vec d, int32_t rank, int dim) {
  double x = real_abs(d.x), y = real_abs(d.y), z = real_abs(d.z), most = d.x, u = d.y, v = d.z;
  size_t axis = 0;
  if (y > x && y >= z)
    axis = 1, most = d.y, u = d.z, v = d.x;
  else if (z > x)
    axis = 2, most = d.z, u = d.x, v = d.y;
  if (dim == 2) u = axis == 0 ? d.y : d.x;
  double by = 1 / real_abs(most);
  size_t side = 2 * axis + (most < 0), i = climb_part(u * by, rank);
  if (dim == 2) return side * (size_t)rank + i;
  return (side * (size_t)rank + i) * (size_t)rank + climb_part(v * by, rank);
}

graze_vec grz_climb_direction(size_t cell, int32_t rank, int dim) {
  size_t parts = (size_t)rank, j = dim == 2 ? 0 : cell % parts, i = dim == 2 ? cell % parts : cell / parts % parts;
  size_t side = dim == 2 ? cell / parts : cell / parts / parts;
  double most = side & 1 ? -1 : 1, u = (2 * (double)i + 1) / rank - 1, v = (2 * (double)j + 1) / rank - 1;
  if (dim == 2) return side < 2 ? vec_make(most, u, 0) : vec_make(u, most, 0);
  return side < 2 ? vec_make(most, u, v) : side < 4 ? vec_make(v, most, u) : vec_make(u, v, most);
}

int32_t grz_climb_from(const graze_vec *v, const graze_adjacency *adjacency, graze_vec d, int32_t from,
                       size_t *tested) {
  const int32_t *start = adjacency->start, *neighbor = adjacency->neighbor;
  int32_t at = from, last;
  double most = vec_dot(v[at], d);
  do {
    last = at;
    *tested += (size_t)(start[last + 1] - start[last]);
    for (int32_t i = start[last]; i < start[last + 1]; i++) {
      double score = vec_dot(v[neighbor[i]], d);
      bool higher = score > most; /* conditional moves: a branch would be mispredicted */
      most = higher ? score : most;
      at = higher ? neighbor[i] : at;
    }
  } while (at != last);
  return at;
}

grz_core_point grz_hill_climb(const graze_shape *hull, graze_vec d) {
  const graze_adjacency *adjacency = &hull->as.hull.adjacency;
  int32_t from = adjacency->seed[grz_climb_cell(d, adjacency->seed_rank, hull->dim)];
  size_t tested = 0;
  int32_t at = grz_climb_from(hull->as.hull.vertices, adjacency, d, from, &tested);
  grz_core_point point = {hull->as.hull.vertices[at], at};
  return point;
}

/* ---- Nearest points of solids of revolution, in the half-plane through p: `out` from the axis, z along it */

static bool nearest_in_cylinder(double radius, double half, double *out, double *z) {
  const double from_axis = *out, at = *z;
  *out = real_min(*out, radius * (1 - 8 * GRZ_U));
  *z = real_min(real_max(*z, -half), half);
  return *out < from_axis || *z != at;
}

/* A cone that is flatter, relative to its radius, is a disk up to rounding. */
#define SUPPORT_DISK 0x1p-60

/* The base, the line from the rim to the apex, or a point near the given one if that is inside. */
static bool nearest_in_cone(double radius, double half, double *out, double *z) {
  const double rise = 2 * half, above = *z + half, beyond = *out - radius;
  const bool disk = rise < SUPPORT_DISK * radius;
  if (disk || (above < 0 && beyond <= 0)) {
    *out = real_min(*out, radius * (1 - 8 * GRZ_U));
    *z = -half;
    return above < 0 || above > rise || beyond > 0;
  }
  const bool inside = above >= 0 && beyond * rise + above * radius <= 0;
  const double share = (above * rise - beyond * radius) / (rise * rise + radius * radius);
  const double up = real_min(real_max(inside ? above / rise : share, 0), 1);
  const double rim = radius * (1 - up) * (1 - 16 * GRZ_U);
  *out = inside ? real_min(*out, rim) : rim;
  *z = real_max((up * rise - half) - 16 * GRZ_U * rise, -half);
  return !inside;
}

bool grz_nearest_in_core(const graze_shape *shape, graze_vec p, graze_vec *nearest) {
  const double from_axis = real_sqrt(p.x * p.x + p.y * p.y);
  double out = from_axis, z = p.z;
  const bool outside = shape->kind == GRAZE_CYLINDER
                           ? nearest_in_cylinder(shape->as.cylinder.radius, shape->as.cylinder.half_length, &out, &z)
                           : nearest_in_cone(shape->as.cone.radius, shape->as.cone.half_length, &out, &z);
  /* nearer to the axis, squares of x and y underflow */
  const double scale = out < 0x1p-500 ? 0 : out < from_axis ? out / from_axis : 1;
  *nearest = vec_make(p.x * scale, p.y * scale, z);
  return outside;
}
