/* The bounds at first, moved to the end, and grown by what turning does to them; never more than the ball about the
 * position that holds the body. */
#include "bvh/swept.h"

#include "core/vec.h"
#include "shape/turning.h"

/* Rounding takes a few ulps of each of the numbers that a bound is made of; of a box's reach 21
 * (docs/theory/rounding.md, "Bounds"). */
#define SWEPT_ERROR (40 * GRZ_U)

/* Compounds of more parts are bounded by a ball. */
enum { SWEPT_PARTS = 32 };

static graze_aabb swept_everywhere(void) {
  const double far = __builtin_inf();
  return (graze_aabb){{-far, -far, -far}, {far, far, far}};
}

static graze_aabb swept_about(graze_vec p, double radius) {
  const graze_vec r = vec_make(radius, radius, radius);
  return (graze_aabb){vec_sub(p, r), vec_add(p, r)};
}

/* A box about its position, before errors that are paid for anyway; no part of a compound, which has another one. */
static graze_aabb swept_box(const graze_placed *placed) {
  const graze_vec p = placed->pose.position, e = placed->shape.extents;
  const double *r = placed->rotation, round = placed->radius;
  const graze_vec half = {((real_abs(r[0]) * e.x + real_abs(r[1]) * e.y) + real_abs(r[2]) * e.z) + round,
                          ((real_abs(r[3]) * e.x + real_abs(r[4]) * e.y) + real_abs(r[5]) * e.z) + round,
                          ((real_abs(r[6]) * e.x + real_abs(r[7]) * e.y) + real_abs(r[8]) * e.z) + round};
  return (graze_aabb){vec_sub(p, half), vec_add(p, half)};
}

static bool swept_tight(const graze_placed *placed, graze_aabb *box) {
  if (placed->shape.kind != GRAZE_BOX || placed->framed) return graze_bounds(placed, box) == GRAZE_OK;
  *box = swept_box(placed);
  return true;
}

/* No point of the body lies farther from where it would be without turning. */
static double swept_strays(const graze_placed *placed, const graze_motion *motion, double time) {
  grz_turning turning;
  if (vec_norm_inf(motion->angular) == 0) return 0;
  grz_turning_make(&turning, placed, motion);
  if (turning.spin == 0) return 0;
  return real_min(turning.spin * time, 2) * (turning.placed.reach * (1 + 8 * GRZ_U)) +
         grz_turning_error(&turning, real_min(time, 4 / turning.spin)) * turning.placed.reach;
}

graze_aabb grz_swept_bounds(const graze_placed *placed, const graze_motion *motion, double time, double grow) {
  const graze_vec p = placed_reference_point(placed), way = vec_scale(motion->velocity, time);
  const double ball = (placed->reach + placed->radius) * (1 + 4 * GRZ_U), strays = swept_strays(placed, motion, time);
  graze_aabb box = swept_about(p, ball);
  if (placed->shape.kind == GRAZE_HALFSPACE) return swept_everywhere();
  if (strays < ball && graze_part_count(placed) <= SWEPT_PARTS) {
    graze_aabb tight;
    if (swept_tight(placed, &tight)) {
      const graze_aabb wide = {vec_sub(tight.min, vec_make(strays, strays, strays)),
                               vec_add(tight.max, vec_make(strays, strays, strays))};
      box.min = vec_max(box.min, wide.min), box.max = vec_min(box.max, wide.max);
    }
  }
  const double error = SWEPT_ERROR * ((vec_norm1(p) + vec_norm1(way)) + (ball + grow)) + 0x1p-1070, more = grow + error;
  box.min = vec_sub(vec_min(box.min, vec_add(box.min, way)), vec_make(more, more, more));
  box.max = vec_add(vec_max(box.max, vec_add(box.max, way)), vec_make(more, more, more));
  if (placed->shape.dim == 2) box.min.z = box.max.z = 0;
  return box;
}

bool grz_halfspace_overlaps(const graze_placed *halfspace, const graze_motion *motion, double time, double grow,
                         const graze_aabb *box) {
  const graze_vec n = vec_unit(vec_unit_inf(vec_rotate(halfspace->rotation, halfspace->shape.extents, 3)));
  const graze_vec p = halfspace->pose.position, way = vec_scale(motion->velocity, time);
  const graze_vec far = vec_max(vec_max(box->max, vec_neg(box->min)), vec_max(p, vec_neg(p)));
  const graze_vec corner =
      vec_make(n.x > 0 ? box->min.x : box->max.x, n.y > 0 ? box->min.y : box->max.y, n.z > 0 ? box->min.z : box->max.z);
  const double height = vec_dot(n, vec_sub(corner, p)) - real_max(vec_dot(n, way), 0);
  const double above = ((height - halfspace->shape.offset) - halfspace->radius) - grow;
  const double size =
      (vec_norm1(far) + vec_norm1(way)) + (real_abs(halfspace->shape.offset) + halfspace->radius) + grow;
  return !(above > 64 * GRZ_U * size);
}
