/* Two lists of points side by side with others, in doubles: GJK in lockstep. The farthest points are looked for pair by
 * pair, with the points of a list in the lanes; all else, with pairs in the lanes. Errors are those of
 * narrow/obstacle.h, the filters those of narrow/certify.c: docs/theory/lanes.md, "Lists of points". Part of a kernel:
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
  lane_d turn_a[9], turn_b[9];
  lane_d offset[3]; /* from B to A */
  lane_d size;      /* in which errors are counted */
  lane_d radius;    /* of both, and the clearance */
  lane_d out;       /* … of A, and the clearance */
  lane_d scale;     /* by which widths are measured */
  lane_d d[3];      /* the next direction */
} lists_pair;

enum { LISTS_NUMBERS = 28 };

/* Pairs that wait, already read. */
typedef struct lists_queue {
  const grz_batch_pairs *pairs;
  size_t next, count; /* those not read */
  size_t from;        /* those that wait */
  unsigned ready;     /* bits: they do */
  double number[LISTS_NUMBERS][LANES];
} lists_queue;

/* Pairs at work. Where one is done the next one takes its lane. */
typedef struct lists_work {
  lists_pair p;
  simplex_lanes s;
  lane_d lower; /* the largest gap so far */
  lane_d age;   /* steps */
  size_t who[LANES];
  const grz_batch_list *list[2][LANES];
  const double *found[2][LANES]; /* the last vertices */
  unsigned active;               /* bits */
  unsigned apart, overlap;       /* bits of those that are done: what is known */
  unsigned taken;                /* bits: not free since the beginning */
} lists_work;

/* Where a vertex of a list stands in its blocks: x; y and z are 8 and 16 further on. */
GRZ_TEMPLATE const double *lists_far_of(const double *points, const size_t blocks, lane_d dx, lane_d dy, lane_d dz) {
  lane_d value[GRZ_BATCH_POINTS / LANES], most = lane_all(-__builtin_inf());
  uint64_t best = 0;
#pragma GCC unroll 8
  for (size_t k = 0; k < blocks * (8 / LANES); k++) {
    const double *row = points + k * LANES / 8 * GRZ_BATCH_ROW + k * LANES % 8;
    value[k] = (lane_load(row) * dx + lane_load(row + 8) * dy) + lane_load(row + 16) * dz;
    most = lane_max(value[k], most);
  }
  most = lane_all(lane_most(most));
#pragma GCC unroll 8
  for (size_t k = 0; k < blocks * (8 / LANES); k++) best |= (uint64_t)lane_bits(lane_same(value[k], most)) << k * LANES;
  const size_t index = (size_t)__builtin_ctzll(best | 1ull << 63);
  return points + (index + (index & ~(size_t)7) * (GRZ_BATCH_ROW / 8 - 1));
}

GRZ_TEMPLATE const double *lists_far(const grz_batch_list *list, double x, double y, double z) {
  const lane_d dx = lane_all(x), dy = lane_all(y), dz = lane_all(z);
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

GRZ_TEMPLATE void lists_sizes(const grz_batch_pairs *pairs, size_t at, const int side, lane_d *reach, lane_d *radius) {
  const double *reaches[LANES], *radii[LANES];
  for (size_t k = 0; k < LANES; k++) {
    const grz_batch_list *list = lists_of(pairs, side, at + k);
    reaches[k] = &list->reach, radii[k] = &list->radius;
  }
  *reach = lane_gather(reaches), *radius = lane_gather(radii);
}

/* Bits: those that lanes can take. */
GRZ_TEMPLATE unsigned lists_read(lists_pair *p, const grz_batch_pairs *pairs, size_t at) {
  place_pose a, b;
  lane_d reach_a, reach_b, radius_a, radius_b;
  const lane_d clearance = lane_load(pairs->clearance + at);
  place_read(&a, pairs, at, 0);
  place_read(&b, pairs, at, 1);
  lists_sizes(pairs, at, 0, &reach_a, &radius_a);
  lists_sizes(pairs, at, 1, &reach_b, &radius_b);
  for (int i = 0; i < 9; i++) p->turn_a[i] = a.turn[i], p->turn_b[i] = b.turn[i];
  for (int i = 0; i < 3; i++) p->offset[i] = a.at[i] - b.at[i];
  const lane_d square = simplex_dot(p->offset, p->offset);
  p->size = ((reach_a + reach_b) + lane_sqrt(square)) * lane_all(1 + 8 * GRZ_U);
  p->radius = (radius_a + radius_b) + clearance, p->out = radius_a + clearance;
  p->scale = lane_max(reach_a + radius_a, reach_b + radius_b);
  const lane_m some = lane_less(lane_all(LISTS_LEAST * LISTS_LEAST * LISTS_LEAST * LISTS_LEAST), square);
  for (int i = 0; i < 3; i++) /* from A to B, or anywhere */
    p->d[i] = lane_pick(some, lane_all(0) - p->offset[i], lane_all(i == 0));
  const lane_m size = lane_both(lane_less(lane_all(LISTS_LEAST), p->size), lane_less(p->size, lane_all(LISTS_MOST)));
  const lane_m radius = lane_less(p->radius, lane_all(LISTS_MOST));
  return lane_bits(lane_both(lane_both(a.good, b.good), lane_both(size, radius)));
}

GRZ_TEMPLATE void lists_store(const lists_pair *p, double number[LISTS_NUMBERS][LANES]) {
  for (int i = 0; i < 9; i++) lane_store(number[i], p->turn_a[i]), lane_store(number[9 + i], p->turn_b[i]);
  for (int i = 0; i < 3; i++) lane_store(number[18 + i], p->offset[i]), lane_store(number[21 + i], p->d[i]);
  lane_store(number[24], p->size), lane_store(number[25], p->radius);
  lane_store(number[26], p->out), lane_store(number[27], p->scale);
}

/* Long lists come from farther caches: they are asked for while others are at work. */
GRZ_TEMPLATE void lists_fetch(const grz_batch_pairs *pairs, size_t at) {
  for (size_t k = at; k < at + LANES; k++)
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
    q->from = q->next, q->next += LANES;
  }
  return q->ready != 0;
}

/* The numbers of `column` go into the lanes of `take`. */
GRZ_TEMPLATE void lists_take(lists_work *w, const lists_queue *q, lane_m take, const int64_t column[LANES]) {
  const double(*n)[LANES] = q->number;
  lists_pair *p = &w->p;
  for (int i = 0; i < 9; i++) {
    p->turn_a[i] = lane_take(take, n[i], column, p->turn_a[i]);
    p->turn_b[i] = lane_take(take, n[9 + i], column, p->turn_b[i]);
  }
  for (int i = 0; i < 3; i++) {
    p->offset[i] = lane_take(take, n[18 + i], column, p->offset[i]);
    p->d[i] = lane_take(take, n[21 + i], column, p->d[i]);
    w->s.has[i] = lane_but(w->s.has[i], take);
  }
  p->size = lane_take(take, n[24], column, p->size), p->radius = lane_take(take, n[25], column, p->radius);
  p->out = lane_take(take, n[26], column, p->out), p->scale = lane_take(take, n[27], column, p->scale);
  w->s.vv = lane_pick(take, lane_all(__builtin_inf()), w->s.vv);
  w->lower = lane_pick(take, lane_all(-__builtin_inf()), w->lower);
  w->age = lane_pick(take, lane_all(0), w->age);
}

/* Says of a pair what is known. */
GRZ_TEMPLATE void lists_say(const lists_work *w, unsigned lane, uint8_t *verdict) {
  verdict[w->who[lane]] =
      (uint8_t)((w->apart >> lane & 1) * GRAZE_SEPARATED + (w->overlap >> lane & 1) * GRAZE_OVERLAPPING);
}

/* Fills free lanes, as far as pairs are left. */
GRZ_TEMPLATE void lists_refill(lists_work *w, lists_queue *q, uint8_t *verdict) {
  const unsigned all = (1u << LANES) - 1;
  while (w->active != all && lists_wait(q)) {
    int64_t column[LANES] = {0};
    unsigned take = 0;
    for (unsigned rest = all & ~w->active; rest != 0 && q->ready != 0; rest &= rest - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(rest), from = (unsigned)__builtin_ctz(q->ready);
      column[lane] = from, take |= 1u << lane;
      if (w->taken >> lane & 1) lists_say(w, lane, verdict);
      w->who[lane] = q->from + from;
      for (int side = 0; side < 2; side++) w->list[side][lane] = lists_of(q->pairs, side, q->from + from);
      q->ready &= q->ready - 1;
    }
    lists_take(w, q, lane_mask(take), column);
    w->active |= take, w->taken |= take;
    w->apart &= ~take, w->overlap &= ~take;
  }
}

/* ---- Supports */

/* The farthest vertices along local directions; the old ones of pairs that are not at work. */
GRZ_TEMPLATE void lists_support(lists_work *w, const int side, const lane_d along[3], lane_d point[3]) {
  double d[3][LANES];
  const double *next[LANES], **found = w->found[side];
  for (int i = 0; i < 3; i++) lane_store(d[i], along[i]);
  for (int k = 0; k < LANES; k++)
    if (w->active >> k & 1) found[k] = lists_far(w->list[side][k], d[0][k], d[1][k], d[2][k]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < LANES; k++) next[k] = found[k] + 8 * i;
    point[i] = lane_gather(next);
  }
}

/* A point of C along the next direction; `a` is that of A, turned. */
GRZ_TEMPLATE void lists_point(lists_work *work, lane_d w[3], lane_d a[3]) {
  const lists_pair *p = &work->p;
  lane_d along[3], back[3], local[3], b[3];
  for (int i = 0; i < 3; i++) back[i] = lane_all(0) - p->d[i];
  place_unrotate(p->turn_a, p->d, along);
  lists_support(work, 0, along, local);
  place_rotate(p->turn_a, local, a);
  place_unrotate(p->turn_b, back, along);
  lists_support(work, 1, along, local);
  place_rotate(p->turn_b, local, b);
  for (int i = 0; i < 3; i++) w[i] = (a[i] - b[i]) + p->offset[i];
}

/* ---- Do they meet? */

GRZ_TEMPLATE lane_d lists_error(const lists_pair *p, const int units) { return lane_all(units * GRZ_U) * p->size; }

/* How far the radius is off. */
GRZ_TEMPLATE lane_d lists_above(const lists_pair *p) { return lane_all(4 * GRZ_U) * p->radius; }

/* Does the point along d show that the cores are farther apart than the radius? */
GRZ_TEMPLATE lane_m lists_apart(const lists_pair *p, const lane_d w[3]) {
  const lane_d gap = lane_all(0) - simplex_dot(p->d, w);
  const lane_d least = ((lists_error(p, LISTS_SUPPORT) + p->radius) + lists_above(p)) * lane_all(1 + 16 * GRZ_U);
  return lane_both(lane_less(lane_all(0), gap), lane_less(least * least * simplex_dot(p->d, p->d), gap * gap));
}

/* Is a point of the simplex's hull nearer than the radius? */
GRZ_TEMPLATE lane_m lists_near(const lists_pair *p, const simplex_lanes *s) {
  lane_d weight[3], mean[3];
  simplex_weights(s, weight);
  simplex_mean(s->w, weight, mean);
  const lane_d length = lane_sqrt(simplex_dot(mean, mean));
  return lane_less(length + lists_error(p, LISTS_NEAR), p->radius - lists_above(p));
}

/* Takes the new point into the simplex. Bits: those that go on; `held`, whose simplex may hold the origin, and `stuck`,
 * which do not come nearer, keep the older one. */
GRZ_TEMPLATE unsigned lists_advance(lists_work *work, const lane_d w[3], const lane_d a[3], const bool measure,
                                    const int dim, unsigned *held, unsigned *stuck) {
  const lane_d point = lists_error(&work->p, LISTS_POINT), steps = lane_all(LISTS_STEPS);
  const simplex_step next = simplex_advance(&work->s, w, dim);
  const unsigned nearer = lane_bits(next.nearer);
  *held = lane_bits(next.held) & work->active, *stuck = work->active & ~nearer & ~*held;
  const lane_m take = lane_mask(work->active & nearer & ~*held);
  simplex_accept(&work->s, &next, w, a, take, measure);
  simplex_pick(take, next.d, work->p.d, work->p.d);
  work->age = work->age + lane_all(1);
  const lane_m open = lane_both(lane_less(point * point, work->s.vv), lane_less(work->age, steps));
  return work->active & nearer & ~*held & lane_bits(open);
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
      for (int k = 0; k < LANES; k++) work[n].found[side][k] = lists_of(pairs, side, 0)->points;
    lists_refill(&work[n], q, verdict);
  }
}

GRZ_TEMPLATE void lists_meet_step(lists_work *work, const int dim) {
  lane_d w[3], a[3];
  unsigned held, stuck;
  lists_point(work, w, a);
  const unsigned apart = lane_bits(lists_apart(&work->p, w)) & work->active;
  work->apart |= apart, work->active &= ~apart;
  const unsigned left = lists_advance(work, w, a, false, dim, &held, &stuck);
  if (held != 0) {
    const lane_m inside = simplex_holds(&work->s, w, lists_error(&work->p, LISTS_POINT), dim);
    work->overlap |= held & lane_bits(inside);
  }
  work->active = left;
  if (lane_bits(lane_less(lane_all(0), work->p.radius)) & left) {
    const unsigned near = lane_bits(lists_near(&work->p, &work->s)) & left;
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
GRZ_TEMPLATE lane_d lists_rounding(const lists_pair *p) {
  return lists_above(p) + lane_all(4 * GRZ_U) * (p->size + p->radius);
}

/* Numbers of pairs that are done, in lanes. */
typedef struct lists_numbers {
  lane_d distance, lower, upper, normal[3], point[3];
  unsigned apart, overlap; /* bits: proved, and narrow */
} lists_numbers;

GRZ_TEMPLATE void lists_narrow(const lists_pair *p, lists_numbers *n) {
  const lane_d width = n->upper - n->lower, size = lane_abs(n->distance);
  const lane_m narrow = lane_both(lane_less(width, lane_all(LISTS_WIDTH) * lane_max(size, p->scale)),
                                  lane_less(width, lane_all(LISTS_DIGITS) * size));
  n->apart &= lane_bits(narrow), n->overlap &= lane_bits(narrow);
}

/* As grz_certify_numbers(). */
GRZ_TEMPLATE void lists_measured(const lists_work *w, lists_numbers *n) {
  const lists_pair *p = &w->p;
  const lane_d none = lane_all(0), above = lists_above(p), rounding = lists_rounding(p);
  lane_d weight[3], mean[3], core[3];
  simplex_weights(&w->s, weight);
  simplex_mean(w->s.w, weight, mean);
  simplex_mean(w->s.a, weight, core);
  const lane_d length = lane_sqrt(simplex_dot(mean, mean)), one = lane_all(-1) / length;
  const lane_d high = length + lists_error(p, LISTS_NEAR), low = w->lower - lists_error(p, LISTS_SUPPORT);
  n->apart = lane_bits(lane_less(p->radius + above, low));
  n->overlap = lane_bits(lane_both(lane_less(none, low), lane_less(high, p->radius - above)));
  n->lower = (low - p->radius) - rounding, n->upper = (high - p->radius) + rounding;
  n->lower = lane_pick(lane_mask(n->apart), lane_max(n->lower, none), n->lower);
  n->upper = lane_pick(lane_mask(n->overlap), lane_min(n->upper, none), n->upper);
  n->distance = lane_min(lane_max(length - p->radius, n->lower), n->upper);
  for (int i = 0; i < 3; i++) {
    n->normal[i] = mean[i] * one;
    n->point[i] = core[i] + n->normal[i] * p->out;
  }
  lists_narrow(p, n);
}

/* Writes those that are proved; the others stay unknown. */
GRZ_TEMPLATE void lists_write(lists_work *w, const lists_numbers *n, unsigned who, const lists_ask *ask) {
  double number[9][LANES];
  lane_store(number[0], n->distance), lane_store(number[1], n->lower), lane_store(number[2], n->upper);
  for (int i = 0; i < 3; i++) lane_store(number[3 + i], n->normal[i]), lane_store(number[6 + i], n->point[i]);
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
GRZ_TEMPLATE void lists_cut(lists_work *w, lane_d sure, unsigned who, const lists_ask *ask) {
  const double none = __builtin_nan("");
  const graze_vec nowhere = {none, none, none};
  double lower[LANES];
  lane_store(lower, sure);
  for (unsigned rest = who; rest != 0; rest &= rest - 1) {
    const int k = __builtin_ctz(rest);
    ask->numbers[w->who[k]] = (grz_batch_numbers){none, lower[k], none, nowhere, nowhere, nowhere};
  }
  w->apart |= who;
}

/* Bits: those of which the bounds have met. */
GRZ_TEMPLATE unsigned lists_bound(lists_work *work, const lane_d w[3], const lists_ask *ask) {
  const lists_pair *p = &work->p;
  const lane_d length = lane_sqrt(simplex_dot(p->d, p->d)), support = lists_error(p, LISTS_SUPPORT);
  const lane_d half = lane_all(0.5) * support;
  work->lower = lane_max((lane_all(0) - simplex_dot(p->d, w)) / length, work->lower);
  const lane_d low = work->lower - support, sure = (low - p->radius) - lists_rounding(p);
  const lane_m apart = lane_less(p->radius + lists_above(p), low);
  const unsigned cut = lane_bits(lane_but(apart, lane_less(sure, lane_all(ask->most)))) & work->active;
  if (cut != 0) lists_cut(work, sure, cut, ask);
  work->active &= ~cut;
  return lane_bits(lane_both(work->s.has[0], lane_less(length - work->lower, half))) & work->active;
}

GRZ_TEMPLATE void lists_measure_step(lists_work *work, const int dim, const lists_ask *ask) {
  lane_d w[3], a[3];
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
    for (unsigned lane = 0; lane < LANES; lane++)
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
