/* GJK in doubles: the point of the CSO of two cores that is nearest to the origin.
 *
 * The simplex holds up to dim + 1 points of C; v is its point nearest to the origin, so |v| is an upper bound of the
 * distance. The support point w in direction -v gives the lower bound v·w/|v|. The loop ends when the bounds meet or
 * the query is decided. Nothing here is trusted: certify.c proves the result, or exact_search.c continues from the
 * simplex. Source: Gilbert, Johnson, Keerthi 1988; the pair of bounds as in Cameron 1997. */
#include "narrow/search.h"

#include "narrow/trace.h"

/* The number of steps that may leave |v|² unchanged on smooth shapes. There rounding hides the progress of |v|² first,
 * while the directions still improve the lower bound. */
enum { GJK_STALLS = 8 };

static inline bool gjk_contains(const grz_simplex *s, const grz_cso_point *p) {
  for (int i = 0; i < s->count; i++)
    if (grz_obstacle_same(&s->point[i], p)) return true;
  return false;
}

/* True if the origin lies on the simplex, up to rounding. */
static inline bool gjk_touches_origin(const grz_simplex *s, const grz_obstacle *c) {
  return s->vv <= c->point_error * c->point_error;
}

/* The stop tests before w is inserted. `gap` is the lower bound of this direction, `upper` is |v|. */
static inline graze_trace_stop gjk_test_support(const grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal,
                                                const grz_cso_point *w, double gap, double upper) {
  const bool first = gjk->simplex.count == 0;

  /* The supporting plane separates by as much as the query needs. */
  if (gap - c->support_error > goal->enough_lower) return GRAZE_TRACE_ORIGIN_NOT_PASSED;
  if (goal->boolean && (gap > 0 || (gap == 0 && !first))) return GRAZE_TRACE_ORIGIN_NOT_PASSED;
  if (first) return GRAZE_TRACE_CONTINUE;

  /* No progress: w is already a vertex of the simplex. */
  if (gjk_contains(&gjk->simplex, w)) return GRAZE_TRACE_VERTEX_REPEATED;

  return grz_gjk_is_converged(gjk, c, goal, upper) ? GRAZE_TRACE_BOUNDS_MET : GRAZE_TRACE_CONTINUE;
}

/* Inserts w, which is stored behind the last point of the simplex, and reduces the simplex to the smallest face whose
 * nearest point is v. If v comes no nearer because of rounding, *best keeps the former simplex. */
GRZ_TEMPLATE graze_trace_stop gjk_insert(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, grz_simplex *best,
                                         const int dim) {
  grz_simplex *s = &gjk->simplex;
  simplex_best next = {.members = 0};
  const bool first = s->count == 0;
  s->count++;
  gjk->holds_origin = simplex_nearest(s, &next, dim);
  if (gjk->holds_origin) {
    grz_simplex_hold(s);
    return GRAZE_TRACE_CONTAINS_ORIGIN;
  }
  if (!first && next.vv >= s->vv) {
    s->count--;
    if (best->count == 0 || s->vv < best->vv) *best = *s;
    if (!c->curved || gjk->stalls++ >= GJK_STALLS) return GRAZE_TRACE_NO_PROGRESS;
    s->count++;
  }
  grz_simplex_accept(s, &next);
  if (gjk_touches_origin(s, c)) return GRAZE_TRACE_CONTAINS_ORIGIN;
  if (goal->enough_upper > 0 && real_sqrt(s->vv) + c->point_error < goal->enough_upper) return GRAZE_TRACE_BOUNDS_MET;
  return GRAZE_TRACE_CONTINUE;
}

bool grz_simplex_nearest(const grz_simplex *s, simplex_best *best, int dim) {
  return dim == 2 ? simplex_nearest(s, best, 2) : simplex_nearest(s, best, 3);
}

bool grz_simplex_reduce(grz_simplex *s, int dim) {
  simplex_best best = {.members = 0};
  const bool held = grz_simplex_nearest(s, &best, dim);
  if (held)
    grz_simplex_hold(s);
  else
    grz_simplex_accept(s, &best);
  return held;
}

static void gjk_trace(const grz_gjk *gjk, const grz_obstacle *c, graze_vec d, const grz_cso_point *w) {
  const grz_simplex *s = &gjk->simplex;
  if (c->unit != 1) d = vec_unit_inf(d); /* the product of d and a tiny point would underflow */
  graze_trace_step step = grz_trace_make(c, GRAZE_PHASE_GJK, d, w, s->point, s->count);
  grz_trace_defer(c, gjk, &step);
  grz_trace_flush(c->tracer, gjk->stop);
}

/* `boxes`: both cores are boxes in 3D, whose support points take no search. */
GRZ_TEMPLATE void gjk_loop(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, graze_vec start,
                           const graze_options *options, const int dim, const bool boxes) {
  graze_vec d = gjk->simplex.count > 0 ? vec_neg(gjk->simplex.v) : start;
  grz_simplex best; /* the nearest simplex before steps without progress */
  best.count = 0;
  while (gjk->stop == GRAZE_TRACE_CONTINUE && gjk->iterations < goal->pause) {
    grz_cso_point *w = &gjk->simplex.point[gjk->simplex.count];
    double gap;

    /* Support point in direction d, and the lower bound of its supporting plane. */
    if (boxes) {
      *w = grz_obstacle_box_support(c, d);
      gap = grz_obstacle_gap_at(d, w, 0);
    } else if (gjk->climbs) {
      gjk->last = d;
      gap = grz_obstacle_climbed_gap(c, d, w);
    } else {
      gap = obstacle_gap(c, d, w, dim);
    }
    if (gap > gjk->lower) gjk->lower = gap, gjk->lower_direction = d;
    gjk->iterations++;

    gjk->stop = gjk_test_support(gjk, c, goal, w, gap, vec_length(d));
    if (gjk->stop == GRAZE_TRACE_CONTINUE || gjk->simplex.count == 0) { /* every answer needs an upper bound */
      const graze_trace_stop inserted = gjk_insert(gjk, c, goal, &best, dim);
      if (gjk->stop == GRAZE_TRACE_CONTINUE) gjk->stop = inserted;
    }
    if (gjk->stop == GRAZE_TRACE_CONTINUE && gjk->iterations >= options->max_iterations) gjk->stop = GRAZE_TRACE_BUDGET;

    if (c->tracer) gjk_trace(gjk, c, d, w);
    d = vec_neg(gjk->simplex.v);
  }
  if (best.count > 0 && !gjk->holds_origin && best.vv < gjk->simplex.vv) gjk->simplex = best;
}

static void gjk_search(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, graze_vec start,
                       const graze_options *options) {
  if (c->dim == 2)
    gjk_loop(gjk, c, goal, start, options, 2, false);
  else if (c->boxes && !c->swept)
    gjk_loop(gjk, c, goal, start, options, 3, true);
  else
    gjk_loop(gjk, c, goal, start, options, 3, false);
}

/* Hill climbing proposes support points. Scans all vertices in the directions that the result relies on. Returns false
 * if a climb ended below the support point. */
__attribute__((noinline)) static bool gjk_climbs_were_right(grz_gjk *gjk, const grz_obstacle *c) {
  grz_cso_point w;
  const double climbed = gjk->lower;
  if (gjk->stop == GRAZE_TRACE_CONTAINS_ORIGIN) { /* the simplex proves the overlap; no support width is certain */
    gjk->lower = -__builtin_inf();
    return true;
  }
  gjk->lower = grz_obstacle_gap(c, gjk->lower_direction, &w);
  if (gjk->lower < climbed) return false;
  const graze_vec d = gjk->last, best = gjk->lower_direction;
  if (d.x == best.x && d.y == best.y && d.z == best.z) return true;
  const double proposed = grz_obstacle_climbed_gap(c, d, &w);
  return grz_obstacle_gap(c, d, &w) >= proposed;
}

/* Starts a search without a reset of gjk->iterations. */
static void gjk_start(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, graze_vec start,
                      const grz_simplex *warm, const graze_options *options) {
  gjk->simplex.count = 0;
  gjk->holds_origin = false;
  gjk->lower = -__builtin_inf();
  gjk->lower_direction = start;
  gjk->stalls = 0;
  gjk->stop = GRAZE_TRACE_CONTINUE;
  if (warm && warm->count > 0) {
    gjk->simplex = *warm;
    gjk->holds_origin = grz_simplex_reduce(&gjk->simplex, c->dim);
    if (gjk_touches_origin(&gjk->simplex, c)) gjk->stop = GRAZE_TRACE_CONTAINS_ORIGIN;
  }
  gjk->climbs = c->climbs;
  gjk_search(gjk, c, goal, start, options);
  if (!gjk->climbs || gjk_climbs_were_right(gjk, c)) return;
  gjk->climbs = false;
  gjk->lower = -__builtin_inf();
  gjk->stop = GRAZE_TRACE_CONTINUE;
  gjk_search(gjk, c, goal, start, options);
}

void grz_gjk_run(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, graze_vec start, const grz_simplex *warm,
                 const graze_options *options) {
  gjk->iterations = 0;
  gjk_start(gjk, c, goal, start, warm, options);
}

void grz_gjk_run_again(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, const graze_options *options) {
  const double lower = gjk->lower;
  const graze_vec direction = gjk->lower_direction, d = vec_unit_inf(direction);
  graze_vec aside = vec_make(d.y, -d.x, 0);
  if (c->dim == 3) aside = vec_cross(d, vec_make(0.31, 0.73, -0.59));
  gjk_start(gjk, c, goal, vec_add(d, vec_scale(aside, 0.47)), NULL, options);
  if (lower > gjk->lower) gjk->lower = lower, gjk->lower_direction = direction;
}

void grz_gjk_continue(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, const graze_options *options) {
  gjk_search(gjk, c, goal, gjk->lower_direction, options);
}
