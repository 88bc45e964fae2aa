/* Two lists of points side by side with others, in doubles: GJK in lockstep. The farthest points are looked for pair by
 * pair, with the points of a list in the lanes; all else, with pairs in the lanes. Errors are those of
 * narrow/obstacle.h, the filters those of narrow/certify.c: docs/theory/simd.md, "Lists of points". Part of a kernel:
 * see simd/f64xn_portable.h. */
#ifndef GRAZE_BATCH_POINTS_KERNEL_H
#define GRAZE_BATCH_POINTS_KERNEL_H

#include "batch/place_kernel.h"
#include "batch/simplex_kernel.h"

#include <string.h>

/* Products of six lengths stay in the range of doubles. */
#define LISTS_LEAST 0x1p-140
#define LISTS_MOST 0x1p140

/* As in narrow/obstacle.c, in units of u·size. */
#define LISTS_POINT 48
#define LISTS_SUPPORT 136
#define LISTS_NEAR 66

/* GJK ends long before, or doubles do not suffice. */
#define LISTS_STEPS 40

/* Numbers of pairs. */
typedef struct lists_pair {
  f64xn turn_a[9], turn_b[9];
  f64xn offset[3]; /* from B to A */
  f64xn size;      /* in which errors are counted */
  f64xn radius;    /* of both, and the clearance */
  f64xn out;       /* … of A, and the clearance */
  f64xn scale;     /* by which widths are measured */
  f64xn d[3];      /* the next direction */
} lists_pair;

enum { LISTS_NUMBERS = 28 };

/* Pairs that wait, already read. */
typedef struct lists_queue {
  const grz_batch_pairs *pairs;
  size_t next, count; /* those not read */
  size_t from;        /* those that wait */
  unsigned ready;     /* bits: they do */
  double number[LISTS_NUMBERS][F64XN_WIDTH];
} lists_queue;

/* Pairs at work. Where one is done the next one takes its lane. */
typedef struct lists_work {
  lists_pair p;
  simplex_lanes s;
  f64xn lower; /* the largest gap so far */
  f64xn age;   /* steps */
  size_t who[F64XN_WIDTH];
  const grz_batch_list *list[2][F64XN_WIDTH];
  const double *found[2][F64XN_WIDTH]; /* the last vertices */
  unsigned active;               /* bits */
  unsigned apart, overlap;       /* bits of those that are done: what is known */
  unsigned taken;                /* bits: not free since the beginning */
} lists_work;

/* Where a vertex of a list stands in its blocks: x; y and z are 8 and 16 further on. */
GRZ_TEMPLATE const double *lists_far_of(const double *points, const size_t blocks, f64xn dx, f64xn dy, f64xn dz) {
  f64xn value[GRZ_BATCH_POINTS / F64XN_WIDTH], most = f64xn_all(-__builtin_inf());
  uint64_t best = 0;
#pragma GCC unroll 8
  for (size_t k = 0; k < blocks * (8 / F64XN_WIDTH); k++) {
    const double *row = points + k * F64XN_WIDTH / 8 * GRZ_BATCH_ROW + k * F64XN_WIDTH % 8;
    value[k] = (f64xn_load(row) * dx + f64xn_load(row + 8) * dy) + f64xn_load(row + 16) * dz;
    most = f64xn_max(value[k], most);
  }
  most = f64xn_all(f64xn_reduce_max(most));
#pragma GCC unroll 8
  for (size_t k = 0; k < blocks * (8 / F64XN_WIDTH); k++) best |= (uint64_t)f64xn_mask_bits(f64xn_equal(value[k], most)) << k * F64XN_WIDTH;
  const size_t index = (size_t)__builtin_ctzll(best | 1ull << 63);
  return points + (index + (index & ~(size_t)7) * (GRZ_BATCH_ROW / 8 - 1));
}

GRZ_TEMPLATE const double *lists_far(const grz_batch_list *list, double x, double y, double z) {
  const f64xn dx = f64xn_all(x), dy = f64xn_all(y), dz = f64xn_all(z);
  switch (list->blocks) {
  case 1: return lists_far_of(list->points, 1, dx, dy, dz);
  case 2: return lists_far_of(list->points, 2, dx, dy, dz);
  case 4: return lists_far_of(list->points, 4, dx, dy, dz);
  default: return lists_far_of(list->points, 8, dx, dy, dz);
  }
}

GRZ_TEMPLATE const grz_batch_list *lists_of(const grz_batch_pairs *pairs, const int side, size_t i) {
  return pairs->core[side][i];
}

/* ---- Reading */

GRZ_TEMPLATE void lists_sizes(const grz_batch_pairs *pairs, size_t at, const int side, f64xn *reach, f64xn *radius) {
  const double *reaches[F64XN_WIDTH], *radii[F64XN_WIDTH];
  for (size_t k = 0; k < F64XN_WIDTH; k++) {
    const grz_batch_list *list = lists_of(pairs, side, at + k);
    reaches[k] = &list->reach, radii[k] = &list->radius;
  }
  *reach = f64xn_gather(reaches), *radius = f64xn_gather(radii);
}

/* Bits: those that lanes can take. */
GRZ_TEMPLATE unsigned lists_read(lists_pair *p, const grz_batch_pairs *pairs, size_t at) {
  place_pose a, b;
  f64xn reach_a, reach_b, radius_a, radius_b;
  const f64xn clearance = f64xn_load(pairs->clearance + at);
  place_read(&a, pairs, at, 0);
  place_read(&b, pairs, at, 1);
  lists_sizes(pairs, at, 0, &reach_a, &radius_a);
  lists_sizes(pairs, at, 1, &reach_b, &radius_b);
  for (int i = 0; i < 9; i++) p->turn_a[i] = a.turn[i], p->turn_b[i] = b.turn[i];
  for (int i = 0; i < 3; i++) p->offset[i] = a.at[i] - b.at[i];
  const f64xn square = simplex_dot(p->offset, p->offset);
  p->size = ((reach_a + reach_b) + f64xn_sqrt(square)) * f64xn_all(1 + 8 * GRZ_U);
  p->radius = (radius_a + radius_b) + clearance, p->out = radius_a + clearance;
  p->scale = f64xn_max(reach_a + radius_a, reach_b + radius_b);
  const f64xn_mask some = f64xn_less(f64xn_all(LISTS_LEAST * LISTS_LEAST * LISTS_LEAST * LISTS_LEAST), square);
  for (int i = 0; i < 3; i++) /* from A to B, or anywhere */
    p->d[i] = f64xn_select(some, f64xn_all(0) - p->offset[i], f64xn_all(i == 0));
  const f64xn_mask size = f64xn_and(f64xn_less(f64xn_all(LISTS_LEAST), p->size), f64xn_less(p->size, f64xn_all(LISTS_MOST)));
  const f64xn_mask radius = f64xn_less(p->radius, f64xn_all(LISTS_MOST));
  return f64xn_mask_bits(f64xn_and(f64xn_and(a.good, b.good), f64xn_and(size, radius)));
}

GRZ_TEMPLATE void lists_store(const lists_pair *p, double number[LISTS_NUMBERS][F64XN_WIDTH]) {
  for (int i = 0; i < 9; i++) f64xn_store(number[i], p->turn_a[i]), f64xn_store(number[9 + i], p->turn_b[i]);
  for (int i = 0; i < 3; i++) f64xn_store(number[18 + i], p->offset[i]), f64xn_store(number[21 + i], p->d[i]);
  f64xn_store(number[24], p->size), f64xn_store(number[25], p->radius);
  f64xn_store(number[26], p->out), f64xn_store(number[27], p->scale);
}

/* Long lists come from farther caches: they are asked for while others are at work. */
GRZ_TEMPLATE void lists_fetch(const grz_batch_pairs *pairs, size_t at) {
  for (size_t k = at; k < at + F64XN_WIDTH; k++)
    for (int side = 0; side < 2; side++) {
      const grz_batch_list *list = lists_of(pairs, side, k);
      const size_t numbers = list->blocks > 1 ? list->blocks * (size_t)GRZ_BATCH_ROW : 0;
      for (size_t i = 0; i < numbers; i += 8) __builtin_prefetch(list->points + i, 0, 2);
    }
}

/* The next pairs that lanes can take, if any are left. */
GRZ_TEMPLATE bool lists_wait(lists_queue *q) {
  while (q->ready == 0 && q->next < q->count) {
    lists_pair p;
    lists_fetch(q->pairs, q->next);
    q->ready = lists_read(&p, q->pairs, q->next);
    lists_store(&p, q->number);
    q->from = q->next, q->next += F64XN_WIDTH;
  }
  return q->ready != 0;
}

/* The numbers of `column` go into the lanes of `take`. */
GRZ_TEMPLATE void lists_take(lists_work *w, const lists_queue *q, f64xn_mask take, const int64_t column[F64XN_WIDTH]) {
  const double(*n)[F64XN_WIDTH] = q->number;
  lists_pair *p = &w->p;
  for (int i = 0; i < 9; i++) {
    p->turn_a[i] = f64xn_permute_masked(take, n[i], column, p->turn_a[i]);
    p->turn_b[i] = f64xn_permute_masked(take, n[9 + i], column, p->turn_b[i]);
  }
  for (int i = 0; i < 3; i++) {
    p->offset[i] = f64xn_permute_masked(take, n[18 + i], column, p->offset[i]);
    p->d[i] = f64xn_permute_masked(take, n[21 + i], column, p->d[i]);
    w->s.has[i] = f64xn_and_not(w->s.has[i], take);
  }
  p->size = f64xn_permute_masked(take, n[24], column, p->size), p->radius = f64xn_permute_masked(take, n[25], column, p->radius);
  p->out = f64xn_permute_masked(take, n[26], column, p->out), p->scale = f64xn_permute_masked(take, n[27], column, p->scale);
  w->s.vv = f64xn_select(take, f64xn_all(__builtin_inf()), w->s.vv);
  w->lower = f64xn_select(take, f64xn_all(-__builtin_inf()), w->lower);
  w->age = f64xn_select(take, f64xn_all(0), w->age);
}

/* Says of a pair what is known. */
GRZ_TEMPLATE void lists_say(const lists_work *w, unsigned lane, uint8_t *verdict) {
  verdict[w->who[lane]] =
      (uint8_t)((w->apart >> lane & 1) * GRAZE_SEPARATED + (w->overlap >> lane & 1) * GRAZE_OVERLAPPING);
}

/* Fills free lanes, as far as pairs are left. */
GRZ_TEMPLATE void lists_refill(lists_work *w, lists_queue *q, uint8_t *verdict) {
  const unsigned all = (1u << F64XN_WIDTH) - 1;
  while (w->active != all && lists_wait(q)) {
    int64_t column[F64XN_WIDTH] = {0};
    unsigned take = 0;
    for (unsigned rest = all & ~w->active; rest != 0 && q->ready != 0; rest &= rest - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(rest), from = (unsigned)__builtin_ctz(q->ready);
      column[lane] = from, take |= 1u << lane;
      if (w->taken >> lane & 1) lists_say(w, lane, verdict);
      w->who[lane] = q->from + from;
      for (int side = 0; side < 2; side++) w->list[side][lane] = lists_of(q->pairs, side, q->from + from);
      q->ready &= q->ready - 1;
    }
    lists_take(w, q, f64xn_mask_of_bits(take), column);
    w->active |= take, w->taken |= take;
    w->apart &= ~take, w->overlap &= ~take;
  }
}

/* ---- Supports */

/* The farthest vertices along local directions; the old ones of pairs that are not at work. */
GRZ_TEMPLATE void lists_support(lists_work *w, const int side, const f64xn along[3], f64xn point[3]) {
  double d[3][F64XN_WIDTH];
  const double *next[F64XN_WIDTH], **found = w->found[side];
  for (int i = 0; i < 3; i++) f64xn_store(d[i], along[i]);
  for (int k = 0; k < F64XN_WIDTH; k++)
    if (w->active >> k & 1) found[k] = lists_far(w->list[side][k], d[0][k], d[1][k], d[2][k]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < F64XN_WIDTH; k++) next[k] = found[k] + 8 * i;
    point[i] = f64xn_gather(next);
  }
}

/* A point of C along the next direction; `a` is that of A, turned. */
GRZ_TEMPLATE void lists_point(lists_work *work, f64xn w[3], f64xn a[3]) {
  const lists_pair *p = &work->p;
  f64xn along[3], back[3], local[3], b[3];
  for (int i = 0; i < 3; i++) back[i] = f64xn_all(0) - p->d[i];
  place_unrotate(p->turn_a, p->d, along);
  lists_support(work, 0, along, local);
  place_rotate(p->turn_a, local, a);
  place_unrotate(p->turn_b, back, along);
  lists_support(work, 1, along, local);
  place_rotate(p->turn_b, local, b);
  for (int i = 0; i < 3; i++) w[i] = (a[i] - b[i]) + p->offset[i];
}

/* ---- Do they meet? */

GRZ_TEMPLATE f64xn lists_error(const lists_pair *p, const int units) { return f64xn_all(units * GRZ_U) * p->size; }

/* How far the radius is off. */
GRZ_TEMPLATE f64xn lists_above(const lists_pair *p) { return f64xn_all(4 * GRZ_U) * p->radius; }

/* Does the point along d show that the cores are farther apart than the radius? */
GRZ_TEMPLATE f64xn_mask lists_apart(const lists_pair *p, const f64xn w[3]) {
  const f64xn gap = f64xn_all(0) - simplex_dot(p->d, w);
  const f64xn least = ((lists_error(p, LISTS_SUPPORT) + p->radius) + lists_above(p)) * f64xn_all(1 + 16 * GRZ_U);
  return f64xn_and(f64xn_less(f64xn_all(0), gap), f64xn_less(least * least * simplex_dot(p->d, p->d), gap * gap));
}

/* Is a point of the simplex's hull nearer than the radius? */
GRZ_TEMPLATE f64xn_mask lists_near(const lists_pair *p, const simplex_lanes *s) {
  f64xn weight[3], mean[3];
  simplex_weights(s, weight);
  simplex_mean(s->w, weight, mean);
  const f64xn length = f64xn_sqrt(simplex_dot(mean, mean));
  return f64xn_less(length + lists_error(p, LISTS_NEAR), p->radius - lists_above(p));
}

/* Takes the new point into the simplex. Bits: those that go on; `held`, whose simplex may hold the origin, and `stuck`,
 * which do not come nearer, keep the older one. */
GRZ_TEMPLATE unsigned lists_advance(lists_work *work, const f64xn w[3], const f64xn a[3], const bool measure,
                                    const int dim, unsigned *held, unsigned *stuck) {
  const f64xn point = lists_error(&work->p, LISTS_POINT), steps = f64xn_all(LISTS_STEPS);
  const simplex_step next = simplex_advance(&work->s, w, dim);
  const unsigned nearer = f64xn_mask_bits(next.nearer);
  *held = f64xn_mask_bits(next.held) & work->active, *stuck = work->active & ~nearer & ~*held;
  const f64xn_mask take = f64xn_mask_of_bits(work->active & nearer & ~*held);
  simplex_accept(&work->s, &next, w, a, take, measure);
  simplex_pick(take, next.d, work->p.d, work->p.d);
  work->age = work->age + f64xn_all(1);
  const f64xn_mask open = f64xn_and(f64xn_less(point * point, work->s.vv), f64xn_less(work->age, steps));
  return work->active & nearer & ~*held & f64xn_mask_bits(open);
}

/* A step of two works by turns overlaps: neither waits for the other's numbers. */
enum { LISTS_WORKS = 2 };

GRZ_TEMPLATE void lists_begin(lists_work work[LISTS_WORKS], lists_queue *q, const grz_batch_pairs *pairs, size_t count,
                              uint8_t *verdict) {
  memset(q, 0, sizeof *q);
  memset(work, 0, LISTS_WORKS * sizeof *work);
  q->pairs = pairs, q->count = count;
  for (int n = 0; n < LISTS_WORKS; n++) {
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < F64XN_WIDTH; k++) work[n].found[side][k] = lists_of(pairs, side, 0)->points;
    lists_refill(&work[n], q, verdict);
  }
}

GRZ_TEMPLATE void lists_meet_step(lists_work *work, const int dim) {
  f64xn w[3], a[3];
  unsigned held, stuck;
  lists_point(work, w, a);
  const unsigned apart = f64xn_mask_bits(lists_apart(&work->p, w)) & work->active;
  work->apart |= apart, work->active &= ~apart;
  const unsigned left = lists_advance(work, w, a, false, dim, &held, &stuck);
  if (held != 0) {
    const f64xn_mask inside = simplex_holds(&work->s, w, lists_error(&work->p, LISTS_POINT), dim);
    work->overlap |= held & f64xn_mask_bits(inside);
  }
  work->active = left;
  if (f64xn_mask_bits(f64xn_less(f64xn_all(0), work->p.radius)) & left) {
    const unsigned near = f64xn_mask_bits(lists_near(&work->p, &work->s)) & left;
    work->overlap |= near, work->active &= ~near;
  }
}

/* ---- How far are they apart? */

/* As narrow/query.c promises it. */
#define LISTS_WIDTH 1e-12
#define LISTS_DIGITS 0x1p-24

/* What is wanted, and where it goes. */
typedef struct lists_ask {
  const double *const *pose; /* of A */
  double most;
  grz_batch_numbers *numbers;
} lists_ask;

/* What the last roundings of a width add. */
GRZ_TEMPLATE f64xn lists_rounding(const lists_pair *p) {
  return lists_above(p) + f64xn_all(4 * GRZ_U) * (p->size + p->radius);
}

/* Numbers of pairs that are done, in lanes. */
typedef struct lists_numbers {
  f64xn distance, lower, upper, normal[3], point[3];
  unsigned apart, overlap; /* bits: proved, and narrow */
} lists_numbers;

GRZ_TEMPLATE void lists_narrow(const lists_pair *p, lists_numbers *n) {
  const f64xn width = n->upper - n->lower, size = f64xn_abs(n->distance);
  const f64xn_mask narrow = f64xn_and(f64xn_less(width, f64xn_all(LISTS_WIDTH) * f64xn_max(size, p->scale)),
                                  f64xn_less(width, f64xn_all(LISTS_DIGITS) * size));
  n->apart &= f64xn_mask_bits(narrow), n->overlap &= f64xn_mask_bits(narrow);
}

/* As grz_certify_numbers(). */
GRZ_TEMPLATE void lists_measured(const lists_work *w, lists_numbers *n) {
  const lists_pair *p = &w->p;
  const f64xn none = f64xn_all(0), above = lists_above(p), rounding = lists_rounding(p);
  f64xn weight[3], mean[3], core[3];
  simplex_weights(&w->s, weight);
  simplex_mean(w->s.w, weight, mean);
  simplex_mean(w->s.a, weight, core);
  const f64xn length = f64xn_sqrt(simplex_dot(mean, mean)), one = f64xn_all(-1) / length;
  const f64xn high = length + lists_error(p, LISTS_NEAR), low = w->lower - lists_error(p, LISTS_SUPPORT);
  n->apart = f64xn_mask_bits(f64xn_less(p->radius + above, low));
  n->overlap = f64xn_mask_bits(f64xn_and(f64xn_less(none, low), f64xn_less(high, p->radius - above)));
  n->lower = (low - p->radius) - rounding, n->upper = (high - p->radius) + rounding;
  n->lower = f64xn_select(f64xn_mask_of_bits(n->apart), f64xn_max(n->lower, none), n->lower);
  n->upper = f64xn_select(f64xn_mask_of_bits(n->overlap), f64xn_min(n->upper, none), n->upper);
  n->distance = f64xn_min(f64xn_max(length - p->radius, n->lower), n->upper);
  for (int i = 0; i < 3; i++) {
    n->normal[i] = mean[i] * one;
    n->point[i] = core[i] + n->normal[i] * p->out;
  }
  lists_narrow(p, n);
}

/* Writes those that are proved; the others stay unknown. */
GRZ_TEMPLATE void lists_write(lists_work *w, const lists_numbers *n, unsigned who, const lists_ask *ask) {
  double number[9][F64XN_WIDTH];
  f64xn_store(number[0], n->distance), f64xn_store(number[1], n->lower), f64xn_store(number[2], n->upper);
  for (int i = 0; i < 3; i++) f64xn_store(number[3 + i], n->normal[i]), f64xn_store(number[6 + i], n->point[i]);
  w->apart |= n->apart & who, w->overlap |= n->overlap & who;
  for (who &= n->apart | n->overlap; who != 0; who &= who - 1) {
    const int k = __builtin_ctz(who);
    grz_batch_numbers *to = &ask->numbers[w->who[k]];
    const double *at = ask->pose[w->who[k]], distance = number[0][k];
    to->distance = distance, to->lower = number[1][k], to->upper = number[2][k];
    to->normal = vec_make(number[3][k], number[4][k], number[5][k]);
    to->point_a = vec_add(vec_make(number[6][k], number[7][k], number[8][k]), vec_make(at[0], at[1], at[2]));
    to->point_b = vec_add(to->point_a, vec_scale(to->normal, distance));
  }
}

/* Beyond the distance that matters nothing but that is known. */
GRZ_TEMPLATE void lists_cut(lists_work *w, f64xn sure, unsigned who, const lists_ask *ask) {
  const double none = __builtin_nan("");
  const graze_vec nowhere = {none, none, none};
  double lower[F64XN_WIDTH];
  f64xn_store(lower, sure);
  for (unsigned rest = who; rest != 0; rest &= rest - 1) {
    const int k = __builtin_ctz(rest);
    ask->numbers[w->who[k]] = (grz_batch_numbers){none, lower[k], none, nowhere, nowhere, nowhere};
  }
  w->apart |= who;
}

/* Bits: those of which the bounds have met. */
GRZ_TEMPLATE unsigned lists_bound(lists_work *work, const f64xn w[3], const lists_ask *ask) {
  const lists_pair *p = &work->p;
  const f64xn length = f64xn_sqrt(simplex_dot(p->d, p->d)), support = lists_error(p, LISTS_SUPPORT);
  const f64xn half = f64xn_all(0.5) * support;
  work->lower = f64xn_max((f64xn_all(0) - simplex_dot(p->d, w)) / length, work->lower);
  const f64xn low = work->lower - support, sure = (low - p->radius) - lists_rounding(p);
  const f64xn_mask apart = f64xn_less(p->radius + lists_above(p), low);
  const unsigned cut = f64xn_mask_bits(f64xn_and_not(apart, f64xn_less(sure, f64xn_all(ask->most)))) & work->active;
  if (cut != 0) lists_cut(work, sure, cut, ask);
  work->active &= ~cut;
  return f64xn_mask_bits(f64xn_and(work->s.has[0], f64xn_less(length - work->lower, half))) & work->active;
}

GRZ_TEMPLATE void lists_measure_step(lists_work *work, const int dim, const lists_ask *ask) {
  f64xn w[3], a[3];
  unsigned held, stuck;
  lists_point(work, w, a);
  const unsigned close = lists_bound(work, w, ask);
  work->active &= ~close;
  const unsigned left = lists_advance(work, w, a, true, dim, &held, &stuck);
  if ((close | stuck) != 0) {
    lists_numbers numbers;
    lists_measured(work, &numbers);
    lists_write(work, &numbers, close | stuck, ask);
  }
  work->active = left;
}

/* ---- All pairs */

/* `ask` is NULL where only the verdicts are wanted. */
GRZ_TEMPLATE void lists_run(const grz_batch_pairs *pairs, size_t count, const int dim, uint8_t *verdict,
                            const lists_ask *ask) {
  lists_work work[LISTS_WORKS];
  lists_queue queue;
  memset(verdict, GRZ_BATCH_UNKNOWN, count);
  lists_begin(work, &queue, pairs, count, verdict);
  while ((work[0].active | work[1].active) != 0) {
    for (int n = 0; n < LISTS_WORKS; n++) {
      if (work[n].active == 0) continue;
      if (ask != NULL)
        lists_measure_step(&work[n], dim, ask);
      else
        lists_meet_step(&work[n], dim);
      lists_refill(&work[n], &queue, verdict);
    }
  }
  for (int n = 0; n < LISTS_WORKS; n++)
    for (unsigned lane = 0; lane < F64XN_WIDTH; lane++)
      if (work[n].taken >> lane & 1) lists_say(&work[n], lane, verdict);
}

static void lists_meet(const grz_batch_pairs *pairs, size_t count, int dim, uint8_t *verdict) {
  if (dim == 2)
    lists_run(pairs, count, 2, verdict, NULL);
  else
    lists_run(pairs, count, 3, verdict, NULL);
}

static void lists_measure(const grz_batch_pairs *pairs, size_t count, int dim, double most, uint8_t *verdict,
                          grz_batch_numbers *numbers) {
  const lists_ask ask = {pairs->pose[0], most, numbers};
  if (dim == 2)
    lists_run(pairs, count, 2, verdict, &ask);
  else
    lists_run(pairs, count, 3, verdict, &ask);
}

#endif
