/* Placed shapes: rotation matrices, placing of shapes and parts, bounding boxes, support points and projections.
 * Errors: docs/theory/rounding.md, "Rotation" and "Bounds". */
#include "shape/placed.h"

#include "exact/exact.h"
#include "shape/support.h"
#include "simd/argmax.h"

#include <string.h>

/* ---- Rotation matrices. */

/* Scales q by a power of two, so that its largest component is in [0.5, 1), or in [2^-52, 1) if all are subnormal. This
 * is exact except for components that are 2^-1000 times smaller. */
static void rotation_scale(double q[4]) {
  double largest = real_max(real_max(real_abs(q[0]), real_abs(q[1])), real_max(real_abs(q[2]), real_abs(q[3])));
  double factor = real_power_of_two(-1 - real_exponent(largest));
  for (int i = 0; i < 4; i++) q[i] *= factor;
}

/* Scales q if a product of two components may leave the range of normal doubles. */
static void rotation_read(const graze_pose *pose, double q[4]) {
  q[0] = pose->w, q[1] = pose->x, q[2] = pose->y, q[3] = pose->z;
  const double size = (real_abs(q[0]) + real_abs(q[1])) + (real_abs(q[2]) + real_abs(q[3]));
  if (!(size >= 0x1p-20 && size <= 0x1p20)) rotation_scale(q);
}

/* M(q)/(q·q). The sums are grouped so that a rotation about one axis maps that axis exactly to itself. */
void grz_rotation_of(const graze_pose *pose, double rotation[9]) {
  double q[4];
  rotation_read(pose, q);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  rotation[0] = (ww + xx) - (yy + zz), rotation[4] = (ww + yy) - (xx + zz), rotation[8] = (ww + zz) - (xx + yy);
  rotation[1] = 2 * (x * y - w * z), rotation[3] = 2 * (x * y + w * z);
  rotation[2] = 2 * (x * z + w * y), rotation[6] = 2 * (x * z - w * y);
  rotation[5] = 2 * (y * z - w * x), rotation[7] = 2 * (y * z + w * x);
  for (int i = 0; i < 9; i++) rotation[i] /= square;
}

/* Row i is exact if q has only w and component i, or only the other two components. It is also exact if 1, 2 or 4
 * components are not zero and these have equal magnitudes. */
static bool rotation_row_is_exact(const graze_pose *pose, int i) {
  const double q[4] = {pose->w, pose->x, pose->y, pose->z};
  int j = (i + 1) % 3, k = (i + 2) % 3, count = 0;
  if ((q[1 + j] == 0 && q[1 + k] == 0) || (q[0] == 0 && q[1 + i] == 0)) return true;
  double size = 0;
  for (int n = 0; n < 4; n++) {
    if (q[n] == 0) continue;
    if (count++ > 0 && real_abs(q[n]) != size) return false;
    size = real_abs(q[n]);
  }
  return count != 3;
}

static bool rotation_is_exact(const graze_pose *pose) {
  return rotation_row_is_exact(pose, 0) && rotation_row_is_exact(pose, 1) && rotation_row_is_exact(pose, 2);
}

/* Returns whether the exact rotation maps a local axis to world axis i or its opposite. Then row i of the rounded
 * rotation is exact. Returns false if the test is inconclusive. */
static bool row_is_exact(const graze_placed *placed, int i) {
  const graze_frame *frame = placed->hidden.frame;
  if (!placed_is_part(placed)) return rotation_row_is_exact(&placed->pose, i);
  if (!rotation_row_is_exact(&frame->hidden.pose, i)) return false;
  const double *row = frame->hidden.rotation + 3 * i;
  return rotation_row_is_exact(&placed->pose, row[0] != 0 ? 0 : row[1] != 0 ? 1 : 2);
}

/* The sum of four products with one rounding error and an additional error of 16u² of their magnitudes.
 * Source: Ogita, Rump, Oishi 2005. */
static double rotation_sum(const double x[4], const double y[4]) {
  double low, sum = real_two_product(x[0], y[0], &low);
  for (int i = 1; i < 4; i++) {
    double error, lost, product = real_two_product(x[i], y[i], &error);
    sum = real_two_sum(sum, product, &lost);
    low += lost + error;
  }
  return sum + low;
}

/* The quaternion of the rotation by `inner`, then by `outer`. */
static graze_pose rotation_product(const graze_pose *outer, const graze_pose *inner) {
  double q[4], p[4];
  rotation_read(outer, q);
  rotation_read(inner, p);
  const double w[4] = {p[0], -p[1], -p[2], -p[3]}, x[4] = {p[1], p[0], p[3], -p[2]};
  const double y[4] = {p[2], -p[3], p[0], p[1]}, z[4] = {p[3], p[2], -p[1], p[0]};
  graze_pose product = {{0, 0, 0}, rotation_sum(q, w), rotation_sum(q, x), rotation_sum(q, y), rotation_sum(q, z)};
  return product;
}

/* Computes the product of the rotations of the frame and of the pose in it. An entry of the product that equals plus or
 * minus an entry of a factor is copied exactly. */
static void rotation_of_part(const graze_frame *frame, const graze_pose *pose, double rotation[9]) {
  double inner[9];
  const double *outer = frame->hidden.rotation;
  const bool all = rotation_is_exact(pose);
  grz_rotation_of(pose, inner);
  if (!all) {
    graze_pose turn = rotation_product(&frame->hidden.pose, pose);
    grz_rotation_of(&turn, rotation);
  }
  for (int i = 0; i < 3; i++) {
    if (!all && !rotation_row_is_exact(&frame->hidden.pose, i)) continue;
    for (int k = 0; k < 3; k++) {
      rotation[3 * i + k] =
          (outer[3 * i] * inner[k] + outer[3 * i + 1] * inner[3 + k]) + outer[3 * i + 2] * inner[6 + k];
    }
  }
}

/* ---- Placing: the rounded rotation, the bounding radius and the radius. */

double grz_bounding_radius(const graze_vec *vertices, size_t count) {
  double square = 0, radius = 0;
  for (size_t i = 0; i < count; i++) square = real_max(square, vec_dot(vertices[i], vertices[i]));
  if (square >= 0x1p-900) return real_sqrt(square) * (1 + 8 * GRZ_U);
  for (size_t i = 0; i < count; i++) radius = real_max(radius, vec_length_up(vertices[i]));
  return radius;
}

/* The bounds along the axes give a box; its corner gives the bounding radius. Returns NaN if a support point is
 * invalid. */
static double place_user(const graze_shape *user) {
  double corner[3] = {0, 0, 0};
  for (int i = 0; i < 2 * user->dim; i++) {
    double d[3] = {0, 0, 0}, slack;
    d[i / 2] = i % 2 ? -1 : 1;
    graze_vec direction = vec_make(d[0], d[1], d[2]), point;
    if (!grz_user_support(user, direction, &point, &slack)) return __builtin_nan("");
    corner[i / 2] = real_max(corner[i / 2], real_next_up(vec_dot(direction, point) + slack));
  }
  return vec_length_up(vec_make(corner[0], corner[1], corner[2]));
}

/* The bounding radius of a valid shape. */
static double place_core(const graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE:
  case GRAZE_HALFSPACE: return 0;
  case GRAZE_SEGMENT: return grz_bounding_radius(shape->as.segment.vertices, 2);
  case GRAZE_TRIANGLE: return grz_bounding_radius(shape->as.triangle.vertices, 3);
  case GRAZE_POLYGON:
  case GRAZE_HULL: return grz_bounding_radius(shape->as.hull.vertices, shape->as.hull.count);
  case GRAZE_BOX: return vec_length_up(shape->as.box.half_extents);
  case GRAZE_ELLIPSOID: return vec_norm_inf(shape->as.ellipsoid.radii);
  case GRAZE_CAPSULE: return vec_length_up(vec_make(0, 0, shape->as.capsule.half_length));
  case GRAZE_CYLINDER:
  case GRAZE_CONE: return vec_length_up(vec_make(shape->as.cone.radius, 0, shape->as.cone.half_length));
  case GRAZE_USER: return place_user(shape);
  case GRAZE_COMPOUND: return shape->as.compound->bounding_radius;
  case GRAZE_MESH: return shape->as.mesh->bounding_radius;
  }
  return 0;
}

/* The radius of a compound is at least the radius of each part, rounding included. */
static double place_radius(const graze_shape *shape) {
  if (shape->kind != GRAZE_COMPOUND) return grz_core_radius(shape) + shape->margin;
  double radius = shape->as.compound->radius;
  return shape->margin == 0 ? radius : (radius + shape->margin) * (1 + 4 * GRZ_U);
}

/* Returns 1 for a polygon or triangle in 2D whose vertices are counter-clockwise, -1 if they are clockwise, and 0 if
 * they lie on one line or the shape is another one. */
static int place_winding(const graze_shape *shape) {
  const bool polygon = shape->kind == GRAZE_POLYGON;
  if (shape->dim != 2 || !(polygon || shape->kind == GRAZE_TRIANGLE)) return 0;
  const graze_vec *v = polygon ? shape->as.polygon.vertices : shape->as.triangle.vertices;
  const size_t count = polygon ? shape->as.polygon.count : 3;
  int turn = 0;
  for (size_t i = 2; i < count && turn == 0; i++) turn = grz_orient2(v[0], v[i - 1], v[i]);
  return turn;
}

/* One initializer at the end, which the compiler writes to the caller's object without a copy. */
graze_placed graze_place(const graze_shape *shape, graze_pose pose) {
  double r[9], bounding_radius;
  graze_status status = grz_check_placing(shape, &pose);
  if (status == GRAZE_OK) {
    bounding_radius = place_core(shape);
    if (bounding_radius != bounding_radius) status = GRAZE_BAD_NUMBER;
  }
  if (status != GRAZE_OK) {
    graze_placed placed = {.status = status, .pose = pose};
    if (shape != NULL) placed.shape = *shape;
    return placed;
  }
  grz_rotation_of(&pose, r);
  return (graze_placed){.hidden = {.bounding_radius = bounding_radius,
                                   .radius = place_radius(shape),
                                   .rotation = {r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]}},
                        .winding = place_winding(shape),
                        .pose = pose,
                        .shape = *shape};
}

graze_status graze_set_pose(graze_placed *placed, graze_pose pose) {
  if (placed->status != GRAZE_OK) return placed->status;
  if (placed_is_part(placed)) return GRAZE_UNSUPPORTED;
  const graze_status status = grz_check_pose(&pose, placed->shape.dim);
  if (status != GRAZE_OK) return status;
  placed->pose = pose;
  grz_rotation_of(&pose, placed->hidden.rotation);
  return status;
}

/* Adds three numbers with little more than one rounding error. So parts need no error bound of their own. */
static double part_radius(const graze_shape *shape, double frame_margin) {
  double lost, more, sum = real_two_sum(grz_core_radius(shape), shape->margin, &lost);
  sum = real_two_sum(sum, frame_margin, &more);
  return sum + (lost + more);
}

double grz_part_bounding_radius(const graze_placed *part) {
  const double distance = vec_length_up(part->pose.position);
  if (distance == 0) return part->hidden.bounding_radius;
  return part->hidden.bounding_radius == 0 ? distance : real_next_up(distance + part->hidden.bounding_radius);
}

/* Adds the distance and the margin of its frame to the radii of a shape that becomes a part. */
static void part_set_radii(graze_placed *part) {
  part->hidden.bounding_radius = grz_part_bounding_radius(part);
  part->hidden.radius = part_radius(&part->shape, part->hidden.frame->hidden.margin);
}

static void pose_copy_rotation(graze_pose *pose, const graze_pose *from) {
  pose->w = from->w, pose->x = from->x, pose->y = from->y, pose->z = from->z;
}

void grz_set_rotation(grz_moved *moved, const graze_pose *pose) {
  graze_placed *placed = &moved->placed;
  if (!moved->frame.hidden.is_part) {
    pose_copy_rotation(&placed->pose, pose);
    grz_rotation_of(pose, placed->hidden.rotation);
    return;
  }
  pose_copy_rotation(&moved->frame.hidden.pose, pose);
  grz_rotation_of(pose, moved->frame.hidden.rotation);
  rotation_of_part(&moved->frame, &placed->pose, placed->hidden.rotation);
}

graze_placed grz_place_like(const graze_shape *shape, const graze_placed *body) {
  graze_placed placed = graze_place(shape, body->pose);
  if (placed.status != GRAZE_OK) return placed;
  placed.hidden.frame = body->hidden.frame;
  if (!placed_is_part(body)) return placed;
  memcpy(placed.hidden.rotation, body->hidden.rotation, sizeof placed.hidden.rotation);
  part_set_radii(&placed);
  return placed;
}

graze_vec grz_placed_shift(const graze_placed *placed) {
  const graze_vec none = {0, 0, 0};
  return placed_is_part(placed)
             ? vec_rotate(placed->hidden.frame->hidden.rotation, placed->pose.position, placed->shape.dim)
             : none;
}

graze_vec grz_framed_origin(const graze_placed *placed) {
  const graze_frame *frame = placed->hidden.frame;
  const graze_vec origin =
      frame->hidden.is_part ? vec_add(frame->hidden.pose.position, grz_placed_shift(placed)) : placed->pose.position;
  return frame->hidden.is_moving ? vec_add(origin, vec_scale(frame->hidden.velocity, frame->hidden.from)) : origin;
}

graze_vec grz_framed_offset(const graze_placed *a, const graze_placed *b) {
  const graze_vec offset = vec_sub(placed_reference_point(a), placed_reference_point(b));
  if (!placed_is_part(a) && !placed_is_part(b)) return offset;
  return vec_add(offset, vec_sub(grz_placed_shift(a), grz_placed_shift(b)));
}

void grz_moved_make(grz_moved *moved, const graze_placed *placed) {
  moved->placed = *placed;
  moved->frame.hidden.is_part = moved->frame.hidden.is_moving = false;
  if (placed->hidden.frame == NULL) return;
  moved->frame = *placed->hidden.frame;
  moved->placed.hidden.frame = &moved->frame;
}

static bool placed_has_parts(const graze_placed *placed) {
  return placed->status == GRAZE_OK && grz_has_parts(&placed->shape);
}

size_t graze_part_count(const graze_placed *placed) {
  if (!placed_has_parts(placed)) return 1;
  return placed->shape.kind == GRAZE_MESH ? placed->shape.as.mesh->def.face_count : placed->shape.as.compound->count;
}

graze_placed graze_part(const graze_placed *placed, size_t index, graze_frame *frame) {
  const bool has_parts = placed_has_parts(placed);
  graze_placed part = {.status = placed->status};
  if (index >= graze_part_count(placed) || (has_parts && frame == NULL)) {
    if (part.status == GRAZE_OK) part.status = GRAZE_BAD_OPTION;
    return part;
  }
  if (!has_parts) return *placed;
  if (placed->shape.kind == GRAZE_MESH) { /* a triangle at the pose of the mesh, without a frame */
    part.shape = grz_mesh_face(placed->shape.as.mesh, index);
    part.shape.margin = placed->shape.margin;
    part.pose = placed->pose;
    memcpy(part.hidden.rotation, placed->hidden.rotation, sizeof part.hidden.rotation);
    part.hidden.bounding_radius = place_core(&part.shape);
    part.hidden.radius = placed->shape.margin;
    return part;
  }
  frame->hidden.is_part = true, frame->hidden.is_moving = false;
  frame->hidden.pose = placed->pose;
  frame->hidden.margin = placed->shape.margin;
  memcpy(frame->hidden.rotation, placed->hidden.rotation, sizeof frame->hidden.rotation);
  part = placed->shape.as.compound->parts[index];
  rotation_of_part(frame, &part.pose, part.hidden.rotation);
  part.hidden.frame = frame;
  part_set_radii(&part);
  return part;
}

/* ---- Bounding boxes that certainly contain the exact placed shape. If the rotation maps a local axis to a world axis,
 * the bounds along it are the tightest doubles. Otherwise they are a few ulps of the size too large. */

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
  const bool mesh = shape->kind == GRAZE_MESH;
  if (mesh || grz_is_point_set(shape)) {
    const graze_vec *vertices = mesh ? shape->as.mesh->def.vertices : shape->as.hull.vertices;
    const size_t count = mesh ? shape->as.mesh->def.vertex_count : shape->as.hull.count;
    return vec_dot(row, vertices[grz_argmax(vertices, count, row)]);
  }
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
  return grz_user_support(shape, row, &point, slack) ? vec_dot(row, point) : __builtin_nan("");
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
    s.slack += 24 * GRZ_U * (placed->hidden.bounding_radius + slack) + (placed_is_part(placed) ? 0x1p-1071 : 0x1p-1072);
  if (placed_is_part(placed)) s = bounds_add(bounds_add(s, shift), placed_frame_margin(placed));
  s = bounds_add(bounds_add(s, core), placed->shape.margin);
  return bounds_upper(bounds_add(s, grz_core_radius(&placed->shape)));
}

static void bounds_of_axis(const graze_placed *placed, int i, double position, double shift, double *min, double *max) {
  const graze_shape *shape = &placed->shape;
  const double *r = placed->hidden.rotation + 3 * i;
  graze_vec row = vec_make(r[0], r[1], r[2]);
  bool exact = row_is_exact(placed, i);
  double slack, core = bounds_core(shape, row, &slack);
  *max = bounds_face(placed, position, shift, core, slack, exact);
  if (!bounds_is_symmetric(shape)) core = bounds_core(shape, vec_neg(row), &slack);
  *min = 0 - bounds_face(placed, -position, -shift, core, slack, exact); /* 0 - 0 is 0, not -0 */
}

bool grz_bounds_rounded(const graze_placed *placed, graze_aabb *bounds) {
  const graze_shape *shape = &placed->shape;
  if (placed_is_part(placed) || shape->kind == GRAZE_HALFSPACE || shape->kind == GRAZE_USER ||
      shape->kind == GRAZE_COMPOUND)
    return false;
  const bool symmetric = bounds_is_symmetric(shape);
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, slack;
  for (int i = 0; i < shape->dim; i++) {
    const graze_vec row = {placed->hidden.rotation[3 * i], placed->hidden.rotation[3 * i + 1],
                           placed->hidden.rotation[3 * i + 2]};
    high[i] = bounds_core(shape, row, &slack) + placed->hidden.radius;
    low[i] = symmetric ? high[i] : bounds_core(shape, vec_neg(row), &slack) + placed->hidden.radius;
  }
  *bounds = (graze_aabb){vec_sub(placed->pose.position, vec_make(low[0], low[1], low[2])),
                         vec_add(placed->pose.position, vec_make(high[0], high[1], high[2]))};
  return true;
}

static graze_status bounds_of_part(const graze_placed *placed, graze_aabb *bounds) {
  graze_vec p = placed_reference_point(placed), s = grz_placed_shift(placed);
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
    graze_frame frame;
    graze_placed part = graze_part(placed, i, &frame);
    graze_status status = bounds_of_part(&part, &one);
    if (status != GRAZE_OK) return status;
    all.min = i == 0 ? one.min : vec_min(all.min, one.min);
    all.max = i == 0 ? one.max : vec_max(all.max, one.max);
  }
  *bounds = all;
  return GRAZE_OK;
}
