/* Exact numbers, vectors of them, and signs of sums of square roots.
 *
 * A number is a signed integer of any length times a power of 2^64, in a caller's arena. Operations are exact +, -, ×
 * and sign; there is no division, rounding or allocation. A double becomes at most two limbs, whatever its exponent.
 * Sums align by whole limbs. The length of a number is the distance from its highest to its lowest nonzero limb.
 * Theory: docs/theory/exact.md. */
#ifndef GRAZE_EXACT_BIG_H
#define GRAZE_EXACT_BIG_H

#include <graze/graze.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bump allocator. When it is exhausted, `full` is set and every later result is zero. The results of a computation
 * are valid only if `full` is false at its end. */
typedef struct grz_arena {
  uint64_t *limbs;
  size_t used, capacity;
  bool full;
} grz_arena;

/* value = sign · (limb[0] + limb[1]·2^64 + …) · 2^(64·exponent). Normal form: sign 0 means size 0; the top and bottom
 * limbs are nonzero. Limbs are immutable, so copies may share them. */
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

/* Frees everything allocated since `mark` (an earlier arena->used) except x, which moves there. */
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

/* ---- Vectors. Every function leaves only its result in the arena. In 2D, z is zero and costs nothing. */

typedef struct grz_bvec {
  grz_big x, y, z;
} grz_bvec;

grz_bvec grz_bvec_of(grz_arena *arena, graze_vec v);
grz_bvec grz_bvec_add(grz_arena *arena, grz_bvec u, grz_bvec v);
grz_bvec grz_bvec_sub(grz_arena *arena, grz_bvec u, grz_bvec v);
grz_bvec grz_bvec_scale(grz_arena *arena, grz_bvec v, grz_big factor);
grz_bvec grz_bvec_cross(grz_arena *arena, grz_bvec u, grz_bvec v);
grz_big grz_bvec_dot(grz_arena *arena, grz_bvec u, grz_bvec v);

/* det[u, v, w] = (u × v)·w. */
grz_big grz_bvec_det(grz_arena *arena, grz_bvec u, grz_bvec v, grz_bvec w);

/* As grz_big_keep(): frees everything since `mark` except v. */
grz_bvec grz_bvec_keep(grz_arena *arena, size_t mark, grz_bvec v);

static inline grz_bvec grz_bvec_neg(grz_bvec v) {
  grz_bvec r = {grz_big_neg(v.x), grz_big_neg(v.y), grz_big_neg(v.z)};
  return r;
}

static inline bool grz_bvec_is_zero(grz_bvec v) { return v.x.sign == 0 && v.y.sign == 0 && v.z.sign == 0; }

/* ---- Sums of square roots */

/* factor·sqrt(radicand), radicand >= 0. */
typedef struct grz_root {
  grz_big factor, radicand;
} grz_root;

enum { GRZ_ROOTS_MAX = 3 };

/* The sign of rational + root[0] + … + root[count-1], 0 <= count <= GRZ_ROOTS_MAX. Leaves nothing in the arena. */
int grz_radical_sign(grz_arena *arena, grz_big rational, const grz_root *root, int count);

#endif
