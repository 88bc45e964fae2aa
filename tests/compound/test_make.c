/* Creation of compounds: rejected input, copies, and every allocation that fails. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/shapes.h"

static polygon_strip strip;
static graze_placed parts[3];

static graze_placed at(graze_shape shape, double x) { return placed_at(shape, x, 0, 0); }

static void assert_rejected(size_t count, graze_status status, ptrdiff_t index) {
  graze_compound *compound = NULL;
  graze_error error;
  assert_int_equal(graze_compound_create(parts, count, NULL, &compound, &error), status);
  assert_int_equal(graze_compound_create(parts, count, NULL, &compound, NULL), status);
  assert_null(compound);
  assert_int_equal(error.status, status);
  assert_int_equal(error.index, index);
  assert_string_equal(error.what, "parts");
}

/* A support function whose bounds contradict each other once the part is turned. */
static double inconsistent(void *context, graze_vec d, graze_vec *point) {
  (void)context;
  const bool straight = (d.x == 0) + (d.y == 0) + (d.z == 0) == 2;
  *point = straight ? vec(0, 0, 0) : scaled(-1, d);
  return 0;
}

TEST(test_rejected) {
  const graze_shape user = graze_user(3, inconsistent, NULL);
  graze_compound *compound;
  graze_error error;
  parts[0] = at(graze_box(1, 1, 1), 0), parts[1] = at(graze_sphere(1), 3), parts[2] = at(graze_box(1, 1, -1), 0);
  assert_rejected(0, GRAZE_BAD_SHAPE, -1);
  assert_rejected((size_t)INT32_MAX + 1, GRAZE_BAD_SHAPE, -1);
  assert_rejected(3, GRAZE_BAD_SHAPE, 2);
  parts[2] = at(graze_circle(1), 0);
  assert_rejected(3, GRAZE_DIM_MISMATCH, 2);
  parts[2] = at(graze_halfspace(vec(0, 0, 1), 0), 0);
  assert_rejected(3, GRAZE_UNSUPPORTED, 2);
  parts[2] = graze_place(&user, graze_pose3(vec(0, 0, 0), 1, 0.1, 0.2, 0.3));
  assert_rejected(3, GRAZE_BAD_NUMBER, 2);
  assert_int_equal(graze_compound_create(parts, 2, NULL, &compound, &error), GRAZE_OK);
  assert_true(error.status == GRAZE_OK && error.index == -1 && error.value == 0 && error.what[0] == 0);
  parts[2] = at(graze_compound_shape(compound), 0);
  assert_rejected(3, GRAZE_UNSUPPORTED, 2); /* a compound in a compound … */
  parts[2] = graze_part(&parts[2], 1, &(graze_frame){{0}});
  assert_rejected(3, GRAZE_UNSUPPORTED, 2); /* … or a part of one */
  graze_compound_destroy(compound);
  graze_compound_destroy(NULL);
}

/* Each allocation fails in turn, until none does. */
TEST(test_memory) {
  rng dice = {61};
  random_strip(&dice, 5, &strip);
  parts[0] = at(graze_box(1, 1, 1), 0), parts[1] = at(graze_sphere(1), 3), parts[2] = at(graze_point(), 5);
  for (int from_pieces = 0; from_pieces < 2; from_pieces++) {
    graze_status status = GRAZE_OUT_OF_MEMORY;
    long fail_at = 0;
    for (; status == GRAZE_OUT_OF_MEMORY; fail_at++) {
      failing_memory memory = {.fail_at = fail_at};
      const graze_allocator allocator = failing_allocator(&memory);
      graze_compound *const untouched = (graze_compound *)&memory, *compound = untouched;
      graze_error error = {.status = GRAZE_OK};
      status = from_pieces ? graze_decomposition_compound(&strip.decomposition, &allocator, &compound)
                           : graze_compound_create(parts, 3, &allocator, &compound, &error);
      assert_int_equal(memory.out, status == GRAZE_OK);
      if (status == GRAZE_OK) graze_compound_destroy(compound);
      if (status != GRAZE_OK) assert_true(compound == untouched && (from_pieces || error.status == status));
      assert_int_equal(memory.out, 0);
    }
    assert_int_equal(status, GRAZE_OK);
    assert_int_equal(fail_at, 3);
  }
}

/* A compound copies the vertices of a decomposition. */
TEST(test_copies) {
  rng dice = {62};
  graze_compound *compound;
  random_strip(&dice, 5, &strip);
  assert_int_equal(graze_decomposition_compound(&strip.decomposition, NULL, &compound), GRAZE_OK);
  const graze_placed a = at(graze_compound_shape(compound), 0), b = at(graze_circle(1), 9);
  assert_int_equal(graze_part_count(&a), 5);
  const proved_answer before = distance(&a, &b, NULL);
  memset(&strip, 0, sizeof strip);
  const proved_answer after = distance(&a, &b, NULL);
  assert_true(before.distance == after.distance && before.part_a == after.part_a && before.part_a == 4);
  graze_compound_destroy(compound);
}

static void assert_decomposition(const graze_decomposition *pieces, graze_status status) {
  graze_compound *compound = NULL;
  assert_int_equal(graze_decomposition_compound(pieces, NULL, &compound), status);
  assert_true((status == GRAZE_OK) == (compound != NULL));
  graze_compound_destroy(compound);
}

/* An internal edge is an edge of the piece on its left, and reversed of the one on its right; pieces wind
 * counter-clockwise and have an area. Here: two squares of edge 2, the second one at x, from any corner on. */
TEST(test_internal_edges) {
  static const graze_vec o = {0, 0, 0}, a = {2, 0, 0}, b = {2, 2, 0}, half = {2, 1, 0};
  static const graze_vec corner[4] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  static const size_t start[3] = {0, 4, 8};
  const struct {
    double x;
    bool clockwise;
    graze_vec from, to;
    graze_status status;
  } row[] = {{2, false, a, b, GRAZE_OK},          {2, true, a, b, GRAZE_BAD_SHAPE},
             {2, false, b, a, GRAZE_BAD_SHAPE},   {0, false, a, b, GRAZE_BAD_SHAPE}, /* both lie left of it */
             {0, true, a, b, GRAZE_BAD_SHAPE},    {0, false, o, b, GRAZE_BAD_SHAPE}, /* a diagonal */
             {2, false, a, half, GRAZE_BAD_SHAPE}};
  for (int i = 0; i < (int)COUNT(row) * 4; i++) {
    const int k = i / 4;
    graze_vec v[8];
    for (int j = 0; j < 4; j++) {
      v[j] = corner[j];
      v[4 + j] = add(corner[(i + (row[k].clockwise ? 4 - j : j)) % 4], vec(row[k].x, 0, 0));
    }
    const graze_internal_edge edge = {0, 1, row[k].from, row[k].to};
    const graze_decomposition two = {
        .vertices = v, .piece_start = start, .piece_count = 2, .internal_edges = &edge, .internal_edge_count = 1};
    assert_decomposition(&two, row[k].status);
  }
}

TEST(test_pieces) {
  static const graze_vec line[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  static const size_t starts[3][3] = {{0, 4}, {1, 4}, {0, 0, 4}};
  for (int i = 0; i < 3; i++) {
    const graze_decomposition flat = {.vertices = line, .piece_start = starts[i], .piece_count = i == 2 ? 2 : 1};
    assert_decomposition(&flat, GRAZE_BAD_SHAPE);
  }
  rng dice = {63};
  random_strip(&dice, 5, &strip);
  strip.internal_edges[2].left = 5;
  assert_decomposition(&strip.decomposition, GRAZE_BAD_SHAPE);
  strip.internal_edges[2].left = 2;
  strip.internal_edges[1].to.x += 1;
  assert_decomposition(&strip.decomposition, GRAZE_BAD_SHAPE);
  strip.corners[3] = vec(0.9, strip.corners[1].y, 0);
  assert_decomposition(&strip.decomposition, GRAZE_NOT_CONVEX);
  strip.decomposition.piece_count = 0;
  assert_decomposition(&strip.decomposition, GRAZE_BAD_SHAPE);
}
