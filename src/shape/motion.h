/* Bodies in linear and rotating motion; pose arithmetic.
 *
 * The velocity is constant, and so is the angular velocity about the position of the body (for a part: of its
 * compound). At an instant such a body is a placed shape whose rounded rotation has a known error. Theory:
 * docs/theory/sweep.md. */
#ifndef GRAZE_SHAPE_MOTION_H
#define GRAZE_SHAPE_MOTION_H

#include "shape/placed.h"

/* ---- Linear motion. */

/* Sets the velocity of a body and the time interval of a query about it. */
static inline void moving_between(grz_moved *moved, graze_vec velocity, double from, double to) {
  moved->placed.hidden.frame = &moved->frame;
  moved->frame.hidden.is_moving = true;
  moved->frame.hidden.velocity = velocity;
  moved->frame.hidden.from = from, moved->frame.hidden.to = to;
}

/* The position of a body at time t, rounded. */
static inline graze_vec moving_position(const graze_placed *placed, graze_vec velocity, double t) {
  return vec_add(placed_reference_point(placed), vec_scale(velocity, t));
}

extern const graze_motion grz_motion_at_rest;

/* An infinite t_max becomes the largest double. */
static inline double motion_last_time(double t_max) { return real_min(t_max, 0x1.fffffffffffffp1023); }

/* The end of the interval for bodies that touch at the start. Any interval shows whether such bodies approach each
 * other, so [0, 1] suffices. */
enum { MOVING_TOUCH_END = 1 };

/* Returns whether the core changes by rotation. A core that is a point does not. */
static inline bool motion_rotates(const graze_placed *placed, const graze_motion *motion) {
  return vec_norm_inf(motion->angular) > 0 && placed->hidden.bounding_radius > 0;
}

/* Validates the velocities and the end of a linear motion. */
static inline graze_status moving_validate(graze_vec velocity_a, graze_vec velocity_b, double t_max, int dim) {
  if (!vec_is_legal(velocity_a) || !vec_is_legal(velocity_b) || t_max != t_max) return GRAZE_BAD_NUMBER;
  if (t_max < 0) return GRAZE_BAD_OPTION;
  return dim == 2 && (velocity_a.z != 0 || velocity_b.z != 0) ? GRAZE_DIM_MISMATCH : GRAZE_OK;
}

/* ---- Linear and rotating motion. */

/* The error of the angle of a rounded pose, in radians: (32 + 6 angle)·u. */
#define GRZ_TURN_ERROR (32 * GRZ_U)
#define GRZ_TURN_ERROR_PER_ANGLE (6 * GRZ_U)

typedef struct grz_moving_body {
  graze_placed placed; /* at time 0 */
  graze_vec velocity;
  graze_vec axis; /* the unit axis, rounded; zero: no rotation */
  double rate;    /* the angular speed, rounded */
  double spin;    /* an upper bound of the angular speed; 0: no core point moves by rotation */
} grz_moving_body;

/* Validates a motion of a placed shape. */
graze_status grz_motion_validate(const graze_placed *placed, const graze_motion *motion);

void grz_moving_body_make(grz_moving_body *body, const graze_placed *placed, const graze_motion *motion);

/* An upper bound of the error of the angle at time t, in radians. */
static inline double grz_moving_body_error(const grz_moving_body *body, double t) {
  if (body->spin == 0 || t == 0) return 0;
  return (GRZ_TURN_ERROR + GRZ_TURN_ERROR_PER_ANGLE * (body->rate * t)) * (1 + 8 * GRZ_U);
}

/* Moves `now`, which was made from body->placed, to time t. Returns an upper bound of the distance of a core point
 * from its true place. The position is exact. */
double grz_moving_body_at(const grz_moving_body *body, double t, grz_moved *now);

/* An upper bound of the distance of a core point from its chord in an interval of this length. It follows from the
 * acceleration. */
static inline double grz_moving_body_sagitta(const grz_moving_body *body, double time) {
  const double angle = body->spin * time;
  if (body->spin == 0) return 0;
  return (body->placed.hidden.bounding_radius * angle * angle) * (0.125 * (1 + 8 * GRZ_U)) + 0x1p-1072;
}

/* An upper bound of the speed of a core point by rotation in the unit direction d. */
static inline double grz_moving_body_speed(const grz_moving_body *body, graze_vec d) {
  if (body->spin == 0) return 0;
  const double sine = vec_length(vec_cross(body->axis, d)) + 16 * GRZ_U;
  return (body->spin * body->placed.hidden.bounding_radius) * (sine * (1 + 8 * GRZ_U)) + 0x1p-1072;
}

#endif
