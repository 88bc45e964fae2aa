/* Casts at magnitudes where squares of lengths, rates or times underflow, towards half-spaces that are reached after
 * any time, and lies about when a touch is. docs/theory/cast.md. */

#include "support/test.h"

#include <graze/graze.h>

static graze_vec vec(double x, double y, double z) {
  graze_vec v = {x, y, z};
  return v;
}

typedef struct corner {
  graze_vec at, velocity; /* of A; B is at rest at the origin */
  double t_max;
  graze_motion_result result;
  double t; /* between t_lower and t_upper */
} corner;

static void check_corner(const graze_placed *a, const graze_placed *b, const corner *k) {
  const graze_vec still = {0, 0, 0};
  graze_impact impact;
  assert_int_equal(graze_cast(a, k->velocity, b, still, k->t_max, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, k->result);
  assert_int_equal(graze_verify_cast(a, k->velocity, b, still, k->t_max, NULL, &impact), GRAZE_OK);
  if (k->result != GRAZE_HIT) return;
  assert_true(impact.t_lower <= k->t && k->t <= impact.t_upper);
  assert_true(impact.t_upper - impact.t_lower <= 1e-6 * k->t + 0x1p-1050);
}

/* Squares of lengths and of speeds underflow, or a time does. */
TEST(test_points) {
  static const corner corners[] = {
      {{-0x1p-600, 0, 0}, {1, 0, 0}, 1, GRAZE_HIT, 0x1p-600},
      {{-0x1p-600, -0x1p-601, 0}, {1, 0.5, 0}, 1, GRAZE_HIT, 0x1p-600},
      {{-0x1p-600, -0x1p-601, 0}, {1, 0.75, 0}, 1, GRAZE_CLEAR, 0},
      {{-0x1p-1070, 0, 0}, {0x1p130, 0, 0}, 1, GRAZE_HIT, 0x1p-1074 /* no double is nearer */},
      {{-0x1p-1074, 0, 0}, {0x1p-1074, 0, 0}, 4, GRAZE_HIT, 1},
      {{-0x1p-1074, 0, 0}, {0x1p-1074, 0, 0}, 0.5, GRAZE_CLEAR, 0},
      {{-0x1p-400, 0, 0}, {0x1p-600, 0, 0}, INFINITY, GRAZE_HIT, 0x1p200},
      {{-0x1p-40, 0, 0}, {0x1p-1074, 0, 0}, INFINITY, GRAZE_CLEAR, 0}, /* later than the largest double */
      {{-0x1p-60, 0, 0}, {0x1p-1074, 0, 0}, INFINITY, GRAZE_HIT, 0x1p1014},
      {{-0x1p130, 0, 0}, {0x1p-800, 0, 0}, INFINITY, GRAZE_HIT, 0x1p930},
  };
  graze_shape point = graze_point();
  for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
    graze_placed a = graze_place(&point, graze_pose_at(corners[i].at.x, corners[i].at.y, corners[i].at.z));
    graze_placed b = graze_place(&point, graze_pose_at(0, 0, 0));
    check_corner(&a, &b, &corners[i]);
  }
}

/* The slowest of all motions, towards a slanted face: along its normal the speed is no double. */
TEST(test_slowest) {
  graze_shape point = graze_point2(), box = graze_box2(0x1p-60, 0x1p-60);
  graze_placed a = graze_place(&point, graze_pose2(-0x1p-58, 0x1p-62, 0));
  int hits = 0;
  for (int i = 0; i < 32; i++) {
    const double angle = i * 0.05;
    const graze_vec velocity = {0x1p-1074, 0, 0}, still = {0, 0, 0};
    graze_placed b = graze_place(&box, graze_pose2(0, 0, angle));
    graze_impact impact;
    assert_int_equal(graze_cast(&a, velocity, &b, still, INFINITY, NULL, &impact), GRAZE_OK);
    assert_int_equal(graze_verify_cast(&a, velocity, &b, still, INFINITY, NULL, &impact), GRAZE_OK);
    hits += impact.result == GRAZE_HIT;
  }
  assert_int_equal(hits, 32);
}

/* Slow enough towards a half-space that they meet after 1e40; beside it, for ever. */
TEST(test_planes) {
  static const corner corners[] = {
      {{0, 0, 1 + 0x1p70}, {0, 0, -0x1p-100}, INFINITY, GRAZE_HIT, 0x1p170},
      {{0, 0, 1 + 0x1p70}, {0x1p100, 0, -0x1p-100}, INFINITY, GRAZE_HIT, 0x1p170},
      {{0, 0, 1 + 0x1p70}, {0, 0, -0x1p-100}, 0x1p169, GRAZE_CLEAR, 0},
      {{0, 0, 0x1p-1070}, {0, 0, -0x1p120}, 1, GRAZE_HIT, 0},
      {{0, 0, 3}, {1, 1, 0}, INFINITY, GRAZE_CLEAR, 0},
      {{0, 0, 3}, {1, 1, 0x1p-1074}, INFINITY, GRAZE_CLEAR, 0},
      {{0, 0, 3}, {1, 1, -0x1p-1000}, INFINITY, GRAZE_HIT, 0x1p1001},
  };
  graze_shape half = graze_halfspace(vec(0, 0, 1), 0), ball = graze_sphere(1), point = graze_point();
  graze_placed floor = graze_place(&half, graze_pose_at(0, 0, 0));
  for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
    graze_pose pose = graze_pose_at(corners[i].at.x, corners[i].at.y, corners[i].at.z);
    graze_placed a = graze_place(corners[i].at.z < 1 ? &point : &ball, pose);
    if (corners[i].at.z < 1) { /* at once, for doubles */
      corner k = corners[i];
      k.t = 0x1p-1074;
      check_corner(&a, &floor, &k);
    } else {
      check_corner(&a, &floor, &corners[i]);
    }
  }
}

/* ---- Touches on the way that claim to be at the start */

static graze_status judge_touch(const graze_placed *a, graze_vec velocity, const graze_placed *b, double t_max,
                                const graze_certificate *certificate) {
  const graze_vec still = {0, 0, 0};
  graze_impact impact = {.result = GRAZE_CLEAR, .starts = GRAZE_TOUCHING, .certificate = *certificate};
  graze_impact hit;
  assert_int_equal(graze_cast(a, velocity, b, still, t_max, NULL, &hit), GRAZE_OK);
  assert_true(hit.result == GRAZE_HIT && hit.starts == GRAZE_SEPARATED);
  return graze_verify_cast(a, velocity, b, still, t_max, NULL, &impact);
}

TEST(test_touches) {
  const graze_vec right = {1, 0, 0}, down = {0, 0, -1};
  graze_shape ball = graze_sphere(1), half = graze_halfspace(vec(0, 0, 1), 0), box = graze_box(1, 1, 1);
  graze_placed here = graze_place(&ball, graze_pose_at(0, 0, 0)), there = graze_place(&ball, graze_pose_at(0.5, 2, 0));
  graze_placed floor = graze_place(&half, graze_pose_at(0, 0, 0)), above = graze_place(&ball, graze_pose_at(0, 0, 2));
  /* Past a ball, in touch with it at 0.5: the nearest point of the way is in the middle. */
  graze_certificate certificate = {.kind = GRAZE_CERTIFICATE_TOUCH, .vertex = -1};
  certificate.direction = (graze_direction){.form = GRAZE_DIRECTION_NEAREST, .count = 2};
  certificate.direction.pairs[1].end = 1;
  assert_int_equal(judge_touch(&here, right, &there, 1, &certificate), GRAZE_REFUTED);
  /* Down to a half-space, which is reached at the end. */
  certificate = (graze_certificate){.kind = GRAZE_CERTIFICATE_PLANE, .vertex = 0};
  assert_int_equal(judge_touch(&above, down, &floor, 1, &certificate), GRAZE_REFUTED);
  /* Past a box, corner to corner: the direction is the facet of two ways. */
  graze_placed first = graze_place(&box, graze_pose_at(-2.5, 0, 0)), second = graze_place(&box, graze_pose_at(0, 2, 0));
  certificate = (graze_certificate){.kind = GRAZE_CERTIFICATE_TOUCH, .vertex = -1, .pair_count = 2};
  certificate.direction = (graze_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = {0, 1, 0}};
  certificate.pairs[0].a = certificate.pairs[1].a = 3, certificate.pairs[1].end = 1; /* (1, 1, -1) … */
  certificate.pairs[0].b = certificate.pairs[1].b = 0;                               /* … to (-1, -1, -1) */
  assert_int_equal(judge_touch(&first, right, &second, 1, &certificate), GRAZE_REFUTED);
}

/* Of bodies that do touch at first. */
TEST(test_starts) {
  const graze_vec still = {0, 0, 0}, right = {1, 0, 0}, down = {0, 0, -1};
  graze_shape box = graze_box(1, 1, 1);
  graze_placed first = graze_place(&box, graze_pose_at(-2, 0, 0)), second = graze_place(&box, graze_pose_at(0, 0, 0));
  graze_impact impact;
  /* A hit at 0 of which nobody knows how it starts; what is no result. */
  assert_int_equal(graze_cast(&first, right, &second, still, 1, NULL, &impact), GRAZE_OK);
  assert_int_equal(graze_verify_cast(&first, right, &second, still, 1, NULL, &impact), GRAZE_OK);
  impact.starts = GRAZE_UNDECIDED;
  assert_int_equal(graze_verify_cast(&first, right, &second, still, 1, NULL, &impact), GRAZE_UNPROVEN);
  impact.starts = GRAZE_TOUCHING;
  impact.result = (graze_motion_result)7;
  assert_int_equal(graze_verify_cast(&first, right, &second, still, 1, NULL, &impact), GRAZE_REFUTED);
  impact.result = GRAZE_POSSIBLE, impact.t_upper = 1;
  assert_int_equal(graze_verify_cast(&first, right, &second, still, 1, NULL, &impact), GRAZE_UNPROVEN);
  /* Clear, and in touch: at the distance 0. */
  assert_int_equal(graze_cast(&first, down, &second, still, 1, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_CLEAR);
  assert_int_equal(graze_verify_cast(&first, down, &second, still, 1, NULL, &impact), GRAZE_OK);
  impact.min_upper = 1;
  assert_int_equal(graze_verify_cast(&first, down, &second, still, 1, NULL, &impact), GRAZE_REFUTED);
  impact.min_upper = 0, impact.min_lower = 1;
  assert_int_equal(graze_verify_cast(&first, down, &second, still, 1, NULL, &impact), GRAZE_REFUTED);
}
