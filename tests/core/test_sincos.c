/* graze_half_angle() against MPFR: the error is at most 0.51 ulp. The angles have all magnitudes, lie near multiples of
 * pi/2, or cancel most in the argument reduction. A golden hash checks that all platforms compute the same bits. */

#include "support/test.h"
#include "support/random.h"

#include <gmp.h>
#include <mpfr.h>

#include <graze/graze.h>

enum { PRECISION = 300, TRIALS = 200000 };
static const uint64_t seed_of = 0x243f6a8885a308d3u;
static uint64_t state;
static mpfr_t half, exact, error; /* each with PRECISION bits */
static double worst;

/* |value - exact| in ulps of exact, which is not zero. */
static double ulps(double value) {
  long exponent = (long)mpfr_get_exp(exact) - 53; /* of the last place; MPFR mantissas are in [0.5, 1) */
  if (exponent < -1074) exponent = -1074;
  mpfr_sub_d(error, exact, value, MPFR_RNDA);
  mpfr_div_2si(error, error, exponent, MPFR_RNDA);
  return fabs(mpfr_get_d(error, MPFR_RNDA));
}

static void check_angle(double angle) {
  double w, z, errors[2];
  graze_half_angle(angle, &w, &z);
  mpfr_set_d(half, angle, MPFR_RNDN);
  mpfr_div_2ui(half, half, 1, MPFR_RNDN);
  mpfr_cos(exact, half, MPFR_RNDN);
  errors[0] = ulps(w);
  mpfr_sin(exact, half, MPFR_RNDN);
  errors[1] = mpfr_zero_p(exact) ? fabs(z) : ulps(z);
  for (int i = 0; i < 2; i++) {
    if (!(errors[i] <= 0.51)) fail_msg("angle %a: %s is off by %g ulp", angle, i == 0 ? "w" : "z", errors[i]);
    if (errors[i] > worst) worst = errors[i];
  }
  double mirrored_w, mirrored_z;
  graze_half_angle(-angle, &mirrored_w, &mirrored_z);
  assert_true(mirrored_w == w && mirrored_z == -z);
}

/* Checks the angle and three neighbours on each side. */
static void check_near(double angle) {
  double up = angle, down = angle;
  check_angle(angle);
  for (int i = 0; i < 3; i++) {
    up = nextafter(up, INFINITY);
    down = nextafter(down, -INFINITY);
    if (fabs(up) <= GRAZE_LARGEST) check_angle(up);
    if (fabs(down) <= GRAZE_LARGEST) check_angle(down);
  }
}

static double random_angle(void) {
  uint64_t r = rng_bits(&state);
  double mantissa = 1 + (double)(r >> 12) * 0x1p-52;
  uint64_t kind = rng_bits(&state);
  int exponent = kind % 8 == 0  ? (int)((kind >> 8) % 1207) - 1074 /* all accepted magnitudes */
                 : kind % 8 < 4 ? (int)((kind >> 8) % 160) - 28    /* all that are reduced */
                                : (int)((kind >> 8) % 12) - 6;     /* common angles */
  double angle = ldexp(kind >> 63 ? -mantissa : mantissa, exponent);
  return fabs(angle) <= GRAZE_LARGEST ? angle : GRAZE_LARGEST;
}

static int make_numbers(void **unused) {
  (void)unused;
  state = seed_of;
  worst = 0;
  mpfr_inits2(PRECISION, half, exact, error, (mpfr_ptr)NULL);
  return 0;
}

static int free_numbers(void **unused) {
  (void)unused;
  print_message("worst error: %.6f ulp\n", worst);
  mpfr_clears(half, exact, error, (mpfr_ptr)NULL);
  return 0;
}

TEST_WITH(random_angles_are_within_0_51_ulp, make_numbers, free_numbers) {
  for (int i = 0; i < TRIALS; i++) check_angle(random_angle());
}

TEST_WITH(special_angles_zero_and_invalid_angles, make_numbers, free_numbers) {
  static const double angles[] = {
      0x1p-1074, 0x3p-1074, 0x1p-1022,    0x1.fffffffffffffp-1023, 0x1.8p-27, 0x1p-26, 0x1p-25, 0x1p-13, 0.5, 1, 2, 3,
      1e10,      1e22,      GRAZE_LARGEST};
  for (size_t i = 0; i < COUNT(angles); i++) check_near(angles[i]);
  double w, z;
  graze_half_angle(0, &w, &z);
  assert_true(w == 1 && z == 0 && !signbit(z));
  graze_half_angle(-0.0, &w, &z);
  assert_true(w == 1 && z == 0 && signbit(z));
  static const double invalid[] = {NAN, INFINITY, -INFINITY, 0x1.d6329f1c35ca6p132, -1e300};
  for (size_t i = 0; i < COUNT(invalid); i++) {
    w = z = 0;
    graze_half_angle(invalid[i], &w, &z);
    assert_true(isnan(w) && isnan(z));
  }
}

/* All small multiples of pi/4, then random ones up to the largest angle. */
TEST_WITH(angles_near_multiples_of_a_quarter_pi, make_numbers, free_numbers) {
  mpfr_t pi, multiple;
  mpfr_inits2(PRECISION, pi, multiple, (mpfr_ptr)NULL);
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_div_2ui(pi, pi, 2, MPFR_RNDN);
  for (int i = 1; i <= 6000; i++) {
    uint64_t r = rng_bits(&state);
    double k = i <= 1000 ? i : ldexp((double)(r >> 11), (int)(r % 132) - 52);
    mpfr_mul_d(multiple, pi, floor(k), MPFR_RNDN);
    double angle = mpfr_get_d(multiple, MPFR_RNDN);
    if (angle > 0 && angle <= GRAZE_LARGEST) check_near(angle);
  }
  mpfr_clears(pi, multiple, (mpfr_ptr)NULL);
}

/* Checks the angles m·2^e, m < 2^53, where m is the denominator of a convergent p/m of x = 2^e/pi. The double nearest
 * to a multiple of pi is one of them. *least: the least distance to a multiple, in units of pi. Returns their number.
 */
static int check_convergents(int e, mpq_t least) {
  mpq_t x, rest, distance;
  mpz_t whole, p0, q0, p, q;
  mpq_inits(x, rest, distance, NULL);
  mpz_inits(whole, p0, q0, p, q, NULL);
  mpfr_const_pi(half, MPFR_RNDN);
  mpfr_ui_div(half, 1, half, MPFR_RNDN);
  mpfr_mul_2si(half, half, e, MPFR_RNDN);
  mpfr_get_q(x, half);
  mpq_set(rest, x);
  mpz_set_ui(q0, 1);
  mpz_set_ui(p, 1);
  int count = 0;
  for (;;) {
    mpz_fdiv_q(whole, mpq_numref(rest), mpq_denref(rest));
    mpz_addmul(p0, whole, p);
    mpz_addmul(q0, whole, q);
    mpz_swap(p0, p);
    mpz_swap(q0, q);
    if (mpz_sizeinbase(q, 2) > 53) break;
    double angle = ldexp(mpz_get_d(q), e);
    if (mpz_sgn(p) > 0 && angle <= GRAZE_LARGEST) {
      check_near(angle);
      count++;
      mpq_set_z(distance, q);
      mpq_mul(distance, distance, x);
      mpz_submul(mpq_numref(distance), p, mpq_denref(distance));
      mpq_abs(distance, distance);
      if (mpq_cmp(distance, least) < 0) mpq_set(least, distance);
    }
    mpz_submul(mpq_numref(rest), whole, mpq_denref(rest));
    mpq_inv(rest, rest);
  }
  mpz_clears(whole, p0, q0, p, q, NULL);
  mpq_clears(x, rest, distance, NULL);
  return count;
}

/* The argument reduction relies on the bound 3.9e-19: docs/theory/sincos.md. */
TEST_WITH(convergents_of_pi_cancel_no_more_than_assumed, make_numbers, free_numbers) {
  mpq_t least;
  mpq_init(least);
  mpq_set_ui(least, 1, 1);
  int count = 0;
  for (int e = -78; e <= 80; e++) count += check_convergents(e, least);
  print_message("%d hard angles, the nearest %.4g·pi from a multiple of pi\n", count, mpq_get_d(least));
  assert_true(count > 3000);
  assert_true(mpq_get_d(least) > 3.9e-19 && mpq_get_d(least) < 4e-19);
  mpq_clear(least);
}

TEST(bits_match_the_golden_hash) {
  uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a over the bits, byte by byte */
  state = seed_of;
  for (int i = 0; i < 100000; i++) {
    double pair[2];
    unsigned char bytes[sizeof pair];
    graze_half_angle(random_angle(), &pair[0], &pair[1]);
    memcpy(bytes, pair, sizeof pair);
    for (size_t k = 0; k < sizeof bytes; k++) hash = (hash ^ bytes[k]) * 0x100000001b3u;
  }
  if (hash != 0xf8476f023d8558abu) fail_msg("the bits have the hash 0x%016llx", (unsigned long long)hash);
}
