/* Exact numbers of Graze in GMP. */
#ifndef TESTS_SUPPORT_NUMBERS_H
#define TESTS_SUPPORT_NUMBERS_H

#include <gmp.h>

#include "exact/exact.h"

enum { ARENA_LIMBS = 1 << 17 };

/* An empty arena of ARENA_LIMBS; there is one for each test file. */
static inline grz_arena fresh_arena(void) {
  static uint64_t limbs[ARENA_LIMBS];
  return (grz_arena){limbs, 0, ARENA_LIMBS, false};
}

/* out = x·2^-64e, a whole number; returns e = x.exponent. */
static inline int32_t big_mantissa(mpz_t out, grz_big x) {
  mpz_set_ui(out, 0);
  if (x.sign != 0) mpz_import(out, (size_t)x.size, -1, sizeof(uint64_t), 0, 0, x.limb);
  if (x.sign < 0) mpz_neg(out, out);
  return x.exponent;
}

/* out = x·2^(64·shift); fails unless that is a whole number. */
static inline void big_to_mpz(mpz_t out, grz_big x, int32_t shift) {
  const int32_t exponent = big_mantissa(out, x) + shift;
  if (x.sign == 0) return;
  if (exponent < 0) abort();
  mpz_mul_2exp(out, out, 64 * (mp_bitcnt_t)exponent);
}

static inline void big_to_mpq(mpq_t out, grz_big x) {
  mpq_set_ui(out, 0, 1);
  const int32_t exponent = big_mantissa(mpq_numref(out), x);
  if (exponent > 0) mpq_mul_2exp(out, out, 64 * (mp_bitcnt_t)exponent);
  if (exponent < 0) mpq_div_2exp(out, out, 64 * (mp_bitcnt_t)-exponent);
}

#endif
