/* Placing a shape: the rounded rotation matrix and the few numbers that error bounds start from. */
#include "math/rounding.h"
#include "shape/compound.h"
#include "shape/core.h"
#include "shape/placed.h"

/* q times a power of two, its largest component in [0.5, 1), or in [2^-52, 1) if all are subnormal: exact, but for what
 * is 2^-1000 times smaller. */
static void place_scale(double q[4]) {
  double largest = real_max(real_max(real_abs(q[0]), real_abs(q[1])), real_max(real_abs(q[2]), real_abs(q[3])));
  double factor = real_power_of_two(-1 - real_exponent(largest));
  for (int i = 0; i < 4; i++) q[i] *= factor;
}

/* R(q) = M(q)/(q·q). The sums are grouped so that a turn about one axis leaves that axis exactly in its place. */
static void place_rotation(const graze_pose *pose, double rotation[9]) {
  double q[4] = {pose->w, pose->x, pose->y, pose->z};
  place_scale(q);
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  rotation[0] = ((ww + xx) - (yy + zz)) / square;
  rotation[1] = 2 * (x * y - w * z) / square;
  rotation[2] = 2 * (x * z + w * y) / square;
  rotation[3] = 2 * (x * y + w * z) / square;
  rotation[4] = ((ww + yy) - (xx + zz)) / square;
  rotation[5] = 2 * (y * z - w * x) / square;
  rotation[6] = 2 * (x * z - w * y) / square;
  rotation[7] = 2 * (y * z + w * x) / square;
  rotation[8] = ((ww + zz) - (xx + yy)) / square;
}

/* Squares are good enough unless all of them are near the subnormals. */
static void place_vertices(graze_placed *placed, const graze_vec *vertices, size_t count) {
  double square = 0, reach = 0;
  for (size_t i = 0; i < count; i++) square = real_max(square, vec_dot(vertices[i], vertices[i]));
  if (square < 0x1p-900)
    for (size_t i = 0; i < count; i++) reach = real_max(reach, vec_length_up(vertices[i]));
  else
    reach = __builtin_sqrt(square) * (1 + 8 * GRZ_U);
  placed->reach = reach;
}

/* A box around the shape, from the caller's own bounds along the axes; its corner is the reach. */
static void place_user(graze_placed *placed) {
  double corner[3] = {0, 0, 0};
  for (int i = 0; i < 2 * placed->shape.dim; i++) {
    double d[3] = {0, 0, 0}, slack;
    d[i / 2] = i % 2 ? -1 : 1;
    graze_vec direction = vec_make(d[0], d[1], d[2]), point;
    if (!placed_user_support(&placed->shape, direction, &point, &slack)) placed->status = GRAZE_BAD_NUMBER;
    corner[i / 2] = real_max(corner[i / 2], real_next_up(vec_dot(direction, point) + slack));
  }
  if (placed->status == GRAZE_OK) placed->reach = vec_length_up(vec_make(corner[0], corner[1], corner[2]));
}

static void place_core(graze_placed *placed) {
  const graze_shape *shape = &placed->shape;
  graze_vec extents = shape->extents;
  graze_vec round = {shape->kind == GRAZE_CAPSULE ? 0 : shape->radius, 0, shape->half_length};
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE:
  case GRAZE_HALFSPACE: return;
  case GRAZE_SEGMENT: place_vertices(placed, shape->corners, 2); return;
  case GRAZE_TRIANGLE: place_vertices(placed, shape->corners, 3); return;
  case GRAZE_POLYGON:
  case GRAZE_HULL: place_vertices(placed, shape->vertices, shape->vertex_count); return;
  case GRAZE_BOX: placed->reach = vec_length_up(extents); return;
  case GRAZE_ELLIPSOID: placed->reach = vec_largest(extents); return;
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE: placed->reach = vec_length_up(round); return;
  case GRAZE_USER: place_user(placed); return;
  case GRAZE_COMPOUND: placed->reach = shape->compound->reach; return;
  }
}

static void place_pose(graze_placed *placed, graze_pose pose) {
  placed->pose = pose;
  if (placed->status == GRAZE_OK) place_rotation(&pose, placed->rotation);
}

graze_placed graze_place(const graze_shape *shape, graze_pose pose) {
  graze_placed placed = {.status = graze_check(shape, &pose, NULL)};
  if (shape != NULL) placed.shape = *shape;
  if (placed.status == GRAZE_OK) {
    place_core(&placed);
    placed.radius = grz_core_radius(shape) + shape->margin;
  }
  place_pose(&placed, pose);
  return placed;
}

graze_status graze_set_pose(graze_placed *placed, graze_pose pose) {
  if (placed->status != GRAZE_OK) return placed->status;
  graze_status status = grz_check_pose(&pose, placed->shape.dim);
  if (status == GRAZE_OK) place_pose(placed, pose);
  return status;
}
