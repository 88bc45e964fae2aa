/* Placing of shapes and parts: computes the rounded rotation, the bounding radius and the radius. */
#include "shape/placed.h"

#include <string.h>

/* Squares suffice, unless all of them are nearly subnormal. */
static void place_vertices(graze_placed *placed, const graze_vec *vertices, size_t count) {
  double square = 0, radius = 0;
  for (size_t i = 0; i < count; i++) square = real_max(square, vec_dot(vertices[i], vertices[i]));
  if (square < 0x1p-900)
    for (size_t i = 0; i < count; i++) radius = real_max(radius, vec_length_up(vertices[i]));
  else
    radius = real_sqrt(square) * (1 + 8 * GRZ_U);
  placed->hidden.bounding_radius = radius;
}

/* The bounds along the axes give a box; its corner gives the bounding radius. */
static void place_user(graze_placed *placed) {
  double corner[3] = {0, 0, 0};
  for (int i = 0; i < 2 * placed->shape.dim; i++) {
    double d[3] = {0, 0, 0}, slack;
    d[i / 2] = i % 2 ? -1 : 1;
    graze_vec direction = vec_make(d[0], d[1], d[2]), point;
    if (!placed_user_support(&placed->shape, direction, &point, &slack)) placed->status = GRAZE_BAD_NUMBER;
    corner[i / 2] = real_max(corner[i / 2], real_next_up(vec_dot(direction, point) + slack));
  }
  if (placed->status == GRAZE_OK)
    placed->hidden.bounding_radius = vec_length_up(vec_make(corner[0], corner[1], corner[2]));
}

static void place_core(graze_placed *placed) {
  const graze_shape *shape = &placed->shape;
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE:
  case GRAZE_HALFSPACE: return;
  case GRAZE_SEGMENT: place_vertices(placed, shape->as.segment.vertices, 2); return;
  case GRAZE_TRIANGLE: place_vertices(placed, shape->as.triangle.vertices, 3); return;
  case GRAZE_POLYGON:
  case GRAZE_HULL: place_vertices(placed, shape->as.hull.vertices, shape->as.hull.count); return;
  case GRAZE_BOX: placed->hidden.bounding_radius = vec_length_up(shape->as.box.half_extents); return;
  case GRAZE_ELLIPSOID: placed->hidden.bounding_radius = vec_norm_inf(shape->as.ellipsoid.radii); return;
  case GRAZE_CAPSULE:
    placed->hidden.bounding_radius = vec_length_up(vec_make(0, 0, shape->as.capsule.half_length));
    return;
  case GRAZE_CYLINDER:
  case GRAZE_CONE:
    placed->hidden.bounding_radius = vec_length_up(vec_make(shape->as.cone.radius, 0, shape->as.cone.half_length));
    return;
  case GRAZE_USER: place_user(placed); return;
  case GRAZE_COMPOUND: placed->hidden.bounding_radius = shape->as.compound->bounding_radius; return;
  }
}

static void place_pose(graze_placed *placed, graze_pose pose) {
  placed->pose = pose;
  if (placed->status == GRAZE_OK) grz_rotation_of(&pose, placed->hidden.rotation);
}

/* The radius of a compound is at least the radius of each part, rounding included. */
static double place_radius(const graze_shape *shape) {
  if (shape->kind != GRAZE_COMPOUND) return grz_core_radius(shape) + shape->margin;
  double radius = shape->as.compound->radius;
  return shape->margin == 0 ? radius : (radius + shape->margin) * (1 + 4 * GRZ_U);
}

graze_placed graze_place(const graze_shape *shape, graze_pose pose) {
  graze_placed placed = {.status = graze_check(shape, &pose, NULL)};
  if (shape != NULL) placed.shape = *shape;
  if (placed.status == GRAZE_OK) {
    place_core(&placed);
    placed.hidden.radius = place_radius(shape);
  }
  place_pose(&placed, pose);
  return placed;
}

graze_status graze_set_pose(graze_placed *placed, graze_pose pose) {
  if (placed->status != GRAZE_OK) return placed->status;
  if (placed->hidden.is_part) return GRAZE_UNSUPPORTED;
  graze_status status = grz_check_pose(&pose, placed->shape.dim);
  if (status == GRAZE_OK) place_pose(placed, pose);
  return status;
}

/* The sum of three numbers with little more than one rounding error. So parts need no error bound of their own. */
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

/* Precondition: `frame`, `frame_margin`, `shift` and `rotation` are set. */
static void part_finish(graze_placed *part) {
  part->hidden.is_part = true;
  part->hidden.bounding_radius = grz_part_bounding_radius(part);
  part->hidden.radius = part_radius(&part->shape, part->hidden.frame_margin);
}

void grz_place_part(graze_placed *part, const graze_placed *compound) {
  double rotation[9];
  grz_rotation_of_part(compound, part, rotation);
  memcpy(part->hidden.rotation, rotation, sizeof rotation);
  part->hidden.frame = compound->pose;
  part->hidden.frame_margin = compound->shape.margin;
  part->hidden.shift = vec_rotate(compound->hidden.rotation, part->pose.position, compound->shape.dim);
  part_finish(part);
}

static void pose_copy_rotation(graze_pose *pose, const graze_pose *from) {
  pose->w = from->w, pose->x = from->x, pose->y = from->y, pose->z = from->z;
}

void grz_set_rotation(graze_placed *placed, const graze_pose *pose) {
  if (!placed->hidden.is_part) {
    pose_copy_rotation(&placed->pose, pose);
    grz_rotation_of(pose, placed->hidden.rotation);
    return;
  }
  graze_placed frame = {.pose = *pose}, part = *placed;
  grz_rotation_of(pose, frame.hidden.rotation);
  grz_rotation_of(&part.pose, part.hidden.rotation);
  grz_rotation_of_part(&frame, &part, placed->hidden.rotation);
  pose_copy_rotation(&placed->hidden.frame, pose);
  placed->hidden.shift = vec_rotate(frame.hidden.rotation, placed->pose.position, placed->shape.dim);
}

graze_placed grz_place_like(const graze_shape *shape, const graze_placed *body) {
  graze_placed placed = graze_place(shape, body->pose);
  if (placed.status != GRAZE_OK || !body->hidden.is_part) return placed;
  memcpy(placed.hidden.rotation, body->hidden.rotation, sizeof placed.hidden.rotation);
  placed.hidden.frame = body->hidden.frame, placed.hidden.frame_margin = body->hidden.frame_margin,
  placed.hidden.shift = body->hidden.shift;
  part_finish(&placed);
  return placed;
}

size_t graze_part_count(const graze_placed *placed) {
  const bool compound = placed->status == GRAZE_OK && placed->shape.kind == GRAZE_COMPOUND;
  return compound ? placed->shape.as.compound->count : 1;
}

graze_placed graze_part(const graze_placed *placed, size_t index) {
  graze_placed part = {.status = placed->status};
  if (index >= graze_part_count(placed)) {
    if (part.status == GRAZE_OK) part.status = GRAZE_BAD_OPTION;
    return part;
  }
  if (placed->status != GRAZE_OK || placed->shape.kind != GRAZE_COMPOUND) return *placed;
  part = placed->shape.as.compound->parts[index];
  grz_place_part(&part, placed);
  return part;
}
