/* Square roots: real_sqrt() and sqrt_by_digits() have the bits of sqrt() of the C library, which rounds correctly. */

#include "support/test.h"
#include "support/random.h"
#include "core/real.h"

enum { RANDOM_NUMBERS = 300000 };

static void assert_root(double x) {
  const uint64_t expected = real_bits(sqrt(x));
  assert_int_equal(real_bits(sqrt_by_digits(x)), expected);
  assert_int_equal(real_bits(real_sqrt(x)), expected);
}

TEST(special_values_have_the_root_of_ieee_754) {
  const double values[] = {0.0, -0.0, INFINITY, 0x1p-1074, 0x1.fffffffffffffp-1023, 0x1p-1022, 0x1.fffffffffffffp+1023,
                           1,   2};
  for (size_t i = 0; i < COUNT(values); i++) assert_root(values[i]);
  const double invalid[] = {-1, -0x1p-1074, -INFINITY, NAN};
  for (size_t i = 0; i < COUNT(invalid); i++) {
    assert_true(isnan(sqrt_by_digits(invalid[i])));
    assert_true(isnan(real_sqrt(invalid[i])));
  }
}

TEST(every_power_of_two_and_its_neighbours_are_correctly_rounded) {
  for (int power = -1074; power <= 1023; power++) {
    const double x = ldexp(1, power);
    assert_root(x);
    assert_root(nextafter(x, 0));
    assert_root(nextafter(x, INFINITY));
  }
}

/* The roots of neighbours of a square of a 53-bit number lie close to that number: these are hard to round. */
TEST(random_numbers_and_squares_are_correctly_rounded) {
  rng random = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < RANDOM_NUMBERS; i++) {
    const uint64_t bits = rng_bits(&random);
    const double x = real_of_bits(bits >> 1);
    if (x - x == 0) assert_root(x);
    const double root = 1 + (double)(bits >> 12) * 0x1p-52, square = root * root;
    assert_root(square);
    assert_root(nextafter(square, 0));
    assert_root(nextafter(square, INFINITY));
  }
}
