/* GJK: walk a simplex of points of C towards the origin. Each search direction gives a lower bound of the distance (the
 * supporting plane), each simplex an upper bound (its nearest point). Source: Gilbert, Johnson, Keerthi 1988; the pair
 * of bounds as in Cameron 1997. */
#include "narrow/gjk.h"

#include "narrow/trace.h"

static inline bool gjk_repeats(const grz_simplex *s, const grz_cso_point *p) {
  for (int i = 0; i < s->count; i++) {
    if (grz_obstacle_same(&s->point[i], p)) return true;
  }
  return false;
}

static void gjk_trace(const grz_gjk *gjk, const grz_obstacle *c, graze_vec d, const grz_cso_point *p) {
  const grz_simplex *s = &gjk->simplex;
  if (c->unit != 1) d = vec_unit_inf(d); /* its product with so small a point would be rounded away */
  graze_trace_step step = grz_trace_make(c, GRAZE_PHASE_GJK, d, p, s->point, s->count);
  grz_trace_defer(c, gjk, &step);
  grz_trace_flush(c->tracer, gjk->stop);
}

/* Are the bounds so close as wanted? A wide interval that leaves the relation open is worth nothing: what follows GJK
 * takes far longer to decide it. */
static inline bool gjk_is_narrow(const grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, double upper) {
  const double width = upper - gjk->lower;
  if (!(width <= goal->width)) return false;
  return width <= goal->doubt || gjk->lower - c->support_error > c->radius || upper + c->point_error < c->radius;
}

/* May the search end before the new point joins the simplex? `gap` is that of this direction, raw; `upper` is |v|. */
static inline graze_trace_stop gjk_judge_point(const grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal,
                                               const grz_cso_point *p, double gap, double upper) {
  bool first = gjk->simplex.count == 0;
  if (gap - c->support_error > goal->enough_lower) return GRAZE_TRACE_ORIGIN_NOT_PASSED;
  if (goal->boolean && (gap > 0 || (gap == 0 && !first))) return GRAZE_TRACE_ORIGIN_NOT_PASSED;
  if (first) return GRAZE_TRACE_CONTINUE;
  if (gjk_repeats(&gjk->simplex, p)) return GRAZE_TRACE_VERTEX_REPEATED;
  if (gjk_is_narrow(gjk, c, goal, upper)) return GRAZE_TRACE_BOUNDS_MET;
  return GRAZE_TRACE_CONTINUE;
}

/* On smooth shapes the last digits of |v|^2 are noise long before the directions are: a few steps that do not improve
 * it are allowed, for the lower bound's sake. `best` keeps the nearest simplex. */
enum { GJK_STALLS = 8 };

static bool gjk_may_stall(grz_gjk *gjk, const grz_obstacle *c, grz_simplex *best) {
  if (best->count == 0 || gjk->simplex.vv < best->vv) *best = gjk->simplex;
  return c->curved && gjk->stalls++ < GJK_STALLS;
}

/* The origin lies on the simplex, as far as doubles can tell. */
static inline bool gjk_is_there(const grz_simplex *s, const grz_obstacle *c) {
  return s->vv <= c->point_error * c->point_error;
}

static inline bool gjk_is_spent(const grz_gjk *gjk, const graze_options *options) {
  return gjk->stop == GRAZE_TRACE_CONTINUE && gjk->iterations >= options->max_iterations;
}

/* Takes the new point, which stands behind the others, into the simplex and reduces it; keeps the older simplex when
 * rounding made it no better. */
GRZ_TEMPLATE graze_trace_stop gjk_advance(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, grz_simplex *best,
                                          const int dim) {
  grz_simplex *s = &gjk->simplex;
  simplex_best next = {.members = 0};
  bool first = s->count == 0;
  s->count++;
  gjk->holds_origin = grz_simplex_nearest(s, &next, dim);
  if (gjk->holds_origin) {
    grz_simplex_hold(s);
    return GRAZE_TRACE_CONTAINS_ORIGIN;
  }
  if (!first && next.vv >= s->vv) {
    s->count--;
    if (!gjk_may_stall(gjk, c, best)) return GRAZE_TRACE_NO_PROGRESS;
    s->count++;
  }
  grz_simplex_accept(s, &next);
  if (gjk_is_there(s, c)) return GRAZE_TRACE_CONTAINS_ORIGIN;
  if (goal->enough_upper > 0 && real_sqrt(s->vv) + c->point_error < goal->enough_upper) return GRAZE_TRACE_BOUNDS_MET;
  return GRAZE_TRACE_CONTINUE;
}

GRZ_TEMPLATE double gjk_gap(grz_gjk *gjk, const grz_obstacle *c, graze_vec d, grz_cso_point *p, const int dim,
                            const bool boxes) {
  if (boxes) {
    *p = grz_obstacle_box_support(c, d);
    return grz_obstacle_gap_at(d, p, 0);
  }
  if (!gjk->climbs) return grz_obstacle_gap(c, d, p, dim);
  gjk->last = d;
  return grz_obstacle_climbed_gap(c, d, p);
}

/* Looks at all vertices along the directions that the search relies on. False: a climb ended too low. */
__attribute__((noinline)) static bool gjk_saw_all(grz_gjk *gjk, const grz_obstacle *c) {
  grz_cso_point p;
  double climbed = gjk->lower;
  if (gjk->stop == GRAZE_TRACE_CONTAINS_ORIGIN) { /* the simplex shows it; nothing is known of widths */
    gjk->lower = -__builtin_inf();
    return true;
  }
  gjk->lower = grz_obstacle_gap(c, gjk->lower_direction, &p, c->dim);
  if (gjk->lower < climbed) return false;
  graze_vec d = gjk->last, best = gjk->lower_direction;
  if (d.x == best.x && d.y == best.y && d.z == best.z) return true;
  double proposed = grz_obstacle_climbed_gap(c, d, &p);
  return grz_obstacle_gap(c, d, &p, c->dim) >= proposed;
}

GRZ_TEMPLATE void gjk_loop(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, graze_vec start,
                           const graze_options *options, const int dim, const bool boxes) {
  graze_vec d = gjk->simplex.count > 0 ? vec_neg(gjk->simplex.v) : start;
  grz_simplex best;
  best.count = 0;
  while (gjk->stop == GRAZE_TRACE_CONTINUE) {
    grz_cso_point *p = &gjk->simplex.point[gjk->simplex.count];
    double gap = gjk_gap(gjk, c, d, p, dim, boxes);
    if (gap > gjk->lower) gjk->lower = gap, gjk->lower_direction = d;
    gjk->iterations++;
    gjk->stop = gjk_judge_point(gjk, c, goal, p, gap, vec_length(d));
    if (gjk->stop == GRAZE_TRACE_CONTINUE)
      gjk->stop = gjk_advance(gjk, c, goal, &best, dim);
    else if (gjk->simplex.count == 0)
      (void)gjk_advance(gjk, c, goal, &best, dim); /* every answer has an upper bound */
    if (gjk_is_spent(gjk, options)) gjk->stop = GRAZE_TRACE_BUDGET;
    if (c->tracer) gjk_trace(gjk, c, d, p);
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

/* gjk->iterations go on from where they are. */
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
    gjk->holds_origin = c->dim == 2 ? grz_simplex_reduce(&gjk->simplex, 2) : grz_simplex_reduce(&gjk->simplex, 3);
    if (gjk_is_there(&gjk->simplex, c)) gjk->stop = GRAZE_TRACE_CONTAINS_ORIGIN;
  }
  gjk->climbs = c->climbs;
  gjk_search(gjk, c, goal, start, options);
  if (!gjk->climbs || gjk_saw_all(gjk, c)) return;
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

void grz_gjk_go_on(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, const graze_options *options) {
  gjk_search(gjk, c, goal, gjk->lower_direction, options);
}

void grz_gjk_begin2(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, graze_vec start,
                    const graze_options *options) {
  grz_simplex *s = &gjk->simplex;
  const double gap = grz_obstacle_gap(c, start, &s->point[0], 2);
  s->count = 0;
  gjk->holds_origin = gjk->climbs = false;
  gjk->lower = gap, gjk->lower_direction = start;
  gjk->iterations = 1, gjk->stalls = 0;
  gjk->stop = gjk_judge_point(gjk, c, goal, &s->point[0], gap, 0);
  s->count = 1, s->weight[0] = 1;
  s->v = s->point[0].w, s->vv = vec_dot(s->v, s->v);
  if (gjk->stop == GRAZE_TRACE_CONTINUE && gjk_is_there(s, c)) gjk->stop = GRAZE_TRACE_CONTAINS_ORIGIN;
  if (gjk_is_spent(gjk, options)) gjk->stop = GRAZE_TRACE_BUDGET;
  if (c->tracer) gjk_trace(gjk, c, start, &s->point[0]);
}

bool grz_gjk_look2(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal) {
  grz_cso_point p;
  const graze_vec d = vec_neg(gjk->simplex.v);
  const double gap = grz_obstacle_gap(c, d, &p, 2);
  if (gap > gjk->lower) gjk->lower = gap, gjk->lower_direction = d;
  gjk->iterations++;
  gjk->stop = gjk_judge_point(gjk, c, goal, &p, gap, vec_length(d));
  return gjk->stop != GRAZE_TRACE_CONTINUE;
}

void grz_gjk_again(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, const graze_options *options) {
  const double lower = gjk->lower;
  const graze_vec direction = gjk->lower_direction;
  graze_vec d = vec_unit_inf(direction), aside = vec_make(d.y, -d.x, 0);
  if (c->dim == 3) aside = vec_cross(d, vec_make(0.31, 0.73, -0.59));
  gjk_start(gjk, c, goal, vec_add(d, vec_scale(aside, 0.47)), NULL, options);
  if (lower > gjk->lower) gjk->lower = lower, gjk->lower_direction = direction;
}
