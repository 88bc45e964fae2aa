/* Twice the signed area is a sum of products of doubles. They are added up as whole numbers of the least unit that such
 * a product can have, digit by digit of 32 bits, so that nothing is rounded. */
#include "winding.h"

#include <math.h>
#include <string.h>

enum {
  UNIT = 2 * 1074 + 106, /* a product of two fractions of 53 bits, times 2^e, is whole in units of 2^-UNIT */
  DIGITS = (UNIT + 2 * 133) / 32 + 4
};

typedef struct sum {
  int64_t digit[DIGITS]; /* each may exceed 32 bits until settled */
  int adds;
} sum;

static void settle(sum *s) {
  int64_t carry = 0;
  for (int i = 0; i < DIGITS - 1; i++) {
    int64_t digit = s->digit[i] + carry, rest = digit & 0xffffffff;
    carry = (digit - rest) / ((int64_t)1 << 32);
    s->digit[i] = rest;
  }
  s->digit[DIGITS - 1] += carry;
  s->adds = 0;
}

/* Adds sign · value · 2^shift, value < 2^56. */
static void add_shifted(sum *s, uint64_t value, int shift, int sign) {
  uint64_t low = (value & 0xffffffff) << (shift % 32), high = (value >> 32) << (shift % 32);
  int64_t *digit = &s->digit[shift / 32];
  digit[0] += sign * (int64_t)(low & 0xffffffff);
  digit[1] += sign * (int64_t)((low >> 32) + (high & 0xffffffff));
  digit[2] += sign * (int64_t)(high >> 32);
}

static void add_product(sum *s, double x, double y, int sign) {
  int ex, ey;
  if (x == 0 || y == 0) return;
  uint64_t a = (uint64_t)ldexp(frexp(fabs(x), &ex), 53), b = (uint64_t)ldexp(frexp(fabs(y), &ey), 53);
  uint64_t a1 = a >> 27, a0 = a & 0x7ffffff, b1 = b >> 27, b0 = b & 0x7ffffff;
  int shift = ex + ey + UNIT - 106;
  if ((x < 0) != (y < 0)) sign = -sign;
  add_shifted(s, a1 * b1, shift + 54, sign);
  add_shifted(s, a1 * b0 + a0 * b1, shift + 27, sign);
  add_shifted(s, a0 * b0, shift, sign);
  if (++s->adds > 1 << 20) settle(s);
}

int cli_winding(const graze_vec *points, size_t count) {
  sum s;
  memset(&s, 0, sizeof s);
  for (size_t i = 0; i < count; i++) {
    graze_vec p = points[i], q = points[i + 1 < count ? i + 1 : 0];
    add_product(&s, p.x, q.y, 1);
    add_product(&s, q.x, p.y, -1);
  }
  settle(&s);
  for (int i = DIGITS - 1; i >= 0; i--)
    if (s.digit[i] != 0) return s.digit[i] > 0 ? 1 : -1;
  return 0;
}
