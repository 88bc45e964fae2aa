/* Bounds of a moving body: the bounds at the start, enlarged by rotation, clipped to the bounding ball, and extended by
 * the displacement. Margins: docs/theory/rounding.md, "Bounds". */
#include "bvh/tree.h"

#include "core/vec.h"
#include "shape/motion.h"

/* Rounding costs a few ulps of each number in a bound, and 21 ulps of the extent of a box. */
#define SWEPT_ERROR (40 * GRZ_U)

/* Compounds of more parts are bounded by a ball. */
enum { SWEPT_PARTS = 32 };

/* Computes bounds of the body at the start. For a box that is not a part of a compound, omits the margin of
 * graze_bounds(), which SWEPT_ERROR includes. */
static bool swept_start_bounds(const graze_placed *placed, graze_aabb *box) {
  if (placed->shape.kind != GRAZE_BOX || placed->hidden.is_part) return graze_bounds(placed, box) == GRAZE_OK;
  const graze_vec p = placed->pose.position, e = placed->shape.as.box.half_extents;
  const double *r = placed->hidden.rotation, round = placed->hidden.radius;
  const graze_vec half = {((real_abs(r[0]) * e.x + real_abs(r[1]) * e.y) + real_abs(r[2]) * e.z) + round,
                          ((real_abs(r[3]) * e.x + real_abs(r[4]) * e.y) + real_abs(r[5]) * e.z) + round,
                          ((real_abs(r[6]) * e.x + real_abs(r[7]) * e.y) + real_abs(r[8]) * e.z) + round};
  *box = (graze_aabb){vec_sub(p, half), vec_add(p, half)};
  return true;
}

/* Returns an upper bound of the distance between a point of the body and the same point without rotation. */
static double swept_rotation_bound(const graze_placed *placed, const graze_motion *motion, double time) {
  grz_moving_body turning;
  if (vec_norm_inf(motion->angular) == 0) return 0;
  grz_moving_body_make(&turning, placed, motion);
  if (turning.spin == 0) return 0;
  return real_min(turning.spin * time, 2) * (turning.placed.hidden.bounding_radius * (1 + 8 * GRZ_U)) +
         grz_moving_body_error(&turning, real_min(time, 4 / turning.spin)) * turning.placed.hidden.bounding_radius;
}

graze_aabb grz_swept_bounds(const graze_placed *placed, const graze_motion *motion, double time, double grow) {
  const double inf = __builtin_inf();
  if (placed->shape.kind == GRAZE_HALFSPACE) return (graze_aabb){{-inf, -inf, -inf}, {inf, inf, inf}};
  const graze_vec p = placed_reference_point(placed), displacement = vec_scale(motion->velocity, time);
  const double ball = (placed->hidden.bounding_radius + placed->hidden.radius) * (1 + 4 * GRZ_U);
  const double rotation = swept_rotation_bound(placed, motion, time);

  /* Intersect the bounds of the bounding ball with the bounds at the start, enlarged by the rotation. */
  graze_aabb box = {vec_sub(p, vec_make(ball, ball, ball)), vec_add(p, vec_make(ball, ball, ball))}, start;
  if (rotation < ball && graze_part_count(placed) <= SWEPT_PARTS && swept_start_bounds(placed, &start)) {
    const graze_vec grown = vec_make(rotation, rotation, rotation);
    box.min = vec_max(box.min, vec_sub(start.min, grown)), box.max = vec_min(box.max, vec_add(start.max, grown));
  }

  /* Extend by the displacement and the margin of rounding. */
  const double error = SWEPT_ERROR * ((vec_norm1(p) + vec_norm1(displacement)) + (ball + grow)) + 0x1p-1070;
  const graze_vec margin = vec_make(grow + error, grow + error, grow + error);
  box.min = vec_sub(vec_min(box.min, vec_add(box.min, displacement)), margin);
  box.max = vec_add(vec_max(box.max, vec_add(box.max, displacement)), margin);
  if (placed->shape.dim == 2) box.min.z = box.max.z = 0;
  return box;
}

bool grz_halfspace_overlaps(const graze_placed *halfspace, const graze_motion *motion, double time, double grow,
                            const graze_aabb *box) {
  const graze_vec n =
      vec_unit(vec_unit_inf(vec_rotate(halfspace->hidden.rotation, halfspace->shape.as.halfspace.normal, 3)));
  const graze_vec p = halfspace->pose.position, displacement = vec_scale(motion->velocity, time);
  const double offset = halfspace->shape.as.halfspace.offset, radius = halfspace->hidden.radius;

  /* The height of the lowest corner of the box above the highest position of the plane. */
  const graze_vec corner =
      vec_make(n.x > 0 ? box->min.x : box->max.x, n.y > 0 ? box->min.y : box->max.y, n.z > 0 ? box->min.z : box->max.z);
  const double height = vec_dot(n, vec_sub(corner, p)) - real_max(vec_dot(n, displacement), 0);
  const double gap = ((height - offset) - radius) - grow;

  /* The rounding error is proportional to the sum of all lengths. */
  const graze_vec largest = vec_max(vec_max(box->max, vec_neg(box->min)), vec_max(p, vec_neg(p)));
  const double size = (vec_norm1(largest) + vec_norm1(displacement)) + (real_abs(offset) + radius) + grow;
  return !(gap > 64 * GRZ_U * size);
}
