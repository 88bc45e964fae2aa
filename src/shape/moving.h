/* Bodies in linear motion, as private numbers of graze_placed. */
#ifndef GRAZE_SHAPE_MOVING_H
#define GRAZE_SHAPE_MOVING_H

#include "shape/placed.h"

/* The pair moves, and is asked about from `from` to `to`. */
static inline void moving_between(graze_placed *a, graze_placed *b, double from, double to) {
  a->hidden.is_moving = b->hidden.is_moving = true;
  a->hidden.from = b->hidden.from = from;
  a->hidden.to = b->hidden.to = to;
}

/* One body, at a moment. */
static inline void moving_set_time(graze_placed *placed, graze_vec velocity, double t) {
  placed->hidden.is_moving = true;
  placed->hidden.velocity = velocity;
  placed->hidden.from = placed->hidden.to = t;
}

/* Where a body's position is at time t, rounded. */
static inline graze_vec moving_position(const graze_placed *placed, graze_vec velocity, double t) {
  return vec_add(placed_reference_point(placed), vec_scale(velocity, t));
}

/* A motion without end ends at the largest double. */
static inline double motion_last_time(double t_max) { return real_min(t_max, 0x1.fffffffffffffp1023); }

/* Bodies that touch at first: whether they approach shows in any interval, so in [0, 1]. */
enum { MOVING_TOUCH_END = 1 };

/* A body without extent does not. */
static inline bool motion_rotates(const graze_placed *placed, const graze_motion *motion) {
  return vec_norm_inf(motion->angular) > 0 && placed->hidden.bounding_radius > 0;
}

/* GRAZE_OK, or why these cannot be the velocities and the end of a motion of such shapes. */
static inline graze_status moving_validate(graze_vec velocity_a, graze_vec velocity_b, double t_max, int dim) {
  if (!vec_is_legal(velocity_a) || !vec_is_legal(velocity_b) || t_max != t_max) return GRAZE_BAD_NUMBER;
  if (t_max < 0) return GRAZE_BAD_OPTION;
  return dim == 2 && (velocity_a.z != 0 || velocity_b.z != 0) ? GRAZE_DIM_MISMATCH : GRAZE_OK;
}

#endif
