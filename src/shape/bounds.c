/* Bounding boxes that certainly contain the exact placed shape. If the rotation maps a local axis to a world axis, the
 * bounds along it are the tightest doubles. Otherwise they are a few ulps of the size too large.
 * Errors: docs/theory/rounding.md, "Bounds". */
#include "core/vec.h"
#include "simd/argmax.h"
#include "shape/core.h"
#include "shape/placed.h"

/* An interval: sum + low, plus or minus slack. */
typedef struct bounds_sum {
  double sum, low, slack;
} bounds_sum;

static bounds_sum bounds_add(bounds_sum s, double term) {
  double error, lost;
  s.sum = real_two_sum(s.sum, term, &error);
  s.low = real_two_sum(s.low, error, &lost);
  if (lost != 0) s.slack = real_next_up(s.slack + real_abs(lost));
  return s;
}

static double bounds_upper(bounds_sum s) {
  double error, low = s.slack == 0 ? s.low : real_next_up(s.low + s.slack);
  double upper = real_two_sum(s.sum, low, &error);
  return error > 0 ? real_next_up(upper) : upper;
}

static double bounds_vertices(const graze_shape *shape, graze_vec row) {
  if (grz_is_point_set(shape))
    return vec_dot(row, shape->as.hull.vertices[grz_argmax(shape->as.hull.vertices, shape->as.hull.count, row)]);
  double extent = vec_dot(row, grz_core_vertex(shape, 0));
  for (size_t i = 1; i < grz_core_count(shape); i++) extent = real_max(extent, vec_dot(row, grz_core_vertex(shape, i)));
  return extent;
}

static double bounds_ellipsoid(graze_vec row, graze_vec radii) {
  return vec_length_up(vec_make(row.x * radii.x, row.y * radii.y, row.z * radii.z));
}

static double bounds_disk(graze_vec row, double radius) { return bounds_ellipsoid(row, vec_make(radius, radius, 0)); }

static double bounds_box(graze_vec row, graze_vec h) {
  return vec_dot(vec_make(real_abs(row.x), real_abs(row.y), real_abs(row.z)), h);
}

static double bounds_user(const graze_shape *shape, graze_vec row, double *slack) {
  graze_vec point;
  return placed_user_support(shape, row, &point, slack) ? vec_dot(row, point) : __builtin_nan("");
}

/* The support value of the core in the local direction `row`. It is exact if the row is exact; otherwise it is too
 * small by at most 21u times the bounding radius. *slack is the error bound of a user's support function. */
static double bounds_core(const graze_shape *shape, graze_vec row, double *slack) {
  double h = shape->as.capsule.half_length;
  *slack = 0;
  switch (shape->kind) {
  case GRAZE_BOX: return bounds_box(row, shape->as.box.half_extents);
  case GRAZE_ELLIPSOID: return bounds_ellipsoid(row, shape->as.ellipsoid.radii);
  case GRAZE_CYLINDER: return real_abs(row.z) * h + bounds_disk(row, shape->as.capsule.radius);
  case GRAZE_CONE: return real_max(row.z * h, bounds_disk(row, shape->as.capsule.radius) - row.z * h);
  case GRAZE_USER: return bounds_user(shape, row, slack);
  default: return bounds_vertices(shape, row);
  }
}

static bool bounds_is_symmetric(const graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE:
  case GRAZE_CAPSULE:
  case GRAZE_BOX:
  case GRAZE_ELLIPSOID:
  case GRAZE_CYLINDER: return true;
  default: return false;
  }
}

/* An upper bound of one coordinate: position + shift + core + ball. */
static double bounds_face(const graze_placed *placed, double position, double shift, double core, double slack,
                          bool exact) {
  bounds_sum s = {position, 0, slack};
  if (!exact && placed->hidden.bounding_radius > 0)
    s.slack += 24 * GRZ_U * (placed->hidden.bounding_radius + slack) + (placed->hidden.is_part ? 0x1p-1071 : 0x1p-1072);
  if (placed->hidden.is_part) s = bounds_add(bounds_add(s, shift), placed->hidden.frame_margin);
  s = bounds_add(bounds_add(s, core), placed->shape.margin);
  return bounds_upper(bounds_add(s, grz_core_radius(&placed->shape)));
}

static void bounds_of_axis(const graze_placed *placed, int i, double position, double shift, double *min, double *max) {
  const graze_shape *shape = &placed->shape;
  const double *r = placed->hidden.rotation + 3 * i;
  graze_vec row = vec_make(r[0], r[1], r[2]);
  bool exact = grz_row_is_exact(placed, i);
  double slack, core = bounds_core(shape, row, &slack);
  *max = bounds_face(placed, position, shift, core, slack, exact);
  if (!bounds_is_symmetric(shape)) core = bounds_core(shape, vec_neg(row), &slack);
  *min = 0 - bounds_face(placed, -position, -shift, core, slack, exact); /* 0 - 0 is 0, not -0 */
}

static graze_status bounds_of_part(const graze_placed *placed, graze_aabb *bounds) {
  graze_vec p = placed_reference_point(placed), s = placed->hidden.shift;
  graze_aabb box = {{0, 0, 0}, {0, 0, 0}};
  bounds_of_axis(placed, 0, p.x, s.x, &box.min.x, &box.max.x);
  bounds_of_axis(placed, 1, p.y, s.y, &box.min.y, &box.max.y);
  if (placed->shape.dim == 3) bounds_of_axis(placed, 2, p.z, s.z, &box.min.z, &box.max.z);
  const bool ordered = box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z;
  if (!ordered) return GRAZE_BAD_NUMBER; /* a user's support function contradicts itself */
  *bounds = box;
  return GRAZE_OK;
}

graze_status graze_bounds(const graze_placed *placed, graze_aabb *bounds) {
  if (placed->status != GRAZE_OK) return placed->status;
  if (placed->shape.kind == GRAZE_HALFSPACE) return GRAZE_UNSUPPORTED;
  if (placed->shape.kind != GRAZE_COMPOUND) return bounds_of_part(placed, bounds);
  graze_aabb all = {{0, 0, 0}, {0, 0, 0}};
  for (size_t i = 0; i < graze_part_count(placed); i++) {
    graze_aabb one;
    graze_placed part = graze_part(placed, i);
    graze_status status = bounds_of_part(&part, &one);
    if (status != GRAZE_OK) return status;
    all.min = i == 0 ? one.min : vec_min(all.min, one.min);
    all.max = i == 0 ? one.max : vec_max(all.max, one.max);
  }
  *bounds = all;
  return GRAZE_OK;
}
