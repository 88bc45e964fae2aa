/* What the private numbers of graze_placed promise. Where status is not GRAZE_OK they are all zero.
 *
 * The part of a compound is `framed`: its own pose is in the frame that stands at `frame`. Its `reach` is from the
 * frame's origin, and where its core lies, only the functions below say. */
#ifndef GRAZE_SHAPE_PLACED_H
#define GRAZE_SHAPE_PLACED_H

#include "core/vec.h"

/* |rotation[i] - R(q)[i]| for every entry; docs/theory/rounding.md, "Rotation". */
#define GRZ_ROTATION_ERROR (10 * GRZ_U)

static inline bool vec_is_legal(graze_vec v) { /* NaN is not */
  return real_abs(v.x) <= GRAZE_LARGEST && real_abs(v.y) <= GRAZE_LARGEST && real_abs(v.z) <= GRAZE_LARGEST;
}

/* Asks a support function of the caller's; in 2D its z does not count. False: it gave numbers that none may give. */
static inline bool placed_user_support(const graze_shape *user, graze_vec d, graze_vec *point, double *slack) {
  *point = vec_make(0, 0, 0);
  *slack = user->as.user.support(user->as.user.context, d, point);
  if (user->dim == 2) point->z = 0;
  return vec_is_legal(*point) && *slack >= 0 && *slack <= GRAZE_LARGEST;
}

/* Where the frame of a part stands, or the shape itself. */
static inline graze_vec placed_reference_point(const graze_placed *placed) {
  return placed->hidden.is_part ? placed->hidden.frame.position : placed->pose.position;
}

/* The pose that stands there. */
static inline const graze_pose *placed_pose(const graze_placed *placed) {
  return placed->hidden.is_part ? &placed->hidden.frame : &placed->pose;
}

/* The way from a world point to the shape's local origin, rounded. */
static inline graze_vec placed_from(const graze_placed *placed, graze_vec origin) {
  graze_vec way = vec_sub(placed_reference_point(placed), origin);
  return placed->hidden.is_part ? vec_add(way, placed->hidden.shift) : way;
}

/* Where the local origin is, rounded. */
static inline graze_vec placed_origin(const graze_placed *placed) {
  graze_vec home = placed->hidden.is_part ? vec_add(placed->hidden.frame.position, placed->hidden.shift) : placed->pose.position;
  return placed->hidden.is_moving ? vec_add(home, vec_scale(placed->hidden.velocity, placed->hidden.from)) : home;
}

/* From B's local origin to that of A, before anything moves: docs/theory/rounding.md, "Support points". */
static inline graze_vec placed_offset(const graze_placed *a, const graze_placed *b) {
  const graze_vec none = {0, 0, 0};
  graze_vec apart = vec_sub(placed_reference_point(a), placed_reference_point(b));
  if (!a->hidden.is_part && !b->hidden.is_part) return apart;
  return vec_add(apart, vec_sub(a->hidden.is_part ? a->hidden.shift : none, b->hidden.is_part ? b->hidden.shift : none));
}

/* How A moves as B sees it. */
static inline graze_vec placed_relative(const graze_placed *a, const graze_placed *b) {
  return vec_sub(a->hidden.velocity, b->hidden.velocity);
}

/* What the compound adds to a part's radius. */
static inline double placed_frame_margin(const graze_placed *placed) {
  return placed->hidden.is_part ? placed->hidden.frame_margin : 0;
}

/* R(q), rounded. */
void grz_rotation_of(const graze_pose *pose, double rotation[9]);

/* The product of both, for a part placed in the compound's frame; not in place. */
void grz_rotation_of_part(const graze_placed *compound, const graze_placed *part, double rotation[9]);

/* Does the exact rotation of a placed shape take a local axis to world axis i, or to its opposite? Then row i of the
 * rounded one is exact; where it cannot be told the answer is no. */
bool grz_row_is_exact(const graze_placed *placed, int i);

/* Puts a part, placed in a compound's frame, where the compound is. */
void grz_place_part(graze_placed *part, const graze_placed *compound);

/* No core point of a shape, placed in a compound's frame, lies farther than this from that frame's origin. */
double grz_part_bounding_radius(const graze_placed *part);

/* Turns a placed shape, or the frame of a part, to the rotation of a good pose. */
void grz_set_rotation(graze_placed *placed, const graze_pose *pose);

/* Places a shape where `body` is, in its frame if it has one. */
graze_placed grz_place_like(const graze_shape *shape, const graze_placed *body);

/* Judges a pose alone, for shapes of this dimension. */
graze_status grz_check_pose(const graze_pose *pose, int dim);

#endif
