/* Pairs of bodies, asked one by one. */
#ifndef GRAZE_CLI_SIMULATE_PAIRS_H
#define GRAZE_CLI_SIMULATE_PAIRS_H

#include "simulate/scene.h"

/* May they meet at all, by their types and masks? */
bool sim_is_pair(const graze_body_def *a, const graze_body_def *b);

/* A box that holds the body, grown by a margin, on its way through the step. */
graze_aabb sim_swept_bounds(const graze_placed *placed, const graze_motion *motion, double margin, double dt);

/* The least box that holds both. */
graze_aabb sim_bounds_of_both(const graze_aabb *a, const graze_aabb *b);

static inline bool sim_bounds_meet(const graze_aabb *a, const graze_aabb *b) {
  return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
         a->min.z <= b->max.z && b->min.z <= a->max.z;
}

#endif
