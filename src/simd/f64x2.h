/* The SIMD type f64x2, two doubles in one register. It uses vector extensions of the compiler, so it works on every
 * target. */
#ifndef GRAZE_SIMD_F64X2_H
#define GRAZE_SIMD_F64X2_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef double f64x2 __attribute__((vector_size(16)));
typedef uint64_t u64x2 __attribute__((vector_size(16)));

static inline f64x2 f64x2_load(const double *p) {
  f64x2 v;
  memcpy(&v, p, sizeof v);
  return v;
}

static inline double f64x2_sum(f64x2 v) { return v[0] + v[1]; }

static inline f64x2 f64x2_min(f64x2 v, f64x2 w) {
  const u64x2 less = (u64x2)(v < w);
  return (f64x2)(((u64x2)v & less) | ((u64x2)w & ~less));
}

/* No element may be NaN. If both are zero, the sign of the result depends on the target. */
static inline f64x2 f64x2_max(f64x2 v, f64x2 w) {
#if defined(__SSE2__)
  return __builtin_ia32_maxpd(v, w);
#else
  const u64x2 more = (u64x2)(v > w);
  return (f64x2)(((u64x2)v & more) | ((u64x2)w & ~more));
#endif
}

static inline f64x2 f64x2_abs(f64x2 v) {
  const u64x2 sign = {UINT64_C(1) << 63, UINT64_C(1) << 63};
  return (f64x2)((u64x2)v & ~sign);
}

/* For each element, the sign bit if v <= 0, otherwise 0. v is not NaN. */
static inline u64x2 f64x2_signs(f64x2 v) {
  const f64x2 none = {0, 0};
  const u64x2 sign = {UINT64_C(1) << 63, UINT64_C(1) << 63};
  return ~(u64x2)(none - v) & sign;
}

/* Bit k is the sign bit of element k. */
static inline int f64x2_sign_mask(u64x2 v) {
#if defined(__SSE2__)
  return __builtin_ia32_movmskpd((f64x2)v);
#else
  return (int)(v[0] >> 63 | v[1] >> 63 << 1);
#endif
}

/* The first element of some pairs that equals x, without a branch; one of them must. At most 32 elements. */
static inline int f64x2_first_equal(const f64x2 *v, size_t pairs, double x) {
  const f64x2 both = {x, x};
  unsigned at = 0;
  for (size_t k = 0; k < pairs; k++) at |= (unsigned)f64x2_sign_mask((u64x2)(v[k] == both)) << 2 * k;
  return __builtin_ctz(at);
}

/* Negates the elements of v whose sign bit is set in minus. */
static inline f64x2 f64x2_negate_by(f64x2 v, u64x2 minus) { return (f64x2)((u64x2)v ^ minus); }

#endif
