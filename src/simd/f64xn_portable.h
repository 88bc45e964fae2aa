/* The SIMD type f64xn without SIMD instructions, with 1 double or 1 float, for any compiler.
 *
 * This file documents the functions. f64xn_sse2.h, f64xn_avx2.h, f64xn_avx512.h and f64xn_neon.h implement the same for
 * other instruction sets. A kernel (src/batch/, src/bvh/) is written once with these functions and + - * /, and
 * includes none of these headers. A source file, for instance src/batch/kernels.c, includes one of them and then the
 * kernel, for each instruction set (isa.h). Elements are independent, so every width gives the same bits:
 * docs/theory/simd.md. */
#ifndef GRAZE_SIMD_F64XN_PORTABLE_H
#define GRAZE_SIMD_F64XN_PORTABLE_H

#include "core/vec.h"
#include "simd/isa.h"

/* ---- Doubles */

enum { F64XN_WIDTH = 1 };

typedef double f64xn;        /* F64XN_WIDTH doubles */
typedef unsigned f64xn_mask; /* a truth value for each of them */

/* x in every element. */
static inline f64xn f64xn_all(double x) { return x; }

/* Element k is *from[k]. */
static inline f64xn f64xn_gather(const double *const from[F64XN_WIDTH]) { return *from[0]; }

/* Elements k of x and y are from[k][0] and from[k][1]. */
static inline void f64xn_load_pairs(const double *const from[F64XN_WIDTH], f64xn *x, f64xn *y) {
  *x = from[0][0], *y = from[0][1];
}

/* Element k of row[i] is from[k][i]. */
static inline void f64xn_load_columns(const double *const from[F64XN_WIDTH], f64xn row[4]) {
  for (int i = 0; i < 4; i++) row[i] = from[0][i];
}

static inline f64xn f64xn_load(const double *from) { return *from; }
static inline void f64xn_store(double *to, f64xn x) { *to = x; }

static inline f64xn_mask f64xn_less(f64xn x, f64xn y) { return x < y; }
static inline f64xn_mask f64xn_equal(f64xn x, f64xn y) { return x == y; }
static inline f64xn_mask f64xn_and(f64xn_mask p, f64xn_mask q) { return p & q; }
static inline f64xn_mask f64xn_or(f64xn_mask p, f64xn_mask q) { return p | q; }
static inline f64xn_mask f64xn_and_not(f64xn_mask p, f64xn_mask q) { return p & ~q; }

/* Bit k is the truth value of element k; and the inverse conversion. */
static inline unsigned f64xn_mask_bits(f64xn_mask p) { return p; }
static inline f64xn_mask f64xn_mask_of_bits(unsigned bits) { return bits & 1; }

static inline f64xn f64xn_select(f64xn_mask p, f64xn yes, f64xn no) { return p ? yes : no; }
static inline f64xn f64xn_max(f64xn x, f64xn y) { return x > y ? x : y; }
static inline f64xn f64xn_min(f64xn x, f64xn y) { return x < y ? x : y; }
static inline f64xn f64xn_abs(f64xn x) { return real_abs(x); }
static inline f64xn f64xn_sqrt(f64xn x) { return real_sqrt(x); }

/* The largest element. */
static inline double f64xn_reduce_max(f64xn x) { return x; }

/* Element k is from[index[k]] where the mask is true, otherwise element k of rest. */
static inline f64xn f64xn_permute_masked(f64xn_mask mask, const double from[F64XN_WIDTH],
                                         const int64_t index[F64XN_WIDTH], f64xn rest) {
  return mask ? from[index[0]] : rest;
}

/* ---- Floats. The other instruction sets hold twice as many floats as doubles. */

enum { F32XN_WIDTH = 1 };

typedef float f32xn;

typedef struct f32x4 { /* four floats */
  float x[4];
} f32x4;

static inline f32x4 f32x4_load(const float *x) {
  const f32x4 q = {{x[0], x[1], x[2], x[3]}};
  return q;
}

/* Four consecutive doubles, rounded. */
static inline f32x4 f32x4_of_doubles(const double *x) {
  const f32x4 q = {{(float)x[0], (float)x[1], (float)x[2], (float)x[3]}};
  return q;
}

/* x - y in doubles, then rounded. */
static inline f32x4 f32x4_of_difference(const double *x, const double *y) {
  const f32x4 q = {{(float)(x[0] - y[0]), (float)(x[1] - y[1]), (float)(x[2] - y[2]), (float)(x[3] - y[3])}};
  return q;
}

/* Element k of row[i] is number i of quad[k]. */
static inline void f32xn_transpose(const f32x4 quad[F32XN_WIDTH], f32xn row[4]) {
  for (int i = 0; i < 4; i++) row[i] = quad[0].x[i];
}

static inline f32xn f32xn_all(float x) { return x; }
static inline f32xn f32xn_load(const float *from) { return *from; }
static inline void f32xn_store(float *to, f32xn x) { *to = x; }
static inline f32xn f32xn_max(f32xn x, f32xn y) { return x > y ? x : y; }
static inline f32xn f32xn_min(f32xn x, f32xn y) { return x < y ? x : y; }
static inline f32xn f32xn_abs(f32xn x) { return __builtin_fabsf(x); }
static inline f32xn f32xn_sqrt(f32xn x) { return __builtin_sqrtf(x); }

/* Element by element: x < y ? yes : no. False for NaN. */
static inline f32xn f32xn_select_less(f32xn x, f32xn y, f32xn yes, f32xn no) { return x < y ? yes : no; }

/* Bit k is set if element k of x is less than that of y. */
static inline unsigned f32xn_less_bits(f32xn x, f32xn y) { return x < y; }

#endif
