/* Every width of grz_argmax() against a plain loop: it returns the same index, and on ties the first one. The counts
 * cover all remainders of the block sizes. */
#include "support/geometry.h"
#include "support/random.h"
#include "support/test.h"
#include "simd/argmax.h"

enum { MOST = 200 };

/* Checks all widths. Returns true if the maximum is a tie. */
static bool check_widths(const graze_vec *v, size_t count, graze_vec d) {
  size_t best = 0;
  bool tie = false;
  for (size_t i = 1; i < count; i++) {
    tie = dot(v[i], d) == dot(v[best], d) || (tie && dot(v[i], d) < dot(v[best], d));
    if (dot(v[i], d) > dot(v[best], d)) best = i;
  }
  for (int width = 1; width <= 8; width *= 2)
    if (width != 2 && grz_argmax_supported(width)) assert_int_equal(grz_argmax_simd(width, v, count, d), best);
  assert_int_equal(grz_argmax(v, count, d), best);
  return tie;
}

static graze_vec lattice(rng *random, int most) {
  const double x = rng_between(random, -most, most), y = rng_between(random, -most, most);
  return vec(x, y, rng_between(random, -most, most));
}

/* Coordinates on a small lattice make ties common. */
TEST(ties_return_the_first_index) {
  rng random = 1;
  long ties = 0, cases = 0;
  graze_vec v[MOST];
  for (size_t count = 1; count <= MOST; count++)
    for (int repeat = 0; repeat < 50; repeat++) {
      for (size_t i = 0; i < count; i++) v[i] = lattice(&random, 3);
      ties += check_widths(v, count, lattice(&random, 2));
      cases++;
    }
  assert_true(ties > cases / 2); /* otherwise the test hardly tests ties */
}

TEST(random_points_of_all_magnitudes) {
  rng random = 2;
  graze_vec v[MOST];
  for (size_t count = 1; count <= MOST; count++)
    for (int repeat = 0; repeat < 20; repeat++) {
      for (size_t i = 0; i < count; i++) v[i] = rng_vec(&random, 3, 1), v[i].x *= repeat % 2 ? 1e-30 : 1e30;
      (void)check_widths(v, count, rng_vec(&random, 3, 1));
    }
}
