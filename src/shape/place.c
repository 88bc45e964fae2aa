/* Placing a shape: the rounded rotation and the few numbers that error bounds start from. */
#include "core/vec.h"
#include "shape/compound.h"
#include "shape/core.h"
#include "shape/placed.h"

#include <string.h>

/* Squares are good enough unless all of them are near the subnormals. */
static void place_vertices(graze_placed *placed, const graze_vec *vertices, size_t count) {
  double square = 0, reach = 0;
  for (size_t i = 0; i < count; i++) square = real_max(square, vec_dot(vertices[i], vertices[i]));
  if (square < 0x1p-900)
    for (size_t i = 0; i < count; i++) reach = real_max(reach, vec_length_up(vertices[i]));
  else
    reach = real_sqrt(square) * (1 + 8 * GRZ_U);
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
  case GRAZE_ELLIPSOID: placed->reach = vec_norm_inf(extents); return;
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE: placed->reach = vec_length_up(round); return;
  case GRAZE_USER: place_user(placed); return;
  case GRAZE_COMPOUND: placed->reach = shape->compound->reach; return;
  }
}

static void place_pose(graze_placed *placed, graze_pose pose) {
  placed->pose = pose;
  if (placed->status == GRAZE_OK) grz_rotation_of(&pose, placed->rotation);
}

/* Of a compound: no part's is larger, wherever it was rounded. */
static double place_radius(const graze_shape *shape) {
  if (shape->kind != GRAZE_COMPOUND) return grz_core_radius(shape) + shape->margin;
  double radius = shape->compound->radius;
  return shape->margin == 0 ? radius : (radius + shape->margin) * (1 + 4 * GRZ_U);
}

graze_placed graze_place(const graze_shape *shape, graze_pose pose) {
  graze_placed placed = {.status = graze_check(shape, &pose, NULL)};
  if (shape != NULL) placed.shape = *shape;
  if (placed.status == GRAZE_OK) {
    place_core(&placed);
    placed.radius = place_radius(shape);
  }
  place_pose(&placed, pose);
  return placed;
}

graze_status graze_set_pose(graze_placed *placed, graze_pose pose) {
  if (placed->status != GRAZE_OK) return placed->status;
  if (placed->framed) return GRAZE_UNSUPPORTED;
  graze_status status = grz_check_pose(&pose, placed->shape.dim);
  if (status == GRAZE_OK) place_pose(placed, pose);
  return status;
}

/* Three numbers, and the sum is off by hardly more than one rounding: nothing else in Graze needs to know. */
static double place_framed_radius(const graze_shape *shape, double frame_margin) {
  double lost, more, sum = real_two_sum(grz_core_radius(shape), shape->margin, &lost);
  sum = real_two_sum(sum, frame_margin, &more);
  return sum + (lost + more);
}

double grz_part_bounding_radius(const graze_placed *part) {
  double far = vec_length_up(part->pose.position);
  if (far == 0) return part->reach;
  return part->reach == 0 ? far : real_next_up(far + part->reach);
}

/* `frame`, `frame_margin`, `shift` and `rotation` are there. */
static void place_framed(graze_placed *part) {
  part->framed = true;
  part->reach = grz_part_bounding_radius(part);
  part->radius = place_framed_radius(&part->shape, part->frame_margin);
}

void grz_place_part(graze_placed *part, const graze_placed *compound) {
  double rotation[9];
  grz_rotation_of_part(compound, part, rotation);
  memcpy(part->rotation, rotation, sizeof rotation);
  part->frame = compound->pose;
  part->frame_margin = compound->shape.margin;
  part->shift = vec_rotate(compound->rotation, part->pose.position, compound->shape.dim);
  place_framed(part);
}

static void place_turn(graze_pose *pose, const graze_pose *turned) {
  pose->w = turned->w, pose->x = turned->x, pose->y = turned->y, pose->z = turned->z;
}

void grz_set_rotation(graze_placed *placed, const graze_pose *pose) {
  if (!placed->framed) {
    place_turn(&placed->pose, pose);
    grz_rotation_of(pose, placed->rotation);
    return;
  }
  graze_placed frame = {.pose = *pose}, part = *placed;
  grz_rotation_of(pose, frame.rotation);
  grz_rotation_of(&part.pose, part.rotation);
  grz_rotation_of_part(&frame, &part, placed->rotation);
  place_turn(&placed->frame, pose);
  placed->shift = vec_rotate(frame.rotation, placed->pose.position, placed->shape.dim);
}

graze_placed grz_place_like(const graze_shape *shape, const graze_placed *body) {
  graze_placed placed = graze_place(shape, body->pose);
  if (placed.status != GRAZE_OK || !body->framed) return placed;
  memcpy(placed.rotation, body->rotation, sizeof placed.rotation);
  placed.frame = body->frame, placed.frame_margin = body->frame_margin, placed.shift = body->shift;
  place_framed(&placed);
  return placed;
}
