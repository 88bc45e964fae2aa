#include "simulate/pairs.h"

#include <math.h>

bool sim_is_pair(const graze_body_def *a, const graze_body_def *b) {
  if (a->type == GRAZE_STATIC && b->type == GRAZE_STATIC) return false;
  if (a->shape.kind == GRAZE_HALFSPACE && b->shape.kind == GRAZE_HALFSPACE) return false;
  return (a->category & b->mask) && (b->category & a->mask);
}

/* However the body turns, it stays in the ball about its position through the farthest corner of its bounds. */
static void widen_for_turning(graze_aabb *box, graze_vec p) {
  double x = fmax(p.x - box->min.x, box->max.x - p.x), y = fmax(p.y - box->min.y, box->max.y - p.y);
  double z = fmax(p.z - box->min.z, box->max.z - p.z), reach = sqrt(x * x + y * y + z * z);
  *box = (graze_aabb){{p.x - reach, p.y - reach, p.z - reach}, {p.x + reach, p.y + reach, p.z + reach}};
}

/* Rounding is far less than what is added: a billionth of the numbers themselves. */
static void sweep_side(double *low, double *high, double way, double margin) {
  double more = margin + 1e-9 * (fabs(*low) + fabs(*high) + fabs(way));
  *low += fmin(way, 0) - more;
  *high += fmax(way, 0) + more;
}

graze_aabb sim_swept_bounds(const graze_placed *placed, const graze_motion *motion, double margin, double dt) {
  graze_aabb box;
  graze_vec all = {INFINITY, INFINITY, INFINITY}, v = motion->velocity;
  if (graze_bounds(placed, &box) != GRAZE_OK) return (graze_aabb){{-all.x, -all.y, -all.z}, all};
  if (!sim_is_zero(motion->angular)) widen_for_turning(&box, placed->pose.position);
  sweep_side(&box.min.x, &box.max.x, v.x * dt, margin);
  sweep_side(&box.min.y, &box.max.y, v.y * dt, margin);
  sweep_side(&box.min.z, &box.max.z, v.z * dt, margin);
  return box;
}

graze_aabb sim_bounds_of_both(const graze_aabb *a, const graze_aabb *b) {
  graze_vec low = {fmin(a->min.x, b->min.x), fmin(a->min.y, b->min.y), fmin(a->min.z, b->min.z)};
  graze_vec high = {fmax(a->max.x, b->max.x), fmax(a->max.y, b->max.y), fmax(a->max.z, b->max.z)};
  return (graze_aabb){low, high};
}
