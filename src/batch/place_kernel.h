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
  lane_d at[3], turn[9]; /* row by row */
  lane_m good;           /* its numbers are in range */
} place_pose;

/* M(q)/(q·q) by one division: |turn - R| <= 8u, docs/theory/lanes.md, "Rotations". */
GRZ_TEMPLATE void place_turn(place_pose *p, lane_d w, lane_d x, lane_d y, lane_d z) {
  const lane_d ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  const lane_d one = lane_all(1) / square, two = lane_all(2) * one;
  p->turn[0] = ((ww + xx) - (yy + zz)) * one;
  p->turn[1] = (x * y - w * z) * two;
  p->turn[2] = (x * z + w * y) * two;
  p->turn[3] = (x * y + w * z) * two;
  p->turn[4] = ((ww + yy) - (xx + zz)) * one;
  p->turn[5] = (y * z - w * x) * two;
  p->turn[6] = (x * z - w * y) * two;
  p->turn[7] = (y * z + w * x) * two;
  p->turn[8] = ((ww + zz) - (xx + yy)) * one;
  p->good = lane_both(lane_less(lane_all(PLACE_LEAST), square), lane_less(square, lane_all(PLACE_MOST)));
}

/* Of A (0) or of B (1). */
GRZ_TEMPLATE void place_read(place_pose *p, const grz_batch_pairs *pairs, size_t from, const int side) {
  const double *at[LANES], *turn[LANES];
  lane_d low[4], high[4];
  for (size_t i = 0; i < LANES; i++) at[i] = pairs->pose[side][from + i], turn[i] = at[i] + 3;
  lane_rows(at, low);
  lane_rows(turn, high);
  p->at[0] = low[0], p->at[1] = low[1], p->at[2] = low[2];
  place_turn(p, high[0], high[1], high[2], high[3]);
  const lane_d far = lane_max(lane_max(lane_abs(low[0]), lane_abs(low[1])), lane_abs(low[2]));
  p->good = lane_both(p->good, lane_less(far, lane_all(PLACE_FAR)));
}

/* R v, and its inverse. */
GRZ_TEMPLATE void place_rotate(const lane_d *r, const lane_d v[3], lane_d out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[3 * i] * v[0] + r[3 * i + 1] * v[1]) + r[3 * i + 2] * v[2];
}
GRZ_TEMPLATE void place_unrotate(const lane_d *r, const lane_d v[3], lane_d out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[i] * v[0] + r[3 + i] * v[1]) + r[6 + i] * v[2];
}

#endif
