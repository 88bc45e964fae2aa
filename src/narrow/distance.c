/* Relation and signed distance of two convex shapes, in four stages over one state:
 * 1. Propose: a search in doubles finds a direction or a simplex. GJK applies to all shapes; boxes, polygons and pairs
 *    that one direction separates have shorter searches.
 * 2. Certify: a floating-point filter proves the proposal (certify.c).
 * 3. Refine pairs that the filter leaves undecided: exact search for polytopes, portal refinement for curved shapes.
 * 4. Depth of overlapping cores: separating axes or EPA (penetrate.c, curved_depth.c).
 *
 * Sources: Gilbert, Johnson, Keerthi 1988; van den Bergen 2003. Theory: docs/theory/rounding.md. */
#include "narrow/stages.h"

#include "narrow/axes.h"
#include "narrow/search.h"
#include "shape/placed.h"

/* The state of a query of two convex shapes. */
typedef struct grz_run {
  const grz_query *query;
  const graze_options *options;
  const grz_obstacle *c;
  grz_result *result;
  grz_goal goal;
  int tried;           /* directions of two polygons that were tried before GJK */
  grz_axis_depth axes; /* large: set only by proposers with axes */
  grz_gjk gjk;         /* the last proposal of GJK; large: set only by GJK */
} grz_run;

static inline void run_set(grz_run *run, const grz_query *query, const grz_obstacle *c, grz_result *result) {
  run->query = query, run->options = query->options, run->c = c, run->result = result;
  run->tried = 0;
  run->gjk.simplex.count = 0;
}

/* Relations: stop when the radius decides. Distances: stop beyond max_distance. */
GRZ_TEMPLATE void run_set_goal(grz_run *run, const bool measure) {
  const grz_obstacle *c = run->c;
  const graze_options *options = run->options;
  if (!measure) {
    run->goal = (grz_goal){.enough_lower = c->radius + c->radius_error,
                           .enough_upper = c->radius - c->radius_error,
                           .width = 0.5 * c->support_error,
                           .doubt = 0.5 * c->support_error,
                           .boolean = options->method == GRAZE_METHOD_GJK && c->radius == 0,
                           .pause = INT32_MAX};
    return;
  }
  run->goal = (grz_goal){.enough_lower = options->max_distance,
                         .enough_upper = -1,
                         .width = real_max(0.5 * c->support_error, 0.5 * options->tolerance * c->unit),
                         .doubt = 0.5 * c->support_error,
                         .pause = INT32_MAX};
  if (options->max_distance < __builtin_inf())
    run->goal.enough_lower =
        ((options->max_distance + c->radius / c->unit) * (1 + 16 * GRZ_U)) * c->unit + c->support_error;
}

/* ---- Stages 1 and 2: proposers that need no search. Each returns whether it decided and certified the query */

/* The direction of the last answer in the caller's cache. */
static bool propose_cached_axis(grz_run *run) {
  const graze_cache *cache = run->options->cache;
  if (!cache || run->options->method != GRAZE_METHOD_AUTO) return false;
  graze_vec d = cache->direction;
  double largest = vec_norm_inf(d);
  if (!(largest > 0 && largest < __builtin_inf()) || (run->c->dim == 2 && d.z != 0)) return false;
  d = vec_unit_inf(d);
  if (!(vec_length(d) >= 1)) return false; /* a coordinate is NaN */
  if (!grz_certify_axis(run->c, d, run->result)) return false;
  run->result->answer.algorithm = GRAZE_ALGORITHM_CACHED_AXIS;
  run->result->answer.iterations = 1;
  if (run->c->tracer) grz_trace_separation(run->c, GRAZE_PHASE_DIRECTION, d);
  return true;
}

/* The nearest points in closed form, of the shapes that have one. */
GRZ_TEMPLATE bool propose_closed_form(grz_run *run, const bool measure, const bool across) {
  graze_cache *cache = run->options->cache;
  grz_result *result = run->result;
  const graze_shape_kind kind_a = run->c->a->shape.kind, kind_b = run->c->b->shape.kind;
  if (!grz_closed_form_applies(kind_a, kind_b, run->c->dim, measure)) return false;
  if (run->options->method != GRAZE_METHOD_AUTO || !grz_closed_form(run->query, run->c, measure, across, result))
    return false;
  if (cache && result->answer.relation == GRAZE_SEPARATED) cache->direction = result->proof.direction.vector;
  return true;
}

/* Fills the answer about cores that certainly overlap: along every axis, so the axes prove the depth. Returns false if
 * the interval is too wide. */
static bool propose_depth_by_axes(grz_run *run) {
  run->result->answer.relation = GRAZE_OVERLAPPING;
  run->result->proof.kind = GRAZE_CERTIFICATE_AXES;
  run->result->proof.depth_proof = GRAZE_DEPTH_BY_AXES;
  if (grz_penetrate_by_axes(run->query, run->c, &run->axes, run->result)) return true;
  grz_query_blank(run->result, run->c->a, run->c->b);
  return false;
}

/* The depth of two boxes at rest that certainly overlap. Returns false if they do not, if the bounding spheres, the
 * cached or the first direction seem to separate them, or if the interval is too wide. */
static bool propose_box_depth(grz_run *run) {
  const grz_obstacle *c = run->c;
  if (!grz_are_boxes(&c->a->shape, &c->b->shape)) return false;
  if (run->options->method != GRAZE_METHOD_AUTO || c->swept) return false;
  const double radii = (c->a->hidden.bounding_radius + c->b->hidden.bounding_radius) * c->unit;
  if (vec_dot(c->offset, c->offset) > radii * radii) return false;
  const graze_cache *cache = run->options->cache;
  const bool cached = cache && vec_norm_inf(cache->direction) > 0;
  const graze_vec start = cached ? cache->direction : grz_query_direction(run->query, c);
  if (c->boxes && f64x2_sum(grz_obstacle_box_extent(&c->edges, start).height) + vec_dot(start, c->offset) < 0)
    return false;
  return grz_box_depth(c, true, &run->axes) && propose_depth_by_axes(run);
}

/* Two triangles that possibly intersect: the answer if they touch, the depth if they certainly overlap, otherwise the
 * closed form. Returns false if the interval is too wide. */
static bool propose_triangle_depth(grz_run *run) {
  const grz_obstacle *c = run->c;
  grz_result *result = run->result;
  if (!grz_are_triangles(&c->a->shape, &c->b->shape)) return false;
  const bool known = grz_triangle_relation(c->a, c->b, run->options, result);
  if (known && result->answer.relation == GRAZE_TOUCHING) {
    if (c->tracer) grz_trace_axes(c, result);
    return true;
  }
  if (!known || result->answer.relation == GRAZE_SEPARATED) {
    if (known) grz_query_blank(result, c->a, c->b);
    return propose_closed_form(run, true, false);
  }
  if (!run->options->surface && grz_depth_by_axes(c, &run->axes) &&
      grz_penetrate_by_axes(run->query, c, &run->axes, result))
    return true;
  grz_query_blank(result, c->a, c->b);
  return false;
}

/* Returns whether the walk is the first search. With a cache it is GJK, which starts from the simplex of the cache. */
static bool propose_walk_applies(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  const bool simple = options->method == GRAZE_METHOD_AUTO && options->cache == NULL && options->max_iterations > 1;
  return simple && !placed_is_moving(a) && grz_boundary_walk_applies(a, b) &&
         !grz_closed_form_applies(a->shape.kind, b->shape.kind, 2, true);
}

/* ---- Stage 1: searches. Each returns whether it applies, and leaves its proposal in `gjk` */

/* A point or sphere and a cylinder or cone near touching, where nearest.c does not decide: one step of GJK remains from
 * the nearest point. */
static bool propose_nearest_point(const grz_obstacle *c, grz_simplex *simplex) {
  const bool point_a = grz_core_is_point(&c->a->shape);
  if (c->swept || c->unit != 1 || !(point_a || grz_core_is_point(&c->b->shape))) return false;
  const graze_placed *solid = point_a ? c->b : c->a;
  if (solid->shape.kind != GRAZE_CYLINDER && solid->shape.kind != GRAZE_CONE) return false;
  const graze_vec from = point_a ? c->offset : vec_neg(c->offset);
  grz_core_point point = {{0, 0, 0}, 0}, nearest = {{0, 0, 0}, -1};
  if (!grz_nearest_in_core(&solid->shape, vec_unrotate(solid->hidden.rotation, from, 3), &nearest.local)) return false;
  simplex->point[0] = grz_obstacle_point(c, point_a ? point : nearest, point_a ? nearest : point, 3);
  simplex->count = 1;
  return true;
}

static void propose_gjk(grz_run *run, const bool measure) {
  const grz_obstacle *c = run->c;
  grz_simplex warm; /* large: set only if there is a cache, or a nearest point */
  const grz_simplex *from = grz_query_warm(run->query, c, &warm);
  if (run->options->method == GRAZE_METHOD_AUTO && c->curved && propose_nearest_point(c, &warm)) from = &warm;
  const graze_vec start = grz_query_direction(run->query, c);
  if (measure && c->curved && run->options->method == GRAZE_METHOD_AUTO)
    grz_gjk_run_smooth(&run->gjk, c, &run->goal, start, from, run->options);
  else
    grz_gjk_run(&run->gjk, c, &run->goal, start, from, run->options);
}

/* ---- Stage 2: certify the proposal of GJK */

/* Runs GJK again to get a simplex with the origin in its interior. If that fails and the relation was `decided`,
 * restores the simplex of its certificate. */
__attribute__((noinline)) static bool certify_again(grz_run *run, bool decided) {
  grz_gjk first = run->gjk;
  grz_gjk_run_again(&run->gjk, run->c, &run->goal, run->options);
  if (grz_certify_relation(run->c, &run->gjk, run->result)) return true;
  first.iterations = run->gjk.iterations;
  if (decided) run->gjk = first;
  return decided;
}

/* A lower bound for overlapping cores for which GJK computed none: the support width of the first direction. */
static void certify_depth_bound(grz_run *run) {
  grz_gjk *gjk = &run->gjk;
  grz_result *result = run->result;
  grz_cso_point support;
  gjk->lower_direction = grz_query_direction(run->query, run->c);
  gjk->lower = grz_obstacle_gap(run->c, gjk->lower_direction, &support);
  grz_certify_lower(run->c, gjk, result);
  result->answer.lower = real_min(result->answer.lower, 0);
  result->answer.upper = 0;
}

GRZ_TEMPLATE void stage_certify(grz_run *run, const bool measure) {
  const grz_obstacle *c = run->c;
  grz_gjk *gjk = &run->gjk;
  grz_result *result = run->result;
  result->answer.iterations = run->tried + gjk->iterations;
  bool decided = grz_certify_relation(c, gjk, result);
  const bool holds_origin = gjk->stop == GRAZE_TRACE_CONTAINS_ORIGIN;
  const bool flat = holds_origin && !(decided && (!measure || gjk->simplex.count == c->dim + 1));
  if (flat && run->options->method != GRAZE_METHOD_GJK) decided = certify_again(run, decided);
  result->answer.iterations = run->tried + gjk->iterations;
  if (c->curved && (!decided || (measure && grz_certify_has_no_upper(gjk, result)))) {
    grz_portal_refine(c, run->options, gjk, result);
  } else if (measure) {
    if (gjk->lower == -__builtin_inf()) certify_depth_bound(run);
    grz_certify_numbers(c, run->options->clearance, gjk, result);
  }
}

/* ---- Stage 3: refine exactly */

/* True if the cores certainly overlap and no budget ended the search. */
static bool refine_is_deep(const grz_result *result) {
  return result->answer.relation == GRAZE_OVERLAPPING && grz_query_is_unknown(result) &&
         result->answer.stopped == GRAZE_STOP_NONE;
}

/* Refines if nothing is decided, or if the interval is too wide. */
GRZ_TEMPLATE void stage_refine(grz_run *run, const bool measure) {
  const grz_obstacle *c = run->c;
  grz_result *result = run->result;
  const bool budget = run->gjk.stop == GRAZE_TRACE_BUDGET;
  bool enough = result->answer.relation != GRAZE_UNDECIDED;
  if (measure) {
    const bool cutoff =
        result->answer.relation == GRAZE_SEPARATED && result->answer.lower >= run->options->max_distance;
    const bool inside = result->proof.kind == GRAZE_CERTIFICATE_INSIDE;
    const bool deep = refine_is_deep(result) && ((c->curved && (!budget || inside)) || run->gjk.holds_origin);
    enough = cutoff || deep || grz_query_is_narrow(run->query, c, result);
    if (!enough && c->curved && !budget && result->answer.relation == GRAZE_SEPARATED)
      grz_portal_narrow(c, run->options, &run->gjk, result);
  }
  if (!c->curved && (result->answer.relation == GRAZE_UNDECIDED || (!enough && !budget)))
    grz_exact_answer(c, run->options->clearance, &run->gjk.simplex, result);
  else if (!enough)
    grz_query_check_width(run->query, c, budget, result);
  grz_query_update_cache(run->query, c, &run->gjk.simplex, run->gjk.lower_direction);
}

/* ---- Stage 4: the depth of overlapping cores */

/* Relative to the scale: axes that differ by less are coaxial. The bounds include the difference. */
#define EQUIVALENT_COAXIAL 0x1p-33

/* Fills a blank answer about two shapes whose nearest points have a closed form, or two polygons, neither of them a
 * half-space. Returns false if it does not apply or does not decide. */
static bool distance_without_obstacle(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                      grz_result *result) {
  if (grz_nearest_applies(a, b, options)) return grz_nearest_distance(a, b, options, result);
  return propose_walk_applies(a, b, options) && grz_polygon_distance(a, b, options, NULL, result);
}

/* Computes the same for all cores, after distance_without_obstacle() has returned false. */
static void distance_cores(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* Runs the equivalent query with the method AUTO, and without surface, cache and trace. */
static void equivalent_query(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  graze_options options = *query->options;
  options.surface = NULL, options.cache = NULL, options.tracer = NULL;
  options.method = GRAZE_METHOD_AUTO;
  grz_query inner = {.options = &options, .plane = query->plane, .compound = query->compound};
  grz_query_blank(result, c->a, c->b);
  if (!distance_without_obstacle(c->a, c->b, &options, result)) distance_cores(&inner, c, result);
}

/* Computes the depth of two coaxial solids of revolution from their profiles in 2D. Returns false for other shapes, and
 * near touching. */
static bool depth_by_profiles(const grz_query *query, const grz_obstacle *c, grz_result *result) {
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
  depth.best = -grz_obstacle_gap(c, depth.direction, &w);
  depth.high = depth.best + c->support_error;
  depth.low = -(flat.answer.upper + profiles.error) * c->unit - (c->radius + 2 * c->radius_error);
  if (!(depth.low > c->support_error)) return false; /* near touching, the pairs give a better bound */
  double in = c->a->hidden.radius + query->options->clearance;
  depth.core_a = vec_add(vec_scale(profiles.out, flat.answer.point_a.x - profiles.at_a),
                         vec_scale(profiles.axial, flat.answer.point_a.y));
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
static void depth_without_spheres(const grz_query *query, const grz_obstacle *c, grz_result *result) {
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

/* If the caller requests a surface, EPA computes the depth. Otherwise curved shapes with a ring of least depths are
 * reduced first (curved_depth.c), because no surface of the workspace is fine enough for them. */
__attribute__((noinline)) static void depth_of_cores(const grz_run *run) {
  const grz_obstacle *c = run->c;
  grz_result *result = run->result;
  const bool surface = run->options->surface != NULL;
  if (c->curved && !surface && depth_by_profiles(run->query, c, result)) return;
  grz_penetrate(run->query, c, result);
  if (c->curved && !surface && result->answer.stopped == GRAZE_STOP_BUDGET)
    depth_without_spheres(run->query, c, result);
}

static void stage_depth(grz_run *run) {
  grz_result *result = run->result;
  if (refine_is_deep(result))
    depth_of_cores(run);
  else if (result->answer.relation == GRAZE_OVERLAPPING && grz_query_is_unknown(result))
    grz_penetrate_roughly(run->query, run->c, result);
}

/* ---- Queries */

/* Runs stages 1 to 3 for cores that are no half-space. `measure`: the signed distance, not only the relation. */
GRZ_TEMPLATE void run_stages(grz_run *run, const bool measure) {
  if (run->options->method == GRAZE_METHOD_EXACT) {
    grz_exact_answer(run->c, run->options->clearance, NULL, run->result);
    return;
  }
  run_set_goal(run, measure);
  propose_gjk(run, measure);
  stage_certify(run, measure);
  stage_refine(run, measure);
}

/* The relation of cores whose relation no shorter test decided, or of a query with a tracer. */
static void intersect_cores(grz_query *query, const graze_placed *a, const graze_placed *b, bool certified,
                            grz_result *result) {
  grz_obstacle c;
  grz_run run;
  grz_query_place(query, &c, a, b);
  run_set(&run, query, &c, result);
  if (certified)
    grz_trace_decided(&c, query->options, result);
  else if (!propose_cached_axis(&run) && !propose_closed_form(&run, false, false))
    run_stages(&run, false);
}

/* Not inlined, so that the shorter tests keep their short code. */
__attribute__((noinline)) static void intersect_search(grz_query *query, const graze_placed *a, const graze_placed *b,
                                                       bool certified, grz_result *result) {
  if (query->plane)
    grz_halfspace_answer(query, a, b, result);
  else
    intersect_cores(query, a, b, certified, result);
  const bool decided = result->answer.relation == GRAZE_SEPARATED || result->answer.relation == GRAZE_OVERLAPPING;
  if (decided && !grz_query_is_unknown(result)) grz_query_clear_numbers(result);
  if (decided) result->answer.stopped = GRAZE_STOP_NONE; /* a decided relation has no interval */
}

graze_status grz_intersect_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result) {
  grz_query query;
  const graze_status status = grz_query_begin(&query, a, b, options, result);
  if (status != GRAZE_OK) return status;
  const bool certified = query.plane ? grz_halfspace_relation(a, b, query.options, result)
                                     : grz_relation_without_search(a, b, query.options, result);
  if (!certified || (query.options->tracer && !query.plane)) intersect_search(&query, a, b, certified, result);
  return GRAZE_OK;
}

static void distance_cores(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_run run;
  run_set(&run, query, c, result);
  run.tried = result->answer.iterations; /* of distance_without_obstacle() */
  if (propose_box_depth(&run) || propose_closed_form(&run, true, true) || propose_triangle_depth(&run)) return;
  run_stages(&run, true);
  stage_depth(&run);
}

/* The distance of cores whose nearest points are not known, or of a query with a tracer. */
__attribute__((noinline)) static void distance_pair(grz_query *query, const graze_placed *a, const graze_placed *b,
                                                    bool certified, grz_result *result) {
  grz_obstacle c;
  grz_query_place(query, &c, a, b);
  if (certified) {
    grz_trace_decided(&c, query->options, result);
    return;
  }
  if (c.tracer && result->answer.iterations > 0) /* records the directions that did not decide */
    (void)grz_polygon_distance(a, b, query->options, &c, result);
  distance_cores(query, &c, result);
}

graze_status grz_distance_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               grz_result *result) {
  grz_query query;
  const graze_status status = grz_query_begin(&query, a, b, options, result);
  if (status != GRAZE_OK) return status;
  if (query.plane) {
    grz_halfspace_answer(&query, a, b, result);
  } else {
    const bool certified = distance_without_obstacle(a, b, query.options, result);
    if (!certified || query.options->tracer) distance_pair(&query, a, b, certified, result);
  }
  if (result->answer.relation == GRAZE_SEPARATED && result->answer.lower >= query.options->max_distance) {
    const double lower = result->answer.lower; /* beyond max_distance, only the lower bound is computed */
    grz_query_clear_numbers(result);
    result->answer.lower = lower;
    result->answer.stopped = GRAZE_STOP_CUTOFF;
  }
  return GRAZE_OK;
}
