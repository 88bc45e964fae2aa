/* Distances of polygons along the border of C: the exact search's distance lies within the bounds, the walk nearly
 * always gets there, whatever the order of the corners, and who watches GJK is told the same answer.
 * docs/theory/axes.md, "Along the border" */

#include "support/test.h"
#include "cso/border.h"
#include "support/families.h"
#include "cso/query.h"

typedef struct tally {
  long asked, walked, corners, exact, undecided;
  double width;
} tally;

static graze_answer ask(const graze_placed *a, const graze_placed *b, graze_method method, graze_trace_function trace,
                        void *context) {
  graze_options options = graze_default_options();
  graze_answer answer;
  options.method = method;
  options.trace = trace, options.trace_context = context;
  assert_int_equal(graze_distance(a, b, &options, &answer), GRAZE_OK);
  return answer;
}

static void count_step(void *context, const graze_trace_step *step) {
  (void)step;
  ++*(int *)context;
}

static void expect_same_traced(const graze_placed *a, const graze_placed *b, const graze_answer *answer) {
  int steps = 0;
  const graze_answer traced = ask(a, b, GRAZE_METHOD_AUTO, count_step, &steps);
  assert_true(steps > 0);
  assert_true(traced.distance == answer->distance && traced.lower == answer->lower && traced.upper == answer->upper);
  assert_true(traced.path == answer->path && traced.iterations == answer->iterations);
  if (answer->path == GRAZE_PATH_GJK && !answer->exact) assert_int_equal(steps, answer->iterations);
}

/* Where the walk leads nowhere, nobody has walked. */
static void expect_gjk(const graze_placed *a, const graze_placed *b, const graze_answer *answer) {
  const graze_answer gjk = ask(a, b, GRAZE_METHOD_GJK, NULL, NULL);
  assert_true(gjk.distance == answer->distance && gjk.lower == answer->lower && gjk.upper == answer->upper);
  assert_int_equal(gjk.iterations, answer->iterations);
}

static void look(const shape_pair *pair, tally *t) {
  const graze_placed a = graze_place(&pair->a, pair->pose_a), b = graze_place(&pair->b, pair->pose_b);
  if (a.status != GRAZE_OK || b.status != GRAZE_OK) return;
  const graze_answer exact = ask(&a, &b, GRAZE_METHOD_EXACT, NULL, NULL);
  const graze_answer answer = ask(&a, &b, GRAZE_METHOD_AUTO, NULL, NULL);
  assert_int_equal(answer.relation, exact.relation);
  if (exact.relation != GRAZE_SEPARATED) return;
  t->asked++;
  t->walked += answer.path == GRAZE_PATH_BORDER;
  t->corners += answer.path == GRAZE_PATH_BORDER && answer.certificate.pair_count == 1;
  t->exact += answer.exact;
  t->undecided += answer.relation == GRAZE_UNDECIDED;
  assert_true(answer.lower <= exact.upper && exact.lower <= answer.upper);
  assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper);
  assert_int_equal(graze_verify(&a, &b, NULL, &answer), GRAZE_OK);
  const double scale = fmax(answer.distance, fmax(a.reach, b.reach));
  if (answer.path == GRAZE_PATH_BORDER) t->width = fmax(t->width, (answer.upper - answer.lower) / scale);
  expect_same_traced(&a, &b, &answer);
}

/* Of `all` pairs so many of a hundred are apart, and of these at least so many are walked to. */
static void expect(const char *name, const tally *t, long all, int walked) {
  print_message("%-12s %ld of %ld apart; %ld walked to, %ld of them corners, %ld exact; width %.1e\n", name, t->asked,
                all, t->walked, t->corners, t->exact, t->width);
  assert_in_range(t->asked * 100 / all, 25, 90);
  assert_true(t->walked * 100 >= t->asked * walked);
  assert_in_range(t->corners * 100 / t->walked, 10, 90);
  assert_true(t->exact * 100 <= t->asked * 2);
  assert_int_equal(t->undecided, 0);
  assert_true(t->width <= 1e-12);
}

/* Seed 61. */
TEST(test_polygons) {
  const long all = tiered(3000, 6000, 300000);
  rng random = {61};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    pair.a = random_polygon(&random, pair.vertices_a);
    pair.b = i % 3 ? random_polygon(&random, pair.vertices_b) : random_box(&random, 2);
    pair.a.margin = pair.b.margin = 0;
    pair.pose_a = random_pose(&random, 2, 1.5), pair.pose_b = random_pose(&random, 2, 1.5);
    look(&pair, &t);
  }
  expect("polygons", &t, all, 80);
}

/* Seed 62: repeated corners, which stop a walk, corners on edges, and many parallel edges. */
TEST(test_odd_lists) {
  const long all = tiered(2000, 4000, 200000);
  rng random = {62};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    pair.a = random_odd_polygon(&random, pair.vertices_a), pair.b = random_odd_polygon(&random, pair.vertices_b);
    pair.pose_a = random_pose(&random, 2, 1.5);
    pair.pose_b = pair.pose_a;
    if (i % 2) pair.pose_b = random_pose(&random, 2, 1.5);
    pair.pose_b.position.x += 1.5;
    look(&pair, &t);
  }
  expect("odd lists", &t, all, 40);
}

/* Seed 63: what has few corners, sides of 1 to 1e-9, in units of 1 and of 1e-200, which is left to GJK. */
TEST(test_other_kinds) {
  const long all = tiered(2000, 4000, 200000);
  rng random = {63};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    random_few_corners(&random, i % 2 ? 1e-9 : 1, 5, &pair);
    pair.pose_a = random_pose(&random, 2, 1), pair.pose_b = random_pose(&random, 2, 1);
    scale_pair(&pair, i % 8 ? 1 : 0x1p-660);
    const long walked = t.walked;
    look(&pair, &t);
    if (i % 8 == 0) assert_int_equal(t.walked, walked);
  }
  expect("other kinds", &t, all, 60);
}

/* A budget of one step is one look, of two a walk. */
TEST(test_budgets) {
  const graze_shape box = graze_box2(0.5, 0.25);
  const graze_placed a = graze_place(&box, graze_pose2(0, 0, 0.5)), b = graze_place(&box, graze_pose2(2, 0.5, 0.25));
  for (int most = 1; most <= 2; most++) {
    graze_options options = graze_default_options();
    graze_answer answer;
    options.max_iterations = most;
    assert_int_equal(graze_distance(&a, &b, &options, &answer), GRAZE_OK);
    assert_int_equal(answer.iterations, most);
    assert_int_equal(answer.path, most == 1 ? GRAZE_PATH_GJK : GRAZE_PATH_BORDER);
    assert_int_equal(answer.stopped, most == 1 ? GRAZE_STOP_BUDGET : GRAZE_STOP_NONE);
    assert_int_equal(graze_verify(&a, &b, &options, &answer), GRAZE_OK);
  }
}

/* An arc of many corners, and a point below it: the walk gives up, and nobody notices. */
TEST(test_long_ways) {
  enum { CORNERS = 400 };
  static graze_vec arc[CORNERS];
  for (int i = 0; i < CORNERS; i++) arc[i] = (graze_vec){i - CORNERS / 2, -0x1p-10 * i * (CORNERS - 1 - i), 0};
  const graze_shape shape = graze_polygon(arc, CORNERS), point = graze_point2();
  int gjk = 0;
  for (int k = 0; k < 40; k++) {
    const graze_placed a = graze_place(&shape, graze_pose2(0, 0, 0));
    const graze_placed b = graze_place(&point, graze_pose2(10.0 * k - 200, -60 - k, 0));
    const graze_answer answer = ask(&a, &b, GRAZE_METHOD_AUTO, NULL, NULL);
    const graze_answer exact = ask(&a, &b, GRAZE_METHOD_EXACT, NULL, NULL);
    assert_int_equal(answer.relation, GRAZE_SEPARATED);
    assert_true(answer.lower <= exact.upper && exact.lower <= answer.upper);
    gjk += answer.path == GRAZE_PATH_GJK;
    if (answer.path == GRAZE_PATH_GJK) expect_gjk(&a, &b, &answer);
    expect_same_traced(&a, &b, &answer);
  }
  assert_in_range(gjk, 1, 39);
}
