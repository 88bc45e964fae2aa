/* Placed shapes, their private data (graze_placed.hidden and .rare), bounding boxes and support points. The private
 * data is zero if the status is not GRAZE_OK.
 *
 * A part of a compound has two poses: its own pose in the frame of the compound, and the pose `frame` of the compound.
 * Its bounding radius is about the origin of the frame. The functions below hide the difference. */
#ifndef GRAZE_SHAPE_PLACED_H
#define GRAZE_SHAPE_PLACED_H

#include "shape/shape.h"

/* The position of the frame of a part, or of the shape itself. */
static inline graze_vec placed_reference_point(const graze_placed *placed) {
  return placed->hidden.is_part ? placed->rare.frame.position : placed->pose.position;
}

/* The pose at the reference point. */
static inline const graze_pose *placed_pose(const graze_placed *placed) {
  return placed->hidden.is_part ? &placed->rare.frame : &placed->pose;
}

/* The vector from a world point to the local origin of the shape, rounded. */
static inline graze_vec placed_from(const graze_placed *placed, graze_vec origin) {
  const graze_vec offset = vec_sub(placed_reference_point(placed), origin);
  return placed->hidden.is_part ? vec_add(offset, placed->rare.shift) : offset;
}

/* The local origin in the world, rounded. */
static inline graze_vec placed_origin(const graze_placed *placed) {
  const graze_vec origin =
      placed->hidden.is_part ? vec_add(placed->rare.frame.position, placed->rare.shift) : placed->pose.position;
  return placed->hidden.is_moving ? vec_add(origin, vec_scale(placed->rare.velocity, placed->rare.from)) : origin;
}

/* The vector from the local origin of B to that of A at t = 0. Errors: docs/theory/rounding.md, "Support points". */
static inline graze_vec placed_offset(const graze_placed *a, const graze_placed *b) {
  const graze_vec none = {0, 0, 0};
  const graze_vec offset = vec_sub(placed_reference_point(a), placed_reference_point(b));
  if (!a->hidden.is_part && !b->hidden.is_part) return offset;
  return vec_add(offset, vec_sub(a->hidden.is_part ? a->rare.shift : none, b->hidden.is_part ? b->rare.shift : none));
}

/* The velocity of A relative to B. */
static inline graze_vec placed_relative(const graze_placed *a, const graze_placed *b) {
  return vec_sub(a->rare.velocity, b->rare.velocity);
}

/* The margin of the compound, which adds to the radius of a part. */
static inline double placed_frame_margin(const graze_placed *placed) {
  return placed->hidden.is_part ? placed->rare.frame_margin : 0;
}

/* ---- Rotation matrices. */

/* |rotation[i] - R(q)[i]| for every entry; docs/theory/rounding.md, "Rotation". */
#define GRZ_ROTATION_ERROR (10 * GRZ_U)

/* Computes R(q), rounded. */
void grz_rotation_of(const graze_pose *pose, double rotation[9]);

/* ---- Placing. */

/* Computes graze_bounds() without the margin of rounding: each number has an error of at most 32u·(|position| +
 * bounding radius + radius). Returns false for half-spaces, user shapes, compounds and parts. */
bool grz_bounds_rounded(const graze_placed *placed, graze_aabb *bounds);

/* Moves a part from the frame of its compound to the world. */
void grz_place_part(graze_placed *part, const graze_placed *compound);

/* The bounding radius of a part about the origin of the frame in which it is placed. */
double grz_part_bounding_radius(const graze_placed *part);

/* Sets the rotation of a placed shape, or of the frame of a part, to that of a valid pose. */
void grz_set_rotation(graze_placed *placed, const graze_pose *pose);

/* Places a shape at the pose of `body`, also in its frame if it is a part. */
graze_placed grz_place_like(const graze_shape *shape, const graze_placed *body);

#endif
