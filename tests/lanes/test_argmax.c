/* Every width of grz_argmax() against a plain loop: same index, ties to the first, all counts around the block sizes.
 */
#include "support/test.h"
#include "support/random.h"
#include "lanes/argmax.h"
#include "math/vec.h"

enum { MOST = 200 };

static uint64_t state;

static uint64_t next(void) { return rng_bits(&state); }

static size_t plain(const graze_vec *v, size_t count, graze_vec d) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++) {
    if (vec_dot(v[i], d) > vec_dot(v[best], d)) best = i;
  }
  return best;
}

static void check_widths(const graze_vec *v, size_t count, graze_vec d) {
  size_t expected = plain(v, count, d);
  for (int lanes = 1; lanes <= 8; lanes *= 2) {
    if (lanes != 2 && grz_lanes_supported(lanes)) assert_int_equal(grz_argmax_lanes(lanes, v, count, d), expected);
  }
  assert_int_equal(grz_argmax(v, count, d), expected);
}

/* Coordinates on a small lattice make ties common; seed 1. */
TEST(test_lattice) {
  state = 1;
  long ties = 0, cases = 0;
  for (size_t count = 1; count <= MOST; count++) {
    for (int repeat = 0; repeat < 50; repeat++) {
      graze_vec v[MOST], d = {(double)(next() % 5) - 2, (double)(next() % 5) - 2, (double)(next() % 5) - 2};
      for (size_t i = 0; i < count; i++) {
        v[i] = vec_make((double)(next() % 7) - 3, (double)(next() % 7) - 3, (double)(next() % 7) - 3);
      }
      check_widths(v, count, d);
      size_t best = plain(v, count, d);
      for (size_t i = best + 1; i < count; i++) {
        if (vec_dot(v[i], d) == vec_dot(v[best], d)) {
          ties++;
          break;
        }
      }
      cases++;
    }
  }
  assert_true(ties > cases / 2); /* or the test would not be about ties */
}

/* Generic coordinates and directions of all magnitudes; seed 2. */
TEST(test_generic) {
  state = 2;
  for (size_t count = 1; count <= MOST; count++) {
    for (int repeat = 0; repeat < 20; repeat++) {
      graze_vec v[MOST], d;
      double scale = repeat % 2 ? 1e-30 : 1e30;
      d = vec_make((double)next() * 0x1p-63 - 1, (double)next() * 0x1p-63 - 1, (double)next() * 0x1p-63 - 1);
      for (size_t i = 0; i < count; i++) {
        v[i] = vec_make(scale * ((double)next() * 0x1p-63 - 1), (double)next() * 0x1p-63 - 1,
                        (double)next() * 0x1p-63 - 1);
      }
      check_widths(v, count, d);
    }
  }
}
