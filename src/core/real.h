/* Bits, error-free transforms and correctly rounded square roots of doubles.
 *
 * The library does not use libm, and all its bounds are theorems about IEEE 754 double arithmetic.
 * Sources: Knuth, The Art of Computer Programming 2, 4.2.2 (TwoSum); Dekker 1971 (TwoProduct).
 * Theory: docs/theory/rounding.md. */
#ifndef GRAZE_CORE_REAL_H
#define GRAZE_CORE_REAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifdef __FAST_MATH__
#error "Graze's bounds are theorems about IEEE 754 arithmetic: compile without -ffast-math"
#endif

/* Unit roundoff of a double: 2^-53. */
#define GRZ_U 0x1p-53

/* A function that is inlined into its callers, so that a constant last argument (dim) removes branches. */
#if defined(__GNUC__)
#define GRZ_TEMPLATE static inline __attribute__((always_inline))
#else
#define GRZ_TEMPLATE static inline
#endif

static inline double real_abs(double x) { return __builtin_fabs(x); }
static inline double real_max(double x, double y) { return x > y ? x : y; }
static inline double real_min(double x, double y) { return x < y ? x : y; }

__extension__ typedef unsigned __int128 grz_u128;

/* ---- Bits */

static inline uint64_t real_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double real_of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* x if `keep`, otherwise -x; without a branch, because the sign is unpredictable. */
static inline double real_negate_unless(double x, bool keep) {
  return real_of_bits(real_bits(x) ^ (uint64_t)!keep << 63);
}

/* 2^n, -1022 <= n <= 1023. */
static inline double real_power_of_two(int n) { return real_of_bits((uint64_t)(n + 1023) << 52); }

/* floor(log2 |x|) for a normal x; -1023 for zero and subnormals. */
static inline int real_exponent(double x) { return (int)(real_bits(x) >> 52 & 0x7ff) - 1023; }

/* The least double above x; x is finite. */
static inline double real_next_up(double x) {
  if (x == 0) return 0x1p-1074;
  return real_of_bits(x > 0 ? real_bits(x) + 1 : real_bits(x) - 1);
}

/* ---- Error-free transforms, for finite numbers */

/* a + b = sum + *error, exactly. */
static inline double real_two_sum(double a, double b, double *error) {
  double sum = a + b, b_part = sum - a;
  *error = (a - (sum - b_part)) + (b - b_part);
  return sum;
}

/* a·b = product + *error, exactly, unless the error underflows. |a| and |b| are below 2^900. */
static inline double real_two_product(double a, double b, double *error) {
  double product = a * b, big_a = 0x1.0000002p27 * a, big_b = 0x1.0000002p27 * b;
  double high_a = big_a - (big_a - a), high_b = big_b - (big_b - b), low_a = a - high_a, low_b = b - high_b;
  *error = low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b);
  return product;
}

/* ---- Square roots
 *
 * __builtin_sqrt() is one instruction only under -fno-math-errno, which the ordinary build sets. Otherwise GCC and
 * Clang call sqrt() for negative arguments, to set errno. A build of the amalgamation may lack the option, so it uses
 * the instruction directly. Targets without a known instruction use integers. */

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

  /* The last of the 54 digits decides the rounding. A tie would need an odd root with rest 0. It does not occur,
   * because mantissa·2^54 is a multiple of 4 and the square of an odd number is not. The leading digit adds 1 to the
   * exponent. */
  const uint64_t rounded = ((uint64_t)(power / 2 + 1022) << 52) + ((root + 1) >> 1);
  return real_of_bits(rounded) * scale;
}

/* Correctly rounded on every target. */
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
