/* User shapes: answers like those of the built-in twin, conditional; support functions that return nonsense. */
#include "support/compounds.h"
#include "support/families_run.h"
#include "support/oracle/curved.h"
#include "support/query.h"
#include "support/shapes.h"

/* Seed 12. */
TEST(twins_of_built_in_shapes) {
  rng random = 12;
  int hits = 0;
  for (int i = 0; i < tiered(1500, 3000, 20000); i++) {
    const int dim = i & 1 ? 2 : 3;
    const bool box = i & 2;
    graze_vec e;
    e.x = rng_uniform(&random, 0.1, 1), e.y = rng_uniform(&random, 0.1, 1), e.z = rng_uniform(&random, 0.1, 1);
    if (dim == 2) e.z = 0;
    shape_pair pair;
    pair.a = box ? box_of(dim, e.x, e.y, e.z) : ball_of(dim, e.x);
    pair.b = i & 4 ? random_curved(&random, dim, 0.1) : random_shape(&random, dim, pair.vertices_b);
    place_near(&random, &pair, 3, 1.2);
    const graze_placed a = posed(box ? user_box(dim, &e) : user_ball(dim, &e.x), pair.pose_a);
    const graze_placed b = place(&pair.b, pair.pose_b), twin = place(&pair.a, pair.pose_a);
    const curved_truth t = curved_solve(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0);
    const proved_answer x = proved_distance(&b, &a, NULL), y = distance(&b, &twin, NULL), z = distance(&a, &b, NULL);
    assert_true(x.conditional && z.conditional && !y.conditional);
    assert_true(x.relation == y.relation && z.relation == y.relation && x.relation != GRAZE_UNDECIDED);
    assert_true(x.lower <= y.upper && y.lower <= x.upper && z.lower <= t.upper && t.lower <= z.upper);
    if (x.stopped == GRAZE_STOP_NONE) assert_true(x.upper - x.lower <= 1e-9 * fmax(x.distance, 2));
    hits += x.relation == GRAZE_OVERLAPPING;
  }
  assert_in_range(hits * 100 / tiered(1500, 3000, 20000), 30, 70);
}

TEST(ball_above_a_half_space) {
  double radius = 1;
  const graze_placed ball = placed_at(user_ball(3, &radius), 1, 2, 3);
  const graze_placed below = posed(graze_halfspace(vec(0, 0, 1), 0), identity);
  const proved_answer x = proved_distance(&below, &ball, NULL);
  assert_int_equal(x.relation, GRAZE_SEPARATED);
  assert_true(x.lower <= 2 && x.upper >= 2 && x.upper - x.lower < 1e-12);
}

/* NaN, infinities, negative error bounds: no crash, and the relation is undecided. */
static double mad_support(void *context, graze_vec d, graze_vec *point) {
  static const double bad[4] = {NAN, INFINITY, -1, 1e300};
  int *calls = context;
  const double value = ++*calls > 12 ? bad[*calls % 4] : 0.5; /* sane while it is placed */
  (void)d;
  *point = vec(value, value, value);
  return value;
}

TEST(nonsense_is_undecided) {
  int calls = 0;
  const graze_placed a = posed(graze_user(3, mad_support, &calls), identity);
  const graze_placed b = placed_at(graze_box(1, 1, 1), 5, 0.25, 0);
  for (int i = 0; i < 50; i++) {
    proved_answer x;
    assert_int_equal(query_distance(&a, &b, NULL, &x), GRAZE_OK);
    if (i > 12) assert_int_equal(x.relation, GRAZE_UNDECIDED);
  }
}

/* A ball of radius 1 whose support function reports the error at context. */
static double coarse_support(void *context, graze_vec d, graze_vec *point) {
  *point = scaled(1 / norm(d), d);
  return *(const double *)context;
}

/* GJK may have used all its iterations before rounding stops it. */
static bool has_reason(graze_stop stopped) { return stopped == GRAZE_STOP_PRECISION || stopped == GRAZE_STOP_BUDGET; }

/* Issue: an interval as wide as the error of the support function did not have its reason. */
static void assert_reason(double error, const graze_placed *user, const graze_shape *other, double touch) {
  const bool wide = error > 1e-6;
  const graze_vec down = {0, 0, -1}, still = {0, 0, 0};
  for (int i = -1; i <= 1; i++) {
    const graze_placed below = graze_place(other, graze_pose_at(0, 0, -touch - 0.375 * i));
    proved_answer answer;
    assert_int_equal(query_distance(user, &below, NULL, &answer), GRAZE_OK);
    if (answer.relation != GRAZE_OVERLAPPING || other->kind == GRAZE_HALFSPACE) {
      assert_int_equal(has_reason(answer.stopped), wide);
      assert_true(answer.upper - answer.lower >= error);
    }
    assert_int_equal(query_intersect(&below, user, NULL, &answer), GRAZE_OK);
    if (i == 0) assert_int_equal(answer.relation, GRAZE_UNDECIDED);
    assert_int_equal(has_reason(answer.stopped), wide && answer.relation == GRAZE_UNDECIDED);
  }
  const graze_placed distant = graze_place(other, graze_pose_at(0, 0, -touch - 1));
  const graze_motion falls = {down, {0, 0, 0.5}}, stays = {still, still};
  proved_cast result;
  for (int turning = 0; turning < 2; turning++) {
    assert_int_equal(turning ? cast_motion(user, &falls, &distant, &stays, 3, NULL, &result)
                             : cast_linear(user, down, &distant, still, 3, NULL, &result),
                     GRAZE_OK);
    assert_int_equal(result.outcome, GRAZE_HIT);
    assert_int_equal(result.stopped, wide ? GRAZE_STOP_PRECISION : GRAZE_STOP_NONE);
  }
  assert_int_equal(cast_linear(user, vec(0, 0, 1), &distant, still, 3, NULL, &result), GRAZE_OK);
  assert_int_equal(result.outcome, GRAZE_CLEAR);
  assert_int_equal(has_reason(result.stopped), wide);
}

TEST(test_reason_of_wide_intervals) {
  static const double errors[] = {0x1p-50, 1e-5, 1e-3, 0.05};
  const graze_shape others[] = {graze_halfspace(vec(0, 0, 1), 0), graze_box(2, 2, 0.5), graze_sphere(0.5),
                                graze_ellipsoid(2, 1, 0.5)};
  for (int e = 0; e < 4; e++) {
    double error = errors[e];
    const graze_placed user = posed(graze_user(3, coarse_support, &error), identity);
    for (int k = 0; k < 4; k++) assert_reason(error, &user, &others[k], others[k].kind == GRAZE_HALFSPACE ? 1 : 1.5);
  }
}
