/* Reference methods that enumerate all differences of vertices: the distance, and the vertices of A - B or A + B.
 *
 * The distance follows from the convex hull of all differences in exact arithmetic. */
#include "compare/reference.h"
#include "compound/compound.h"
#include "core/status.h"
#include "narrow/stages.h"

graze_status grz_compare_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                               const graze_options *options, grz_result *result) {
  const graze_status status = grz_query_start(query, obstacle, a, b, options, result);
  if (status != GRAZE_OK) return grz_query_reject(a, b, options, status);
  const bool polytopes = !grz_is_curved(&a->shape) && !grz_is_curved(&b->shape) && !query->plane;
  if (polytopes && query->options->method == GRAZE_METHOD_AUTO) return GRAZE_OK;
  graze_error *error = options != NULL ? options->error : NULL;
  if (polytopes)
    return grz_reject(error, grz_error_rule(GRAZE_UNSUPPORTED, "method", query->options->method, "must be AUTO"));
  return grz_reject(error, grz_error_rule(GRAZE_UNSUPPORTED, "shapes", 0, "must be polytopes, with a radius or not"));
}

/* Writes all pairs of core vertices as points of C. With `sum` they are points of A + B, for an obstacle whose B has
 * its position negated. Returns false if the polytope has too little capacity. */
static bool brute_points(const grz_obstacle *c, bool sum, grz_polytope *p) {
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

/* ---- Distance by brute force. */

typedef struct brute {
  const grz_query *query;
  const grz_obstacle *c;
  grz_result *result;
  grz_polytope polytope;
  bool flat, outside; /* C is flat; the origin is outside the hull */
  bool on_face;       /* the origin is on a face */
  grz_scaled square;  /* if outside: the least |v|^2 of all faces */
} brute;

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

/* Finds the nearest point, which is on a face whose plane separates the hull from the origin. */
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

/* A bound of the error of |v| - r: 32u of each term. */
static double brute_slack(double length, double r) { return 32 * GRZ_U * (length + r) + 0x1p-1070; }

/* Widens the bounds of disjoint cores so that they contain the distance of the hull. */
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
  (void)brute_points(b->c, false, &b->polytope); /* brute_fits() has tested the capacity */
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

static void brute_fill(const grz_obstacle *c, grz_polytope *polytope) { (void)brute_points(c, false, polytope); }

graze_status graze_compare_brute(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 graze_answer *answer) {
  grz_query query;
  grz_obstacle c;
  grz_result result;
  const graze_status status = grz_compare_start(&query, &c, a, b, options, &result);
  if (status != GRAZE_OK) return status;
  if (!brute_fits(query.options, a, b))
    return grz_reject(query.options->error,
                      grz_error_rule(GRAZE_NO_SPACE, "workspace", (double)query.options->workspace_size,
                                     "must hold all pairs of vertices"));
  brute search = {.query = &query, .c = &c, .result = &result};
  grz_with_workspace(query.options, brute_work, &search);
  if (result.answer.relation == GRAZE_OVERLAPPING && grz_query_is_unknown(&result))
    grz_penetrate_from(&query, &c, brute_fill, &result);
  *answer = result.answer;
  if (query.options->certificate) grz_proof_write(&result.proof, query.options->certificate);
  return GRAZE_OK;
}

/* ---- The vertices of the Minkowski difference or sum. */

typedef struct minkowski {
  const grz_obstacle *c;
  bool sum, holds;
  grz_polytope polytope;
  graze_vec *points;
  graze_pair *pairs;
  size_t capacity, count; /* SIZE_MAX: the workspace is too small */
} minkowski;

static void minkowski_write(minkowski *m, int point, int points) {
  if (point >= points) return; /* an auxiliary point of minkowski_raise() */
  if (m->count < m->capacity) {
    m->pairs[m->count] = m->polytope.pair[point];
    m->points[m->count] = vec_scale(m->polytope.w[point], 1 / m->c->unit);
  }
  m->count++;
}

/* Writes the corners among the first `points` points. 2D: in order around the hull. 3D: by index, with marks in
 * p->stack. */
static void minkowski_collect(minkowski *m, int points) {
  grz_polytope *p = &m->polytope;
  int first = grz_first_face(p);
  if (m->c->dim == 2) {
    int edge = first;
    do {
      minkowski_write(m, p->face[edge].vertex[0], points);
      edge = p->face[edge].neighbor[1];
    } while (edge != first);
    return;
  }
  for (int i = 0; i < p->point_count; i++) p->stack[i] = 0;
  for (int i = first; i < p->face_count; i++) {
    for (int k = 0; k < 3 && !grz_face_is_removed(&p->face[i]); k++) p->stack[p->face[i].vertex[k]] = 1;
  }
  for (int i = 0; i < p->point_count; i++) {
    if (p->stack[i]) minkowski_write(m, i, points);
  }
}

/* Returns whether the affine hull of the first `rank` points of the basis contains the origin. */
static bool minkowski_on_flat(const grz_exact_hull *hull, const int *basis, int rank) {
  grz_arena *arena = hull->x->arena;
  if (rank > hull->x->c->dim) return true;
  grz_bvec on = grz_hull_point(hull, basis[0]), rest = on;
  if (rank >= 2) rest = grz_bvec_sub(arena, grz_hull_point(hull, basis[1]), on);
  if (rank == 2) rest = grz_bvec_cross(arena, rest, on);
  if (rank < 3) return grz_bvec_is_zero(rest);
  return grz_bvec_det(arena, rest, grz_bvec_sub(arena, grz_hull_point(hull, basis[2]), on), on).sign == 0;
}

/* Adds auxiliary points to a flat set until the hull has faces. Extreme points of the set remain extreme. */
static int minkowski_raise(const minkowski *m, grz_exact_hull *hull, int *basis, int rank) {
  grz_polytope *p = hull->polytope;
  for (int k = 0; k < m->c->dim && rank <= m->c->dim; k++) {
    grz_pair pair = grz_polytope_pair(p, 0);
    double distance = 1 + m->c->a->hidden.bounding_radius;
    pair.point_a = vec_add(pair.point_a, vec_make(k == 0 ? distance : 0, k == 1 ? distance : 0, k == 2 ? distance : 0));
    grz_polytope_set_pair(p, p->point_count, &pair);
    graze_vec aside = vec_rotate(m->c->rotate_a, vec_sub(pair.point_a, p->local[0]), m->c->dim);
    p->w[p->point_count++] = vec_add(p->w[0], aside);
    int raised = grz_hull_basis(hull, basis);
    if (raised == rank) p->point_count--;
    rank = raised;
  }
  return rank;
}

static void minkowski_hull(grz_exact *x, void *context) {
  minkowski *m = context;
  grz_polytope *p = &m->polytope;
  grz_exact_hull hull = {x, p};
  int basis[4], points = p->point_count, rank;
  grz_polytope_clear(p);
  m->count = 0;
  rank = grz_hull_basis(&hull, basis);
  m->holds = minkowski_on_flat(&hull, basis, rank);
  if (minkowski_raise(m, &hull, basis, rank) > m->c->dim && grz_hull_build(&hull, basis)) {
    for (int i = 0; i < p->face_count; i++) {
      if (!grz_face_is_removed(&p->face[i]) && grz_hull_height_sign(&hull, i) < 0) m->holds = false;
    }
    minkowski_collect(m, points);
  }
  p->point_count = points;
}

static void minkowski_work(void *context, void *buffer, size_t size) {
  minkowski *m = context;
  grz_polytope_make(&m->polytope, buffer, size);
  m->polytope.point_capacity -= m->c->dim; /* for minkowski_raise() */
  bool fits = m->polytope.point_capacity > 0 && brute_points(m->c, m->sum, &m->polytope);
  if (!fits || !grz_exact_run(m->c, minkowski_hull, m)) m->count = SIZE_MAX;
}

graze_status graze_compare_minkowski(const graze_placed *a, const graze_placed *b, graze_minkowski_of of,
                                     const graze_options *options, graze_vec *points, graze_pair *pairs,
                                     size_t capacity, size_t *count, bool *contains) {
  grz_result unused;
  grz_query query;
  grz_obstacle c;
  grz_moved other;
  if (of != GRAZE_MINKOWSKI_DIFFERENCE && of != GRAZE_MINKOWSKI_SUM)
    return grz_reject(options != NULL ? options->error : NULL,
                      grz_error_rule(GRAZE_BAD_OPTION, "of", (double)of, "must be a graze_minkowski_of"));
  grz_moved_make(&other, b);
  if (of == GRAZE_MINKOWSKI_SUM) {
    other.placed.pose.position = vec_neg(other.placed.pose.position);
    if (placed_is_part(b)) other.frame.hidden.pose.position = vec_neg(other.frame.hidden.pose.position);
  }
  const graze_status status = grz_compare_start(&query, &c, a, &other.placed, options, &unused);
  if (status != GRAZE_OK) return status;
  if (a->hidden.radius > 0 || b->hidden.radius > 0) return GRAZE_UNSUPPORTED;
  minkowski m = {.c = &c, .sum = of == GRAZE_MINKOWSKI_SUM, .points = points, .pairs = pairs, .capacity = capacity};
  grz_with_workspace(query.options, minkowski_work, &m);
  if (m.count == SIZE_MAX) return GRAZE_NO_SPACE;
  *count = m.count;
  *contains = m.holds;
  return m.count > capacity ? GRAZE_NO_SPACE : GRAZE_OK;
}
