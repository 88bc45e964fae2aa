/* graze_check(): every rejection names its parameter. Convexity against brute force: geometry/test_outline.c. */

#include "support/test.h"
#include "support/geometry.h"

static double no_support(void *context, graze_vec direction, graze_vec *point) {
  (void)context;
  (void)direction;
  *point = vec(0, 0, 0);
  return 0;
}

/* ---- Refusals */

static void check_rejected_placed(graze_shape shape, const graze_pose *pose, graze_status status, const char *what,
                                  ptrdiff_t index, double value) {
  graze_error error = {.status = GRAZE_OK, .index = 77, .value = 77};
  graze_status found = graze_check(&shape, pose, &error);
  if (found != status || error.status != status || strcmp(error.what, what) != 0 || error.index != index)
    fail_msg("%s (%td): %s, about %s (%td); expected %s", what, index, graze_status_text(found), error.what,
             error.index, graze_status_text(status));
  assert_true(error.value == value || (isnan(error.value) && isnan(value)));
  assert_true(error.allowed[0] != 0 && error.owner[0] == 0);
  assert_int_equal(graze_check(&shape, pose, NULL), status);
}

static void check_rejected(graze_shape shape, graze_status status, const char *what, ptrdiff_t index, double value) {
  check_rejected_placed(shape, NULL, status, what, index, value);
}

static void check_accepted(graze_shape shape, const graze_pose *pose) {
  graze_error error = {.status = GRAZE_BAD_NUMBER, .index = 77, .value = 77};
  if (graze_check(&shape, pose, &error) != GRAZE_OK) fail_msg("kind %d: %s", (int)shape.kind, error.what);
  assert_int_equal(error.status, GRAZE_OK);
  assert_string_equal(error.what, "");
  assert_int_equal(error.index, -1);
}

TEST(legal) {
  static const graze_vec square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  graze_vec o = vec(0, 0, 0), largest = vec(1e40, -1e40, 0);
  const graze_shape flat[] = {graze_point2(),
                              graze_segment2(o, largest),
                              graze_triangle2(o, largest, o),
                              graze_box2(0, 0),
                              graze_box2(1e40, 1),
                              graze_polygon(square, 4),
                              graze_hull_points2(&o, 1),
                              graze_circle(0),
                              graze_capsule2(0, 0),
                              graze_ellipse(0, 1),
                              graze_halfspace2(largest, -1e40),
                              graze_user(2, no_support, NULL)};
  const graze_shape solid[] = {
      graze_point(), graze_segment(o, o), graze_triangle(o, largest, vec(0, 0, 1e40)), graze_box(0, 0, 0),
      graze_hull_points(square, 4), graze_halfspace(vec(0, 0, 0x1p-1074), 0), graze_user(3, no_support, NULL),
      /* rounded and curved */
      graze_sphere(-0.0), graze_capsule(1, 0), graze_ellipsoid(0, 0, 0), graze_cylinder(0, 1e40), graze_cone(1e40, 0)};
  graze_pose flat_pose = {{1e40, -1e40, 0}, 0, 0, -0.0, 0x1p-1074};
  graze_pose solid_pose = {{1e40, -1e40, 1e40}, 0, 0x1p-1074, -1e40, 3};
  for (size_t i = 0; i < COUNT(flat); i++) {
    check_accepted(flat[i], NULL);
    check_accepted(flat[i], &flat_pose);
    check_accepted(graze_with_margin(flat[i], 1e40), &flat_pose);
    check_rejected_placed(flat[i], &solid_pose, GRAZE_DIM_MISMATCH, "position", 2, 1e40);
  }
  for (size_t i = 0; i < COUNT(solid); i++) {
    check_accepted(solid[i], NULL);
    check_accepted(solid[i], &flat_pose);
    check_accepted(graze_with_margin(solid[i], 0x1p-1074), &solid_pose);
  }
}

/* Numbers that must be legal, and where they must also not be negative. */
TEST(numbers) {
  static const double bad[] = {NAN, INFINITY, -INFINITY, 0x1.d6329f1c35ca6p132, -2e40, -0x1p-1074};
  const graze_vec o = vec(0, 0, 0);
  for (size_t i = 0; i < COUNT(bad); i++) {
    const double x = bad[i];
    const bool negative = i + 1 == COUNT(bad);
    const graze_status s = negative ? GRAZE_BAD_SHAPE : GRAZE_BAD_NUMBER;
    check_rejected(graze_with_margin(graze_point(), x), s, "margin", -1, x);
    check_rejected(graze_box(x, 1, 1), s, "half_extents", 0, x);
    check_rejected(graze_box2(1, x), s, "half_extents", 1, x);
    check_rejected(graze_ellipsoid(1, 1, x), s, "radii", 2, x);
    check_rejected(graze_sphere(x), s, "radius", -1, x);
    check_rejected(graze_circle(x), s, "radius", -1, x);
    check_rejected(graze_capsule(1, x), s, "half_length", -1, x);
    check_rejected(graze_cylinder(x, 1), s, "radius", -1, x);
    check_rejected(graze_cone(1, x), s, "half_length", -1, x);
    if (negative) continue;
    check_rejected(graze_segment(o, vec(0, x, 0)), s, "vertices", 1, x);
    check_rejected(graze_segment2(vec(0, 0, x), o), s, "vertices", 0, x);
    check_rejected(graze_triangle(o, o, vec(x, 0, 0)), s, "vertices", 2, x);
    check_rejected(graze_halfspace(vec(1, 0, x), 0), s, "normal", 2, x);
    check_rejected(graze_halfspace(vec(1, 0, 0), x), s, "offset", -1, x);
    const graze_vec list[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, x, 0}};
    check_rejected(graze_polygon(list, 4), s, "vertices", 3, x);
    check_rejected(graze_hull_points(list, 4), s, "vertices", 3, x);
    const graze_pose pose = {{0, x, 0}, 1, 0, 0, 0};
    check_rejected_placed(graze_point(), &pose, s, "position", 1, x);
    for (int k = 0; k < 4; k++) {
      const graze_pose turned = {{0, 0, 0}, k == 0 ? x : 1, k == 1 ? x : 0, k == 2 ? x : 0, k == 3 ? x : 0};
      check_rejected_placed(graze_point(), &turned, s, "rotation", k, x);
      check_rejected_placed(graze_point2(), &turned, s, "rotation", k, x);
    }
  }
}

TEST(shapes) {
  static const graze_vec square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  graze_vec o = vec(0, 0, 0);
  check_rejected(graze_polygon(square, 2), GRAZE_BAD_SHAPE, "vertices", -1, 2);
  check_rejected(graze_polygon(NULL, 4), GRAZE_BAD_SHAPE, "vertices", -1, 4);
  check_rejected(graze_hull_points(square, 0), GRAZE_BAD_SHAPE, "vertices", -1, 0);
  check_rejected(graze_hull_points2(NULL, 1), GRAZE_BAD_SHAPE, "vertices", -1, 1);
  check_rejected(graze_hull_points(square, (size_t)INT32_MAX + 1), GRAZE_BAD_SHAPE, "vertices", -1, 0x1p31);
  check_rejected(graze_halfspace(o, 1), GRAZE_BAD_SHAPE, "normal", -1, 0);
  check_rejected(graze_user(3, NULL, NULL), GRAZE_BAD_SHAPE, "support", -1, 0);
  graze_shape shape = graze_point();
  shape.kind = (graze_shape_kind)0;
  check_rejected(shape, GRAZE_BAD_SHAPE, "type", -1, 0);
  shape.kind = (graze_shape_kind)(GRAZE_MESH + 1);
  check_rejected(shape, GRAZE_BAD_SHAPE, "type", -1, GRAZE_MESH + 1);
  check_rejected(graze_user(4, no_support, NULL), GRAZE_BAD_SHAPE, "dim", -1, 4);
  check_rejected(graze_user(0, no_support, NULL), GRAZE_BAD_SHAPE, "dim", -1, 0);
  graze_pose zero = {{0, 0, 0}, 0, -0.0, 0, 0};
  check_rejected_placed(graze_point(), &zero, GRAZE_BAD_SHAPE, "rotation", -1, 0);
  check_rejected_placed(graze_point2(), &zero, GRAZE_BAD_SHAPE, "rotation", -1, 0);
  graze_error error;
  assert_int_equal(graze_check(NULL, NULL, &error), GRAZE_BAD_SHAPE);
  assert_int_equal(error.status, GRAZE_BAD_SHAPE);
}

TEST(dimensions) {
  graze_status s = GRAZE_DIM_MISMATCH;
  static const graze_vec lifted[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0x1p-1074}};
  graze_shape cylinder = graze_cylinder(1, 1), cone = graze_cone(1, 1), polygon = graze_polygon(lifted, 3);
  cylinder.dim = cone.dim = 2;
  check_rejected(cylinder, s, "dim", -1, 2);
  check_rejected(cone, s, "dim", -1, 2);
  check_rejected(polygon, s, "vertices", 2, 0x1p-1074);
  polygon.dim = 3;
  check_rejected(polygon, s, "dim", -1, 3);
  check_rejected(graze_hull_points2(lifted, 3), s, "vertices", 2, 0x1p-1074);
  check_accepted(graze_hull_points(lifted, 3), NULL);
  check_rejected(graze_segment2(lifted[0], lifted[2]), s, "vertices", 1, 0x1p-1074);
  check_rejected(graze_triangle2(lifted[2], lifted[0], lifted[1]), s, "vertices", 0, 0x1p-1074);
  check_rejected(graze_halfspace2(vec(1, 0, 2), 0), s, "normal", 2, 2);
  graze_shape box = graze_box(1, 1, 3), ellipsoid = graze_ellipsoid(1, 1, 4);
  box.dim = ellipsoid.dim = 2;
  check_rejected(box, s, "half_extents", 2, 3);
  check_rejected(ellipsoid, s, "radii", 2, 4);
  graze_pose x = {{0, 0, 0}, 1, 5, 0, 0}, y = {{0, 0, 0}, 1, 0, 6, 0};
  check_rejected_placed(graze_box2(1, 1), &x, s, "rotation", 1, 5);
  check_rejected_placed(graze_box2(1, 1), &y, s, "rotation", 2, 6);
}

/* ---- Convexity */

/* {n/k}: n points of a regular polygon, every k-th in turn. It turns the same way everywhere, k times around. */
TEST(stars) {
  graze_vec v[30];
  for (int n = 3; n <= 30; n++)
    for (int k = -(n - 1) / 2; 2 * k < n; k++) {
      if (k == 0) continue;
      for (int i = 0; i < n; i++) {
        const double angle = 2 * 3.14159265358979323846 * (i * k % n) / n + 0.1;
        v[i] = vec(cos(angle), sin(angle), 0);
      }
      const graze_shape star = graze_polygon(v, (size_t)n);
      assert_int_equal(graze_check(&star, NULL, NULL), k == 1 || k == -1 ? GRAZE_OK : GRAZE_NOT_CONVEX);
    }
}

/* The vertex that is named is one that must change. */
TEST(named_vertex) {
  static const graze_vec corner[] = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 4, 0}, {0, 4, 0}};
  static const graze_vec spike[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {4, 8, 0}, {4, 4, 0}, {0, 4, 0}};
  enum { SIZE = 6 };
  for (int start = 0; start < SIZE; start++)
    for (int sign = -1; sign <= 1; sign += 2) {
      graze_vec v[SIZE], w[SIZE];
      int reflex = -1, tip = -1;
      for (int i = 0; i < SIZE; i++) {
        int k = (start + SIZE + sign * i) % SIZE;
        v[i] = corner[k];
        w[i] = spike[k];
        if (k == 3) reflex = tip = i;
      }
      check_rejected(graze_polygon(v, SIZE), GRAZE_NOT_CONVEX, "vertices", reflex, 0);
      check_rejected(graze_polygon(w, SIZE), GRAZE_NOT_CONVEX, "vertices", tip, 0);
    }
}
