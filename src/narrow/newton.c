/* Newton's method for the distance of curved cores, where GJK converges only linearly.
 *
 * The distance is the maximum of f(n) = min n·w over unit vectors n and points w of the CSO. A patch is a part of the
 * CSO whose support point p(n) in direction -n is smooth: a vertex, a rim or an ellipsoid of A minus one of B. Then a
 * change of n by δ changes p by -Hδ, where H is the sum of the second derivatives of both support functions. At the
 * maximum a few patches have the same height n·p_i, and their mean v = sum λ_i p_i is parallel to n. With the height h
 * of v, and in the plane perpendicular to n, one step solves
 *
 *     (h + sum λ_i H_i)·δ = sum λ'_i p_i,    n·p_i + p_i·δ equal for all i,    sum λ'_i = 1.
 *
 * The patches and the weights λ_i are those of the simplex of GJK. Every step moves the points of the simplex to the
 * new n, adds the support point, and reduces the simplex as GJK does. So every step gives a lower and an upper bound.
 * Source: the second step of Mifflin, Sagastizábal 2005 (VU-algorithm), here with known patches. */
#include "narrow/search.h"

#include "narrow/trace.h"

/* The number of steps of GJK before each run of Newton's method, the largest number of steps of a run, and the number
 * of all steps after which no run begins. */
enum { NEWTON_AFTER = 3, NEWTON_STEPS = 8, NEWTON_LAST = 24 };

/* Nearer cores, in relation to the size, are left to GJK, because there the curvature outweighs the distance. */
#define NEWTON_NEAR 0x1p-13

/* Each step must reduce the width of the bounds by this factor. */
#define NEWTON_PROGRESS 0.25

/* The bounds meet before the normal is as accurate. The sine of the angle between n and v must be at most this. */
#define NEWTON_PARALLEL 0x1p-30

/* A symmetric matrix in the plane perpendicular to n. */
typedef struct newton_matrix {
  double ss, st, tt;
} newton_matrix;

static bool newton_applies(const grz_obstacle *c) {
  const bool user = c->a->shape.kind == GRAZE_USER || c->b->shape.kind == GRAZE_USER;
  return c->curved && !user && !c->climbs && !c->swept && c->unit == 1;
}

/* True if a point of a core lies on a rim or on an ellipsoid, not at a vertex or an apex. */
static bool newton_bends(const graze_shape *shape, const grz_core_point *p) {
  return p->index < 0 && !(shape->kind == GRAZE_CONE && p->local.z > 0);
}

static bool newton_same_patch(const graze_shape *shape, const grz_core_point *p, const grz_core_point *q) {
  return p->index == q->index && (p->index >= 0 || shape->kind == GRAZE_ELLIPSOID || p->local.z == q->local.z);
}

/* The support point of the patch of p in the world direction d. The z of a rim selects the rim. */
GRZ_TEMPLATE grz_core_point newton_move(const graze_placed *placed, grz_core_point p, graze_vec d, const int dim) {
  double slack = 0;
  if (!newton_bends(&placed->shape, &p)) return p;
  graze_vec local = vec_unrotate(placed->hidden.rotation, d, dim);
  if (placed->shape.kind != GRAZE_ELLIPSOID) local.z = p.local.z;
  return grz_support_local(&placed->shape, local, &slack);
}

/* Adds the second derivatives of the support function |(r_k d_k)| of the patch of p, times `weight`, along s and t at
 * the unit vector d, all in world axes. A rim is an ellipsoid whose third radius is 0. */
GRZ_TEMPLATE void newton_add(newton_matrix *h, const graze_placed *placed, const grz_core_point *p, double weight,
                             graze_vec world_d, graze_vec world_s, graze_vec world_t, const int dim) {
  if (!newton_bends(&placed->shape, p)) return;
  const double *rotation = placed->hidden.rotation, radius = grz_radius_parameter(&placed->shape);
  const graze_vec r =
      placed->shape.kind == GRAZE_ELLIPSOID ? placed->shape.as.ellipsoid.radii : vec_make(radius, radius, 0);
  const graze_vec d = vec_unrotate(rotation, world_d, dim);
  const graze_vec s = vec_unrotate(rotation, world_s, dim), t = vec_unrotate(rotation, world_t, dim);
  const graze_vec rd = vec_make(r.x * d.x, r.y * d.y, r.z * d.z), rs = vec_make(r.x * s.x, r.y * s.y, r.z * s.z),
                  rt = vec_make(r.x * t.x, r.y * t.y, r.z * t.z);
  const double value = vec_length(rd);
  if (!(value > 0)) return;
  const double by_s = vec_dot(rd, rs) / value, by_t = vec_dot(rd, rt) / value, scale = weight / value;
  h->ss += (vec_dot(rs, rs) - by_s * by_s) * scale;
  h->st += (vec_dot(rs, rt) - by_s * by_t) * scale;
  h->tt += (vec_dot(rt, rt) - by_t * by_t) * scale;
}

/* Solves h·x = (s, t). */
static graze_vec newton_solve(newton_matrix h, double s, double t) {
  const double det = h.ss * h.tt - h.st * h.st;
  return vec_make((h.tt * s - h.st * t) / det, (h.ss * t - h.st * s) / det, 0);
}

/* Returns the next unit vector n. */
GRZ_TEMPLATE graze_vec newton_step(const grz_obstacle *c, graze_vec n, const grz_simplex *simplex, const int dim) {
  graze_vec s = vec_make(-n.y, n.x, 0), t = vec_make(0, 0, 0);
  if (dim == 3) {
    const double x = real_abs(n.x), y = real_abs(n.y), z = real_abs(n.z);
    const graze_vec axis = vec_make(x <= y && x <= z, y < x && y <= z, z < x && z < y);
    s = vec_unit(vec_cross(n, axis));
    t = vec_cross(n, s);
  }
  graze_vec p[3], delta; /* in the axes s, t, n; the second and third from the first */
  for (int i = 0; i < 3; i++) {
    const graze_vec w = simplex->point[i < simplex->count ? i : 0].w;
    p[i] = vec_make(vec_dot(s, w), vec_dot(t, w), vec_dot(n, w));
    if (i > 0) p[i] = vec_sub(p[i], p[0]);
  }
  if (simplex->count == 3) { /* the equal heights alone define δ */
    const double det = p[1].x * p[2].y - p[1].y * p[2].x;
    delta = vec_make((p[2].z * p[1].y - p[1].z * p[2].y) / det, (p[1].z * p[2].x - p[2].z * p[1].x) / det, 0);
  } else {
    const double height = vec_dot(n, simplex->v);
    newton_matrix h = {height, 0, height};
    for (int i = 0; i < simplex->count; i++) { /* symmetric in n */
      newton_add(&h, c->a, &simplex->point[i].a, simplex->weight[i], n, s, t, dim);
      newton_add(&h, c->b, &simplex->point[i].b, simplex->weight[i], n, s, t, dim);
    }
    delta = newton_solve(h, p[0].x, p[0].y);
    if (simplex->count == 2) {
      const graze_vec by_edge = newton_solve(h, p[1].x, p[1].y);
      delta = vec_sub(delta, vec_scale(by_edge, (p[1].z + vec_dot(p[1], delta)) / vec_dot(p[1], by_edge)));
    }
  }
  return vec_unit(vec_add(n, vec_add(vec_scale(s, delta.x), vec_scale(t, delta.y))));
}

/* Sets s to a simplex whose points are moved to the direction d of their support point w, with w, reduced. Points of
 * one patch become one point. Returns false if the simplex contains the origin. */
GRZ_TEMPLATE bool newton_move_simplex(const grz_obstacle *c, const grz_simplex *from, graze_vec d,
                                      const grz_cso_point *w, grz_simplex *s, const int dim) {
  const graze_shape *a = &c->a->shape, *b = &c->b->shape;
  int kept = 0;
  for (int i = 0; i < from->count; i++) {
    const grz_core_point on_a = from->point[i].a, on_b = from->point[i].b;
    bool known = newton_same_patch(a, &on_a, &w->a) && newton_same_patch(b, &on_b, &w->b);
    for (int k = 0; k < kept && !known; k++)
      known = newton_same_patch(a, &on_a, &s->point[k].a) && newton_same_patch(b, &on_b, &s->point[k].b);
    if (known) continue;
    s->point[kept++] =
        grz_obstacle_point(c, newton_move(c->a, on_a, d, dim), newton_move(c->b, on_b, vec_neg(d), dim), dim);
  }
  s->point[kept++] = *w;
  s->count = kept;
  return !grz_simplex_reduce(s, dim);
}

static bool newton_is_parallel(graze_vec n, const grz_simplex *s) {
  const graze_vec aside = vec_sub(s->v, vec_scale(n, vec_dot(n, s->v)));
  return vec_dot(aside, aside) <= NEWTON_PARALLEL * NEWTON_PARALLEL * s->vv;
}

static void newton_trace(const grz_gjk *gjk, const grz_obstacle *c, graze_vec d, const grz_cso_point *w,
                         const grz_simplex *s, graze_trace_stop stop) {
  const graze_trace_step step = grz_trace_make(c, GRAZE_PHASE_NEWTON, d, w, s->point, s->count);
  grz_trace_defer(c, gjk, &step);
  grz_trace_flush(c->tracer, stop);
}

/* Improves the bounds of GJK. gjk->stop is CONTINUE if GJK must continue. */
GRZ_TEMPLATE void newton_run(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, const graze_options *options,
                             const int dim) {
  grz_simplex next[2];
  grz_simplex *s = &gjk->simplex, *best = s;
  graze_vec n = vec_unit(s->v);
  double width = __builtin_inf();
  graze_trace_stop stop = GRAZE_TRACE_CONTINUE;
  for (int k = 0; stop == GRAZE_TRACE_CONTINUE && vec_dot(n, n) > 0.5; k++) { /* false for NaN */
    grz_cso_point w;
    const graze_vec d = vec_neg(n);
    const double gap = obstacle_gap(c, d, &w, dim), last = width;
    gjk->iterations++;
    if (gap > gjk->lower) gjk->lower = gap, gjk->lower_direction = d;
    grz_simplex *from = s;
    s = from == &next[0] ? &next[1] : &next[0];
    const bool outside = newton_move_simplex(c, from, d, &w, s, dim);
    const double upper = real_sqrt(s->vv);
    const bool met = outside && grz_gjk_is_converged(gjk, c, goal, upper);
    width = outside ? upper - gap : __builtin_inf();
    if (gjk->lower - c->support_error > goal->enough_lower)
      stop = GRAZE_TRACE_ORIGIN_NOT_PASSED;
    else if (met && (last <= goal->width || newton_is_parallel(n, s)))
      stop = GRAZE_TRACE_BOUNDS_MET;
    else if (!outside || !(gap > 0 && width <= real_max(NEWTON_PROGRESS * last, goal->width)) || k == NEWTON_STEPS ||
             gjk->iterations >= options->max_iterations)
      stop = GRAZE_TRACE_NO_PROGRESS;
    if (outside && (stop == GRAZE_TRACE_BOUNDS_MET || s->vv < best->vv))
      best = s;
    else if (best == from && best != &gjk->simplex) /* the next step overwrites it */
      gjk->simplex = *best, best = &gjk->simplex;
    if (c->tracer) {
      if (best == s) gjk->simplex = *best; /* traces show its bound */
      newton_trace(gjk, c, d, &w, s, stop);
    }
    if (stop == GRAZE_TRACE_CONTINUE) n = newton_step(c, n, s, dim);
  }
  if (best != &gjk->simplex) gjk->simplex = *best;
  if (stop != GRAZE_TRACE_NO_PROGRESS) gjk->stop = stop;
}

void grz_gjk_run_smooth(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, graze_vec start,
                        const grz_simplex *warm, const graze_options *options) {
  grz_goal first = *goal;
  first.pause = newton_applies(c) ? NEWTON_AFTER : INT32_MAX;
  grz_gjk_run(gjk, c, &first, start, warm, options);
  while (gjk->stop == GRAZE_TRACE_CONTINUE && first.pause < NEWTON_LAST) {
    if (gjk->lower > NEWTON_NEAR * c->size) {
      if (c->dim == 2)
        newton_run(gjk, c, goal, options, 2);
      else
        newton_run(gjk, c, goal, options, 3);
    }
    if (gjk->stop == GRAZE_TRACE_CONTINUE && gjk->iterations >= options->max_iterations) gjk->stop = GRAZE_TRACE_BUDGET;
    first.pause = gjk->iterations + NEWTON_AFTER;
    grz_gjk_continue(gjk, c, &first, options);
  }
  grz_gjk_continue(gjk, c, goal, options);
}
