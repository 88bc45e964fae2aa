/* The nearest edge of the CSO of two separated polygons, by a walk on its boundary.
 *
 * At a vertex of C, the candidates are the edges of A and of -B that begin there. The best candidate leads nearer to
 * the origin, and has the smallest angle to the direction of the origin. It is an edge of C, because the origin lies
 * outside. The end of the walk is a proposal: the support point along its normal verifies it. Theory:
 * docs/theory/axes.md, "Boundary walk". */
#include "narrow/axes.h"

#include "narrow/trace.h"
#include "shape/shape.h"

/* An edge of C that begins at the current vertex. */
typedef struct walk_edge {
  double dot, square; /* (direction to the origin)·edge, and |edge|^2 */
  int32_t a, b;       /* the vertices of A and B at its end */
} walk_edge;

/* The maximum length of a walk. Beyond it GJK is faster, because it tests all vertices at once. */
enum { WALK_EDGES = 32 };

/* Returns a core vertex. The common case, a polygon, needs no switch on the kind. */
static inline graze_vec walk_vertex(const graze_shape *shape, int32_t at) {
  return grz_is_point_set(shape) ? shape->as.hull.vertices[at] : grz_core_vertex(shape, (size_t)at);
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
static inline walk_edge walk_best_edge(const grz_obstacle *c, const grz_cso_point *at) {
  const graze_shape *shape_a = &c->a->shape, *shape_b = &c->b->shape;
  int32_t a[4] = {0, 0, at->a.index, at->a.index}, b[4] = {at->b.index, at->b.index, 0, 0};
  f64x2 dot[2], square[2];
  walk_neighbors(shape_a, at->a.index, &a[0]);
  walk_neighbors(shape_b, at->b.index, &b[2]);
  dot[0] = walk_project(at->a.local, walk_vertex(shape_a, a[0]), walk_vertex(shape_a, a[1]),
                        vec_unrotate(c->rotate_a, vec_neg(at->w), 2), &square[0]);
  dot[1] = walk_project(at->b.local, walk_vertex(shape_b, b[2]), walk_vertex(shape_b, b[3]),
                        vec_unrotate(c->rotate_b, at->w, 2), &square[1]);
  const f64x2 cosine[2] = {walk_cosines(dot[0], square[0]), walk_cosines(dot[1], square[1])};
  const f64x2 pair = f64x2_max(cosine[0], cosine[1]);
  const int best = f64x2_first_equal(cosine, 2, real_max(pair[0], pair[1]));
  return (walk_edge){dot[best / 2][best % 2], square[best / 2][best % 2], a[best], b[best]};
}

static grz_cso_point walk_point(const grz_obstacle *c, int32_t a, int32_t b) {
  const grz_core_point of_a = {walk_vertex(&c->a->shape, a), a};
  const grz_core_point of_b = {walk_vertex(&c->b->shape, b), b};
  return grz_obstacle_point(c, of_a, of_b, 2);
}

bool grz_boundary_walk_applies(const grz_obstacle *c) {
  const bool ordered = c->a->shape.kind != GRAZE_HULL && c->b->shape.kind != GRAZE_HULL;
  return c->dim == 2 && c->unit == 1 && !c->curved && !c->swept && ordered;
}

/* Makes a step pending: the point w was computed for the direction d. */
__attribute__((noinline)) static void walk_trace(const grz_obstacle *c, const grz_gjk *gjk, graze_vec d,
                                                 const grz_cso_point *w) {
  const grz_simplex *s = &gjk->simplex;
  const graze_trace_step step = grz_trace_make(c, GRAZE_PHASE_BOUNDARY_WALK, d, w, s->point, s->count);
  grz_trace_defer(c, gjk, &step);
}

/* Records the test of the nearest point: the support point along its normal. */
__attribute__((noinline)) static void walk_trace_end(const grz_obstacle *c, const grz_gjk *gjk, bool verified) {
  const graze_vec d = vec_neg(gjk->simplex.v);
  grz_cso_point w;
  (void)grz_obstacle_gap(c, d, &w);
  walk_trace(c, gjk, d, &w);
  grz_trace_flush(c->tracer, verified ? gjk->stop : GRAZE_TRACE_NO_PROGRESS);
}

bool grz_boundary_walk(const grz_obstacle *c, const grz_goal *goal, grz_gjk *gjk) {
  grz_simplex *s = &gjk->simplex;
  const grz_cso_point first = s->point[0];
  const double lower = gjk->lower;
  const graze_vec lower_direction = gjk->lower_direction;
  for (int left = WALK_EDGES; left > 0 && s->count == 1; left--) {
    const walk_edge edge = walk_best_edge(c, &s->point[0]);
    if (!(edge.dot > 0)) break;
    const bool beyond = edge.dot >= edge.square;
    s->point[beyond ? 0 : 1] = walk_point(c, edge.a, edge.b);
    s->count = beyond ? 1 : 2;
    if (c->tracer) walk_trace(c, gjk, vec_neg(s->point[s->count - 1].w), &s->point[s->count - 1]);
  }
  simplex_reduce_edge(s);
  const bool verified = grz_gjk_test_nearest2(gjk, c, goal);
  if (c->tracer) walk_trace_end(c, gjk, verified);
  if (verified) return true;
  s->point[0] = first, s->count = 1;
  simplex_reduce_edge(s);
  gjk->lower = lower, gjk->lower_direction = lower_direction;
  gjk->iterations--;
  return false;
}
