/* The nearest points of two cores in closed form: points, segments (also the cores of spheres and capsules) and
 * triangles in 3D, or two boxes in 3D.
 *
 * The nearest point v of C gives the upper bound |v|, and the support width along -v the lower one.
 * Source: Ericson 2005, 5.1.3 (box) and 5.1.9 (segments); Larsen, Gottschalk, Lin, Manocha, "Fast proximity queries
 * with swept sphere volumes", 1999 (triangles). Theory: docs/theory/rounding.md, "Closed forms". */
#include "narrow/stages.h"

#include "narrow/trace.h"
#include "shape/placed.h"

/* The nearest point of C, in the hull of one to three differences of vertices. */
typedef struct closed_nearest {
  grz_closest closest; /* without length and gap */
  double least;        /* min v·w over C: the gap along -v, times |v| */
  int count;
  int32_t a[4], b[4]; /* the vertices; the last element is unused */
} closed_nearest;

static inline bool closed_is_segment(const graze_shape *shape) {
  return shape->kind == GRAZE_SEGMENT || shape->kind == GRAZE_CAPSULE;
}

/* Adds a difference of vertices if its weight is not 0. */
static inline void closed_add(closed_nearest *n, int32_t a, int32_t b, double weight) {
  n->a[n->count] = a, n->b[n->count] = b;
  n->count += weight > 0;
}

/* ---- Points, segments and triangles
 *
 * The nearest points of two edges are those of a parallelogram, w(s, t) = corner + s·edge_a - t·edge_b. */

/* The vertices of a core in world axes, and the edges from each vertex to the next one. A point is a segment whose edge
 * is zero. */
typedef struct closed_core {
  int vertices, edges;
  int32_t index[3]; /* of the vertices */
  graze_vec vertex[3], edge[3];
  double square[3], inverse[3]; /* |edge|², and its inverse; 0 if the edge is zero */
} closed_core;

static inline int closed_next(const closed_core *core, int i) { return i + 1 < core->vertices ? i + 1 : 0; }

static inline void closed_set_edge(closed_core *core, int i, graze_vec edge) {
  core->edge[i] = edge;
  core->square[i] = vec_dot(edge, edge);
  core->inverse[i] = core->square[i] > 0 ? 1 / core->square[i] : 0;
}

static inline void closed_set_segment(closed_core *core, graze_vec from, graze_vec to) {
  core->vertices = 2, core->edges = 1;
  core->vertex[0] = from, core->vertex[1] = to;
  closed_set_edge(core, 0, vec_sub(to, from));
}

/* `triangles`: the core may be a triangle. */
GRZ_TEMPLATE void closed_core_make(closed_core *core, const graze_placed *placed, const int dim, const bool triangles) {
  const graze_shape *shape = &placed->shape;
  const double *rotation = placed->hidden.rotation;
  const graze_vec zero = {0, 0, 0};
  for (int i = 0; i < 3; i++) core->index[i] = i;
  if (triangles && shape->kind == GRAZE_TRIANGLE) {
    const graze_vec *v = shape->as.triangle.vertices;
    const graze_vec p = vec_rotate(rotation, v[0], dim), q = vec_rotate(rotation, v[1], dim),
                    r = vec_rotate(rotation, v[2], dim);
    core->vertices = core->edges = 3;
    core->vertex[0] = p, core->vertex[1] = q, core->vertex[2] = r;
    closed_set_edge(core, 0, vec_sub(q, p));
    closed_set_edge(core, 1, vec_sub(r, q));
    closed_set_edge(core, 2, vec_sub(p, r));
    return;
  }
  const bool segment = closed_is_segment(shape);
  closed_set_segment(core, segment ? vec_rotate(rotation, grz_core_vertex(shape, 0), dim) : zero,
                     segment ? vec_rotate(rotation, grz_core_vertex(shape, 1), dim) : zero);
  if (triangles) core->vertex[2] = core->vertex[1], core->edge[1] = core->edge[2] = zero;
}

/* An edge of a box as a segment. */
static void closed_core_edge(closed_core *core, const graze_placed *box, const int32_t edge[2]) {
  const double *rotation = box->hidden.rotation;
  core->index[0] = edge[0], core->index[1] = edge[1];
  closed_set_segment(core, vec_rotate(rotation, grz_core_vertex(&box->shape, (size_t)edge[0]), 3),
                     vec_rotate(rotation, grz_core_vertex(&box->shape, (size_t)edge[1]), 3));
}

/* Two edges, and the parameters of their nearest points. */
typedef struct closed_edges {
  int i, j;
  double s, t;
} closed_edges;

static inline closed_edges closed_nearest_of_edges(const closed_core *a, const closed_core *b, int i, int j,
                                                   graze_vec corner) {
  const grz_segments at = grz_nearest_on_segments(a->edge[i], a->square[i], a->inverse[i], b->edge[j], b->square[j],
                                                  b->inverse[j], corner, 0);
  return (closed_edges){i, j, at.s, at.t};
}

/* The first vertex difference of two edges. */
static inline graze_vec closed_corner(const grz_obstacle *c, const closed_core *a, const closed_core *b, int i, int j) {
  return vec_add(vec_sub(a->vertex[i], b->vertex[j]), c->offset);
}

/* min v·w over C, relative to the vertices i and j. */
GRZ_TEMPLATE double closed_least(const closed_core *a, const closed_core *b, graze_vec v, graze_vec corner, int i,
                                 int j, const bool triangles) {
  f64x2 most = {0, 0};
  for (int k = 0; k < (triangles ? 3 : 2); k++)
    most = f64x2_max(most, (f64x2){-vec_dot(v, vec_sub(a->vertex[k], a->vertex[i])),
                                   vec_dot(v, vec_sub(b->vertex[k], b->vertex[j]))});
  return (vec_dot(v, corner) - most[0]) - most[1];
}

/* The index of the least of three numbers, the first of equal ones. Without a branch, because it is unpredictable. */
static inline int closed_lowest(double x, double y, double z) {
  const int third = (z < x) & (z < y), second = (y < x) & ~third;
  return second + 2 * third;
}

/* Sets the nearest point of C that two edges give. Returns false if it is inside the parallelogram in 2D: then the
 * segments intersect. */
GRZ_TEMPLATE bool closed_set_edges(const grz_obstacle *c, const closed_core *a, const closed_core *b,
                                   const closed_edges *at, closed_nearest *n, const int dim, const bool triangles) {
  const int i = at->i, j = at->j, next_i = closed_next(a, i), next_j = closed_next(b, j);
  const graze_vec e = a->edge[i], f = b->edge[j], corner = closed_corner(c, a, b, i, j);
  const double s = at->s, t = at->t;

  /* The half of the parallelogram at the first corner, or at the opposite one. */
  const bool opposite = s + t > 1;
  closed_add(n, a->index[opposite ? next_i : i], b->index[opposite ? next_j : j], opposite ? (s + t) - 1 : (1 - s) - t);
  closed_add(n, a->index[next_i], b->index[j], opposite ? 1 - t : s);
  closed_add(n, a->index[i], b->index[next_j], opposite ? 1 - s : t);

  grz_closest *to = &n->closest;
  to->core_a = vec_add(a->vertex[i], vec_scale(e, s)), to->core_b = vec_add(b->vertex[j], vec_scale(f, t));
  to->v = vec_add(vec_sub(to->core_a, to->core_b), c->offset);
  const bool inside = s > 0 && s < 1 && t > 0 && t < 1;
  if (inside && dim == 2) return false;
  const graze_vec normal = vec_cross(e, f);
  const double square = vec_dot(normal, normal), share = vec_dot(to->v, to->v) / (c->size * c->size);
  /* The direction of this difference is off by u·size/|v|, that of the normal by u over the sine of the edges' angle.
   */
  if (inside && square > share * (a->square[i] * b->square[j]))
    to->v = vec_scale(normal, vec_dot(normal, corner) / square);
  n->least = closed_least(a, b, to->v, corner, i, j, triangles);
  return true;
}

/* The plane of a triangle against the vertices of another core. */
typedef struct closed_face {
  graze_vec normal;
  double square, height; /* |normal|²; the signed height of the nearest vertex, times |normal| */
  double weight[3];      /* of the foot of that vertex, times |normal|² */
  int vertex;            /* the nearest one */
  bool separates, over;  /* the plane separates the cores; the foot is inside the triangle too */
} closed_face;

/* Tests the vertices of `other` against the triangle `face`. sign: 1 if `face` is A, -1 if it is B. Without branches,
 * because none would be predictable. */
GRZ_TEMPLATE closed_face closed_test_face(const grz_obstacle *c, const closed_core *face, const closed_core *other,
                                          const int sign) {
  closed_face f = {.normal = vec_cross(face->edge[0], face->edge[1])};
  const graze_vec from = sign > 0 ? vec_add(face->vertex[0], c->offset) : vec_sub(face->vertex[0], c->offset);
  double height[3];
  for (int i = 0; i < 3; i++) height[i] = vec_dot(f.normal, vec_sub(other->vertex[i], from));
  const int low = closed_lowest(height[0], height[1], height[2]);
  const int high = closed_lowest(-height[0], -height[1], -height[2]);
  const bool above = height[low] > 0;
  f.vertex = high ^ ((low ^ high) & -(int)above);
  f.height = height[f.vertex];
  f.separates = above | (height[high] < 0);
  f.square = vec_dot(f.normal, f.normal);

  /* Twice the areas of the three parts of the triangle at the foot of the vertex, times the length of the normal. */
  const graze_vec aside = vec_cross(vec_sub(other->vertex[f.vertex], from), f.normal);
  f.weight[1] = vec_dot(aside, face->edge[2]), f.weight[2] = vec_dot(aside, face->edge[0]);
  f.weight[0] = (f.square - f.weight[1]) - f.weight[2];
  f.over = f.separates & (f.weight[0] > 0) & (f.weight[1] > 0) & (f.weight[2] > 0);
  return f;
}

/* Sets the nearest point: the vertex and its foot. */
GRZ_TEMPLATE void closed_set_face(const grz_obstacle *c, const closed_core *face, const closed_core *other,
                                  const closed_face *f, const int sign, closed_nearest *n) {
  grz_closest *to = &n->closest;
  const int k = f->vertex;
  const graze_vec foot = vec_sub(vec_add(face->vertex[0], vec_scale(face->edge[0], f->weight[1] / f->square)),
                                 vec_scale(face->edge[2], f->weight[2] / f->square));
  for (int i = 0; i < 3; i++) n->a[i] = sign > 0 ? i : k, n->b[i] = sign > 0 ? k : i;
  n->count = 3;
  to->core_a = sign > 0 ? foot : other->vertex[k], to->core_b = sign > 0 ? other->vertex[k] : foot;
  to->v = vec_scale(f->normal, -sign * f->height / f->square); /* the difference has fewer digits */
  n->least = sign > 0 ? closed_least(face, other, to->v, closed_corner(c, face, other, 0, k), 0, k, true)
                      : closed_least(other, face, to->v, closed_corner(c, other, face, k, 0), k, 0, true);
}

/* The vertices of a core in the order of their edges: the vertex farthest along d, the one before it, the one after. */
static inline void closed_order(const closed_core *core, graze_vec d, int order[3]) {
  const int best = core->edges == 1 ? 0
                                    : closed_lowest(-vec_dot(d, core->vertex[0]), -vec_dot(d, core->vertex[1]),
                                                    -vec_dot(d, core->vertex[2]));
  order[0] = best, order[1] = (best + 2) % 3, order[2] = (best + 1) % 3;
}

/* Returns whether v, from an edge point of one core, does not point away from its other vertex. */
static inline bool closed_is_support(const closed_core *core, int i, double t, graze_vec v) {
  const graze_vec other = core->edge[(i + 2) % 3]; /* from the other vertex to vertex i */
  return (core->edges == 1) | (vec_dot(v, other) + t * vec_dot(v, core->edge[i]) <= 0);
}

/* The nearest points of the edges, in 3D. Stops at the first pair that no vertex of C contradicts, so pairs at the
 * vertices that face each other are the first ones. */
static closed_edges closed_search_edges(const grz_obstacle *c, const closed_core *a, const closed_core *b) {
  static const int8_t order[9][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}, {2, 1}, {1, 2}, {2, 2}};
  int order_a[3], order_b[3];
  closed_edges best = {0, 0, 0, 0};
  double least = __builtin_inf();
  closed_order(a, vec_neg(c->offset), order_a);
  closed_order(b, c->offset, order_b);
  for (int k = 0; k < 9; k++) {
    if (order[k][0] >= a->edges || order[k][1] >= b->edges) continue;
    const int i = order_a[order[k][0]], j = order_b[order[k][1]];
    const graze_vec corner = closed_corner(c, a, b, i, j);
    const closed_edges at = closed_nearest_of_edges(a, b, i, j, corner);
    const graze_vec v = vec_sub(vec_add(corner, vec_scale(a->edge[i], at.s)), vec_scale(b->edge[j], at.t));
    const double square = vec_dot(v, v);
    if (!(square < least)) continue;
    least = square, best = at;
    const int of_a = closed_is_support(a, i, at.s, v), of_b = closed_is_support(b, j, at.t, vec_neg(v));
    if (of_a & of_b) break; /* one branch, because neither is predictable */
  }
  return best;
}

/* Returns false if the cores intersect in 2D, and with `across` for two triangles of which each possibly intersects the
 * plane of the other. */
GRZ_TEMPLATE bool closed_simplices(const grz_obstacle *c, closed_nearest *n, bool across, const int dim,
                                   const bool triangles) {
  closed_core a, b;
  closed_edges at;
  closed_core_make(&a, c->a, dim, triangles);
  closed_core_make(&b, c->b, dim, triangles);
  if (!triangles) {
    at = closed_nearest_of_edges(&a, &b, 0, 0, closed_corner(c, &a, &b, 0, 0));
  } else {
    closed_face of_a = {.over = false}, of_b = of_a;
    if (a.edges == 3) of_a = closed_test_face(c, &a, &b, 1);
    if (b.edges == 3) of_b = closed_test_face(c, &b, &a, -1);
    if (of_a.over)
      closed_set_face(c, &a, &b, &of_a, 1, n);
    else if (of_b.over)
      closed_set_face(c, &b, &a, &of_b, -1, n);
    if (of_a.over || of_b.over) return true;
    if (across && a.edges == b.edges && !of_a.separates && !of_b.separates) return false;
    at = closed_search_edges(c, &a, &b);
  }
  return closed_set_edges(c, &a, &b, &at, n, dim, triangles);
}

/* Not inlined, so that points and segments, which are common, keep their short code. */
__attribute__((noinline)) static bool closed_triangles(const grz_obstacle *c, closed_nearest *n, bool across) {
  return closed_simplices(c, n, across, 3, true);
}

/* ---- Two boxes
 *
 * The nearest points are a vertex and the nearest point of the other box, or lie on two edges. In the second case no
 * direction has a larger gap than the product of these edges. docs/theory/simd.md, "Distances of boxes". */

/* Sets the nearest point of a box and vertex `vertex` of the other core, which is `point` in world axes. sign: 1 if the
 * box is B, -1 if it is A. Returns false if the box contains the point. */
static bool closed_box_vertex(const grz_obstacle *c, closed_nearest *n, double sign, int32_t vertex, graze_vec point) {
  const bool box_first = sign < 0;
  const graze_placed *box = box_first ? c->a : c->b;
  const graze_vec h = box->shape.as.box.half_extents;
  const graze_vec q = vec_unrotate(box->hidden.rotation, vec_add(point, vec_scale(c->offset, sign)), 3);
  const double half[3] = {h.x, h.y, h.z}, at[3] = {q.x, q.y, q.z};

  /* The nearest point of the box is on the feature of the coordinates that are not free. */
  double nearest[3] = {0, 0, 0}, t[4] = {0, 0, 0, 0};
  int32_t corner = 0, bit[4] = {0, 0, 0, 0};
  int free = 0;
  for (int k = 0; k < 3; k++) {
    const bool is_free = real_abs(at[k]) < half[k];
    nearest[k] = real_min(real_max(at[k], -half[k]), half[k]);
    t[free] = (at[k] + half[k]) / (2 * half[k]), bit[free] = 1 << k;
    free += is_free;
    corner |= (!is_free & (at[k] > 0)) << k;
  }
  if (free == 3) return false;
  t[free] = 0, bit[free] = 0; /* overwritten by the coordinates that are not free */
  const graze_vec difference = vec_sub(vec_make(nearest[0], nearest[1], nearest[2]), q);
  const graze_vec core = vec_rotate(box->hidden.rotation, vec_make(nearest[0], nearest[1], nearest[2]), 3);
  n->closest.v = vec_scale(vec_rotate(box->hidden.rotation, difference, 3), -sign);
  n->closest.core_a = box_first ? core : point, n->closest.core_b = box_first ? point : core;

  const bool opposite = t[0] + t[1] > 1; /* the half of a face at its last corner */
  const int32_t index[3] = {opposite ? corner | bit[0] | bit[1] : corner, corner | bit[0], corner | bit[1]};
  const double weight[3] = {opposite ? (t[0] + t[1]) - 1 : (1 - t[0]) - t[1], opposite ? 1 - t[1] : t[0],
                            opposite ? 1 - t[0] : t[1]};
  for (int i = 0; i < 3; i++) closed_add(n, box_first ? index[i] : vertex, box_first ? vertex : index[i], weight[i]);
  return true;
}

typedef struct closed_vertex {
  double square; /* of its distance from the other box */
  int32_t index;
} closed_vertex;

/* The vertex of box B of the pair that is nearest to box A. */
static closed_vertex closed_nearest_vertex(const box_pair *p) {
  const f64x2 zero = {0, 0};
  f64x2 square[4] = {zero, zero, zero, zero};
  for (int i = 0; i < 3; i++) {
    const double e = p->m[0][i] * p->b[0], f = p->m[1][i] * p->b[1], g = p->m[2][i] * p->b[2];
    const f64x2 first = {p->t[i] - e, p->t[i] + e}, low = first - f, high = first + f;
    const f64x2 at[4] = {low - g, high - g, low + g, high + g};
    for (int k = 0; k < 4; k++) {
      const f64x2 beyond = f64x2_abs(at[k]) - p->a[i], outside = (f64x2)((u64x2)beyond & (u64x2)(beyond > zero));
      square[k] = square[k] + outside * outside;
    }
  }
  const f64x2 low = f64x2_min(square[0], square[1]), high = f64x2_min(square[2], square[3]);
  const f64x2 least = f64x2_min(low, high);
  closed_vertex best = {real_min(least[0], least[1]), 0};
  unsigned equal = 0;
  for (int k = 0; k < 4; k++) equal |= (unsigned)f64x2_sign_mask((u64x2)(square[k] <= best.square)) << 2 * k;
  best.index = __builtin_ctz(equal | 0x80);
  return best;
}

/* min v·w over C. */
static double closed_least_of_boxes(const grz_obstacle *c, graze_vec v) {
  return vec_dot(v, c->offset) - f64x2_sum(grz_obstacle_box_extent(&c->edges, v).height);
}

/* Returns false if the nearest vertex is inside the other box. If the boxes intersect otherwise, `least` shows it. */
static bool closed_boxes(const grz_obstacle *c, closed_nearest *n) {
  box_pair of_a, of_b;
  int32_t edge_a[2], edge_b[2];
  grz_box_pair_make(c->a, c->b, c->offset, 1, &of_a);
  grz_box_pair_swap(&of_a, &of_b);
  const closed_vertex vertex_b = closed_nearest_vertex(&of_a), vertex_a = closed_nearest_vertex(&of_b);
  const bool vertex_of_b = vertex_b.square <= vertex_a.square;
  const int32_t vertex = vertex_of_b ? vertex_b.index : vertex_a.index;
  const graze_placed *vertex_box = vertex_of_b ? c->b : c->a;
  const graze_vec point =
      vec_rotate(vertex_box->hidden.rotation, grz_core_vertex(&vertex_box->shape, (size_t)vertex), 3);
  if (!closed_box_vertex(c, n, vertex_of_b ? -1 : 1, vertex, point)) return false;
  n->least = closed_least_of_boxes(c, n->closest.v);
  const double square = vec_dot(n->closest.v, n->closest.v), excess = square - n->least; /* (|v| - gap)·|v| */
  if (excess * real_abs(excess) <= square * (c->support_error * c->support_error)) return true;
  if (!grz_box_nearest_edges(&of_a, edge_a, edge_b)) return true;
  closed_core a, b;
  closed_core_edge(&a, c->a, edge_a);
  closed_core_edge(&b, c->b, edge_b);
  const closed_edges at = closed_nearest_of_edges(&a, &b, 0, 0, closed_corner(c, &a, &b, 0, 0));
  n->count = 0;
  (void)closed_set_edges(c, &a, &b, &at, n, 3, false);
  n->least = closed_least_of_boxes(c, n->closest.v);
  return true;
}

/* ---- The answer */

/* Records the step, with the pairs of the nearest point as simplex. */
__attribute__((noinline)) static void closed_trace(const grz_obstacle *c, const closed_nearest *n,
                                                   const grz_proof *proof) {
  const graze_vec d = vec_unit_inf(vec_neg(n->closest.v));
  grz_cso_point w, simplex[3];
  for (int i = 0; i < n->count; i++) simplex[i] = grz_obstacle_of_pair(c, &proof->pairs[i], c->dim);
  (void)grz_obstacle_gap(c, d, &w);
  graze_trace_step step = grz_trace_make(c, GRAZE_PHASE_CLOSED_FORM, d, &w, simplex, n->count);
  step.lower = n->closest.gap, step.upper = n->closest.length, step.stop = GRAZE_TRACE_BOUNDS_MET;
  grz_trace_report(c->tracer, &step);
}

GRZ_TEMPLATE bool closed_form(const grz_obstacle *c, closed_nearest *n, bool across, const int dim) {
  const graze_shape *a = &c->a->shape, *b = &c->b->shape;
  n->count = 0;
  if (dim == 3 && c->boxes) return closed_boxes(c, n);
  if (a->kind == GRAZE_TRIANGLE || b->kind == GRAZE_TRIANGLE) return closed_triangles(c, n, across);
  return closed_simplices(c, n, across, dim, false);
}

bool grz_closed_form(const grz_query *query, const grz_obstacle *c, bool measure, bool across, grz_result *result) {
  closed_nearest n;
  if (c->unit != 1 || c->swept || c->curved) return false;
  if (!(c->dim == 2 ? closed_form(c, &n, across, 2) : closed_form(c, &n, across, 3))) return false;
  grz_closest *closest = &n.closest;
  closest->length = vec_length(closest->v);
  if (!(closest->length > c->point_error)) return false; /* the cores touch, up to rounding */
  closest->gap = n.least / closest->length - c->support_error;
  if (!grz_certify_closest(c, query->options->clearance, closest, measure, result)) return false;
  result->proof.pair_count = n.count;
  for (int i = 0; i < n.count; i++)
    result->proof.pairs[i] = (grz_pair){n.a[i], n.b[i], grz_core_vertex(&c->a->shape, (size_t)n.a[i]),
                                        grz_core_vertex(&c->b->shape, (size_t)n.b[i]), 0};
  result->answer.algorithm = GRAZE_ALGORITHM_CLOSED_FORM;
  result->answer.iterations = 1;
  if (measure && !grz_query_is_narrow(query, c, result)) {
    grz_query_blank(result, c->a, c->b);
    return false;
  }
  if (c->tracer) closed_trace(c, &n, &result->proof);
  return true;
}
