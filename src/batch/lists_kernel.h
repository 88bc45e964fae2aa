/* Two lists of points side by side with others, in doubles: GJK in lockstep. The farthest points are looked for pair by
 * pair, with the points of a list in the lanes; all else, with pairs in the lanes. Errors are those of cso/obstacle.h,
 * the filters those of cso/certify.c: docs/theory/lanes.md, "Lists of points". Part of a kernel: see
 * lanes/wide_portable.h. */
#ifndef GRAZE_BATCH_LISTS_KERNEL_H
#define GRAZE_BATCH_LISTS_KERNEL_H

#include "batch/place_kernel.h"
#include "batch/simplex_kernel.h"

/* Products of six lengths stay in the range of doubles. */
#define LISTS_LEAST 0x1p-140
#define LISTS_MOST 0x1p140

/* As in cso/obstacle.c, in units of u·size. */
#define LISTS_POINT 48
#define LISTS_SUPPORT 136
#define LISTS_NEAR 66

/* GJK ends long before, or doubles do not suffice. */
#define LISTS_STEPS 40

typedef struct lists_pair {
  lane_d turn_a[9], turn_b[9];
  lane_d offset[3]; /* from B to A */
  lane_d size, reach_a, reach_b, radius_a, radius_b;
  lane_d radius;                /* of both, and the clearance */
  lane_d point, support, above; /* errors of a point, of a support value, and of the radius */
  lane_m good;
} lists_pair;

/* Where a vertex of a list stands in its blocks: x; y and z are 8 and 16 further on. */
GRZ_TEMPLATE const double *lists_far(const grz_batch_list *list, double x, double y, double z) {
  const lane_d dx = lane_all(x), dy = lane_all(y), dz = lane_all(z);
  lane_d value[GRZ_BATCH_POINTS / LANES], most = lane_all(-__builtin_inf());
  const size_t steps = list->blocks * (8 / LANES);
  uint64_t best = 0;
  for (size_t k = 0; k < steps; k++) {
    const double *row = list->points + k * LANES / 8 * GRZ_BATCH_ROW + k * LANES % 8;
    value[k] = (lane_load(row) * dx + lane_load(row + 8) * dy) + lane_load(row + 16) * dz;
    most = lane_max(value[k], most);
  }
  most = lane_all(lane_most(most));
  for (size_t k = 0; k < steps; k++) best |= (uint64_t)lane_bits(lane_same(value[k], most)) << k * LANES;
  const size_t index = (size_t)__builtin_ctzll(best | 1ull << 63);
  return list->points + index / 8 * GRZ_BATCH_ROW + index % 8;
}

GRZ_TEMPLATE const grz_batch_list *lists_of(const grz_batch_pairs *pairs, const int side, size_t i) {
  return pairs->core[side][i];
}

/* The farthest vertices along local directions, of the pairs that are still at it: `found` keeps those of the others.
 */
GRZ_TEMPLATE void lists_support(const grz_batch_pairs *pairs, const int side, size_t at, unsigned active,
                                const lane_d along[3], const double *found[LANES], lane_d point[3]) {
  double d[3][LANES];
  const double *next[LANES];
  for (int i = 0; i < 3; i++) lane_store(d[i], along[i]);
  for (size_t k = 0; k < LANES; k++)
    if (active >> k & 1) found[k] = lists_far(lists_of(pairs, side, at + k), d[0][k], d[1][k], d[2][k]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < LANES; k++) next[k] = found[k] + 8 * i;
    point[i] = lane_gather(next);
  }
}

GRZ_TEMPLATE void lists_sizes(lists_pair *p, const grz_batch_pairs *pairs, size_t at) {
  const double *reach[2][LANES], *radius[2][LANES];
  for (int side = 0; side < 2; side++) {
    for (size_t k = 0; k < LANES; k++) {
      const grz_batch_list *list = lists_of(pairs, side, at + k);
      reach[side][k] = &list->reach, radius[side][k] = &list->radius;
    }
  }
  p->reach_a = lane_gather(reach[0]), p->reach_b = lane_gather(reach[1]);
  p->radius_a = lane_gather(radius[0]), p->radius_b = lane_gather(radius[1]);
}

GRZ_TEMPLATE void lists_read(lists_pair *p, const grz_batch_pairs *pairs, size_t at) {
  place_pose a, b;
  place_read(&a, pairs, at, 0);
  place_read(&b, pairs, at, 1);
  lists_sizes(p, pairs, at);
  for (int i = 0; i < 9; i++) p->turn_a[i] = a.turn[i], p->turn_b[i] = b.turn[i];
  for (int i = 0; i < 3; i++) p->offset[i] = a.at[i] - b.at[i];
  const lane_d away = lane_sqrt(simplex_dot(p->offset, p->offset)), unit = lane_all(GRZ_U);
  p->size = ((p->reach_a + p->reach_b) + away) * lane_all(1 + 8 * GRZ_U);
  p->radius = (p->radius_a + p->radius_b) + lane_load(pairs->clearance + at);
  p->point = lane_all(LISTS_POINT) * unit * p->size;
  p->support = lane_all(LISTS_SUPPORT) * unit * p->size;
  p->above = lane_all(4) * unit * p->radius;
  const lane_m size = lane_both(lane_less(lane_all(LISTS_LEAST), p->size), lane_less(p->size, lane_all(LISTS_MOST)));
  p->good = lane_both(lane_both(a.good, b.good), lane_both(size, lane_less(p->radius, lane_all(LISTS_MOST))));
}

/* From A to B, or anywhere. */
GRZ_TEMPLATE void lists_first(const lists_pair *p, lane_d d[3]) {
  const lane_m none = lane_same(simplex_dot(p->offset, p->offset), lane_all(0));
  for (int i = 0; i < 3; i++) d[i] = lane_pick(none, lane_all(i == 0), lane_all(0) - p->offset[i]);
}

/* A point of C; `a` is that of A, turned. */
GRZ_TEMPLATE void lists_point(const lists_pair *p, const grz_batch_pairs *pairs, size_t at, unsigned active,
                              const lane_d d[3], const double *found[2][LANES], lane_d w[3], lane_d a[3]) {
  lane_d along[3], back[3], local[3], b[3];
  for (int i = 0; i < 3; i++) back[i] = lane_all(0) - d[i];
  place_unrotate(p->turn_a, d, along);
  lists_support(pairs, 0, at, active, along, found[0], local);
  place_rotate(p->turn_a, local, a);
  place_unrotate(p->turn_b, back, along);
  lists_support(pairs, 1, at, active, along, found[1], local);
  place_rotate(p->turn_b, local, b);
  for (int i = 0; i < 3; i++) w[i] = (a[i] - b[i]) + p->offset[i];
}

/* Does the point along d show that the cores are farther apart than the radius? */
GRZ_TEMPLATE lane_m lists_apart(const lists_pair *p, const lane_d d[3], const lane_d w[3]) {
  const lane_d gap = lane_all(0) - simplex_dot(d, w);
  const lane_d least = ((p->support + p->radius) + p->above) * lane_all(1 + 16 * GRZ_U);
  return lane_both(lane_less(lane_all(0), gap), lane_less(least * least * simplex_dot(d, d), gap * gap));
}

/* Is a point of the simplex's hull nearer than the radius? */
GRZ_TEMPLATE lane_m lists_near(const lists_pair *p, const simplex_lanes *s) {
  lane_d weight[3], mean[3];
  const lane_d error = lane_all(LISTS_NEAR * GRZ_U) * p->size;
  simplex_weights(s, weight);
  simplex_mean(s->w, weight, mean);
  return lane_less(lane_sqrt(simplex_dot(mean, mean)) + error, p->radius - p->above);
}

GRZ_TEMPLATE void lists_start(const grz_batch_pairs *pairs, size_t at, const double *found[2][LANES]) {
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < LANES; k++) found[side][k] = lists_of(pairs, side, at + k)->points;
}

/* LANES pairs: whether they meet. */
GRZ_TEMPLATE void lists_meet_some(const grz_batch_pairs *pairs, size_t at, const int dim, uint8_t *verdict) {
  lists_pair p;
  simplex_lanes s;
  const double *found[2][LANES];
  lane_d d[3];
  unsigned apart = 0, overlap = 0;
  lists_read(&p, pairs, at);
  lists_first(&p, d);
  lists_start(pairs, at, found);
  simplex_clear(&s);
  unsigned active = lane_bits(p.good);
  const bool round = lane_bits(lane_less(lane_all(0), p.radius)) != 0;
  for (int step = 0; step < LISTS_STEPS && active != 0; step++) {
    lane_d w[3], a[3];
    lists_point(&p, pairs, at, active, d, found, w, a);
    const unsigned separates = lane_bits(lists_apart(&p, d, w)) & active;
    apart |= separates, active &= ~separates;
    if (active == 0) break;
    const simplex_step next = simplex_advance(&s, w, a, false, dim, d);
    const unsigned held = lane_bits(next.held) & active;
    if (held) overlap |= lane_bits(simplex_holds(&s, w, p.point, dim)) & held;
    simplex_accept(&s, &next, w, a, lane_mask(active), false);
    active &= ~held & lane_bits(lane_less(p.point * p.point, s.vv)) & lane_bits(next.nearer);
    if (round) {
      const unsigned near = lane_bits(lists_near(&p, &s)) & active;
      overlap |= near, active &= ~near;
    }
  }
  for (int k = 0; k < LANES; k++)
    verdict[k] = (uint8_t)((apart >> k & 1) * GRAZE_SEPARATED + (overlap >> k & 1) * GRAZE_OVERLAPPING);
}

static void lists_meet(const grz_batch_pairs *pairs, size_t count, int dim, uint8_t *verdict) {
  for (size_t i = 0; i < count; i += LANES) {
    if (dim == 2)
      lists_meet_some(pairs, i, 2, verdict + i);
    else
      lists_meet_some(pairs, i, 3, verdict + i);
  }
}

#endif
