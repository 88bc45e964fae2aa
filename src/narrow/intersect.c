/* Is the origin in C? GJK in doubles proposes, a filter certifies, and what it cannot decide goes to the exact search
 * (polytopal cores) or to portal refinement (curved ones). */
#include "narrow/certify.h"
#include "narrow/exact_search.h"
#include "narrow/halfspace.h"
#include "narrow/curved.h"
#include "narrow/query.h"
#include "narrow/pairs.h"
#include "narrow/box_relation.h"
#include "shape/placed.h"

/* Relative: more than what lengths, sums and the offset lose by rounding. */
#define INTERSECT_SPHERES (1 - 32 * GRZ_U)

/* Below it squares of lengths lose digits that count. */
#define INTERSECT_LEAST 0x1p-270

/* The balls around both local origins that hold them, if these are apart. docs/theory/rounding.md, "Spheres". */
static bool intersect_by_spheres(const grz_query *query, const graze_placed *a, const graze_placed *b,
                                 grz_result *result) {
  if (query->options->method != GRAZE_METHOD_AUTO || query->plane || result->answer.conditional) return false;
  if (a->hidden.is_moving || a->hidden.is_part || b->hidden.is_part) return false;
  const graze_vec offset = placed_offset(a, b);
  const double square = vec_dot(offset, offset), reach = a->hidden.bounding_radius + b->hidden.bounding_radius;
  const double near = (reach + (a->hidden.radius + b->hidden.radius)) + query->options->clearance;
  if (!(square > INTERSECT_LEAST && square * INTERSECT_SPHERES > near * near)) return false;
  grz_certify_separated(grz_query_towards(offset), result);
  result->answer.algorithm = GRAZE_ALGORITHM_BOUNDING_SPHERES;
  result->answer.iterations = 1;
  return true;
}

/* The direction of the last answer, if it still separates. */
static bool intersect_by_cached_axis(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  const graze_cache *cache = query->options->cache;
  if (!cache || query->options->method != GRAZE_METHOD_AUTO) return false;
  graze_vec d = cache->direction;
  double largest = vec_norm_inf(d);
  if (!(largest > 0 && largest < __builtin_inf()) || (c->dim == 2 && d.z != 0)) return false;
  d = vec_unit_inf(d);
  if (!(vec_length(d) >= 1)) return false; /* some coordinate is NaN */
  if (!grz_certify_axis(c, d, result)) return false;
  result->answer.algorithm = GRAZE_ALGORITHM_CACHED_AXIS;
  result->answer.iterations = 1;
  return true;
}

/* Most pairs that are apart are so along the line of their centres. Where that takes a look at long lists of vertices,
 * GJK begins with it. */
static bool intersect_by_centres(const grz_query *query, const grz_obstacle *c, graze_vec *d, grz_result *result) {
  if (grz_is_point_set(&c->a->shape) || grz_is_point_set(&c->b->shape)) return false;
  *d = grz_query_direction(query, c);
  if (!grz_certify_axis(c, *d, result)) return false;
  result->answer.iterations = 1;
  return true;
}

static bool intersect_boxes(const grz_obstacle *c, graze_vec *d, grz_result *result) {
  const grz_box_relation found = grz_box_relation_test(c);
  *d = found.direction;
  if (found.relation != GRAZE_UNDECIDED) grz_box_relation_fill(c, &found, result);
  return found.relation != GRAZE_UNDECIDED;
}

static grz_goal intersect_goal(const grz_query *query, const grz_obstacle *c) {
  return (grz_goal){.enough_lower = c->radius + c->radius_error,
                    .enough_upper = c->radius - c->radius_error,
                    .width = 0.5 * c->support_error,
                    .doubt = 0.5 * c->support_error,
                    .boolean = query->options->method == GRAZE_METHOD_GJK && c->radius == 0};
}

/* What is decided at once has no steps to tell: GJK, which comes to the same, has. */
__attribute__((noinline)) static void intersect_show(const grz_query *query, const grz_obstacle *c) {
  const grz_goal goal = intersect_goal(query, c);
  grz_gjk gjk;
  grz_gjk_run(&gjk, c, &goal, grz_query_direction(query, c), NULL, query->options);
}

/* What takes no search through simplexes. */
static bool intersect_at_once(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  graze_cache *cache = query->options->cache;
  graze_vec last;
  if (query->options->method != GRAZE_METHOD_AUTO) return false;
  const bool boxes = c->boxes && !c->swept;
  if (!(boxes ? intersect_boxes(c, &last, result) : intersect_by_centres(query, c, &last, result))) return false;
  if (c->tracer) intersect_show(query, c);
  if (cache) cache->direction = last; /* its simplex is what a distance may begin with */
  return true;
}

static void intersect_cores(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  const graze_options *options = query->options;
  const grz_goal goal = intersect_goal(query, c);
  grz_simplex room; /* large: set only where there is a cache */
  grz_gjk gjk;      /* large: set by grz_gjk_run(), or not at all */
  gjk.simplex.count = 0;
  if (options->method != GRAZE_METHOD_EXACT) {
    grz_gjk_run(&gjk, c, &goal, grz_query_direction(query, c), grz_query_warm(query, c, &room), options);
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
  const bool spheres = intersect_by_spheres(&query, a, b, result);
  if (spheres && !query.options->tracer) return GRAZE_OK;
  grz_query_place(&query, &c, a, b);
  if (spheres)
    intersect_show(&query, &c);
  else if (query.plane)
    grz_halfspace_answer(&query, &c, result);
  else if (!intersect_by_cached_axis(&query, &c, result) && !intersect_at_once(&query, &c, result))
    intersect_cores(&query, &c, result);
  bool decided = result->answer.relation == GRAZE_SEPARATED || result->answer.relation == GRAZE_OVERLAPPING;
  if (decided) grz_query_forget_numbers(result);
  if (decided) result->answer.stopped = GRAZE_STOP_NONE; /* a decided relation has no interval that could be too wide */
  return GRAZE_OK;
}
