/* grz_turn() against rational arithmetic: random triples of all magnitudes, and triples on or an ulp beside one line.
 * */

#include "support/test.h"
#include "support/random.h"

#include <gmp.h>

#include "math/orient.h"

static const uint64_t seed_of = 0x13198a2e03707344u;
static uint64_t state;
static int signs[3];

static uint64_t next_random(void) { return rng_bits(&state); }

static int true_turn(graze_vec a, graze_vec b, graze_vec c) {
  mpq_t t[6];
  const double values[6] = {b.x, a.x, c.y, b.y, b.y, a.y};
  for (int i = 0; i < 6; i++) mpq_init(t[i]), mpq_set_d(t[i], values[i]);
  mpq_sub(t[0], t[0], t[1]); /* (b.x - a.x)(c.y - b.y) */
  mpq_sub(t[2], t[2], t[3]);
  mpq_mul(t[0], t[0], t[2]);
  mpq_sub(t[4], t[4], t[5]); /* (b.y - a.y)(c.x - b.x) */
  mpq_set_d(t[1], c.x);
  mpq_set_d(t[2], b.x);
  mpq_sub(t[1], t[1], t[2]);
  mpq_mul(t[4], t[4], t[1]);
  int sign = mpq_cmp(t[0], t[4]);
  for (int i = 0; i < 6; i++) mpq_clear(t[i]);
  return (sign > 0) - (sign < 0);
}

static void check_turn(graze_vec a, graze_vec b, graze_vec c) {
  int turn = true_turn(a, b, c);
  signs[turn + 1]++;
  if (grz_turn(a, b, c) != turn || grz_turn(b, c, a) != turn || grz_turn(c, b, a) != -turn)
    fail_msg("(%a, %a) (%a, %a) (%a, %a) turn by %d", a.x, a.y, b.x, b.y, c.x, c.y, turn);
}

static double random_number(int low, int high) {
  uint64_t r = next_random();
  double mantissa = (double)(r >> 12) * 0x1p-52 + 1;
  int exponent = low + (int)(next_random() % (uint64_t)(high - low + 1));
  return ldexp(r & 1 ? -mantissa : mantissa, exponent);
}

static graze_vec random_point(int low, int high) {
  graze_vec p = {0, 0, 0};
  p.x = random_number(low, high);
  p.y = random_number(low, high);
  return p;
}

static double step(double x) { return nextafter(x, next_random() & 1 ? INFINITY : -INFINITY); }

static int seed(void **unused) {
  (void)unused;
  state = seed_of;
  return 0;
}

TEST_WITH(test_random, seed, NULL) {
  for (int i = 0; i < 60000; i++) {
    int low = i % 3 == 0 ? -1074 : i % 3 == 1 ? -2 : -1074, high = i % 3 == 2 ? -1000 : i % 3 == 1 ? 2 : 131;
    graze_vec a = random_point(low, high), b = random_point(low, high), c = random_point(low, high);
    check_turn(a, b, c);
  }
}

/* Short integer steps from a far point keep a triple on its line exactly; one ulp takes it off. */
TEST_WITH(test_lines, seed, NULL) {
  signs[0] = signs[1] = signs[2] = 0;
  for (int i = 0; i < 60000; i++) {
    int scale = -(int)(next_random() % 1100) + 80;
    double unit = ldexp(1, scale < -1074 ? -1074 : scale), far = i % 2 ? 0x1p40 : 0;
    double dx = (double)(next_random() % 2001) - 1000, dy = (double)(next_random() % 2001) - 1000;
    graze_vec p[3];
    for (int k = 0; k < 3; k++) {
      double t = (double)(next_random() % 1001) - 500;
      p[k] = (graze_vec){(far + t * dx) * unit, (far + t * dy) * unit, 0};
    }
    check_turn(p[0], p[1], p[2]);
    int k = (int)(next_random() % 3);
    if (i % 4 < 2) p[k].x = step(p[k].x);
    if (i % 4 > 0) p[k].y = step(p[k].y);
    check_turn(p[0], p[1], p[2]);
  }
  for (int k = 0; k < 3; k++) assert_true(signs[k] > 10000); /* the sample shows all three */
}

/* The widest span of magnitudes: the longest exact numbers. */
TEST_WITH(test_extremes, seed, NULL) {
  static const double values[] = {0,       0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp-1022, 1, -1, 0x1.0000000000001p0,
                                  -1e-200, 1e40,      -1e40,      0x1.fffffffffffffp131};
  enum { COUNT = sizeof values / sizeof *values };
  for (int i = 0; i < 60000; i++) {
    graze_vec p[3];
    for (int k = 0; k < 3; k++) {
      uint64_t r = next_random();
      p[k] = (graze_vec){values[r % COUNT], values[(r >> 32) % COUNT], 0};
    }
    check_turn(p[0], p[1], p[2]);
  }
  graze_vec a = {-0x1p-1074, -0x1p-1074, 0}, b = {1e40, 1e40, 0}, c = {0x1p-1074, 0, 0};
  check_turn(a, b, c);
}

/* Full mantissas on a line through nowhere in particular: every difference and product is rounded. */
TEST_WITH(test_rounded_lines, seed, NULL) {
  for (int i = 0; i < 100000; i++) {
    graze_vec p[3], from = random_point(-1, 1), along = random_point(-1, 1);
    for (int k = 0; k < 3; k++) {
      double t = random_number(-3, 3);
      p[k] = (graze_vec){from.x + t * along.x, from.y + t * along.y, 0};
    }
    check_turn(p[0], p[1], p[2]);
  }
}

/* Rounded differences whose products fall on either side of half the least subnormal: without its absolute part the
 * filter would see -2^-1074 where the truth is positive. */
TEST(test_underflow) {
  graze_vec a = {-0x1p-500, -0x1p-500 - 0x1p-552, 0}, b = {0x1p-553, -0x1p-575, 0};
  graze_vec c = {0x1p-553 + 0x1p-575, 0x1p-628, 0};
  assert_int_equal(true_turn(a, b, c), 1);
  check_turn(a, b, c);
}
