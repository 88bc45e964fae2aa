/* Signs of sums of square roots against GMP with 6000 bits: sums that are zero, and sums that are nearly zero. */

#include "support/test.h"
#include "support/random.h"

#include "support/numbers.h"
#include "exact/exact.h"

enum { BITS = 6000 };
static rng state;

static void to_float(mpf_t out, grz_big x) {
  mpq_t exact;
  mpq_init(exact);
  big_to_mpq(exact, x);
  mpf_set_q(out, exact);
  mpq_clear(exact);
}

/* The sign by brute force. By root separation bounds, a sum below 2^-2500 of its largest term is zero. */
static int expected_sign(grz_big rational, const grz_root *root, int count) {
  mpf_t sum, largest, term, size;
  mpf_init2(sum, BITS), mpf_init2(largest, BITS), mpf_init2(term, BITS), mpf_init2(size, BITS);
  to_float(sum, rational);
  mpf_abs(largest, sum);
  for (int i = 0; i < count; i++) {
    to_float(term, root[i].radicand);
    mpf_sqrt(term, term);
    to_float(size, root[i].factor);
    mpf_mul(term, term, size);
    mpf_add(sum, sum, term);
    mpf_abs(term, term);
    if (mpf_cmp(term, largest) > 0) mpf_set(largest, term);
  }
  mpf_div_2exp(largest, largest, 2500);
  mpf_abs(size, sum);
  int sign = mpf_cmp(size, largest) <= 0 ? 0 : mpf_sgn(sum);
  mpf_clears(sum, largest, term, size, NULL);
  return sign;
}

static void check(grz_arena *arena, grz_big rational, const grz_root *root, int count, int *seen) {
  size_t before = arena->used;
  int sign = grz_radical_sign(arena, rational, root, count);
  assert_false(arena->full);
  assert_int_equal(arena->used, before);
  assert_int_equal(sign, expected_sign(rational, root, count));
  grz_root opposite[GRZ_ROOTS_MAX];
  for (int i = 0; i < count; i++) opposite[i] = (grz_root){grz_big_neg(root[i].factor), root[i].radicand};
  assert_int_equal(grz_radical_sign(arena, grz_big_neg(rational), opposite, count), -sign);
  if (count == 3) { /* the order must not matter */
    grz_root permuted[3] = {root[1], root[2], root[0]};
    assert_int_equal(grz_radical_sign(arena, rational, permuted, count), sign);
  }
  seen[sign + 1]++;
}

static double random_integer(void) { return rng_between(&state, -7, 7); }

static double random_double(void) {
  const double factor = rng_uniform(&state, -1, 1);
  return ldexp(factor, rng_between(&state, -100, 99));
}

/* Two kinds of sums are zero: s_i sqrt(m k_i²) with sum s_i k_i = 0, and a root of a perfect square minus its value.
 * Then one operand changes by 2^-400. */
TEST(sums_that_are_zero_and_nearly_zero) {
  state = 0x082efa98ec4e6c89u;
  int seen[3] = {0};
  for (int round = 0; round < 4000; round++) {
    grz_arena arena = fresh_arena();
    int perfect = rng_below(&state, 4); /* how many of the three roots are rational */
    grz_big k[3], m = grz_big_of(&arena, perfect == 3 ? 1.0 : fabs(random_double()) + 0x1p-90);
    grz_big rational = grz_big_zero();
    grz_root root[3];
    for (int i = 0; i < 3; i++) {
      k[i] = grz_big_of(&arena, fabs(random_double()) + 1);
      grz_big square = grz_big_mul(&arena, k[i], k[i]);
      root[i].radicand = i < perfect ? square : grz_big_mul(&arena, square, m);
      root[i].factor = grz_big_of(&arena, random_double());
    }
    for (int i = 0; i < perfect; i++)
      rational = grz_big_sub(&arena, rational, grz_big_mul(&arena, root[i].factor, k[i]));
    if (perfect == 1) { /* the other two cancel: s1 = t k2, s2 = -t k1 */
      const grz_big rest = grz_big_of(&arena, random_double());
      root[1].factor = grz_big_mul(&arena, rest, k[2]);
      root[2].factor = grz_big_neg(grz_big_mul(&arena, rest, k[1]));
    } else if (perfect == 2) {
      root[2].factor = grz_big_zero();
    } else if (perfect == 0) { /* s0 = a k1 k2, s1 = b k0 k2, s2 = -(a + b) k0 k1 */
      grz_big s = grz_big_of(&arena, random_double()), t = grz_big_of(&arena, random_double());
      root[0].factor = grz_big_mul(&arena, s, grz_big_mul(&arena, k[1], k[2]));
      root[1].factor = grz_big_mul(&arena, t, grz_big_mul(&arena, k[0], k[2]));
      root[2].factor = grz_big_neg(grz_big_mul(&arena, grz_big_add(&arena, s, t), grz_big_mul(&arena, k[0], k[1])));
    }
    int zero[3] = {0};
    check(&arena, rational, root, 3, zero);
    assert_int_equal(zero[1], 1);
    grz_big change = grz_big_of(&arena, round % 2 ? 0x1p-400 : -0x1p-400);
    grz_big *moved[4] = {&rational, &root[0].factor, &root[1].factor, &root[2].radicand};
    const int which = rng_below(&state, 4);
    if (which == 3 && root[2].radicand.sign == 0) continue;
    *moved[which] = grz_big_add(&arena, *moved[which], change);
    check(&arena, rational, root, 3, seen);
  }
  assert_true(seen[0] > 500 && seen[2] > 500);
}

/* Small integers, for which many sums are zero, and numbers of very different sizes. */
TEST(random_sums) {
  state = 0x452821e638d01377u;
  for (int whole = 0; whole < 2; whole++) {
    int seen[3] = {0};
    for (int round = 0; round < (whole ? 40000 : 10000); round++) {
      grz_arena arena = fresh_arena();
      grz_root root[3];
      for (int i = 0; i < 3; i++)
        root[i] = (grz_root){grz_big_of(&arena, whole ? random_integer() : random_double()),
                             grz_big_of(&arena, whole ? rng_below(&state, 20) : fabs(random_double()))};
      check(&arena, grz_big_of(&arena, whole ? random_integer() : random_double()), root, round % 4, seen);
    }
    assert_true(seen[0] > 1000 && seen[2] > 1000 && seen[1] >= 500 * whole);
  }
}
