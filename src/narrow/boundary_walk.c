/* The distance of two polygons in 2D that a direction separates, by a walk on the boundary of the CSO, without a
 * simplex.
 *
 * At a vertex of C, the candidates are the edges of A and of -B that begin there. The best candidate leads nearer to
 * the origin, and has the smallest angle to the direction of the origin. It is an edge of C, because the origin lies
 * outside. The end of the walk is a proposal: the support value along its normal verifies it. Theory:
 * docs/theory/axes.md, "Boundary walk". */
#include "narrow/stages.h"

#include "narrow/nearest.h"
#include "shape/support.h"

/* An edge of C that begins at the current vertex. */
typedef struct walk_edge {
  double dot, square; /* (direction to the origin)·edge, and |edge|^2 */
  int32_t a, b;       /* the vertices of A and B at its end */
} walk_edge;

/* The maximum length of a walk. Beyond it GJK is faster, because it tests all vertices at once. */
enum { WALK_EDGES = 32 };

/* Returns a core vertex. The common case, a polygon, needs no switch on the kind. */
static inline grz_core_point walk_vertex(const graze_shape *shape, int32_t at) {
  const bool point_set = grz_is_point_set(shape);
  return (grz_core_point){point_set ? shape->as.hull.vertices[at] : grz_core_vertex(shape, (size_t)at), at};
}

/* The two neighbours of a vertex. */
static inline void walk_neighbors(const graze_shape *shape, int32_t at, int32_t neighbor[2]) {
  const int32_t last = (int32_t)grz_core_count(shape) - 1;
  const bool box = shape->kind == GRAZE_BOX;
  neighbor[0] = box ? at ^ 1 : at < last ? at + 1 : 0;
  neighbor[1] = box ? at ^ 2 : at > 0 ? at - 1 : last;
}

/* The products of two edges with d, and the squares of their lengths. */
static inline f64x2 walk_project(graze_vec from, graze_vec to0, graze_vec to1, graze_vec d, f64x2 *square) {
  const f64x2 x = (f64x2){to0.x, to1.x} - from.x, y = (f64x2){to0.y, to1.y} - from.y;
  *square = x * x + y * y;
  return x * d.x + y * d.y;
}

/* The squared cosines of the angles to d, times |d|² and with their signs; 0 for an edge of length 0. */
static inline f64x2 walk_cosines(f64x2 dot, f64x2 square) {
  return (f64x2)((u64x2)(dot * f64x2_abs(dot) / square) & (u64x2)(square > 0));
}

/* The edge with the smallest angle to the origin; without branches, because it is unpredictable. */
static inline walk_edge walk_best_edge(const grz_cores_pair *p, const grz_cso_point *at) {
  const graze_shape *shape_a = &p->a->shape, *shape_b = &p->b->shape;
  int32_t a[4] = {0, 0, at->a.index, at->a.index}, b[4] = {at->b.index, at->b.index, 0, 0};
  f64x2 dot[2], square[2];
  walk_neighbors(shape_a, at->a.index, &a[0]);
  walk_neighbors(shape_b, at->b.index, &b[2]);
  dot[0] = walk_project(at->a.local, walk_vertex(shape_a, a[0]).local, walk_vertex(shape_a, a[1]).local,
                        vec_unrotate(p->a->hidden.rotation, vec_neg(at->w), 2), &square[0]);
  dot[1] = walk_project(at->b.local, walk_vertex(shape_b, b[2]).local, walk_vertex(shape_b, b[3]).local,
                        vec_unrotate(p->b->hidden.rotation, at->w, 2), &square[1]);
  const f64x2 cosine[2] = {walk_cosines(dot[0], square[0]), walk_cosines(dot[1], square[1])};
  const f64x2 pair = f64x2_max(cosine[0], cosine[1]);
  const int best = f64x2_first_equal(cosine, 2, real_max(pair[0], pair[1]));
  return (walk_edge){dot[best / 2][best % 2], square[best / 2][best % 2], a[best], b[best]};
}

static inline grz_cso_point walk_point(const grz_cores_pair *p, grz_core_point a, grz_core_point b) {
  const graze_vec cores =
      vec_sub(vec_rotate(p->a->hidden.rotation, a.local, 2), vec_rotate(p->b->hidden.rotation, b.local, 2));
  return (grz_cso_point){.w = vec_add(cores, p->offset), .a = a, .b = b, .end = 0};
}

static inline grz_cso_point walk_support(const grz_cores_pair *p, graze_vec d) {
  double none = 0; /* there are no user shapes */
  return walk_point(p, grz_support_short(&p->a->shape, vec_unrotate(p->a->hidden.rotation, d, 2), &none, 2),
                    grz_support_short(&p->b->shape, vec_unrotate(p->b->hidden.rotation, vec_neg(d), 2), &none, 2));
}

/* The support value of a core in the local direction d. */
static inline double walk_height(const graze_shape *shape, graze_vec d) {
  const graze_vec *v = shape->as.hull.vertices;
  const size_t count = shape->as.hull.count;
  double none = 0;
  if (!grz_is_point_set(shape)) return grz_support_value(shape, d, &none);
  return count < GRZ_ARGMAX_SIMD_MIN ? grz_max_short(v, count, d, 2) : vec_dot(d, v[grz_argmax(v, count, d)]);
}

/* The least v·w of all points w of C. */
static inline double walk_least(const grz_cores_pair *p, graze_vec v) {
  return vec_dot(v, p->offset) - (walk_height(&p->a->shape, vec_unrotate(p->a->hidden.rotation, vec_neg(v), 2)) +
                                  walk_height(&p->b->shape, vec_unrotate(p->b->hidden.rotation, v, 2)));
}

/* The point of C that is nearest so far: from + share·(to - from). If the share is 0, `to` has no meaning. */
typedef struct walk_nearest {
  grz_cso_point from, to;
  double share;
  graze_vec v;
} walk_nearest;

static inline graze_vec walk_mean(graze_vec from, graze_vec to, double share) {
  return share > 0 ? vec_add(from, vec_scale(vec_sub(to, from), share)) : from;
}

/* Sets the nearest point of the edge between two vertices. After rounding, the edge can be zero, or the foot of the
 * origin lie at one of its ends or beyond. The direction of the mean is off by u·size/|v|, that of the normal by
 * u·size/|edge|: v is the more accurate one. */
static inline void walk_set_edge(walk_nearest *n) {
  const graze_vec w = n->from.w, e = vec_sub(n->to.w, w);
  const double foot = -vec_dot(w, e), square = vec_dot(e, e);
  if (foot >= square) {
    n->from = n->to, n->v = n->to.w;
  } else if (foot > 0) {
    n->share = foot / square;
    n->v = walk_mean(w, n->to.w, n->share);
    if (vec_dot(n->v, n->v) < square) n->v = vec_scale(vec_make(-e.y, e.x, 0), (w.y * e.x - w.x * e.y) / square);
  }
}

/* Makes a step pending: w is a point of C for the direction d. */
__attribute__((noinline)) static void walk_trace(const grz_obstacle *c, double lower, graze_vec d, grz_cso_point w,
                                                 walk_nearest n) {
  const grz_cso_point simplex[2] = {n.from, n.to};
  grz_trace_flush(c->tracer, GRAZE_TRACE_CONTINUE);
  c->tracer->step = grz_trace_make(c, GRAZE_PHASE_BOUNDARY_WALK, d, &w, simplex, n.share > 0 ? 2 : 1);
  c->tracer->step.lower = lower, c->tracer->step.upper = vec_length(n.v);
  c->tracer->pending = true;
}

/* Records the test of the nearest point: the support point along its normal. */
__attribute__((noinline)) static void walk_trace_end(const grz_obstacle *c, const grz_cores_pair *p, double lower,
                                                     walk_nearest n, bool verified) {
  bool repeated = false;
  const graze_vec d = vec_neg(n.v);
  const double length = vec_length(d);
  if (length > 0) {
    const grz_cso_point w = walk_support(p, d);
    repeated = grz_obstacle_same(&w, &n.from) || (n.share > 0 && grz_obstacle_same(&w, &n.to));
    walk_trace(c, real_max(lower, -vec_dot(d, w.w) / length), d, w, n);
  }
  grz_trace_flush(c->tracer, !verified  ? GRAZE_TRACE_NO_PROGRESS
                             : repeated ? GRAZE_TRACE_VERTEX_REPEATED
                                        : GRAZE_TRACE_BOUNDS_MET);
}

bool grz_boundary_walk_applies(const graze_placed *a, const graze_placed *b) {
  const bool ordered = a->shape.kind != GRAZE_HULL && b->shape.kind != GRAZE_HULL;
  return a->shape.dim == 2 && ordered && !grz_is_curved(&a->shape) && !grz_is_curved(&b->shape);
}

/* Fills the answer if the support value along the normal verifies the nearest point. */
static inline bool walk_answer(const grz_cores_pair *p, const walk_nearest *n, grz_result *result) {
  const graze_vec core_a = vec_rotate(p->a->hidden.rotation, walk_mean(n->from.a.local, n->to.a.local, n->share), 2);
  const graze_vec core_b = vec_rotate(p->b->hidden.rotation, walk_mean(n->from.b.local, n->to.b.local, n->share), 2);
  const graze_vec mean = vec_add(vec_sub(core_a, core_b), p->offset);
  const double square = vec_dot(n->v, n->v), gap = walk_least(p, n->v);
  const grz_cores_difference v = {.d = n->v,
                                  .square = square,
                                  .gap = gap,
                                  .near = vec_dot(mean, mean),
                                  .divisor = 1,
                                  .core_a = core_a,
                                  .core_b = core_b};
  if (!cores_answer(p, &v, true, result)) return false;
  result->proof.pair_count = n->share > 0 ? 2 : 1;
  result->proof.pairs[0] = grz_obstacle_pair(&n->from);
  if (n->share > 0) result->proof.pairs[1] = grz_obstacle_pair(&n->to);
  result->answer.algorithm = GRAZE_ALGORITHM_BOUNDARY_WALK;
  result->answer.iterations = 2;
  return true;
}

/* Fills the lower bound along the first direction if it exceeds max_distance. */
static bool walk_is_beyond(const grz_cores_pair *p, graze_vec d, grz_cso_point w, grz_result *result) {
  const double lower = (walk_least(p, vec_neg(d)) / vec_length(d) - p->r) - p->error;
  if (!(lower > CORES_LEAST && lower >= p->options->max_distance)) return false;
  grz_certify_separated(d, result);
  result->answer.lower = lower;
  result->proof.pair_count = 1;
  result->proof.pairs[0] = grz_obstacle_pair(&w);
  result->answer.algorithm = GRAZE_ALGORITHM_BOUNDARY_WALK;
  result->answer.iterations = 1;
  return true;
}

bool grz_boundary_walk(const graze_placed *a, const graze_placed *b, const graze_options *options, graze_vec start,
                       const grz_obstacle *traced, grz_result *result) {
  const grz_cores_pair p = cores_make(a, b, options, true);
  walk_nearest n = {.from = walk_support(&p, start)}; /* its address stays here, so that it lies in registers */
  n.v = n.from.w;
  const double separation = -vec_dot(start, n.from.w), lower = traced ? separation / vec_length(start) : 0;
  if (traced) grz_trace_direction(traced, GRAZE_PHASE_DIRECTION, start);
  if (!(separation > 0)) return false;
  if (options->max_distance < __builtin_inf() && walk_is_beyond(&p, start, n.from, result)) {
    if (traced) grz_trace_flush(traced->tracer, GRAZE_TRACE_ORIGIN_NOT_PASSED);
    return true;
  }
  bool ends = false;
  for (int left = WALK_EDGES; left > 0 && !ends; left--) {
    const walk_edge edge = walk_best_edge(&p, &n.from);
    if (!(edge.dot > 0)) break;
    n.to = walk_point(&p, walk_vertex(&a->shape, edge.a), walk_vertex(&b->shape, edge.b));
    ends = edge.dot < edge.square;
    if (ends)
      walk_set_edge(&n);
    else if (vec_dot(n.to.w, n.to.w) < vec_dot(n.from.w, n.from.w))
      n.from = n.to, n.v = n.to.w;
    else
      break;
    if (traced) walk_trace(traced, lower, vec_neg(n.to.w), n.to, n);
  }
  const bool verified = walk_answer(&p, &n, result);
  if (traced) walk_trace_end(traced, &p, lower, n, verified);
  return verified;
}
