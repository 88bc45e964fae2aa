/* Square roots, correctly rounded, without libm.
 *
 * __builtin_sqrt() is one instruction only under -fno-math-errno, which the ordinary build sets. Otherwise GCC and
 * Clang call sqrt() for negative arguments, to set errno. A build of the amalgamation may lack the option, so it uses
 * the instruction directly. Targets without a known instruction use integers. */
#ifndef GRAZE_CORE_SQRT_H
#define GRAZE_CORE_SQRT_H

#include "core/real.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__SSE2__) || defined(__aarch64__) || defined(__s390x__) || defined(__wasm__) ||                            \
    (defined(__riscv_flen) && __riscv_flen >= 64)
#define SQRT_INSTRUCTION 1
#endif

/* The square root digit by digit (base 2), rounded to nearest. */
static inline double sqrt_by_digits(double x) {
  if (!(x > 0) || x == __builtin_inf()) return x == 0 || x > 0 ? x : __builtin_nan("");
  double scale = 1;
  if (x < 0x1p-1022) x *= 0x1p108, scale = 0x1p-54; /* subnormal: both products are exact */

  /* x = mantissa·2^(power - 52), power even, mantissa in [2^52, 2^54). */
  const uint64_t bits = real_bits(x);
  int power = (int)(bits >> 52) - 1023;
  uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  if (power % 2 != 0) mantissa *= 2, power--;

  /* root = floor(sqrt(mantissa·2^54)), 54 digits; rest = mantissa·2^54 - root² <= 2·root. */
  uint64_t root = 0, rest = 0;
  for (int i = 0; i < 54; i++) {
    rest = rest << 2 | (i < 27 ? mantissa >> (52 - 2 * i) & 3 : 0);
    root <<= 1;
    if (rest > 2 * root) rest -= 2 * root + 1, root++;
  }

  /* The last of 54 digits rounds. There is no tie: the square of an odd root is no multiple of 4. The leading digit
   * adds 1 to the exponent. */
  const uint64_t rounded = ((uint64_t)(power / 2 + 1022) << 52) + ((root + 1) >> 1);
  return real_of_bits(rounded) * scale;
}

static inline double real_sqrt(double x) {
#if defined(SQRT_INSTRUCTION) && defined(__NO_MATH_ERRNO__)
  return __builtin_sqrt(x);
#elif defined(__SSE2__)
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(x), _mm_set_sd(x)));
#elif defined(__aarch64__)
  __asm__("fsqrt %d0, %d1" : "=w"(x) : "w"(x));
  return x;
#elif defined(__riscv_flen) && __riscv_flen >= 64
  __asm__("fsqrt.d %0, %1" : "=f"(x) : "f"(x));
  return x;
#elif defined(__s390x__)
  __asm__("sqdbr %0, %1" : "=f"(x) : "f"(x));
  return x;
#else
  return sqrt_by_digits(x);
#endif
}

#endif
