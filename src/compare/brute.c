/* Distance by brute force: the convex hull of all n·m differences of vertices, in exact arithmetic. */
#include "compare/brute.h"

#include "narrow/stages.h"
#include "shape/shape.h"

typedef struct brute {
  const grz_query *query;
  const grz_obstacle *c;
  grz_result *result;
  grz_polytope polytope;
  bool flat, outside; /* C is flat; the origin is outside the hull */
  bool on_face;       /* the origin is on a face */
  grz_scaled square;  /* if outside: the least |v|^2 of all faces */
} brute;

graze_status grz_compare_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                               const graze_options *options, grz_result *result) {
  const graze_status status = grz_query_start(query, obstacle, a, b, options, result);
  if (status != GRAZE_OK) return status;
  const bool polytopes = !grz_is_curved(&a->shape) && !grz_is_curved(&b->shape) && !query->plane;
  return polytopes && query->options->method == GRAZE_METHOD_AUTO ? GRAZE_OK : GRAZE_UNSUPPORTED;
}

bool grz_brute_points(const grz_obstacle *c, bool sum, grz_polytope *p) {
  const graze_shape *a = &c->a->shape, *b = &c->b->shape;
  size_t count_a = grz_core_count(a), count_b = grz_core_count(b);
  if (count_a > (size_t)p->point_capacity / count_b) return false;
  p->point_count = 0;
  for (size_t i = 0; i < count_a; i++) {
    for (size_t j = 0; j < count_b; j++) {
      grz_core_point from_a = {grz_core_vertex(a, i), (int32_t)i}, from_b = {grz_core_vertex(b, j), (int32_t)j};
      if (sum) from_b.local = vec_neg(from_b.local);
      grz_cso_point point = grz_obstacle_point(c, from_a, from_b, c->dim);
      p->w[p->point_count] = point.w;
      const grz_pair pair = grz_obstacle_pair(&point);
      grz_polytope_set_pair(p, p->point_count++, &pair);
    }
  }
  return true;
}

/* |v|^2 of the nearest point v of a face, in the caller's units. */
static grz_scaled brute_square(const grz_exact_hull *hull, int face) {
  grz_arena *arena = hull->x->arena;
  size_t mark = arena->used;
  grz_bvec w[3];
  for (int i = 0; i < hull->x->c->dim; i++) w[i] = grz_hull_point(hull, hull->polytope->face[face].vertex[i]);
  grz_nearest n = grz_nearest_of(arena, w, hull->x->c->dim, hull->x->c->dim);
  grz_scaled scale = scaled_of_big(hull->x->placing.scale), square = {0, 0};
  if (n.count > 0) {
    grz_scaled divisor = scaled_mul(scaled_of_big(n.divisor), scaled_mul(scale, scale));
    square = scaled_div(scaled_of_big(n.square), divisor);
  }
  arena->used = mark;
  return square;
}

/* Finds the nearest point. It is on a face whose plane separates the hull from the origin. */
static void brute_test_faces(brute *b, const grz_exact_hull *hull) {
  const grz_polytope *p = hull->polytope;
  b->outside = b->on_face = false;
  for (int i = 0; i < p->face_count; i++) {
    if (grz_face_is_removed(&p->face[i])) continue;
    int sign = grz_hull_height_sign(hull, i);
    if (sign <= 0) b->on_face = true;
    if (sign >= 0) continue;
    grz_scaled square = brute_square(hull, i);
    if (!b->outside || scaled_is_less(square, b->square)) b->square = square;
    b->outside = true;
  }
}

static void brute_hull(grz_exact *x, void *context) {
  brute *b = context;
  grz_exact_hull hull = {x, &b->polytope};
  int basis[4];
  grz_polytope_clear(&b->polytope);
  b->flat = grz_hull_basis(&hull, basis) <= x->c->dim;
  if (!b->flat && grz_hull_build(&hull, basis)) brute_test_faces(b, &hull);
}

/* The error of |v| - r: 16 roundings of each term. */
static double brute_slack(double length, double r) { return 32 * GRZ_U * (length + r) + 0x1p-1070; }

/* Widens the bounds by the distance of the hull, for disjoint cores. */
static void brute_bounds(const brute *b) {
  grz_result *result = b->result;
  double length = scaled_to_double(scaled_sqrt(b->square)), r = b->c->radius / b->c->unit;
  double slack = brute_slack(length, r), distance = length - r;
  if (result->answer.relation == GRAZE_TOUCHING) return;
  result->answer.lower = real_min(result->answer.lower, distance - slack);
  result->answer.upper = real_max(result->answer.upper, distance + slack);
  if (result->answer.relation == GRAZE_SEPARATED) result->answer.lower = real_max(result->answer.lower, 0);
  if (result->answer.relation == GRAZE_OVERLAPPING) result->answer.upper = real_min(result->answer.upper, 0);
}

/* Returns whether the answer of the exact search agrees with the hull. */
static bool brute_agrees(const brute *b) {
  const grz_result *result = b->result;
  const bool overlapping = grz_query_is_unknown(result); /* the cores overlap: no depth yet */
  double r = b->c->radius / b->c->unit;
  if (b->flat) return true;
  if (overlapping) return !b->outside && !b->on_face;
  double length = b->outside ? scaled_to_double(scaled_sqrt(b->square)) : 0;
  return b->on_face && real_abs(length - (result->answer.distance + r)) <= brute_slack(length, r);
}

static void brute_work(void *context, void *buffer, size_t size) {
  brute *b = context;
  grz_polytope_make(&b->polytope, buffer, size);
  (void)grz_brute_points(b->c, false, &b->polytope); /* brute_fits() has tested the capacity */
  grz_exact_answer(b->c, b->query->options->clearance, NULL, b->result);
  if (!grz_exact_run(b->c, brute_hull, b) || !brute_agrees(b))
    grz_exact_fail(b->c, b->result);
  else if (b->outside)
    brute_bounds(b);
  b->result->answer.algorithm = GRAZE_ALGORITHM_BRUTE;
}

/* Returns whether the workspace has the capacity for all points. */
static bool brute_fits(const graze_options *options, const graze_placed *a, const graze_placed *b) {
  const size_t count_a = grz_core_count(&a->shape), count_b = grz_core_count(&b->shape);
  if (count_a > SIZE_MAX / count_b) return false;
  if (options->workspace == NULL) return count_a * count_b <= GRAZE_WORKSPACE_POINTS;
  return graze_workspace_size(count_a * count_b) <= options->workspace_size;
}

static void brute_fill(const grz_obstacle *c, grz_polytope *polytope) { (void)grz_brute_points(c, false, polytope); }

graze_status graze_compare_brute(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 graze_answer *answer) {
  grz_query query;
  grz_obstacle c;
  grz_result result;
  const graze_status status = grz_compare_start(&query, &c, a, b, options, &result);
  if (status != GRAZE_OK) return status;
  if (!brute_fits(query.options, a, b)) return GRAZE_NO_SPACE;
  brute search = {.query = &query, .c = &c, .result = &result};
  grz_with_workspace(query.options, brute_work, &search);
  if (result.answer.relation == GRAZE_OVERLAPPING && grz_query_is_unknown(&result))
    grz_penetrate_from(&query, &c, brute_fill, &result);
  *answer = result.answer;
  if (query.options->certificate) grz_proof_write(&result.proof, query.options->certificate);
  return GRAZE_OK;
}
