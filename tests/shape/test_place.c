/* graze_place() and the constructors: the rotation within 10·2^-53 of the exact one for quaternions of every kind
 * (GMP), the reach above every vertex, radius as promised, zeros where the input was refused. */

#include "support/test.h"
#include "shape/placed.h"
#include "support/rational.h"

static const uint64_t seed_of = 0x082efa98ec4e6c89u;

TEST(test_constructors) {
  graze_vec a = {1, 2, 3}, b = {4, 5, 6}, c = {7, 8, 9}, list[] = {a, b, c};
  graze_pose pose = graze_pose_at(1, 2, 3);
  assert_true(pose.position.x == 1 && pose.position.y == 2 && pose.position.z == 3);
  assert_true(pose.w == 1 && pose.x == 0 && pose.y == 0 && pose.z == 0);
  pose = graze_pose3(b, 1, 2, 3, 4);
  assert_true(pose.position.x == 4 && pose.position.y == 5 && pose.position.z == 6);
  assert_true(pose.w == 1 && pose.x == 2 && pose.y == 3 && pose.z == 4);
  double w, z;
  graze_half_angle(0.7, &w, &z);
  pose = graze_pose2(1, 2, 0.7);
  assert_true(pose.position.x == 1 && pose.position.y == 2 && pose.position.z == 0);
  assert_true(pose.w == w && pose.x == 0 && pose.y == 0 && pose.z == z);

  const struct {
    graze_shape shape;
    graze_shape_kind kind;
    int dim;
    double radius, half_length, x, y, z;
    int corners;
    bool list;
  } all[] = {
      {graze_point(), GRAZE_POINT, 3, 0, 0, 0, 0, 0, 0, false},
      {graze_point2(), GRAZE_POINT, 2, 0, 0, 0, 0, 0, 0, false},
      {graze_segment(a, b), GRAZE_SEGMENT, 3, 0, 0, 0, 0, 0, 2, false},
      {graze_segment2(a, b), GRAZE_SEGMENT, 2, 0, 0, 0, 0, 0, 2, false},
      {graze_triangle(a, b, c), GRAZE_TRIANGLE, 3, 0, 0, 0, 0, 0, 3, false},
      {graze_triangle2(a, b, c), GRAZE_TRIANGLE, 2, 0, 0, 0, 0, 0, 3, false},
      {graze_box(1, 2, 3), GRAZE_BOX, 3, 0, 0, 1, 2, 3, 0, false},
      {graze_box2(1, 2), GRAZE_BOX, 2, 0, 0, 1, 2, 0, 0, false},
      {graze_polygon(list, 3), GRAZE_POLYGON, 2, 0, 0, 0, 0, 0, 0, true},
      {graze_hull(list, 3), GRAZE_HULL, 3, 0, 0, 0, 0, 0, 0, true},
      {graze_hull2(list, 3), GRAZE_HULL, 2, 0, 0, 0, 0, 0, 0, true},
      {graze_sphere(5), GRAZE_SPHERE, 3, 5, 0, 0, 0, 0, 0, false},
      {graze_circle(5), GRAZE_SPHERE, 2, 5, 0, 0, 0, 0, 0, false},
      {graze_capsule(5, 6), GRAZE_CAPSULE, 3, 5, 6, 0, 0, 0, 0, false},
      {graze_capsule2(5, 6), GRAZE_CAPSULE, 2, 5, 6, 0, 0, 0, 0, false},
      {graze_ellipsoid(1, 2, 3), GRAZE_ELLIPSOID, 3, 0, 0, 1, 2, 3, 0, false},
      {graze_ellipse(1, 2), GRAZE_ELLIPSOID, 2, 0, 0, 1, 2, 0, 0, false},
      {graze_cylinder(5, 6), GRAZE_CYLINDER, 3, 5, 6, 0, 0, 0, 0, false},
      {graze_cone(5, 6), GRAZE_CONE, 3, 5, 6, 0, 0, 0, 0, false},
      {graze_halfspace(a, 0), GRAZE_HALFSPACE, 3, 0, 0, 1, 2, 3, 0, false},
      {graze_halfspace2(a, 0), GRAZE_HALFSPACE, 2, 0, 0, 1, 2, 3, 0, false},
  };
  for (size_t i = 0; i < COUNT(all); i++) {
    const graze_shape *s = &all[i].shape;
    assert_true(s->kind == all[i].kind && s->dim == all[i].dim && s->margin == 0 && s->offset == 0);
    assert_true(s->radius == all[i].radius && s->half_length == all[i].half_length);
    assert_true(s->extents.x == all[i].x && s->extents.y == all[i].y && s->extents.z == all[i].z);
    for (int k = 0; k < 3; k++) {
      graze_vec zero = {0, 0, 0}, expected = k < all[i].corners ? list[k] : zero;
      assert_memory_equal(&s->corners[k], &expected, sizeof expected);
    }
    assert_true(s->vertices == (all[i].list ? list : NULL) && s->vertex_count == (all[i].list ? 3 : 0));
    assert_true(s->support == NULL && s->context == NULL);
    graze_shape rounded = graze_with_margin(graze_with_margin(*s, 3), 0.5);
    assert_true(rounded.margin == 0.5 && rounded.kind == s->kind);
  }
  assert_true(graze_halfspace(a, 4).offset == 4 && graze_halfspace2(a, -4).offset == -4);
}

TEST(test_rotation) {
  uint64_t state = seed_of;
  rational_rotation truth;
  rational_rotation_init(&truth);
  mpq_t error, bound, worst;
  mpq_inits(error, bound, worst, NULL);
  mpq_set_d(bound, GRZ_ROTATION_ERROR);
  for (int trial = 0; trial < 40000; trial++) {
    int dim = trial % 4 == 0 ? 2 : 3;
    graze_pose pose = random_extreme_pose(&state, dim);
    graze_shape shape = dim == 2 ? graze_point2() : graze_point();
    graze_placed placed = graze_place(&shape, pose);
    assert_int_equal(placed.status, GRAZE_OK);
    rational_rotation_set(&truth, &pose);
    for (int i = 0; i < 9; i++) {
      mpq_set_d(error, placed.rotation[i]);
      mpq_sub(error, error, truth.at[i]);
      mpq_abs(error, error);
      if (mpq_cmp(error, bound) > 0)
        fail_msg("entry %d of (%a, %a, %a, %a) is off by %g ulp", i, pose.w, pose.x, pose.y, pose.z,
                 mpq_get_d(error) * 0x1p53);
      if (mpq_cmp(error, worst) > 0) mpq_set(worst, error);
    }
  }
  print_message("worst error: %.3f·2^-53 (proved: 7·2^-53)\n", mpq_get_d(worst) * 0x1p53);
  assert_true(mpq_get_d(worst) < 7 * 0x1p-53);
  mpq_clears(error, bound, worst, NULL);
  rational_rotation_clear(&truth);
}

/* reach² >= |v|² for every core vertex, and not much more for one of them. */
static void check_reach(const graze_placed *placed, const graze_vec *vertices, size_t count) {
  mpq_t square, largest, t;
  mpq_inits(square, largest, t, NULL);
  for (size_t i = 0; i < count; i++) {
    const double parts[3] = {vertices[i].x, vertices[i].y, vertices[i].z};
    mpq_set_ui(square, 0, 1);
    for (int k = 0; k < 3; k++) {
      mpq_set_d(t, parts[k]);
      mpq_mul(t, t, t);
      mpq_add(square, square, t);
    }
    if (mpq_cmp(square, largest) > 0) mpq_set(largest, square);
  }
  mpq_set_d(t, placed->reach);
  mpq_mul(t, t, t);
  if (mpq_cmp(t, largest) < 0) fail_msg("kind %d: reach %a is too small", (int)placed->shape.kind, placed->reach);
  mpq_set_d(t, fmax(0, placed->reach * (1 - 0x1p-47) - 0x1p-1072));
  mpq_mul(t, t, t);
  if (mpq_cmp(t, largest) > 0) fail_msg("kind %d: reach %a is too large", (int)placed->shape.kind, placed->reach);
  mpq_clears(square, largest, t, NULL);
}

static graze_placed place(graze_shape shape) {
  graze_placed placed = graze_place(&shape, graze_pose_at(1, 2, 0));
  assert_int_equal(placed.status, GRAZE_OK);
  assert_true(placed.shape.kind == shape.kind && placed.pose.position.y == 2);
  return placed;
}

TEST(test_reach) {
  uint64_t state = seed_of;
  for (int trial = 0; trial < 20000; trial++) {
    static const int ranges[][2] = {{-3, 3}, {-1074, 131}, {-1074, -1050}, {-460, -440}, {120, 131}};
    const int *range = ranges[rng_bits(&state) % COUNT(ranges)];
    graze_vec v[4];
    double n[3];
    for (int i = 0; i < 4; i++) {
      double *parts[3] = {&v[i].x, &v[i].y, &v[i].z};
      for (int k = 0; k < 3; k++) {
        *parts[k] = rng_bits(&state) % 4 == 0 ? 0 : rng_magnitude(&state, range[0], range[1]);
        if (i == 0) n[k] = fabs(*parts[k]);
      }
    }
    graze_placed placed = place(graze_hull(v, 4));
    check_reach(&placed, v, 4);
    placed = place(graze_segment(v[0], v[1]));
    check_reach(&placed, v, 2);
    placed = place(graze_triangle(v[0], v[1], v[2]));
    check_reach(&placed, v, 3);
    placed = place(graze_box(n[0], n[1], n[2]));
    check_reach(&placed, v, 1);
    graze_vec rim = {n[0], 0, n[1]};
    placed = place(graze_cylinder(n[0], n[1]));
    check_reach(&placed, &rim, 1);
    placed = place(graze_with_margin(graze_cone(n[0], n[1]), 2));
    check_reach(&placed, &rim, 1);
  }
}

TEST(test_numbers) {
  graze_placed placed = place(graze_with_margin(graze_capsule(3, 4), 0.25));
  assert_true(placed.reach == 4 && placed.radius == 3.25);
  placed = place(graze_capsule2(3, 0));
  assert_true(placed.reach == 0 && placed.radius == 3);
  placed = place(graze_with_margin(graze_sphere(0.1), 0.2));
  assert_true(placed.reach == 0 && placed.radius == 0.1 + 0.2);
  placed = place(graze_with_margin(graze_box(5, 0, 0), 2));
  assert_true(placed.reach == 5 && placed.radius == 2);
  placed = place(graze_ellipsoid(2, 7, 0.5));
  assert_true(placed.reach == 7 && placed.radius == 0);
  placed = place(graze_cylinder(2, 0));
  assert_true(placed.reach == 2 && placed.radius == 0);
  graze_vec normal = {0, -3, 0};
  placed = place(graze_halfspace(normal, 0.5));
  assert_true(placed.reach == 0 && placed.radius == 0);
  placed = place(graze_point2());
  assert_true(placed.reach == 0 && placed.radius == 0);
}

/* A ball around (3, 0, z) with a loose bound, or bad numbers on one side. */
typedef struct user_ball {
  double radius, bound, bad, z;
} user_ball;

static double ball_support(void *context, graze_vec d, graze_vec *point) {
  const user_ball *ball = context;
  double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), scale = ball->radius / length;
  *point = (graze_vec){3 + d.x * scale, d.y * scale, ball->z + d.z * scale};
  if (d.y < 0) point->y += ball->bad;
  return ball->bound;
}

TEST(test_user) {
  user_ball ball = {1, 0.5, 0, -4};
  graze_placed placed = place(graze_user(3, ball_support, &ball));
  double corner = sqrt(4.5 * 4.5 + 1.5 * 1.5 + 5.5 * 5.5);
  assert_true(placed.reach >= corner && placed.reach <= corner * (1 + 1e-14));
  assert_true(placed.radius == 0);
  ball.z = NAN;
  placed = place(graze_user(2, ball_support, &ball)); /* z does not count */
  corner = sqrt(4.5 * 4.5 + 1.5 * 1.5);
  assert_true(placed.reach >= corner && placed.reach <= corner * (1 + 1e-14));
  static const user_ball bad[] = {{1, -1, 0, 0},       {1, NAN, 0, 0},  {1, INFINITY, 0, 0}, {1, 0, NAN, 0},
                                  {1, 0, INFINITY, 0}, {2e40, 0, 0, 0}, {1, 0, 0, NAN}};
  for (size_t i = 0; i < COUNT(bad); i++) {
    ball = bad[i];
    graze_shape shape = graze_user(3, ball_support, &ball);
    placed = graze_place(&shape, graze_pose_at(0, 0, 0));
    assert_int_equal(placed.status, GRAZE_BAD_NUMBER);
    assert_true(placed.reach == 0 && placed.rotation[0] == 0);
  }
}

TEST(test_refused) {
  graze_shape shape = graze_box(1, -1, 1);
  graze_placed placed = graze_place(&shape, graze_pose_at(0, 0, 0));
  assert_int_equal(placed.status, GRAZE_BAD_SHAPE);
  assert_true(placed.shape.extents.y == -1 && placed.pose.w == 1);
  shape = graze_with_margin(graze_capsule2(1, 1), 1);
  placed = graze_place(&shape, graze_pose_at(0, 0, 1));
  assert_int_equal(placed.status, GRAZE_DIM_MISMATCH);
  for (int i = 0; i < 9; i++) assert_true(placed.rotation[i] == 0);
  assert_true(placed.reach == 0 && placed.radius == 0);
  placed = graze_place(&shape, graze_pose2(0, 0, 1e41));
  assert_int_equal(placed.status, GRAZE_BAD_NUMBER);
  placed = graze_place(NULL, graze_pose_at(0, 0, 0));
  assert_int_equal(placed.status, GRAZE_BAD_SHAPE);
}

TEST(test_set_pose) {
  graze_vec v[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  graze_shape shape = graze_hull(v, 3);
  graze_pose first = graze_pose_at(1, 2, 3), next = graze_pose3((graze_vec){4, 5, 6}, 1, 2, 3, 4);
  graze_placed moved = graze_place(&shape, first), fresh = graze_place(&shape, next), kept;
  assert_int_equal(graze_set_pose(&moved, next), GRAZE_OK);
  assert_memory_equal(moved.rotation, fresh.rotation, sizeof fresh.rotation);
  assert_true(moved.pose.position.z == 6 && moved.pose.z == 4 && moved.reach == fresh.reach);
  kept = moved;
  assert_int_equal(graze_set_pose(&moved, graze_pose3(next.position, 0, 0, 0, 0)), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_set_pose(&moved, graze_pose_at(NAN, 0, 0)), GRAZE_BAD_NUMBER);
  assert_memory_equal(moved.rotation, kept.rotation, sizeof kept.rotation);
  assert_true(moved.pose.position.x == 4 && moved.status == GRAZE_OK);
  graze_shape flat = graze_box2(1, 1), bad = graze_sphere(-1);
  graze_placed plane = graze_place(&flat, graze_pose2(0, 0, 0)), refused = graze_place(&bad, first);
  assert_int_equal(graze_set_pose(&plane, next), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_set_pose(&refused, first), GRAZE_BAD_SHAPE);
}
