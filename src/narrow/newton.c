/* Newton's method for the distance of ellipsoids, points and spheres, where GJK converges only linearly.
 *
 * The distance is the maximum of f(n) = min n·w over unit vectors n and points w of the CSO. At the maximum the support
 * point w of -n is parallel to n. Near it, a change of n by δ changes w by -Hδ, where H is the sum of the second
 * derivatives of both support functions. So ((n·w) + H)·δ = w - (n·w)n in the plane perpendicular to n. Every step
 * gives a lower bound n·w and an upper bound |w|. Other curved cores have rims and faces, where H does not exist. */
#include "narrow/search.h"

#include "narrow/trace.h"

/* The number of steps of GJK before the first of Newton, and the largest number of those. */
enum { NEWTON_AFTER = 4, NEWTON_STEPS = 8 };

/* Nearer cores, in relation to the size, are left to GJK, because there the curvature outweighs the distance. */
#define NEWTON_NEAR 0x1p-10

/* Each step must reduce the width of the bounds by this factor. */
#define NEWTON_PROGRESS 0.25

/* A symmetric matrix in the plane perpendicular to n. */
typedef struct newton_matrix {
  double ss, st, tt;
} newton_matrix;

static bool newton_is_smooth(const graze_shape *shape) {
  return shape->kind == GRAZE_ELLIPSOID || grz_core_is_point(shape);
}

static bool newton_applies(const grz_obstacle *c) {
  return c->curved && newton_is_smooth(&c->a->shape) && newton_is_smooth(&c->b->shape) && !c->swept && c->unit == 1;
}

/* Adds the second derivatives of the support function |(r_k d_k)| of an ellipsoid along s and t at the unit vector d,
 * all in world axes. The core of a sphere has none. */
GRZ_TEMPLATE void newton_add(newton_matrix *h, const graze_placed *placed, graze_vec world_d, graze_vec world_s,
                             graze_vec world_t, const int dim) {
  if (placed->shape.kind != GRAZE_ELLIPSOID) return;
  const double *rotation = placed->hidden.rotation;
  const graze_vec r = placed->shape.as.ellipsoid.radii, d = vec_unrotate(rotation, world_d, dim);
  const graze_vec s = vec_unrotate(rotation, world_s, dim), t = vec_unrotate(rotation, world_t, dim);
  const graze_vec rd = vec_make(r.x * d.x, r.y * d.y, r.z * d.z), rs = vec_make(r.x * s.x, r.y * s.y, r.z * s.z),
                  rt = vec_make(r.x * t.x, r.y * t.y, r.z * t.z);
  const double value = vec_length(rd);
  if (!(value > 0)) return;
  const double by_s = vec_dot(rd, rs) / value, by_t = vec_dot(rd, rt) / value;
  h->ss += (vec_dot(rs, rs) - by_s * by_s) / value;
  h->st += (vec_dot(rs, rt) - by_s * by_t) / value;
  h->tt += (vec_dot(rt, rt) - by_t * by_t) / value;
}

/* Returns the next unit vector n. */
GRZ_TEMPLATE graze_vec newton_step(const grz_obstacle *c, graze_vec n, graze_vec w, const int dim) {
  graze_vec s = vec_make(-n.y, n.x, 0), t = vec_make(0, 0, 0);
  if (dim == 3) {
    const double x = real_abs(n.x), y = real_abs(n.y), z = real_abs(n.z);
    const graze_vec axis = vec_make(x <= y && x <= z, y < x && y <= z, z < x && z < y);
    s = vec_unit(vec_cross(n, axis));
    t = vec_cross(n, s);
  }
  const double height = vec_dot(n, w), ps = vec_dot(s, w), pt = vec_dot(t, w);
  newton_matrix h = {height, 0, height};
  newton_add(&h, c->a, n, s, t, dim); /* symmetric in n */
  newton_add(&h, c->b, n, s, t, dim);
  const double det = h.ss * h.tt - h.st * h.st;
  const double by_s = (h.tt * ps - h.st * pt) / det, by_t = (h.ss * pt - h.st * ps) / det;
  return vec_unit(vec_add(n, vec_add(vec_scale(s, by_s), vec_scale(t, by_t))));
}

static void newton_trace(const grz_gjk *gjk, const grz_obstacle *c, graze_vec d, const grz_cso_point *w,
                         graze_trace_stop stop) {
  const graze_trace_step step = grz_trace_make(c, GRAZE_PHASE_NEWTON, d, w, w, 1);
  grz_trace_defer(c, gjk, &step);
  grz_trace_flush(c->tracer, stop);
}

/* Improves the bounds of GJK. gjk->stop is CONTINUE if GJK must continue. */
GRZ_TEMPLATE void newton_run(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, const graze_options *options,
                             const int dim) {
  grz_simplex *s = &gjk->simplex;
  graze_vec n = vec_neg(vec_unit(gjk->lower_direction));
  double width = __builtin_inf();
  graze_trace_stop stop = GRAZE_TRACE_CONTINUE;
  for (int k = 0; stop == GRAZE_TRACE_CONTINUE; k++) {
    grz_cso_point w;
    const graze_vec d = vec_neg(n);
    const double gap = grz_obstacle_gap(c, d, &w, dim), square = vec_dot(w.w, w.w), last = width;
    gjk->iterations++;
    if (gap > gjk->lower) gjk->lower = gap, gjk->lower_direction = d;
    width = real_sqrt(square) - gap;
    if (gjk->lower - c->support_error > goal->enough_lower)
      stop = GRAZE_TRACE_ORIGIN_NOT_PASSED;
    else if (last <= goal->width && width <= goal->width) /* twice, because the normal needs n parallel to w, too */
      stop = GRAZE_TRACE_BOUNDS_MET;
    else if (!(gap > 0 && width <= real_max(NEWTON_PROGRESS * last, goal->width)) || k == NEWTON_STEPS ||
             gjk->iterations >= options->max_iterations)
      stop = GRAZE_TRACE_NO_PROGRESS;
    if (stop == GRAZE_TRACE_BOUNDS_MET) { /* w is the nearest point */
      s->point[0] = w, s->weight[0] = 1, s->count = 1;
      s->v = w.w, s->vv = square;
    }
    if (c->tracer) newton_trace(gjk, c, d, &w, stop);
    n = newton_step(c, n, w.w, dim);
  }
  if (stop != GRAZE_TRACE_NO_PROGRESS) gjk->stop = stop;
}

void grz_gjk_run_smooth(grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, graze_vec start,
                        const grz_simplex *warm, const graze_options *options) {
  grz_goal first = *goal;
  first.pause = newton_applies(c) ? NEWTON_AFTER : INT32_MAX;
  grz_gjk_run(gjk, c, &first, start, warm, options);
  if (gjk->stop != GRAZE_TRACE_CONTINUE) return;
  if (gjk->lower > NEWTON_NEAR * c->size) {
    if (c->dim == 2)
      newton_run(gjk, c, goal, options, 2);
    else
      newton_run(gjk, c, goal, options, 3);
  }
  if (gjk->iterations >= options->max_iterations && gjk->stop == GRAZE_TRACE_CONTINUE) gjk->stop = GRAZE_TRACE_BUDGET;
  grz_gjk_continue(gjk, c, goal, options);
}
