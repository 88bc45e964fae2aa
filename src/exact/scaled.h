/* Doubles with a separate exponent, to which exact numbers are rounded without overflow or underflow.
 *
 * Each operation below has a relative error of at most 2^-53; addition only for equal signs.
 * Theory: docs/theory/rounding.md, "Exact numbers rounded". */
#ifndef GRAZE_EXACT_SCALED_H
#define GRAZE_EXACT_SCALED_H

#include "core/vec.h"
#include "exact/exact.h"

/* m·2^e with 0.5 <= |m| <= 1, or m = 0. */
typedef struct grz_scaled {
  double m;
  int64_t e;
} grz_scaled;

static inline grz_scaled scaled_of_big(grz_big x) {
  grz_scaled s;
  s.m = grz_big_to_double(x, &s.e);
  if (s.m == 0) s.e = 0;
  return s;
}

/* m·2^e in normal form, for 1/8 < |m| < 8 or m = 0. */
static inline grz_scaled scaled_normal(double m, int64_t e) {
  for (int i = 0; i < 3 && real_abs(m) > 1; i++) m *= 0.5, e++;
  for (int i = 0; i < 3 && m != 0 && real_abs(m) < 0.5; i++) m *= 2, e--;
  grz_scaled s = {m, m == 0 ? 0 : e};
  return s;
}

static inline grz_scaled scaled_mul(grz_scaled x, grz_scaled y) { return scaled_normal(x.m * y.m, x.e + y.e); }
static inline grz_scaled scaled_div(grz_scaled x, grz_scaled y) { return scaled_normal(x.m / y.m, x.e - y.e); }

static inline grz_scaled scaled_sqrt(grz_scaled x) {
  int64_t odd = x.e & 1;
  return scaled_normal(real_sqrt(odd ? 2 * x.m : x.m), (x.e - odd) / 2);
}

static inline grz_scaled scaled_add(grz_scaled x, grz_scaled y) {
  if (x.m == 0) return y;
  if (y.m == 0) return x;
  if (x.e < y.e) {
    grz_scaled t = x;
    x = y, y = t;
  }
  int64_t shift = x.e - y.e;
  return shift > 100 ? x : scaled_normal(x.m + y.m * real_power_of_two((int)-shift), x.e);
}

/* x < y, for x, y >= 0. */
static inline bool scaled_is_less(grz_scaled x, grz_scaled y) {
  if (x.m == 0 || y.m == 0) return x.m == 0 && y.m != 0;
  return x.e != y.e ? x.e < y.e : x.m < y.m;
}

/* Rounded to nearest, also to subnormals. A number that is too large becomes ± the largest double. */
static inline double scaled_to_double(grz_scaled x) {
  if (x.m == 0 || x.e < -1100) return 0;
  if (x.e > 1024) return x.m < 0 ? -0x1.fffffffffffffp1023 : 0x1.fffffffffffffp1023;
  if (x.e > 1000) return x.m * 0x1p100 * real_power_of_two((int)x.e - 100);
  return x.e < -900 ? x.m * real_power_of_two((int)x.e + 200) * 0x1p-200 : x.m * real_power_of_two((int)x.e);
}

/* The exponent of the coordinate with the largest magnitude; INT64_MIN for the zero vector. */
static inline int64_t scaled_max_exponent(grz_bvec v) {
  const grz_scaled part[3] = {scaled_of_big(v.x), scaled_of_big(v.y), scaled_of_big(v.z)};
  int64_t top = INT64_MIN;
  for (int i = 0; i < 3; i++) {
    if (part[i].m != 0 && part[i].e > top) top = part[i].e;
  }
  return top;
}

/* v·2^-top, rounded. v is not much larger than 2^top. */
static inline graze_vec scaled_to_vec(grz_bvec v, int64_t top) {
  grz_scaled x = scaled_of_big(v.x), y = scaled_of_big(v.y), z = scaled_of_big(v.z);
  x.e -= top, y.e -= top, z.e -= top;
  return vec_make(scaled_to_double(x), scaled_to_double(y), scaled_to_double(z));
}

/* A positive multiple of v, rounded, with ∞-norm in [0.5, 1]. The error of each coordinate is at most 2^-53. v is not
 * zero. */
static inline graze_vec scaled_direction(grz_bvec v) { return scaled_to_vec(v, scaled_max_exponent(v)); }

#endif
