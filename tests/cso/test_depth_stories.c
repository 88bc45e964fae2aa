/* What went wrong with depths once, each with its story. */
#include "support/test.h"

#include <graze/graze.h>

static graze_answer ask(const graze_placed *a, const graze_placed *b, graze_method method, bool shown) {
  static double room[1 << 16];
  static graze_surface surface;
  graze_options options = graze_default_options();
  graze_answer answer;
  options.method = method;
  if (shown) options.workspace = room, options.workspace_size = sizeof room, options.surface = &surface;
  assert_int_equal(graze_distance(a, b, &options, &answer), GRAZE_OK);
  graze_status verdict = graze_verify(a, b, &options, &answer);
  assert_true(verdict == GRAZE_OK || (verdict == GRAZE_UNPROVEN && !shown));
  return answer;
}

/* A circle whose centre lies on the border of an ellipse: the cores touch within rounding, and the depth was said to be
 * the radius, give or take less than the certificate's pairs show. The verifier refused it. */
TEST(test_centre_on_the_border) {
  graze_shape circle = graze_circle(0.25), ellipse = graze_ellipse(2.75, 2.75);
  graze_placed a = graze_place(&circle, graze_pose2(2.75, 0, 0)), b = graze_place(&ellipse, graze_pose2(0, 0, 0));
  for (int shown = 0; shown < 2; shown++) {
    graze_answer answer = ask(&a, &b, GRAZE_METHOD_AUTO, shown);
    assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
    assert_true(answer.lower <= -0.25 && answer.upper >= -0.25 && answer.upper - answer.lower < 1e-12);
  }
}

/* The same in space, where the question is asked about the profiles of bodies on one axis: a point on the cap of a
 * rounded cylinder. */
TEST(test_point_on_a_cap) {
  graze_shape drum = graze_with_margin(graze_cylinder(2.5, 0.25), 2.5), point = graze_point();
  graze_placed a = graze_place(&drum, graze_pose3((graze_vec){3.25, 0, 0}, 1, 0, -1, 0));
  graze_placed b = graze_place(&point, graze_pose_at(3, 0, 0));
  for (int shown = 0; shown < 2; shown++) {
    graze_answer answer = ask(&a, &b, GRAZE_METHOD_AUTO, shown);
    assert_true(answer.lower <= -2.5 && answer.upper >= -2.5 && answer.upper - answer.lower < 1e-12);
  }
}

/* A body so long that rounding swamps the depth of the cores: the bound was above -r, which the pairs, two points of a
 * core 4e11 long, did not show; a surface does. */
TEST(test_long_body) {
  graze_shape lens = graze_with_margin(graze_ellipsoid(0x1.8p+37, 0x1.ap-2, 0x1.8p+13), 0x1.8p+13);
  graze_shape bead = graze_capsule(2.25, 0);
  graze_placed a = graze_place(&lens, graze_pose_at(0, 0, 0)), b = graze_place(&bead, graze_pose_at(0, 0, 0));
  const double truth = -(0x1.8p+13 + 2.25 + 0x1.ap-2);
  for (int shown = 0; shown < 2; shown++) {
    graze_answer answer = ask(&a, &b, GRAZE_METHOD_AUTO, shown);
    assert_true(answer.lower <= truth && truth <= answer.upper);
  }
}

/* The height of a face was rounded to zero, and the brute method took the origin to lie on it. */
TEST(test_subnormal_heights) {
  graze_shape edge = graze_segment2((graze_vec){3.5, 2.5, 0}, (graze_vec){-0x1p-1074, 2.25, 0});
  graze_vec spike[3] = {{-0x1p-1074, 2.5, 0}, {0, 0, 0}, {0, 0, 0}};
  graze_shape thin = graze_polygon(spike, 3);
  graze_placed a = graze_place(&edge, graze_pose2(0, 0, 0)), b = graze_place(&thin, graze_pose2(0, 0, 0));
  graze_answer one = ask(&a, &b, GRAZE_METHOD_AUTO, false), other = ask(&a, &b, GRAZE_METHOD_BRUTE, false);
  assert_int_equal(one.relation, other.relation);
  assert_false(one.lower > other.upper || other.lower > one.upper);
}

/* The centre of a sphere and the axis of a cylinder span a plane of symmetry, in which GJK stayed: its flat simplex
 * held the origin on its border, and milliseconds of exact arithmetic followed. */
TEST(test_plane_of_symmetry) {
  graze_shape can = graze_cylinder(0.5, 0.7), ball = graze_sphere(0.7);
  for (int i = 0; i < 64; i++) {
    graze_pose pose = graze_pose3((graze_vec){0, 0, 0}, 1, 0.1 * i, 0.3, 0.02 * i);
    graze_placed a = graze_place(&can, pose), b = graze_place(&ball, graze_pose_at(0.01 * i - 0.3, 0.2, 0.005 * i));
    graze_answer answer = ask(&a, &b, GRAZE_METHOD_AUTO, true);
    assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
    assert_false(answer.exact);
  }
}

/* Two cubes with one centre have six nearest facets: the normal came from one and the witness points from another. */
TEST(test_ties) {
  const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_EPA, GRAZE_METHOD_EXACT, GRAZE_METHOD_BRUTE};
  graze_shape cube = graze_box(1, 1, 1);
  graze_placed a = graze_place(&cube, graze_pose3((graze_vec){1, 2, 3}, 1, 2, 3, 4));
  for (int i = 0; i < 4; i++) {
    graze_answer x = ask(&a, &a, methods[i], methods[i] != GRAZE_METHOD_BRUTE);
    double off = fabs(x.point_b.x - x.point_a.x - x.distance * x.normal.x) +
                 fabs(x.point_b.y - x.point_a.y - x.distance * x.normal.y) +
                 fabs(x.point_b.z - x.point_a.z - x.distance * x.normal.z);
    assert_true(fabs(x.distance + 2) < 1e-12 && off < 1e-14);
    for (int side = 0; side < 2; side++) {
      graze_vec p = side ? x.point_b : x.point_a;
      graze_shape bit = graze_sphere(1e-12);
      graze_placed at = graze_place(&bit, graze_pose_at(p.x, p.y, p.z));
      graze_answer within;
      assert_int_equal(graze_intersect(&a, &at, NULL, &within), GRAZE_OK);
      assert_int_not_equal(within.relation, GRAZE_SEPARATED);
    }
  }
}

/* GJK was cut by its budget when it knew that the shapes overlap, but not that their cores are apart: an ellipsoid
 * without its ball was then asked about, and its numbers taken over, lower above upper. */
TEST(test_cut_before_the_cores_part) {
  static double room[256];
  graze_shape lens = graze_ellipsoid(0x1.0a5ee1p-2, 0x1.a61ed5p-6, 0x1.f8c2fff8p-1);
  graze_shape hat = graze_cone(0x1.2bd0847p-3, 0x1.148d096p-4);
  lens = graze_with_margin(lens, 0x1.4d7bcc8b20c74p-2), hat = graze_with_margin(hat, 0x1.89b7aa8p-2);
  graze_placed a =
      graze_place(&lens, graze_pose_at(-0x1.f61192d999998p-4, -0x1.a0ec54f333332p-3, -0x1.44d4173333333p-2));
  graze_placed b = graze_place(&hat, graze_pose_at(0x1.d241f6e666668p-3, -0x1.4a0027p-4, 0x1.1f2290999999ap-2));
  graze_answer whole = ask(&a, &b, GRAZE_METHOD_AUTO, false);
  for (int budget = 1; budget < 12; budget++) {
    graze_options options = graze_default_options();
    options.max_iterations = budget;
    options.workspace = room, options.workspace_size = sizeof room;
    for (int method = GRAZE_METHOD_AUTO; method <= GRAZE_METHOD_GJK; method++) {
      graze_answer cut;
      options.method = (graze_method)method;
      assert_int_equal(graze_distance(&a, &b, &options, &cut), GRAZE_OK);
      assert_true(cut.lower <= cut.upper && cut.lower <= whole.upper && cut.upper >= whole.lower);
      assert_int_equal(graze_verify(&a, &b, &options, &cut), GRAZE_OK);
    }
  }
}

/* Tiny cores are measured in a larger unit, in which a radius of 1e39 is infinite: so was the distance. */
TEST(test_tiny_core_huge_radius) {
  graze_shape seed = graze_with_margin(graze_ellipsoid(1e-300, 2e-300, 3e-300), 1e39), point = graze_point();
  graze_placed a = graze_place(&seed, graze_pose_at(0, 0, 0)), b = graze_place(&point, graze_pose_at(0, 0, 0));
  graze_answer answer = ask(&a, &b, GRAZE_METHOD_AUTO, true);
  assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
  assert_true(answer.lower <= -1e39 && -1e39 <= answer.upper && answer.upper - answer.lower < 1e27);
}
