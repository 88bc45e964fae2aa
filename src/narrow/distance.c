/* How far is C from the origin? As intersect.c, until the interval is as narrow as promised; overlapping cores go to
 * penetrate.c and rings.c. */
#include "narrow/distance.h"

#include "narrow/boundary_walk.h"
#include "narrow/certify.h"
#include "narrow/exact_search.h"
#include "narrow/penetrate.h"
#include "narrow/polygon.h"
#include "narrow/halfspace.h"
#include "narrow/curved.h"
#include "narrow/pairs.h"
#include "narrow/curved_depth.h"
#include "narrow/box_relation.h"

/* Beyond max_distance only that is wanted. */
static void distance_cut(const grz_query *query, grz_result *result) {
  if (result->answer.relation != GRAZE_SEPARATED || !(result->answer.lower >= query->options->max_distance)) return;
  double lower = result->answer.lower;
  grz_query_forget_numbers(result);
  result->answer.lower = lower;
  result->answer.stopped = GRAZE_STOP_CUTOFF;
}

/* A lower bound for overlapping cores: the least support width that GJK met on its way, at least one. */
static void distance_depth_bound(const grz_query *query, const grz_obstacle *c, grz_gjk *gjk, grz_result *result) {
  if (gjk->lower == -__builtin_inf()) {
    graze_vec d = grz_query_direction(query, c);
    grz_cso_point p;
    gjk->lower = grz_obstacle_gap(c, d, &p, c->dim);
    gjk->lower_direction = d;
  }
  grz_certify_lower(c, gjk, result);
  result->answer.lower = real_min(result->answer.lower, 0);
  result->answer.upper = 0;
}

/* From another direction, for a simplex that holds the origin inside. Where there is none, what was `decided` stands,
 * with the simplex that its certificate names. */
__attribute__((noinline)) static bool distance_again(const grz_obstacle *c, const grz_goal *goal,
                                                     const graze_options *options, grz_gjk *gjk, bool decided,
                                                     grz_result *result) {
  grz_gjk first = *gjk;
  grz_gjk_run_again(gjk, c, goal, options);
  if (grz_certify_relation(c, gjk, result)) return true;
  first.iterations = gjk->iterations;
  if (decided) *gjk = first;
  return decided;
}

static grz_goal distance_goal(const grz_query *query, const grz_obstacle *c) {
  const graze_options *options = query->options;
  grz_goal goal = {.enough_lower = options->max_distance + c->radius / c->unit,
                   .enough_upper = -1,
                   .width = real_max(0.5 * c->support_error, 0.5 * options->tolerance * c->unit),
                   .doubt = 0.5 * c->support_error};
  if (goal.enough_lower < __builtin_inf())
    goal.enough_lower = (goal.enough_lower * (1 + 16 * GRZ_U)) * c->unit + c->support_error;
  return goal;
}

/* From the caller's cache, GJK has a good guess of its own. */
static bool distance_has_guess(const grz_query *query) {
  return query->options->method != GRAZE_METHOD_AUTO || query->options->cache;
}

/* Outlines in 2D that the first direction does not separate: their edges tell whether they overlap, and how deep. The
 * steps of GJK, which comes to the same, are shown to whoever wants to see steps. */
static bool distance_by_outlines(const grz_query *query, const grz_obstacle *c, const grz_goal *goal, grz_gjk *gjk,
                                 grz_axis_depth *axes, grz_result *result) {
  grz_cso_point point[3];
  const int iterations = gjk->iterations;
  const bool overlap = grz_penetrate_uses_polygon_axes(query, c) && grz_polygon_overlap(c, axes, point);
  if (!overlap || c->tracer) grz_gjk_continue(gjk, c, goal, query->options);
  if (!overlap) return false;
  grz_certify_overlapping(c, point, 3, result);
  result->answer.iterations = iterations;
  return true;
}

/* Polygons that the first direction separates. Steps are shown as above. */
static void distance_by_border(const grz_query *query, const grz_obstacle *c, const grz_goal *goal, grz_gjk *gjk,
                               grz_result *result) {
  grz_gjk shown; /* large: set only where there is somebody to show it to */
  if (c->tracer) shown = *gjk;
  if (!grz_boundary_walk(c, goal, gjk)) {
    grz_gjk_continue(gjk, c, goal, query->options);
    return;
  }
  result->answer.algorithm = GRAZE_ALGORITHM_BOUNDARY_WALK;
  if (c->tracer) grz_gjk_continue(&shown, c, goal, query->options);
}

/* True: `axes` are filled. */
static bool distance_of_polygons(const grz_query *query, const grz_obstacle *c, const grz_goal *goal, grz_gjk *gjk,
                                 grz_axis_depth *axes, grz_result *result) {
  grz_gjk_first_step2(gjk, c, goal, grz_query_direction(query, c), query->options);
  if (gjk->stop != GRAZE_TRACE_CONTINUE) return false;
  if (!(gjk->lower > 0)) return distance_by_outlines(query, c, goal, gjk, axes, result);
  distance_by_border(query, c, goal, gjk, result);
  return false;
}

/* True: `axes` are filled, and tell how deep they overlap. */
static bool distance_in_doubles(const grz_query *query, const grz_obstacle *c, grz_gjk *gjk, grz_axis_depth *axes,
                                grz_result *result) {
  const graze_options *options = query->options;
  grz_goal goal = distance_goal(query, c);
  if (!distance_has_guess(query) && grz_boundary_walk_applies(c)) {
    if (distance_of_polygons(query, c, &goal, gjk, axes, result)) return true;
  } else {
    grz_simplex room; /* large: set only where there is a cache */
    grz_gjk_run(gjk, c, &goal, grz_query_direction(query, c), grz_query_warm(query, c, &room), options);
  }
  result->answer.iterations = gjk->iterations;
  bool decided = grz_certify_relation(c, gjk, result);
  bool flat = gjk->stop == GRAZE_TRACE_CONTAINS_ORIGIN && !(decided && gjk->simplex.count == c->dim + 1);
  if (flat && options->method != GRAZE_METHOD_GJK) decided = distance_again(c, &goal, options, gjk, decided, result);
  result->answer.iterations = gjk->iterations;
  if (c->curved && (!decided || grz_certify_misled(gjk, result))) {
    grz_portal_refine(c, options, gjk, result);
    return false;
  }
  if (gjk->lower == -__builtin_inf()) distance_depth_bound(query, c, gjk, result);
  grz_certify_numbers(c, options->clearance, gjk, result);
  return false;
}

/* Not where a budget left open whether the cores overlap. */
static bool distance_is_deep(const grz_result *result) {
  return result->answer.relation == GRAZE_OVERLAPPING && grz_query_is_unknown(result) && result->answer.stopped == GRAZE_STOP_NONE;
}

/* In doubles; where the interval is true but wide, or nothing is decided, exact arithmetic makes it narrow. Returns
 * whether `axes` tell the depth. */
static bool distance_by_gjk(const grz_query *query, const grz_obstacle *c, grz_axis_depth *axes, grz_result *result) {
  grz_gjk gjk; /* large: set by grz_gjk_run() */
  if (distance_in_doubles(query, c, &gjk, axes, result)) return true;
  bool cut = result->answer.relation == GRAZE_SEPARATED && result->answer.lower >= query->options->max_distance;
  bool budget = gjk.stop == GRAZE_TRACE_BUDGET;
  bool surely = result->proof.kind == GRAZE_CERTIFICATE_INSIDE;
  bool deep = distance_is_deep(result) && ((c->curved && (!budget || surely)) || gjk.holds_origin);
  bool enough = cut || deep || grz_query_is_narrow(query, c, result);
  if (!enough && c->curved && !budget && result->answer.relation == GRAZE_SEPARATED)
    grz_portal_narrow(c, query->options, &gjk, result);
  bool open = result->answer.relation == GRAZE_UNDECIDED;
  if (!c->curved && (open || (!enough && !budget)))
    grz_exact_answer(c, query->options->clearance, &gjk.simplex, result);
  else if (!enough)
    grz_query_check_width(query, c, budget, result);
  grz_query_remember(query, c, &gjk.simplex, gjk.lower_direction);
  return false;
}

/* The depth of overlapping cores. Whoever asks for the surface gets what it shows; otherwise a ring of least depths,
 * where no surface is fine enough, is asked about in another way. */
__attribute__((noinline)) static void distance_deep(const grz_query *query, const grz_obstacle *c,
                                                    const grz_axis_depth *axes, grz_result *result) {
  bool shown = query->options->surface != NULL;
  if (c->curved && !shown && grz_depth_by_profiles(query, c, result)) return;
  grz_penetrate(query, c, axes, result);
  if (c->curved && !shown && result->answer.stopped == GRAZE_STOP_BUDGET) grz_depth_without_spheres(query, c, result);
}

/* The octahedron has no steps to tell: GJK, which comes to the same, has. What it says of the answer is left aside. */
__attribute__((noinline)) static void distance_show(const grz_query *query, const grz_obstacle *c,
                                                    grz_result unused) {
  grz_gjk gjk;
  grz_axis_depth axes;
  (void)distance_in_doubles(query, c, &gjk, &axes, &unused);
}

/* Two boxes: do they overlap beyond doubt? Not asked where they seem to be apart along the first direction. */
static bool distance_boxes_overlap(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  if (distance_has_guess(query) || !c->boxes || c->swept) return false;
  const graze_vec start = grz_query_direction(query, c);
  if (f64x2_sum(grz_obstacle_box_extent(&c->edges, start).far) + vec_dot(start, c->offset) < 0) return false;
  const grz_box_relation found = grz_box_relation_test(c);
  if (found.relation != GRAZE_OVERLAPPING) return false;
  if (c->tracer) distance_show(query, c, *result);
  grz_box_relation_fill(c, &found, result);
  return true;
}

void grz_distance_cores(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_axis_depth axes;
  bool known = false;
  if (query->options->method == GRAZE_METHOD_EXACT)
    grz_exact_answer(c, query->options->clearance, NULL, result);
  else if (!distance_boxes_overlap(query, c, result))
    known = distance_by_gjk(query, c, &axes, result);
  if (distance_is_deep(result))
    distance_deep(query, c, known ? &axes : NULL, result);
  else if (result->answer.relation == GRAZE_OVERLAPPING && grz_query_is_unknown(result))
    grz_penetrate_roughly(query, c, result);
}

graze_status grz_distance_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               grz_result *result) {
  grz_query query;
  grz_obstacle c;
  graze_status status = grz_query_start(&query, &c, a, b, options, result);
  if (status != GRAZE_OK) return status;
  if (query.plane)
    grz_halfspace_answer(&query, &c, result);
  else
    grz_distance_cores(&query, &c, result);
  distance_cut(&query, result);
  return GRAZE_OK;
}
