/* Two doubles side by side, as every machine with doubles in vector registers has them. */
#ifndef GRAZE_SIMD_F64X2_H
#define GRAZE_SIMD_F64X2_H

#include <stdint.h>

typedef double grz_two __attribute__((vector_size(16)));
typedef uint64_t grz_two_bits __attribute__((vector_size(16)));

static inline double two_sum(grz_two v) { return v[0] + v[1]; }

static inline grz_two two_abs(grz_two v) {
  const grz_two_bits sign = {UINT64_C(1) << 63, UINT64_C(1) << 63};
  return (grz_two)((grz_two_bits)v & ~sign);
}

static inline grz_two two_min(grz_two a, grz_two b) {
#if defined(__SSE2__)
  return __builtin_ia32_minpd(a, b);
#else
  return (grz_two){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
#endif
}

/* The sign bit where v is not above 0. */
static inline grz_two_bits two_minus(grz_two v) {
  const grz_two none = {0, 0};
  const grz_two_bits sign = {UINT64_C(1) << 63, UINT64_C(1) << 63};
  return ~(grz_two_bits)(none - v) & sign;
}

/* The sign bits, that of the first number lowest. */
static inline int two_sign_mask(grz_two_bits v) {
#if defined(__SSE2__)
  return __builtin_ia32_movmskpd((grz_two)v);
#else
  return (int)(v[0] >> 63 | v[1] >> 63 << 1);
#endif
}

/* With the signs that two_minus() tells. */
static inline grz_two two_signed(grz_two v, grz_two_bits minus) { return (grz_two)((grz_two_bits)v ^ minus); }

#endif
