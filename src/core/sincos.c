/* Sine and cosine of half an angle, within 0.51 ulp.
 *
 * All steps use integers; the last one rounds each result to a double. So the bits do not depend on the compiler, and
 * the error is a sum of truncations. Source of the reduction: Payne and Hanek 1983.
 * Proof: docs/theory/sincos.md. Tables: tools/sincos_tables.py. */
#include "core/vec.h"

/* 1/pi after 128 zero bits. The bit of weight 2^-j has the index 127 + j, counted from the top of the first word. */
static const uint64_t sincos_inverse_pi[7] = {0x0000000000000000, 0x0000000000000000, 0x517cc1b727220a94,
                                              0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820, 0xff28b1d5ef5de2b0,
                                              0xdb92371d2126e970};

/* pi/4 and the coefficients of both series, in units of 2^-64. */
static const uint64_t sincos_quarter_pi = 0xc90fdaa22168c234;
enum { SINCOS_TERMS = 9 };
static const uint64_t sincos_sine[SINCOS_TERMS] = {/* 1/3!, 1/5!, … 1/19! */
                                                   0x2aaaaaaaaaaaaaab, 0x0222222222222222, 0x000d00d00d00d00d,
                                                   0x00002e3bc74aad8e, 0x0000006b99159fd5, 0x00000000b092309d,
                                                   0x0000000000d73f9f, 0x000000000000ca96, 0x0000000000000098};
static const uint64_t sincos_cosine[SINCOS_TERMS] = {/* 1/2!, 1/4!, … 1/18! */
                                                     0x8000000000000000, 0x0aaaaaaaaaaaaaab, 0x005b05b05b05b05b,
                                                     0x0001a01a01a01a02, 0x0000049f93edde28, 0x00000008f76c77fc,
                                                     0x000000000c9cba54, 0x00000000000d73fa, 0x0000000000000b41};

/* angle/2 = quadrant·pi/2 ± rest, rest = r·2^(-64 - shift), 0 < rest <= pi/4, r >= 2^62. The sign is
 * minus if `negative`. */
typedef struct sincos_reduced {
  unsigned quadrant;
  bool negative;
  uint64_t r;
  int shift;
} sincos_reduced;

static uint64_t sincos_multiply(uint64_t x, uint64_t y) { return (uint64_t)((grz_u128)x * y >> 64); }

/* angle = mantissa·2^exponent, 2^52 <= mantissa < 2^53, -78 <= exponent <= 80. */
static sincos_reduced sincos_reduce(uint64_t mantissa, int exponent) {
  /* The fraction of angle/(4 pi), 192 bits, top word first. Bits of 1/pi that contribute whole turns are skipped. */
  unsigned first = (unsigned)(exponent + 126), word = first / 64, bit = first % 64;
  uint64_t turn[3], carry = 0;
  for (unsigned i = 3; i-- > 0;) {
    uint64_t w = sincos_inverse_pi[word + i];
    if (bit != 0) w = w << bit | sincos_inverse_pi[word + i + 1] >> (64 - bit);
    grz_u128 product = (grz_u128)w * mantissa + carry;
    turn[i] = (uint64_t)product;
    carry = (uint64_t)(product >> 64);
  }
  /* Subtract the nearest multiple of a quarter turn. The magnitude of the remainder is at most an eighth of a turn. */
  uint64_t top = turn[0] + (UINT64_C(1) << 61), next = turn[1];
  sincos_reduced reduced = {(unsigned)(top >> 62), (top >> 61 & 1) == 0, 0, 0};
  if (reduced.negative) { /* ~x = -x - 1: one unit off */
    top = ~top;
    next = ~next;
  }
  top = top << 3 | next >> 61; /* in eighths of a turn; never 0 */
  next = next << 3;
  reduced.shift = __builtin_clzll(top);
  if (reduced.shift != 0) top = top << reduced.shift | next >> (64 - reduced.shift);
  reduced.r = sincos_multiply(top, sincos_quarter_pi);
  return reduced;
}

/* z·(c0 - z·(c1 - z·(c2 - …))) in units of 2^-64. */
static uint64_t sincos_series(const uint64_t *coefficients, uint64_t z) {
  uint64_t sum = 0;
  for (int i = SINCOS_TERMS; i-- > 0;) sum = sincos_multiply(z, coefficients[i] - sum);
  return sum;
}

/* m·2^(exponent - 64), m > 0, rounded to the nearest double. */
static double sincos_round(uint64_t m, int exponent) {
  int zeros = __builtin_clzll(m);
  m <<= zeros;
  int64_t rounded = (int64_t)(m >> 11) + (int64_t)(m >> 10 & 1);
  return (double)rounded * real_power_of_two(exponent - zeros - 53);
}

void graze_half_angle(double angle, double *w, double *z) {
  double size = real_abs(angle);
  if (!(size <= GRAZE_LARGEST)) {
    *w = *z = __builtin_nan("");
    return;
  }
  if (size < 0x1p-26) { /* the next terms of the series, x²/2 and x³/6, are below half an ulp */
    *w = 1;
    *z = 0.5 * angle;
    return;
  }
  uint64_t bits = real_bits(size), mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  sincos_reduced reduced = sincos_reduce(mantissa, real_exponent(size) - 52);
  uint64_t square = reduced.shift < 32 ? sincos_multiply(reduced.r, reduced.r) >> (2 * reduced.shift) : 0;
  uint64_t one = UINT64_C(1) << 63;
  uint64_t ratio = one - (sincos_series(sincos_sine, square) >> 1); /* sin(rest)/rest, in units of 2^-63 */
  double sine = sincos_round((uint64_t)((grz_u128)reduced.r * ratio >> 63), -reduced.shift);
  double cosine = sincos_round(one - (sincos_series(sincos_cosine, square) >> 1), 1);
  if (reduced.negative) sine = -sine;
  double c = reduced.quadrant & 1 ? -sine : cosine, s = reduced.quadrant & 1 ? cosine : sine;
  if (reduced.quadrant & 2) {
    c = -c;
    s = -s;
  }
  *w = c;
  *z = angle < 0 ? -s : s;
}
