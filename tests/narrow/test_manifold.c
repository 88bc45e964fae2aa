/* Manifolds with known corners: boxes, edges, capsules, cylinders, cones, half-spaces; reduction to few points. */

#include "support/test.h"
#include "narrow/check.h"

static check_manifold m;

static void query(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  check_pair(&m, a, pose_a, b, pose_b);
}

static graze_pose at(double x, double y, double z) { return graze_pose_at(x, y, z); }

/* Rotated about x by 90°, so that local z becomes -y. */
static graze_pose lying(double x, double y, double z) { return graze_pose3(vec(x, y, z), 1, 1, 0, 0); }

static void assert_depths(double depth) {
  for (size_t i = 0; i < m.count; i++)
    if (fabs(m.contact[i].depth - depth) > 1e-9) fail_msg("depth %g, not %g", m.contact[i].depth, depth);
}

/* Corners of a rectangle at this height. */
static void assert_rectangle(double x0, double x1, double y0, double y1, double z) {
  const graze_vec corners[4] = {{x0, y0, z}, {x1, y0, z}, {x0, y1, z}, {x1, y1, z}};
  check_points(&m, corners, 4);
}

/* adv-manifold-2 and -3 of tests/cases/, apart, touching, and shallow and deep. */
TEST(boxes) {
  static const double depths[] = {-0.25, -1e-12, 0, 1e-12, 1e-7, 0.03125, 0.4};
  for (size_t i = 0; i < COUNT(depths); i++) {
    query(graze_box(5, 5, 1), at(0, 0, 0), graze_box(1, 1, 1), at(5.5, 0, 2 - depths[i]));
    assert_rectangle(4.5, 5, -1, 1, 1);
    assert_depths(depths[i]);
    query(graze_box(10, 0.5, 1), at(0, 0, 0), graze_box(0.5, 10, 1), at(0, 0, 2 - depths[i]));
    assert_rectangle(-0.5, 0.5, -0.5, 0.5, 1);
    assert_depths(depths[i]);
  }
  query(graze_box(1, 1, 1), at(1e6, 0, 0), graze_box(1, 1, 1), at(1e6 + 0.5, 0, 1.75));
  assert_rectangle(1e6 - 0.5, 1e6 + 1, -1, 1, 1);
}

/* A corner on an edge. Sides on sides: narrow/manifold_random. */
TEST(boxes_2d) {
  const graze_vec corner = {0.05, 1, 0};
  query(graze_box2(1, 1), at(0, 0, 0), graze_box2(1, 1), graze_pose3(vec(0.25, 1 + 7 / 5.0, 0), 3, 0, 0, 1));
  check_points(&m, &corner, 1);
}

/* Faces 1/2 long, apart by 1/2, B rotated by 2^(1-k): within 1/64 of a face the point has the feature of the corner.
 * The gap of the other corner is 2^-k more: below 1/1024 of the size it is a point too. */
TEST(near_a_corner) {
  const graze_shape box = graze_box2(1, 0.25);
  query(box, at(0, 0, 0), box, graze_pose3(vec(2.5, 0, 0), 1, 0, 0, 0x1p-40));
  assert_int_equal(m.count, 2);
  const uint64_t corner = m.contact[m.contact[1].point_a.y > 0].feature;
  for (int k = 5; k < 32; k++) {
    if (k == 8) continue; /* 1/64 */
    query(box, at(0, 0, 0), box, graze_pose3(vec(2.5, 0, 0), 1, 0, 0, ldexp(1, -k)));
    assert_int_equal(m.count, k < 10 ? 1 : 2);
    const int deepest = m.count == 2 && m.contact[1].depth > m.contact[0].depth;
    assert_int_equal(m.contact[deepest].feature == corner, k > 8);
  }
}

/* Faces that share 2^-k of their length: from 2^-30 on the two ends are one point. */
TEST(near_each_other) {
  const graze_shape box = graze_box2(1, 1);
  for (int k = 10; k < 45; k++) {
    query(box, at(0, 0, 0), box, at(2 - ldexp(1, -k), 2 - 0x1p-50, 0));
    assert_int_equal(m.count, k < 30 ? 2 : 1);
  }
}

/* Boxes that share an edge or a corner only. */
TEST(little_in_common) {
  const graze_vec edge[2] = {{1, -1, 1}, {1, 1, 1}}, corner = {1, 1, 1};
  query(graze_box(1, 1, 1), at(0, 0, 0), graze_box(1, 1, 1), at(2, 0, 2));
  check_points(&m, edge, 2);
  query(graze_box(1, 1, 1), at(0, 0, 0), graze_box(1, 1, 1), at(2, 2, 2));
  check_points(&m, &corner, 1);
  query(graze_box(1, 1, 1), at(0, 0, 0), graze_box(1, 1, 1), at(3, 3, 3));
  check_points(&m, &corner, 1);
}

/* A square on a square, turned by 45°. */
TEST(octagon) {
  const double half = sqrt(2) - 1, quarter = atan(1);
  graze_vec corners[8];
  for (int i = 0; i < 8; i++) {
    double long_side = i & 1 ? 1 : -1, short_side = i & 2 ? half : -half;
    corners[i] = i & 4 ? vec(long_side, short_side, 1) : vec(short_side, long_side, 1);
  }
  for (int depth = 0; depth < 2; depth++) {
    query(graze_box(1, 1, 1), at(0, 0, 0), graze_box(1, 1, 1), check_turned(0, 0, 2 - 0.1 * depth, quarter));
    check_points(&m, corners, 8);
    for (int i = 1; i <= 8; i++) { /* counter-clockwise about the normal */
      graze_vec p = m.contact[i - 1].point_a, q = m.contact[i % 8].point_a;
      assert_true(p.x * q.y - p.y * q.x > 0);
    }
    for (size_t capacity = 1; capacity <= 8; capacity++) {
      check_nearest(&m, capacity);
      assert_int_equal(m.count, capacity == 8 ? 8 : capacity < 4 ? capacity : 4);
    }
  }
}

TEST(edges) {
  const graze_vec line[2] = {{2, -1, 1}, {2, 1, 1}};
  const double s = sqrt(2), eighth = atan(1) / 2;
  graze_pose tip_y = graze_pose3(vec(2, 0, 1 + s), cos(eighth), 0, sin(eighth), 0);
  query(graze_box(5, 5, 1), at(0, 0, 0), graze_box(1, 1, 1), tip_y);
  check_points(&m, line, 2);
  tip_y.position = vec(0, 0, 2 * s - 0.01);
  query(graze_box(1, 1, 1), graze_pose3(vec(0, 0, 0), cos(eighth), sin(eighth), 0, 0), graze_box(1, 1, 1), tip_y);
  assert_int_equal(m.count, 1);
  assert_depths(0.01);
}

TEST(round_shapes) {
  const graze_shape plate = graze_box(5, 5, 1), floor = graze_halfspace(vec(0, 0, 3), 1);
  const graze_vec cut[2] = {{0, 5, 1}, {0, 4, 1}}, line[2] = {{0, 3, 1}, {0, -1, 1}};
  query(plate, at(0, 0, 0), graze_capsule(0.5, 2), lying(0, 6, 1.5));
  check_points(&m, cut, 2);
  query(floor, at(0, 0, 0), graze_capsule(0.5, 2), lying(0, 1, 1.25));
  check_points(&m, line, 2);
  assert_depths(0.25);
  query(graze_capsule(0.5, 2), lying(0, 1, 1.25), floor, at(0, 0, 0));
  assert_int_equal(m.count, 2);
  assert_depths(0.25);
}

/* Numbers of points: capsules, balls and cones on a plate; rims of cylinders, whole or cut by an edge. */
TEST(numbers_of_points) {
  const graze_shape plate = graze_box(5, 5, 1), cylinder = graze_cylinder(0.5, 2), cone = graze_cone(0.5, 2);
  const struct {
    graze_shape a, b;
    graze_pose pose;
    size_t count;
  } row[] = {{plate, graze_capsule(0.5, 2), at(0, 0, 3.5), 1},
             {plate, graze_sphere(0.5), at(1, 2, 1.25), 1},
             {plate, graze_ellipsoid(0.5, 1, 2), at(1, 2, 3), 1},
             {plate, cylinder, at(0, 0, 3), 16},
             {plate, cylinder, at(5, 0, 2.99), 9},
             {plate, cone, at(0, 0, 3), 16},
             {plate, cone, graze_pose3(vec(0, 0, 3), 0, 1, 0, 0), 1},
             {cylinder, graze_cylinder(2, 1), at(0.25, 0, 3), 16},
             {graze_halfspace(vec(0, 0, 2), 1), graze_cylinder(1, 1), at(0, 0, 2), 16},
             {graze_capsule(0.5, 2), graze_capsule(0.5, 2), lying(0.9, 0, 0), 1},
             {graze_capsule(0.5, 2), graze_capsule(0.5, 2), at(0.9, 0, 1), 2}};
  for (size_t i = 0; i < COUNT(row); i++) {
    query(row[i].a, at(0, 0, 0), row[i].b, row[i].pose);
    assert_int_equal(m.count, row[i].count);
    check_nearest(&m, 4);
    assert_int_equal(m.count, row[i].count < 4 ? row[i].count : 4);
  }
  query(cylinder, at(0, 0, 0), graze_box(0.1, 0.1, 0.1), at(0, 0, 2.1));
  assert_rectangle(-0.1, 0.1, -0.1, 0.1, 2);
}

/* A lying cylinder has its whole line in every rotation about its axis. */
TEST(lying_cylinders) {
  const graze_vec line[2] = {{1, 2, 1}, {1, -2, 1}};
  for (int i = 0; i < 50; i++) {
    const double depth = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.02 : -0.3;
    query(graze_box(5, 5, 1), at(0, 0, 0), graze_cylinder(0.5, 2),
          check_compose(lying(1, 0, 1.5 - depth), check_turned(0, 0, 0, 0.1 * i)));
    check_points(&m, line, 2);
  }
}

TEST(half_spaces) {
  const graze_shape floor = graze_halfspace(vec(0, 0, 2), 1), box = graze_box(1, 2, 0.5);
  query(floor, at(0, 0, 0), box, at(3, 0, 1.25));
  assert_rectangle(2, 4, -2, 2, 1);
  assert_depths(0.25);
  query(box, at(3, 0, 1.25), floor, at(0, 0, 0));
  assert_rectangle(2, 4, -2, 2, 0.75);
  query(floor, at(0, 0, 0), graze_with_margin(box, 0.25), at(3, 0, 2));
  assert_rectangle(2, 4, -2, 2, 1);
  assert_depths(-0.25);
  query(graze_halfspace2(vec(0, 2, 0), 1), at(0, 0, 0), graze_box2(1, 1), at(0, 1.75, 0));
  assert_int_equal(m.count, 2);
  assert_depths(0.25);
}

/* Separated shapes have no points by default, however near they are. */
TEST(none_by_default) {
  static const double gaps[] = {1e-12, 1e-9, 0.001, 2, INFINITY};
  for (size_t i = 0; i + 1 < COUNT(gaps); i++) {
    graze_manifold_options options = graze_default_manifold_options();
    assert_true(options.speculative_distance == 0);
    check_place(&m, graze_box(1, 1, 1), at(0, 0, 0), graze_box(1, 1, 1), at(0, 0, 2 + gaps[i]));
    check_query(&m, NULL, 8);
    assert_int_equal(m.count, 0);
    check_query(&m, &options, 8);
    assert_int_equal(m.count, 0);
    options.speculative_distance = 0.5 * gaps[i];
    check_query(&m, &options, 8);
    assert_int_equal(m.count, 0);
    options.speculative_distance = gaps[i + 1];
    check_query(&m, &options, 8);
    assert_int_equal(m.count, 4);
    assert_depths(-gaps[i]);
  }
}

/* A box tipped by 0.01 over a plate, its lower edge at a depth of 0.01 or a gap of 0.99; without a distance: the
 * nearest points. */
TEST(speculative) {
  static const struct {
    double z, max_distance, clearance;
    size_t count;
  } row[] = {{2, -1, 0, 2}, {2, 0.1, 0, 4}, {2, 0.001, 0, 2},     {3, 0.001, 0, 0},
             {3, 2, 0, 4},  {3, -1, 0, 2},  {3, INFINITY, 1.5, 4}};
  for (size_t i = 0; i < COUNT(row); i++) {
    graze_manifold_options options = graze_default_manifold_options();
    if (row[i].max_distance >= 0) options.speculative_distance = row[i].max_distance;
    options.clearance = row[i].clearance;
    check_place(&m, graze_box(5, 5, 1), at(0, 0, 0), graze_box(1, 1, 1),
                graze_pose3(vec(0, 0, row[i].z), 1, 0, 0.005, 0));
    if (row[i].max_distance >= 0)
      check_query(&m, &options, 8);
    else
      check_nearest(&m, 8);
    assert_int_equal(m.count, row[i].count);
  }
}

TEST(rejected) {
  size_t count = 5;
  check_place(&m, graze_box(1, 1, 1), at(0, 0, 0), graze_box(1, 1, 1), at(0, 0, 2));
  assert_int_equal(query_manifold(&m.a, &m.b, NULL, &m.answer, m.contact, 0, &count), GRAZE_NO_SPACE);
  check_place(&m, graze_box(1, 1, -1), at(0, 0, 0), graze_box(1, 1, 1), at(0, 0, 2));
  assert_int_equal(query_manifold(&m.a, &m.b, NULL, &m.answer, m.contact, 4, &count), GRAZE_BAD_SHAPE);
  assert_int_equal(count, 5);
}

/* The face has more corners than a contact polygon: only the vertices of the list are searched, not the one behind it.
 */
TEST(a_face_of_100_corners) {
  enum { CORNERS = 100 };
  static graze_vec v[2 * CORNERS + 1];
  for (int k = 0; k < CORNERS; k++) {
    const double angle = 6.283185307179586 * k / CORNERS;
    v[k] = vec(cos(angle), sin(angle), -1), v[k + CORNERS] = vec(cos(angle), sin(angle), 1);
  }
  v[2 * CORNERS] = vec(2, 0, 1);
  query(graze_hull_points(v, 2 * CORNERS), at(0, 0, 0), graze_box(9, 9, 1), at(0, 0, 1.75));
  assert_true(m.count > 50);
  assert_depths(0.25);
  double widest = 0;
  for (size_t i = 0; i < m.count; i++) widest = fmax(widest, hypot(m.contact[i].point_a.x, m.contact[i].point_a.y));
  assert_true(widest > 0.97 && widest < 1 + 1e-9);
}
