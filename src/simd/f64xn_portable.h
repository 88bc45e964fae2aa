/* One lane: plain doubles, for any compiler. What the names mean stands here; wide_*.h have the same for registers.
 *
 * A kernel is written once over these names and + - * /, and compiled once for each width: it includes nothing of the
 * kind itself, src/batch/run_*.c put both together. Each lane is by itself, so all widths give the same bits. */
#ifndef GRAZE_SIMD_F64XN_PORTABLE_H
#define GRAZE_SIMD_F64XN_PORTABLE_H

#include "core/vec.h"

#define LANES 1

typedef double lane_d;   /* LANES doubles */
typedef unsigned lane_m; /* yes or no for each */

/* The same in all. */
static inline lane_d lane_all(double x) { return x; }

/* The numbers at so many places. */
static inline lane_d lane_gather(const double *const at[LANES]) { return *at[0]; }

/* Four numbers in a row of each place. */
static inline void lane_rows(const double *const at[LANES], lane_d row[4]) {
  for (int i = 0; i < 4; i++) row[i] = at[0][i];
}

static inline lane_d lane_load(const double *from) { return *from; }
static inline void lane_store(double *to, lane_d x) { *to = x; }

static inline lane_m lane_less(lane_d x, lane_d y) { return x < y; }
static inline lane_m lane_same(lane_d x, lane_d y) { return x == y; }
static inline lane_m lane_both(lane_m p, lane_m q) { return p & q; }
static inline lane_m lane_either(lane_m p, lane_m q) { return p | q; }
static inline lane_m lane_but(lane_m p, lane_m q) { return p & ~q; }

/* A bit for each lane, the lowest for the first; and back. */
static inline unsigned lane_bits(lane_m p) { return p; }
static inline lane_m lane_mask(unsigned bits) { return bits & 1; }

static inline lane_d lane_pick(lane_m p, lane_d yes, lane_d no) { return p ? yes : no; }
static inline lane_d lane_max(lane_d x, lane_d y) { return x > y ? x : y; }
static inline lane_d lane_min(lane_d x, lane_d y) { return x < y ? x : y; }
static inline lane_d lane_abs(lane_d x) { return real_abs(x); }
static inline lane_d lane_sqrt(lane_d x) { return real_sqrt(x); }

/* The largest of them. */
static inline double lane_most(lane_d x) { return x; }

/* In the lanes of `take` numbers from these columns, in the rest what was there. */
static inline lane_d lane_take(lane_m take, const double from[LANES], const int64_t column[LANES], lane_d rest) {
  return take ? from[column[0]] : rest;
}

/* ---- Floats, twice as many where there is more than one */

#define FLANES 1

typedef float lane_f;

typedef struct lane_quad { /* four floats, wherever they come from */
  float x[4];
} lane_quad;

static inline lane_quad lane_quad_floats(const float *x) {
  const lane_quad q = {{x[0], x[1], x[2], x[3]}};
  return q;
}

/* Four doubles in a row, rounded. */
static inline lane_quad lane_quad_doubles(const double *x) {
  const lane_quad q = {{(float)x[0], (float)x[1], (float)x[2], (float)x[3]}};
  return q;
}

/* x - y, in doubles, rounded. */
static inline lane_quad lane_quad_less(const double *x, const double *y) {
  const lane_quad q = {{(float)(x[0] - y[0]), (float)(x[1] - y[1]), (float)(x[2] - y[2]), (float)(x[3] - y[3])}};
  return q;
}

/* One of each lane: the first numbers of all, the second … */
static inline void lane_turn(const lane_quad quad[FLANES], lane_f row[4]) {
  for (int i = 0; i < 4; i++) row[i] = quad[0].x[i];
}

static inline lane_f lanef_all(float x) { return x; }
static inline lane_f lanef_load(const float *from) { return *from; }
static inline void lanef_store(float *to, lane_f x) { *to = x; }
static inline lane_f lanef_max(lane_f x, lane_f y) { return x > y ? x : y; }
static inline lane_f lanef_min(lane_f x, lane_f y) { return x < y ? x : y; }
static inline lane_f lanef_abs(lane_f x) { return __builtin_fabsf(x); }

/* Bits: where x < y. */
static inline unsigned lanef_less(lane_f x, lane_f y) { return x < y; }

#endif
