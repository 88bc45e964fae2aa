/* Fixed bugs of relations, distances and depths, most of them at the edges of the range of doubles. */
#include "support/compounds.h"
#include "support/families.h"
#include "support/query.h"
#include "support/shapes.h"

/* Every query on a pair: they agree, and all proofs are accepted. */
static proved_answer all_queries(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  const proved_answer x = proved_distance(a, b, options), plain = distance(a, b, options);
  assert_true(plain.relation == x.relation && plain.lower <= x.upper && x.lower <= plain.upper);
  assert_true(x.lower <= x.upper && isfinite(x.lower));
  const proved_answer boolean = intersect(a, b, options);
  assert_int_equal(boolean.relation, x.relation);
  assert_int_equal(verify_answer(a, b, options, &boolean), GRAZE_OK);
  graze_options brute = options ? *options : graze_default_options();
  proved_answer other;
  brute.method = METHOD_BRUTE;
  if (query_distance(a, b, &brute, &other) == GRAZE_OK)
    assert_true(other.relation == x.relation && other.lower <= x.upper && x.lower <= other.upper);
  return x;
}

static proved_answer answer_of(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  const graze_placed p = posed(a, pose_a), q = posed(b, pose_b);
  return all_queries(&p, &q, NULL);
}

static graze_pose at(double x, double y, double z) { return graze_pose_at(x, y, z); }

typedef struct regression {
  const char *bug;
  graze_shape a;
  graze_pose pose_a;
  graze_shape b;
  graze_pose pose_b;
  graze_relation relation;
  double distance, slack; /* the interval holds the distance and is at most 2·slack wide; slack < 0: neither is known */
} regression;

TEST(pairs_that_once_failed) {
  static const graze_vec thin[] = {{-0x1p-1074, -0.25, -0.25}, {-0.25, -0.25, -0.25}};
  static const graze_vec spike[] = {{-0x1p-1074, 2.5, 0}, {0, 0, 0}, {0, 0, 0}};
  static const graze_vec needle[4] = {{-8.6409042845017643e-07, 0.6025026074795139, -1.0846867106175417e-06},
                                      {-7.2133020532379504e-07, 0.57150315730370338, -1.0182060855246613e-06},
                                      {-9.0524261769925009e-07, 0.32928442079976106, 6.7129854196193192e-08},
                                      {2.348198583088253e-07, 0.52331034072974525, 2.0397281531190296e-07}};
  const double h = 6.9533558078350043e-310, wide = 0x1.8p+13 + 2.25 + 0x1.ap-2;
  const graze_pose q = graze_pose3(vec(-0.25, -0.25, -0.25), -0.25, -0.25, -0.25, -0.25);
  const graze_shape lens = graze_with_margin(graze_ellipsoid(0x1.8p+37, 0x1.ap-2, 0x1.8p+13), 0x1.8p+13);
  const graze_pose beam =
      graze_pose3(vec(-0.30564037753043172, -0.19218365404499482, 0.79296578716452926), -0.77932474600709711,
                  -0.91853623243605731, -0.75128299126341358, -0.47534127074267274);
  const graze_pose above =
      graze_pose3(vec(-0.30564024731179079, -0.19218202232401621, 0.79296298162740819), -0.77932474600709722,
                  -0.91853623243605731, -0.75128299126341358, -0.47534127074267274);
  const regression cases[] = {
      {"the normal of a half-space was scaled by the reciprocal of a subnormal number",
       graze_halfspace2(vec(0x1p-1074, 0, 0), 0), identity, graze_ellipse(1, 2), at(3, 0, 0), GRAZE_SEPARATED, 2,
       1e-12},
      {"offsets of 1e-101 of shapes of 1e35: the square of the first direction overflowed",
       graze_with_margin(graze_ellipsoid(0x1.7p117, 0x1p-1060, 0x1p-766), 0x1p-767), at(0x1.ep-335, 0x1p-1050, 0),
       graze_point(), identity, GRAZE_OVERLAPPING, 0, -1},
      {"the thinnest cylinder: the length of the portal's normal underflowed",
       graze_with_margin(graze_hull_points(thin, 2), 0.25), q, graze_cylinder(0x1p-1074, 3.25), q, GRAZE_OVERLAPPING, 0,
       -1},
      {"rim points of a disk of radius 2^-1074 left the disk", graze_cone(5, 5),
       graze_pose3(vec(0, 0, 0), 1, 0, 0, .25), graze_cone(0x1p-1074, 5), at(0, 0, 1e-5), GRAZE_OVERLAPPING, 0, -1},
      {"the normal of touching boxes of 7e-310 was NaN", graze_box2(h, 0), identity, graze_box2(h, h), at(h, -h, 0),
       GRAZE_TOUCHING, 0, 0},
      {"the nearest point by a plane and by weights differed by 1e-11",
       graze_box(1, 9.9999999999999995e-07, 9.9999999999999995e-07), beam, graze_hull_points(needle, 4), above,
       GRAZE_SEPARATED, 0, -1},
      {"the centre of a circle on an ellipse: the depth had no proof", graze_circle(0.25), at(2.75, 0, 0),
       graze_ellipse(2.75, 2.75), identity, GRAZE_OVERLAPPING, -0.25, 1e-12},
      {"the same for a point on the cap of a rounded cylinder", graze_with_margin(graze_cylinder(2.5, 0.25), 2.5),
       graze_pose3(vec(3.25, 0, 0), 1, 0, -1, 0), graze_point(), at(3, 0, 0), GRAZE_OVERLAPPING, -2.5, 1e-12},
      {"a core 4e11 long: the bound was above -r, which two points did not prove", lens, identity,
       graze_capsule(2.25, 0), identity, GRAZE_OVERLAPPING, -wide, INFINITY},
      {"tiny cores in a larger unit: a radius of 1e39 became infinite",
       graze_with_margin(graze_ellipsoid(1e-300, 2e-300, 3e-300), 1e39), identity, graze_point(), identity,
       GRAZE_OVERLAPPING, -1e39, 1e27},
      {"the height of a face was rounded to 0; the brute method took the origin to lie on it",
       graze_segment2(vec(3.5, 2.5, 0), vec(-0x1p-1074, 2.25, 0)), identity, graze_polygon(spike, 3), identity,
       GRAZE_OVERLAPPING, 0, -1},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const regression *c = &cases[i];
    const proved_answer x = answer_of(c->a, c->pose_a, c->b, c->pose_b);
    const double off = norm(add_scaled(sub(x.point_b, x.point_a), -x.distance, x.normal));
    if (x.relation != c->relation || fabs(norm(x.normal) - 1) > 1e-12) fail_msg("%s", c->bug);
    if (x.relation == GRAZE_SEPARATED && off > 7e-12) fail_msg("%s: the witness points", c->bug);
    if (c->slack < 0) continue;
    if (!(x.lower <= c->distance && c->distance <= x.upper && x.upper - x.lower <= 2 * c->slack))
      fail_msg("%s: [%.17g, %.17g]", c->bug, x.lower, x.upper);
  }
}

/* The square of an offset of 1e-258 underflowed, and with it the error bound. */
TEST(subnormal_squares) {
  const double n = 0x1.9090909090909p-879;
  for (int i = 1; i < 100; i++) {
    const proved_answer x = answer_of(graze_halfspace(vec(n, n, n), n), identity,
                                      graze_ellipsoid(1e-280, 1e-280, 1e-280), at(0x1.03009p-857 * i, 0x1p-1050, 0));
    assert_true(x.relation == GRAZE_SEPARATED && x.lower < x.upper);
  }
}

/* A loop that halves a number until it is at most 1 met infinity: the small arena was full at the last product. */
TEST(no_endless_halving) {
  const graze_shape plate = graze_box(3, 0, 2.5), floor = graze_halfspace(vec(0.75, 3, 0), 0);
  for (int i = 0; i <= 64; i++) {
    const double tiny = ldexp(1, -1074 + i);
    const graze_pose p = graze_pose3(vec(2, 0, -2.25), 0x1.bffffffffffffp+1, 0.75, tiny, 3.5);
    const graze_pose q = graze_pose3(vec(0, 0, -2.25), 0.75, tiny, 0, -1.5);
    assert_int_equal(answer_of(plate, p, floor, q).relation, GRAZE_OVERLAPPING);
    assert_int_equal(answer_of(floor, q, plate, p).relation, GRAZE_OVERLAPPING);
  }
}

/* The verifier evaluates a support function of radius 1e20 in a direction of its own rounding and gets another point: a
 * lower bound without slack for that was rejected. */
TEST(support_functions_evaluated_anew) {
  double radius = 1e20;
  const graze_shape ball = graze_with_margin(user_ball(3, &radius), 0x1p-1018);
  for (int i = 1; i < 200; i += tiered(25, 25, 1)) {
    const proved_answer x = answer_of(ball, at(-1e-100 * i, 3e-320, 7.0 / i), graze_point(), identity);
    assert_int_equal(x.relation, GRAZE_OVERLAPPING);
  }
}

/* The small arena was full in the middle of a touch, and the second run kept distance 0 from the first. Seed 5. */
TEST(the_second_run_begins_anew) {
  rng random = 5;
  for (int i = 0; i < 40; i++) {
    graze_vec v[8];
    for (int k = 0; k < 8; k++) v[k] = rng_magnitude_vec(&random, 3, -1070, 129);
    const graze_vec axis = rng_magnitude_vec(&random, 3, -1070, 129);
    const graze_pose pose = {rng_magnitude_vec(&random, 3, -1070, 129), rng_magnitude(&random, -1070, 129), axis.x,
                             axis.y, axis.z};
    const proved_answer x = answer_of(graze_hull_points(v, 8), pose, graze_hull_points(v, 8), pose);
    assert_int_equal(x.relation, GRAZE_OVERLAPPING);
    assert_true(x.lower <= x.distance && x.distance <= x.upper && x.distance < 0);
  }
}

/* Directions of 1e40 overflowed among boxes of 2^-1000: overlapping boxes were called separated. */
TEST(long_directions_of_tiny_shapes) {
  static const double size[4] = {1e40, 1e300, 1e-300, 0x1p-1074};
  const graze_shape box = graze_box(0x1p-1000, 0x1p-1000, 0x1p-1000);
  const graze_placed a = posed(box, graze_pose3(vec(0, 0, 0), 1, .3, -.5, .7));
  const graze_placed b = posed(box, graze_pose3(vec(0x1p-1001, 0, 0), .2, .9, .4, -.1));
  for (int i = 0; i < 4 * 27; i++) {
    const int k = i / 4;
    const graze_vec d = vec(size[i % 4] * (k % 3 - 1), size[i % 4] * (k / 3 % 3 - 1), size[i % 4] * (k / 9 - 1));
    graze_cache cache = {.direction = d};
    graze_options cached = graze_default_options(), started = graze_default_options();
    cached.cache = &cache;
    started.method = GRAZE_METHOD_GJK;
    if (size[i % 4] <= 1e40) started.start = d;
    assert_int_equal(intersect(&a, &b, &cached).relation, GRAZE_OVERLAPPING);
    assert_int_equal(all_queries(&a, &b, &started).relation, GRAZE_OVERLAPPING);
  }
}

/* The square of 2^-537, the distance of a warm simplex, is one subnormal bit, and the bound of the depth was off. */
TEST(warm_start_near_the_origin) {
  for (int i = 0; i < 64; i++) {
    graze_vec v[9];
    for (int k = 0; k < 8; k++) v[k] = vec(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    v[8] = vec((0.5 + i / 64.0) * 0x1p-537, 0, 0);
    const graze_placed a = posed(graze_hull_points(v, 9), identity), b = posed(graze_point(), identity);
    graze_cache cache = {.count = 1, .a = {8}, .b = {0}};
    graze_options options = graze_default_options();
    options.cache = &cache;
    const proved_answer x = proved_distance(&a, &b, &options);
    assert_int_equal(x.relation, GRAZE_OVERLAPPING);
    assert_true(x.lower <= -1 && x.upper >= -1 && x.upper - x.lower < 1e-12);
  }
}

/* A gap below the least positive number was rounded to 0 under a tolerance that accepts doubles. */
TEST(a_gap_below_every_number) {
  const graze_placed a = posed(graze_sphere(0x1p-1074), identity);
  const graze_placed b = placed_at(graze_sphere(0x1p-1074), 0x1p-1074, 0x1p-1073, 0);
  graze_options options = graze_default_options();
  options.tolerance = 0x1p-1073;
  for (options.max_iterations = 1; options.max_iterations < 6; options.max_iterations++) {
    const proved_answer x = distance(&a, &b, &options);
    assert_true(x.relation == GRAZE_SEPARATED && x.distance > 0);
  }
}

/* GJK stayed in the plane of symmetry of a ball and a cylinder and needed exact arithmetic. */
TEST(planes_of_symmetry) {
  for (int i = 0; i < 64; i++) {
    const proved_answer x = answer_of(graze_cylinder(0.5, 0.7), graze_pose3(vec(0, 0, 0), 1, 0.1 * i, 0.3, 0.02 * i),
                                      graze_sphere(0.7), at(0.01 * i - 0.3, 0.2, 0.005 * i));
    assert_true(x.relation == GRAZE_OVERLAPPING && !x.exact);
  }
}

/* Two cubes with one centre have six nearest facets: the normal came from one and the witness points from another. */
TEST(ties) {
  const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_EPA, GRAZE_METHOD_EXACT, METHOD_BRUTE};
  const graze_placed a = posed(graze_box(1, 1, 1), graze_pose3(vec(1, 2, 3), 1, 2, 3, 4));
  for (int i = 0; i < 4; i++) {
    const graze_options options = by_method(methods[i]);
    const proved_answer x = methods[i] == METHOD_BRUTE ? distance(&a, &a, &options) : proved_distance(&a, &a, &options);
    assert_true(fabs(x.distance + 2) < 1e-12);
    assert_true(norm(add_scaled(sub(x.point_b, x.point_a), -x.distance, x.normal)) < 1e-14);
    for (int side = 0; side < 2; side++) {
      const graze_vec p = side ? x.point_b : x.point_a;
      const graze_placed there = placed_at(graze_sphere(1e-12), p.x, p.y, p.z);
      assert_int_not_equal(intersect(&a, &there, NULL).relation, GRAZE_SEPARATED);
    }
  }
}

/* A budget ended GJK when the overlap was known, but not whether the cores are separated: `lower` was above `upper`. */
TEST(cut_before_the_cores_part) {
  static double workspace[256];
  const graze_shape lens =
      graze_with_margin(graze_ellipsoid(0x1.0a5ee1p-2, 0x1.a61ed5p-6, 0x1.f8c2fff8p-1), 0x1.4d7bcc8b20c74p-2);
  const graze_shape hat = graze_with_margin(graze_cone(0x1.2bd0847p-3, 0x1.148d096p-4), 0x1.89b7aa8p-2);
  const graze_placed a = place(&lens, at(-0x1.f61192d999998p-4, -0x1.a0ec54f333332p-3, -0x1.44d4173333333p-2));
  const graze_placed b = place(&hat, at(0x1.d241f6e666668p-3, -0x1.4a0027p-4, 0x1.1f2290999999ap-2));
  const proved_answer whole = distance(&a, &b, NULL);
  for (int budget = 1; budget < 12; budget++)
    for (int method = GRAZE_METHOD_AUTO; method <= GRAZE_METHOD_GJK; method++) {
      graze_options options = graze_default_options();
      options.max_iterations = budget, options.method = (graze_method)method;
      options.workspace = workspace, options.workspace_size = sizeof workspace;
      const proved_answer cut = distance(&a, &b, &options);
      assert_true(cut.lower <= cut.upper && cut.lower <= whole.upper && cut.upper >= whole.lower);
      assert_int_equal(verify_answer(&a, &b, &options, &cut), GRAZE_OK);
    }
}

/* The square of a tiny triangle's normal was subnormal, so the gap along it seemed larger than the margin. */
TEST(a_tiny_triangle_in_a_rounded_one) {
  const double s = sqrt(1.204) * 0x1p-269 * sqrt(0.5);
  const graze_shape tiny = graze_with_margin(graze_triangle(vec(-s, -s, 0), vec(s, -s, 0), vec(0, s, 0)), 1.1);
  const graze_placed a = posed(tiny, identity);
  const graze_placed b = posed(graze_triangle(vec(-1, -1, 1), vec(1, -1, 1), vec(0, 1, 1)), identity);
  assert_int_equal(all_queries(&a, &b, NULL).relation, GRAZE_OVERLAPPING);
}

/* The normal of a tiny triangle with a vertex in common with another one was 0, and that of the answer NaN. */
TEST(a_tiny_triangle_at_a_common_vertex) {
  const double s = 0x1p-280;
  const graze_placed a = posed(graze_triangle(vec(0, 0, 0), vec(s, 0, 0), vec(0, s, 0)), identity);
  const graze_placed b = posed(graze_triangle(vec(0, 0, 0), vec(1, 0, 1), vec(0, 1, 1)), identity);
  const proved_answer x = intersect(&a, &b, NULL);
  assert_true(x.relation == GRAZE_TOUCHING && fabs(norm(x.normal) - 1) < 1e-12);
  assert_int_equal(verify_answer(&a, &b, NULL, &x), GRAZE_OK);
}

/* The products of all edges were too short for an axis. The depth was read from an axis that was not set. */
TEST(a_tiny_triangle_around_a_segment) {
  const double s = 0x1p-700;
  const graze_placed a = posed(graze_triangle(vec(2 * s, s, 0), vec(-s, 2 * s, 0), vec(-s, -4 * s, 0)), identity);
  const graze_placed b = posed(graze_segment(vec(0, 0, -2), vec(0, 0, 2)), identity);
  const proved_answer x = all_queries(&a, &b, NULL), y = all_queries(&b, &a, NULL);
  assert_true(x.relation == GRAZE_OVERLAPPING && y.relation == GRAZE_OVERLAPPING);
  assert_true(x.lower <= -s && -s <= x.upper && y.lower <= -s && -s <= y.upper);
}

/* 0.6² + 0.8² of doubles is above 1, but rounds to 1: the point of the base above this centre was outside of the cone,
 * and the verifier refuted the certificate. */
TEST(points_under_the_rim_of_a_cone) {
  const graze_vec centre[2] = {vec(0.6, 0.8, -1.5), vec(0.8, 0.6, -1.5)};
  for (int i = 0; i < 2; i++) {
    const graze_placed cone = posed(graze_cone(1, 1), identity);
    const graze_placed ball = placed_at(graze_sphere(1), centre[i].x, centre[i].y, centre[i].z);
    const proved_answer x = all_queries(&cone, &ball, NULL), y = all_queries(&ball, &cone, NULL);
    assert_true(x.relation == GRAZE_OVERLAPPING && y.relation == GRAZE_OVERLAPPING);
    assert_true(x.lower <= -0.5 && -0.5 <= x.upper && y.lower <= -0.5 && -0.5 <= y.upper);
  }
}

/* Two triangles with repeated vertices, which are segments: the certificate named a proof of the depth by axes, which
 * the verifier refutes for two flat outlines. */
TEST(two_flat_triangles_in_the_plane) {
  const graze_pose at_a = graze_pose3(vec(-0.25, -0.25, 0), -0.25, 0, 0, -0.25);
  const graze_pose at_b = graze_pose3(vec(-0.25, -0.25, 0), 0, 0, 0, -0.25);
  const graze_vec end = vec(0x1.2000000000001p+1, 0x1.0000000000001p+0, 0);
  const graze_placed a = posed(graze_triangle2(vec(0, 0, 0), vec(0, 0, 0), end), at_a);
  const graze_placed b = posed(graze_triangle2(vec(2.5, 0.5, 0), vec(-0.25, -0.25, 0), vec(-0.25, -0.25, 0)), at_b);
  for (int i = 0; i < 2; i++) {
    graze_options options = by_method(i ? GRAZE_METHOD_EXACT : GRAZE_METHOD_AUTO);
    const proved_answer x = distance(&a, &b, &options);
    assert_int_equal(x.relation, GRAZE_OVERLAPPING);
    assert_int_not_equal(verify_answer(&a, &b, &options, &x), GRAZE_REFUTED);
    (void)all_queries(&a, &b, &options);
  }
}
