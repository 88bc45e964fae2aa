/* The configuration-space obstacle and its error bounds. */
#include "narrow/obstacle.h"

#include "shape/support.h"
#include "shape/shape.h"
#include "shape/placed.h"

/* Below 2^-140, products of six lengths leave the range of doubles. */
static double obstacle_unit(double size) {
  double unit = 1;
  if (size == 0) return unit;
  while (size * unit < 0x1p-140 && unit < 0x1p900) unit *= 0x1p100;
  return unit;
}

static const double *obstacle_rotation(const double *rotation, double unit, double *scaled) {
  if (unit == 1) return rotation;
  for (int i = 0; i < 9; i++) scaled[i] = rotation[i] * unit;
  return scaled;
}

static void obstacle_edges(grz_obstacle *c) {
  const graze_vec a = c->a->shape.as.box.half_extents, b = c->b->shape.as.box.half_extents;
  const f64x2 half[3] = {{a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
  for (int k = 0; k < 3; k++) {
    c->edges.half[k] = half[k];
    c->edges.x[k] = (f64x2){c->rotate_a[k], c->rotate_b[k]} * half[k];
    c->edges.y[k] = (f64x2){c->rotate_a[3 + k], c->rotate_b[3 + k]} * half[k];
    c->edges.z[k] = (f64x2){c->rotate_a[6 + k], c->rotate_b[6 + k]} * half[k];
  }
}

/* The motion of A relative to B, and its time interval. */
typedef struct obstacle_motion {
  bool moving;
  graze_vec speed;
  double from, to;
} obstacle_motion;

/* At least the sum of the lengths of the terms of the offset and of T. This length bounds the rounding of these terms,
 * which bodies at rest do not have. */
static double obstacle_motion_length(const obstacle_motion *motion, graze_vec offset) {
  return (vec_length_above(offset) + vec_length_above(vec_scale(motion->speed, motion->from))) +
         vec_length_above(vec_scale(motion->speed, motion->to - motion->from));
}

GRZ_TEMPLATE void obstacle_make(grz_obstacle *c, const graze_placed *a, const graze_placed *b, double clearance,
                                const obstacle_motion *motion) {
  c->a = a, c->b = b, c->dim = a->shape.dim;
  c->tracer = NULL;
  c->boxes = c->dim == 3 && a->shape.kind == GRAZE_BOX && b->shape.kind == GRAZE_BOX;
  c->curved = grz_is_curved(&a->shape) || grz_is_curved(&b->shape);
  c->climbs = grz_hill_climbs(&a->shape) || grz_hill_climbs(&b->shape);
  const bool part = placed_is_part(a) || placed_is_part(b);
  graze_vec offset = placed_offset(a, b);
  double length = motion->moving ? obstacle_motion_length(motion, offset) : 0;
  c->unit = obstacle_unit((a->hidden.bounding_radius + b->hidden.bounding_radius) +
                          (motion->moving ? length : vec_norm_inf(offset)));
  c->swept = motion->moving && motion->to > motion->from;
  if (c->swept) c->sweep = vec_scale(vec_scale(motion->speed, motion->to - motion->from), c->unit);
  if (motion->moving) offset = vec_add(offset, vec_scale(motion->speed, motion->from));
  c->rotate_a = obstacle_rotation(a->hidden.rotation, c->unit, c->scaled[0]);
  c->rotate_b = obstacle_rotation(b->hidden.rotation, c->unit, c->scaled[1]);
  c->offset = vec_scale(offset, c->unit);
  c->size =
      ((a->hidden.bounding_radius + b->hidden.bounding_radius) * c->unit + vec_length(c->offset)) * (1 + 8 * GRZ_U);
  if (part) c->size = c->size * (1 + 48 * GRZ_U) + 0x1p-1016 * c->unit;
  if (motion->moving) c->size = (c->size + 2 * length * c->unit) * (1 + 8 * GRZ_U) + 0x1p-1016 * c->unit;
  c->point_error = 48 * GRZ_U * c->size;
  c->support_error = (c->curved ? 192 : 136) * GRZ_U * c->size;
  /* Underflow of curved supports; negligible for larger shapes. A product with a subnormal number takes 100 cycles. */
  if (c->curved && c->unit > 1) c->support_error += 0x1p-1070 * c->unit;
  c->radius = ((a->hidden.radius + b->hidden.radius) + clearance) * c->unit;
  c->radius_error = GRZ_RADIUS_ERROR * c->radius;
  c->scale = placed_scale(a, b) * c->unit;
  if (c->boxes) obstacle_edges(c);
}

void grz_obstacle_make(grz_obstacle *c, const graze_placed *a, const graze_placed *b, double clearance) {
  const obstacle_motion none = {.moving = false};
  if (!placed_is_moving(a)) {
    obstacle_make(c, a, b, clearance, &none);
    return;
  }
  const obstacle_motion motion = {true, placed_relative(a, b), a->hidden.frame->hidden.from,
                                  a->hidden.frame->hidden.to};
  obstacle_make(c, a, b, clearance, &motion);
}

void grz_obstacle_make_for(grz_obstacle *c, const graze_placed *a, const graze_placed *b, double clearance,
                           graze_vec speed, double end) {
  const obstacle_motion motion = {true, speed, 0, end};
  obstacle_make(c, a, b, clearance, &motion);
  c->swept = false;
}

static grz_core_point obstacle_core_support(const graze_shape *shape, graze_vec d, double *slack) {
  return grz_hill_climbs(shape) ? grz_hill_climb(shape, d) : grz_support_local(shape, d, slack);
}

grz_cso_point grz_obstacle_support(const grz_obstacle *c, graze_vec d, double *slack) {
  return c->dim == 2 ? obstacle_support(c, d, slack, 2) : obstacle_support(c, d, slack, 3);
}

double grz_obstacle_gap(const grz_obstacle *c, graze_vec d, grz_cso_point *point) {
  double slack = 0;
  *point = grz_obstacle_support(c, d, &slack);
  return grz_obstacle_gap_at(d, point, slack);
}

double grz_obstacle_climbed_gap(const grz_obstacle *c, graze_vec d, grz_cso_point *point) {
  double error = 0;
  grz_core_point a = obstacle_core_support(&c->a->shape, vec_unrotate(c->rotate_a, d, c->dim), &error);
  grz_core_point b = obstacle_core_support(&c->b->shape, vec_unrotate(c->rotate_b, vec_neg(d), c->dim), &error);
  *point = grz_obstacle_point(c, a, b, c->dim);
  if (c->swept && vec_dot(d, c->sweep) > 0) obstacle_move(c, point);
  return grz_obstacle_gap_at(d, point, 2 * error * c->unit);
}
