/* graze_judge_outline(): known outlines, every kind of validation error, rejected input, areas to the last bit, memory
 * that runs out, outlines of ten thousand vertices. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/random.h"
#include "build/outline_truth.h"
#include "build/rings.h"

static graze_vec at(double x, double y) { return (graze_vec){x, y, 0}; }

/* ---- Known outlines */

enum {
  FEW = 1 << GRAZE_FLAW_FEW_POINTS,
  ZERO = 1 << GRAZE_FLAW_ZERO_AREA,
  NEIGHBOUR = 1 << GRAZE_FLAW_REPEATED_NEIGHBOUR,
  REPEATED = 1 << GRAZE_FLAW_REPEATED_POINT,
  TOUCH = 1 << GRAZE_FLAW_EDGES_TOUCH,
  CROSS = 1 << GRAZE_FLAW_EDGES_CROSS
};

static const struct known {
  const char *name, *vertices;
  bool convex;
  graze_winding winding;
  double area;
  unsigned kinds;
} known[] = {
    {"triangle", "0 0, 1 0, 0 1", true, GRAZE_WINDING_CCW, 0.5, 0},
    {"clockwise", "0 0, 0 1, 1 0", true, GRAZE_WINDING_CW, 0.5, 0},
    {"L", "0 0, 4 0, 4 1, 1 1, 1 4, 0 4", false, GRAZE_WINDING_CCW, 7, 0},
    {"collinear vertices", "0 0, 1 0, 2 0, 2 2, 0 2", true, GRAZE_WINDING_CCW, 4, 0},
    {"near-touch", "0 0, 10 0, 10 10, 5 0x1p-45, 0 10", false, GRAZE_WINDING_CCW, 50 + 5 * 0x1p-45, 0},
    {"cross-ulp", "0 0, 10 0, 10 10, 5 -0x1p-45, 0 10", false, GRAZE_WINDING_CCW, 50 - 5 * 0x1p-45, CROSS},
    {"touch", "0 0, 10 0, 10 10, 5 0, 0 10", false, GRAZE_WINDING_CCW, 50, TOUCH},
    {"bad-edge-overlap", "0 0, 6 0, 6 2, 4 2, 4 0, 2 0, 2 2, 0 2", false, GRAZE_WINDING_CCW, 8, TOUCH},
    {"bad-bowtie", "0 0, 2 2, 2 0, 0 2", false, GRAZE_WINDING_NONE, 0, ZERO | CROSS},
    {"bad-dup", "0 0, 0 0, 1 0, 1 1, 1 1, 1 1, 0 1", true, GRAZE_WINDING_CCW, 1, NEIGHBOUR},
    {"last is first", "0 0, 1 0, 0 1, 0 0", true, GRAZE_WINDING_CCW, 0.5, NEIGHBOUR},
    {"zeros of both signs", "0 0, 1 -0.0, 0 1, -0.0 0", true, GRAZE_WINDING_CCW, 0.5, NEIGHBOUR},
    {"bad-keyhole", "0 0, 8 0, 8 8, 0 8, 0 0, 2 2, 2 6, 6 6, 6 2, 2 2", false, GRAZE_WINDING_CCW, 48, REPEATED | TOUCH},
    {"twice around", "0 0, 1 0, 0 1, 0 0, 1 0, 0 1", false, GRAZE_WINDING_CCW, 1, REPEATED | TOUCH},
    {"spike", "0 0, 2 0, 3 0, 0 2", true, GRAZE_WINDING_CCW, 3, 0},
    {"fold", "0 0, 3 0, 2 0, 0 2", false, GRAZE_WINDING_CCW, 2, TOUCH},
    {"earcut-bad-diagonals",
     "440 4152, 440 4208, 296 4192, 368 4192, 400 4200, 400 4176, 368 4192, 296 4192, 264 4200, 288 4160, 296 4192",
     false, GRAZE_WINDING_CCW, 4192, REPEATED | TOUCH},
    {"a point", "3 4", false, GRAZE_WINDING_NONE, 0, FEW | ZERO},
    {"twice the point", "3 4, 3 4", false, GRAZE_WINDING_NONE, 0, FEW | ZERO | NEIGHBOUR},
    {"a segment", "3 4, 5 6", false, GRAZE_WINDING_NONE, 0, FEW | ZERO | TOUCH},
    {"to and fro", "3 4, 5 6, 3 4, 5 6", false, GRAZE_WINDING_NONE, 0, FEW | ZERO | REPEATED | TOUCH},
    {"on one line", "0 0, 1 1, 2 2", false, GRAZE_WINDING_NONE, 0, ZERO | TOUCH},
};

TEST(known_outlines) {
  for (size_t k = 0; k < COUNT(known); k++) {
    rings all = rings_parse(known[k].vertices);
    graze_outline outline;
    graze_error error = {GRAZE_REFUTED, NULL, 7, 7};
    graze_status status = graze_judge_outline(all.points, all.point_count, NULL, &outline, &error);
    assert_int_equal(status, GRAZE_OK);
    assert_int_equal(error.status, GRAZE_OK);
    unsigned kinds = 0;
    for (size_t i = 0; i < outline.flaw_count; i++) kinds |= 1u << outline.flaws[i].kind;
    bool good = outline.convex == known[k].convex && outline.simple == (known[k].kinds == 0) &&
                outline.winding == known[k].winding && outline.area == known[k].area && kinds == known[k].kinds;
    if (!good)
      fail_msg("%s: convex %d, %s, area %a, kinds %x", known[k].name, outline.convex,
               graze_winding_text(outline.winding), outline.area, kinds);
    graze_outline_destroy(&outline);
    graze_outline_destroy(&outline); /* zeroed */
    rings_clear(&all);
    assert_null(outline.flaws);
  }
}

/* Every kind, with both indices. The vertices 0 and 9 are one run of equal neighbours, 4 repeats it. */
TEST(validation_errors) {
  const graze_vec vertices[] = {at(0, 0),  at(9, 0),  at(9, 9),  at(5, 9),   at(0, 0),
                                at(-5, 9), at(-9, 9), at(-9, 4), at(-6, 10), at(0, 0)};
  const graze_flaw flaws[] = {
      {GRAZE_FLAW_REPEATED_NEIGHBOUR, 0, 0, 0, 9}, {GRAZE_FLAW_REPEATED_POINT, 0, 9, 0, 4},
      {GRAZE_FLAW_EDGES_TOUCH, 0, 0, 0, 3},        {GRAZE_FLAW_EDGES_TOUCH, 0, 0, 0, 4},
      {GRAZE_FLAW_EDGES_TOUCH, 0, 3, 0, 8},        {GRAZE_FLAW_EDGES_TOUCH, 0, 4, 0, 8},
      {GRAZE_FLAW_EDGES_CROSS, 0, 5, 0, 7},        {GRAZE_FLAW_EDGES_CROSS, 0, 5, 0, 8},
  };
  graze_outline outline;
  assert_int_equal(graze_judge_outline(vertices, COUNT(vertices), NULL, &outline, NULL), GRAZE_OK);
  assert_int_equal(outline.flaw_count, COUNT(flaws));
  for (size_t i = 0; i < COUNT(flaws); i++) {
    const graze_flaw *flaw = &outline.flaws[i];
    bool good = flaw->kind == flaws[i].kind && flaw->index == flaws[i].index && flaw->other == flaws[i].other;
    if (!good) fail_msg("%zu: %s %zu %zu", i, graze_flaw_text(flaw->kind), flaw->index, flaw->other);
  }
  graze_outline_destroy(&outline);
}

TEST(texts) {
  static const char *const flaws[] = {"fewer_than_3_distinct_points",
                                      "zero_area",
                                      "repeated_consecutive_point",
                                      "repeated_point_elsewhere",
                                      "edges_touch",
                                      "edges_cross",
                                      "hole_outside"};
  for (int i = 0; i < (int)COUNT(flaws); i++)
    assert_string_equal(graze_flaw_text((graze_flaw_kind)(i + GRAZE_FLAW_FEW_POINTS)), flaws[i]);
  assert_string_equal(graze_flaw_text((graze_flaw_kind)99), "unknown flaw");
  assert_string_equal(graze_winding_text(GRAZE_WINDING_NONE), "none");
  assert_string_equal(graze_winding_text(GRAZE_WINDING_CCW), "ccw");
  assert_string_equal(graze_winding_text(GRAZE_WINDING_CW), "cw");
  assert_string_equal(graze_winding_text((graze_winding)99), "unknown winding");
}

/* ---- Rejected input */

static void check_rejected(const graze_vec *vertices, size_t count, graze_status status, ptrdiff_t index) {
  graze_outline outline, before;
  graze_error error;
  memset(&outline, 0x5a, sizeof outline);
  memcpy(&before, &outline, sizeof outline);
  assert_int_equal(graze_judge_outline(vertices, count, NULL, &outline, &error), status);
  assert_int_equal(error.status, status);
  assert_string_equal(error.what, "vertices");
  assert_int_equal(error.index, index);
  assert_memory_equal(&outline, &before, sizeof outline);
  assert_int_equal(graze_judge_outline(vertices, count, NULL, &outline, NULL), status);
}

TEST(rejected) {
  const graze_vec nan[] = {at(0, 0), at(1, NAN), at(1, 1)}, infinite[] = {at(0, 0), at(1, 0), at(-INFINITY, 1)};
  const graze_vec large[] = {at(1.1e40, 0), at(1, 0), at(1, 1)}, solid[] = {at(0, 0), at(1, 0), {0, 1, 1}};
  check_rejected(nan, 3, GRAZE_BAD_NUMBER, 1);
  check_rejected(infinite, 3, GRAZE_BAD_NUMBER, 2);
  check_rejected(large, 3, GRAZE_BAD_NUMBER, 0);
  check_rejected(solid, 3, GRAZE_DIM_MISMATCH, 2);
  check_rejected(nan, 0, GRAZE_BAD_SHAPE, -1);
  check_rejected(NULL, 3, GRAZE_BAD_SHAPE, -1);
  check_rejected(nan, (size_t)INT32_MAX + 1, GRAZE_BAD_SHAPE, -1);
}

/* ---- Areas */

static void check_area(const graze_vec *vertices, size_t count) {
  graze_outline outline;
  int sign;
  double area = truth_area(vertices, count, &sign);
  assert_int_equal(graze_judge_outline(vertices, count, NULL, &outline, NULL), GRAZE_OK);
  graze_winding winding = sign > 0 ? GRAZE_WINDING_CCW : sign < 0 ? GRAZE_WINDING_CW : GRAZE_WINDING_NONE;
  if (outline.area != area || outline.winding != winding)
    fail_msg("area %a, truly %a, sign %d, %zu vertices from (%a, %a)", outline.area, area, sign, count, vertices[0].x,
             vertices[0].y);
  graze_outline_destroy(&outline);
}

/* Of all magnitudes; spread over the whole range; near 2^-1022, where areas become subnormal; and twice the least
 * subnormal number away from nothing. */
TEST(areas_to_the_last_bit) {
  rng random = 0x452821e638d01377;
  static const int ranges[][2] = {{-3, 3}, {-1074, 131}, {-515, -508}, {-540, -530}, {128, 131}, {-60, 0}};
  int subnormal = 0;
  for (int i = 0; i < 40000; i++) {
    const int *range = ranges[i % (int)COUNT(ranges)];
    graze_vec v[6];
    size_t count = 3 + rng_index(&random, 4);
    for (size_t k = 0; k < count; k++) v[k] = rng_magnitude_vec(&random, 2, range[0], range[1]);
    if (rng_coin(&random)) v[0] = at(0, 0), v[1].y = 0, v[2].x = 0, count = 3;
    check_area(v, count);
    int sign;
    double area = truth_area(v, count, &sign);
    subnormal += area > 0 && area < 0x1p-1022;
  }
  if (subnormal < 4000 || subnormal > 20000) fail_msg("%d subnormal areas", subnormal);
}

/* Halfway between two subnormal areas, and a hair beside it. */
TEST(subnormal_ties) {
  for (int i = 1; i < 200; i++) { /* i·2^-1075 */
    graze_vec exact[3] = {at(0, 0), at(i * 0x1p-540, 0), at(0, 0x1p-534)};
    check_area(exact, 3);
    graze_vec more[4] = {at(0, 0), at(i * 0x1p-540, 0), at(0, 0x1p-534), at(-0x1p-1074, 0)};
    check_area(more, 4);
    graze_vec less[4] = {at(0, 0), at(i * 0x1p-540, 0), at(0, 0x1p-534), at(0x1p-1074, 0)};
    check_area(less, 4);
  }
}

/* A square of 1e40 with a corner cut by the least that there is. */
TEST(largest_and_smallest) {
  const double huge = GRAZE_LARGEST, tiny = 0x1p-1074;
  const graze_vec cut[] = {at(tiny, 0), at(huge, 0), at(huge, huge), at(0, tiny)};
  const graze_vec straight[] = {at(-huge, -huge), at(0, 0), at(huge, huge), at(-huge, huge)};
  const graze_vec bent[] = {at(-huge, -huge), at(0, tiny), at(huge, huge), at(-huge, huge)};
  const graze_vec crossing[] = {at(-huge, -huge), at(huge, huge), at(huge, -huge),
                                at(tiny, 0),      at(0, tiny),    at(-huge, huge)};
  const struct {
    const graze_vec *vertices;
    size_t count;
    bool convex, simple;
  } all[] = {{cut, 4, true, true}, {straight, 4, true, true}, {bent, 4, false, true}, {crossing, 6, false, false}};
  for (size_t i = 0; i < COUNT(all); i++) {
    graze_outline outline;
    assert_int_equal(graze_judge_outline(all[i].vertices, all[i].count, NULL, &outline, NULL), GRAZE_OK);
    assert_int_equal(outline.convex, all[i].convex);
    assert_int_equal(outline.simple, all[i].simple);
    graze_outline_destroy(&outline);
    check_area(all[i].vertices, all[i].count);
  }
}

/* ---- Memory */

/* Lets the first call fail, the second, … until all succeed; returns how many there are. */
static long fail_each(const graze_vec *vertices, size_t count, bool once) {
  graze_outline outline, before;
  graze_error error;
  memset(&outline, 0x5a, sizeof outline);
  memcpy(&before, &outline, sizeof outline);
  for (long n = 0;; n++) {
    failing_memory memory = {.fail_at = n, .once = once};
    const graze_allocator allocator = failing_allocator(&memory);
    const graze_status status = graze_judge_outline(vertices, count, &allocator, &outline, &error);
    if (status == GRAZE_OK) {
      assert_true(memory.calls == n && memory.out == (outline.flaw_count > 0));
      graze_outline_destroy(&outline);
      assert_int_equal(memory.out, 0);
      return n;
    }
    assert_true(status == GRAZE_OUT_OF_MEMORY && error.status == GRAZE_OUT_OF_MEMORY && memory.out == 0);
    assert_memory_equal(&outline, &before, sizeof outline);
  }
}

TEST(failing_allocations) {
  graze_vec vertices[60];
  for (int once = 0; once < 2; once++) {
    for (size_t k = 0; k < COUNT(known); k++) {
      rings all = rings_parse(known[k].vertices);
      assert_in_range(fail_each(all.points, all.point_count, once != 0), 6, 10);
      rings_clear(&all);
    }
    for (size_t i = 0; i < COUNT(vertices); i++) vertices[i] = at((double)(i * 37 % 60), (double)(i * i % 60));
    assert_in_range(fail_each(vertices, COUNT(vertices), once != 0), 11, 20); /* the list of pairs grows */
  }
}

/* ---- Many vertices */

/* Simple families of ten thousand vertices (Koch curves touch themselves after rounding); two vertices exchanged. */
TEST(large_outlines) {
  for (size_t k = 0; k < rings_family_count; k++) {
    const rings_family *family = &rings_families[k];
    if (!family->simple || strcmp(family->name, "Koch") == 0) continue;
    rings all = {0};
    family->make(&all, 10000, 3);
    for (int exchanged = 0; exchanged < 2; exchanged++) {
      graze_outline outline;
      graze_vec *half = &all.points[all.point_count / 2], swap = half[0];
      assert_int_equal(graze_judge_outline(all.points, all.point_count, NULL, &outline, NULL), GRAZE_OK);
      if (outline.simple == exchanged) fail_msg("%s: %zu validation errors", family->name, outline.flaw_count);
      if (strcmp(family->name, "round") != 0) assert_false(outline.convex);
      graze_outline_destroy(&outline);
      half[0] = half[40], half[40] = swap;
    }
    rings_clear(&all);
  }
}

/* {n/k}: every edge crosses 2(k - 1) others. */
TEST(star_polygon) {
  enum { POINTS = 499, STEP = 249 };
  graze_vec vertices[POINTS];
  graze_outline outline;
  for (int i = 0; i < POINTS; i++) {
    double angle = 6.283185307179586 * (i * STEP % POINTS) / POINTS;
    vertices[i] = at(1000 * cos(angle), 1000 * sin(angle));
  }
  assert_int_equal(graze_judge_outline(vertices, POINTS, NULL, &outline, NULL), GRAZE_OK);
  assert_int_equal(outline.flaw_count, POINTS * (STEP - 1));
  for (size_t i = 0; i < outline.flaw_count; i++) assert_int_equal(outline.flaws[i].kind, GRAZE_FLAW_EDGES_CROSS);
  graze_outline_destroy(&outline);
}
