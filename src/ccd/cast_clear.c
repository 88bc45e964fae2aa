/* Casts without contact: the minimum distance during the motion, and its certificate. Theory: docs/theory/cast.md,
 * "The end of the motion". */
#include "verify/verify.h"
#include "ccd/ccd.h"
#include "narrow/stages.h"

/* The tolerance of the minimum distance, relative to the length of the path until the bodies only move apart. */
#define CAST_DIGITS 0x1p-40

/* A motion this many times longer than the time until the bodies only move apart counts as unlimited. */
#define CAST_LONG 0x1p20

/* The time, within the swept interval, at which the nearest point of the swept CSO occurs. */
static double cast_when(const grz_linear_cast *c, const grz_proof *proof) {
  grz_obstacle o;
  grz_simplex s = {.count = 0};
  double share = 0;
  grz_obstacle_make(&o, &c->a.placed, &c->b.placed, c->options.clearance);
  for (int i = 0; i < proof->pair_count && i <= o.dim; i++)
    s.point[s.count++] = grz_obstacle_of_pair(&o, &proof->pairs[i], o.dim);
  if (s.count == 0) return c->a.frame.hidden.from;
  bool held = grz_simplex_reduce(&s, o.dim);
  if (held) return s.point[0].end ? c->a.frame.hidden.to : c->a.frame.hidden.from;
  for (int i = 0; i < s.count; i++) share += s.point[i].end ? s.weight[i] : 0;
  return c->a.frame.hidden.from + real_min(real_max(share, 0), 1) * (c->a.frame.hidden.to - c->a.frame.hidden.from);
}

/* The time of the minimum distance during the whole motion. For a path that is long compared with the bodies, or
 * that passes very near, bisection is used: the distance is a convex function of time. */
static double cast_nearest_time(grz_linear_cast *c, const grz_proof *proof) {
  grz_result inner;
  graze_options options = graze_default_options(); /* bisection needs more accuracy than a loose tolerance gives */
  double from = 0, to = c->t_max, size = c->at_a->hidden.bounding_radius + c->at_b->hidden.bounding_radius;
  const bool loose = c->options.tolerance > 0 || c->options.max_iterations < options.max_iterations;
  const bool tame = c->fast * c->t_max <= 0x1p12 * size && c->result->cast.min_upper >= 0x1p-20 * size;
  if (tame && !loose) return cast_when(c, proof);
  options.clearance = c->options.clearance;
  for (int i = 0; i < CAST_HALVINGS; i++) {
    const double middle = from + (to - from) / 2;
    cast_between(c, middle, middle);
    if (grz_distance_pair(&c->a.placed, &c->b.placed, &options, &inner) != GRAZE_OK || !(inner.answer.lower > 0))
      return middle;
    *(vec_dot(inner.answer.normal, c->speed) > 0 ? &from : &to) = middle;
  }
  return from;
}

/* Stores the distance of the swept bodies and its certificate. Returns false if the swept bodies are not known to be
 * separated. */
static bool cast_clear_by(grz_linear_cast *c, double from, double to, grz_result *inner) {
  graze_options options = c->options;
  options.tolerance = real_max(options.tolerance, CAST_DIGITS * c->fast * c->end);
  cast_between(c, from, to);
  if (grz_distance_pair(&c->a.placed, &c->b.placed, &options, inner) != GRAZE_OK) return false;
  c->result->cast.iterations += inner->answer.iterations;
  if (inner->answer.relation != GRAZE_SEPARATED) return false;
  c->result->cast.exact = c->result->cast.exact || inner->answer.exact;
  c->result->cast.stopped = inner->answer.stopped;
  c->result->proof = inner->proof;
  c->result->cast.min_lower = inner->answer.lower;
  c->result->cast.min_upper = inner->answer.upper;
  return true;
}

/* Tilts d away from the motion until the bodies move apart along d at `least` times the speed or faster. */
static graze_vec cast_tilted(const grz_linear_cast *c, graze_vec d, double least) {
  graze_vec path = vec_unit(vec_unit_inf(c->speed));
  double closing = vec_dot(d, path);
  return closing > -least ? vec_sub(d, vec_scale(path, closing + least)) : d;
}

/* Returns whether the verifier accepts the direction for the unlimited motion. */
static bool cast_proves_unlimited(grz_linear_cast *c, const grz_direction *d) {
  c->result->proof.direction = *d;
  return grz_verify_linear_cast(c->at_a, c->velocity_a, c->at_b, c->velocity_b, c->t_requested, c->options.clearance,
                                &c->result->cast, &c->result->proof) == GRAZE_OK;
}

/* Tries directions that are exactly perpendicular to the motion. One is the direction of the nearest point on the path
 * of pair p. The others are normal to the path and, in 3D, to the difference of both pairs. */
static bool cast_is_beside(grz_linear_cast *c, const grz_pair *p, const grz_pair *q) {
  const bool flat = c->at_a->shape.dim == 2;
  grz_direction d = {.form = GRAZE_DIRECTION_NEAREST, .count = 2, .pairs = {*p, *p, *q}};
  d.pairs[0].end = d.pairs[2].end = 0, d.pairs[1].end = 1;
  if (cast_proves_unlimited(c, &d)) return true;
  d.form = GRAZE_DIRECTION_FACET;
  d.count = flat ? 2 : 3;
  for (d.sign = -1; d.sign <= 1; d.sign += 2)
    if ((flat || p != q) && cast_proves_unlimited(c, &d)) return true;
  return false;
}

/* Finds a direction that separates for all times if the bodies pass so closely that only exact arithmetic proves it. */
static bool cast_search_unlimited(grz_linear_cast *c, const grz_result *inner) {
  const graze_vec round = {0x3p25, 0x3p25, 0x3p25}; /* rounds to multiples of 2^-26: exact for bodies on a lattice */
  const grz_direction plain = cast_vector(vec_sub(vec_add(inner->answer.normal, round), round));
  const grz_proof *near = &inner->proof;
  if (cast_proves_unlimited(c, &plain)) return true;
  grz_direction start = near->direction;
  for (int i = 0; i < start.count; i++) start.pairs[i].end = 0;
  if (cast_proves_unlimited(c, &near->direction) || cast_proves_unlimited(c, &start)) return true;
  for (int i = 0; i < near->pair_count; i++)
    for (int j = 0; j < near->pair_count; j++)
      if (cast_is_beside(c, &near->pairs[i], &near->pairs[j])) return true;
  return false;
}

/* Handles an unlimited motion: finds a direction that separates the bodies and along which they do not approach. */
static void cast_clear_unlimited(grz_linear_cast *c) {
  grz_cast_result *result = c->result;
  grz_result inner;
  grz_obstacle o;
  grz_cso_point p;
  bool known = cast_clear_by(c, 0, c->end, &inner);
  result->cast.min_lower = 0;
  result->cast.min_upper = __builtin_nan("");
  result->proof.kind = GRAZE_CERTIFICATE_NONE;
  result->proof.pair_count = 0;
  if (!known) return;
  const graze_vec d = cast_tilted(c, inner.answer.normal, 0x1p-40);
  cast_between(c, 0, 0);
  grz_obstacle_make(&o, &c->a.placed, &c->b.placed, c->options.clearance);
  double sure = ((grz_obstacle_gap(&o, d, &p) - o.support_error) - o.radius) - 2 * o.radius_error;
  result->proof.kind = GRAZE_CERTIFICATE_SEPARATED;
  result->proof.direction = cast_vector(d);
  if (sure > 0)
    result->cast.min_lower = real_max(sure / o.unit * (1 - 8 * GRZ_U) - 0x1p-1073, 0);
  else if (!cast_search_unlimited(c, &inner))
    result->proof.kind = GRAZE_CERTIFICATE_NONE, result->proof.direction.form = GRAZE_DIRECTION_NONE;
}

/* Reports the direction that proved separation if it separates until the end of the motion. The verifier rejects any
 * other direction. */
static void cast_clear_as_shown(grz_linear_cast *c) {
  grz_proof *proof = &c->result->proof;
  const bool shown = c->shown && c->end == c->t_max && !c->plane;
  c->result->cast.min_lower = 0;
  proof->kind = shown ? GRAZE_CERTIFICATE_SEPARATED : GRAZE_CERTIFICATE_NONE;
  proof->direction = c->by;
  if (!shown) proof->direction.form = GRAZE_DIRECTION_NONE;
  proof->pair_count = 0;
}

void grz_cast_clear(grz_linear_cast *c) {
  grz_cast_result *result = c->result;
  grz_result inner;
  result->cast.outcome = GRAZE_CLEAR;
  cast_positions(c, c->t_requested);
  if (!c->nearest) {
    cast_clear_as_shown(c);
  } else if (c->never_closer && c->plane) {
    if (cast_clear_by(c, 0, 0, &inner)) result->cast.t_min = 0;
  } else if (c->t_max > CAST_LONG * c->end && !c->plane) {
    cast_clear_unlimited(c);
  } else if (cast_clear_by(c, 0, c->t_max, &inner)) {
    result->cast.t_min = c->plane ? c->t_max : cast_nearest_time(c, &inner.proof);
  } else {
    cast_clear_as_shown(c);
  }
}
