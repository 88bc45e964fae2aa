/* Certificates of every kind and form of direction about polytopes, rounded or not: accepted; rejected after attacks.
 */

#include "verify/attacks.h"

static graze_pose at(double x, double y, double z) { return graze_pose_at(x, y, z); }

TEST(vector_proves_gap_of_boxes) {
  graze_shape box = graze_box(0.5, 0.5, 0.5);
  verify_case c = with_vector(separated(box, identity, box, at(2, 0, 0)), 3, 0, 0);
  check(c); /* only the relation */
  c = with_pairs(c, PAIRS(vertices(7, 6)));
  check_tight(with_interval(c, 1, 1, 1));
  c = with_interval(with_vector(c, 1, 0x1p-30, 0), 0.999, 0.9995, 1);
  check(c);
  c.answer.certificate.pair_count = 0;
  expect(c, GRAZE_UNPROVEN);
  check(with_interval(c, 0.999, NAN, NAN)); /* the answer of a query that stopped early */
}

/* 0x1.6a09e667f3bccp+0 < sqrt(2) < 0x1.6a09e667f3bcdp+0, neighbouring doubles. */
TEST(irrational_distance_is_bracketed_to_one_ulp) {
  verify_case c = separated(graze_point(), identity, graze_point(), at(1, 1, 0));
  c = with_interval(c, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bcdp+0);
  c = with_pairs(c, PAIRS(vertices(0, 0)));
  check_tight(with_nearest(c, PAIRS(vertices(0, 0))));
  check_tight(with_vector(c, 1, 1, 0));
}

TEST(all_forms_of_one_direction_prove_the_same) {
  graze_shape a = graze_segment(vec(-1, 0, 0), vec(1, 0, 0)), b = graze_segment(vec(0, -1, 1), vec(0, 1, 1));
  const editable_pair three[3] = {vertices(0, 0), vertices(1, 1), vertices(1, 0)};
  const pair_list pairs = {2, three}, all = {3, three};
  verify_case c = with_interval(with_pairs(separated(a, identity, b, identity), pairs), 1, 1, 1);
  check_tight(with_vector(c, 0, 0, 0x1p-1074));
  check_tight(with_vector(c, 0, 0, 0x1p1023));
  check_tight(with_nearest(c, pairs));
  check_tight(with_nearest(c, all));
  check_tight(with_direction(c, GRAZE_DIRECTION_FACET, 1, 0, all));
  check_tight(with_direction(c, GRAZE_DIRECTION_EDGE, 1, 0, pairs));
  check_tight(with_direction(c, GRAZE_DIRECTION_EDGE, 1, 1, pairs));
  expect(with_direction(c, GRAZE_DIRECTION_EDGE, 1, 2, pairs), GRAZE_REFUTED); /* in the segments' plane: gap < 0 */
  /* Degenerate directions. */
  const pair_list parallel = PAIRS(vertices(0, 0), vertices(1, 0));
  expect(with_direction(c, GRAZE_DIRECTION_FACET, 1, 0, PAIRS(three[0], three[1], three[1])), GRAZE_REFUTED);
  expect(with_direction(c, GRAZE_DIRECTION_EDGE, 1, 0, PAIRS(three[1], three[1])), GRAZE_REFUTED);
  expect(with_direction(c, GRAZE_DIRECTION_EDGE, 1, 0, parallel), GRAZE_REFUTED); /* parallel to the axis */
  verify_case d = separated(a, identity, graze_point(), identity);
  expect(with_nearest(d, parallel), GRAZE_REFUTED); /* v = 0 */
}

TEST(radii_margins_and_clearance_add_up) {
  graze_shape a = graze_with_margin(graze_sphere(0.5), 0.25), b = graze_with_margin(graze_capsule(0.125, 1), 0.0625);
  const pair_list end = PAIRS(vertices(0, 0)); /* the capsule's lower end, (3, 0, 0) */
  verify_case c = with_nearest(with_pairs(separated(a, identity, b, at(3, 0, 1)), end), end);
  c = with_interval(c, 2.03125, 2.03125, 2.03125);
  check_tight(with_clearance(c, 0.03125));
  expect(c, GRAZE_REFUTED); /* upper is too low without the clearance */
  const double bad[] = {-0x1p-1074, NAN, INFINITY, 1.1e40};
  for (size_t i = 0; i < COUNT(bad); i++) expect(with_clearance(c, bad[i]), GRAZE_BAD_OPTION);
}

/* 3² + 4² = 5²: spheres that touch exactly, or miss it by one unit in the last place. */
TEST(touch_of_spheres_is_exact) {
  const pair_list centres = PAIRS(vertices(0, 0));
  for (int ulp = -1; ulp <= 1; ulp++) {
    double radius = ulp == 0 ? 2.5 : nextafter(2.5, ulp < 0 ? -INFINITY : INFINITY);
    verify_case c = with_clearance(touching(graze_sphere(2), identity, graze_sphere(radius), at(3, 4, 0)), 0.5);
    c = with_nearest(c, centres);
    if (ulp == 0) check(c);
    expect(c, ulp == 0 ? GRAZE_OK : GRAZE_REFUTED);
    expect(with_relation(c, GRAZE_SEPARATED, GRAZE_CERTIFICATE_SEPARATED), ulp < 0 ? GRAZE_OK : GRAZE_REFUTED);
    c = with_pairs(with_relation(c, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_NEAR), centres);
    expect(c, ulp > 0 ? GRAZE_OK : GRAZE_REFUTED);
    expect(with_interval(c, -0x1p-50, NAN, 0), ulp > 0 ? GRAZE_OK : GRAZE_REFUTED);
  }
}

/* The pairs are at distance r, but other points are nearer. */
TEST(rounded_touch_needs_the_nearest_pairs) {
  const pair_list end = PAIRS(vertices(0, 0));
  verify_case c = with_nearest(touching(graze_sphere(5), identity, graze_capsule(0, 5), at(3, 0, 9)), end);
  check(c); /* the end (3, 0, 4) is nearest */
  c.b.pose.position.z = 1;
  expect(c, GRAZE_REFUTED);                       /* (3, 0, -4): the middle is nearer */
  expect(with_vector(c, 3, 0, 4), GRAZE_REFUTED); /* the form must be NEAREST */
}

/* Boxes that share part of a face, rotated by the exact rotation of cosine 0.8 and sine 0.6. */
TEST(touch_of_rotated_boxes_is_exact) {
  graze_shape box = graze_box(2.5, 2.5, 1);
  verify_case c = touching(box, graze_pose3(vec(0, 0, 0), 3, 0, 0, 1), box, graze_pose3(vec(4, 3, 0), 6, 0, 0, 2));
  c = with_pairs(c, PAIRS(vertices(7, 6)));
  check(with_vector(c, 4, 3, 0));
  expect(with_vector(c, 0.8, 0.6, 0), GRAZE_REFUTED); /* not parallel to the normal: 0.8/0.6 is rounded */
  const pair_list facet = PAIRS(vertices(1, 0), vertices(3, 0), vertices(5, 0));
  expect(with_direction(c, GRAZE_DIRECTION_FACET, -1, 0, facet), GRAZE_REFUTED);
  c = with_direction(c, GRAZE_DIRECTION_FACET, 1, 0, facet);
  check(c);
  expect(with_pairs(c, PAIRS(vertices(6, 7))), GRAZE_REFUTED); /* the origin is not in its hull */
  expect(with_pairs(c, (pair_list){0, facet.at}), GRAZE_UNPROVEN);
  c.b.pose.position.x = nextafter(4, 0);
  expect(c, GRAZE_REFUTED); /* they overlap */
  c.b.pose.position.x = nextafter(4, 5);
  expect(c, GRAZE_REFUTED); /* they are separated */
}

/* Tetrahedra on either side of a shared triangle, under a quaternion that makes a normal of hundreds of bits. Then 2D.
 */
TEST(shared_facet_proves_touch) {
  const graze_vec above[4] = {{0.1, 0.2, 0.3}, {1.7, 0.3, -0.2}, {0.4, 1.9, 0.6}, {0.5, 0.7, 2.3}};
  const graze_vec below[4] = {{0.1, 0.2, 0.3}, {1.7, 0.3, -0.2}, {0.4, 1.9, 0.6}, {0.3, 0.4, -1.1}};
  graze_pose pose = graze_pose3(vec(1e3, -7.7, 1e-9), 0.31, -0.77, 1.3, 0.123);
  verify_case c =
      with_pairs(touching(graze_hull_points(above, 4), pose, graze_hull_points(below, 4), pose), PAIRS(vertices(2, 2)));
  c = with_direction(c, GRAZE_DIRECTION_FACET, -1, 0, PAIRS(vertices(0, 1), vertices(1, 2), vertices(2, 1)));
  check(c);
  expect(with_pairs(c, PAIRS(vertices(3, 3))), GRAZE_REFUTED);
  c.answer.certificate.direction.sign = 1;
  expect(c, GRAZE_REFUTED);
  const graze_vec left[3] = {{0, 0, 0}, {1.1, 0.7, 0}, {0.3, 1.2, 0}}, right[3] = {left[0], left[1], {0.9, -1, 0}};
  pose = graze_pose2(0.3, -0.4, 1);
  verify_case d =
      with_pairs(touching(graze_hull_points2(left, 3), pose, graze_polygon(right, 3), pose), PAIRS(vertices(1, 1)));
  d = with_direction(d, GRAZE_DIRECTION_FACET, -1, 0, PAIRS(vertices(0, 0), vertices(1, 0)));
  check(d);
  d.answer.certificate.direction.sign = 1;
  expect(d, GRAZE_REFUTED);
}

/* An octahedron about a point. */
static verify_case octahedron_at(graze_pose pose) {
  static const graze_vec corner[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  graze_vec p = pose.position;
  verify_case c =
      overlapping(graze_hull_points(corner, 6), pose, graze_point(), at(p.x, p.y, p.z), GRAZE_CERTIFICATE_INSIDE);
  return with_pairs(
      c, PAIRS(vertices(0, 0), vertices(1, 0), vertices(2, 0), vertices(3, 0), vertices(4, 0), vertices(5, 0)));
}

TEST(overlap_needs_the_origin_inside_the_pairs) {
  const verify_case c = octahedron_at(graze_pose3(vec(0.25, 0.5, -0.125), 1, 2, -3, 0.5));
  check(c);
  check(with_interval(c, NAN, NAN, 0));
  expect(with_interval(c, NAN, NAN, -0x1p-1074), GRAZE_UNPROVEN); /* nothing proves a depth */
  for (int leave = 0; leave < 6; leave++) {                       /* each of the six is needed */
    verify_case d = c;
    d.answer.certificate.pairs[leave] = vertices((leave + 1) % 6, 0);
    expect(d, GRAZE_REFUTED);
    d.answer.certificate.pairs[leave] = vertices(5, 0);
    d.answer.certificate.pair_count = 5;
    expect(d, GRAZE_REFUTED);
  }
  expect(with_pairs(c, (pair_list){0, c.answer.certificate.pairs}), GRAZE_UNPROVEN);
}

/* The octahedron is 1/sqrt(3) deep. */
TEST(direction_bounds_the_depth) {
  verify_case c = octahedron_at(identity), diagonal = with_vector(c, 1, 1, 1), axis = with_vector(c, 1, 0, 0);
  check(with_interval(diagonal, -0x1.279a74590331dp-1, NAN, 0)); /* rounded up */
  expect(with_interval(diagonal, -0x1.279a74590331cp-1, NAN, 0), GRAZE_REFUTED);
  check(with_interval(axis, -1, NAN, 0));
  expect(with_interval(axis, -0x1.fffffffffffffp-1, NAN, 0), GRAZE_REFUTED);
  expect(with_interval(c, -1, NAN, 0), GRAZE_UNPROVEN);
  expect(with_interval(c, -INFINITY, NAN, 0), GRAZE_OK); /* no bound */
}

TEST(near_pairs_prove_overlap_of_rounded_shapes) {
  const pair_list pair = PAIRS(vertices(0, 0));
  verify_case c = overlapping(graze_sphere(1), identity, graze_sphere(0.5), at(0, 1.25, 0), GRAZE_CERTIFICATE_NEAR);
  c = with_pairs(c, pair);
  check(c);
  c = with_interval(c, -0.25, -0.25, -0.25);
  check_tight(with_nearest(c, pair));
  c = with_vector(c, 0, 7, 0);
  check_tight(c);
  c.b.pose.position.y = 0; /* cores that meet are at least r deep */
  check(with_interval(c, -1.5, -1.5, -1.5));
  expect(with_interval(c, nextafter(-1.5, 0), NAN, nextafter(-1.5, 0)), GRAZE_REFUTED);
  expect(with_interval(c, -2, NAN, nextafter(-1.5, -2)), GRAZE_UNPROVEN); /* the pairs prove no more */
  c.b.shape.as.capsule.radius = c.a.shape.as.capsule.radius = 0;
  expect(c, GRAZE_REFUTED); /* r = 0: nothing is nearer than that */
  graze_pose pose = graze_pose2(0.3, -0.4, 1), beside = pose;
  beside.position.x += 2;
  verify_case d = overlapping(graze_circle(2), pose, graze_capsule2(3, 1), beside, GRAZE_CERTIFICATE_NEAR);
  check(with_pairs(d, PAIRS(vertices(0, 0), vertices(0, 1))));
}

TEST(flat_shapes_touch_and_never_overlap) {
  graze_shape square = graze_box(1, 1, 0), in_2d = graze_box2(1, 1);
  const pair_list four = PAIRS(vertices(0, 3), vertices(3, 0), vertices(1, 2), vertices(2, 1));
  verify_case c = touching(square, identity, square, identity);
  check(with_vector(with_pairs(c, (pair_list){2, four.at}), 0, 0, -1));
  expect(with_pairs(with_relation(c, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_INSIDE), four), GRAZE_REFUTED);
  check(with_pairs(overlapping(in_2d, identity, in_2d, identity, GRAZE_CERTIFICATE_INSIDE), four));
}

TEST(directions_in_the_plane) {
  const graze_vec corners[4] = {{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {0, 2, 0}};
  const pair_list nearest = PAIRS(vertices(2, 0)), top = PAIRS(vertices(2, 0), vertices(3, 0));
  verify_case c = separated(graze_polygon(corners, 4), identity, graze_segment2(vec(7, 6, 0), vec(9, 5, 0)), identity);
  c = with_pairs(c, nearest);
  check_tight(with_interval(with_nearest(c, nearest), 5, 5, 5));
  c = with_interval(c, 3, 3.5, 5);
  check(with_direction(c, GRAZE_DIRECTION_FACET, -1, 0, top));                /* e = (-4, 0): its left is (0, -4) */
  expect(with_direction(c, GRAZE_DIRECTION_EDGE, -1, 2, top), GRAZE_REFUTED); /* EDGE is for 3D */
  expect(with_vector(c, 0, 1, 0x1p-1074), GRAZE_REFUTED);
}

/* Subnormal gaps, numbers of 1e40, quaternions of every length. */
TEST(extreme_magnitudes) {
  const double tiny = 0x1p-1074, largest = 0x1.fffffffffffffp1023;
  const pair_list pair = PAIRS(vertices(0, 0));
  verify_case c = with_pairs(separated(graze_point(), at(1e40, 0, 0), graze_point(), at(1e40, tiny, 0)), pair);
  check_tight(with_interval(with_vector(c, 0, tiny, 0), tiny, tiny, tiny));
  /* Radii that nearly fill the gap: sqrt(1e80 + 2^-2148) - 1e40 is far below the least double. */
  verify_case d = separated(graze_sphere(1e40), graze_pose3(vec(0, 0, 0), tiny, -tiny, tiny, tiny), graze_point(),
                            graze_pose3(vec(1e40, tiny, 0), 1e40, -1e40, 1e40, tiny));
  d = with_interval(with_nearest(with_pairs(d, pair), pair), 0, tiny, tiny);
  check_tight(d);
  d.b.pose.position.y = 0;
  expect(d, GRAZE_REFUTED);
  check(with_relation(d, GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH));
  verify_case distant = separated(graze_point(), at(-1e40, -1e40, -1e40), graze_point(), at(1e40, 1e40, 1e40));
  distant = with_vector(with_pairs(distant, pair), 1, 1, 1);
  check(with_interval(distant, 3.464e40, 3.4645e40, 3.465e40));
  expect(with_interval(distant, 3.464e40, NAN, largest), GRAZE_OK);
  expect(with_interval(distant, largest, NAN, NAN), GRAZE_REFUTED);
}

TEST(missing_certificates_are_unproven) {
  const graze_certificate_kind kind[] = {GRAZE_CERTIFICATE_NONE, GRAZE_CERTIFICATE_SEPARATED, GRAZE_CERTIFICATE_TOUCH,
                                         GRAZE_CERTIFICATE_NEAR};
  for (int relation = GRAZE_SEPARATED; relation <= GRAZE_OVERLAPPING; relation++) {
    verify_case c = separated(graze_point(), identity, graze_point(), at(1, 0, 0));
    expect(with_relation(c, (graze_relation)relation, GRAZE_CERTIFICATE_NONE), GRAZE_UNPROVEN);
    expect(with_relation(c, (graze_relation)relation, kind[relation]), GRAZE_UNPROVEN); /* no direction, no pairs */
  }
}

TEST(undecided_proves_its_interval) {
  verify_case c =
      case_make(graze_point(), identity, graze_sphere(1), at(1, 0x1p-30, 0), GRAZE_UNDECIDED, GRAZE_CERTIFICATE_NONE);
  expect(c, GRAZE_UNPROVEN);
  expect(with_interval(c, -0x1p-50, NAN, 0x1p-50), GRAZE_UNPROVEN);
  c = with_vector(with_pairs(c, PAIRS(vertices(0, 0))), 1, 0x1p-30, 0);
  check(with_interval(c, -0x1p-50, NAN, 0x1p-50));
  expect(with_interval(c, 0x1p-80, NAN, 0x1p-50), GRAZE_REFUTED); /* true, but then the relation is decided */
  expect(with_interval(c, -0x1p-50, NAN, 0x1p-70), GRAZE_REFUTED);
}

TEST(invalid_queries_are_rejected) {
  graze_shape point = graze_point();
  verify_case c = with_vector(separated(point, identity, graze_point2(), identity), 1, 0, 0);
  expect(c, GRAZE_DIM_MISMATCH);
  expect(separated(graze_sphere(-1), identity, point, identity), GRAZE_BAD_SHAPE);
  expect(separated(point, identity, point, at(NAN, 0, 0)), GRAZE_BAD_NUMBER);
  expect(separated(graze_halfspace(vec(1, 0, 0), 0), identity, graze_halfspace(vec(-1, 0, 0), 0), identity),
         GRAZE_UNSUPPORTED);
  c = with_vector(separated(point, identity, point, at(2, 0, 0)), 1, 0, 0);
  assert_int_equal(editable_verify(&c.a, &c.b, NULL, &c.answer), GRAZE_OK); /* no options: no clearance */
}

TEST(rounded_fields_of_placed_shapes_are_not_read) {
  graze_shape box = graze_box(0.5, 0.5, 0.5);
  verify_case c = separated(box, graze_pose3(vec(0, 0, 0), 1, 2, 3, 4), box, graze_pose3(vec(2, 0, 0), -4, 1, 1, 1));
  c = with_vector(c, 1, 0, 0);
  graze_placed *placed[2] = {&c.a, &c.b};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 9; i++) placed[k]->hidden.rotation[i] = NAN;
    placed[k]->hidden.bounding_radius = placed[k]->hidden.radius = 1e300;
  }
  check(c);
}
