/* Rounding under control: the bits of a double, its neighbour, error-free transforms, norms rounded up. For finite
 * numbers; nothing here overflows below 2^900. Proofs: docs/theory/rounding.md. */
#ifndef GRAZE_CORE_ROUNDING_H
#define GRAZE_CORE_ROUNDING_H

#include "core/real.h"
#include "core/vec.h"

/* x or -x, without a branch, since nobody can predict it. */
static inline double real_negate_unless(double x, bool plus) { return real_of_bits(real_bits(x) ^ (uint64_t)!plus << 63); }

/* 2^n, -1022 <= n <= 1023. */
static inline double real_power_of_two(int n) { return real_of_bits((uint64_t)(n + 1023) << 52); }

/* floor(log2 |x|) for a normal x; -1023 for zero and subnormals. */
static inline int real_exponent(double x) { return (int)(real_bits(x) >> 52 & 0x7ff) - 1023; }

/* The least double above x. */
static inline double real_next_up(double x) {
  if (x == 0) return 0x1p-1074;
  return real_of_bits(x > 0 ? real_bits(x) + 1 : real_bits(x) - 1);
}

/* a + b = sum + *error, exactly (Knuth). */
static inline double real_two_sum(double a, double b, double *error) {
  double sum = a + b, b_part = sum - a;
  *error = (a - (sum - b_part)) + (b - b_part);
  return sum;
}

/* a·b = product + *error, exactly, unless the error underflows (Dekker). For |a|, |b| below 2^900. */
static inline double real_two_product(double a, double b, double *error) {
  double product = a * b, big_a = 0x1.0000002p27 * a, big_b = 0x1.0000002p27 * b;
  double high_a = big_a - (big_a - a), high_b = big_b - (big_b - b), low_a = a - high_a, low_b = b - high_b;
  *error = low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b);
  return product;
}

/* |v|, rounded up, too large by at most 2^-48·|v| + 2^-1073; exact where at most one coordinate is not zero. */
static inline double vec_length_up(graze_vec v) {
  double largest = vec_norm_inf(v);
  if ((v.x != 0) + (v.y != 0) + (v.z != 0) <= 1) return largest;
  double length = vec_length(vec_make(v.x / largest, v.y / largest, v.z / largest));
  return real_next_up(largest * length * (1 + 8 * GRZ_U));
}

#endif
