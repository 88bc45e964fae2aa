/* Relation and signed distance of two convex shapes, in four stages (propose, certify, refine, depth).
 * 1. Propose: a search in doubles finds a direction or a simplex. GJK applies to all shapes; boxes, polygons and pairs
 *    that one direction separates have shorter searches.
 * 2. Certify: a floating-point filter proves the proposal (certify.h).
 * 3. Refine pairs that the filter leaves undecided: exact search for polytopes, portal refinement for curved shapes.
 * 4. Depth of overlapping cores: separating axes or EPA (penetrate.c, curved_depth.c).
 *
 * Sources: Gilbert, Johnson, Keerthi 1988; van den Bergen 2003. Theory: docs/theory/rounding.md. */
#include "narrow/stages.h"

#include "narrow/axes.h"
#include "narrow/certify.h"
#include "narrow/search.h"
#include "shape/placed.h"

/* Relative: covers the rounding of lengths, sums and the offset. */
#define SPHERES_ROUNDING (1 - 32 * GRZ_U)

/* Below this squared distance, squares of lengths may lose significant digits. */
#define SPHERES_LEAST_SQUARE 0x1p-270

/* ---- Relation */

/* Tests the bounding spheres about the local origins. docs/theory/rounding.md, "Spheres". */
static bool intersect_bounding_spheres(const grz_query *query, const graze_placed *a, const graze_placed *b,
                                       grz_result *result) {
  if (query->options->method != GRAZE_METHOD_AUTO || query->plane || result->answer.conditional) return false;
  if (a->hidden.is_moving || a->hidden.is_part || b->hidden.is_part) return false;
  const graze_vec offset = placed_offset(a, b);
  const double square = vec_dot(offset, offset), radii = a->hidden.bounding_radius + b->hidden.bounding_radius;
  const double limit = (radii + (a->hidden.radius + b->hidden.radius)) + query->options->clearance;
  if (!(square > SPHERES_LEAST_SQUARE && square * SPHERES_ROUNDING > limit * limit)) return false;
  grz_certify_separated(grz_query_towards(offset), result);
  result->answer.algorithm = GRAZE_ALGORITHM_BOUNDING_SPHERES;
  result->answer.iterations = 1;
  return true;
}

/* Records a direction that separates. */
__attribute__((noinline)) static void intersect_trace(const grz_obstacle *c, graze_phase phase, graze_vec direction) {
  grz_trace_direction(c, phase, direction);
  grz_trace_flush(c->tracer, GRAZE_TRACE_ORIGIN_NOT_PASSED);
}

/* Tests the direction of the last answer in the caller's cache. */
static bool intersect_cached_axis(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  const graze_cache *cache = query->options->cache;
  if (!cache || query->options->method != GRAZE_METHOD_AUTO) return false;
  graze_vec d = cache->direction;
  double largest = vec_norm_inf(d);
  if (!(largest > 0 && largest < __builtin_inf()) || (c->dim == 2 && d.z != 0)) return false;
  d = vec_unit_inf(d);
  if (!(vec_length(d) >= 1)) return false; /* a coordinate is NaN */
  if (!grz_certify_axis(c, d, result)) return false;
  result->answer.algorithm = GRAZE_ALGORITHM_CACHED_AXIS;
  result->answer.iterations = 1;
  if (c->tracer) intersect_trace(c, GRAZE_PHASE_DIRECTION, d);
  return true;
}

static grz_goal intersect_goal(const grz_query *query, const grz_obstacle *c) {
  return (grz_goal){.enough_lower = c->radius + c->radius_error,
                    .enough_upper = c->radius - c->radius_error,
                    .width = 0.5 * c->support_error,
                    .doubt = 0.5 * c->support_error,
                    .boolean = query->options->method == GRAZE_METHOD_GJK && c->radius == 0};
}

/* Tries to decide the relation without GJK. Two boxes in 3D use the box–box relation test. Other shapes without a
 * vertex array test the line of centres, which separates most disjoint pairs. For vertex arrays, GJK starts with that
 * line. */
static bool intersect_without_simplex(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  graze_cache *cache = query->options->cache;
  graze_vec direction;
  if (query->options->method != GRAZE_METHOD_AUTO) return false;
  if (c->boxes && !c->swept) {
    const grz_box_relation relation = grz_box_relation_test(c);
    if (relation.relation == GRAZE_UNDECIDED) return false;
    direction = relation.direction;
    grz_box_relation_fill(c, &relation, result);
  } else {
    if (grz_is_point_set(&c->a->shape) || grz_is_point_set(&c->b->shape)) return false;
    direction = grz_query_direction(query, c);
    if (!grz_certify_axis(c, direction, result)) return false;
    result->answer.iterations = 1;
    if (c->tracer) intersect_trace(c, GRAZE_PHASE_DIRECTION, direction);
  }
  if (cache) cache->direction = direction; /* the simplex in the cache stays, for a later distance query */
  return true;
}

/* GJK, its certificate, and refinement. */
static void intersect_cores(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  const graze_options *options = query->options;
  const grz_goal goal = intersect_goal(query, c);
  grz_simplex warm; /* large: set only if there is a cache */
  grz_gjk gjk;      /* large: set only by grz_gjk_run() */
  gjk.simplex.count = 0;
  if (options->method != GRAZE_METHOD_EXACT) {
    grz_gjk_run(&gjk, c, &goal, grz_query_direction(query, c), grz_query_warm(query, c, &warm), options);
    bool decided = grz_certify_relation(c, &gjk, result);
    if (!decided && gjk.stop == GRAZE_TRACE_CONTAINS_ORIGIN && options->method != GRAZE_METHOD_GJK) {
      grz_gjk_run_again(&gjk, c, &goal, options);
      decided = grz_certify_relation(c, &gjk, result);
    }
    result->answer.iterations += gjk.iterations;
    if (!decided && c->curved) grz_portal_refine(c, options, &gjk, result);
    grz_query_remember(query, c, &gjk.simplex, gjk.lower_direction);
  }
  if (result->answer.relation != GRAZE_UNDECIDED) return;
  if (c->curved)
    grz_query_check_width(query, c, gjk.stop == GRAZE_TRACE_BUDGET, result);
  else
    grz_exact_answer(c, options->clearance, &gjk.simplex, result);
}

graze_status grz_intersect_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result) {
  grz_query query;
  grz_obstacle c;
  graze_status status = grz_query_begin(&query, a, b, options, result);
  if (status != GRAZE_OK) return status;
  const bool spheres = intersect_bounding_spheres(&query, a, b, result);
  if (spheres && !query.options->tracer) return GRAZE_OK;
  grz_query_place(&query, &c, a, b);
  if (spheres)
    intersect_trace(&c, GRAZE_PHASE_BOUNDING_SPHERES, result->proof.direction.vector);
  else if (query.plane)
    grz_halfspace_answer(&query, &c, result);
  else if (!intersect_cached_axis(&query, &c, result) && !intersect_without_simplex(&query, &c, result))
    intersect_cores(&query, &c, result);
  bool decided = result->answer.relation == GRAZE_SEPARATED || result->answer.relation == GRAZE_OVERLAPPING;
  if (decided) grz_query_forget_numbers(result);
  if (decided) result->answer.stopped = GRAZE_STOP_NONE; /* a decided relation has no interval */
  return GRAZE_OK;
}

/* ---- Signed distance: stages 1 and 2 */

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

/* With a cache, GJK starts from the simplex of the cache; no other search is faster. */
static bool distance_starts_with_gjk(const grz_query *query) {
  return query->options->method != GRAZE_METHOD_AUTO || query->options->cache;
}

/* Two polygons that the first direction does not separate: the edge normals decide the overlap and give the depth.
 * Returns true if they overlap; then `axes` is filled. */
static bool distance_overlapping_polygons(const grz_query *query, const grz_obstacle *c, const grz_goal *goal,
                                          grz_gjk *gjk, grz_axis_depth *axes, grz_result *result) {
  grz_cso_point point[3];
  const int iterations = gjk->iterations;
  const bool overlap = grz_penetrate_uses_polygon_axes(query, c) && grz_polygon_overlap(c, axes, point);
  if (!overlap) {
    grz_gjk_continue(gjk, c, goal, query->options);
    return false;
  }
  grz_certify_overlapping(c, point, 3, result);
  result->answer.iterations = iterations;
  return true;
}

/* Two polygons that the first direction separates: a walk on the boundary of the CSO, or GJK if the walk fails. */
static void distance_separated_polygons(const grz_query *query, const grz_obstacle *c, const grz_goal *goal,
                                        grz_gjk *gjk, grz_result *result) {
  if (grz_boundary_walk(c, goal, gjk))
    result->answer.algorithm = GRAZE_ALGORITHM_BOUNDARY_WALK;
  else
    grz_gjk_continue(gjk, c, goal, query->options);
}

/* Runs GJK again to get a simplex with the origin in its interior. If that fails and the relation was `decided`,
 * restores the simplex of its certificate. */
__attribute__((noinline)) static bool distance_run_again(const grz_obstacle *c, const grz_goal *goal,
                                                         const graze_options *options, grz_gjk *gjk, bool decided,
                                                         grz_result *result) {
  grz_gjk first = *gjk;
  grz_gjk_run_again(gjk, c, goal, options);
  if (grz_certify_relation(c, gjk, result)) return true;
  first.iterations = gjk->iterations;
  if (decided) *gjk = first;
  return decided;
}

/* A lower bound for overlapping cores: the least support width that GJK computed, or that of the first direction. */
static void distance_bound_depth(const grz_query *query, const grz_obstacle *c, grz_gjk *gjk, grz_result *result) {
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

/* Proposes and certifies. Returns true if `axes` is filled with the depth. */
static bool distance_in_doubles(const grz_query *query, const grz_obstacle *c, grz_gjk *gjk, grz_axis_depth *axes,
                                grz_result *result) {
  const graze_options *options = query->options;
  grz_goal goal = distance_goal(query, c);
  if (!distance_starts_with_gjk(query) && c->dim == 2 && grz_boundary_walk_applies(c)) {
    grz_gjk_first_step2(gjk, c, &goal, grz_query_direction(query, c), options);
    if (gjk->stop == GRAZE_TRACE_CONTINUE) {
      if (!(gjk->lower > 0)) {
        if (distance_overlapping_polygons(query, c, &goal, gjk, axes, result)) return true;
      } else {
        distance_separated_polygons(query, c, &goal, gjk, result);
      }
    }
  } else {
    grz_simplex warm; /* large: set only if there is a cache */
    grz_gjk_run(gjk, c, &goal, grz_query_direction(query, c), grz_query_warm(query, c, &warm), options);
  }
  result->answer.iterations = gjk->iterations;
  bool decided = grz_certify_relation(c, gjk, result);
  bool flat = gjk->stop == GRAZE_TRACE_CONTAINS_ORIGIN && !(decided && gjk->simplex.count == c->dim + 1);
  if (flat && options->method != GRAZE_METHOD_GJK)
    decided = distance_run_again(c, &goal, options, gjk, decided, result);
  result->answer.iterations = gjk->iterations;
  if (c->curved && (!decided || grz_certify_misled(gjk, result))) {
    grz_portal_refine(c, options, gjk, result);
    return false;
  }
  if (gjk->lower == -__builtin_inf()) distance_bound_depth(query, c, gjk, result);
  grz_certify_numbers(c, options->clearance, gjk, result);
  return false;
}

/* Tests two boxes for a certain overlap, unless the first direction seems to separate them. */
static bool distance_overlapping_boxes(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  if (distance_starts_with_gjk(query) || !c->boxes || c->swept) return false;
  const graze_vec start = grz_query_direction(query, c);
  if (f64x2_sum(grz_obstacle_box_extent(&c->edges, start).height) + vec_dot(start, c->offset) < 0) return false;
  const grz_box_relation relation = grz_box_relation_test(c);
  if (relation.relation != GRAZE_OVERLAPPING) return false;
  grz_box_relation_fill(c, &relation, result);
  return true;
}

/* ---- Signed distance: stages 3 and 4 */

/* True if the cores certainly overlap and no budget ended the search. */
static bool distance_needs_depth(const grz_result *result) {
  return result->answer.relation == GRAZE_OVERLAPPING && grz_query_is_unknown(result) &&
         result->answer.stopped == GRAZE_STOP_NONE;
}

/* Stages 1 to 3. Refines if the interval is too wide, or if nothing is decided. Returns true if `axes` is filled. */
static bool distance_refined(const grz_query *query, const grz_obstacle *c, grz_axis_depth *axes, grz_result *result) {
  grz_gjk gjk; /* large: set by grz_gjk_run() */
  if (distance_in_doubles(query, c, &gjk, axes, result)) return true;
  bool cutoff = result->answer.relation == GRAZE_SEPARATED && result->answer.lower >= query->options->max_distance;
  bool budget = gjk.stop == GRAZE_TRACE_BUDGET;
  bool inside = result->proof.kind == GRAZE_CERTIFICATE_INSIDE;
  bool deep = distance_needs_depth(result) && ((c->curved && (!budget || inside)) || gjk.holds_origin);
  bool enough = cutoff || deep || grz_query_is_narrow(query, c, result);
  if (!enough && c->curved && !budget && result->answer.relation == GRAZE_SEPARATED)
    grz_portal_narrow(c, query->options, &gjk, result);
  bool undecided = result->answer.relation == GRAZE_UNDECIDED;
  if (!c->curved && (undecided || (!enough && !budget)))
    grz_exact_answer(c, query->options->clearance, &gjk.simplex, result);
  else if (!enough)
    grz_query_check_width(query, c, budget, result);
  grz_query_remember(query, c, &gjk.simplex, gjk.lower_direction);
  return false;
}

/* ---- Depth by an equivalent query */
/* Relative to the scale: axes that differ by less are coaxial. The bounds include the difference. */
#define EQUIVALENT_COAXIAL 0x1p-33

/* Runs the equivalent query with default options. */
static void equivalent_query(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  graze_options options = *query->options;
  options.surface = NULL, options.cache = NULL, options.tracer = NULL;
  options.method = GRAZE_METHOD_AUTO;
  grz_query inner = {.options = &options, .plane = query->plane, .compound = query->compound};
  grz_query_blank(result, c->a, c->b);
  grz_distance_cores(&inner, c, result);
}

/* Computes the depth of two coaxial solids of revolution from their profiles in 2D. Returns false for other shapes, and
 * near touching. */
static bool distance_by_profiles(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_coaxial profiles;
  grz_obstacle plane;
  grz_result flat;
  if (!grz_coaxial_make(c, EQUIVALENT_COAXIAL * c->scale / c->unit, &profiles)) return false;
  grz_obstacle_make(&plane, &profiles.a, &profiles.b, query->options->clearance);
  equivalent_query(query, &plane, &flat);
  if (flat.answer.relation != GRAZE_OVERLAPPING || grz_query_is_unknown(&flat)) return false;
  grz_cso_point w;
  grz_depth depth = {.direction = vec_add(vec_scale(profiles.out, flat.answer.normal.x),
                                          vec_scale(profiles.axial, flat.answer.normal.y))};
  depth.best = -grz_obstacle_gap(c, depth.direction, &w, 3);
  depth.high = depth.best + c->support_error;
  depth.low = -(flat.answer.upper + profiles.error) * c->unit - (c->radius + 2 * c->radius_error);
  if (!(depth.low > c->support_error)) return false; /* near touching, the pairs give a better bound */
  double in = c->a->hidden.radius + query->options->clearance;
  depth.core_a =
      vec_add(vec_scale(profiles.out, flat.answer.point_a.x), vec_scale(profiles.axial, flat.answer.point_a.y));
  depth.core_a = vec_sub(depth.core_a, vec_scale(depth.direction, in));
  depth.core_b = vec_sub(vec_add(depth.core_a, vec_scale(c->offset, 1 / c->unit)),
                         vec_scale(depth.direction, depth.best / c->unit));
  grz_certify_depth(c, query->options->clearance, &depth, result);
  result->answer.algorithm = GRAZE_ALGORITHM_EPA;
  result->answer.iterations += flat.answer.iterations;
  result->answer.stopped = flat.answer.stopped;
  return true;
}

/* Repeats the query for the ellipsoids without their inner spheres. If the new interval is narrower, it replaces that
 * of the answer. The certificate remains, but it does not prove the better bound. */
static void distance_without_spheres(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_summand a, b;
  grz_obstacle rest;
  grz_result thin;
  bool split_a = grz_summand_make(c->a, &a), split_b = grz_summand_make(c->b, &b);
  if (!split_a && !split_b) return;
  grz_obstacle_make(&rest, &a.placed, &b.placed, query->options->clearance);
  equivalent_query(query, &rest, &thin);
  double width = thin.answer.upper - thin.answer.lower, deepest = -(c->radius + 2 * c->radius_error) / c->unit;
  bool known = thin.answer.relation == GRAZE_OVERLAPPING && !grz_query_is_unknown(&thin);
  bool better = known && width >= 0 && width < result->answer.upper - result->answer.lower;
  /* A bound shallower than r would need a proof from the pairs, so it is rejected. Directions other than vectors refer
   * to points of the reduced shapes. */
  if (!better || !(thin.answer.upper < deepest) || thin.proof.direction.form != GRAZE_DIRECTION_VECTOR) return;
  thin.proof.kind = result->proof.kind, thin.proof.pair_count = result->proof.pair_count;
  for (int i = 0; i < thin.proof.pair_count; i++) thin.proof.pairs[i] = result->proof.pairs[i];
  thin.proof.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  thin.proof.surface = NULL;
  thin.answer.conditional = result->answer.conditional;
  thin.answer.iterations += result->answer.iterations;
  *result = thin;
}

/* The depth of overlapping cores. If the caller requests a surface, EPA computes it. Otherwise curved shapes with a
 * ring of least depths are reduced first (curved_depth.c), because no surface of the workspace is fine enough for
 * them. */
__attribute__((noinline)) static void distance_depth(const grz_query *query, const grz_obstacle *c,
                                                     const grz_axis_depth *axes, grz_result *result) {
  bool surface = query->options->surface != NULL;
  if (c->curved && !surface && distance_by_profiles(query, c, result)) return;
  grz_penetrate(query, c, axes, result);
  if (c->curved && !surface && result->answer.stopped == GRAZE_STOP_BUDGET) distance_without_spheres(query, c, result);
}

void grz_distance_cores(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_axis_depth axes;
  bool has_axes = false;
  if (query->options->method == GRAZE_METHOD_EXACT)
    grz_exact_answer(c, query->options->clearance, NULL, result);
  else if (!distance_overlapping_boxes(query, c, result))
    has_axes = distance_refined(query, c, &axes, result);
  if (distance_needs_depth(result))
    distance_depth(query, c, has_axes ? &axes : NULL, result);
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
  if (result->answer.relation == GRAZE_SEPARATED && result->answer.lower >= query.options->max_distance) {
    const double lower = result->answer.lower; /* beyond max_distance, only the lower bound is computed */
    grz_query_forget_numbers(result);
    result->answer.lower = lower;
    result->answer.stopped = GRAZE_STOP_CUTOFF;
  }
  return GRAZE_OK;
}
