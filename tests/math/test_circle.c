/* grz_in_circle() against whole numbers of any size: random points of all magnitudes, points of one circle and an ulp
 * beside it, and the longest exact numbers. Seeds: stated at each test. */

#include "support/test.h"
#include "support/random.h"
#include "build/rings.h"
#include "build/tiling.h"
#include "math/circle.h"

static int signs[3];

static void check(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  int side = tiling_in_circle(a, b, c, d);
  signs[side + 1]++;
  if (grz_in_circle(a, b, c, d) != side || grz_in_circle(b, c, a, d) != side || grz_in_circle(b, a, c, d) != -side ||
      grz_in_circle(a, b, d, c) != -side)
    fail_msg("(%a, %a) (%a, %a) (%a, %a) (%a, %a): %d", a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y, side);
}

static double number(uint64_t *seed, int low, int high) {
  double m = (1 + rng_uniform(seed, 0, 1)) * (rng_index(seed, 2) ? 1 : -1);
  return ldexp(m, low + rng_below(seed, (size_t)(high - low + 1)));
}

static graze_vec point(uint64_t *seed, int low, int high) {
  double x = number(seed, low, high);
  return (graze_vec){x, number(seed, low, high), 0};
}

static double step(double x, uint64_t *seed) { return nextafter(x, rng_index(seed, 2) ? INFINITY : -INFINITY); }

/* Seed 1. */
TEST(test_random) {
  static const int ranges[][2] = {{-2, 2}, {-1074, 131}, {-1074, -1000}, {-290, -230}, {-200, -190}, {100, 131}};
  uint64_t seed = 1;
  for (int i = 0; i < 24000; i++) {
    const int *r = ranges[i % 6];
    graze_vec p[4];
    for (int k = 0; k < 4; k++) p[k] = point(&seed, r[0], r[1]);
    check(p[0], p[1], p[2], p[3]);
  }
}

/* Corners of rectangles, and the twelve lattice points of a circle of radius 5, on far lattices; an ulp takes them off.
 * Seed 2. */
TEST(test_circles) {
  static const int8_t twelve[12][2] = {{5, 0},  {4, 3},   {3, 4},   {0, 5},  {-3, 4}, {-4, 3},
                                       {-5, 0}, {-4, -3}, {-3, -4}, {0, -5}, {3, -4}, {4, -3}};
  uint64_t seed = 2;
  signs[0] = signs[1] = signs[2] = 0;
  for (int i = 0; i < 24000; i++) {
    double unit = ldexp(1, rng_below(&seed, 1100) - 1010), far = i % 3 == 0 ? 0x1p40 : i % 3 == 1 ? 100 : 0;
    graze_vec p[4];
    size_t at = rng_index(&seed, 12);
    for (int k = 0; k < 4; k++) {
      const int8_t *q = twelve[(at + 3 * (size_t)k + rng_index(&seed, 3)) % 12];
      p[k] = (graze_vec){(far + q[0]) * unit, (far - q[1]) * unit, 0};
    }
    check(p[0], p[1], p[2], p[3]);
    graze_vec *moved = &p[rng_index(&seed, 4)];
    if (i % 2) moved->x = step(moved->x, &seed);
    if (i % 2 == 0 || i % 5 == 0) moved->y = step(moved->y, &seed);
    check(p[0], p[1], p[2], p[3]);
  }
  for (int k = 0; k < 3; k++) assert_true(signs[k] > 8000);
}

/* Full mantissas near one circle: everything is rounded. Seed 3. */
TEST(test_rounded) {
  uint64_t seed = 3;
  for (int i = 0; i < 30000; i++) {
    graze_vec p[4], o = point(&seed, -3, 3);
    double radius = number(&seed, -40, 1);
    for (int k = 0; k < 4; k++) {
      double angle = 6.3 * rng_uniform(&seed, 0, 1);
      p[k] = (graze_vec){o.x + radius * cos(angle), o.y + radius * sin(angle), 0};
    }
    check(p[0], p[1], p[2], p[3]);
  }
}

/* The widest span of magnitudes. Seed 4. */
TEST(test_extremes) {
  static const double values[] = {
      0,       0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp-1022, 1,    -1, 0x1.0000000000001p0,
      -1e-200, 1e40,      -1e40,      0x1.fffffffffffffp131,   3e-40};
  uint64_t seed = 4;
  for (int i = 0; i < 20000; i++) {
    graze_vec p[4];
    for (int k = 0; k < 4; k++) p[k] = (graze_vec){values[rng_index(&seed, 12)], values[rng_index(&seed, 12)], 0};
    check(p[0], p[1], p[2], p[3]);
  }
}
