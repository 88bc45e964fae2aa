/* Exact numbers and vectors against GMP: random and adversarial operands, every arena size, correct rounding. */

#include "support/test.h"
#include "support/random.h"

#include "support/numbers.h"
#include "support/oracle/exact.h"
#include "support/rational.h"
#include "exact/exact.h"

static const uint64_t seed_of = 0x9e3779b97f4a7c15u;
static rng state;

static uint64_t next_random(void) { return rng_bits(&state); }

/* Random doubles of all kinds that Graze accepts, and the largest ones. */
static double random_double(void) {
  static const double special[] = {0, 1, 1e40, 0x1p-1074,
                                   /* the limits of normal numbers and of limbs */
                                   0x1.fffffffffffffp-1023, 0x1p-1022, 0x1.fffffffffffffp1023, 0x1p63, 0x1p64,
                                   0x1.fffffffffffffp63, 0x1p-64, 0x1p-63, 0x1.8p-1};
  const int kind = rng_below(&state, 4);
  const double chosen = special[rng_index(&state, COUNT(special))];
  if (kind == 0) return rng_coin(&state) ? chosen : -chosen;
  const int low = kind == 1 ? -1074 : -20;
  const double factor = rng_uniform(&state, -1, 1);
  return ldexp(factor, low + rng_below(&state, kind == 1 ? 1207 : 40));
}

static void assert_normal(grz_big x) {
  assert_in_range(x.sign + 1, 0, 2);
  assert_int_equal(x.size > 0, x.sign != 0);
  if (x.sign != 0) assert_true(x.limb[0] != 0 && x.limb[x.size - 1] != 0);
}

static void assert_equals(grz_big x, const mpz_t expected, int32_t shift) {
  mpz_t got;
  mpz_init(got);
  assert_normal(x);
  big_to_mpz(got, x, shift);
  assert_int_equal(mpz_cmp(got, expected), 0);
  mpz_clear(got);
}

static void assert_is_double(grz_big x, double value) {
  mpz_t expected;
  mpz_init(expected);
  orc_z_set_double(expected, value, -64 * 18); /* below the last of the 53 bits of any double */
  assert_equals(x, expected, 18);
  mpz_clear(expected);
}

TEST(powers_of_two_have_one_limb) {
  for (int e = -1074; e <= 1023; e++) {
    grz_arena arena = fresh_arena();
    grz_big x = grz_big_of(&arena, ldexp(1.0, e));
    assert_int_equal(x.size, 1);
    assert_is_double(x, ldexp(1.0, e));
    int64_t exponent;
    assert_true(grz_big_to_double(x, &exponent) == 0.5);
    assert_int_equal(exponent, e + 1);
  }
}

static int compare(const mpz_t x, const mpz_t y) { return (mpz_cmp(x, y) > 0) - (mpz_cmp(x, y) < 0); }

enum { POOL = 24, SHIFT = 17 * 64 };

/* Random operations whose results become operands, so that numbers grow and cancel. Each has a copy in GMP: an integer
 * over 2^(64·SHIFT). */
static void random_operations(int steps, int32_t longest) {
  grz_arena arena = fresh_arena();
  static grz_big pool[POOL];
  static uint64_t store[POOL][2048];
  static mpz_t copy[POOL];
  mpz_t result;
  mpz_init(result);
  for (int i = 0; i < POOL; i++) {
    pool[i] = grz_big_zero();
    mpz_init(copy[i]);
  }
  for (int step = 0; step < steps; step++) {
    uint64_t r = next_random();
    size_t i = r % POOL, j = (r >> 8) % POOL, k = (r >> 16) % POOL;
    arena.used = 0;
    grz_big x;
    switch ((r >> 24) % 6) {
    case 0:
      x = grz_big_add(&arena, pool[i], pool[j]);
      mpz_add(result, copy[i], copy[j]);
      break;
    case 1:
      x = grz_big_sub(&arena, pool[i], pool[j]);
      mpz_sub(result, copy[i], copy[j]);
      break;
    case 2:
    case 3:
      if (pool[i].size + pool[j].size > longest || pool[i].exponent + pool[j].exponent < -SHIFT) continue;
      x = grz_big_mul(&arena, pool[i], pool[j]);
      mpz_mul(result, copy[i], copy[j]);
      mpz_fdiv_q_2exp(result, result, 64 * (mp_bitcnt_t)SHIFT); /* exact: the product is a multiple */
      break;
    default: {
      const double value = random_double();
      x = grz_big_of(&arena, value);
      assert_true(x.size <= 2);
      orc_z_set_double(result, value, -64 * SHIFT);
    }
    }
    assert_false(arena.full);
    assert_equals(x, result, SHIFT);
    assert_int_equal(grz_big_compare(pool[i], pool[j]), compare(copy[i], copy[j]));
    if (x.size > 2048) continue;
    if (x.size > 0) memcpy(store[k], x.limb, (size_t)x.size * sizeof(uint64_t));
    x.limb = store[k];
    pool[k] = x;
    mpz_set(copy[k], result);
  }
  for (int i = 0; i < POOL; i++) mpz_clear(copy[i]);
  mpz_clear(result);
}

TEST(random_operations_equal_gmp) {
  state = seed_of;
  random_operations(60000, 40);
  random_operations(6000, 1500);
}

/* Runs of ones and zeros make carries and borrows that propagate through many limbs. */
TEST(long_carries_and_borrows) {
  state = seed_of;
  mpz_t u, v, w;
  mpz_inits(u, v, w, NULL);
  for (int round = 0; round < 4000; round++) {
    static uint64_t x_limb[40], y_limb[40];
    grz_big number[2];
    uint64_t *limb[2] = {x_limb, y_limb};
    for (int n = 0; n < 2; n++) {
      int32_t size = 1 + (int32_t)(next_random() % 40);
      for (int32_t i = 0; i < size; i++) {
        uint64_t r = next_random() % 3;
        limb[n][i] = r == 0 ? 0 : r == 1 ? UINT64_MAX : 1;
      }
      if (limb[n][0] == 0) limb[n][0] = 1;
      if (limb[n][size - 1] == 0) limb[n][size - 1] = UINT64_MAX;
      number[n] = (grz_big){limb[n], size, (int32_t)(next_random() % 9) - 4, next_random() & 1 ? 1 : -1};
    }
    grz_arena arena = fresh_arena();
    big_to_mpz(u, number[0], 4);
    big_to_mpz(v, number[1], 4);
    mpz_add(w, u, v);
    assert_equals(grz_big_add(&arena, number[0], number[1]), w, 4);
    mpz_sub(w, u, v);
    assert_equals(grz_big_sub(&arena, number[0], number[1]), w, 4);
    mpz_mul(w, u, v);
    assert_equals(grz_big_mul(&arena, number[0], number[1]), w, 8);
    assert_int_equal(grz_big_compare(number[0], number[1]), compare(u, v));
  }
  mpz_clears(u, v, w, NULL);
}

/* (x·y + z)·(x - y). */
static grz_big polynomial(grz_arena *arena, double x, double y, double z) {
  grz_big u = grz_big_of(arena, x), v = grz_big_of(arena, y), w = grz_big_of(arena, z);
  grz_big sum = grz_big_add(arena, grz_big_mul(arena, u, v), w);
  return grz_big_mul(arena, sum, grz_big_sub(arena, u, v));
}

TEST(exhausted_arena_returns_zero_and_writes_nothing_outside) {
  const uint64_t guard = 0x5aa5c33c0ff0a55a;
  grz_arena large = fresh_arena();
  grz_big whole = polynomial(&large, 3.3e39, 0x1.7p-1060, -7.25);
  assert_false(large.full);
  size_t need = large.used;
  for (size_t capacity = 0; capacity <= need + 2; capacity++) {
    uint64_t *limbs = malloc((capacity + 4) * sizeof *limbs);
    assert_non_null(limbs);
    for (size_t i = 0; i < capacity + 4; i++) limbs[i] = guard;
    grz_arena arena = {limbs, 0, capacity, false};
    grz_big x = polynomial(&arena, 3.3e39, 0x1.7p-1060, -7.25);
    for (size_t i = capacity; i < capacity + 4; i++) assert_true(limbs[i] == guard);
    assert_true(arena.used <= capacity);
    if (arena.full) {
      assert_int_equal(x.sign, 0);
      assert_int_equal(grz_big_of(&arena, 1.0).sign, 0);
      assert_int_equal(grz_big_add(&arena, whole, whole).sign, 0);
      assert_int_equal(grz_big_add(&arena, whole, grz_big_zero()).sign, 0);
      assert_int_equal(grz_big_mul(&arena, whole, whole).sign, 0);
    } else {
      assert_true(capacity >= need && arena.used == need);
      assert_int_equal(grz_big_compare(x, whole), 0);
    }
    free(limbs);
  }
  uint64_t store[2]; /* the number occupies both */
  grz_arena tiny = {store, 0, 2, false};
  assert_is_double(grz_big_of(&tiny, 1.5), 1.5);
  assert_false(tiny.full);
}

TEST(keep_moves_the_number_to_the_mark) {
  grz_arena arena = fresh_arena();
  grz_big before = grz_big_of(&arena, 3.5);
  size_t mark = arena.used;
  grz_big_of(&arena, 1e40);
  grz_big x = grz_big_mul(&arena, grz_big_of(&arena, 1.1), grz_big_of(&arena, 1e-300));
  grz_big y = grz_big_keep(&arena, mark, x);
  assert_ptr_equal(y.limb, arena.limbs + mark);
  assert_int_equal(arena.used, mark + (size_t)y.size);
  grz_arena other = {arena.limbs + ARENA_LIMBS / 2, 0, 100, false};
  grz_big again = grz_big_mul(&other, grz_big_of(&other, 1.1), grz_big_of(&other, 1e-300));
  assert_int_equal(grz_big_compare(y, again), 0);

  /* A number below the mark or in another arena does not move. */
  grz_big_of(&arena, 7.0);
  assert_ptr_equal(grz_big_keep(&arena, mark, before).limb, before.limb);
  assert_int_equal(arena.used, mark);
  assert_ptr_equal(grz_big_keep(&arena, mark, again).limb, again.limb);
  assert_int_equal(grz_big_keep(&arena, mark, grz_big_zero()).sign, 0);
  assert_int_equal(arena.used, mark);
}

TEST(keep_moves_vectors_with_shared_limbs) {
  state = seed_of;
  for (int round = 0; round < 2000; round++) {
    grz_arena arena = fresh_arena();
    grz_big below = grz_big_of(&arena, 9.75);
    size_t mark = arena.used;
    double value[3] = {random_double(), random_double(), random_double()};
    grz_big part[3];
    for (int k = 0, order = rng_below(&state, 3); k < 3; k++) {
      int i = (k + order) % 3;
      if (rng_coin(&state)) grz_big_of(&arena, 1.0);
      part[i] = grz_big_of(&arena, value[i]);
    }
    const int shared = rng_below(&state, 4);
    if (shared == 0) part[2] = grz_big_neg(part[0]), value[2] = -value[0];
    if (shared == 1) part[1] = below, value[1] = 9.75;
    const grz_bvec v = grz_bvec_keep(&arena, mark, (grz_bvec){part[0], part[1], part[2]});
    assert_is_double(v.x, value[0]);
    assert_is_double(v.y, value[1]);
    assert_is_double(v.z, value[2]);
    assert_true(arena.used <= mark + (size_t)(v.x.size + v.y.size + v.z.size));
  }
}

TEST(conversion_rounds_to_nearest) {
  state = seed_of;
  mpz_t exact;
  mpz_init(exact);
  static uint64_t limb[6];
  for (int round = 0; round < 40000; round++) {
    int32_t size = 1 + (int32_t)(next_random() % 6);
    for (int32_t i = 0; i < size; i++) {
      uint64_t r = next_random();
      limb[i] = r % 3 == 0 ? next_random() : r % 3 == 1 ? 0 : UINT64_MAX;
    }
    int zeros = (int)(next_random() % 64);
    limb[size - 1] = (next_random() & 1 ? UINT64_MAX : next_random() | UINT64_C(1) << 63) >> zeros;
    /* half an ulp below the leading 53 bits: a tie, unless a lower bit is set */
    if (next_random() & 1) {
      limb[size - 1] = (limb[size - 1] >> (zeros < 53 ? 11 - (zeros < 11 ? zeros : 11) : 0)) | 1;
    }
    if (limb[0] == 0) limb[0] = next_random() & 1 ? 1 : UINT64_C(1) << 63;
    grz_big x = {limb, size, (int32_t)(next_random() % 40) - 20, next_random() & 1 ? 1 : -1};
    assert_normal(x);
    big_to_mpz(exact, x, 20);
    int64_t exponent;
    const double m = grz_big_to_double(x, &exponent);
    assert_true(fabs(m) >= 0.5 && fabs(m) <= 1);
    assert_int_equal(exponent, (int64_t)mpz_sizeinbase(exact, 2) - 64 * 20);
    assert_true(m == nearest_double(exact, -(long)mpz_sizeinbase(exact, 2)));
  }
  mpz_clear(exact);
}

TEST(conversion_rounds_ties_to_even) {
  for (int zeros = 0; zeros < 64; zeros++)
    for (uint64_t odd = 0; odd < 2; odd++)
      for (uint64_t sticky = 0; sticky < 2; sticky++) {
        grz_arena arena = fresh_arena();
        grz_big one = grz_big_of(&arena, ldexp(1.0, 63 - zeros));
        grz_big x = grz_big_add(&arena, one, grz_big_of(&arena, ldexp((double)(2 * odd + 1), 10 - zeros)));
        if (sticky) x = grz_big_add(&arena, x, grz_big_of(&arena, 0x1p-900));
        int64_t exponent;
        double m = grz_big_to_double(x, &exponent), up = (double)(odd + (odd | sticky));
        assert_true(m == 0.5 + up * 0x1p-53);
        assert_int_equal(exponent, 64 - zeros);
      }
  grz_arena arena = fresh_arena();
  grz_big all = {(const uint64_t[]){UINT64_MAX}, 1, 0, 1};
  int64_t exponent;
  assert_true(grz_big_to_double(all, &exponent) == 1.0);
  assert_int_equal(exponent, 64);
  assert_true(grz_big_to_double(grz_big_zero(), &exponent) == 0.0);
  assert_true(grz_big_to_double(grz_big_of(&arena, -0x1.3p-1030), &exponent) == -0x1.3p-1);
}

static grz_bvec random_vec(grz_arena *arena) {
  const double x = random_double(), y = random_double(), z = random_double();
  return grz_bvec_of(arena, (graze_vec){x, y, z});
}

/* A product in the wrong place or with the wrong sign breaks one of these identities. */
TEST(vector_identities_hold) {
  state = seed_of;
  for (int round = 0; round < 3000; round++) {
    grz_arena arena = fresh_arena();
    const grz_bvec u = random_vec(&arena), v = random_vec(&arena), w = random_vec(&arena);
    size_t mark = arena.used;
    grz_bvec c = grz_bvec_cross(&arena, u, v);
    assert_true(arena.used <= mark + (size_t)(c.x.size + c.y.size + c.z.size) + 3);
    assert_int_equal(grz_bvec_dot(&arena, c, u).sign, 0);
    assert_int_equal(grz_bvec_dot(&arena, c, v).sign, 0);
    /* (u×v)·(u×v) = (u·u)(v·v) - (u·v)² */
    grz_big uu = grz_bvec_dot(&arena, u, u), vv = grz_bvec_dot(&arena, v, v), uv = grz_bvec_dot(&arena, u, v);
    grz_big right = grz_big_sub(&arena, grz_big_mul(&arena, uu, vv), grz_big_mul(&arena, uv, uv));
    assert_int_equal(grz_big_compare(grz_bvec_dot(&arena, c, c), right), 0);
    grz_big det = grz_bvec_det(&arena, u, v, w);
    assert_int_equal(grz_big_compare(det, grz_bvec_det(&arena, v, w, u)), 0);
    assert_int_equal(grz_big_compare(det, grz_big_neg(grz_bvec_det(&arena, v, u, w))), 0);
    grz_bvec sum = grz_bvec_sub(&arena, grz_bvec_add(&arena, u, v), v);
    assert_true(grz_bvec_is_zero(grz_bvec_sub(&arena, sum, u)));
    grz_bvec twice = grz_bvec_scale(&arena, u, grz_big_of(&arena, 2));
    assert_true(grz_bvec_is_zero(grz_bvec_sub(&arena, twice, grz_bvec_add(&arena, u, u))));
    assert_false(arena.full);
  }
  grz_arena arena = fresh_arena();
  grz_bvec x = grz_bvec_of(&arena, (graze_vec){1, 0, 0}), y = grz_bvec_of(&arena, (graze_vec){0, 1, 0});
  assert_int_equal(grz_bvec_cross(&arena, x, y).z.sign, 1);
}
