/* How far is C from the origin? As intersect.c, until the interval is as narrow as promised; overlapping cores go to
 * penetrate.c. */
#include "cso/brute.h"
#include "cso/certify.h"
#include "cso/coaxial.h"
#include "cso/exact.h"
#include "cso/penetrate.h"
#include "cso/plane.h"
#include "cso/portal.h"
#include "cso/query.h"
#include "cso/summand.h"

/* Widths promised, relative to max(|distance|, scale). */
#define DISTANCE_WIDTH 1e-12
#define DISTANCE_WIDTH_CURVED 1e-9

/* Near contact, a distance in doubles has few digits left of its own: below this share of the interval, exact ones. */
#define DISTANCE_DIGITS 0x1p-24

/* Axes that differ by less, as a share of the scale, count as one: the error is in the bounds. */
#define DISTANCE_COAXIAL 0x1p-33

/* Among the subnormals a bound is a few steps wide. */
#define DISTANCE_STEPS 0x1p-1070

static bool distance_is_unknown(const graze_answer *answer) { return answer->distance != answer->distance; }

bool grz_query_is_narrow(const grz_query *query, const grz_obstacle *c, const graze_answer *answer) {
  if (distance_is_unknown(answer)) return false;
  double promised = c->curved ? DISTANCE_WIDTH_CURVED : DISTANCE_WIDTH, width = answer->upper - answer->lower;
  double scale = real_max(real_abs(answer->distance), c->scale / c->unit);
  if (width <= query->options.tolerance || width <= DISTANCE_STEPS) return true;
  return width <= promised * scale && (c->curved || width <= DISTANCE_DIGITS * real_abs(answer->distance));
}

/* Beyond max_distance only that is wanted. */
static void distance_cut(const grz_query *query, graze_answer *answer) {
  if (answer->relation != GRAZE_SEPARATED || !(answer->lower >= query->options.max_distance)) return;
  double lower = answer->lower;
  grz_query_forget_numbers(answer);
  answer->lower = lower;
  answer->stopped = GRAZE_STOP_CUTOFF;
}

/* A lower bound for overlapping cores: the least support width that GJK met on its way, at least one. */
static void distance_depth_bound(const grz_query *query, const grz_obstacle *c, grz_gjk *gjk, graze_answer *answer) {
  if (gjk->lower == -__builtin_inf()) {
    graze_vec d = grz_query_direction(query, c);
    grz_cso_point p;
    gjk->lower = grz_obstacle_gap(c, d, &p, c->dim);
    gjk->lower_direction = d;
  }
  grz_certify_lower(c, gjk, answer);
  answer->lower = real_min(answer->lower, 0);
  answer->upper = 0;
}

/* From another direction, for a simplex that holds the origin inside. Where there is none, what was `decided` stands,
 * with the simplex that its certificate names. */
__attribute__((noinline)) static bool distance_again(const grz_obstacle *c, const grz_goal *goal,
                                                     const graze_options *options, grz_gjk *gjk, bool decided,
                                                     graze_answer *answer) {
  grz_gjk first = *gjk;
  grz_gjk_again(gjk, c, goal, options);
  if (grz_certify_relation(c, gjk, answer)) return true;
  first.iterations = gjk->iterations;
  if (decided) *gjk = first;
  return decided;
}

static void distance_in_doubles(const grz_query *query, const grz_obstacle *c, grz_gjk *gjk, graze_answer *answer) {
  const graze_options *options = &query->options;
  grz_goal goal = {.enough_lower = options->max_distance + c->radius / c->unit,
                   .enough_upper = -1,
                   .width = real_max(0.5 * c->support_error, 0.5 * options->tolerance * c->unit)};
  if (goal.enough_lower < __builtin_inf())
    goal.enough_lower = (goal.enough_lower * (1 + 16 * GRZ_U)) * c->unit + c->support_error;
  grz_simplex warm;
  grz_query_warm(query, c, &warm);
  grz_gjk_run(gjk, c, &goal, grz_query_direction(query, c), &warm, options);
  answer->iterations = gjk->iterations;
  bool decided = grz_certify_relation(c, gjk, answer);
  bool flat = gjk->stop == GRAZE_TRACE_HOLDS_ORIGIN && !(decided && gjk->simplex.count == c->dim + 1);
  if (flat && options->method != GRAZE_METHOD_GJK) decided = distance_again(c, &goal, options, gjk, decided, answer);
  answer->iterations = gjk->iterations;
  if (c->curved && (!decided || grz_certify_misled(gjk, answer))) {
    grz_portal_refine(c, options, gjk, answer);
    return;
  }
  if (gjk->lower == -__builtin_inf()) distance_depth_bound(query, c, gjk, answer);
  grz_certify_numbers(c, options->clearance, gjk, answer);
}

/* Not where a budget left open whether the cores overlap. */
static bool distance_is_deep(const graze_answer *answer) {
  return answer->relation == GRAZE_OVERLAPPING && distance_is_unknown(answer) && answer->stopped == GRAZE_STOP_NONE;
}

/* In doubles; where the interval is true but wide, or nothing is decided, exact arithmetic makes it narrow. */
static void distance_by_gjk(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  grz_gjk gjk; /* large: set by grz_gjk_run() */
  distance_in_doubles(query, c, &gjk, answer);
  bool cut = answer->relation == GRAZE_SEPARATED && answer->lower >= query->options.max_distance;
  bool budget = gjk.stop == GRAZE_TRACE_BUDGET;
  bool surely = answer->certificate.kind == GRAZE_CERTIFICATE_INSIDE;
  bool deep = distance_is_deep(answer) && ((c->curved && (!budget || surely)) || gjk.holds_origin);
  bool enough = cut || deep || grz_query_is_narrow(query, c, answer);
  if (!enough && c->curved && !budget && answer->relation == GRAZE_SEPARATED) {
    grz_portal_narrow(c, &query->options, &gjk, answer);
    enough = grz_query_is_narrow(query, c, answer);
  }
  bool open = answer->relation == GRAZE_UNDECIDED;
  if (!c->curved && (open || (!enough && !budget)))
    grz_exact_answer(c, query->options.clearance, &gjk.simplex, answer);
  else if (!enough)
    answer->stopped = budget ? GRAZE_STOP_BUDGET : GRAZE_STOP_PRECISION;
  grz_query_remember(query, c, &gjk.simplex, gjk.lower_direction);
}

static void distance_cores(const grz_query *query, const grz_obstacle *c, graze_answer *answer);

/* Another question that has the same answer: asked plainly. */
static void distance_of(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  grz_query inner = *query;
  inner.options.surface = NULL, inner.options.cache = NULL, inner.options.trace = NULL;
  inner.options.method = GRAZE_METHOD_AUTO;
  grz_query_blank(answer, c->a, c->b);
  distance_cores(&inner, c, answer);
}

/* The same question about what is left of ellipsoids without their balls: along a ring of least depths EPA needs many
 * points, along what is left of it few or none. The certificate stays, but does not show the better bound. */
static void distance_without_balls(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  grz_summand a, b;
  grz_obstacle rest;
  graze_answer thin;
  bool ball_a = grz_summand_take(c->a, &a), ball_b = grz_summand_take(c->b, &b);
  if (!ball_a && !ball_b) return;
  grz_obstacle_make(&rest, &a.placed, &b.placed, query->options.clearance);
  distance_of(query, &rest, &thin);
  double width = thin.upper - thin.lower, deepest = -(c->radius + 2 * c->radius_error) / c->unit;
  bool known = thin.relation == GRAZE_OVERLAPPING && !distance_is_unknown(&thin);
  bool better = known && width >= 0 && width < answer->upper - answer->lower;
  /* Less deep than r, it would be for the pairs to show; and only a plain direction names no points. */
  if (!better || !(thin.upper < deepest) || thin.certificate.direction.form != GRAZE_DIRECTION_VECTOR) return;
  thin.certificate.kind = answer->certificate.kind, thin.certificate.pair_count = answer->certificate.pair_count;
  for (int i = 0; i < thin.certificate.pair_count; i++) thin.certificate.pairs[i] = answer->certificate.pairs[i];
  thin.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  thin.certificate.surface = NULL;
  thin.conditional = answer->conditional;
  thin.iterations += answer->iterations;
  *answer = thin;
}

/* The same question about the profiles of bodies on one axis. */
static bool distance_of_profiles(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  grz_coaxial profiles;
  grz_obstacle plane;
  graze_answer flat;
  if (!grz_coaxial_take(c, DISTANCE_COAXIAL * c->scale / c->unit, &profiles)) return false;
  grz_obstacle_make(&plane, &profiles.a, &profiles.b, query->options.clearance);
  distance_of(query, &plane, &flat);
  if (flat.relation != GRAZE_OVERLAPPING || distance_is_unknown(&flat)) return false;
  grz_cso_point w;
  grz_depth depth = {.direction =
                         vec_add(vec_scale(profiles.out, flat.normal.x), vec_scale(profiles.along, flat.normal.y))};
  depth.best = -grz_obstacle_gap(c, depth.direction, &w, 3);
  depth.high = depth.best + c->support_error;
  depth.low = -(flat.upper + profiles.error) * c->unit - (c->radius + 2 * c->radius_error);
  if (!(depth.low > c->support_error)) return false; /* so near to touching that pairs tell better */
  double in = c->a->radius + query->options.clearance;
  depth.core_a = vec_add(vec_scale(profiles.out, flat.point_a.x), vec_scale(profiles.along, flat.point_a.y));
  depth.core_a = vec_sub(depth.core_a, vec_scale(depth.direction, in));
  depth.core_b = vec_sub(vec_add(depth.core_a, vec_scale(c->offset, 1 / c->unit)),
                         vec_scale(depth.direction, depth.best / c->unit));
  grz_certify_depth(c, query->options.clearance, &depth, answer);
  answer->path = GRAZE_PATH_EPA;
  answer->iterations += flat.iterations;
  answer->stopped = flat.stopped;
  return true;
}

/* The depth of overlapping cores. Whoever asks for the surface gets what it shows; otherwise a ring of least depths,
 * where no surface is fine enough, is asked about in another way. */
__attribute__((noinline)) static void distance_deep(const grz_query *query, const grz_obstacle *c,
                                                    graze_answer *answer) {
  bool shown = query->options.surface != NULL;
  if (c->curved && !shown && distance_of_profiles(query, c, answer)) return;
  grz_penetrate(query, c, answer);
  if (c->curved && !shown && answer->stopped == GRAZE_STOP_BUDGET) distance_without_balls(query, c, answer);
}

static void distance_cores(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  grz_simplex none;
  none.count = 0;
  if (query->options.method == GRAZE_METHOD_BRUTE)
    grz_brute_answer(query, c, answer);
  else if (query->options.method == GRAZE_METHOD_EXACT)
    grz_exact_answer(c, query->options.clearance, &none, answer);
  else
    distance_by_gjk(query, c, answer);
  if (distance_is_deep(answer))
    distance_deep(query, c, answer);
  else if (answer->relation == GRAZE_OVERLAPPING && distance_is_unknown(answer))
    grz_penetrate_vaguely(query, c, answer);
}

graze_status graze_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                            graze_answer *answer) {
  grz_query query;
  grz_obstacle c;
  graze_status status = grz_query_start(&query, &c, a, b, options, answer);
  if (status != GRAZE_OK) return status;
  if (query.plane)
    grz_plane_answer(&query, &c, answer);
  else
    distance_cores(&query, &c, answer);
  distance_cut(&query, answer);
  return GRAZE_OK;
}

graze_status graze_penetration(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               graze_answer *answer) {
  return graze_distance(a, b, options, answer);
}
