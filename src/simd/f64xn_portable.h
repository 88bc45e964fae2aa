/* One lane: plain doubles, for any compiler. What the names mean stands here; wide_*.h have the same for registers.
 *
 * A kernel is written once over these names and + - * /, and compiled once for each width: it includes nothing of the
 * kind itself, src/batch/run_*.c put both together. Each lane is by itself, so all widths give the same bits. */
#ifndef GRAZE_SIMD_F64XN_PORTABLE_H
#define GRAZE_SIMD_F64XN_PORTABLE_H

#include "core/vec.h"

#define F64XN_WIDTH 1

typedef double f64xn;   /* F64XN_WIDTH doubles */
typedef unsigned f64xn_mask; /* yes or no for each */

/* The same in all. */
static inline f64xn f64xn_all(double x) { return x; }

/* The numbers at so many places. */
static inline f64xn f64xn_gather(const double *const at[F64XN_WIDTH]) { return *at[0]; }

/* Four numbers in a row of each place. */
static inline void f64xn_load_columns(const double *const at[F64XN_WIDTH], f64xn row[4]) {
  for (int i = 0; i < 4; i++) row[i] = at[0][i];
}

static inline f64xn f64xn_load(const double *from) { return *from; }
static inline void f64xn_store(double *to, f64xn x) { *to = x; }

static inline f64xn_mask f64xn_less(f64xn x, f64xn y) { return x < y; }
static inline f64xn_mask f64xn_equal(f64xn x, f64xn y) { return x == y; }
static inline f64xn_mask f64xn_and(f64xn_mask p, f64xn_mask q) { return p & q; }
static inline f64xn_mask f64xn_or(f64xn_mask p, f64xn_mask q) { return p | q; }
static inline f64xn_mask f64xn_and_not(f64xn_mask p, f64xn_mask q) { return p & ~q; }

/* A bit for each lane, the lowest for the first; and back. */
static inline unsigned f64xn_mask_bits(f64xn_mask p) { return p; }
static inline f64xn_mask f64xn_mask_of_bits(unsigned bits) { return bits & 1; }

static inline f64xn f64xn_select(f64xn_mask p, f64xn yes, f64xn no) { return p ? yes : no; }
static inline f64xn f64xn_max(f64xn x, f64xn y) { return x > y ? x : y; }
static inline f64xn f64xn_min(f64xn x, f64xn y) { return x < y ? x : y; }
static inline f64xn f64xn_abs(f64xn x) { return real_abs(x); }
static inline f64xn f64xn_sqrt(f64xn x) { return real_sqrt(x); }

/* The largest of them. */
static inline double f64xn_reduce_max(f64xn x) { return x; }

/* In the lanes of `take` numbers from these columns, in the rest what was there. */
static inline f64xn f64xn_permute_masked(f64xn_mask take, const double from[F64XN_WIDTH], const int64_t column[F64XN_WIDTH], f64xn rest) {
  return take ? from[column[0]] : rest;
}

/* ---- Floats, twice as many where there is more than one */

#define F32XN_WIDTH 1

typedef float f32xn;

typedef struct f32x4 { /* four floats, wherever they come from */
  float x[4];
} f32x4;

static inline f32x4 f32x4_load(const float *x) {
  const f32x4 q = {{x[0], x[1], x[2], x[3]}};
  return q;
}

/* Four doubles in a row, rounded. */
static inline f32x4 f32x4_of_doubles(const double *x) {
  const f32x4 q = {{(float)x[0], (float)x[1], (float)x[2], (float)x[3]}};
  return q;
}

/* x - y, in doubles, rounded. */
static inline f32x4 f32x4_of_difference(const double *x, const double *y) {
  const f32x4 q = {{(float)(x[0] - y[0]), (float)(x[1] - y[1]), (float)(x[2] - y[2]), (float)(x[3] - y[3])}};
  return q;
}

/* One of each lane: the first numbers of all, the second … */
static inline void f32xn_transpose(const f32x4 quad[F32XN_WIDTH], f32xn row[4]) {
  for (int i = 0; i < 4; i++) row[i] = quad[0].x[i];
}

static inline f32xn f32xn_all(float x) { return x; }
static inline f32xn f32xn_load(const float *from) { return *from; }
static inline void f32xn_store(float *to, f32xn x) { *to = x; }
static inline f32xn f32xn_max(f32xn x, f32xn y) { return x > y ? x : y; }
static inline f32xn f32xn_min(f32xn x, f32xn y) { return x < y ? x : y; }
static inline f32xn f32xn_abs(f32xn x) { return __builtin_fabsf(x); }

/* Bits: where x < y. */
static inline unsigned f32xn_less_bits(f32xn x, f32xn y) { return x < y; }

#endif
