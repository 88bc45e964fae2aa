/* Exact numbers: schoolbook arithmetic on 64-bit limbs. The numbers of collision detection have 2 to 40 limbs, where
 * nothing cleverer pays. Limb bounds: docs/theory/exact.md. */
#include "exact/big.h"

#include <string.h>

__extension__ typedef unsigned __int128 big_wide;

static uint64_t *big_take(grz_arena *arena, size_t count) {
  if (arena->full || count > arena->capacity - arena->used) {
    arena->full = true;
    return NULL;
  }
  uint64_t *limb = arena->limbs + arena->used;
  arena->used += count;
  return limb;
}

/* Brings the newest allocation into normal form and gives back the limbs that became free at its top. */
static grz_big big_normal(grz_arena *arena, const uint64_t *limb, size_t size, int32_t exponent, int sign) {
  size_t top = size, bottom = 0;
  while (top > 0 && limb[top - 1] == 0) top--;
  arena->used -= size - top;
  while (bottom < top && limb[bottom] == 0) bottom++;
  if (bottom == top) {
    arena->used -= top;
    return grz_big_zero();
  }
  grz_big r = {limb + bottom, (int32_t)(top - bottom), exponent + (int32_t)bottom, sign};
  return r;
}

grz_big grz_big_of(grz_arena *arena, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
  int32_t power = (int32_t)(bits >> 52 & 0x7ff); /* value = mantissa·2^(power - 1075), once adjusted */
  if (power == 0)
    power = 1;
  else
    mantissa |= UINT64_C(1) << 52;
  if (mantissa == 0) return grz_big_zero();

  /* power - 1075 = 64·exponent + shift, 0 <= shift < 64; 1088 = 17·64 keeps the division away from negative numbers. */
  int32_t exponent = (power - 1075 + 1088) / 64 - 17, shift = (power - 1075 + 1088) % 64;
  uint64_t low = mantissa << shift, high = shift > 11 ? mantissa >> (64 - shift) : 0;
  size_t size = low != 0 && high != 0 ? 2 : 1;
  uint64_t *limb = big_take(arena, size);
  if (limb == NULL) return grz_big_zero();
  limb[0] = low != 0 ? low : high;
  if (size == 2) limb[1] = high;
  grz_big r = {limb, (int32_t)size, exponent + (low == 0), bits >> 63 ? -1 : 1};
  return r;
}

/* The sign of |x| - |y|; both nonzero. */
static int big_compare_magnitude(grz_big x, grz_big y) {
  int32_t top_x = x.exponent + x.size, top_y = y.exponent + y.size;
  if (top_x != top_y) return top_x < top_y ? -1 : 1;
  int32_t i = x.size, j = y.size;
  while (i > 0 && j > 0) {
    uint64_t u = x.limb[--i], v = y.limb[--j];
    if (u != v) return u < v ? -1 : 1;
  }
  return (i > 0) - (j > 0); /* the bottom limbs are nonzero */
}

int grz_big_compare(grz_big x, grz_big y) {
  if (x.sign != y.sign) return x.sign < y.sign ? -1 : 1;
  return x.sign == 0 ? 0 : x.sign * big_compare_magnitude(x, y);
}

/* Room for `span` limbs that holds x at offset `at`, zero elsewhere. */
static uint64_t *big_spread(grz_arena *arena, grz_big x, size_t at, size_t span) {
  uint64_t *limb = big_take(arena, span);
  if (limb == NULL) return NULL;
  size_t size = (size_t)x.size;
  memset(limb, 0, at * sizeof *limb);
  memcpy(limb + at, x.limb, size * sizeof *limb);
  memset(limb + at + size, 0, (span - at - size) * sizeof *limb);
  return limb;
}

static void big_add_at(uint64_t *limb, grz_big y) {
  uint64_t carry = 0;
  int32_t i = 0;
  for (; i < y.size; i++) {
    big_wide t = (big_wide)limb[i] + y.limb[i] + carry;
    limb[i] = (uint64_t)t;
    carry = (uint64_t)(t >> 64);
  }
  for (; carry != 0; i++) carry = ++limb[i] == 0;
}

static void big_sub_at(uint64_t *limb, grz_big y) {
  uint64_t borrow = 0;
  int32_t i = 0;
  for (; i < y.size; i++) {
    big_wide t = (big_wide)limb[i] - y.limb[i] - borrow;
    limb[i] = (uint64_t)t;
    borrow = (uint64_t)(t >> 64) & 1;
  }
  for (; borrow != 0; i++) borrow = limb[i]-- == 0;
}

grz_big grz_big_add(grz_arena *arena, grz_big x, grz_big y) {
  if (arena->full) return grz_big_zero();
  if (x.sign == 0) return y;
  if (y.sign == 0) return x;
  int order = x.sign == y.sign ? 1 : big_compare_magnitude(x, y);
  if (order == 0) return grz_big_zero();
  if (order < 0) {
    grz_big t = x;
    x = y;
    y = t;
  }
  int32_t bottom = x.exponent < y.exponent ? x.exponent : y.exponent;
  int32_t top_x = x.exponent + x.size, top_y = y.exponent + y.size, top = top_x > top_y ? top_x : top_y;
  size_t span = (size_t)(top - bottom) + (x.sign == y.sign); /* one more for the carry */
  uint64_t *limb = big_spread(arena, x, (size_t)(x.exponent - bottom), span);
  if (limb == NULL) return grz_big_zero();
  if (x.sign == y.sign)
    big_add_at(limb + (y.exponent - bottom), y);
  else
    big_sub_at(limb + (y.exponent - bottom), y);
  return big_normal(arena, limb, span, bottom, x.sign);
}

grz_big grz_big_sub(grz_arena *arena, grz_big x, grz_big y) { return grz_big_add(arena, x, grz_big_neg(y)); }

/* limb[0 … n] += x·factor, limb[n] fresh. */
static void big_mul_row(uint64_t *limb, const uint64_t *x, size_t n, uint64_t factor) {
  uint64_t carry = 0;
  for (size_t i = 0; i < n; i++) {
    big_wide t = (big_wide)x[i] * factor + limb[i] + carry;
    limb[i] = (uint64_t)t;
    carry = (uint64_t)(t >> 64);
  }
  limb[n] = carry;
}

/* limb[0 … n+1] += x·(low + 2^64 high), limb[n] and limb[n+1] fresh: two rows at the price of one in loads and stores.
 */
static void big_mul_rows(uint64_t *limb, const uint64_t *x, size_t n, uint64_t low, uint64_t high) {
  uint64_t carry_low = 0, carry_high = 0, before = 0;
  for (size_t i = 0; i < n; i++) {
    big_wide t = (big_wide)x[i] * low + limb[i] + carry_low;
    big_wide u = (big_wide)before * high + (uint64_t)t + carry_high;
    limb[i] = (uint64_t)u;
    carry_low = (uint64_t)(t >> 64), carry_high = (uint64_t)(u >> 64);
    before = x[i];
  }
  big_wide u = (big_wide)before * high + carry_low + carry_high;
  limb[n] = (uint64_t)u;
  limb[n + 1] = (uint64_t)(u >> 64);
}

grz_big grz_big_mul(grz_arena *arena, grz_big x, grz_big y) {
  if (x.sign == 0 || y.sign == 0) return grz_big_zero();
  if (x.size < y.size) { /* the longer one in the inner loop */
    grz_big t = x;
    x = y;
    y = t;
  }
  size_t n = (size_t)x.size, m = (size_t)y.size, j = 0;
  uint64_t *limb = big_take(arena, n + m);
  if (limb == NULL) return grz_big_zero();
  memset(limb, 0, n * sizeof *limb);
  for (; j + 2 <= m; j += 2) big_mul_rows(limb + j, x.limb, n, y.limb[j], y.limb[j + 1]);
  if (j < m) big_mul_row(limb + j, x.limb, n, y.limb[j]);
  return big_normal(arena, limb, n + m, x.exponent + y.exponent, x.sign * y.sign);
}

grz_big grz_big_keep(grz_arena *arena, size_t mark, grz_big x) {
  uint64_t *to = arena->limbs + mark;
  uintptr_t at = (uintptr_t)x.limb;
  if (x.sign == 0 || at < (uintptr_t)to || at >= (uintptr_t)(arena->limbs + arena->used)) {
    arena->used = mark; /* x lives elsewhere */
    return x;
  }
  memmove(to, x.limb, (size_t)x.size * sizeof *to);
  arena->used = mark + (size_t)x.size;
  x.limb = to;
  return x;
}

double grz_big_to_double(grz_big x, int64_t *exponent) {
  *exponent = 0;
  if (x.sign == 0) return 0;
  uint64_t top = x.limb[x.size - 1], next = x.size > 1 ? x.limb[x.size - 2] : 0;
  int zeros = __builtin_clzll(top);
  uint64_t leading = zeros == 0 ? top : top << zeros | next >> (64 - zeros);
  /* Limbs further down are part of the tail whatever they hold: the bottom limb is nonzero. */
  bool tail = x.size > 2 || (zeros == 0 ? next : next << zeros) != 0;
  uint64_t mantissa = leading >> 11, rest = leading & 0x7ff;
  if (rest > 0x400 || (rest == 0x400 && (tail || (mantissa & 1) != 0))) mantissa++;
  *exponent = 64 * ((int64_t)x.exponent + x.size) - zeros;
  return x.sign * ((double)mantissa * 0x1p-53);
}
