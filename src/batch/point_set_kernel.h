/* Relations and distances of point sets with SIMD, in doubles: GJK (Gilbert, Johnson, Keerthi 1988) in lockstep, one
 * pair per SIMD element. Support points are searched pair by pair, with one vertex per SIMD element. Error bounds are
 * those of narrow/obstacle.h, filters those of narrow/certify.c; both are proved in docs/theory/simd.md, "Point
 * sets". Compiled by kernels.c, after pairs_kernel.h. */
#include "batch/job.h"

/* Iteration limit. GJK ends much earlier unless doubles do not suffice. */
#define POINTS_MAX_ITERATIONS 40

/* The number of SIMD values in a points_pair. */
#define POINTS_FIELDS 28

/* Pairs that were loaded and are not yet assigned to a SIMD element. */
typedef struct points_queue {
  const grz_batch_pairs *pairs;
  size_t next, count; /* the pairs that are not loaded yet */
  size_t first;       /* the first loaded pair */
  unsigned ready;     /* bit mask of the loaded pairs that are not assigned */
  double field[POINTS_FIELDS][F64XN_WIDTH];
} points_queue;

/* One pair per SIMD element. A finished pair is replaced by the next one. */
typedef struct points_state {
  points_pair p;
  simplex_set s;
  f64xn lower; /* the largest lower bound of the distance of the cores so far */
  f64xn iterations;
  size_t pair[F64XN_WIDTH];
  const grz_batch_point_set *set[2][F64XN_WIDTH];
  const double *vertex[2][F64XN_WIDTH]; /* the last support vertices */
  unsigned active;                      /* bit mask of the unfinished pairs */
  unsigned separated, overlap;          /* bit masks of the proved relations of finished pairs */
  unsigned assigned;                    /* bit mask of the elements to which a pair was assigned */
} points_state;

/* Returns the address of the x of the support vertex; y and z follow after 8 and 16 numbers. */
GRZ_TEMPLATE const double *points_support_blocks(const double *points, const size_t blocks, f64xn dx, f64xn dy,
                                                 f64xn dz) {
  f64xn value[GRZ_BATCH_MAX_POINTS / F64XN_WIDTH], largest = f64xn_all(-__builtin_inf());
  uint64_t best = 0;
#pragma GCC unroll 8
  for (size_t k = 0; k < blocks * (8 / F64XN_WIDTH); k++) {
    const double *block = points + k * F64XN_WIDTH / 8 * GRZ_BATCH_BLOCK + k * F64XN_WIDTH % 8;
    value[k] = (f64xn_load(block) * dx + f64xn_load(block + 8) * dy) + f64xn_load(block + 16) * dz;
    largest = f64xn_max(value[k], largest);
  }
  largest = f64xn_all(f64xn_reduce_max(largest));
#pragma GCC unroll 8
  for (size_t k = 0; k < blocks * (8 / F64XN_WIDTH); k++)
    best |= (uint64_t)f64xn_mask_bits(f64xn_equal(value[k], largest)) << k * F64XN_WIDTH;
  const size_t index = (size_t)__builtin_ctzll(best | 1ull << 63);
  return points + (index + (index & ~(size_t)7) * (GRZ_BATCH_BLOCK / 8 - 1));
}

POINTS_CALLED const double *points_support_vertex(const grz_batch_point_set *set, double x, double y, double z) {
  const f64xn dx = f64xn_all(x), dy = f64xn_all(y), dz = f64xn_all(z);
  switch (set->blocks) {
  case 1: return points_support_blocks(set->points, 1, dx, dy, dz);
  case 2: return points_support_blocks(set->points, 2, dx, dy, dz);
  case 4: return points_support_blocks(set->points, 4, dx, dy, dz);
  default: return points_support_blocks(set->points, 8, dx, dy, dz);
  }
}

/* The first search direction: from A to B, unless the origins nearly coincide. */
GRZ_TEMPLATE void points_first_direction(points_pair *p) {
  const f64xn_mask has_direction =
      f64xn_less(f64xn_all(POINTS_MIN_SIZE * POINTS_MIN_SIZE * POINTS_MIN_SIZE * POINTS_MIN_SIZE),
                 simplex_dot(p->offset, p->offset));
  for (int i = 0; i < 3; i++) p->d[i] = f64xn_select(has_direction, f64xn_all(0) - p->offset[i], f64xn_all(i == 0));
}

GRZ_TEMPLATE void points_store(const points_pair *p, double field[POINTS_FIELDS][F64XN_WIDTH]) {
  for (int i = 0; i < 9; i++) f64xn_store(field[i], p->rotation_a[i]), f64xn_store(field[9 + i], p->rotation_b[i]);
  for (int i = 0; i < 3; i++) f64xn_store(field[18 + i], p->offset[i]), f64xn_store(field[21 + i], p->d[i]);
  f64xn_store(field[24], p->size), f64xn_store(field[25], p->radius);
  f64xn_store(field[26], p->radius_a), f64xn_store(field[27], p->scale);
}

/* Loads pairs until some can be assigned. Returns false if none is left. */
GRZ_TEMPLATE bool points_next_ready(points_queue *q) {
  while (q->ready == 0 && q->next < q->count) {
    points_pair p;
    for (size_t k = q->next; k < q->next + F64XN_WIDTH; k++) /* large point sets come from an outer cache */
      for (int side = 0; side < 2; side++) {
        const grz_batch_point_set *set = points_set_of(q->pairs, side, k);
        const size_t numbers = set->blocks > 1 ? set->blocks * (size_t)GRZ_BATCH_BLOCK : 0;
        for (size_t i = 0; i < numbers; i += 8) __builtin_prefetch(set->points + i, 0, 2);
      }
    q->ready = points_load(&p, q->pairs, q->next);
    points_first_direction(&p);
    points_store(&p, q->field);
    q->first = q->next, q->next += F64XN_WIDTH;
  }
  return q->ready != 0;
}

/* Assigns the loaded pair column[k] to SIMD element k, for each k of `where`. */
GRZ_TEMPLATE void points_assign(points_state *w, const points_queue *q, f64xn_mask where,
                                const int64_t column[F64XN_WIDTH]) {
  const double(*n)[F64XN_WIDTH] = q->field;
  points_pair *p = &w->p;
  for (int i = 0; i < 9; i++) {
    p->rotation_a[i] = f64xn_permute_masked(where, n[i], column, p->rotation_a[i]);
    p->rotation_b[i] = f64xn_permute_masked(where, n[9 + i], column, p->rotation_b[i]);
  }
  for (int i = 0; i < 3; i++) {
    p->offset[i] = f64xn_permute_masked(where, n[18 + i], column, p->offset[i]);
    p->d[i] = f64xn_permute_masked(where, n[21 + i], column, p->d[i]);
    w->s.has[i] = f64xn_and_not(w->s.has[i], where);
  }
  p->size = f64xn_permute_masked(where, n[24], column, p->size),
  p->radius = f64xn_permute_masked(where, n[25], column, p->radius);
  p->radius_a = f64xn_permute_masked(where, n[26], column, p->radius_a),
  p->scale = f64xn_permute_masked(where, n[27], column, p->scale);
  w->s.vv = f64xn_select(where, f64xn_all(__builtin_inf()), w->s.vv);
  w->lower = f64xn_select(where, f64xn_all(-__builtin_inf()), w->lower);
  w->iterations = f64xn_select(where, f64xn_all(0), w->iterations);
}

/* Writes the relation of a finished pair, or 0 if nothing is proved. */
GRZ_TEMPLATE void points_write_relation(const points_state *w, unsigned k, uint8_t *relation) {
  relation[w->pair[k]] =
      (uint8_t)((w->separated >> k & 1) * GRAZE_SEPARATED + (w->overlap >> k & 1) * GRAZE_OVERLAPPING);
}

/* Assigns pairs to all free SIMD elements while pairs are left. */
POINTS_CALLED void points_refill(points_state *w, points_queue *q, uint8_t *relation) {
  const unsigned all = (1u << F64XN_WIDTH) - 1;
  while (w->active != all && points_next_ready(q)) {
    int64_t column[F64XN_WIDTH] = {0};
    unsigned where = 0;
    for (unsigned left = all & ~w->active; left != 0 && q->ready != 0; left &= left - 1) {
      const unsigned k = (unsigned)__builtin_ctz(left), from = (unsigned)__builtin_ctz(q->ready);
      column[k] = from, where |= 1u << k;
      if (w->assigned >> k & 1) points_write_relation(w, k, relation);
      w->pair[k] = q->first + from;
      for (int side = 0; side < 2; side++) w->set[side][k] = points_set_of(q->pairs, side, q->first + from);
      q->ready &= q->ready - 1;
    }
    points_assign(w, q, f64xn_mask_of_bits(where), column);
    w->active |= where, w->assigned |= where;
    w->separated &= ~where, w->overlap &= ~where;
  }
}

/* ---- Support points */

/* Computes support vertices along local directions. Pairs that are not active keep their old ones. */
GRZ_TEMPLATE void points_support(points_state *w, const int side, const f64xn local_d[3], f64xn point[3]) {
  double d[3][F64XN_WIDTH];
  const double *next[F64XN_WIDTH], **vertex = w->vertex[side];
  for (int i = 0; i < 3; i++) f64xn_store(d[i], local_d[i]);
  for (int k = 0; k < F64XN_WIDTH; k++)
    if (w->active >> k & 1) vertex[k] = points_support_vertex(w->set[side][k], d[0][k], d[1][k], d[2][k]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < F64XN_WIDTH; k++) next[k] = vertex[k] + 8 * i;
    point[i] = f64xn_gather(next);
  }
}

/* Computes the support point w of C along the search direction, and the rotated support point a of A. */
GRZ_TEMPLATE void points_cso_vertex(points_state *state, f64xn w[3], f64xn a[3]) {
  const points_pair *p = &state->p;
  f64xn local_d[3], minus_d[3], local[3], b[3];
  for (int i = 0; i < 3; i++) minus_d[i] = f64xn_all(0) - p->d[i];
  pose_unrotate(p->rotation_a, p->d, local_d);
  points_support(state, 0, local_d, local);
  pose_rotate(p->rotation_a, local, a);
  pose_unrotate(p->rotation_b, minus_d, local_d);
  points_support(state, 1, local_d, local);
  pose_rotate(p->rotation_b, local, b);
  for (int i = 0; i < 3; i++) w[i] = (a[i] - b[i]) + p->offset[i];
}

/* ---- Relations */

/* Tests whether the support point along d proves that the cores are separated by more than the radius. */
GRZ_TEMPLATE f64xn_mask points_separated(const points_pair *p, const f64xn w[3]) {
  const f64xn gap = f64xn_all(0) - simplex_dot(p->d, w);
  const f64xn least =
      ((points_error(p, POINTS_SUPPORT_ERROR) + p->radius) + points_radius_error(p)) * f64xn_all(1 + 16 * GRZ_U);
  return f64xn_and(f64xn_less(f64xn_all(0), gap), f64xn_less(least * least * simplex_dot(p->d, p->d), gap * gap));
}

/* Tests whether the nearest point of the simplex proves that the cores are closer than the radius. */
GRZ_TEMPLATE f64xn_mask points_within_radius(const points_pair *p, const simplex_set *s) {
  f64xn weight[3], nearest[3];
  simplex_weights(s, weight);
  simplex_combine(s->w, weight, nearest);
  const f64xn length = f64xn_sqrt(simplex_dot(nearest, nearest));
  return f64xn_less(length + points_error(p, POINTS_NEAREST_ERROR), p->radius - points_radius_error(p));
}

/* Adds the new point to the simplex and returns the bit mask of the pairs that continue. The simplex is kept for
 * `inside` (it may contain the origin) and `stuck` (v does not come nearer). */
GRZ_TEMPLATE unsigned points_advance(points_state *state, const f64xn w[3], const f64xn a[3], const bool measure,
                                     const int dim, unsigned *inside, unsigned *stuck) {
  const f64xn point = points_error(&state->p, POINTS_VERTEX_ERROR), steps = f64xn_all(POINTS_MAX_ITERATIONS);
  const simplex_step next = simplex_advance(&state->s, w, dim);
  const unsigned nearer = f64xn_mask_bits(next.nearer);
  *inside = f64xn_mask_bits(next.inside) & state->active, *stuck = state->active & ~nearer & ~*inside;
  const f64xn_mask where = f64xn_mask_of_bits(state->active & nearer & ~*inside);
  simplex_accept(&state->s, &next, w, a, where, measure);
  simplex_select(where, next.d, state->p.d, state->p.d);
  state->iterations = state->iterations + f64xn_all(1);
  const f64xn_mask continuing = f64xn_and(f64xn_less(point * point, state->s.vv), f64xn_less(state->iterations, steps));
  return state->active & nearer & ~*inside & f64xn_mask_bits(continuing);
}

POINTS_CALLED void points_intersect_step(points_state *state, int dim) {
  f64xn w[3], a[3];
  unsigned inside, stuck;
  points_cso_vertex(state, w, a);
  const unsigned separated = f64xn_mask_bits(points_separated(&state->p, w)) & state->active;
  state->separated |= separated, state->active &= ~separated;
  const unsigned left = points_advance(state, w, a, false, dim, &inside, &stuck);
  if (inside != 0) {
    const f64xn_mask contains =
        simplex_contains_origin(&state->s, w, points_error(&state->p, POINTS_VERTEX_ERROR), dim);
    state->overlap |= inside & f64xn_mask_bits(contains);
  }
  state->active = left;
  if (f64xn_mask_bits(f64xn_less(f64xn_all(0), state->p.radius)) & left) {
    const unsigned within = f64xn_mask_bits(points_within_radius(&state->p, &state->s)) & left;
    state->overlap |= within, state->active &= ~within;
  }
}

/* ---- Distances */

/* Computes the numbers of pairs whose bounds have met. */
GRZ_TEMPLATE void points_finish(points_state *w, unsigned which, const points_output *out) {
  points_numbers n;
  f64xn weight[3], nearest[3], point_a[3];
  const simplex_set *s = &w->s;
  simplex_weights(s, weight);
  simplex_combine(s->w, weight, nearest);
  simplex_combine(s->a, weight, point_a);
  points_compute_numbers(&w->p, w->lower, nearest, point_a, &n);
  points_write_numbers(w->pair, &n, which, out);
  w->separated |= n.separated & which, w->overlap |= n.overlap & which;
}

/* Updates the lower bound. Ends pairs beyond max_distance. Returns the bit mask of the pairs whose bounds have met. */
GRZ_TEMPLATE unsigned points_update_bound(points_state *state, const f64xn w[3], const points_output *out) {
  const points_pair *p = &state->p;
  const f64xn length = f64xn_sqrt(simplex_dot(p->d, p->d));
  const f64xn half = f64xn_all(0.5) * points_error(p, POINTS_SUPPORT_ERROR);
  f64xn certain;
  state->lower = f64xn_max((f64xn_all(0) - simplex_dot(p->d, w)) / length, state->lower);
  const unsigned beyond = points_beyond(p, state->lower, out, &certain) & state->active;
  if (beyond != 0) points_write_beyond(state->pair, certain, beyond, out);
  state->separated |= beyond, state->active &= ~beyond;
  return f64xn_mask_bits(f64xn_and(state->s.has[0], f64xn_less(length - state->lower, half))) & state->active;
}

POINTS_CALLED void points_distance_step(points_state *state, int dim, const points_output *out) {
  f64xn w[3], a[3];
  unsigned inside, stuck;
  points_cso_vertex(state, w, a);
  const unsigned converged = points_update_bound(state, w, out);
  state->active &= ~converged;
  const unsigned left = points_advance(state, w, a, true, dim, &inside, &stuck);
  if ((converged | stuck) != 0) points_finish(state, converged | stuck, out);
  state->active = left;
}

/* ---- Kernels */

/* Two independent states are advanced alternately, so that the processor overlaps their latencies. */
#define POINTS_STATES 2

/* `out` is NULL if only relations are needed. */
GRZ_TEMPLATE void points_run(const grz_batch_pairs *pairs, size_t count, int dim, uint8_t *relation,
                             const points_output *out) {
  points_state state[POINTS_STATES];
  points_queue queue;
  memset(relation, GRZ_BATCH_UNDECIDED, count);
  memset(&queue, 0, sizeof queue);
  memset(state, 0, sizeof state);
  queue.pairs = pairs, queue.count = count;
  for (int n = 0; n < POINTS_STATES; n++) {
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < F64XN_WIDTH; k++) state[n].vertex[side][k] = points_set_of(pairs, side, 0)->points;
    points_refill(&state[n], &queue, relation);
  }
  while ((state[0].active | state[1].active) != 0) {
    for (int n = 0; n < POINTS_STATES; n++) {
      if (state[n].active == 0) continue;
      if (out != NULL)
        points_distance_step(&state[n], dim, out);
      else
        points_intersect_step(&state[n], dim);
      points_refill(&state[n], &queue, relation);
    }
  }
  for (int n = 0; n < POINTS_STATES; n++)
    for (unsigned k = 0; k < F64XN_WIDTH; k++)
      if (state[n].assigned >> k & 1) points_write_relation(&state[n], k, relation);
}

static void points_intersect(const grz_batch_pairs *pairs, size_t count, int dim, uint8_t *relation) {
  points_run(pairs, count, dim, relation, NULL);
}

static void points_distance(const grz_batch_pairs *pairs, size_t count, int dim, double max_distance, uint8_t *relation,
                            grz_batch_numbers *numbers) {
  const points_output out = {pairs->pose[0], max_distance, numbers};
  points_run(pairs, count, dim, relation, &out);
}
