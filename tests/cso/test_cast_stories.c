/* What casts must say in cases that anybody can check by hand, and what went wrong with them once, each with its story.
 */
#include "support/test.h"

#include <graze/graze.h>

static const graze_vec still = {0, 0, 0};

static graze_vec vec(double x, double y, double z) { return (graze_vec){x, y, z}; }

static graze_placed at(graze_shape shape, double x, double y, double z) {
  return graze_place(&shape, graze_pose_at(x, y, z));
}

static graze_impact cast_by(const graze_placed *a, graze_vec va, const graze_placed *b, graze_vec vb, double t_max,
                            const graze_options *options) {
  graze_impact impact;
  assert_int_equal(graze_cast(a, va, b, vb, t_max, options, &impact), GRAZE_OK);
  assert_int_equal(graze_verify_cast(a, va, b, vb, t_max, options, &impact), GRAZE_OK);
  return impact;
}

/* A stands still. */
static graze_impact cast(graze_placed a, graze_placed b, graze_vec velocity, double t_max) {
  return cast_by(&a, still, &b, velocity, t_max, NULL);
}

static graze_impact ray(graze_placed a, graze_vec origin, graze_vec direction, double t_max) {
  graze_impact impact;
  graze_shape point = a.shape.dim == 2 ? graze_point2() : graze_point();
  graze_placed b = at(point, origin.x, origin.y, origin.z);
  assert_int_equal(graze_raycast(&a, origin, direction, t_max, NULL, &impact), GRAZE_OK);
  assert_int_equal(graze_verify_cast(&a, still, &b, direction, t_max, NULL, &impact), GRAZE_OK);
  return impact;
}

static void hits(const graze_impact *x, double t, double width) {
  assert_int_equal(x->result, GRAZE_HIT);
  assert_true(x->t == x->t_lower && x->t_lower <= t && t <= x->t_upper && x->t_upper - x->t_lower <= width);
}

static void is_near(graze_vec p, graze_vec q, double most) {
  assert_true(fabs(p.x - q.x) <= most && fabs(p.y - q.y) <= most && fabs(p.z - q.z) <= most);
}

static void is_clear(const graze_impact *x, double least) {
  assert_int_equal(x->result, GRAZE_CLEAR);
  assert_true(isnan(x->t) && isnan(x->t_lower) && isnan(x->t_upper) && isnan(x->point.x) && isnan(x->normal.x));
  assert_true(x->min_lower <= least && x->min_lower >= least - 1e-9);
  assert_true(isnan(x->min_upper) || (x->min_upper >= least && x->min_upper <= least + 1e-9));
}

/* ---- by hand */

TEST(test_plain_hits) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), 5, 0.5, 0);
  graze_impact x = cast(a, b, vec(-2, 0, 0), 10);
  hits(&x, 1.5, 1e-10);
  assert_int_equal(x.starts, GRAZE_SEPARATED);
  is_near(x.normal, vec(1, 0, 0), 1e-12);
  is_near(x.position_b, vec(2, 0.5, 0), 1e-10);
  assert_true(fabs(x.point.x - 1) < 1e-10);
  x = cast_by(&a, vec(1, 0, 0), &b, vec(-1, 0, 0), 10, NULL);
  hits(&x, 1.5, 1e-10);
  is_near(x.position_a, vec(1.5, 0, 0), 1e-10);
  x = cast(a, b, vec(-2, 0, 0), 1.5); /* just there, at the very end */
  hits(&x, 1.5, 1e-10);
  x = cast(a, b, vec(-2, 0, 0), nextafter(1.5, 0));
  is_clear(&x, 0x1p-51);
  assert_true(x.min_lower > 0);
  graze_options options = graze_default_options();
  options.clearance = 0.5;
  x = cast_by(&a, still, &b, vec(-2, 0, 0), 10, &options);
  hits(&x, 1.25, 1e-10);
}

TEST(test_plain_misses) {
  graze_placed a = at(graze_sphere(1), 0, 0, 0), b = at(graze_sphere(1), -8, 3, 0);
  graze_impact x = cast(a, b, vec(4, 0, 0), 10);
  is_clear(&x, 1);
  assert_true(fabs(x.t_min - 2) < 1e-6);
  is_near(x.position_b, vec(32, 3, 0), 0);
  x = cast(a, b, vec(4, 0, 0), 1);
  is_clear(&x, 3);
  assert_true(x.t_min == 1);
  x = cast(a, b, vec(-4, 0, 0), INFINITY);
  assert_int_equal(x.result, GRAZE_CLEAR);
  x = cast(a, b, still, 10);
  is_clear(&x, hypot(8, 3) - 2);
}

/* In touch: leaving, resting and sliding are clear; approaching, however slowly, is not. */
TEST(test_starts_in_touch) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), 0.5, 0, 2);
  const graze_vec clear[] = {{0, 0, 1}, {0, 0, 0}, {1, 2, 0}, {-5, 0, 0}, {0, 0, 0x1p-1000}, {1, 0, 0x1p-1000}};
  const graze_vec meet[] = {{0, 0, -1}, {1, 0, -1}, {0, 0, -0x1p-1000}, {8, 0, -0x1p-1000}};
  for (int i = 0; i < 6; i++) {
    graze_impact x = cast(a, b, clear[i], i % 2 ? 4 : (double)INFINITY);
    assert_int_equal(x.starts, GRAZE_TOUCHING);
    assert_int_equal(x.result, GRAZE_CLEAR);
    assert_true(x.min_lower == 0 && x.min_upper == 0);
  }
  for (int i = 0; i < 4; i++) {
    graze_impact x = cast(a, b, meet[i], i % 2 ? 4 : (double)INFINITY);
    hits(&x, 0, 0);
    assert_int_equal(x.starts, GRAZE_TOUCHING);
    is_near(x.normal, vec(0, 0, 1), 1e-12);
  }
  graze_impact moment = cast(a, b, meet[0], 0); /* once said to be clear: there was no time to approach in */
  hits(&moment, 0, 0);
  b = at(graze_box(1, 1, 1), 2, 0, 2); /* edge on edge: it suffices to part from one of the faces */
  graze_impact x = cast(a, b, vec(0x1p-1000, 0, -1), 4);
  assert_int_equal(x.result, GRAZE_CLEAR);
  x = cast(a, b, vec(-0x1p-1000, 0, -1), 4);
  hits(&x, 0, 0);
}

TEST(test_starts_overlapping) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), 1.5, 0, 0);
  graze_impact x = cast(a, b, vec(8, 0, 0), 4);
  hits(&x, 0, 0);
  assert_int_equal(x.starts, GRAZE_OVERLAPPING);
  is_near(x.normal, vec(1, 0, 0), 1e-12);
}

TEST(test_rays) {
  graze_placed box = at(graze_box(1, 1, 1), 0, 0, 0), disk = at(graze_circle(1), 0, 0, 0);
  graze_impact x = ray(box, vec(-5, 0.25, 0.5), vec(2, 0, 0), INFINITY);
  hits(&x, 2, 1e-10);
  is_near(x.normal, vec(-1, 0, 0), 1e-12);
  is_near(x.point, vec(-1, 0.25, 0.5), 1e-10);
  x = ray(box, vec(0.25, 0, 0), vec(2, 0, 0), INFINITY);
  hits(&x, 0, 0);
  assert_int_equal(x.starts, GRAZE_OVERLAPPING);
  x = ray(box, vec(1, 0.5, 0), vec(2, 0, 0), INFINITY); /* on the surface, and leaving: a hit all the same */
  hits(&x, 0, 0);
  is_near(x.normal, vec(1, 0, 0), 1e-12);
  x = ray(box, vec(2, 0, 0), still, INFINITY);
  is_clear(&x, 1);
  x = ray(box, vec(1, 1, 1), still, INFINITY);
  hits(&x, 0, 0);
  x = ray(box, vec(-5, 1, 0), vec(1, 0, 0), INFINITY); /* along a face: it touches */
  hits(&x, 4, 1e-10);
  x = ray(box, vec(-5, nextafter(1, 2), 0), vec(1, 0, 0), INFINITY);
  assert_int_equal(x.result, GRAZE_CLEAR);
  x = ray(box, vec(-5, 0, 0), vec(-1, 0, 0), INFINITY);
  assert_int_equal(x.result, GRAZE_CLEAR);
  x = ray(disk, vec(-5, 0.6, 0), vec(1, 0, 0), 10);
  hits(&x, 4.2, 1e-10);
  is_near(x.normal, vec(-0.8, 0.6, 0), 1e-10);
  x = ray(disk, vec(-5, 0.6, 0), vec(1, 0, 0), 4);
  is_clear(&x, hypot(1, 0.6) - 1);
}

/* A thousand of its lengths in one step, through a wall of 1e-6. */
TEST(test_bullets) {
  graze_placed wall = at(graze_box(2, 2, 5e-7), 0, 0, 0), film = at(graze_box(2, 2, 0), 0, 0, 0);
  graze_shape bullets[] = {graze_sphere(0.005), graze_box(0.005, 0.005, 0.005), graze_point(),
                           graze_capsule(0.001, 0.004), graze_ellipsoid(0.005, 0.004, 0.003)};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 64; j++) {
      graze_placed b = at(bullets[i], 0.3, 0.02 * j - 0.5, -10 * (j + 0.5) / 64);
      graze_impact x = cast(j % 2 ? wall : film, b, vec(0, 0.001 * j, 10), 1);
      assert_int_equal(x.result, GRAZE_HIT);
      assert_true(x.t_upper < (j + 1) / 64.0 && x.t_upper - x.t_lower < 1e-9);
    }
}

TEST(test_half_space) {
  graze_placed floor = at(graze_halfspace(vec(0, 0, 2), 1), 0, 0, 0), ball = at(graze_sphere(1), 0, 0, 8);
  graze_impact x = cast(floor, ball, vec(3, 0, -2), 10);
  hits(&x, 3, 1e-10);
  is_near(x.normal, vec(0, 0, 1), 1e-12);
  x = cast(floor, ball, vec(3, 0, 0), INFINITY);
  is_clear(&x, 6);
  x = cast(floor, ball, vec(0, 0, -2), 2);
  is_clear(&x, 2);
  assert_true(x.t_min == 2);
}

/* ---- stories */

/* The square of a speed of 1e-200 is zero: bodies of that size stood still, and were clear of each other. */
TEST(test_tiny_speeds) {
  static const double size[] = {0x1p-600, 0x1p-664, 0x1p-1000, 0x1p-1060};
  for (int i = 0; i < 4; i++) {
    double u = size[i];
    graze_impact x = cast(at(graze_box(u, u, u), 0, 0, 0), at(graze_sphere(u), 8 * u, 0, 0), vec(-2 * u, 0, 0), 10);
    hits(&x, 3, u > 0x1p-990 ? 1e-10 : 0.1);
  }
}

/* Half-spaces were looked at until 1e40, which slow bodies take longer for. */
TEST(test_slow_half_space) {
  graze_placed floor = at(graze_halfspace(vec(0, 0, 1), 0), 0, 0, 0), ball = at(graze_sphere(1), 0, 0, 8);
  graze_impact x = cast(floor, ball, vec(0, 0, -0x1p-140), 0x1p143);
  hits(&x, 0x7p140, 0x1p107);
  x = cast(floor, ball, vec(1, 0, -0x1p-140), INFINITY);
  hits(&x, 0x7p140, 0x1p107);
}

/* The point lay where a plane passed a while ago: off by the root of the rounding. */
TEST(test_point_of_rounded) {
  graze_placed a = at(graze_circle(0.73417295110879077), -0.20954934304084816, 0.62905655854051723, 0);
  graze_impact x =
      ray(a, vec(-1.3343082995906608, 1.1448751748312025, 0), vec(1.388971460200537, -0.8952575318004960, 0), INFINITY);
  graze_vec there = {-1.3343082995906608 + x.t * 1.388971460200537, 1.1448751748312025 - x.t * 0.8952575318004960, 0};
  is_near(x.point, there, 1e-10);
}

/* Time moved on while the bracket was halved, and the pairs of an earlier half did not prove the last one. */
TEST(test_halves_agree) {
  graze_placed a = at(graze_sphere(2), 0, 0, 0), b = at(graze_capsule(1, 0.5), -3, 3, 0);
  graze_impact x = cast_by(&a, vec(-2, 1, 0), &b, vec(-1, 1, 0), 9, NULL);
  hits(&x, 3, 1e-5);
}

/* Two boxes, one of them rounded by the clearance: the search ended when v was as short as the radius, as far as
 * doubles tell, and the normal was off by the root of that, 3e-6. One of a million random casts met it. */
TEST(test_normal_of_rounded) {
  const graze_shape p = graze_box(0.44161329222735612, 0.19162744807861476, 0.97629162923821777);
  const graze_shape q = graze_box(0.53280308580979341, 0.55788966354912151, 0.49223052481641461);
  const graze_placed a =
      graze_place(&p, graze_pose3((graze_vec){-2.9417338987687272, -0.16565790015570681, 3.4871370032051114},
                                  0.31224281776432861, 0.14192545286818326, 0.87653215586128463, 0.26623139615416491));
  const graze_placed b = graze_place(
      &q, graze_pose3((graze_vec){-7.8397019980295681, 0.71986422903534075, 7.5026111186552757}, -0.91587677006385815,
                      0.23529944713802964, -0.49812934664640984, 0.34016303565268879));
  const graze_vec va = {-1.2497109211667465, 2.5277790891098002, -0.05383521110769296};
  const graze_vec vb = {0.77502549171552926, 1.6715414632245489, -1.7736584146917509};
  graze_options options = graze_default_options();
  graze_impact x;
  options.clearance = 0.12667130536730414;
  assert_int_equal(graze_cast(&a, va, &b, vb, 3.3130317123060187, &options, &x), GRAZE_OK);
  hits(&x, 1.6771535, 1e-9);
  is_near(x.normal, (graze_vec){-0.6510605282104849, -0.3951505063070297, 0.6480557583816245}, 1e-10);
}

/* A plane along which they hardly approach tells little about when, and was believed: a bracket up to the end. */
TEST(test_narrow_brackets) {
  graze_impact x = cast(at(graze_box(1, 0.5, 0.25), -0.75, 1.25, -0.5),
                        at(graze_box(0.25, 0.25, 0.25), -51.25, 1.25, 0), vec(0.5, 0, 0), 100);
  hits(&x, 98.5, 1e-8);
  graze_shape slab = graze_box2(0.75, 1), brick = graze_box2(0.75, 0.5);
  graze_placed a = graze_place(&slab, graze_pose2(4.75, 0.5, 0)), b = graze_place(&brick, graze_pose2(-1, 0.5, 0));
  x = cast_by(&a, vec(-0.015625, 0, 0), &b, still, 384, NULL);
  hits(&x, 272, 1e-8);
}

/* They pass by one ulp, and for ever: no direction in doubles was perpendicular enough to show it. */
TEST(test_passing_for_ever) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), -9, nextafter(2, 3), 0.25);
  const graze_vec v[] = {{1, 0, 0}, {3, 0, 0.7}, {0.3, 0, 0.05}};
  for (int i = 0; i < 3; i++) {
    graze_impact x = cast(a, b, v[i], INFINITY);
    is_clear(&x, 0x1p-51);
    x = cast(a, b, v[i], 1e9);
    is_clear(&x, 0x1p-51);
  }
}

/* Two bodies at the same velocity do move. */
TEST(test_moving_together) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), 5, 0, 0);
  graze_impact x = cast_by(&a, vec(1, 2, 3), &b, vec(1, 2, 3), 4, NULL);
  is_clear(&x, 3);
  is_near(x.position_a, vec(4, 8, 12), 0);
  is_near(x.position_b, vec(9, 8, 12), 0);
}

/* Who asks for a loose bracket does not pay for a narrow one. Of a box that slid off a cylinder in a pile, a hair from
 * it, that took polytopes inside of both and exact arithmetic: most of the time of a step. */
TEST(test_loose_bracket) {
  const graze_vec places[] = {{1.4015654968462483, -0.038017998473555012, 1.3002689516333654},
                              {1.4058598157781432, -0.037797156380405171, 1.2990193428686652},
                              {1.4292216893945002, -0.035424513267460905, 1.2919429443720167}};
  const graze_vec moves[] = {{1.2624809533580121, 0.064098997664719159, -0.36742044102848775},
                             {1.3182448010812258, 0.1314864754063888, -0.39527203461265031},
                             {1.3714347915328424, 0.19739005234640827, -0.43182386275070894}};
  const double clearance[] = {5.8469883742464197e-07, 7.4579456682036274e-07, 6.7307466607257311e-07};
  const graze_shape can = graze_cylinder(0.35, 0.3), box = graze_box(0.35, 0.35, 0.35);
  const graze_placed lies =
      graze_place(&can, graze_pose3(vec(1.1964, 0.0823, 0.4201908949662676), -0.0046, -0.3385, -0.6929, 0.1717));
  for (int i = 0; i < 3; i++) {
    const graze_placed slides = graze_place(&box, graze_pose3(places[i], -0.1492, 0.0575, 0.8095, -0.3954));
    graze_options options = graze_default_options();
    options.clearance = clearance[i];
    const graze_impact narrow = cast_by(&lies, still, &slides, moves[i], 0.0155, &options);
    options.tolerance = 1e-7;
    const graze_impact loose = cast_by(&lies, still, &slides, moves[i], 0.0155, &options);
    assert_true(narrow.result == GRAZE_HIT && loose.result == GRAZE_HIT);
    assert_true(loose.t_lower <= narrow.t_upper && narrow.t_lower <= loose.t_upper);
    assert_true(loose.t_upper - loose.t_lower < 1e-6);
    assert_true(narrow.exact && !loose.exact);
  }
}

/* With a max_distance of 0 nobody wants to know how near they come. (Of boxes that rest on each other, as scenes are
 * full of them, that took exact arithmetic.) */
TEST(test_no_least_distance) {
  graze_options options = graze_default_options();
  options.max_distance = 0;
  const graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0);
  for (int i = 0; i < 40; i++) {
    const double gap = i == 0 ? 0 : ldexp(1, 3 - i);
    const graze_placed b = at(graze_box(1, 1, 1), -3, 2 + gap, 0);
    const graze_impact x = cast_by(&a, still, &b, vec(4, 0, 0), 1.5, &options);
    assert_int_equal(x.result, i == 0 ? GRAZE_HIT : GRAZE_CLEAR);
    if (i == 0) continue; /* tangential: a contact */
    assert_true(x.min_lower == 0 && isnan(x.min_upper) && isnan(x.t_min));
    assert_false(x.exact);
    const graze_impact with = cast_by(&a, still, &b, vec(4, 0, 0), 1.5, NULL);
    assert_true(with.min_lower > 0 && with.t_min >= 0);
  }
}

TEST(test_refusals) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), s = at(graze_box2(1, 1), 0, 0, 0);
  graze_placed f = at(graze_halfspace(vec(0, 0, 1), 0), 0, 0, 0);
  graze_impact x;
  assert_int_equal(graze_cast(&a, vec(NAN, 0, 0), &a, still, 1, NULL, &x), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_cast(&a, still, &a, vec(0, INFINITY, 0), 1, NULL, &x), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_cast(&a, still, &a, vec(0, 2e40, 0), 1, NULL, &x), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_cast(&a, still, &a, still, NAN, NULL, &x), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_cast(&a, still, &a, still, -1, NULL, &x), GRAZE_BAD_OPTION);
  assert_int_equal(graze_cast(&a, still, &s, still, 1, NULL, &x), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_cast(&s, vec(0, 0, 1), &s, still, 1, NULL, &x), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_cast(&f, still, &f, still, 1, NULL, &x), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_raycast(&a, vec(NAN, 0, 0), still, 1, NULL, &x), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_raycast(&s, vec(0, 0, 1), still, 1, NULL, &x), GRAZE_DIM_MISMATCH);
}
