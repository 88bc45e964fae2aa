/* graze_support(): the point and vertex of each shape in chosen directions; no other point lies farther. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/rational.h"

static void expect(graze_shape shape, graze_pose pose, graze_vec d, graze_vec expected, int expected_vertex) {
  graze_placed placed = graze_place(&shape, pose);
  graze_vec point;
  int vertex = -2;
  assert_int_equal(graze_support(&placed, d, &point, &vertex), GRAZE_OK);
  assert_int_equal(vertex, expected_vertex);
  assert_true(size1(sub(point, expected)) < 1e-14);
  assert_int_equal(graze_support(&placed, vec(0, 0, 1), &point, NULL), shape.dim == 2 ? GRAZE_DIM_MISMATCH : GRAZE_OK);
}

TEST(each_kind) {
  graze_pose at = graze_pose_at(10, 20, 30), turned = graze_pose3(vec(0, 0, 0), 1, 0, 0, 1); /* x to y */
  const double s = sqrt(0.5);
  const graze_vec list[3] = {{0, 0, 0}, {4, 2, 0}, {1, 3, 0}}, right = vec(1, 0, 0);
  const graze_pose flat = graze_pose2(10, 20, 0);
  const graze_shape half = graze_halfspace(list[1], 4), half2 = graze_halfspace2(list[1], -4);
  assert_true(half.dim == 3 && half.as.halfspace.offset == 4 && half.as.box.half_extents.x == 4 &&
              half.as.box.half_extents.y == 2);
  assert_true(half2.dim == 2 && half2.as.halfspace.offset == -4 && half2.as.box.half_extents.x == 4 &&
              half2.as.box.half_extents.y == 2);
  expect(graze_point2(), flat, right, vec(10, 20, 0), 0);
  expect(graze_circle(2), flat, right, vec(12, 20, 0), 0);
  expect(graze_box2(1, 2), flat, vec(-1, 1, 0), vec(9, 22, 0), 2);
  expect(graze_segment2(list[0], list[1]), flat, right, vec(14, 22, 0), 1);
  expect(graze_triangle2(list[0], list[1], list[2]), flat, vec(0, 1, 0), vec(11, 23, 0), 2);
  expect(graze_hull_points2(list, 3), flat, vec(0, 1, 0), vec(11, 23, 0), 2);
  expect(graze_hull_points(list, 3), at, right, vec(14, 22, 30), 1);
  expect(graze_ellipsoid(1, 2, 3), at, vec(0, 0, -1), vec(10, 20, 27), -1);
  expect(graze_ellipsoid(1, 2, 3), at, vec(0, 1, 0), vec(10, 22, 30), -1);
  expect(graze_polygon(list, 3), flat, right, vec(14, 22, 0), 1);
  expect(graze_point(), at, vec(1, 2, 3), vec(10, 20, 30), 0);
  expect(graze_sphere(2), at, vec(0, 5, 0), vec(10, 22, 30), 0);
  expect(graze_box(1, 2, 3), at, vec(1, -1, 1), vec(11, 18, 33), 5);
  expect(graze_box(1, 2, 3), at, vec(1, 0, 0), vec(11, 18, 27), 1); /* of equal vertices the first */
  expect(graze_box(1, 2, 3), turned, vec(0, 1, 1e-9), vec(2, 1, 3), 5);
  expect(graze_with_margin(graze_with_margin(graze_box(1, 2, 3), 3), 0.5), at, vec(0, 0, 2), vec(9, 18, 33.5), 4);
  expect(graze_segment(vec(0, 0, 0), vec(1, 1, 1)), at, vec(1, 1, 0), vec(11, 21, 31), 1);
  expect(graze_triangle(vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0)), at, vec(0, 1, 0), vec(10, 21, 30), 2);
  expect(graze_capsule(1, 2), at, vec(0, 0, -1), vec(10, 20, 27), 0);
  expect(graze_capsule2(1, 2), graze_pose2(0, 0, 0), vec(1, 0, 0), vec(3, 0, 0), 1);
  expect(graze_cylinder(1, 2), at, vec(1, 1, 1), vec(10 + s, 20 + s, 32), -1);
  expect(graze_cone(1, 2), at, vec(0, 0, 1), vec(10, 20, 32), -1);
  expect(graze_cone(1, 2), at, vec(0, -1, 0), vec(10, 19, 28), -1);
}

/* The closed form, not the point at the angle of d: on x²/4 + y² = 1 along (1, 1) it is (4, 1)/sqrt(5). */
TEST(ellipses) {
  expect(graze_ellipse(2, 1), graze_pose2(0, 0, 0), vec(1, 1, 0), vec(4 / sqrt(5), 1 / sqrt(5), 0), -1);
  const double c = cos(0.5), s = sin(0.5);
  for (int i = 0; i < 360; i++) {
    const double u = cos(i * 0.0175), v = sin(i * 0.0175), x = 4 * u / hypot(2 * u, v), y = v / hypot(2 * u, v);
    const graze_vec d = vec(c * u - s * v, s * u + c * v, 0), p = vec(c * x - s * y, s * x + c * y, 0);
    expect(graze_ellipse(2, 1), graze_pose2(0, 0, 0.5), d, p, -1);
  }
}

TEST(rejected) {
  graze_shape box = graze_box(1, 1, 1), flat = graze_box2(1, 1), floor = graze_halfspace(vec(0, 0, 1), 0);
  graze_placed solid = graze_place(&box, graze_pose_at(0, 0, 0)), plane = graze_place(&flat, graze_pose2(0, 0, 0));
  graze_placed below = graze_place(&floor, graze_pose_at(0, 0, 0)), bad = graze_place(&box, graze_pose_at(NAN, 0, 0));
  graze_vec point;
  assert_int_equal(graze_support(&solid, vec(0, 0, 0), &point, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_support(&solid, vec(INFINITY, 0, 0), &point, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_support(&plane, vec(0, 0, 1), &point, NULL), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_support(&below, vec(0, 0, 1), &point, NULL), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_support(&bad, vec(0, 0, 1), &point, NULL), GRAZE_BAD_NUMBER);
}

/* The support point of a compound is that of its farthest part; graze_project() and graze_bounds() agree. */
TEST(compounds) {
  rng random = 0x9216d5d98979fb1b;
  for (int trial = 0; trial < tiered(2000, 4000, 5000); trial++) {
    const graze_shape shape[3] = {graze_box(1, 2, 3), graze_capsule(0.25, 1),
                                  graze_with_margin(graze_ellipsoid(1, 2, 0.5), 0.125)};
    graze_placed parts[3];
    for (int i = 0; i < 3; i++) {
      graze_pose own = random_extreme_pose(&random, 3);
      own.position = rng_magnitude_vec(&random, 3, -2, 2);
      parts[i] = graze_place(&shape[i], own);
    }
    graze_compound *compound = compound_of(parts, 3);
    const graze_shape whole = graze_with_margin(graze_compound_shape(compound), 0.5);
    graze_pose frame = random_extreme_pose(&random, 3);
    frame.position = rng_magnitude_vec(&random, 3, -2, 2);
    const graze_placed placed = graze_place(&whole, frame);
    const graze_vec d = rng_magnitude_vec(&random, 3, -2, 2);
    graze_vec found, point;
    graze_aabb bounds;
    graze_interval span;
    int vertex = -7, best = -7, index;
    double most = -INFINITY;
    assert_int_equal(graze_support(&placed, d, &found, &vertex), GRAZE_OK);
    assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
    assert_int_equal(graze_project(&placed, d, &span), GRAZE_OK);
    for (size_t i = 0; i < 3; i++) {
      const graze_placed part = graze_part(&placed, i, &(graze_frame){{0}});
      graze_aabb box;
      assert_int_equal(graze_support(&part, d, &point, &index), GRAZE_OK);
      assert_int_equal(graze_bounds(&part, &box), GRAZE_OK);
      assert_true(box.min.x >= bounds.min.x && box.max.y <= bounds.max.y && box.max.z <= bounds.max.z);
      assert_true(point.x <= box.max.x + 1e-13 && point.y >= box.min.y - 1e-13);
      if (dot(d, point) > most) most = dot(d, point), best = index;
    }
    assert_int_equal(vertex, best);
    assert_true(fabs(dot(d, found) - most) <= 1e-13 * norm(d) && fabs(span.max - most) <= 1e-12 * norm(d));
    assert_int_equal(graze_support(&placed, scaled(-1, d), &point, NULL), GRAZE_OK);
    assert_true(fabs(span.min - dot(d, point)) <= 1e-12 * norm(d));
    graze_compound_destroy(compound);
  }
}
