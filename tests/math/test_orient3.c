/* grz_orient3() and its filter against rational arithmetic: points of all magnitudes; on planes, and an ulp beside
 * them; spans of magnitudes on either side of what fixed whole numbers hold. */

#include "support/test.h"
#include "support/random.h"

#include <gmp.h>

#include "math/orient.h"
#include "math/wide.h"
#include "support/tier.h"

static const uint64_t seed_of = 0xa4093822299f31d0u;
static uint64_t state;
static int signs[3], fitting[2];

static uint64_t next_random(void) { return rng_bits(&state); }

static void set_difference(mpq_t out, double x, double y) {
  mpq_t t;
  mpq_init(t);
  mpq_set_d(out, x);
  mpq_set_d(t, y);
  mpq_sub(out, out, t);
  mpq_clear(t);
}

/* out = ((b - a) × (c - a))·(d - a) */
static void true_det(mpq_t out, graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  const graze_vec from[3] = {b, c, d};
  mpq_t m[9], t;
  mpq_init(t);
  for (int i = 0; i < 9; i++) mpq_init(m[i]);
  for (int i = 0; i < 3; i++) {
    set_difference(m[3 * i], from[i].x, a.x);
    set_difference(m[3 * i + 1], from[i].y, a.y);
    set_difference(m[3 * i + 2], from[i].z, a.z);
  }
  mpq_set_ui(out, 0, 1);
  for (int i = 0; i < 3; i++) {
    for (int odd = 0; odd < 2; odd++) {
      mpq_mul(t, m[i], m[3 + (i + 1 + odd) % 3]);
      mpq_mul(t, t, m[6 + (i + 2 - odd) % 3]);
      if (odd) mpq_neg(t, t);
      mpq_add(out, out, t);
    }
  }
  for (int i = 0; i < 9; i++) mpq_clear(m[i]);
  mpq_clear(t);
}

static void check(const graze_vec p[4]) {
  mpq_t det;
  mpq_init(det);
  true_det(det, p[0], p[1], p[2], p[3]);
  int sign = mpq_sgn(det);
  mpq_clear(det);
  signs[sign + 1]++;
  wide_range range = wide_nothing();
  for (int i = 0; i < 4; i++) wide_meet(&range, p[i]);
  fitting[wide_fits(range)]++;
  if (grz_orient3(p[0], p[1], p[2], p[3]) != sign || grz_orient3(p[1], p[0], p[2], p[3]) != -sign ||
      grz_orient3(p[3], p[2], p[1], p[0]) != sign || grz_orient3(p[0], p[3], p[1], p[2]) != sign)
    fail_msg("(%a, %a, %a) (%a, %a, %a) (%a, %a, %a) (%a, %a, %a): %d", p[0].x, p[0].y, p[0].z, p[1].x, p[1].y, p[1].z,
             p[2].x, p[2].y, p[2].z, p[3].x, p[3].y, p[3].z, sign);
}

static double random_number(int low, int high) {
  uint64_t r = next_random();
  double mantissa = (double)(r >> 12) * 0x1p-52 + 1;
  int exponent = low + (int)(next_random() % (uint64_t)(high - low + 1));
  return ldexp(r & 1 ? -mantissa : mantissa, exponent);
}

static graze_vec random_point(int low, int high) {
  graze_vec p = {random_number(low, high), random_number(low, high), random_number(low, high)};
  return p;
}

static double whole(int most) { return (double)(next_random() % (uint64_t)(2 * most + 1)) - most; }

static int seed(void **unused) {
  (void)unused;
  state = seed_of;
  return 0;
}

TEST_WITH(test_random, seed, NULL) {
  for (int i = 0; i < tiered(20000, 20000, 200000); i++) {
    int low = i % 3 == 0 ? -1074 : i % 3 == 1 ? -2 : -1074, high = i % 3 == 2 ? -1000 : i % 3 == 1 ? 2 : 131;
    graze_vec p[4];
    for (int k = 0; k < 4; k++) p[k] = random_point(low, high);
    check(p);
  }
}

/* Short integer steps along two directions stay in their plane exactly; an ulp takes a point off. Of every size, near
 * the origin and far from it; with one coordinate of another size, so that they fit fixed numbers or not. */
TEST_WITH(test_planes, seed, NULL) {
  signs[0] = signs[1] = signs[2] = fitting[0] = fitting[1] = 0;
  for (int i = 0; i < tiered(40000, 40000, 400000); i++) {
    int scale = 80 - (int)(next_random() % 1100);
    double unit = ldexp(1, scale < -1074 ? -1074 : scale), far = i % 2 ? 0x1p40 : 0;
    double other = ldexp(unit, i % 3 ? 0 : scale > 0 ? -90 : 90);
    graze_vec u = {whole(1000), whole(1000), whole(1000)}, v = {whole(1000), whole(1000), whole(1000)}, p[4];
    for (int k = 0; k < 4; k++) {
      double s = whole(500), t = whole(500);
      p[k].x = (far + s * u.x + t * v.x) * unit;
      p[k].y = (far + s * u.y + t * v.y) * unit;
      p[k].z = (s * u.z + t * v.z) * other;
    }
    check(p);
    double *c = i % 5 == 0 ? &p[i % 4].x : i % 5 == 1 ? &p[i % 4].y : &p[i % 4].z;
    *c = nextafter(*c, i & 8 ? INFINITY : -INFINITY);
    check(p);
  }
  for (int k = 0; k < 3; k++) assert_true(signs[k] > 8000); /* the sample shows all three … */
  assert_true(fitting[0] > 8000 && fitting[1] > 8000);      /* … and both kinds of exact numbers */
}

/* Just within, and just beyond, what fixed numbers hold; and largest numbers of all signs, for carries. */
TEST_WITH(test_spreads, seed, NULL) {
  fitting[0] = fitting[1] = 0;
  for (int i = 0; i < tiered(20000, 20000, 200000); i++) {
    int spread = 66 + i % 9, low = -60 - (int)(next_random() % 900);
    graze_vec p[4];
    for (int k = 0; k < 4; k++) p[k] = random_point(low, low + (k % 2 ? 2 : spread));
    p[0].x = ldexp(0x1.fffffffffffffp0, low + spread), p[1].y = ldexp(1, low);
    if (i % 3 == 0) p[3] = p[1]; /* 0 */
    if (i % 3 == 1) p[2].x = p[1].x = -p[0].x, p[3].x = -p[0].x;
    check(p);
  }
  assert_true(fitting[0] > 4000 && fitting[1] > 4000);
  static const double values[] = {0,      0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp-1022, 1, -1, 0x1.0000000000001p0,
                                  1e-200, 1e40,      -1e40};
  for (int i = 0; i < tiered(20000, 20000, 200000); i++) {
    graze_vec p[4];
    for (int k = 0; k < 4; k++) {
      uint64_t r = next_random();
      p[k] = (graze_vec){values[r % 10], values[(r >> 20) % 10], values[(r >> 40) % 10]};
    }
    check(p);
  }
}

/* The filter's error is no less than what normal·(d - a) is off by; and not much more than need be. */
TEST_WITH(test_filter, seed, NULL) {
  double worst = 0;
  mpq_t det, error;
  mpq_init(det), mpq_init(error);
  for (int i = 0; i < 60000; i++) {
    int low = i % 4 == 0 ? -700 : i % 4 == 1 ? -1074 : -1, high = i % 4 == 0 ? -300 : i % 4 == 1 ? 131 : 1;
    graze_vec a = random_point(low, high), b = random_point(low, high), c = random_point(low, high);
    graze_vec d = random_point(low, high);
    if (i % 4 == 3) { /* nearly in the plane */
      double s = random_number(-3, 1), t = random_number(-3, 1);
      d.x = a.x + s * (b.x - a.x) + t * (c.x - a.x);
      d.y = a.y + s * (b.y - a.y) + t * (c.y - a.y);
      d.z = a.z + s * (b.z - a.z) + t * (c.z - a.z);
    }
    graze_vec w = {d.x - a.x, d.y - a.y, d.z - a.z};
    graze_vec reach = {fabs(w.x), fabs(w.y), fabs(w.z)};
    grz_plane_filter filter = grz_orient3_filter(a, b, c, reach);
    double height = (filter.normal.x * w.x + filter.normal.y * w.y) + filter.normal.z * w.z;
    true_det(det, a, b, c, d);
    mpq_set_d(error, height);
    mpq_sub(error, error, det);
    mpq_abs(error, error);
    mpq_set_d(det, filter.error);
    if (mpq_cmp(error, det) > 0)
      fail_msg("(%a, %a, %a) (%a, %a, %a) (%a, %a, %a) (%a, %a, %a): the filter errs", a.x, a.y, a.z, b.x, b.y, b.z,
               c.x, c.y, c.z, d.x, d.y, d.z);
    mpq_div(error, error, det);
    if (mpq_get_d(error) > worst) worst = mpq_get_d(error);
  }
  mpq_clear(det), mpq_clear(error);
  if (worst < 0.15) fail_msg("the filter's error is never more than %g of its bound", worst);
}
