/* The exact search: nearest point, support, until no point of C lies nearer. Then the relation, and the numbers. */
#include "narrow/exact_search.h"

#include "narrow/query.h"
#include "narrow/trace.h"

#include "shape/core.h"
#include "shape/placed.h"

/* Limbs: enough for magnitudes within some 2^60 of each other, and for the worst accepted input. docs/theory/exact.md.
 */
enum { EXACT_SMALL = 3000, EXACT_LARGE = 45056 };

/* Relative errors of the numbers below, all told, are at most 12 roundings. */
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
  grz_exact_refresh(x);
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

unsigned grz_exact_guess(const grz_exact *x) {
  grz_simplex s = {.count = x->count};
  simplex_best best = {.members = 0};
  int64_t top = INT64_MIN;
  for (int i = 0; i < x->count; i++) {
    int64_t t = scaled_max_exponent(x->w[i]);
    if (t > top) top = t;
  }
  for (int i = 0; i < x->count && top != INT64_MIN; i++) s.point[i].w = scaled_to_vec(x->w[i], top);
  bool held = x->c->dim == 2 ? grz_simplex_nearest(&s, &best, 2) : grz_simplex_nearest(&s, &best, 3);
  return held ? (1u << x->count) - 1 : best.members;
}

/* Phase one: the point nearest the origin in the hull of all cores' points; zero when they meet. Each round strictly
 * decreases |v|^2, and there are finitely many simplices. */
static grz_nearest exact_descend(grz_exact *x) {
  for (;;) {
    grz_exact_refresh(x);
    grz_nearest n = grz_nearest_guessed(x->arena, x->w, x->count, x->c->dim, grz_exact_guess(x));
    grz_exact_keep(x, &n);
    x->steps++;
    if (x->c->tracer) grz_trace_exact_nearest(x, &n);
    if (x->arena->full || grz_bvec_is_zero(n.direction)) return n;
    (void)grz_exact_extend(x, grz_bvec_neg(n.direction));
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

/* Cores apart: the relation is the sign of |v|^2 - r^2. */
static void exact_apart(grz_exact *x, const grz_nearest *n, double clearance, grz_result *result) {
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

/* Cores that touch, r > 0: as deep as r. */
static void exact_fill_radius(grz_exact *x, double clearance, grz_result *result) {
  grz_scaled depth = scaled_of_big(grz_exact_radius(x, clearance));
  depth.m = -depth.m;
  grz_exact_interval(depth, scaled_of_big(x->placing.scale), result);
}

/* Cores that meet, r > 0: they come nearer than r. *normal receives the exact direction when they touch. */
static void exact_meet_rounded(grz_exact *x, double clearance, grz_result *result, grz_bvec *normal) {
  grz_exact_interior(x, result, normal);
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
    exact_apart(x, &n, clearance, result);
  else if (x->c->a->hidden.radius > 0 || x->c->b->hidden.radius > 0 || clearance > 0)
    exact_meet_rounded(x, clearance, result, &normal);
  else
    grz_exact_interior(x, result, &normal);
  if (x->arena->full || grz_query_is_unknown(result)) return;
  result->answer.normal = vec_unit(scaled_direction(normal));
  grz_obstacle_witness(x->c, core_a, core_b, clearance, result);
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

/* In frames of their own, so that only those who need the large one pay for its stack. */
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
  int told = c->tracer ? c->tracer->iteration : 0;
  if (exact_small(c, work, context)) return true;
  if (c->tracer) c->tracer->known = c->tracer->iteration - told; /* the same steps come again */
  return exact_large(c, work, context);
}

void grz_exact_fail(const grz_obstacle *c, grz_result *result) {
  grz_query_blank(result, c->a, c->b); /* what a full arena left is no answer */
  result->answer.stopped = GRAZE_STOP_PRECISION;
}

typedef struct exact_question {
  double clearance;
  const grz_simplex *candidate;
  int iterations; /* before this search */
  grz_result *result;
} exact_question;

/* Starts from a blank answer: an arena too small may have left half of one behind. */
static void exact_work(grz_exact *x, void *context) {
  const exact_question *question = context;
  grz_query_blank(question->result, x->c->a, x->c->b);
  if (x->c->tracer) grz_trace_exact_begin(x);
  exact_start(x, question->candidate);
  exact_relation(x, question->clearance, question->result);
  if (x->c->tracer) grz_trace_exact_end(x, question->result);
  question->result->answer.iterations = question->iterations + x->steps;
  question->result->answer.exact = true;
  question->result->answer.algorithm = GRAZE_ALGORITHM_EXACT;
}

void grz_exact_answer(const grz_obstacle *c, double clearance, const grz_simplex *candidate, grz_result *result) {
  exact_question question = {clearance, candidate, result->answer.iterations, result};
  if (!grz_exact_run(c, exact_work, &question)) grz_exact_fail(c, result);
}
