/* Is the origin in C? GJK in doubles proposes, a filter certifies, and what it cannot decide goes to the exact search
 * (polytopal cores) or to portal refinement (curved ones). */
#include "cso/brute.h"
#include "cso/certify.h"
#include "cso/exact.h"
#include "cso/plane.h"
#include "cso/portal.h"
#include "cso/query.h"
#include "cso/questions.h"
#include "cso/sat.h"

/* The direction of the last answer, if it still separates. */
static bool intersect_by_cached_axis(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  const graze_cache *cache = query->options->cache;
  if (!cache || query->options->method != GRAZE_METHOD_AUTO) return false;
  graze_vec d = cache->direction;
  double largest = vec_largest(d);
  if (!(largest > 0 && largest < __builtin_inf()) || (c->dim == 2 && d.z != 0)) return false;
  d = vec_by_largest(d);
  if (!(vec_length(d) >= 1)) return false; /* some coordinate is NaN */
  if (!grz_certify_axis(c, d, answer)) return false;
  answer->path = GRAZE_PATH_CACHED_AXIS;
  answer->iterations = 1;
  return true;
}

static void intersect_cores(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  const graze_options *options = query->options;
  grz_goal goal = {.enough_lower = c->radius + c->radius_error,
                   .enough_upper = c->radius - c->radius_error,
                   .width = 0.5 * c->support_error,
                   .doubt = 0.5 * c->support_error,
                   .boolean = options->method == GRAZE_METHOD_GJK && c->radius == 0};
  grz_simplex warm;
  grz_gjk gjk = {.iterations = 0};
  gjk.simplex.count = 0;
  if (options->method == GRAZE_METHOD_BRUTE) {
    grz_brute_answer(query, c, answer);
    return;
  }
  if (options->method == GRAZE_METHOD_SAT && grz_sat_separates(c, options, answer)) return;
  if (options->method != GRAZE_METHOD_EXACT) {
    grz_query_warm(query, c, &warm);
    grz_gjk_run(&gjk, c, &goal, grz_query_direction(query, c), &warm, options);
    bool decided = grz_certify_relation(c, &gjk, answer);
    if (!decided && gjk.stop == GRAZE_TRACE_HOLDS_ORIGIN && options->method != GRAZE_METHOD_GJK) {
      grz_gjk_again(&gjk, c, &goal, options);
      decided = grz_certify_relation(c, &gjk, answer);
    }
    answer->iterations += gjk.iterations;
    if (!decided && c->curved) grz_portal_refine(c, options, &gjk, answer);
    grz_query_remember(query, c, &gjk.simplex, gjk.lower_direction);
  }
  if (answer->relation == GRAZE_UNDECIDED && !c->curved) {
    grz_exact_answer(c, options->clearance, &gjk.simplex, answer);
  }
}

graze_status grz_intersect_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                graze_answer *answer) {
  grz_query query;
  grz_obstacle c;
  graze_status status = grz_query_start(&query, &c, a, b, options, answer);
  if (status != GRAZE_OK) return status;
  if (query.plane)
    grz_plane_answer(&query, &c, answer);
  else if (!intersect_by_cached_axis(&query, &c, answer))
    intersect_cores(&query, &c, answer);
  bool decided = answer->relation == GRAZE_SEPARATED || answer->relation == GRAZE_OVERLAPPING;
  if (decided) grz_query_forget_numbers(answer);
  return GRAZE_OK;
}
