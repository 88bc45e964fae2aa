/* Support points and projections of placed shapes: graze_support() and graze_project(). */
#include "core/vec.h"
#include "shape/placed.h"
#include "shape/support.h"

/* The convex shapes that stand for a shape in support queries: the parts of a compound, or the shape itself. */
static size_t support_count(const graze_placed *placed) {
  return placed->shape.kind == GRAZE_COMPOUND ? graze_part_count(placed) : 1;
}

static graze_placed support_part(const graze_placed *placed, size_t index, graze_frame *frame) {
  return placed->shape.kind == GRAZE_COMPOUND ? graze_part(placed, index, frame) : *placed;
}

graze_status graze_support(const graze_placed *placed, graze_vec direction, graze_vec *point, int *vertex) {
  if (placed->status != GRAZE_OK) return placed->status;
  if (placed->shape.kind == GRAZE_HALFSPACE) return GRAZE_UNSUPPORTED;
  if (!vec_is_legal(direction) || vec_norm_inf(direction) == 0) return GRAZE_BAD_NUMBER;
  if (placed->shape.dim == 2 && direction.z != 0) return GRAZE_DIM_MISMATCH;
  const int dim = placed->shape.dim;
  graze_vec d = vec_unit_inf(direction), best = {0, 0, 0};
  double most = -__builtin_inf();
  for (size_t i = 0; i < support_count(placed); i++) {
    double slack = 0, extent;
    graze_frame frame;
    graze_placed part = support_part(placed, i, &frame);
    grz_core_point core = grz_support_local(&part.shape, vec_unrotate(part.hidden.rotation, d, dim), &slack);
    graze_vec out = vec_scale(d, part.hidden.radius / vec_length(d)),
              at = vec_add(vec_rotate(part.hidden.rotation, core.local, dim), out);
    if (placed_is_part(&part)) at = vec_add(at, grz_placed_shift(&part));
    extent = vec_dot(d, at);
    if (i > 0 && !(extent > most)) continue;
    most = extent, best = at;
    if (vertex != NULL) *vertex = core.index;
  }
  *point = vec_add(best, placed_reference_point(placed));
  return GRAZE_OK;
}

/* The support value of the core, without its position. */
static double support_extent(const graze_placed *placed, graze_vec d) {
  const int dim = placed->shape.dim;
  double slack = 0;
  graze_vec local = grz_support_local(&placed->shape, vec_unrotate(placed->hidden.rotation, d, dim), &slack).local;
  return vec_dot(d, vec_rotate(placed->hidden.rotation, local, dim));
}

graze_status graze_project(const graze_placed *placed, graze_vec axis, graze_interval *interval) {
  if (placed->status != GRAZE_OK) return placed->status;
  if (placed->shape.kind == GRAZE_HALFSPACE) return GRAZE_UNSUPPORTED;
  if (!vec_is_legal(axis) || vec_norm_inf(axis) == 0) return GRAZE_BAD_NUMBER;
  if (placed->shape.dim == 2 && axis.z != 0) return GRAZE_DIM_MISMATCH;
  double largest = vec_norm_inf(axis);
  graze_vec d = vec_unit_inf(axis);
  for (size_t i = 0; i < support_count(placed); i++) {
    graze_frame frame;
    graze_placed part = support_part(placed, i, &frame);
    double at = vec_dot(d, placed_origin(&part)), round = part.hidden.radius * vec_length(d);
    double min = (at - (support_extent(&part, vec_neg(d)) + round)) * largest,
           max = (at + (support_extent(&part, d) + round)) * largest;
    interval->min = i == 0 ? min : real_min(min, interval->min);
    interval->max = i == 0 ? max : real_max(max, interval->max);
  }
  return GRAZE_OK;
}
