/* Least depths along a ring or in all directions: bodies of revolution on one axis, and ellipsoids that are nearly
 * balls, asked plainly, where no surface is fine enough and src/cso/coaxial.c and src/cso/summand.c answer. Closed
 * forms, all scales, axes that differ by nothing, by less than rounding, by less than the tolerance, and by more. Seeds
 * below. */
#include "support/test.h"

#include <graze/graze.h>

static uint64_t state;

static double uniform(double low, double high) { /* splitmix64 (Steele, Lea, Flood 2014) */
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return low + (high - low) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static graze_vec turned(const graze_placed *by, graze_vec v) { /* the rotation of a placed body */
  const double *r = by->rotation;
  graze_vec x = {r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
                 r[6] * v.x + r[7] * v.y + r[8] * v.z};
  return x;
}

static graze_shape first, second;
static double truth, size; /* the depth, and what widths are measured by */

/* A cylinder, and a sphere or a cylinder beside its axis: the depth of a point in a cylinder, and the rest. */
static graze_vec in_a_cylinder(double s, double aside) {
  double radius = s * uniform(0.5, 1), half = s * uniform(2, 3), rest = s * uniform(0.2, 0.5),
         along = s * uniform(-1, 1);
  bool ball = uniform(0, 1) < 0.5;
  first = graze_cylinder(radius, half);
  second = ball ? graze_sphere(rest) : graze_cylinder(rest, s);
  double out = aside * radius;
  truth = ball ? rest + fmin(radius - out, half - fabs(along)) : fmin(radius + rest - out, half + s - fabs(along));
  size = hypot(radius, half);
  return (graze_vec){out, 0, along};
}

/* Two ellipsoids that are balls. */
static graze_vec balls(double s, double aside) {
  double one = s * uniform(0.5, 1), other = s * uniform(0.5, 1), out = aside * s;
  first = graze_ellipsoid(one, one, one), second = graze_ellipsoid(other, other, other);
  truth = one + other - out, size = fmax(one, other);
  return (graze_vec){out, 0, 0};
}

/* Spheroids on one axis: flat ones are least deep along it, long ones all around. */
static graze_vec spheroids(double s, double aside) {
  double radius = s * uniform(0.5, 1), half = radius * uniform(1.5, 2), rest = s * uniform(0.1, 0.3);
  (void)aside;
  first = graze_ellipsoid(radius, radius, half), second = graze_sphere(rest);
  truth = radius + rest, size = half;
  return (graze_vec){0, 0, 0};
}

/* How many of `rounds` were as narrow as promised and whole. */
static int ask(graze_vec (*pair)(double, double), double scale, double aside, int rounds, double slack) {
  int narrow = 0;
  for (int i = 0; i < rounds; i++) {
    graze_vec offset = pair(scale, aside);
    graze_pose pose =
        graze_pose3((graze_vec){scale, -scale, scale / 2}, uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), 1);
    graze_placed a = graze_place(&first, pose);
    offset = turned(&a, offset);
    pose.position.x += offset.x, pose.position.y += offset.y, pose.position.z += offset.z;
    graze_placed b = graze_place(&second, pose);
    graze_answer x;
    assert_int_equal(graze_distance(&a, &b, NULL, &x), GRAZE_OK);
    assert_int_equal(x.relation, GRAZE_OVERLAPPING);
    if (!(x.lower <= -truth + slack * size && x.upper >= -truth - slack * size))
      fail_msg("scale %g, aside %g: depth %.17g, not in [%.17g, %.17g]", scale, aside, truth, -x.upper, -x.lower);
    assert_int_not_equal(graze_verify(&a, &b, NULL, &x), GRAZE_REFUTED);
    narrow += x.stopped == GRAZE_STOP_NONE && x.upper - x.lower <= 1e-9 * fmax(truth, size);
  }
  return narrow;
}

static const double scales[] = {1e-260, 1e-230, 1e-200, 1e-162, 1e-150, 1e-30, 1, 1e20, 1e39};
enum { SCALES = sizeof scales / sizeof *scales, ROUNDS = 20 };

TEST(on_the_axis) {
  state = 41;
  for (int i = 0; i < SCALES; i++) {
    assert_int_equal(ask(in_a_cylinder, scales[i], 0, ROUNDS, 1e-14), ROUNDS);
    assert_int_equal(ask(balls, scales[i], 0, ROUNDS, 1e-14), ROUNDS);
    assert_int_equal(ask(spheroids, scales[i], 0, ROUNDS, 1e-14), ROUNDS);
  }
}

TEST(hardly_beside_it) {
  const double aside[] = {1e-16, 1e-15, 1e-13, 1e-12, 1e-11};
  state = 42;
  for (int i = 0; i < SCALES; i++) {
    for (int k = 0; k < 5; k++) {
      assert_int_equal(ask(in_a_cylinder, scales[i], aside[k], ROUNDS, 1e-14), ROUNDS);
      assert_int_equal(ask(balls, scales[i], aside[k], ROUNDS, 1e-14), ROUNDS);
    }
  }
}

/* A tenth of the radius away nothing is shared any more; in between, the workspace may end first. */
TEST(beside_it) {
  state = 43;
  for (int i = 0; i < SCALES; i++) {
    for (double aside = 1e-9; aside < 0.4; aside *= 7) {
      int narrow = ask(in_a_cylinder, scales[i], aside, ROUNDS, 1e-14);
      (void)ask(balls, scales[i], aside, ROUNDS, 1e-14);
      if (aside > 0.1) assert_int_equal(narrow, ROUNDS);
    }
  }
}
