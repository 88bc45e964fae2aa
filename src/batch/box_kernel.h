/* Two boxes side by side with others, in floats: the 15 axes, yes or no, for boxes of a batch, and for the boxes around
 * the bodies of a scene, which may move. docs/theory/simd.md, "Boxes", has the bounds. Part of a kernel: see
 * simd/f64xn_portable.h. */
#ifndef GRAZE_BATCH_BOX_KERNEL_H
#define GRAZE_BATCH_BOX_KERNEL_H

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

/* What is read of the boxes of a pair, A and B. */
typedef struct boxes_numbers {
  f32xn turn[2][4]; /* quaternions: w, x, y, z */
  f32xn core[2][4]; /* extents, and how far beyond them the other counts */
  f32xn from[4];    /* from A to B, and one number too many */
  f32xn way[4];     /* how B moves as A sees it; likewise */
} boxes_numbers;

/* In the frame of A. */
typedef struct boxes_pair {
  f32xn a[3], b[3];          /* extents; A's a little smaller */
  f32xn m[3][3], size[3][3]; /* axes of B, one after the other, and their magnitudes */
  f32xn from[3], to[3];      /* the centre of B: first, and at the end */
  f32xn apart;               /* a gap beyond this is one */
  unsigned good;              /* bits: all numbers are in range */
} boxes_pair;

GRZ_TEMPLATE unsigned boxes_between(f32xn x) {
  return f32xn_less_bits(f32xn_all(BOXES_LEAST), x) & f32xn_less_bits(x, f32xn_all(BOXES_MOST));
}

/* ---- Reading */

/* Of a batch. Bits: the positions are in range, too, whatever their difference. */
GRZ_TEMPLATE unsigned boxes_read_batch(const grz_batch_pairs *pairs, size_t at, boxes_numbers *n) {
  f32x4 turn[F32XN_WIDTH], core[F32XN_WIDTH], from[F32XN_WIDTH], place[F32XN_WIDTH];
  f32xn home[4];
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < F32XN_WIDTH; i++) {
      turn[i] = f32x4_of_doubles(pairs->pose[k][at + i] + 3);
      core[i] = f32x4_load(((const grz_batch_box *)pairs->core[k][at + i])->extents);
    }
    f32xn_transpose(turn, n->turn[k]);
    f32xn_transpose(core, n->core[k]);
  }
  for (size_t i = 0; i < F32XN_WIDTH; i++) {
    from[i] = f32x4_of_difference(pairs->pose[1][at + i], pairs->pose[0][at + i]);
    place[i] = f32x4_of_doubles(pairs->pose[0][at + i]);
  }
  f32xn_transpose(from, n->from);
  f32xn_transpose(place, home);
  return f32xn_less_bits((f32xn_abs(home[0]) + f32xn_abs(home[1])) + f32xn_abs(home[2]), f32xn_all(BOXES_FAR));
}

/* Of bodies, whose poses were judged. */
GRZ_TEMPLATE void boxes_read_bodies(const grz_oriented_pairs *pairs, size_t at, boxes_numbers *n, const bool moves) {
  f32x4 turn[F32XN_WIDTH], core[F32XN_WIDTH], from[F32XN_WIDTH], way[F32XN_WIDTH];
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < F32XN_WIDTH; i++) {
      turn[i] = f32x4_load(pairs->box[k][at + i]->turn);
      core[i] = f32x4_load(pairs->box[k][at + i]->core);
    }
    f32xn_transpose(turn, n->turn[k]);
    f32xn_transpose(core, n->core[k]);
  }
  for (size_t i = 0; i < F32XN_WIDTH; i++) {
    from[i] = f32x4_of_difference(pairs->box[1][at + i]->at, pairs->box[0][at + i]->at);
    if (moves) way[i] = f32x4_of_doubles(pairs->way[at + i]);
  }
  f32xn_transpose(from, n->from);
  if (moves) f32xn_transpose(way, n->way);
}

/* ---- Looking */

/* The rotation of a quaternion, row by row, by one division. Bits: it is good. */
GRZ_TEMPLATE unsigned boxes_turn(const f32xn q[4], f32xn r[9]) {
  const f32xn w = q[0], x = q[1], y = q[2], z = q[3];
  const f32xn ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  const f32xn one = f32xn_all(1) / square, two = one + one;
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
GRZ_TEMPLATE void boxes_seen(const f32xn r[9], const f32xn v[3], f32xn out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[i] * v[0] + r[3 + i] * v[1]) + r[6 + i] * v[2];
}

GRZ_TEMPLATE void boxes_size(boxes_pair *p, const boxes_numbers *n, const f32xn to[3]) {
  f32xn size = f32xn_all(0);
  for (int i = 0; i < 3; i++) size = size + ((p->a[i] + p->b[i]) + (f32xn_abs(n->from[i]) + f32xn_abs(to[i])));
  const f32xn unit = f32xn_all(BOXES_U) * size, shrink = f32xn_all(BOXES_SHRINK) * unit;
  for (int i = 0; i < 3; i++) p->a[i] = p->a[i] - shrink;
  p->apart = (f32xn_all(BOXES_APART) * unit + (n->core[0][3] + n->core[1][3])) * f32xn_all(1 + 16 * BOXES_U);
  p->good &= boxes_between(size);
}

GRZ_TEMPLATE void boxes_see(boxes_pair *p, const boxes_numbers *n, const bool moves) {
  f32xn turn_a[9], turn_b[9], to[3];
  p->good = boxes_turn(n->turn[0], turn_a) & boxes_turn(n->turn[1], turn_b);
  for (int i = 0; i < 3; i++) p->a[i] = n->core[0][i], p->b[i] = n->core[1][i];
  for (int i = 0; i < 3; i++) {
    to[i] = n->from[i];
    if (moves) to[i] = to[i] + n->way[i];
  }
  boxes_size(p, n, to);
  boxes_seen(turn_a, n->from, p->from);
  if (moves) boxes_seen(turn_a, to, p->to);
  for (int j = 0; j < 3; j++) {
    const f32xn axis[3] = {turn_b[j], turn_b[3 + j], turn_b[6 + j]};
    boxes_seen(turn_a, axis, p->m[j]);
    for (int i = 0; i < 3; i++) {
      p->m[j][i] = (p->m[j][i] + f32xn_all(BOXES_NOISE)) - f32xn_all(BOXES_NOISE);
      p->size[j][i] = f32xn_abs(p->m[j][i]);
    }
  }
}

/* ---- The axes */

/* How near to the plane through 0 the centre of B comes; less than 0 where it goes through. */
GRZ_TEMPLATE f32xn boxes_near(f32xn from, f32xn to, const bool moves) {
  if (!moves) return f32xn_abs(from);
  return f32xn_max(-f32xn_max(-from, -to), -f32xn_max(from, to));
}

GRZ_TEMPLATE f32xn boxes_along(const f32xn v[3], const f32xn m[3]) {
  return (v[0] * m[0] + v[1] * m[1]) + v[2] * m[2];
}

/* The gap along axis i of A. */
GRZ_TEMPLATE f32xn boxes_face_a(const boxes_pair *p, const int i, const bool moves) {
  const f32xn far = (p->b[0] * p->size[0][i] + p->b[1] * p->size[1][i]) + p->b[2] * p->size[2][i];
  return boxes_near(p->from[i], p->to[i], moves) - (p->a[i] + far);
}

/* Along axis j of B. */
GRZ_TEMPLATE f32xn boxes_face_b(const boxes_pair *p, const int j, const bool moves) {
  const f32xn from = boxes_along(p->from, p->m[j]);
  f32xn to = from;
  if (moves) to = boxes_along(p->to, p->m[j]);
  return boxes_near(from, to, moves) - (p->b[j] + boxes_along(p->a, p->size[j]));
}

/* Along e_i × m_j, times its length. Of parallel edges it is 0, or less. */
GRZ_TEMPLATE f32xn boxes_edge(const boxes_pair *p, const int i, const int j, f32xn other, const bool moves) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const f32xn mk = p->m[j][k], ml = p->m[j][l];
  const f32xn from = p->from[l] * mk - p->from[k] * ml;
  f32xn to = from;
  if (moves) to = p->to[l] * mk - p->to[k] * ml;
  const f32xn own = p->a[k] * p->size[j][l] + p->a[l] * p->size[j][k];
  return boxes_near(from, to, moves) - (own + other);
}

/* The largest along the three products with e_i. */
GRZ_TEMPLATE f32xn boxes_edges(const boxes_pair *p, const int i, const bool moves) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const f32xn minor0 = f32xn_abs(p->m[1][k] * p->m[2][l] - p->m[1][l] * p->m[2][k]);
  const f32xn minor1 = f32xn_abs(p->m[2][k] * p->m[0][l] - p->m[2][l] * p->m[0][k]);
  const f32xn minor2 = f32xn_abs(p->m[0][k] * p->m[1][l] - p->m[0][l] * p->m[1][k]);
  const f32xn gap0 = boxes_edge(p, i, 0, p->b[1] * minor2 + p->b[2] * minor1, moves);
  const f32xn gap1 = boxes_edge(p, i, 1, p->b[2] * minor0 + p->b[0] * minor2, moves);
  const f32xn gap2 = boxes_edge(p, i, 2, p->b[0] * minor1 + p->b[1] * minor0, moves);
  return f32xn_max(f32xn_max(gap0, gap1), gap2);
}

GRZ_TEMPLATE f32xn boxes_faces(const boxes_pair *p, const bool moves) {
  const f32xn x = f32xn_max(boxes_face_a(p, 0, moves), boxes_face_b(p, 0, moves));
  const f32xn y = f32xn_max(boxes_face_a(p, 1, moves), boxes_face_b(p, 1, moves));
  const f32xn z = f32xn_max(boxes_face_a(p, 2, moves), boxes_face_b(p, 2, moves));
  return f32xn_max(f32xn_max(x, y), z);
}

/* Bits: those surely apart, and those that surely overlap. */
GRZ_TEMPLATE void boxes_judge(const boxes_pair *p, unsigned *apart, unsigned *overlap, const bool moves) {
  f32xn gap = boxes_faces(p, moves);
  *apart = f32xn_less_bits(p->apart, gap) & p->good, *overlap = 0;
  if (*apart == p->good) return;
  const f32xn x = boxes_edges(p, 0, moves), y = boxes_edges(p, 1, moves), z = boxes_edges(p, 2, moves);
  gap = f32xn_max(gap, f32xn_max(x, f32xn_max(y, z)));
  *apart = f32xn_less_bits(p->apart, gap) & p->good;
  *overlap = moves ? 0 : ~f32xn_less_bits(f32xn_all(0), gap) & p->good;
}

/* Eight bits as eight bytes, 0 or 1, the lowest first: only machines whose bytes stand in that order have so many
 * lanes.
 */
GRZ_TEMPLATE uint64_t boxes_spread(unsigned bits) {
  const uint64_t each = (bits & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return (each + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

GRZ_TEMPLATE void boxes_write(unsigned apart, unsigned overlap, uint8_t *verdict) {
  for (int k = 0; k < F32XN_WIDTH; k += 8) {
    if (F32XN_WIDTH >= 8) {
      const uint64_t eight =
          boxes_spread(apart >> k) * GRAZE_SEPARATED + boxes_spread(overlap >> k) * GRAZE_OVERLAPPING;
      memcpy(verdict + k, &eight, sizeof eight);
    } else {
      for (size_t i = 0; i < F32XN_WIDTH; i++)
        verdict[i] = (uint8_t)((apart >> i & 1) * GRAZE_SEPARATED + (overlap >> i & 1) * GRAZE_OVERLAPPING);
    }
  }
}

GRZ_TEMPLATE void boxes_tell(const boxes_numbers *n, unsigned good, uint8_t *verdict, const bool moves) {
  boxes_pair p;
  unsigned apart, overlap;
  boxes_see(&p, n, moves);
  p.good &= good;
  boxes_judge(&p, &apart, &overlap, moves);
  boxes_write(apart, overlap, verdict);
}

static void boxes_run(const grz_batch_pairs *pairs, size_t count, uint8_t *verdict) {
  for (size_t i = 0; i < count; i += F32XN_WIDTH) {
    boxes_numbers n;
    const unsigned good = boxes_read_batch(pairs, i, &n);
    boxes_tell(&n, good, verdict + i, false);
  }
}

GRZ_TEMPLATE void boxes_run_bodies(const grz_oriented_pairs *pairs, size_t count, uint8_t *verdict, const bool moves) {
  for (size_t i = 0; i < count; i += F32XN_WIDTH) {
    boxes_numbers n;
    boxes_read_bodies(pairs, i, &n, moves);
    boxes_tell(&n, ~0u, verdict + i, moves);
  }
}

static void boxes_bodies(const grz_oriented_pairs *pairs, size_t count, uint8_t *verdict) {
  if (pairs->way == NULL)
    boxes_run_bodies(pairs, count, verdict, false);
  else
    boxes_run_bodies(pairs, count, verdict, true);
}

#endif
