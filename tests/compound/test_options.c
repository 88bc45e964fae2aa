/* Options of queries about compounds: methods, cut-offs, tolerance, budgets, surface, parts, cache and trace; contact
 * manifolds; rejected input. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/query.h"
#include "support/shapes.h"

enum { ROW = 10 };

static graze_compound *compound;
static graze_placed row, box, distant; /* ten boxes side by side; a box above number 6; a distant ball */
static proved_answer answer;

static int set_up(void **state) {
  (void)state;
  graze_placed parts[ROW];
  for (int i = 0; i < ROW; i++) parts[i] = placed_at(graze_box(1, 1, 1), 3 * i, 0, 0);
  compound = compound_of(parts, ROW);
  row = placed_at(graze_compound_shape(compound), 0, 0, 0);
  box = placed_at(graze_box(0.5, 0.5, 0.5), 18, 2, 0.25);
  distant = placed_at(graze_sphere(1), 18, 1000, 0);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  graze_compound_destroy(compound);
  return 0;
}

TEST_WITH(test_rejected, set_up, tear_down) {
  const graze_placed flat = placed_at(graze_circle(1), 0, 0, 0), bad = placed_at(graze_sphere(-1), 0, 0, 0);
  graze_contact contact;
  size_t count;
  bool holds;
  graze_axis axis;
  graze_vec point;
  graze_pair pair;
  graze_options options = graze_default_options();
  const graze_method methods[] = {GRAZE_METHOD_GJK, GRAZE_METHOD_EXACT, GRAZE_METHOD_EPA, METHOD_SAT, METHOD_BRUTE};
  for (size_t i = 0; i < COUNT(methods); i++) {
    options.method = methods[i];
    assert_int_equal(query_intersect(&row, &box, &options, &answer), GRAZE_UNSUPPORTED);
    assert_int_equal(query_distance(&box, &row, &options, &answer), GRAZE_UNSUPPORTED);
  }
  assert_int_equal(graze_compare_axes(&row, &box, NULL, NULL, NULL, &axis), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_compare_axes(&box, &row, NULL, NULL, NULL, &axis), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_compare_minkowski(&row, &box, GRAZE_MINKOWSKI_SUM, NULL, &point, &pair, 1, &count, &holds),
                   GRAZE_UNSUPPORTED);
  assert_int_equal(query_manifold(&row, &box, NULL, &answer, &contact, 0, &count), GRAZE_NO_SPACE);
  assert_int_equal(query_intersect(&row, &flat, NULL, &answer), GRAZE_DIM_MISMATCH);
  assert_int_equal(query_distance(&bad, &row, NULL, &answer), GRAZE_BAD_SHAPE);
  options = graze_default_options(), options.clearance = -1;
  assert_int_equal(query_distance(&row, &box, &options, &answer), GRAZE_BAD_OPTION);
  options.clearance = 0, options.tolerance = NAN;
  assert_int_equal(query_intersect(&row, &box, &options, &answer), GRAZE_BAD_OPTION);
}

TEST_WITH(test_named_parts, set_up, tear_down) {
  answer = distance(&row, &box, NULL);
  assert_true(answer.relation == GRAZE_SEPARATED && answer.distance == 0.5 && answer.normal.y == 1);
  assert_true(answer.part_a == 6 && answer.part_b == 0 && answer.certificate.parts == NULL &&
              answer.certificate.part_count == 0);
  assert_in_range(answer.pairs_tested, 1, 3);
  answer = distance(&box, &row, NULL);
  assert_true(answer.part_a == 0 && answer.part_b == 6 && answer.normal.y == -1);
  answer = distance(&box, &distant, NULL);
  assert_true(answer.part_a == 0 && answer.part_b == 0 && answer.pairs_tested == 0);
}

/* One pair is tested even where bounds suffice, so that the answer has a certificate. */
TEST_WITH(test_distant, set_up, tear_down) {
  graze_options options = graze_default_options();
  answer = intersect(&row, &distant, NULL);
  assert_true(answer.relation == GRAZE_SEPARATED && answer.pairs_tested == 1 && isnan(answer.distance));
  assert_int_equal(answer.certificate.kind, GRAZE_CERTIFICATE_SEPARATED);
  options.max_distance = 5;
  answer = distance(&distant, &row, &options);
  assert_true(answer.stopped == GRAZE_STOP_CUTOFF && answer.pairs_tested == 1);
  assert_true(answer.lower >= 5 && answer.lower <= 998);
}

/* With a tolerance, or (seed 72) few iterations and a small workspace: the relation stays exact, the interval true. */
TEST_WITH(test_tolerance_and_budget, set_up, tear_down) {
  uint64_t workspace[128];
  long stopped = 0;
  for (int budget = 0; budget < 2; budget++) {
    rng dice = {71 + (uint64_t)budget};
    for (int i = 0; i < 300; i++) {
      compound_fixture other;
      graze_options options = graze_default_options();
      random_compound(&dice, 3, 20, budget, &other);
      const graze_shape shape = graze_compound_shape(other.compound);
      const graze_placed b = place(&shape, random_grid_pose(&dice, 3, 12));
      if (budget) {
        options.workspace = workspace, options.workspace_size = sizeof workspace;
        options.max_iterations = 1 + rng_below(&dice, 4);
      } else {
        options.tolerance = rng_uniform(&dice, 0, 0.2);
      }
      const proved_answer exact = distance(&row, &b, NULL);
      answer = distance(&row, &b, &options);
      assert_true(answer.relation == exact.relation || (budget && answer.relation == GRAZE_UNDECIDED));
      assert_true(answer.lower <= exact.upper && exact.lower <= answer.upper);
      assert_true(budget || answer.upper - answer.lower <= options.tolerance);
      stopped += budget && answer.stopped == GRAZE_STOP_BUDGET;
      graze_compound_destroy(other.compound);
    }
  }
  assert_in_range(stopped, 50, 300);
}

TEST_WITH(test_contacts, set_up, tear_down) {
  graze_contact contacts[8];
  size_t count = 99;
  graze_manifold_options options = graze_default_manifold_options();
  const graze_placed resting = placed_at(graze_box(0.5, 0.5, 0.5), 18, 1.25, 0);
  assert_int_equal(query_manifold(&row, &resting, NULL, &answer, contacts, 8, &count), GRAZE_OK);
  assert_true(answer.relation == GRAZE_OVERLAPPING && answer.part_a == 6 && count == 4);
  for (int i = 0; i < 4; i++) assert_true(fabs(contacts[i].depth - 0.25) < 1e-12 && contacts[i].point_b.y == 0.75);
  options.speculative_distance = 1;
  assert_int_equal(query_manifold(&distant, &row, &options, &answer, contacts, 8, &count), GRAZE_OK);
  assert_true(count == 0 && answer.relation == GRAZE_SEPARATED && answer.distance > 1);
}

static void count_steps(void *context, const graze_trace_step *step) {
  (void)step;
  ++*(int *)context;
}

/* The surface is that of the deciding pair, and everything is proved; cache and trace are not written. */
TEST_WITH(test_surface, set_up, tear_down) {
  static const graze_vec corners[4] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const graze_placed deep = placed_at(graze_hull_points(corners, 4), 16, 1, 0.5);
  int steps = 0;
  graze_surface surface;
  graze_cache cache = {.count = 77};
  graze_part_proof proofs[ROW];
  graze_options options = graze_default_options();
  options.workspace_size = graze_workspace_size(256);
  options.workspace = malloc(options.workspace_size);
  options.surface = &surface, options.cache = &cache, options.tracer = &(graze_tracer){count_steps, &steps};
  options.parts = proofs, options.part_capacity = ROW;
  assert_non_null(options.workspace);
  for (int k = 0; k < 2; k++) {
    const graze_placed *a = k == 0 ? &row : &deep, *b = k == 0 ? &deep : &row;
    assert_int_equal(query_distance(a, b, &options, &answer), GRAZE_OK);
    assert_true(answer.relation == GRAZE_OVERLAPPING && answer.certificate.surface == &surface);
    assert_true(cache.count == 77 && steps == 0 && answer.certificate.part_count == ROW);
    assert_int_equal(verify_answer(a, b, &options, &answer), GRAZE_OK);
  }
  options.parts = NULL;
  answer = distance(&row, &deep, &options);
  assert_true(answer.certificate.surface == &surface && answer.certificate.parts == NULL);
  free(options.workspace);
}

/* A convex pair has one part proof, and the same answer as without. */
TEST_WITH(test_one_part, set_up, tear_down) {
  graze_part_proof proof;
  int steps = 0;
  graze_options options = graze_default_options();
  const proved_answer plain = distance(&box, &distant, NULL);
  options.parts = &proof;
  assert_int_equal(query_distance(&box, &distant, &options, &answer), GRAZE_NO_SPACE);
  options.part_capacity = 1, options.tracer = &(graze_tracer){count_steps, &steps};
  assert_int_equal(query_distance(&box, &distant, &options, &answer), GRAZE_OK);
  assert_true(answer.distance == plain.distance && answer.lower == plain.lower && answer.upper == plain.upper);
  assert_true(answer.certificate.parts == &proof && answer.certificate.part_count == 1 && answer.pairs_tested == 0 &&
              steps > 0);
  assert_int_equal(verify_answer(&box, &distant, &options, &answer), GRAZE_OK);
}

/* With a support function among the parts every answer depends on it, pruned pairs included. */
TEST_WITH(test_conditional, set_up, tear_down) {
  double radius = 1;
  const graze_placed parts[2] = {placed_at(graze_sphere(1), 0, 0, 0), placed_at(user_ball(3, &radius), 100, 0, 0)};
  graze_compound *mixed = compound_of(parts, 2);
  const graze_placed a = placed_at(graze_compound_shape(mixed), 0, 0, 0), near_ball = placed_at(graze_point(), 3, 0, 0);
  const graze_placed near_user = placed_at(graze_point(), 97, 0, 0);
  answer = distance(&a, &near_ball, NULL);
  assert_true(answer.conditional && answer.distance == 2 && answer.part_a == 0);
  answer = distance(&near_user, &a, NULL);
  assert_true(answer.conditional && fabs(answer.distance - 2) < 1e-9 && answer.part_b == 1);
  assert_false(distance(&row, &near_user, NULL).conditional);
  graze_compound_destroy(mixed);
}
