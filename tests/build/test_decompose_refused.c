/* What graze_decompose() rejects, and where it reports the error; allocations that fail. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/random.h"
#include "build/rings.h"
#include "build/tiling.h"

typedef struct refusal {
  const char *rings;
  graze_flaw flaw;
} refusal;

static void check_refusal(const refusal *expected) {
  rings all = rings_parse(expected->rings);
  graze_ring *holes = holes_of(&all);
  graze_decomposition d, before;
  memset(&d, 0x5a, sizeof d);
  before = d;
  graze_flaw flaw = {0};
  graze_error error = {0};
  graze_status status =
      graze_decompose(rings_outline(&all), holes, all.ring_count - 1, GRAZE_SPLIT_AUTO, NULL, &d, &flaw, &error);
  assert_memory_equal(&d, &before, sizeof d);
  const graze_flaw *want = &expected->flaw;
  if (status != GRAZE_NOT_SIMPLE || flaw.kind != want->kind || flaw.ring != want->ring || flaw.index != want->index ||
      flaw.other_ring != want->other_ring || flaw.other != want->other)
    fail_msg("%s: status %d, flaw %d, %zu %zu, %zu %zu", expected->rings, (int)status, (int)flaw.kind, flaw.ring,
             flaw.index, flaw.other_ring, flaw.other);
  assert_int_equal(error.status, GRAZE_NOT_SIMPLE);
  assert_string_equal(error.what, want->ring == 0 ? "vertices" : "holes");
  assert_int_equal(error.index, want->index);
  assert_true(error.value == (double)want->ring);
  assert_int_equal(
      graze_decompose(rings_outline(&all), holes, all.ring_count - 1, GRAZE_SPLIT_AUTO, NULL, &d, NULL, NULL),
      GRAZE_NOT_SIMPLE);
  free(holes);
  rings_clear(&all);
}

TEST(validation_errors) {
#define SQUARE "0 0, 9 0, 9 9, 0 9"
  static const refusal refusals[] = {
      {"1 1", {GRAZE_FLAW_FEW_POINTS, 0, 0, 0, 0}},
      {"1 1, 2 1, 1 1, 2 1, 2 1", {GRAZE_FLAW_FEW_POINTS, 0, 0, 0, 0}},
      {"0 0, 1 1, 3 3, 2 2", {GRAZE_FLAW_ZERO_AREA, 0, 0, 0, 0}},
      {"0 0, 4 0, 4 4, 0 0, 4 4, 4 0", {GRAZE_FLAW_ZERO_AREA, 0, 0, 0, 0}}, /* there and back */
      {"0 0, 1 1, 1 0, 0 1", {GRAZE_FLAW_EDGES_CROSS, 0, 0, 0, 2}},         /* a bow tie of equal halves */
      {SQUARE "; 1 1, 2 2, 2 1, 1 2", {GRAZE_FLAW_EDGES_CROSS, 1, 0, 1, 2}},
      {SQUARE "; 0 0, 9 0, 9 9, 0 9", {GRAZE_FLAW_ZERO_AREA, 0, 0, 0, 0}}, /* nothing is left */
      {SQUARE "; 0 0, 4 0, 4 9, 0 9; 4 0, 9 0, 9 9, 4 9", {GRAZE_FLAW_ZERO_AREA, 0, 0, 0, 0}},
      {SQUARE "; 1 1, 2 2", {GRAZE_FLAW_FEW_POINTS, 1, 0, 1, 0}},
      {SQUARE "; 1 1, 2 1, 1 2; 5 5, 6 6, 7 7", {GRAZE_FLAW_ZERO_AREA, 2, 0, 2, 0}},
      {"0 0, 4 0, 0 3, 2 3", {GRAZE_FLAW_EDGES_CROSS, 0, 1, 0, 3}},
      {"0 0, 4 0, 4 4, 2 -1, 0 4", {GRAZE_FLAW_EDGES_CROSS, 0, 0, 0, 3}},
      {SQUARE "; 1 1, 10 1, 1 2", {GRAZE_FLAW_EDGES_CROSS, 0, 1, 1, 0}},
      {SQUARE "; 1 1, 3 1, 1 3; 2 1, 4 1, 1 2", {GRAZE_FLAW_EDGES_CROSS, 1, 1, 2, 1}},
      /* no edges cross */
      {SQUARE "; 20 0, 21 0, 20 1", {GRAZE_FLAW_HOLE_OUTSIDE, 1, 0, 1, 0}},
      {SQUARE "; 20 0, 29 0, 29 9, 20 9", {GRAZE_FLAW_HOLE_OUTSIDE, 1, 0, 1, 0}},
      {SQUARE "; 5 5, 9 9, 12 12, 6 9", {GRAZE_FLAW_HOLE_OUTSIDE, 1, 1, 1, 1}}, /* from its second corner on */
      {SQUARE "; 1 1, 2 1, 1 2; 9 9, 10 9, 10 10", {GRAZE_FLAW_HOLE_OUTSIDE, 2, 0, 2, 0}},
      {SQUARE "; 1 1, 5 1, 1 5; 2 2, 3 2, 2 3", {GRAZE_FLAW_HOLE_OUTSIDE, 2, 0, 2, 0}}, /* in another */
      {SQUARE "; 2 2, 3 2, 2 3; 6 6, 7 6, 6 7; 1 1, 5 1, 1 5", {GRAZE_FLAW_HOLE_OUTSIDE, 3, 0, 1, 0}},
      {"0 0, 9 0, 9 9, 0 9, 0 0, 2 2, 3 3, 3 6, 6 6, 6 3, 3 3, 2 2; 2 2, 7 2, 7 7, 2 7",
       {GRAZE_FLAW_HOLE_OUTSIDE, 1, 0, 0, 6}}, /* around a place that the outline leaves out */
      {SQUARE "; 1 1, 2 1, 1 2; 1 1, 2 1, 1 2", {GRAZE_FLAW_HOLE_OUTSIDE, 2, 0, 2, 0}}, /* twice */
      {SQUARE "; -1 -1, 10 -1, 10 10, -1 10", {GRAZE_FLAW_HOLE_OUTSIDE, 1, 0, 1, 0}},
      {"0 0, 1 0, 0 1, 0 0, 1 0, 0 1", {GRAZE_FLAW_EDGES_TOUCH, 0, 0, 0, 3}},           /* around twice */
      {"0 0, 9 0, 9 9, 0 9, 0 0, 2 1, 2 2, 1 2", {GRAZE_FLAW_EDGES_TOUCH, 0, 3, 0, 7}}, /* a second turn inside */
      {SQUARE "; 2 2, 4 2, 3 3, 4 4, 2 4, 3 3; 6 6, 7 6, 7 7, 8 8, 8 7, 7 7, 6 7",
       {GRAZE_FLAW_EDGES_TOUCH, 2, 1, 2, 4}}, /* a hole whose halves wind differently */
  };
  for (size_t i = 0; i < COUNT(refusals); i++) { check_refusal(&refusals[i]); }
}

static void expect(graze_ring outline, const graze_ring *holes, size_t count, graze_splitting how, graze_status status,
                   const char *what, ptrdiff_t index, double value) {
  graze_decomposition d, before;
  memset(&d, 0x5a, sizeof d);
  before = d;
  graze_error error = {0};
  assert_int_equal(graze_decompose(outline, holes, count, how, NULL, &d, NULL, &error), status);
  assert_memory_equal(&d, &before, sizeof d);
  assert_int_equal(error.status, status);
  assert_string_equal(error.what, what);
  assert_int_equal(error.index, index);
  assert_true(error.value == value || (error.value != error.value && value != value));
}

TEST(rejected_arguments) {
  graze_vec square[4] = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}}, tip[3] = {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}};
  graze_ring outline = {square, 4}, hole = {tip, 3}, none = {square, 0}, null = {NULL, 3};
  const graze_splitting how = GRAZE_SPLIT_AUTO;
  expect(none, NULL, 0, how, GRAZE_BAD_SHAPE, "vertices", -1, 0);
  expect(null, NULL, 0, how, GRAZE_BAD_SHAPE, "vertices", -1, 3);
  expect(outline, NULL, 2, how, GRAZE_BAD_SHAPE, "holes", -1, 2);
  expect(outline, &none, 1, how, GRAZE_BAD_SHAPE, "holes", -1, 1);
  expect(outline, NULL, 0, (graze_splitting)7, GRAZE_BAD_OPTION, "splitting", -1, 7);
  expect(outline, &hole, 1, GRAZE_SPLIT_FEWEST, GRAZE_UNSUPPORTED, "splitting", -1, GRAZE_SPLIT_FEWEST);
  static const double wrong[] = {NAN, INFINITY, -INFINITY, 1.1e40};
  for (int k = 0; k < 4; k++) {
    square[2].x = wrong[k];
    expect(outline, NULL, 0, how, GRAZE_BAD_NUMBER, "vertices", 2, wrong[k]);
    square[2].x = 9, tip[1].y = wrong[k];
    expect(outline, &hole, 1, how, GRAZE_BAD_NUMBER, "holes", 1, 1);
    tip[1].y = 1;
  }
  square[3].z = 1;
  expect(outline, NULL, 0, how, GRAZE_DIM_MISMATCH, "vertices", 3, 1);
  square[3].z = 0, tip[0].z = -1;
  expect(outline, &hole, 1, how, GRAZE_DIM_MISMATCH, "holes", 0, 1);
  tip[0].z = 0;
  graze_vec touching[6] = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1, 0}};
  expect((graze_ring){touching, 6}, NULL, 0, GRAZE_SPLIT_FEWEST, GRAZE_UNSUPPORTED, "splitting", -1,
         GRAZE_SPLIT_FEWEST);
  graze_vec upon[5] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, 0, 0}, {0, 4, 0}}; /* a vertex upon an edge */
  expect((graze_ring){upon, 5}, NULL, 0, GRAZE_SPLIT_FEWEST, GRAZE_UNSUPPORTED, "splitting", -1, GRAZE_SPLIT_FEWEST);
}

/* Any two edges of rings that cross are found, whatever else lies there: random chords of a polygon. Seed 3. */
TEST(all_crossings_are_found) {
  uint64_t seed = 3;
  size_t crossed = 0, fine = 0, flat = 0;
  for (int t = 0; t < 3000; t++) {
    graze_vec v[7];
    for (int i = 0; i < 7; i++) v[i] = (graze_vec){(double)rng_index(&seed, 6), (double)rng_index(&seed, 6), 0};
    bool cross = false;
    for (int i = 0; i < 7; i++) {
      for (int j = 0; j < i; j++) {
        graze_vec a = v[i], b = v[(i + 1) % 7], c = v[j], d = v[(j + 1) % 7];
        cross = cross ||
                (tiling_turn(a, b, c) * tiling_turn(a, b, d) < 0 && tiling_turn(c, d, a) * tiling_turn(c, d, b) < 0);
      }
    }
    graze_decomposition d = {0};
    graze_flaw flaw = {0};
    graze_ring ring = {v, 7};
    graze_status status = graze_decompose(ring, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &d, &flaw, NULL);
    if (status == GRAZE_OK) {
      assert_false(cross);
      const char *fault = tiling_fault(ring, NULL, 0, &d);
      if (fault != NULL) fail_msg("polygon %d: %s", t, fault);
      fine++;
    } else {
      assert_int_equal(status, GRAZE_NOT_SIMPLE);
      flat += flaw.kind == GRAZE_FLAW_ZERO_AREA;
      if (flaw.kind != GRAZE_FLAW_FEW_POINTS) assert_int_equal(flaw.kind == GRAZE_FLAW_EDGES_CROSS, cross);
      if (flaw.kind == GRAZE_FLAW_EDGES_CROSS) {
        graze_vec a = v[flaw.index], b = v[(flaw.index + 1) % 7], c = v[flaw.other], e = v[(flaw.other + 1) % 7];
        assert_true(flaw.index < flaw.other && tiling_turn(a, b, c) * tiling_turn(a, b, e) < 0);
        assert_true(tiling_turn(c, e, a) * tiling_turn(c, e, b) < 0);
        crossed++;
      }
    }
    graze_decomposition_destroy(&d);
  }
  print_message("%zu fine, %zu with edges that cross, %zu without area\n", fine, crossed, flat);
  assert_true(fine > 60 && crossed > 2000 && flat > 0);
}

/* ---- Allocations that fail: the n-th one, for all n. */

TEST(failing_allocations) {
  for (size_t f = 0; f < rings_family_count; f++) {
    rings all = {0};
    rings_families[f].make(&all, 60, 4);
    graze_ring *holes = holes_of(&all);
    for (int most = 0;; most++) {
      assert_true(most < 10);
      failing_memory memory = {.fail_at = most};
      const graze_allocator allocator = failing_allocator(&memory);
      graze_decomposition d, before;
      memset(&d, 0x5a, sizeof d);
      before = d;
      graze_status status =
          graze_decompose(rings_outline(&all), holes, all.ring_count - 1, GRAZE_SPLIT_AUTO, &allocator, &d, NULL, NULL);
      if (status == GRAZE_OK) {
        assert_int_equal(memory.out, 1);
        assert_null(tiling_fault(rings_outline(&all), holes, all.ring_count - 1, &d));
        graze_decomposition_destroy(&d);
        assert_int_equal(memory.out, 0);
        assert_true(most >= 3);
        break;
      }
      assert_int_equal(status, GRAZE_OUT_OF_MEMORY);
      assert_int_equal(memory.out, 0);
      assert_memory_equal(&d, &before, sizeof d);
    }
    free(holes);
    rings_clear(&all);
  }
  graze_decomposition zero = {0};
  graze_decomposition_destroy(&zero);
}
