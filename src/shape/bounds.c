/* Bounding boxes that surely hold the exactly rigid placed shape. Sums carry their own rounding errors along, so a
 * bound is rounded outward only where something was lost: docs/theory/rounding.md, "Bounds". */
#include "math/rounding.h"
#include "shape/core.h"
#include "shape/placed.h"

/* A number between sum + low - slack and sum + low + slack. */
typedef struct bounds_sum {
  double sum, low, slack;
} bounds_sum;

static bounds_sum bounds_loosen(bounds_sum s, double slack) {
  if (slack != 0) s.slack = s.slack == 0 ? slack : real_next_up(s.slack + slack);
  return s;
}

static bounds_sum bounds_add(bounds_sum s, double term) {
  double error, lost;
  s.sum = real_two_sum(s.sum, term, &error);
  s.low = real_two_sum(s.low, error, &lost);
  return bounds_loosen(s, real_abs(lost));
}

static double bounds_top(bounds_sum s) {
  double error, low = s.slack == 0 ? s.low : real_next_up(s.low + s.slack);
  double top = real_two_sum(s.sum, low, &error);
  return error > 0 ? real_next_up(top) : top;
}

/* How far a product with an entry of the rotation may be off, relative to the other factor: where the entry is not
 * exact, and then the product too is rounded. */
#define BOUNDS_ENTRY_ERROR (GRZ_ROTATION_ERROR + 2 * GRZ_U)

/* A world axis, or its opposite, seen from the shape: a row of R(q), and for each entry 0 if it is exact (0, 1 or -1).
 */
typedef struct bounds_axis {
  double row[3], error[3];
  bool exact;
} bounds_axis;

/* Does R(q) leave axis i in its place, or reverse it? It does when q lies in the plane of w and component i, or in the
 * plane of the other two. Then the row and column of i are exact. */
static bool bounds_keeps(const double q[4], int i) {
  int j = i % 3 + 1, k = j % 3 + 1;
  return (q[j] == 0 && q[k] == 0) || (q[0] == 0 && q[i] == 0);
}

/* Does R(q) take axes to axes? It does when 1, 2 or 4 components are not zero, all of one size. Then R is exact. */
static bool bounds_permutes(const double q[4]) {
  int count = 0;
  double size = 0;
  for (int i = 0; i < 4; i++) {
    if (q[i] == 0) continue;
    if (count++ > 0 && real_abs(q[i]) != size) return false;
    size = real_abs(q[i]);
  }
  return count != 3;
}

static bounds_axis bounds_axis_of(const graze_placed *placed, int i, double sign) {
  const graze_pose *pose = &placed->pose;
  double q[4] = {pose->w, pose->x, pose->y, pose->z};
  bounds_axis axis = {.exact = bounds_permutes(q) || bounds_keeps(q, i + 1)};
  for (int j = 0; j < 3; j++) {
    axis.row[j] = sign * placed->rotation[3 * i + j];
    axis.error[j] = axis.exact || bounds_keeps(q, j + 1) ? 0 : BOUNDS_ENTRY_ERROR;
  }
  return axis;
}

/* Adds entry·x, the entry as it truly is. */
static bounds_sum bounds_add_entry(bounds_sum s, const bounds_axis *axis, int j, double x) {
  s = bounds_add(s, axis->row[j] * x);
  return axis->error[j] == 0 || x == 0 ? s : bounds_loosen(s, real_next_up(axis->error[j] * real_abs(x)));
}

static bounds_sum bounds_add_vertex(bounds_sum s, const bounds_axis *axis, graze_vec v) {
  s = bounds_add_entry(s, axis, 0, v.x);
  s = bounds_add_entry(s, axis, 1, v.y);
  return bounds_add_entry(s, axis, 2, v.z);
}

/* Only vertices whose rounded score comes near the best one can be farthest. */
static double bounds_vertices(const graze_placed *placed, bounds_sum s, const bounds_axis *axis) {
  const graze_shape *shape = &placed->shape;
  graze_vec row = vec_make(axis->row[0], axis->row[1], axis->row[2]);
  size_t count = grz_core_count(shape);
  double best = vec_dot(row, grz_core_vertex(shape, 0));
  for (size_t i = 1; i < count; i++) best = real_max(best, vec_dot(row, grz_core_vertex(shape, i)));
  double least = axis->exact ? best : best - (64 * GRZ_U * placed->reach + 0x1p-1060);
  double top = -__builtin_inf();
  for (size_t i = 0; i < count; i++) {
    graze_vec v = grz_core_vertex(shape, i);
    if (vec_dot(row, v) >= least) top = real_max(top, bounds_top(bounds_add_vertex(s, axis, v)));
  }
  return top;
}

/* The farthest corner of a box has the signs of the row. An entry of doubtful sign is within its error of zero. */
static double bounds_box(bounds_sum s, const bounds_axis *axis, graze_vec h) {
  bounds_axis size = *axis;
  for (int j = 0; j < 3; j++) size.row[j] = real_abs(axis->row[j]);
  return bounds_top(bounds_add_vertex(s, &size, h));
}

/* sqrt(sum (row_j radii_j)²), rounded up. */
static double bounds_ellipsoid(const bounds_axis *axis, graze_vec radii) {
  double r[3] = {radii.x, radii.y, radii.z}, along[3];
  for (int j = 0; j < 3; j++) {
    double entry = real_abs(axis->row[j]);
    bool exact = axis->error[j] == 0 || r[j] == 0;
    along[j] = exact ? entry * r[j] : real_next_up((entry + axis->error[j]) * r[j]);
  }
  return vec_length_up(vec_make(along[0], along[1], along[2]));
}

static double bounds_cylinder(const graze_shape *shape, bounds_sum s, const bounds_axis *axis) {
  s = bounds_add(s, bounds_ellipsoid(axis, vec_make(shape->radius, shape->radius, 0)));
  return bounds_box(s, axis, vec_make(0, 0, shape->half_length));
}

static double bounds_cone(const graze_shape *shape, bounds_sum s, const bounds_axis *axis) {
  bounds_sum base = bounds_add(s, bounds_ellipsoid(axis, vec_make(shape->radius, shape->radius, 0)));
  return real_max(bounds_top(bounds_add_entry(s, axis, 2, shape->half_length)),
                  bounds_top(bounds_add_entry(base, axis, 2, -shape->half_length)));
}

/* The callback is asked along the rounded row d. For every x of the shape d·x <= d·point + e·|d|. The difference of d
 * from the true row and the rounding of the products cost less than 32u times the reach, |d| less than that times e. */
static double bounds_user(const graze_placed *placed, bounds_sum s, const bounds_axis *axis) {
  double slack;
  graze_vec d = vec_make(axis->row[0], axis->row[1], axis->row[2]), point;
  if (!placed_user_support(&placed->shape, d, &point, &slack)) return __builtin_nan("");
  s = bounds_add(bounds_add(bounds_add(s, d.x * point.x), d.y * point.y), d.z * point.z);
  s = bounds_add(s, slack);
  return bounds_top(axis->exact ? s : bounds_loosen(s, real_next_up(32 * GRZ_U * (placed->reach + slack))));
}

/* An upper bound of sign·(coordinate i) over the placed shape. */
static double bounds_face(const graze_placed *placed, int i, double sign) {
  const graze_shape *shape = &placed->shape;
  const graze_vec *p = &placed->pose.position;
  bounds_axis axis = bounds_axis_of(placed, i, sign);
  bounds_sum s = {sign * (i == 0 ? p->x : i == 1 ? p->y : p->z), 0, 0};
  s = bounds_add(bounds_add(s, grz_core_radius(shape)), shape->margin);
  switch (shape->kind) {
  case GRAZE_BOX: return bounds_box(s, &axis, shape->extents);
  case GRAZE_ELLIPSOID: return bounds_top(bounds_add(s, bounds_ellipsoid(&axis, shape->extents)));
  case GRAZE_CYLINDER: return bounds_cylinder(shape, s, &axis);
  case GRAZE_CONE: return bounds_cone(shape, s, &axis);
  case GRAZE_USER: return bounds_user(placed, s, &axis);
  default: return bounds_vertices(placed, s, &axis);
  }
}

graze_status graze_bounds(const graze_placed *placed, graze_aabb *bounds) {
  if (placed->status != GRAZE_OK) return placed->status;
  if (placed->shape.kind == GRAZE_HALFSPACE) return GRAZE_UNSUPPORTED;
  double min[3] = {0, 0, 0}, max[3] = {0, 0, 0};
  for (int i = 0; i < placed->shape.dim; i++) {
    max[i] = bounds_face(placed, i, 1);
    min[i] = 0 - bounds_face(placed, i, -1); /* 0 - 0 is 0, not -0 */
    if (!(min[i] <= max[i])) return GRAZE_BAD_NUMBER;
  }
  bounds->min = vec_make(min[0], min[1], min[2]);
  bounds->max = vec_make(max[0], max[1], max[2]);
  return GRAZE_OK;
}
