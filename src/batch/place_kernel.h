/* Poses side by side: rotations, and the way from one to the other. Part of a kernel: see simd/f64xn_portable.h. */
#ifndef GRAZE_BATCH_PLACE_KERNEL_H
#define GRAZE_BATCH_PLACE_KERNEL_H

#include "batch/kernels.h"

/* Beyond these, squares of a quaternion's components may leave the range of doubles. */
#define PLACE_LEAST 0x1p-200
#define PLACE_MOST 0x1p250

/* Below GRAZE_LARGEST. */
#define PLACE_FAR 0x1p132

typedef struct place_pose {
  f64xn at[3], turn[9]; /* row by row */
  f64xn_mask good;           /* its numbers are in range */
} place_pose;

/* M(q)/(q·q) by one division: |turn - R| <= 8u, docs/theory/simd.md, "Rotations". */
GRZ_TEMPLATE void place_turn(place_pose *p, f64xn w, f64xn x, f64xn y, f64xn z) {
  const f64xn ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  const f64xn one = f64xn_all(1) / square, two = f64xn_all(2) * one;
  p->turn[0] = ((ww + xx) - (yy + zz)) * one;
  p->turn[1] = (x * y - w * z) * two;
  p->turn[2] = (x * z + w * y) * two;
  p->turn[3] = (x * y + w * z) * two;
  p->turn[4] = ((ww + yy) - (xx + zz)) * one;
  p->turn[5] = (y * z - w * x) * two;
  p->turn[6] = (x * z - w * y) * two;
  p->turn[7] = (y * z + w * x) * two;
  p->turn[8] = ((ww + zz) - (xx + yy)) * one;
  p->good = f64xn_and(f64xn_less(f64xn_all(PLACE_LEAST), square), f64xn_less(square, f64xn_all(PLACE_MOST)));
}

/* Of A (0) or of B (1). */
GRZ_TEMPLATE void place_read(place_pose *p, const grz_batch_pairs *pairs, size_t from, const int side) {
  const double *at[F64XN_WIDTH], *turn[F64XN_WIDTH];
  f64xn low[4], high[4];
  for (size_t i = 0; i < F64XN_WIDTH; i++) at[i] = pairs->pose[side][from + i], turn[i] = at[i] + 3;
  f64xn_load_columns(at, low);
  f64xn_load_columns(turn, high);
  p->at[0] = low[0], p->at[1] = low[1], p->at[2] = low[2];
  place_turn(p, high[0], high[1], high[2], high[3]);
  const f64xn far = f64xn_max(f64xn_max(f64xn_abs(low[0]), f64xn_abs(low[1])), f64xn_abs(low[2]));
  p->good = f64xn_and(p->good, f64xn_less(far, f64xn_all(PLACE_FAR)));
}

/* R v, and its inverse. */
GRZ_TEMPLATE void place_rotate(const f64xn *r, const f64xn v[3], f64xn out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[3 * i] * v[0] + r[3 * i + 1] * v[1]) + r[3 * i + 2] * v[2];
}
GRZ_TEMPLATE void place_unrotate(const f64xn *r, const f64xn v[3], f64xn out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[i] * v[0] + r[3 + i] * v[1]) + r[6 + i] * v[2];
}

#endif
