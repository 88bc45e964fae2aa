/* Making compounds: what is refused and why, copies, any allocation that fails, what becomes of the question's other
 * options. */

#include "support/test.h"

#include <limits.h>

#include "support/compounds.h"

static polygon_strip strip;
static graze_placed parts[3];
static graze_compound *compound;
static graze_error error;

static graze_placed at(graze_shape shape, double x) { return graze_place(&shape, graze_pose_at(x, 0, 0)); }

static void expect_refused(size_t count, graze_status status, ptrdiff_t index) {
  compound = NULL;
  assert_int_equal(graze_compound_create(parts, count, NULL, &compound, &error), status);
  assert_int_equal(graze_compound_create(parts, count, NULL, &compound, NULL), status);
  assert_null(compound);
  assert_int_equal(error.status, status);
  assert_int_equal(error.index, index);
  assert_string_equal(error.what, "parts");
}

/* A support function whose bounds contradict one another once the part is turned. */
static double crazy(void *context, graze_vec direction, graze_vec *point) {
  (void)context;
  bool straight = (direction.x == 0) + (direction.y == 0) + (direction.z == 0) == 2;
  *point = straight ? (graze_vec){0, 0, 0} : (graze_vec){-direction.x, -direction.y, -direction.z};
  return 0;
}

TEST(test_refused) {
  parts[0] = at(graze_box(1, 1, 1), 0), parts[1] = at(graze_sphere(1), 3), parts[2] = at(graze_box(1, 1, -1), 0);
  expect_refused(0, GRAZE_BAD_SHAPE, -1);
  expect_refused((size_t)INT32_MAX + 1, GRAZE_BAD_SHAPE, -1);
  expect_refused(3, GRAZE_BAD_SHAPE, 2);
  parts[2] = at(graze_circle(1), 0);
  expect_refused(3, GRAZE_DIM_MISMATCH, 2);
  parts[2] = at(graze_halfspace((graze_vec){0, 0, 1}, 0), 0);
  expect_refused(3, GRAZE_UNSUPPORTED, 2);
  graze_shape user = graze_user(3, crazy, NULL);
  parts[2] = graze_place(&user, graze_pose3((graze_vec){0, 0, 0}, 1, 0.1, 0.2, 0.3));
  expect_refused(3, GRAZE_BAD_NUMBER, 2);
  assert_int_equal(graze_compound_create(parts, 2, NULL, &compound, &error), GRAZE_OK);
  assert_true(error.status == GRAZE_OK && error.index == -1 && error.value == 0 && error.what[0] == 0);
  graze_shape shape = graze_compound_shape(compound);
  parts[2] = at(shape, 0);
  expect_refused(3, GRAZE_UNSUPPORTED, 2); /* a compound in a compound … */
  graze_compound *inner = parts[2].shape.compound == NULL ? NULL : (graze_compound *)(uintptr_t)shape.compound;
  parts[2] = graze_part(&parts[2], 1);
  expect_refused(3, GRAZE_UNSUPPORTED, 2); /* … or a part of one */
  graze_compound_destroy(inner);
  graze_compound_destroy(NULL);
}

/* Of every allocation in turn, and with room for all. */
TEST(test_memory) {
  rng dice = {61};
  random_strip(&dice, 5, &strip);
  parts[0] = at(graze_box(1, 1, 1), 0), parts[1] = at(graze_sphere(1), 3), parts[2] = at(graze_point(), 5);
  for (int way = 0; way < 2; way++) {
    graze_status status = GRAZE_OUT_OF_MEMORY;
    long fail_at = 0;
    for (; status == GRAZE_OUT_OF_MEMORY; fail_at++) {
      failing_memory memory = {.fail_at = fail_at};
      graze_allocator allocator = failing_allocator(&memory);
      compound = (graze_compound *)&memory;
      error.status = GRAZE_OK;
      status = way == 0 ? graze_compound_create(parts, 3, &allocator, &compound, &error)
                        : graze_decomposition_compound(&strip.decomposition, &allocator, &compound);
      assert_int_equal(memory.out, status == GRAZE_OK);
      if (status == GRAZE_OK)
        graze_compound_destroy(compound);
      else
        assert_true(compound == (graze_compound *)&memory && (way == 1 || error.status == status));
      assert_int_equal(memory.out, 0);
    }
    assert_int_equal(status, GRAZE_OK);
    assert_int_equal(fail_at, 3);
  }
}

/* Parts and, of a decomposition, vertices are copies. */
TEST(test_copies) {
  graze_answer before, after;
  rng dice = {62};
  random_strip(&dice, 5, &strip);
  assert_int_equal(graze_decomposition_compound(&strip.decomposition, NULL, &compound), GRAZE_OK);
  graze_shape shape = graze_compound_shape(compound), point = graze_point2();
  graze_placed a = at(shape, 0), b = at(point, 7);
  memset(&before, 0, sizeof before), memset(&after, 0, sizeof after);
  assert_int_equal(graze_part_count(&a), 5);
  assert_int_equal(graze_distance(&a, &b, NULL, &before), GRAZE_OK);
  memset(&strip, 0, sizeof strip);
  assert_int_equal(graze_distance(&a, &b, NULL, &after), GRAZE_OK);
  assert_true(before.distance == after.distance && before.part_a == after.part_a && before.part_a == 4);
  graze_compound_destroy(compound);
}

/* Squares of edge 2 at `x`, the second one from corner `first` on, with a seam from the first to the second: what
 * nobody decomposed. */
static graze_status make_squares(double x, int first, bool clockwise, graze_vec from, graze_vec to) {
  static const double corner[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  static const size_t start[3] = {0, 4, 8};
  graze_vec v[8];
  graze_seam seam = {0, 1, from, to};
  for (int i = 0; i < 4; i++) {
    int k = (first + (clockwise ? 4 - i : i)) % 4;
    v[i] = (graze_vec){corner[i][0], corner[i][1], 0};
    v[4 + i] = (graze_vec){x + corner[k][0], corner[k][1], 0};
  }
  graze_decomposition made = {.vertices = v, .piece_start = start, .piece_count = 2, .seams = &seam, .seam_count = 1};
  compound = NULL;
  graze_status status = graze_decomposition_compound(&made, NULL, &compound);
  assert_true((status == GRAZE_OK) == (compound != NULL));
  graze_compound_destroy(compound);
  return status;
}

/* A seam is an edge of the piece on its left, and in reverse of the one on its right; pieces wind counter-clockwise and
 * have an area. */
TEST(test_by_hand) {
  const graze_vec o = {0, 0, 0}, a = {2, 0, 0}, b = {2, 2, 0}, half = {2, 1, 0};
  for (int first = 0; first < 4; first++) {
    assert_int_equal(make_squares(2, first, false, a, b), GRAZE_OK);
    assert_int_equal(make_squares(2, first, true, a, b), GRAZE_BAD_SHAPE);
    assert_int_equal(make_squares(2, first, false, b, a), GRAZE_BAD_SHAPE);
    assert_int_equal(make_squares(0, first, false, a, b), GRAZE_BAD_SHAPE); /* both lie left of it */
    assert_int_equal(make_squares(0, first, true, a, b), GRAZE_BAD_SHAPE);
    assert_int_equal(make_squares(0, first, false, o, b), GRAZE_BAD_SHAPE); /* a diagonal */
    assert_int_equal(make_squares(2, first, false, a, half), GRAZE_BAD_SHAPE);
  }
  static const graze_vec line[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  static const size_t start[2] = {0, 4}, empty[3] = {0, 0, 4}, late[2] = {1, 4};
  graze_decomposition flat = {.vertices = line, .piece_start = start, .piece_count = 1};
  assert_int_equal(graze_decomposition_compound(&flat, NULL, &compound), GRAZE_BAD_SHAPE);
  flat.piece_start = late;
  assert_int_equal(graze_decomposition_compound(&flat, NULL, &compound), GRAZE_BAD_SHAPE);
  flat.piece_start = empty, flat.piece_count = 2;
  assert_int_equal(graze_decomposition_compound(&flat, NULL, &compound), GRAZE_BAD_SHAPE);
}

/* Pieces that are not convex, and seams that are no edges of theirs, are refused: nobody else made them. */
TEST(test_decomposition) {
  rng dice = {63};
  random_strip(&dice, 5, &strip);
  compound = NULL;
  strip.seams[2].left = 5;
  assert_int_equal(graze_decomposition_compound(&strip.decomposition, NULL, &compound), GRAZE_BAD_SHAPE);
  strip.seams[2].left = 2;
  strip.seams[1].to.x += 1;
  assert_int_equal(graze_decomposition_compound(&strip.decomposition, NULL, &compound), GRAZE_BAD_SHAPE);
  strip.corners[3] = (graze_vec){0.9, strip.corners[1].y, 0};
  assert_int_equal(graze_decomposition_compound(&strip.decomposition, NULL, &compound), GRAZE_NOT_CONVEX);
  strip.decomposition.piece_count = 0;
  assert_int_equal(graze_decomposition_compound(&strip.decomposition, NULL, &compound), GRAZE_BAD_SHAPE);
  assert_null(compound);
}
