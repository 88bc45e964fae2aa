/* What the options mean for compounds: methods, cut-offs, tolerance, surface, parts, cache and trace; contact
 * manifolds; what is refused, and that no other question takes a compound. */

#include "support/test.h"
#include "support/compounds.h"

enum { ROW = 10 };

static graze_compound *compound;
static graze_placed row, box, far; /* ten boxes side by side; a box above number 6; one far away */
static graze_answer answer;

static graze_placed at(graze_shape shape, double x, double y, double z) {
  return graze_place(&shape, graze_pose_at(x, y, z));
}

static int set_up(void **unused) {
  (void)unused;
  graze_placed parts[ROW];
  for (int i = 0; i < ROW; i++) parts[i] = at(graze_box(1, 1, 1), 3 * i, 0, 0);
  if (graze_compound_create(parts, ROW, NULL, &compound, NULL) != GRAZE_OK) return -1;
  row = at(graze_compound_shape(compound), 0, 0, 0);
  box = at(graze_box(0.5, 0.5, 0.5), 18, 2, 0.25);
  far = at(graze_sphere(1), 18, 1000, 0);
  return 0;
}

static int tear_down(void **unused) {
  (void)unused;
  graze_compound_destroy(compound);
  return 0;
}

TEST_WITH(test_methods, set_up, tear_down) {
  graze_contact contact;
  size_t count;
  bool holds;
  graze_axis axis;
  graze_vec point;
  graze_pair pair;
  graze_options options = graze_default_options();
  for (int method = GRAZE_METHOD_GJK; method <= GRAZE_METHOD_BRUTE; method++) {
    options.method = (graze_method)method;
    assert_int_equal(graze_intersect(&row, &box, &options, &answer), GRAZE_UNSUPPORTED);
    assert_int_equal(graze_distance(&box, &row, &options, &answer), GRAZE_UNSUPPORTED);
    assert_int_equal(graze_manifold(&row, &row, &options, &answer, &contact, 1, &count), GRAZE_UNSUPPORTED);
  }
  assert_int_equal(graze_sat(&row, &box, NULL, NULL, NULL, &axis), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_sat(&box, &row, NULL, NULL, NULL, &axis), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_minkowski(&row, &box, GRAZE_MINKOWSKI_SUM, NULL, &point, &pair, 1, &count, &holds),
                   GRAZE_UNSUPPORTED);
  assert_int_equal(graze_manifold(&row, &box, NULL, &answer, &contact, 0, &count), GRAZE_NO_ROOM);
}

TEST_WITH(test_refused, set_up, tear_down) {
  graze_options options = graze_default_options();
  graze_placed flat = at(graze_circle(1), 0, 0, 0), bad = at(graze_sphere(-1), 0, 0, 0);
  assert_int_equal(graze_intersect(&row, &flat, NULL, &answer), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_distance(&bad, &row, NULL, &answer), GRAZE_BAD_SHAPE);
  options.clearance = -1;
  assert_int_equal(graze_distance(&row, &box, &options, &answer), GRAZE_BAD_OPTION);
  options.clearance = 0, options.tolerance = NAN;
  assert_int_equal(graze_intersect(&row, &box, &options, &answer), GRAZE_BAD_OPTION);
}

TEST_WITH(test_named, set_up, tear_down) {
  assert_int_equal(graze_distance(&row, &box, NULL, &answer), GRAZE_OK);
  assert_true(answer.relation == GRAZE_SEPARATED && answer.distance == 0.5 && answer.normal.y == 1);
  assert_true(answer.part_a == 6 && answer.part_b == 0 && answer.parts == NULL && answer.part_count == 0);
  assert_in_range(answer.pairs_tested, 1, 3);
  assert_int_equal(graze_distance(&box, &row, NULL, &answer), GRAZE_OK);
  assert_true(answer.part_a == 0 && answer.part_b == 6 && answer.normal.y == -1);
  assert_int_equal(graze_distance(&box, &far, NULL, &answer), GRAZE_OK);
  assert_true(answer.part_a == 0 && answer.part_b == 0 && answer.pairs_tested == 0);
}

/* Even where bounds would do, one pair is asked about, so that an answer has a certificate. */
TEST_WITH(test_far, set_up, tear_down) {
  graze_options options = graze_default_options();
  assert_int_equal(graze_intersect(&row, &far, NULL, &answer), GRAZE_OK);
  assert_true(answer.relation == GRAZE_SEPARATED && answer.pairs_tested == 1 && isnan(answer.distance));
  assert_int_equal(answer.certificate.kind, GRAZE_CERTIFICATE_SEPARATED);
  options.max_distance = 5;
  assert_int_equal(graze_distance(&far, &row, &options, &answer), GRAZE_OK);
  assert_true(answer.stopped == GRAZE_STOP_CUTOFF && answer.lower >= 5 && answer.lower <= 998 &&
              answer.pairs_tested == 1);
}

TEST_WITH(test_tolerance, set_up, tear_down) {
  graze_options options = graze_default_options();
  graze_answer exact;
  rng dice = {71};
  for (int i = 0; i < 300; i++) {
    compound_fixture other;
    random_compound(&dice, 3, 20, false, &other);
    graze_shape shape = graze_compound_shape(other.compound);
    graze_placed b = graze_place(&shape, random_grid_pose(&dice, 3, 12));
    options.tolerance = rng_uniform(&dice, 0, 0.2);
    assert_int_equal(graze_distance(&row, &b, NULL, &exact), GRAZE_OK);
    assert_int_equal(graze_distance(&row, &b, &options, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, exact.relation);
    assert_true(answer.lower <= exact.upper && exact.lower <= answer.upper);
    assert_true(answer.upper - answer.lower <= options.tolerance);
    graze_compound_destroy(other.compound);
  }
}

/* Few iterations and little room: the relation of polytopes stays exact, the interval true. */
TEST_WITH(test_budget, set_up, tear_down) {
  long stopped = 0;
  uint64_t room[128];
  graze_options options = graze_default_options();
  graze_answer exact;
  rng dice = {72};
  options.workspace = room, options.workspace_size = sizeof room;
  for (int i = 0; i < 300; i++) {
    compound_fixture other;
    random_compound(&dice, 3, 20, true, &other);
    graze_shape shape = graze_compound_shape(other.compound);
    graze_placed b = graze_place(&shape, random_grid_pose(&dice, 3, 12));
    options.max_iterations = 1 + rng_below(&dice, 4);
    assert_int_equal(graze_distance(&b, &row, NULL, &exact), GRAZE_OK);
    assert_int_equal(graze_distance(&b, &row, &options, &answer), GRAZE_OK);
    assert_true(answer.relation == exact.relation || answer.relation == GRAZE_UNDECIDED);
    assert_true(answer.lower <= exact.upper && exact.lower <= answer.upper);
    stopped += answer.stopped == GRAZE_STOP_BUDGET;
    graze_compound_destroy(other.compound);
  }
  assert_in_range(stopped, 50, 300);
}

TEST_WITH(test_contacts, set_up, tear_down) {
  graze_contact contacts[8];
  size_t count = 99;
  graze_options options = graze_default_options();
  graze_placed resting = at(graze_box(0.5, 0.5, 0.5), 18, 1.25, 0);
  assert_int_equal(graze_manifold(&row, &resting, NULL, &answer, contacts, 8, &count), GRAZE_OK);
  assert_true(answer.relation == GRAZE_OVERLAPPING && answer.part_a == 6 && count == 4);
  for (int i = 0; i < 4; i++) assert_true(fabs(contacts[i].depth - 0.25) < 1e-12 && contacts[i].point_b.y == 0.75);
  options.max_distance = 1;
  assert_int_equal(graze_manifold(&far, &row, &options, &answer, contacts, 8, &count), GRAZE_OK);
  assert_true(count == 0 && answer.stopped == GRAZE_STOP_CUTOFF);
}

static void trace(void *context, const graze_trace_step *step) {
  (void)step;
  ++*(int *)context;
}

/* The surface is the deciding pair's, and all is proved; cache and trace are left alone. */
TEST_WITH(test_surface, set_up, tear_down) {
  int steps = 0;
  graze_surface surface;
  graze_cache cache = {.count = 77};
  graze_part_proof proofs[ROW];
  graze_options options = graze_default_options();
  graze_placed deep = at(graze_hull((const graze_vec[]){{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 4), 16, 1, 0.5);
  options.workspace_size = graze_workspace_size(256);
  options.workspace = malloc(options.workspace_size);
  options.surface = &surface, options.cache = &cache, options.trace = trace, options.trace_context = &steps;
  options.parts = proofs, options.part_capacity = ROW;
  assert_non_null(options.workspace);
  for (int k = 0; k < 2; k++) {
    const graze_placed *a = k == 0 ? &row : &deep, *b = k == 0 ? &deep : &row;
    assert_int_equal(graze_distance(a, b, &options, &answer), GRAZE_OK);
    assert_true(answer.relation == GRAZE_OVERLAPPING && answer.certificate.surface == &surface);
    assert_true(cache.count == 77 && steps == 0 && answer.part_count == ROW);
    assert_int_equal(graze_verify(a, b, &options, &answer), GRAZE_OK);
  }
  options.parts = NULL;
  assert_int_equal(graze_distance(&row, &deep, &options, &answer), GRAZE_OK);
  assert_true(answer.certificate.surface == &surface && answer.parts == NULL);
  free(options.workspace);
}

/* A convex pair asked for its parts has one, and otherwise answers as ever. */
TEST_WITH(test_one_part, set_up, tear_down) {
  graze_part_proof proof;
  graze_answer plain;
  int steps = 0;
  graze_options options = graze_default_options();
  memset(&plain, 0, sizeof plain);
  assert_int_equal(graze_distance(&box, &far, NULL, &plain), GRAZE_OK);
  options.parts = &proof;
  assert_int_equal(graze_distance(&box, &far, &options, &answer), GRAZE_NO_ROOM);
  options.part_capacity = 1, options.trace = trace, options.trace_context = &steps;
  assert_int_equal(graze_distance(&box, &far, &options, &answer), GRAZE_OK);
  assert_true(answer.distance == plain.distance && answer.lower == plain.lower && answer.upper == plain.upper);
  assert_true(answer.parts == &proof && answer.part_count == 1 && answer.pairs_tested == 0 && steps > 0);
  assert_int_equal(graze_verify(&box, &far, &options, &answer), GRAZE_OK);
}

/* Some part's support function is the caller's: what was left out by its bounds rests on its word as well. */
static double unit_ball(void *context, graze_vec d, graze_vec *point) {
  (void)context;
  double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  *point = (graze_vec){d.x / length, d.y / length, d.z / length};
  return 1e-15;
}

TEST_WITH(test_conditional, set_up, tear_down) {
  graze_compound *mixed;
  graze_shape user = graze_user(3, unit_ball, NULL);
  graze_placed parts[2] = {at(graze_sphere(1), 0, 0, 0), at(user, 100, 0, 0)};
  assert_int_equal(graze_compound_create(parts, 2, NULL, &mixed, NULL), GRAZE_OK);
  graze_placed a = at(graze_compound_shape(mixed), 0, 0, 0), b = at(graze_point(), 3, 0, 0);
  assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
  assert_true(answer.conditional && answer.distance == 2 && answer.part_a == 0);
  b = at(graze_point(), 97, 0, 0);
  assert_int_equal(graze_distance(&b, &a, NULL, &answer), GRAZE_OK);
  assert_true(answer.conditional && fabs(answer.distance - 2) < 1e-9 && answer.part_b == 1);
  assert_int_equal(graze_distance(&row, &b, NULL, &answer), GRAZE_OK);
  assert_false(answer.conditional);
  graze_compound_destroy(mixed);
}
