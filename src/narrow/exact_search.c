/* Exact refinement: GJK (Gilbert, Johnson, Keerthi 1988) in exact arithmetic, then the relation and the numbers.
 *
 * Each round computes the nearest point of the simplex and a support point, until no point of the CSO is nearer. If
 * the origin lies in the CSO, interior_test() decides between touching and overlapping. Theory:
 * docs/theory/exact.md, docs/theory/termination.md. */
#include "narrow/search.h"

#include "narrow/query.h"
#include "narrow/trace.h"
#include "shape/shape.h"
#include "shape/placed.h"

/* ---- Exact support points of point sets: doubles exclude all but the nearly farthest vertices, and exact dot products
 * decide between those */
static size_t exact_farther(grz_exact *x, const graze_shape *shape, grz_bvec local, size_t best, size_t other) {
  size_t mark = x->arena->used;
  grz_bvec step = grz_bvec_sub(x->arena, grz_bvec_of(x->arena, grz_core_vertex(shape, other)),
                               grz_bvec_of(x->arena, grz_core_vertex(shape, best)));
  int sign = grz_bvec_dot(x->arena, local, step).sign;
  x->arena->used = mark;
  return sign > 0 ? other : best;
}

/* |fl(d'·v) - d·v| <= 8u·(bounding radius) + 2^-1070 for d' = scaled_direction(d), |d'| <= sqrt(3):
 * docs/theory/rounding.md. */
static size_t exact_farthest_vertex(grz_exact *x, const graze_shape *shape, double radius, grz_bvec local) {
  graze_vec d = scaled_direction(local);
  size_t count = grz_core_count(shape), best = 0;
  double most = -__builtin_inf(), error = 8 * GRZ_U * radius + 0x1p-1070;
  for (size_t i = 0; i < count; i++) {
    double score = vec_dot(grz_core_vertex(shape, i), d);
    if (score > most) most = score, best = i;
  }
  for (size_t i = 0, first = best; i < count; i++) {
    if (i == first || !(vec_dot(grz_core_vertex(shape, i), d) >= most - 2 * error)) continue;
    best = exact_farther(x, shape, local, best, i);
  }
  return best;
}

grz_core_point grz_exact_support(grz_exact *x, const graze_placed *placed, grz_bvec local) {
  const graze_shape *shape = &placed->shape;
  size_t best;
  if (shape->kind == GRAZE_BOX) {
    best = (size_t)((local.x.sign > 0) | (local.y.sign > 0) << 1 | (shape->dim == 3 && local.z.sign > 0) << 2);
  } else if (grz_bvec_is_zero(local)) {
    best = 0;
  } else {
    best = exact_farthest_vertex(x, shape, placed->hidden.bounding_radius, local);
  }
  grz_core_point point = {grz_core_vertex(shape, best), (int32_t)best};
  return point;
}

/* Appends the farthest point of the CSO along the exact world direction d, and returns the sign of d·w. */
static int exact_extend(grz_exact *x, grz_bvec d) {
  size_t mark = x->arena->used;
  int i = x->count++;
  x->a[i] = grz_exact_support(x, x->c->a, grz_placement_local_a(x->arena, &x->placing, d));
  x->b[i] = grz_exact_support(x, x->c->b, grz_bvec_neg(grz_placement_local_b(x->arena, &x->placing, d)));
  x->end[i] = grz_bvec_dot(x->arena, d, x->placing.sweep).sign > 0;
  x->arena->used = mark;
  x->w[i] = grz_placement_point_at(x->arena, &x->placing, x->a[i].local, x->b[i].local, x->end[i]);
  mark = x->arena->used;
  grz_big product = grz_bvec_dot(x->arena, d, x->w[i]);
  if (x->c->tracer) grz_trace_exact_point(x, d, product);
  x->arena->used = mark;
  return product.sign;
}

/* Resets the arena to `mark` and recomputes the points. */
static void exact_refresh(grz_exact *x) {
  x->arena->used = x->mark;
  for (int i = 0; i < x->count; i++) {
    x->w[i] = grz_placement_point_at(x->arena, &x->placing, x->a[i].local, x->b[i].local, x->end[i]);
  }
}

/* ---- Touching or overlapping: the origin is interior to the CSO if and only if no direction supports the CSO there
 *
 * The carrier is a set of points whose hull contains the origin in its relative interior. A direction that supports the
 * CSO at the origin is perpendicular to the span L of the carrier. Therefore the test runs in the orthogonal complement
 * of L. In dimension 0, the origin is interior. In dimension 1, test two directions. In dimension 2 of 3, rotate about
 * L. In full dimension, the carrier is one point at the origin: GJK among the other points finds a supporting direction
 * or a larger carrier. docs/theory/termination.md. */
static void interior_touch(const grz_exact *x, int carrier, grz_result *result) {
  result->answer.relation = GRAZE_TOUCHING;
  result->answer.distance = result->answer.lower = result->answer.upper = 0;
  result->proof.kind = GRAZE_CERTIFICATE_TOUCH;
  result->proof.pair_count = carrier;
  for (int i = 0; i < carrier; i++) result->proof.pairs[i] = grz_exact_pair(x, i);
}

static void interior_inside(const grz_exact *x, grz_result *result) {
  result->answer.relation = GRAZE_OVERLAPPING;
  result->proof.kind = GRAZE_CERTIFICATE_INSIDE;
  result->proof.pair_count = x->count;
  for (int i = 0; i < x->count; i++) result->proof.pairs[i] = grz_exact_pair(x, i);
}

static void interior_direction(const grz_exact *x, grz_result *result, graze_direction_form form, int sign,
                               const int *pairs, int count) {
  grz_direction *d = &result->proof.direction;
  d->form = form, d->sign = sign, d->axis = 0, d->count = count;
  for (int i = 0; i < count; i++) d->pairs[i] = grz_exact_pair(x, pairs[i]);
}

/* sign·(w1 - w0) × (w2 - w0); in 2D the left perpendicular of w1 - w0. */
static grz_bvec interior_facet(grz_exact *x, const int *pairs, int sign) {
  grz_bvec e = grz_bvec_sub(x->arena, x->w[pairs[1]], x->w[pairs[0]]), normal;
  if (x->c->dim == 2) {
    normal = (grz_bvec){grz_big_neg(e.y), e.x, grz_big_zero()};
  } else {
    normal = grz_bvec_cross(x->arena, e, grz_bvec_sub(x->arena, x->w[pairs[2]], x->w[pairs[0]]));
  }
  return sign > 0 ? normal : grz_bvec_neg(normal);
}

/* Tests both sides of the line or plane through the origin that `pairs` span. Returns true if one side is empty: the
 * cores touch. Otherwise appends a point on each side. */
static bool interior_both_sides(grz_exact *x, int carrier, const int *pairs, grz_result *result, grz_bvec *direction) {
  for (int sign = 1; sign >= -1; sign -= 2) {
    *direction = interior_facet(x, pairs, sign);
    if (exact_extend(x, *direction) > 0) continue;
    interior_touch(x, carrier, result);
    interior_direction(x, result, GRAZE_DIRECTION_FACET, sign, pairs, x->c->dim);
    return true;
  }
  return false;
}

/* The sign of det[w1 - w0, w_i, w_j]: > 0 if j lies to the left of i, seen along the edge of the carrier. */
static int interior_left(grz_exact *x, int i, int j) {
  size_t mark = x->arena->used;
  grz_bvec e = grz_bvec_sub(x->arena, x->w[1], x->w[0]);
  int sign = grz_bvec_det(x->arena, e, x->w[i], x->w[j]).sign;
  x->arena->used = mark;
  return sign;
}

/* A direction perpendicular to the edge of the carrier: its cross product with the first axis that is not parallel. */
static grz_bvec interior_edge(grz_exact *x, grz_result *result) {
  grz_bvec e = grz_bvec_sub(x->arena, x->w[1], x->w[0]), d = e;
  grz_big zero = grz_big_zero();
  const int pairs[2] = {0, 1};
  int axis = e.y.sign != 0 || e.z.sign != 0 ? 0 : 1;
  if (axis == 0)
    d = (grz_bvec){zero, e.z, grz_big_neg(e.y)};
  else
    d = (grz_bvec){grz_big_neg(e.z), zero, e.x};
  interior_direction(x, result, GRAZE_DIRECTION_EDGE, 1, pairs, 2);
  result->proof.direction.axis = axis;
  return d;
}

/* 3D, the carrier is an edge through the origin (points 0 and 1). Projected along the edge, the CSO is a convex set
 * that contains the origin. Rotates to the left, from point 2 through `left`, until a direction supports the set or the
 * rotation reaches 180°. */
static void interior_around_edge(grz_exact *x, grz_result *result, grz_bvec *direction) {
  *direction = interior_edge(x, result);
  if (exact_extend(x, *direction) <= 0) {
    interior_touch(x, 2, result);
    return;
  }
  x->steps++;
  for (bool first = true; !x->arena->full; first = false) {
    const int left = first ? 2 : 3, pairs[3] = {0, 1, left};
    *direction = interior_facet(x, pairs, 1);
    if (exact_extend(x, *direction) <= 0) {
      interior_touch(x, 2, result);
      interior_direction(x, result, GRAZE_DIRECTION_FACET, 1, pairs, 3);
      return;
    }
    x->steps++;
    int beyond = interior_left(x, 2, x->count - 1);
    if (beyond < 0) {
      interior_inside(x, result);
      return;
    }
    if (!first) { /* the new point replaces `left` */
      x->a[3] = x->a[4], x->b[3] = x->b[4], x->end[3] = x->end[4];
      x->count = 4;
    }
    exact_refresh(x);
    if (beyond == 0) {
      const int plane[3] = {0, 1, 2};
      if (!interior_both_sides(x, 2, plane, result, direction)) interior_inside(x, result);
      return;
    }
  }
}

static void interior_of_carrier(grz_exact *x, grz_result *result, grz_bvec *direction) {
  const int pairs[3] = {0, 1, 2};
  if (x->count == x->c->dim + 1) {
    interior_inside(x, result);
  } else if (x->count == x->c->dim) {
    int carrier = x->count;
    if (!interior_both_sides(x, carrier, pairs, result, direction)) interior_inside(x, result);
  } else {
    interior_around_edge(x, result, direction);
  }
}

/* A supporting direction was found while the carrier is the single pair `at` at the origin. */
static void interior_touch_vertex(const grz_exact *x, grz_pair at, grz_result *result) {
  result->answer.relation = GRAZE_TOUCHING;
  result->answer.distance = result->answer.lower = result->answer.upper = 0;
  result->proof.kind = GRAZE_CERTIFICATE_TOUCH;
  result->proof.pair_count = 1;
  result->proof.pairs[0] = at;
  grz_direction *d = &result->proof.direction;
  d->form = GRAZE_DIRECTION_NEAREST, d->count = x->count;
  for (int i = 0; i < x->count; i++) d->pairs[i] = grz_exact_pair(x, i);
}

/* Predicts the carrier of the nearest point in doubles, as a bit mask. */
static unsigned exact_guess(const grz_exact *x) {
  grz_simplex s = {.count = x->count};
  simplex_best best = {.members = 0};
  int64_t top = INT64_MIN;
  for (int i = 0; i < x->count; i++) {
    int64_t t = scaled_max_exponent(x->w[i]);
    if (t > top) top = t;
  }
  for (int i = 0; i < x->count && top != INT64_MIN; i++) s.point[i].w = scaled_to_vec(x->w[i], top);
  const bool held = grz_simplex_nearest(&s, &best, x->c->dim);
  return held ? (1u << x->count) - 1 : best.members;
}

/* The carrier is one pair with w = 0. GJK among the other points ends with a direction that supports the CSO, or with
 * the origin in the hull of at least two of them. */
static void interior_of_vertex(grz_exact *x, grz_result *result, grz_bvec *direction) {
  grz_pair at = grz_exact_pair(x, 0);
  graze_vec axis = {1, 0, 0};
  x->count = 0;
  *direction = grz_bvec_of(x->arena, axis);
  if (exact_extend(x, *direction) <= 0) {
    x->count = 0;
    interior_touch_vertex(x, at, result);
    result->proof.direction = (grz_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = axis};
    return;
  }
  while (!x->arena->full) {
    exact_refresh(x);
    grz_nearest n = grz_nearest_guessed(x->arena, x->w, x->count, x->c->dim, exact_guess(x));
    if (n.count == 0) return; /* the arena is full */
    grz_exact_keep(x, &n);
    x->steps++;
    if (grz_bvec_is_zero(n.direction)) {
      interior_of_carrier(x, result, direction);
      return;
    }
    *direction = grz_bvec_neg(n.direction);
    if (exact_extend(x, *direction) > 0) continue;
    x->count--;
    interior_touch_vertex(x, at, result);
    return;
  }
}

static void interior_test(grz_exact *x, grz_result *result, grz_bvec *direction) {
  if (x->count > 1)
    interior_of_carrier(x, result, direction);
  else
    interior_of_vertex(x, result, direction);
}

/* ---- The search */
/* Limbs: the small arena holds coordinates within about 2^60 of each other, the large one the worst valid input.
 * docs/theory/exact.md. */
enum { EXACT_SMALL = 3000, EXACT_LARGE = 45056 };

/* The relative error of the numbers below is at most 12 roundings. */
#define EXACT_SLACK (16 * GRZ_U)

static void exact_start(grz_exact *x, const grz_simplex *candidate) {
  x->count = candidate != NULL ? candidate->count : 0;
  for (int i = 0; i < x->count; i++) {
    x->a[i] = candidate->point[i].a;
    x->b[i] = candidate->point[i].b;
    x->end[i] = candidate->point[i].end;
  }
  if (x->count > 0) return;
  x->count = 1;
  x->a[0] = (grz_core_point){grz_core_vertex(&x->c->a->shape, 0), 0};
  x->b[0] = (grz_core_point){grz_core_vertex(&x->c->b->shape, 0), 0};
  x->end[0] = 0;
}

grz_nearest grz_exact_nearest(grz_exact *x, const grz_pair *pair, int count) {
  x->count = count;
  for (int i = 0; i < count; i++) {
    x->a[i] = (grz_core_point){pair[i].point_a, pair[i].a};
    x->b[i] = (grz_core_point){pair[i].point_b, pair[i].b};
    x->end[i] = pair[i].end;
  }
  exact_refresh(x);
  return grz_nearest_of(x->arena, x->w, x->count, x->c->dim);
}

void grz_exact_keep(grz_exact *x, const grz_nearest *n) {
  for (int i = 0; i < n->count; i++) {
    x->a[i] = x->a[n->carrier[i]];
    x->b[i] = x->b[n->carrier[i]];
    x->end[i] = x->end[n->carrier[i]];
    x->w[i] = x->w[n->carrier[i]];
  }
  x->count = n->count;
}

/* GJK: finds the point of the CSO nearest to the origin; zero if the cores intersect. Each round strictly decreases
 * |v|^2, and there are finitely many simplices. */
static grz_nearest exact_descend(grz_exact *x) {
  for (;;) {
    exact_refresh(x);
    grz_nearest n = grz_nearest_guessed(x->arena, x->w, x->count, x->c->dim, exact_guess(x));
    grz_exact_keep(x, &n);
    x->steps++;
    if (x->c->tracer) grz_trace_exact_nearest(x, &n);
    if (x->arena->full || grz_bvec_is_zero(n.direction)) return n;
    (void)exact_extend(x, grz_bvec_neg(n.direction));
    size_t mark = x->arena->used;
    grz_bvec nearer = grz_bvec_sub(x->arena, x->w[x->count - 1], x->w[0]);
    int sign = grz_bvec_dot(x->arena, n.direction, nearer).sign;
    x->arena->used = mark;
    if (x->arena->full) return n;
    if (sign >= 0) {
      x->count--;
      return n;
    }
  }
}

grz_big grz_exact_radius(grz_exact *x, double clearance) {
  const graze_shape *a = &x->c->a->shape, *b = &x->c->b->shape;
  const double part[7] = {
      grz_core_radius(a),          a->margin, grz_core_radius(b), b->margin, clearance, placed_frame_margin(x->c->a),
      placed_frame_margin(x->c->b)};
  grz_big sum = grz_big_zero();
  for (int i = 0; i < 7; i++) sum = grz_big_add(x->arena, sum, grz_big_of(x->arena, part[i]));
  return grz_big_mul(x->arena, sum, x->placing.scale);
}

static void exact_fill_pairs(const grz_exact *x, grz_result *result) {
  result->proof.pair_count = x->count;
  for (int i = 0; i < x->count; i++) result->proof.pairs[i] = grz_exact_pair(x, i);
}

static void exact_fill_nearest(const grz_exact *x, grz_direction *d) {
  d->form = GRAZE_DIRECTION_NEAREST;
  d->count = x->count;
  for (int i = 0; i < x->count; i++) d->pairs[i] = grz_exact_pair(x, i);
}

void grz_exact_interval(grz_scaled excess, grz_scaled divisor, grz_result *result) {
  double distance = scaled_to_double(scaled_div(excess, divisor));
  if (distance == 0) distance = excess.m > 0 ? 0x1p-1074 : -0x1p-1074;
  double slack = real_abs(distance) * EXACT_SLACK + (real_abs(distance) < 0x1p-900 ? 0x1p-1074 : 0);
  result->answer.distance = distance;
  result->answer.lower = distance > 0 ? real_max(distance - slack, 0) : distance - slack;
  result->answer.upper = distance < 0 ? real_min(distance + slack, 0) : distance + slack;
}

/* The signed distance (|v| - r)/scale without cancellation: (|v|^2 - r^2) / (|v| + r) / scale. */
static void exact_fill_distance(grz_exact *x, const grz_nearest *n, grz_big r, grz_big excess, grz_result *result) {
  grz_scaled divisor = scaled_of_big(n->divisor);
  grz_scaled v = scaled_sqrt(scaled_div(scaled_of_big(n->square), divisor));
  grz_scaled sum = scaled_mul(scaled_add(v, scaled_of_big(r)), scaled_of_big(x->placing.scale));
  grz_exact_interval(scaled_of_big(excess), scaled_mul(divisor, sum), result);
}

/* Disjoint cores: the relation is the sign of |v|^2 - r^2. */
static void exact_fill_disjoint(grz_exact *x, const grz_nearest *n, double clearance, grz_result *result) {
  grz_big r = grz_exact_radius(x, clearance);
  grz_big square = grz_big_mul(x->arena, grz_big_mul(x->arena, r, r), n->divisor);
  grz_big excess = grz_big_sub(x->arena, n->square, square);
  if (x->arena->full) return;
  grz_proof *proof = &result->proof;
  exact_fill_nearest(x, &proof->direction);
  exact_fill_pairs(x, result);
  result->answer.distance = result->answer.lower = result->answer.upper = 0;
  result->answer.relation = excess.sign > 0 ? GRAZE_SEPARATED : excess.sign == 0 ? GRAZE_TOUCHING : GRAZE_OVERLAPPING;
  proof->kind = excess.sign > 0    ? GRAZE_CERTIFICATE_SEPARATED
                : excess.sign == 0 ? GRAZE_CERTIFICATE_TOUCH
                                   : GRAZE_CERTIFICATE_NEAR;
  if (excess.sign != 0) exact_fill_distance(x, n, r, excess, result);
}

/* Touching cores with r > 0: the depth is r. */
static void exact_fill_radius(grz_exact *x, double clearance, grz_result *result) {
  grz_scaled depth = scaled_of_big(grz_exact_radius(x, clearance));
  depth.m = -depth.m;
  grz_exact_interval(depth, scaled_of_big(x->placing.scale), result);
}

/* Intersecting cores with r > 0 overlap. *normal receives the exact direction if the cores touch. */
static void exact_fill_rounded(grz_exact *x, double clearance, grz_result *result, grz_bvec *normal) {
  interior_test(x, result, normal);
  bool touch = result->answer.relation == GRAZE_TOUCHING;
  result->answer.relation = GRAZE_OVERLAPPING;
  result->proof.kind = GRAZE_CERTIFICATE_NEAR;
  if (touch) exact_fill_radius(x, clearance, result);
}

void grz_exact_core_points(const grz_exact *x, const grz_nearest *n, graze_vec *pa, graze_vec *pb) {
  const graze_placed *a = x->c->a, *b = x->c->b;
  grz_scaled sum = {0, 0};
  for (int i = 0; i < n->count; i++) sum = scaled_add(sum, scaled_of_big(n->weight[i]));
  *pa = *pb = vec_make(0, 0, 0);
  for (int i = 0; i < n->count; i++) {
    double weight = scaled_to_double(scaled_div(scaled_of_big(n->weight[i]), sum));
    *pa = vec_add(*pa, vec_scale(vec_rotate(a->hidden.rotation, x->a[i].local, x->c->dim), weight));
    *pb = vec_add(*pb, vec_scale(vec_rotate(b->hidden.rotation, x->b[i].local, x->c->dim), weight));
  }
}

static void exact_relation(grz_exact *x, double clearance, grz_result *result) {
  grz_nearest n = exact_descend(x);
  if (x->arena->full) return;
  graze_vec core_a, core_b;
  grz_exact_core_points(x, &n, &core_a, &core_b);
  grz_bvec normal = grz_bvec_neg(n.direction);
  if (!grz_bvec_is_zero(n.direction))
    exact_fill_disjoint(x, &n, clearance, result);
  else if (x->c->a->hidden.radius > 0 || x->c->b->hidden.radius > 0 || clearance > 0)
    exact_fill_rounded(x, clearance, result, &normal);
  else
    interior_test(x, result, &normal);
  if (x->arena->full || grz_query_is_unknown(result)) return;
  result->answer.normal = vec_unit(scaled_direction(normal));
  grz_certify_witness(x->c->a, x->c->b, core_a, core_b, clearance, result);
}

static bool exact_try(uint64_t *limbs, size_t capacity, const grz_obstacle *c, void (*work)(grz_exact *, void *),
                      void *context) {
  grz_arena arena = {limbs, 0, capacity, false};
  grz_exact x = {.arena = &arena, .c = c};
  x.placing = grz_placement_make(&arena, c->a, c->b);
  x.mark = arena.used;
  work(&x, context);
  return !arena.full;
}

/* Separate stack frames: most queries need only the small arena. */
__attribute__((noinline)) static bool exact_small(const grz_obstacle *c, void (*work)(grz_exact *, void *),
                                                  void *context) {
  uint64_t limbs[EXACT_SMALL];
  return exact_try(limbs, EXACT_SMALL, c, work, context);
}

__attribute__((noinline)) static bool exact_large(const grz_obstacle *c, void (*work)(grz_exact *, void *),
                                                  void *context) {
  uint64_t limbs[EXACT_LARGE];
  return exact_try(limbs, EXACT_LARGE, c, work, context);
}

bool grz_exact_run(const grz_obstacle *c, void (*work)(grz_exact *x, void *context), void *context) {
  int reported = c->tracer ? c->tracer->iteration : 0;
  if (exact_small(c, work, context)) return true;
  if (c->tracer) c->tracer->reported = c->tracer->iteration - reported; /* the second run repeats these steps */
  return exact_large(c, work, context);
}

void grz_exact_fail(const grz_obstacle *c, grz_result *result) {
  grz_query_blank(result, c->a, c->b); /* results of a full arena are invalid */
  result->answer.stopped = GRAZE_STOP_PRECISION;
}

typedef struct exact_task {
  double clearance;
  const grz_simplex *candidate;
  int iterations; /* before this search */
  grz_result *result;
} exact_task;

/* Clears the answer, because a run in a full arena leaves invalid fields. */
static void exact_work(grz_exact *x, void *context) {
  const exact_task *task = context;
  grz_query_blank(task->result, x->c->a, x->c->b);
  if (x->c->tracer) grz_trace_exact_begin(x);
  exact_start(x, task->candidate);
  exact_relation(x, task->clearance, task->result);
  if (x->c->tracer) grz_trace_exact_end(x, task->result);
  task->result->answer.iterations = task->iterations + x->steps;
  task->result->answer.exact = true;
  task->result->answer.algorithm = GRAZE_ALGORITHM_EXACT;
}

void grz_exact_answer(const grz_obstacle *c, double clearance, const grz_simplex *candidate, grz_result *result) {
  exact_task task = {clearance, candidate, result->answer.iterations, result};
  if (!grz_exact_run(c, exact_work, &task)) grz_exact_fail(c, result);
}
