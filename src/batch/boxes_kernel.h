/* Two boxes side by side with others, in floats: the 15 axes, yes or no. docs/theory/lanes.md, "Boxes", has the bounds.
 * Part of a kernel: see lanes/wide_portable.h. */
#ifndef GRAZE_BATCH_BOXES_KERNEL_H
#define GRAZE_BATCH_BOXES_KERNEL_H

#include "batch/kernels.h"

#include <string.h>

/* The unit roundoff of floats; and what A is shrunk by, and what is asked of a gap, in units of it and the size. */
#define BOXES_U 0x1p-24f
#define BOXES_SHRINK 384
#define BOXES_APART 896

/* Adding and taking it off again leaves multiples of 2^-22. */
#define BOXES_NOISE 3

/* Squares of what lies between neither overflow nor, beside the others, underflow. */
#define BOXES_LEAST 0x1p-40f
#define BOXES_MOST 0x1p40f

/* Below GRAZE_LARGEST. */
#define BOXES_FAR 0x1p120f

/* In the frame of A. */
typedef struct boxes_pair {
  lane_f a[3], b[3];          /* extents; A's a little smaller */
  lane_f m[3][3], size[3][3]; /* axes of B, one after the other, and their magnitudes */
  lane_f at[3];               /* the centre of B */
  lane_f apart;               /* a gap beyond this is one */
  unsigned good;              /* bits: all numbers are in range */
} boxes_pair;

GRZ_TEMPLATE unsigned boxes_between(lane_f x) {
  return lanef_less(lanef_all(BOXES_LEAST), x) & lanef_less(x, lanef_all(BOXES_MOST));
}

/* The rotation of a quaternion, row by row, by one division. Bits: it is good. */
GRZ_TEMPLATE unsigned boxes_turn(const grz_batch_pairs *pairs, size_t at, const int side, lane_f r[9]) {
  lane_quad quad[FLANES];
  lane_f q[4];
  for (size_t i = 0; i < FLANES; i++) quad[i] = lane_quad_doubles(pairs->pose[side][at + i] + 3);
  lane_turn(quad, q);
  const lane_f w = q[0], x = q[1], y = q[2], z = q[3];
  const lane_f ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  const lane_f one = lanef_all(1) / square, two = one + one;
  r[0] = ((ww + xx) - (yy + zz)) * one;
  r[1] = (x * y - w * z) * two;
  r[2] = (x * z + w * y) * two;
  r[3] = (x * y + w * z) * two;
  r[4] = ((ww + yy) - (xx + zz)) * one;
  r[5] = (y * z - w * x) * two;
  r[6] = (x * z - w * y) * two;
  r[7] = (y * z + w * x) * two;
  r[8] = ((ww + zz) - (xx + yy)) * one;
  return boxes_between(square);
}

/* Of v as A sees it. */
GRZ_TEMPLATE void boxes_seen(const lane_f r[9], const lane_f v[3], lane_f out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[i] * v[0] + r[3 + i] * v[1]) + r[6 + i] * v[2];
}

GRZ_TEMPLATE void boxes_extents(const grz_batch_pairs *pairs, size_t at, const int side, lane_f out[4]) {
  lane_quad quad[FLANES];
  for (size_t i = 0; i < FLANES; i++)
    quad[i] = lane_quad_floats(((const grz_batch_box *)pairs->core[side][at + i])->extents);
  lane_turn(quad, out);
}

/* From A to B; one number too many. Bits: the positions are in range, too, whatever their difference. */
GRZ_TEMPLATE unsigned boxes_offset(const grz_batch_pairs *pairs, size_t at, lane_f out[4]) {
  lane_quad quad[FLANES], place[FLANES];
  lane_f home[4];
  for (size_t i = 0; i < FLANES; i++) {
    quad[i] = lane_quad_less(pairs->pose[1][at + i], pairs->pose[0][at + i]);
    place[i] = lane_quad_doubles(pairs->pose[0][at + i]);
  }
  lane_turn(quad, out);
  lane_turn(place, home);
  return lanef_less((lanef_abs(home[0]) + lanef_abs(home[1])) + lanef_abs(home[2]), lanef_all(BOXES_FAR));
}

GRZ_TEMPLATE void boxes_size(boxes_pair *p, const lane_f from[4]) {
  lane_f size = lanef_all(0);
  for (int i = 0; i < 3; i++) size = size + ((p->a[i] + p->b[i]) + (lanef_abs(from[i]) + lanef_abs(from[i])));
  const lane_f unit = lanef_all(BOXES_U) * size, shrink = lanef_all(BOXES_SHRINK) * unit;
  for (int i = 0; i < 3; i++) p->a[i] = p->a[i] - shrink;
  p->apart = lanef_all(BOXES_APART) * unit;
  p->good &= boxes_between(size);
}

GRZ_TEMPLATE void boxes_read(boxes_pair *p, const grz_batch_pairs *pairs, size_t at) {
  lane_f turn_a[9], turn_b[9], core_a[4], core_b[4], from[4];
  p->good = boxes_turn(pairs, at, 0, turn_a) & boxes_turn(pairs, at, 1, turn_b);
  boxes_extents(pairs, at, 0, core_a);
  boxes_extents(pairs, at, 1, core_b);
  p->good &= boxes_offset(pairs, at, from);
  for (int i = 0; i < 3; i++) p->a[i] = core_a[i], p->b[i] = core_b[i];
  boxes_size(p, from);
  boxes_seen(turn_a, from, p->at);
  for (int j = 0; j < 3; j++) {
    const lane_f axis[3] = {turn_b[j], turn_b[3 + j], turn_b[6 + j]};
    boxes_seen(turn_a, axis, p->m[j]);
    for (int i = 0; i < 3; i++) {
      p->m[j][i] = (p->m[j][i] + lanef_all(BOXES_NOISE)) - lanef_all(BOXES_NOISE);
      p->size[j][i] = lanef_abs(p->m[j][i]);
    }
  }
}

GRZ_TEMPLATE lane_f boxes_along(const lane_f v[3], const lane_f m[3]) {
  return (v[0] * m[0] + v[1] * m[1]) + v[2] * m[2];
}

/* The gap along axis i of A. */
GRZ_TEMPLATE lane_f boxes_face_a(const boxes_pair *p, const int i) {
  const lane_f far = (p->b[0] * p->size[0][i] + p->b[1] * p->size[1][i]) + p->b[2] * p->size[2][i];
  return lanef_abs(p->at[i]) - (p->a[i] + far);
}

/* Along axis j of B. */
GRZ_TEMPLATE lane_f boxes_face_b(const boxes_pair *p, const int j) {
  return lanef_abs(boxes_along(p->at, p->m[j])) - (p->b[j] + boxes_along(p->a, p->size[j]));
}

/* Along e_i × m_j, times its length. Of parallel edges it is 0. */
GRZ_TEMPLATE lane_f boxes_edge(const boxes_pair *p, const int i, const int j, lane_f other) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const lane_f own = p->a[k] * p->size[j][l] + p->a[l] * p->size[j][k];
  return lanef_abs(p->at[l] * p->m[j][k] - p->at[k] * p->m[j][l]) - (own + other);
}

/* The largest along the three products with e_i. */
GRZ_TEMPLATE lane_f boxes_edges(const boxes_pair *p, const int i) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const lane_f minor0 = lanef_abs(p->m[1][k] * p->m[2][l] - p->m[1][l] * p->m[2][k]);
  const lane_f minor1 = lanef_abs(p->m[2][k] * p->m[0][l] - p->m[2][l] * p->m[0][k]);
  const lane_f minor2 = lanef_abs(p->m[0][k] * p->m[1][l] - p->m[0][l] * p->m[1][k]);
  const lane_f gap0 = boxes_edge(p, i, 0, p->b[1] * minor2 + p->b[2] * minor1);
  const lane_f gap1 = boxes_edge(p, i, 1, p->b[2] * minor0 + p->b[0] * minor2);
  const lane_f gap2 = boxes_edge(p, i, 2, p->b[0] * minor1 + p->b[1] * minor0);
  return lanef_max(lanef_max(gap0, gap1), gap2);
}

GRZ_TEMPLATE lane_f boxes_faces(const boxes_pair *p) {
  const lane_f x = lanef_max(boxes_face_a(p, 0), boxes_face_b(p, 0));
  const lane_f y = lanef_max(boxes_face_a(p, 1), boxes_face_b(p, 1));
  const lane_f z = lanef_max(boxes_face_a(p, 2), boxes_face_b(p, 2));
  return lanef_max(lanef_max(x, y), z);
}

/* Bits: those surely apart, and those that surely overlap. */
GRZ_TEMPLATE void boxes_judge(const boxes_pair *p, unsigned *apart, unsigned *overlap) {
  lane_f gap = boxes_faces(p);
  *apart = lanef_less(p->apart, gap) & p->good, *overlap = 0;
  if (*apart == p->good) return;
  gap = lanef_max(gap, lanef_max(boxes_edges(p, 0), lanef_max(boxes_edges(p, 1), boxes_edges(p, 2))));
  *apart = lanef_less(p->apart, gap) & p->good;
  *overlap = ~lanef_less(lanef_all(0), gap) & p->good;
}

/* Eight bits as eight bytes, 0 or 1, the lowest first: only machines whose bytes stand in that order have so many
 * lanes.
 */
GRZ_TEMPLATE uint64_t boxes_spread(unsigned bits) {
  const uint64_t each = (bits & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return (each + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

GRZ_TEMPLATE void boxes_write(unsigned apart, unsigned overlap, uint8_t *verdict) {
  for (int k = 0; k < FLANES; k += 8) {
    if (FLANES >= 8) {
      const uint64_t eight =
          boxes_spread(apart >> k) * GRAZE_SEPARATED + boxes_spread(overlap >> k) * GRAZE_OVERLAPPING;
      memcpy(verdict + k, &eight, sizeof eight);
    } else {
      for (size_t i = 0; i < FLANES; i++)
        verdict[i] = (uint8_t)((apart >> i & 1) * GRAZE_SEPARATED + (overlap >> i & 1) * GRAZE_OVERLAPPING);
    }
  }
}

static void boxes_run(const grz_batch_pairs *pairs, size_t count, uint8_t *verdict) {
  for (size_t i = 0; i < count; i += FLANES) {
    boxes_pair p;
    unsigned apart, overlap;
    boxes_read(&p, pairs, i);
    boxes_judge(&p, &apart, &overlap);
    boxes_write(apart, overlap, verdict + i);
  }
}

#endif
