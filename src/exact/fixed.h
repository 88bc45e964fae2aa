/* Numbers of fixed size, faster than those of exact/exact.h: doubles with a separate exponent, to which exact numbers
 * are rounded without overflow or underflow, and integers for exact determinants. */
#ifndef GRAZE_EXACT_FIXED_H
#define GRAZE_EXACT_FIXED_H

#include "core/vec.h"
#include "exact/exact.h"

/* ---- Doubles with a separate exponent
 *
 * Each operation below has a relative error of at most 2^-53; addition only for equal signs.
 * Theory: docs/theory/rounding.md, "Exact numbers rounded". */

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

/* ---- Exact determinants, for coordinates of similar magnitude
 *
 * Coordinates become integers of 125 bits in a common unit, and sums of determinants integers of 448 bits. These
 * integers are faster than those of any length by an order of magnitude. If the magnitudes differ too much, the latter
 * are needed.
 * Theory: docs/theory/rounding.md, "Orientation". */

__extension__ typedef __int128 fixed_int;

/* The biased exponents of the smallest and the largest nonzero number of a set; the unit is 2^(low - 1075). A mantissa
 * has 53 bits, so integers of 53 + 71 bits hold all numbers if high - low <= FIXED_SPREAD. */
typedef struct fixed_range {
  int low, high;
} fixed_range;

enum { FIXED_SPREAD = 71, FIXED_LIMBS = 7 };

typedef struct fixed_vec {
  fixed_int x, y, z;
} fixed_vec;

/* A sum in two's complement; limb[0] is the lowest. */
typedef struct fixed_sum {
  uint64_t limb[FIXED_LIMBS];
} fixed_sum;

static inline fixed_range fixed_range_empty(void) {
  fixed_range range = {0x7ff, 1};
  return range;
}

static inline void fixed_range_add_number(fixed_range *range, double x) {
  uint64_t magnitude = real_bits(x) << 1;
  if (magnitude == 0) return;
  int power = (int)(magnitude >> 53);
  if (power == 0) power = 1; /* subnormal */
  if (power < range->low) range->low = power;
  if (power > range->high) range->high = power;
}

static inline void fixed_range_add(fixed_range *range, graze_vec v) {
  fixed_range_add_number(range, v.x);
  fixed_range_add_number(range, v.y);
  fixed_range_add_number(range, v.z);
}

static inline bool fixed_fits(fixed_range range) { return range.high - range.low <= FIXED_SPREAD; }

static inline fixed_int fixed_of_number(fixed_range range, double x) {
  uint64_t bits = real_bits(x), mantissa = bits & ((UINT64_C(1) << 52) - 1);
  int power = (int)(bits >> 52 & 0x7ff);
  if (power != 0) mantissa |= UINT64_C(1) << 52;
  if (mantissa == 0) return 0;
  fixed_int magnitude = (fixed_int)((grz_u128)mantissa << ((power == 0 ? 1 : power) - range.low));
  return bits >> 63 ? -magnitude : magnitude;
}

static inline fixed_vec fixed_of(fixed_range range, graze_vec v) {
  fixed_vec r = {fixed_of_number(range, v.x), fixed_of_number(range, v.y), fixed_of_number(range, v.z)};
  return r;
}

static inline fixed_vec fixed_sub(fixed_vec u, fixed_vec v) {
  fixed_vec r = {u.x - v.x, u.y - v.y, u.z - v.z};
  return r;
}

/* product = x·y; x has n limbs and y has m, unsigned. */
GRZ_TEMPLATE void fixed_mul(uint64_t *product, const uint64_t *x, const int n, const uint64_t *y, const int m) {
  for (int i = 0; i < n; i++) product[i] = 0;
  for (int j = 0; j < m; j++) {
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
      grz_u128 t = (grz_u128)x[i] * y[j] + product[i + j] + carry;
      product[i + j] = (uint64_t)t;
      carry = (uint64_t)(t >> 64);
    }
    product[j + n] = carry;
  }
}

/* sum += x, or sum -= x with `minus`; x has n limbs, unsigned, and sum has m. */
GRZ_TEMPLATE void fixed_add(uint64_t *sum, const int m, const uint64_t *x, const int n, bool minus) {
  uint64_t flip = minus ? UINT64_MAX : 0, carry = minus; /* -x = ~x + 1 */
  for (int i = 0; i < m; i++) {
    grz_u128 t = (grz_u128)sum[i] + ((i < n ? x[i] : 0) ^ flip) + carry;
    sum[i] = (uint64_t)t;
    carry = (uint64_t)(t >> 64);
  }
}

/* Replaces a number in two's complement by its magnitude. Returns true if it was negative. */
GRZ_TEMPLATE bool fixed_magnitude(uint64_t *limb, const int n) {
  bool negative = limb[n - 1] >> 63;
  uint64_t flip = negative ? UINT64_MAX : 0, carry = negative;
  for (int i = 0; i < n; i++) {
    grz_u128 t = (grz_u128)(limb[i] ^ flip) + carry;
    limb[i] = (uint64_t)t;
    carry = (uint64_t)(t >> 64);
  }
  return negative;
}

/* sum += x·y, or sum -= x·y with `minus`. */
GRZ_TEMPLATE void fixed_add_product(uint64_t *sum, const int m, fixed_int x, fixed_int y, bool minus) {
  uint64_t u[2] = {(uint64_t)x, (uint64_t)((grz_u128)x >> 64)}, v[2] = {(uint64_t)y, (uint64_t)((grz_u128)y >> 64)};
  bool negative = fixed_magnitude(u, 2) != fixed_magnitude(v, 2);
  uint64_t product[4];
  fixed_mul(product, u, 2, v, 2);
  fixed_add(sum, m, product, 4, negative != minus);
}

/* sum += (a·d - b·c)·e. Differences are below 2^125, so the minor is below 2^251 and its product with e below 2^376. */
static inline void fixed_add_minor(fixed_sum *sum, fixed_int a, fixed_int b, fixed_int c, fixed_int d, fixed_int e) {
  if (e == 0) return;
  uint64_t minor[4] = {0, 0, 0, 0}, product[6], factor[2] = {(uint64_t)e, (uint64_t)((grz_u128)e >> 64)};
  fixed_add_product(minor, 4, a, d, false);
  fixed_add_product(minor, 4, b, c, true);
  bool negative = fixed_magnitude(minor, 4) != fixed_magnitude(factor, 2);
  fixed_mul(product, minor, 4, factor, 2);
  fixed_add(sum->limb, FIXED_LIMBS, product, 6, negative);
}

/* sum += (u × v)·w. A sum holds up to 2^69 such terms. */
static inline void fixed_add_det(fixed_sum *sum, fixed_vec u, fixed_vec v, fixed_vec w) {
  fixed_add_minor(sum, u.y, u.z, v.y, v.z, w.x);
  fixed_add_minor(sum, u.z, u.x, v.z, v.x, w.y);
  fixed_add_minor(sum, u.x, u.y, v.x, v.y, w.z);
}

/* sum += a·d - b·c. */
static inline void fixed_add_cross(fixed_sum *sum, fixed_int a, fixed_int b, fixed_int c, fixed_int d) {
  fixed_add_product(sum->limb, FIXED_LIMBS, a, d, false);
  fixed_add_product(sum->limb, FIXED_LIMBS, b, c, true);
}

static inline int fixed_sign(const fixed_sum *sum) {
  uint64_t any = 0;
  for (int i = 0; i < FIXED_LIMBS; i++) any |= sum->limb[i];
  return sum->limb[FIXED_LIMBS - 1] >> 63 ? -1 : any != 0;
}

/* The sum, rounded to nearest. Each of its terms is a product of `degree` coordinates. */
static inline grz_scaled fixed_to_scaled(fixed_sum sum, fixed_range range, int degree) {
  int sign = fixed_magnitude(sum.limb, FIXED_LIMBS) ? -1 : 1, bottom = 0, top = FIXED_LIMBS;
  while (top > 0 && sum.limb[top - 1] == 0) top--;
  while (bottom < top && sum.limb[bottom] == 0) bottom++;
  grz_big exact = {sum.limb + bottom, top - bottom, bottom, top > bottom ? sign : 0};
  grz_scaled r = scaled_of_big(exact);
  if (r.m != 0) r.e += (int64_t)degree * (range.low - 1075);
  return r;
}

#endif
