/* Bodies that move at constant velocity and turn at a constant rate about their position (a part: about that of its
 * compound). At a moment such a body is a placed shape with a rounded rotation; how far off that is, is known:
 * docs/theory/sweep.md. */
#ifndef GRAZE_SHAPE_TURNING_H
#define GRAZE_SHAPE_TURNING_H

#include "shape/motion.h"

/* The body turns by no more than this, in radians, more or less than its rounded pose: (32 + 6 angle)·u. */
#define GRZ_TURN_ERROR (32 * GRZ_U)
#define GRZ_TURN_ERROR_PER_ANGLE (6 * GRZ_U)

typedef struct grz_moving_body {
  graze_placed placed; /* at time 0 */
  graze_vec velocity;
  graze_vec axis; /* the unit axis, rounded; zero: it does not turn */
  double rate;    /* about it: the angular speed, rounded … */
  double spin;    /* … and never less; 0: no point of the core moves by turning */
} grz_moving_body;

/* GRAZE_OK, or why this cannot be the motion of such a shape. */
graze_status grz_motion_validate(const graze_placed *placed, const graze_motion *motion);

void grz_moving_body_make(grz_moving_body *turning, const graze_placed *placed, const graze_motion *motion);

/* The angle, in radians, by which the pose at time t is rounded, at most. */
static inline double grz_moving_body_error(const grz_moving_body *turning, double t) {
  if (turning->spin == 0 || t == 0) return 0;
  return (GRZ_TURN_ERROR + GRZ_TURN_ERROR_PER_ANGLE * (turning->rate * t)) * (1 + 8 * GRZ_U);
}

/* The body at time t: `now` is a copy of turning->placed, which may have been at another time before. Returns how far
 * at most a core point is from where it truly is; the position is exact. */
double grz_moving_body_at(const grz_moving_body *turning, double t, graze_placed *now);

/* No core point leaves its chord by more than this in an interval of this length: its acceleration bounds that. */
static inline double grz_moving_body_sagitta(const grz_moving_body *turning, double time) {
  const double angle = turning->spin * time;
  if (turning->spin == 0) return 0;
  return (turning->placed.hidden.bounding_radius * angle * angle) * (0.125 * (1 + 8 * GRZ_U)) + 0x1p-1072;
}

/* No core point moves faster along the unit vector d by turning. */
static inline double grz_moving_body_speed(const grz_moving_body *turning, graze_vec d) {
  if (turning->spin == 0) return 0;
  const double across = vec_length(vec_cross(turning->axis, d)) + 16 * GRZ_U;
  return (turning->spin * turning->placed.hidden.bounding_radius) * (across * (1 + 8 * GRZ_U)) + 0x1p-1072;
}

#endif
