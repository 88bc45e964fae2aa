/* Exact numbers: signed integers of any length times a power of 2^64, in a caller's arena. Exact +, -, ×, sign; no
 * division, no rounding, no allocation. Any double becomes at most two limbs, whatever its exponent, and sums align by
 * whole limbs, so numbers of very different magnitude stay as short as their spread. */
#ifndef GRAZE_EXACT_BIG_H
#define GRAZE_EXACT_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bump allocator. When it runs out, `full` is set and every later result is zero: whoever loops over exact
 * computations must look at `full` before believing them. */
typedef struct grz_arena {
  uint64_t *limbs;
  size_t used, capacity;
  bool full;
} grz_arena;

/* value = sign · (limb[0] + limb[1]·2^64 + …) · 2^(64·exponent). Normal form: sign 0 means size 0; the top and bottom
 * limbs are nonzero. The limbs are never changed once made, so copies may share them. */
typedef struct grz_big {
  const uint64_t *limb;
  int32_t size, exponent;
  int sign;
} grz_big;

/* The exact value of a finite double. */
grz_big grz_big_of(grz_arena *arena, double value);

/* Exact sum, difference, product. */
grz_big grz_big_add(grz_arena *arena, grz_big x, grz_big y);
grz_big grz_big_sub(grz_arena *arena, grz_big x, grz_big y);
grz_big grz_big_mul(grz_arena *arena, grz_big x, grz_big y);

/* The sign of x - y. Allocates nothing. */
int grz_big_compare(grz_big x, grz_big y);

/* Gives back everything allocated since `mark` (an earlier arena->used) except x, which moves there. */
grz_big grz_big_keep(grz_arena *arena, size_t mark, grz_big x);

/* x = m·2^*exponent·(1 + e) with 0.5 <= |m| <= 1 and |e| <= 2^-53 (round to nearest, ties to even); 0 for 0. */
double grz_big_to_double(grz_big x, int64_t *exponent);

static inline grz_big grz_big_zero(void) {
  grz_big zero = {NULL, 0, 0, 0};
  return zero;
}

static inline grz_big grz_big_neg(grz_big x) {
  x.sign = -x.sign;
  return x;
}

#endif
