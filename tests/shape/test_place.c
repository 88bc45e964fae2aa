/* graze_place(), graze_part() and poses: chosen values, rejected input. Random ones: test_bounds.c. */

#include "support/framed.h"
#include "support/query.h"

TEST(poses) {
  double w, z;
  graze_half_angle(0.7, &w, &z);
  const graze_vec b = {4, 5, 6};
  const graze_pose made[3] = {graze_pose_at(1, 2, 3), graze_pose3(b, 1, 2, 3, 4), graze_pose2(1, 2, 0.7)};
  const graze_pose expected[3] = {{{1, 2, 3}, 1, 0, 0, 0}, {b, 1, 2, 3, 4}, {{1, 2, 0}, w, 0, 0, z}};
  assert_memory_equal(made, expected, sizeof made);
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

TEST(user_shapes) {
  user_ball ball = {1, 0.5, 0, NAN};
  graze_placed placed = posed(graze_user(2, ball_support, &ball), identity); /* z does not count */
  const double corner = hypot(4.5, 1.5);
  assert_true(placed.hidden.bounding_radius >= corner * (1 - 1e-15) &&
              placed.hidden.bounding_radius <= corner * (1 + 1e-14) && placed.hidden.radius == 0);
  static const user_ball bad[] = {{1, -1, 0, 0},       {1, NAN, 0, 0},  {1, INFINITY, 0, 0}, {1, 0, NAN, 0},
                                  {1, 0, INFINITY, 0}, {2e40, 0, 0, 0}, {1, 0, 0, NAN}};
  for (size_t i = 0; i < COUNT(bad); i++) {
    ball = bad[i];
    graze_shape shape = graze_user(3, ball_support, &ball);
    placed = graze_place(&shape, graze_pose_at(0, 0, 0));
    assert_int_equal(placed.status, GRAZE_BAD_NUMBER);
    assert_true(placed.hidden.bounding_radius == 0 && placed.hidden.rotation[0] == 0);
  }
}

TEST(rejected) {
  graze_shape shape = graze_box(1, -1, 1);
  graze_placed placed = graze_place(&shape, graze_pose_at(0, 0, 0));
  assert_int_equal(placed.status, GRAZE_BAD_SHAPE);
  assert_true(placed.shape.as.box.half_extents.y == -1 && placed.pose.w == 1);
  shape = graze_with_margin(graze_capsule2(1, 1), 1);
  placed = graze_place(&shape, graze_pose_at(0, 0, 1));
  assert_int_equal(placed.status, GRAZE_DIM_MISMATCH);
  for (int i = 0; i < 9; i++) assert_true(placed.hidden.rotation[i] == 0);
  assert_true(placed.hidden.bounding_radius == 0 && placed.hidden.radius == 0);
  placed = graze_place(&shape, graze_pose2(0, 0, 1e41));
  assert_int_equal(placed.status, GRAZE_BAD_NUMBER);
  placed = graze_place(NULL, graze_pose_at(0, 0, 0));
  assert_int_equal(placed.status, GRAZE_BAD_SHAPE);
}

TEST(set_pose) {
  graze_vec v[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  graze_shape shape = graze_hull_points(v, 3);
  graze_pose first = graze_pose_at(1, 2, 3), next = graze_pose3((graze_vec){4, 5, 6}, 1, 2, 3, 4);
  graze_placed moved = graze_place(&shape, first), fresh = graze_place(&shape, next), kept;
  assert_int_equal(graze_set_pose(&moved, next), GRAZE_OK);
  assert_memory_equal(moved.hidden.rotation, fresh.hidden.rotation, sizeof fresh.hidden.rotation);
  assert_true(moved.pose.position.z == 6 && moved.pose.z == 4 &&
              moved.hidden.bounding_radius == fresh.hidden.bounding_radius);
  kept = moved;
  assert_int_equal(graze_set_pose(&moved, graze_pose3(next.position, 0, 0, 0, 0)), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_set_pose(&moved, graze_pose_at(NAN, 0, 0)), GRAZE_BAD_NUMBER);
  assert_memory_equal(moved.hidden.rotation, kept.hidden.rotation, sizeof kept.hidden.rotation);
  assert_true(moved.pose.position.x == 4 && moved.status == GRAZE_OK);
  graze_shape flat = graze_box2(1, 1), bad = graze_sphere(-1);
  graze_placed plane = graze_place(&flat, graze_pose2(0, 0, 0)), invalid = graze_place(&bad, first);
  assert_int_equal(graze_set_pose(&plane, next), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_set_pose(&invalid, first), GRAZE_BAD_SHAPE);
}

TEST(parts_and_their_rejections) {
  graze_shape box = graze_box(1, 1, 1);
  graze_error error;
  framed e = framed_make(&box, graze_pose_at(1, 0, 0), graze_pose_at(0, 2, 0), 0);
  assert_int_equal(graze_set_pose(&e.part, graze_pose_at(0, 0, 0)), GRAZE_UNSUPPORTED);
  assert_true(e.frame->hidden.pose.position.y == 2 && e.part.pose.position.x == 1);
  assert_int_equal(graze_set_pose(&e.whole, graze_pose_at(5, 0, 0)), GRAZE_OK);
  graze_placed moved = graze_part(&e.whole, 0, &(graze_frame){{0}});
  graze_aabb bounds;
  assert_int_equal(graze_bounds(&moved, &bounds), GRAZE_OK);
  assert_true(bounds.min.x == 5 && bounds.max.x == 7 && bounds.min.y == -1 && bounds.max.y == 1);
  assert_int_equal(graze_part(&e.whole, 1, &(graze_frame){{0}}).status, GRAZE_BAD_OPTION);
  assert_int_equal(graze_part(&e.whole, 0, NULL).status, GRAZE_BAD_OPTION);
  graze_placed alone = graze_part(&e.own, 0, NULL);
  assert_memory_equal(&alone, &e.own, sizeof alone);
  assert_int_equal(graze_part_count(&e.own), 1);
  assert_int_equal(graze_part(&e.own, 1, &(graze_frame){{0}}).status, GRAZE_BAD_OPTION);

  graze_shape shape = graze_compound_shape(e.compound);
  assert_true(shape.kind == GRAZE_COMPOUND && shape.dim == 3 && shape.margin == 0);
  assert_int_equal(graze_check(&shape, NULL, NULL), GRAZE_OK);
  shape.dim = 2;
  assert_int_equal(graze_check(&shape, NULL, &error), GRAZE_DIM_MISMATCH);
  shape.dim = 3, shape.as.compound = NULL;
  assert_int_equal(graze_check(&shape, NULL, &error), GRAZE_BAD_SHAPE);
  assert_string_equal(error.what, "parts");
  graze_placed invalid = graze_place(&shape, graze_pose_at(0, 0, 0));
  assert_int_equal(invalid.status, GRAZE_BAD_SHAPE);
  assert_int_equal(graze_part_count(&invalid), 1);
  assert_int_equal(graze_part(&invalid, 0, &(graze_frame){{0}}).status, GRAZE_BAD_SHAPE);
  assert_int_equal(graze_bounds(&invalid, &bounds), GRAZE_BAD_SHAPE);
  framed_free(&e);
}
