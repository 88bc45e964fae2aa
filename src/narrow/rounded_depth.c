/* Two ways around rings of least depths, each another question that has the same answer. */
#include "narrow/rounded_depth.h"

#include "narrow/certify.h"
#include "narrow/coaxial.h"
#include "narrow/distance.h"
#include "narrow/summand.h"

/* Axes that differ by less, as a share of the scale, count as one: the error is in the bounds. */
#define RINGS_COAXIAL 0x1p-33

/* Another question that has the same answer: asked plainly. */
static void rings_ask(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  graze_options options = *query->options;
  options.surface = NULL, options.cache = NULL, options.tracer = NULL;
  options.method = GRAZE_METHOD_AUTO;
  grz_query inner = {.options = &options, .plane = query->plane, .compound = query->compound};
  grz_query_blank(result, c->a, c->b);
  grz_distance_cores(&inner, c, result);
}

bool grz_depth_by_profiles(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_coaxial profiles;
  grz_obstacle plane;
  grz_result flat;
  if (!grz_coaxial_take(c, RINGS_COAXIAL * c->scale / c->unit, &profiles)) return false;
  grz_obstacle_make(&plane, &profiles.a, &profiles.b, query->options->clearance);
  rings_ask(query, &plane, &flat);
  if (flat.answer.relation != GRAZE_OVERLAPPING || grz_query_is_unknown(&flat)) return false;
  grz_cso_point w;
  grz_depth depth = {.direction =
                         vec_add(vec_scale(profiles.out, flat.answer.normal.x), vec_scale(profiles.along, flat.answer.normal.y))};
  depth.best = -grz_obstacle_gap(c, depth.direction, &w, 3);
  depth.high = depth.best + c->support_error;
  depth.low = -(flat.answer.upper + profiles.error) * c->unit - (c->radius + 2 * c->radius_error);
  if (!(depth.low > c->support_error)) return false; /* so near to touching that pairs tell better */
  double in = c->a->hidden.radius + query->options->clearance;
  depth.core_a = vec_add(vec_scale(profiles.out, flat.answer.point_a.x), vec_scale(profiles.along, flat.answer.point_a.y));
  depth.core_a = vec_sub(depth.core_a, vec_scale(depth.direction, in));
  depth.core_b = vec_sub(vec_add(depth.core_a, vec_scale(c->offset, 1 / c->unit)),
                         vec_scale(depth.direction, depth.best / c->unit));
  grz_certify_depth(c, query->options->clearance, &depth, result);
  result->answer.algorithm = GRAZE_ALGORITHM_EPA;
  result->answer.iterations += flat.answer.iterations;
  result->answer.stopped = flat.answer.stopped;
  return true;
}

/* The certificate stays, but does not show the better bound. */
void grz_depth_without_spheres(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_summand a, b;
  grz_obstacle rest;
  grz_result thin;
  bool ball_a = grz_summand_take(c->a, &a), ball_b = grz_summand_take(c->b, &b);
  if (!ball_a && !ball_b) return;
  grz_obstacle_make(&rest, &a.placed, &b.placed, query->options->clearance);
  rings_ask(query, &rest, &thin);
  double width = thin.answer.upper - thin.answer.lower, deepest = -(c->radius + 2 * c->radius_error) / c->unit;
  bool known = thin.answer.relation == GRAZE_OVERLAPPING && !grz_query_is_unknown(&thin);
  bool better = known && width >= 0 && width < result->answer.upper - result->answer.lower;
  /* Less deep than r, it would be for the pairs to show; and only a plain direction names no points. */
  if (!better || !(thin.answer.upper < deepest) || thin.proof.direction.form != GRAZE_DIRECTION_VECTOR) return;
  thin.proof.kind = result->proof.kind, thin.proof.pair_count = result->proof.pair_count;
  for (int i = 0; i < thin.proof.pair_count; i++) thin.proof.pairs[i] = result->proof.pairs[i];
  thin.proof.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  thin.proof.surface = NULL;
  thin.answer.conditional = result->answer.conditional;
  thin.answer.iterations += result->answer.iterations;
  *result = thin;
}
