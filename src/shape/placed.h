/* Placed shapes, their private data (graze_placed.hidden, graze_frame), bounding boxes and support points. The private
 * data is zero if the status is not GRAZE_OK.
 *
 * A part of a compound has two poses: its own pose in the frame of the compound, and the pose of that frame. Its
 * bounding radius is about the origin of the frame. The functions below hide the difference. */
#ifndef GRAZE_SHAPE_PLACED_H
#define GRAZE_SHAPE_PLACED_H

#include "shape/shape.h"

/* Returns whether the shape is a part of a compound. */
static inline bool placed_is_part(const graze_placed *placed) {
  return placed->hidden.frame != NULL && placed->hidden.frame->hidden.is_part;
}

/* Returns whether the shape is in linear motion. */
static inline bool placed_is_moving(const graze_placed *placed) {
  return placed->hidden.frame != NULL && placed->hidden.frame->hidden.is_moving;
}

/* Returns whether neither shape is a part or in motion: then all errors are those of two poses. */
static inline bool placed_are_plain(const graze_placed *a, const graze_placed *b) {
  return a->hidden.frame == NULL && b->hidden.frame == NULL;
}

/* The pose of the frame of a part, or of the shape itself. */
static inline const graze_pose *placed_pose(const graze_placed *placed) {
  return placed_is_part(placed) ? &placed->hidden.frame->hidden.pose : &placed->pose;
}

/* The position of that pose. */
static inline graze_vec placed_reference_point(const graze_placed *placed) { return placed_pose(placed)->position; }

/* The vector from the reference point to the local origin, rounded: zero, unless the shape is a part. */
graze_vec grz_placed_shift(const graze_placed *placed);

/* The vector from a world point to the local origin of the shape, rounded. */
static inline graze_vec placed_from(const graze_placed *placed, graze_vec origin) {
  const graze_vec offset = vec_sub(placed_reference_point(placed), origin);
  return placed_is_part(placed) ? vec_add(offset, grz_placed_shift(placed)) : offset;
}

/* placed_origin() of a part or a moving shape. */
graze_vec grz_framed_origin(const graze_placed *placed);

/* The local origin in the world, rounded. */
static inline graze_vec placed_origin(const graze_placed *placed) {
  return placed->hidden.frame == NULL ? placed->pose.position : grz_framed_origin(placed);
}

/* placed_offset() of parts and moving shapes. */
graze_vec grz_framed_offset(const graze_placed *a, const graze_placed *b);

/* The vector from the local origin of B to that of A at t = 0. Errors: docs/theory/rounding.md, "Support points". */
static inline graze_vec placed_offset(const graze_placed *a, const graze_placed *b) {
  return placed_are_plain(a, b) ? vec_sub(a->pose.position, b->pose.position) : grz_framed_offset(a, b);
}

/* The velocity of A relative to B. Precondition: both are moving. */
static inline graze_vec placed_relative(const graze_placed *a, const graze_placed *b) {
  return vec_sub(a->hidden.frame->hidden.velocity, b->hidden.frame->hidden.velocity);
}

/* The margin of the compound, which adds to the radius of a part. */
static inline double placed_frame_margin(const graze_placed *placed) {
  return placed_is_part(placed) ? placed->hidden.frame->hidden.margin : 0;
}

/* The scale of promised widths: the larger bounding radius, with radius and margin. */
static inline double placed_scale(const graze_placed *a, const graze_placed *b) {
  return real_max(a->hidden.bounding_radius + a->hidden.radius, b->hidden.bounding_radius + b->hidden.radius);
}

/* A copy of a placed shape with a frame of its own, so that it can move. It points into itself: never copy it. */
typedef struct grz_moved {
  graze_placed placed;
  graze_frame frame;
} grz_moved;

void grz_moved_make(grz_moved *moved, const graze_placed *placed);

/* Moves the reference point. */
static inline void moved_set_position(grz_moved *moved, graze_vec position) {
  *(moved->frame.hidden.is_part ? &moved->frame.hidden.pose.position : &moved->placed.pose.position) = position;
}

/* ---- Rotation matrices. */

/* |rotation[i] - R(q)[i]| for every entry; docs/theory/rounding.md, "Rotation". */
#define GRZ_ROTATION_ERROR (10 * GRZ_U)

/* Computes R(q), rounded. */
void grz_rotation_of(const graze_pose *pose, double rotation[9]);

/* ---- Placing. */

/* The largest distance of a vertex from the local origin, rounded up by a few ulps. */
double grz_bounding_radius(const graze_vec *vertices, size_t count);

/* Computes graze_bounds() without the margin of rounding: each number has an error of at most 32u·(|position| +
 * bounding radius + radius). Returns false for half-spaces, user shapes, compounds and parts. */
bool grz_bounds_rounded(const graze_placed *placed, graze_aabb *bounds);

/* The bounding radius of a part about the origin of the frame in which it is placed. */
double grz_part_bounding_radius(const graze_placed *part);

/* Sets the rotation of a shape, or of the frame of a part, to that of a valid pose. */
void grz_set_rotation(grz_moved *moved, const graze_pose *pose);

/* Places a shape at the pose of `body`, with its frame and its motion. */
graze_placed grz_place_like(const graze_shape *shape, const graze_placed *body);

#endif
