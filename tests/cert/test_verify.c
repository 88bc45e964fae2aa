/* Certificates of every kind and every form of direction, for polytopes with and without radius, in 2D and 3D: made by
 * hand, accepted, and refused after every attack. */

#include "support/test.h"
#include "cert/claims.h"

static claim separated(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  return claim_make(a, pose_a, b, pose_b, GRAZE_SEPARATED, GRAZE_CERTIFICATE_SEPARATED);
}

TEST(test_boxes_by_vector) {
  claim c = separated(graze_box(0.5, 0.5, 0.5), home, graze_box(0.5, 0.5, 0.5), graze_pose_at(2, 0, 0));
  const graze_pair pair = claim_vertices(7, 6);
  claim_vector(&c, 3, 0, 0);
  claim_check(&c); /* the relation alone */
  claim_pairs(&c, 1, &pair);
  claim_interval(&c, 1, 1, 1);
  claim_check_tight(&c);
  claim_vector(&c, 1, 0x1p-30, 0);
  claim_interval(&c, 0.999, 0.9995, 1);
  claim_check(&c);
  c.answer.certificate.pair_count = 0;
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  c.answer.upper = c.answer.distance = NAN; /* a cut-off answer */
  claim_check(&c);
}

/* An irrational distance: 1.4142135623730949 < sqrt(2) < 1.4142135623730951, neighbouring doubles. */
TEST(test_irrational_distance) {
  claim c = separated(graze_point(), home, graze_point(), graze_pose_at(1, 1, 0));
  const graze_pair pair = claim_vertices(0, 0);
  claim_pairs(&c, 1, &pair);
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &pair);
  claim_interval(&c, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bcdp+0);
  claim_check_tight(&c);
  claim_vector(&c, 1, 1, 0);
  claim_check_tight(&c);
}

/* Two skew segments, one apart: the same direction in all four forms. */
TEST(test_every_form) {
  graze_shape a = graze_segment(vec(-1, 0, 0), vec(1, 0, 0)), b = graze_segment(vec(0, -1, 1), vec(0, 1, 1));
  claim c = separated(a, home, b, home);
  const graze_pair pairs[3] = {claim_vertices(0, 0), claim_vertices(1, 1), claim_vertices(1, 0)};
  claim_pairs(&c, 2, pairs);
  claim_interval(&c, 1, 1, 1);
  claim_vector(&c, 0, 0, 0x1p-1074);
  claim_check_tight(&c);
  claim_vector(&c, 0, 0, 0x1p1023);
  claim_check_tight(&c);
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 2, pairs);
  claim_check_tight(&c);
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 3, pairs);
  claim_check_tight(&c);
  claim_from_pairs(&c, GRAZE_DIRECTION_FACET, 1, 0, 3, pairs);
  claim_check_tight(&c);
  claim_from_pairs(&c, GRAZE_DIRECTION_EDGE, 1, 0, 2, pairs);
  claim_check_tight(&c);
  claim_from_pairs(&c, GRAZE_DIRECTION_EDGE, 1, 1, 2, pairs);
  claim_check_tight(&c);
  claim_from_pairs(&c, GRAZE_DIRECTION_EDGE, 1, 2, 2, pairs); /* in the plane of the segments: gap < 0 */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
}

TEST(test_degenerate_directions) {
  graze_shape a = graze_segment(vec(-1, 0, 0), vec(1, 0, 0)), b = graze_segment(vec(0, -1, 1), vec(0, 1, 1));
  claim c = separated(a, home, b, home);
  const graze_pair twice[3] = {claim_vertices(0, 0), claim_vertices(1, 1), claim_vertices(1, 1)};
  claim_from_pairs(&c, GRAZE_DIRECTION_FACET, 1, 0, 3, twice);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim_from_pairs(&c, GRAZE_DIRECTION_EDGE, 1, 0, 2, twice + 1);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  const graze_pair along[2] = {claim_vertices(0, 0), claim_vertices(1, 0)};
  claim_from_pairs(&c, GRAZE_DIRECTION_EDGE, 1, 0, 2, along); /* e is parallel to the axis */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim d = separated(graze_segment(vec(-1, 0, 0), vec(1, 0, 0)), home, graze_point(), home);
  const graze_pair through[2] = {claim_vertices(0, 0), claim_vertices(1, 0)};
  claim_from_pairs(&d, GRAZE_DIRECTION_NEAREST, 0, 0, 2, through); /* v = 0 */
  assert_int_equal(claim_judge(&d), GRAZE_REFUTED);
}

/* Radii count in full: both shapes' own, both margins and the clearance. */
TEST(test_radii) {
  graze_shape a = graze_with_margin(graze_sphere(0.5), 0.25), b = graze_with_margin(graze_capsule(0.125, 1), 0.0625);
  claim c = separated(a, home, b, graze_pose_at(3, 0, 1));
  const graze_pair pair = claim_vertices(0, 0); /* the capsule's lower end, (3, 0, 0) */
  c.options.clearance = 0.03125;
  claim_pairs(&c, 1, &pair);
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &pair);
  claim_interval(&c, 2.03125, 2.03125, 2.03125);
  claim_check_tight(&c);
  c.options.clearance = 0;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED); /* now upper is too low */
  const double bad[] = {-0x1p-1074, NAN, INFINITY, 1.1e40};
  for (size_t i = 0; i < 4; i++) {
    c.options.clearance = bad[i];
    assert_int_equal(claim_judge(&c), GRAZE_BAD_OPTION);
  }
}

/* 3² + 4² = 5²: spheres that touch exactly, and those that miss it by one unit in the last place. */
TEST(test_rounded_touch) {
  const graze_pair pair = claim_vertices(0, 0);
  for (int ulp = -1; ulp <= 1; ulp++) {
    double radius = ulp == 0 ? 2.5 : nextafter(2.5, ulp < 0 ? -INFINITY : INFINITY);
    claim c = claim_make(graze_sphere(2), home, graze_sphere(radius), graze_pose_at(3, 4, 0), GRAZE_TOUCHING,
                         GRAZE_CERTIFICATE_TOUCH);
    c.options.clearance = 0.5;
    claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &pair);
    if (ulp == 0)
      claim_check(&c);
    else
      assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
    c.answer.relation = GRAZE_SEPARATED;
    c.answer.certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
    claim_interval(&c, NAN, NAN, NAN);
    assert_int_equal(claim_judge(&c), ulp < 0 ? GRAZE_OK : GRAZE_REFUTED);
    c.answer.relation = GRAZE_OVERLAPPING;
    c.answer.certificate.kind = GRAZE_CERTIFICATE_NEAR;
    claim_pairs(&c, 1, &pair);
    assert_int_equal(claim_judge(&c), ulp > 0 ? GRAZE_OK : GRAZE_REFUTED);
    claim_interval(&c, -0x1p-50, NAN, 0);
    assert_int_equal(claim_judge(&c), ulp > 0 ? GRAZE_OK : GRAZE_REFUTED);
  }
}

/* The pairs are at distance r, but something lies nearer. */
TEST(test_rounded_touch_needs_the_nearest) {
  const graze_pair end = claim_vertices(0, 0);
  claim c = claim_make(graze_sphere(5), home, graze_capsule(0, 5), graze_pose_at(3, 0, 9), GRAZE_TOUCHING,
                       GRAZE_CERTIFICATE_TOUCH);
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &end); /* the end (3, 0, 4) is nearest */
  claim_check(&c);
  c.b.pose.position.z = 1;
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &end); /* (3, 0, -4); the middle is nearer */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim_vector(&c, 3, 0, 4);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED); /* the form must be NEAREST */
}

/* Boxes that share part of a face, turned by the exact rotation of cosine 0.8 and sine 0.6. */
TEST(test_turned_touch) {
  graze_shape box = graze_box(2.5, 2.5, 1);
  claim c = claim_make(box, graze_pose3(vec(0, 0, 0), 3, 0, 0, 1), box, graze_pose3(vec(4, 3, 0), 6, 0, 0, 2),
                       GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH);
  const graze_pair vertex = claim_vertices(7, 6);
  claim_pairs(&c, 1, &vertex);
  claim_vector(&c, 4, 3, 0);
  claim_check(&c);
  claim_vector(&c, 0.8, 0.6, 0); /* not parallel to the true normal: 0.8/0.6 is rounded */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  const graze_pair facet[3] = {claim_vertices(1, 0), claim_vertices(3, 0), claim_vertices(5, 0)};
  claim_from_pairs(&c, GRAZE_DIRECTION_FACET, 1, 0, 3, facet);
  claim_check(&c);
  c.answer.certificate.direction.sign = -1;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.answer.certificate.direction.sign = 1;
  const graze_pair apart = claim_vertices(6, 7);
  claim_pairs(&c, 1, &apart); /* the origin is not in its hull */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim_pairs(&c, 0, &apart);
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  claim_pairs(&c, 1, &vertex);
  c.b.pose.position.x = nextafter(4, 0);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED); /* they overlap */
  c.b.pose.position.x = nextafter(4, 5);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED); /* they are apart */
}

/* Two tetrahedra on either side of a triangle that they share, under one quaternion of no particular length. Its normal
 * is a vector of hundreds of bits: no three doubles will do. */
TEST(test_shared_triangle) {
  const graze_vec above[4] = {{0.1, 0.2, 0.3}, {1.7, 0.3, -0.2}, {0.4, 1.9, 0.6}, {0.5, 0.7, 2.3}};
  const graze_vec below[4] = {{0.1, 0.2, 0.3}, {1.7, 0.3, -0.2}, {0.4, 1.9, 0.6}, {0.3, 0.4, -1.1}};
  graze_pose pose = graze_pose3(vec(1e3, -7.7, 1e-9), 0.31, -0.77, 1.3, 0.123);
  claim c = claim_make(graze_hull(above, 4), pose, graze_hull(below, 4), pose, GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH);
  const graze_pair facet[3] = {claim_vertices(0, 1), claim_vertices(1, 2), claim_vertices(2, 1)};
  const graze_pair shared = claim_vertices(2, 2);
  claim_pairs(&c, 1, &shared);
  claim_from_pairs(&c, GRAZE_DIRECTION_FACET, 1, 0, 3, facet);
  if (claim_judge(&c) != GRAZE_OK) c.answer.certificate.direction.sign = -1;
  claim_check(&c);
  const graze_pair lost = claim_vertices(3, 3);
  claim_pairs(&c, 1, &lost);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
}

static const graze_vec octahedron[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

TEST(test_inside) {
  graze_pose pose = graze_pose3(vec(0.25, 0.5, -0.125), 1, 2, -3, 0.5);
  claim c = claim_make(graze_hull(octahedron, 6), pose, graze_point(), graze_pose_at(0.25, 0.5, -0.125),
                       GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_INSIDE);
  graze_pair all[6];
  for (int i = 0; i < 6; i++) all[i] = claim_vertices(i, 0);
  claim_pairs(&c, 6, all);
  claim_check(&c);
  claim_interval(&c, NAN, NAN, 0);
  claim_check(&c);
  claim_interval(&c, NAN, NAN, -0x1p-1074); /* a depth that nothing shows */
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  claim_interval(&c, NAN, NAN, NAN);
  for (int leave = 0; leave < 6; leave++) { /* each of the six is needed */
    graze_pair five[5];
    for (int i = 0; i < 5; i++) five[i] = all[i < leave ? i : i + 1];
    claim_pairs(&c, 5, five);
    assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
    graze_pair doubled[6];
    memcpy(doubled, all, sizeof doubled);
    doubled[leave] = all[(leave + 1) % 6];
    claim_pairs(&c, 6, doubled);
    assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  }
  claim_pairs(&c, 0, all);
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
}

/* Inside, with the bound of the depth that a direction gives: the unit ball's octahedron is 1/sqrt(3) deep. */
TEST(test_depth_bound) {
  claim c =
      claim_make(graze_hull(octahedron, 6), home, graze_point(), home, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_INSIDE);
  graze_pair all[6];
  for (int i = 0; i < 6; i++) all[i] = claim_vertices(i, 0);
  claim_pairs(&c, 6, all);
  claim_vector(&c, 1, 1, 1);
  claim_interval(&c, -0x1.279a74590331dp-1, NAN, 0); /* 1/sqrt(3) rounded up */
  claim_check(&c);
  c.answer.lower = -0x1.279a74590331cp-1;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim_vector(&c, 1, 0, 0);
  c.answer.lower = -1;
  claim_check(&c);
  c.answer.lower = -0x1.fffffffffffffp-1;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.answer.lower = -1;
  c.answer.certificate.direction.form = GRAZE_DIRECTION_NONE;
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  c.answer.lower = -INFINITY; /* claims nothing */
  assert_int_equal(claim_judge(&c), GRAZE_OK);
}

TEST(test_near) {
  const graze_pair pair = claim_vertices(0, 0);
  claim c = claim_make(graze_sphere(1), home, graze_sphere(0.5), graze_pose_at(0, 1.25, 0), GRAZE_OVERLAPPING,
                       GRAZE_CERTIFICATE_NEAR);
  claim_pairs(&c, 1, &pair);
  claim_check(&c);
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &pair);
  claim_interval(&c, -0.25, -0.25, -0.25);
  claim_check_tight(&c);
  claim_vector(&c, 0, 7, 0);
  claim_check_tight(&c);
  /* cores that meet: at least r deep */
  c.b.pose.position.y = 0;
  claim_interval(&c, -1.5, -1.5, -1.5);
  claim_check(&c);
  claim_interval(&c, nextafter(-1.5, 0), NAN, nextafter(-1.5, 0));
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim_interval(&c, -2, NAN, nextafter(-1.5, -2)); /* the pairs show no more; here it would be false */
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  c.b.shape.radius = c.a.shape.radius = 0;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED); /* r = 0: nothing is nearer than that */
}

TEST(test_flat) {
  graze_shape square = graze_box(1, 1, 0);
  claim c = claim_make(square, home, square, home, GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH);
  const graze_pair ends[2] = {claim_vertices(0, 3), claim_vertices(3, 0)};
  claim_pairs(&c, 2, ends);
  claim_vector(&c, 0, 0, -1);
  claim_check(&c);
  /* never overlapping: all of C lies in a plane */
  const graze_pair four[4] = {claim_vertices(0, 3), claim_vertices(3, 0), claim_vertices(1, 2), claim_vertices(2, 1)};
  c.answer.relation = GRAZE_OVERLAPPING;
  c.answer.certificate.kind = GRAZE_CERTIFICATE_INSIDE;
  claim_pairs(&c, 4, four);
  claim_interval(&c, NAN, NAN, NAN);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  graze_shape square2 = graze_box2(1, 1); /* in the plane, the same figures overlap */
  claim d = claim_make(square2, home, square2, home, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_INSIDE);
  claim_pairs(&d, 4, four);
  claim_check(&d);
}

TEST(test_in_the_plane) {
  const graze_vec corners[4] = {{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {0, 2, 0}};
  graze_shape a = graze_polygon(corners, 4), b = graze_segment2(vec(7, 6, 0), vec(9, 5, 0));
  claim c = separated(a, home, b, home);
  const graze_pair pair = claim_vertices(2, 0);
  claim_pairs(&c, 1, &pair);
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &pair);
  claim_interval(&c, 5, 5, 5);
  claim_check_tight(&c);
  const graze_pair top[2] = {claim_vertices(2, 0), claim_vertices(3, 0)}; /* e = (-4, 0): its left is (0, -4) */
  claim_from_pairs(&c, GRAZE_DIRECTION_FACET, -1, 0, 2, top);
  claim_interval(&c, 3, 3.5, 5);
  claim_check(&c);
  claim_from_pairs(&c, GRAZE_DIRECTION_EDGE, -1, 2, 2, top);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED); /* EDGE is for 3D */
  claim_vector(&c, 0, 1, 0x1p-1074);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
}

TEST(test_touch_in_the_plane) {
  const graze_vec triangle[3] = {{0, 0, 0}, {1.1, 0.7, 0}, {0.3, 1.2, 0}},
                  other[3] = {{0, 0, 0}, {1.1, 0.7, 0}, {0.9, -1, 0}};
  graze_pose pose = graze_pose2(0.3, -0.4, 1);
  claim c = claim_make(graze_hull2(triangle, 3), pose, graze_polygon(other, 3), pose, GRAZE_TOUCHING,
                       GRAZE_CERTIFICATE_TOUCH);
  const graze_pair facet[2] = {claim_vertices(0, 0), claim_vertices(1, 0)}, shared = claim_vertices(1, 1);
  claim_pairs(&c, 1, &shared);
  claim_from_pairs(&c, GRAZE_DIRECTION_FACET, -1, 0, 2, facet);
  claim_check(&c);
  c.answer.certificate.direction.sign = 1;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim d = claim_make(graze_circle(2), pose, graze_capsule2(3, 1), pose, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_NEAR);
  d.b.pose.position.x += 2;
  const graze_pair ends[2] = {claim_vertices(0, 0), claim_vertices(0, 1)};
  claim_pairs(&d, 2, ends);
  claim_check(&d);
}

/* Subnormal gaps, numbers of 1e40, quaternions of every length. */
TEST(test_extremes) {
  const double tiny = 0x1p-1074;
  const graze_pair pair = claim_vertices(0, 0);
  claim c = separated(graze_point(), graze_pose_at(1e40, 0, 0), graze_point(), graze_pose_at(1e40, tiny, 0));
  claim_pairs(&c, 1, &pair);
  claim_vector(&c, 0, tiny, 0);
  claim_interval(&c, tiny, tiny, tiny);
  claim_check_tight(&c);
  /* radii that all but fill the gap */
  claim d = separated(graze_sphere(1e40), graze_pose3(vec(0, 0, 0), tiny, -tiny, tiny, tiny), graze_point(),
                      graze_pose3(vec(1e40, tiny, 0), 1e40, -1e40, 1e40, tiny));
  claim_pairs(&d, 1, &pair);
  claim_from_pairs(&d, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &pair);
  claim_interval(&d, 0, tiny, tiny); /* sqrt(1e80 + 2^-2148) - 1e40: far below the least double */
  claim_check_tight(&d);
  d.b.pose.position.y = 0;
  assert_int_equal(claim_judge(&d), GRAZE_REFUTED);
  d.answer.relation = GRAZE_TOUCHING;
  d.answer.certificate.kind = GRAZE_CERTIFICATE_TOUCH;
  claim_interval(&d, 0, 0, 0);
  claim_check(&d);
  claim far =
      separated(graze_point(), graze_pose_at(-1e40, -1e40, -1e40), graze_point(), graze_pose_at(1e40, 1e40, 1e40));
  claim_pairs(&far, 1, &pair);
  claim_vector(&far, 1, 1, 1);
  claim_interval(&far, 3.464e40, 3.4645e40, 3.465e40);
  claim_check(&far);
  claim_interval(&far, 3.464e40, NAN, 0x1.fffffffffffffp1023);
  assert_int_equal(claim_judge(&far), GRAZE_OK);
  claim_interval(&far, 0x1.fffffffffffffp1023, NAN, NAN);
  assert_int_equal(claim_judge(&far), GRAZE_REFUTED);
}

TEST(test_no_certificate) {
  for (int relation = GRAZE_SEPARATED; relation <= GRAZE_OVERLAPPING; relation++) {
    claim c = claim_make(graze_point(), home, graze_point(), graze_pose_at(1, 0, 0), (graze_relation)relation,
                         GRAZE_CERTIFICATE_NONE);
    assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
    const graze_certificate_kind kind[] = {GRAZE_CERTIFICATE_SEPARATED, GRAZE_CERTIFICATE_TOUCH,
                                           GRAZE_CERTIFICATE_NEAR};
    c.answer.certificate.kind = kind[relation - 1]; /* but no direction, no pairs */
    assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  }
}

TEST(test_undecided_proves_its_interval) {
  const graze_pair pair = claim_vertices(0, 0);
  claim c = claim_make(graze_point(), home, graze_sphere(1), graze_pose_at(1, 0x1p-30, 0), GRAZE_UNDECIDED,
                       GRAZE_CERTIFICATE_NONE);
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  claim_interval(&c, -0x1p-50, NAN, 0x1p-50);
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  claim_pairs(&c, 1, &pair);
  claim_vector(&c, 1, 0x1p-30, 0);
  claim_check(&c);
  claim_interval(&c, 0x1p-80, NAN, 0x1p-50); /* true, but then it is decided */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim_interval(&c, -0x1p-50, NAN, 0x1p-70);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
}

TEST(test_questions_without_meaning) {
  claim c = separated(graze_point(), home, graze_point2(), home);
  claim_vector(&c, 1, 0, 0);
  assert_int_equal(claim_judge(&c), GRAZE_DIM_MISMATCH);
  c = separated(graze_sphere(-1), home, graze_point(), home);
  assert_int_equal(claim_judge(&c), GRAZE_BAD_SHAPE);
  c = separated(graze_point(), home, graze_point(), graze_pose_at(NAN, 0, 0));
  assert_int_equal(claim_judge(&c), GRAZE_BAD_NUMBER);
  c = separated(graze_halfspace(vec(1, 0, 0), 0), home, graze_halfspace(vec(-1, 0, 0), 0), home);
  assert_int_equal(claim_judge(&c), GRAZE_UNSUPPORTED);
  c = separated(graze_point(), home, graze_point(), graze_pose_at(2, 0, 0));
  claim_vector(&c, 1, 0, 0);
  assert_int_equal(graze_verify(&c.a, &c.b, NULL, &c.answer), GRAZE_OK); /* no options: no clearance */
}

/* What graze_place() rounds must not matter. */
TEST(test_ignores_what_is_rounded) {
  graze_shape box = graze_box(0.5, 0.5, 0.5);
  claim c = separated(box, graze_pose3(vec(0, 0, 0), 1, 2, 3, 4), box, graze_pose3(vec(2, 0, 0), -4, 1, 1, 1));
  claim_vector(&c, 1, 0, 0);
  claim_check(&c);
  graze_placed *placed[2] = {&c.a, &c.b};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 9; i++) placed[k]->rotation[i] = NAN;
    placed[k]->reach = placed[k]->radius = 1e300;
  }
  claim_check(&c);
}
