/* Sweeps with answers in closed form, options, rejected input, and one regression test for each fixed defect. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/shapes.h"

static const double pi = 3.14159265358979323846;
static const graze_motion still = {{0, 0, 0}, {0, 0, 0}};

static graze_cast_step step_buffer[1 << 13];

static graze_motion spin(double rate) { return (graze_motion){{0, 0, 0}, {0, 0, rate}}; }
static graze_motion straight(double x, double y, double z) { return (graze_motion){{x, y, z}, {0, 0, 0}}; }
static graze_motion motion(graze_vec velocity, graze_vec angular) { return (graze_motion){velocity, angular}; }

static graze_placed at(graze_shape shape, double x, double y, double z) { return placed_at(shape, x, y, z); }
static graze_placed at_origin(graze_shape shape) { return placed_at(shape, 0, 0, 0); }

/* The steps must prove the answer unless the bodies touch at the start; conservative advancement returns none. */
static proved_cast sweep_by(graze_cast_method method, graze_placed a, graze_motion ma, graze_placed b, graze_motion mb,
                            double t_max) {
  proved_cast result;
  graze_cast_options options = cast_by_method(method);
  if (method != GRAZE_CAST_CA) options.steps = step_buffer, options.step_capacity = COUNT(step_buffer);
  assert_int_equal(cast_motion(&a, &ma, &b, &mb, t_max, &options, &result), GRAZE_OK);
  const graze_status status = verify_motion(&a, &ma, &b, &mb, t_max, NULL, &result);
  const bool may_lack_proof = method == GRAZE_CAST_CA || result.start_relation == GRAZE_TOUCHING;
  assert_true(status == GRAZE_OK || (may_lack_proof && status != GRAZE_REFUTED));
  return result;
}

static proved_cast sweep(graze_placed a, graze_motion ma, graze_placed b, graze_motion mb, double t_max) {
  return sweep_by(GRAZE_CAST_AUTO, a, ma, b, mb, t_max);
}

static proved_cast sweep_with(const graze_cast_options *options, graze_placed a, graze_motion ma, graze_placed b,
                              graze_motion mb, double t_max) {
  proved_cast result;
  assert_int_equal(cast_motion(&a, &ma, &b, &mb, t_max, options, &result), GRAZE_OK);
  assert_int_not_equal(verify_motion(&a, &ma, &b, &mb, t_max, options, &result), GRAZE_REFUTED);
  return result;
}

static void assert_hit(proved_cast x, double t, double width) {
  assert_int_equal(x.outcome, GRAZE_HIT);
  assert_true(x.t == x.t_lower && x.t_lower <= t + 1e-15 * t && t - 1e-15 * t <= x.t_upper);
  assert_true(x.t_upper - x.t_lower <= width);
}

static void assert_near(graze_vec p, graze_vec q, double most) {
  assert_true(fabs(p.x - q.x) <= most && fabs(p.y - q.y) <= most && fabs(p.z - q.z) <= most);
}

static void assert_clear(proved_cast x) {
  assert_int_equal(x.outcome, GRAZE_CLEAR);
  assert_true(isnan(x.t) && isnan(x.t_lower) && isnan(x.t_upper) && isnan(x.point.x) && isnan(x.normal.x));
}

/* ---- closed forms */

/* The tip of a rod of length 2 reaches a wall at height 1 when its sine is 1/2. */
TEST(test_rod_into_wall) {
  const graze_placed wall = at_origin(graze_halfspace(vec(0, -1, 0), -1)), block = at(graze_box(5, 1, 5), 0, 2, 0);
  const graze_placed rod = at_origin(graze_segment(vec(0, 0, 0), vec(2, 0, 0))), flat = at(graze_box2(5, 1), 0, 2, 0);
  const graze_placed bar = at_origin(graze_capsule2(0.25, 2)); /* with its radius 2·sine is 3/4 */
  proved_cast x = sweep(rod, spin(3), wall, still, 1);
  assert_hit(x, asin(0.5) / 3, 1e-11);
  assert_near(x.point, vec(sqrt(3), 1, 0), 1e-9);
  x = sweep(rod, spin(3), block, still, 1);
  assert_hit(x, asin(0.5) / 3, 1e-9);
  assert_near(x.normal, vec(0, 1, 0), 1e-6);
  assert_near(x.point, vec(sqrt(3), 1, 0), 1e-6);
  assert_int_equal(x.start_relation, GRAZE_SEPARATED);
  assert_clear(sweep(rod, spin(-3), block, still, 1));
  assert_hit(sweep(rod, spin(-3), block, still, 2), (pi + asin(0.5)) / 3, 1e-9); /* after 210 degrees */
  assert_hit(sweep(bar, spin(3), flat, still, 1), asin(0.375) / 3, 1e-9);
  x = sweep(flat, still, bar, spin(3), 1);
  assert_hit(x, asin(0.375) / 3, 1e-9);
  assert_near(x.normal, vec(0, -1, 0), 1e-6);
  graze_cast_options options = graze_default_cast_options();
  const graze_motion turns = spin(1);
  options.clearance = 0.25, options.steps = step_buffer, options.step_capacity = COUNT(step_buffer);
  x = sweep_with(&options, rod, turns, wall, still, 1);
  assert_hit(x, asin(0.375), 1e-11);
  assert_int_equal(verify_motion(&rod, &turns, &wall, &still, 1, &options, &x), GRAZE_OK);
  assert_int_not_equal(verify_motion(&rod, &turns, &wall, &still, 1, NULL, &x), GRAZE_OK);
}

/* graze_compare_sampling() of a motion of A until t = 1. The certificate does not refute the result. */
static graze_cast_result sample(int samples, const graze_placed *a, graze_motion ma, const graze_placed *b) {
  graze_cast_options options = graze_default_cast_options();
  graze_certificate certificate;
  graze_cast_result result;
  options.certificate = &certificate;
  assert_int_equal(graze_compare_sampling(&samples, a, &ma, b, NULL, 1, &options, &result), GRAZE_OK);
  assert_int_not_equal(graze_verify_cast(a, &ma, b, NULL, 1, NULL, &result, &certificate), GRAZE_REFUTED);
  return result;
}

/* After half a revolution the bar is where it was, and has swept through the pole: two samples miss it. */
TEST(test_half_a_revolution) {
  const graze_placed bar = at_origin(graze_segment2(vec(-2, 0, 0), vec(2, 0, 0)));
  const graze_placed pole = at(graze_circle(0.1), 0, 1.5, 0), post = at(graze_cylinder(0.1, 3), 0, 1.5, 0);
  const double t = acos(0.1 / 1.5) / pi;
  graze_cast_options options = graze_default_cast_options();
  assert_hit(sweep(bar, spin(pi), pole, still, 1), t, 1e-9);
  assert_hit(sweep(at_origin(graze_box(2, 0.01, 0.3)), spin(pi), post, still, 1), acos(0.11 / 1.5) / pi, 1e-6);
  assert_int_equal(sample(2, &bar, spin(pi), &pole).outcome, GRAZE_CLEAR);
  const graze_cast_result sampled = sample(1001, &bar, spin(pi), &pole);
  assert_true(sampled.outcome == GRAZE_HIT && fabs(sampled.t - t) <= 1e-3);
  assert_int_equal(sampled.algorithm, GRAZE_ALGORITHM_SAMPLING);
  proved_cast x = sweep_by(GRAZE_CAST_CA, bar, spin(pi), pole, still, 1);
  assert_hit(x, t, 1e-6);
  assert_int_equal(x.algorithm, GRAZE_ALGORITHM_CA);
  options.method = GRAZE_CAST_CA; /* fixed: with a buffer for steps it did not advance */
  options.steps = step_buffer, options.step_capacity = COUNT(step_buffer);
  assert_hit(sweep_with(&options, bar, spin(pi), pole, still, 1), t, 1e-6);
}

TEST(test_a_million_revolutions) {
  const double million = 2e6 * pi;
  const graze_placed disk = at_origin(graze_cylinder(1, 0.1)), wall = at(graze_box(0.5, 9, 9), 1.501, 0, 0);
  const graze_placed post = at(graze_box(0.1, 0.1, 0.1), 1.3, 0, 0), block = at(graze_box2(5, 1), 0, 2, 0);
  const graze_placed rod = at_origin(graze_segment2(vec(0, 0, 0), vec(2, 0, 0)));
  const graze_motion tumbling = motion(vec(0, 0, 0), vec(million, million, million));
  proved_cast x = sweep_with(NULL, disk, spin(million), wall, still, 1); /* beside the wall */
  assert_int_not_equal(x.outcome, GRAZE_HIT);
  if (x.outcome == GRAZE_POSSIBLE) assert_int_equal(x.stopped, GRAZE_STOP_BUDGET);
  assert_clear(sweep_with(NULL, disk, tumbling, post, still, 1)); /* their bounding balls are disjoint */
  x = sweep_with(NULL, disk, tumbling, wall, still, 1);
  assert_true(x.outcome == GRAZE_HIT && x.t_lower < 1e-6);
  assert_hit(sweep(rod, spin(million), block, still, 1), asin(0.5) / million, 1e-15);
  /* too fast to resolve, or without an end: only the bounding balls decide */
  const graze_placed box = at_origin(graze_box(1, 1, 1)), near = at(graze_box(1, 1, 1), 2.25, 0, 0);
  const graze_placed distant = at(graze_box(1, 1, 1), 4, 0, 0);
  const graze_motion fast = motion(vec(0, 0, 0), vec(1e40, 1e39, 0));
  assert_int_not_equal(sweep_with(NULL, box, fast, near, still, 1).outcome, GRAZE_CLEAR);
  assert_clear(sweep_with(NULL, box, fast, distant, still, 1e300));
  assert_clear(sweep_with(NULL, box, spin(1), distant, still, INFINITY));
  x = sweep_with(NULL, box, spin(1), near, still, INFINITY);
  assert_true(x.outcome == GRAZE_HIT && x.t_lower <= 0.7 && x.t_upper - x.t_lower < 1e-6);
}

/* A rod on a cone that it turns on, beside balls: the search stops, for a compound after as many revolutions. */
TEST(test_limit_of_revolutions) {
  const graze_placed rod = at_origin(graze_segment(vec(-1, 0, -0.5), vec(1, 0, 0.5)));
  const graze_placed balls[2] = {at(graze_sphere(0.2), 0.8, 0, 0), at(graze_sphere(0.2), -0.8, 0, 0)};
  graze_compound *made = compound_of(balls, 2);
  const graze_placed both = at_origin(graze_compound_shape(made));
  const struct {
    const graze_placed *target;
    double rate, least_angle;
    int most_iterations;
  } row[] = {{&balls[0], 2e6, 100, 1 << 12},
             {&balls[0], 1e15, 100, 1 << 12},
             {&balls[0], 1e30, 100, 1 << 12},
             {&both, 2e6, 5000, 1 << 18}};
  for (size_t i = 0; i < COUNT(row); i++) {
    const proved_cast x = sweep_with(NULL, rod, spin(row[i].rate), *row[i].target, still, 1);
    assert_true(x.outcome == GRAZE_POSSIBLE && x.stopped == GRAZE_STOP_BUDGET);
    assert_true(x.t_lower * row[i].rate > row[i].least_angle && x.iterations < row[i].most_iterations);
  }
  graze_compound_destroy(made);
}

TEST(test_straight_bullets) {
  static const struct {
    graze_cast_method method;
    graze_algorithm path;
  } row[] = {{GRAZE_CAST_AUTO, GRAZE_ALGORITHM_LCCD},
             {GRAZE_CAST_FCCD, GRAZE_ALGORITHM_FCCD},
             {METHOD_LCCD, GRAZE_ALGORITHM_LCCD},
             {GRAZE_CAST_SWEEP, GRAZE_ALGORITHM_SWEEP},
             {GRAZE_CAST_CA, GRAZE_ALGORITHM_CA}};
  const graze_placed wall = at_origin(graze_box(2, 2, 5e-7)), b = at(graze_box(0.005, 0.004, 0.003), 0.3, 0.2, -4);
  for (size_t k = 0; k < COUNT(row); k++) {
    const proved_cast x = sweep_by(row[k].method, wall, still, b, straight(0.1, 0.2, 10), 1);
    assert_hit(x, (4 - 5e-7 - 0.003) / 10, 1e-9);
    assert_int_equal(x.algorithm, row[k].path);
    assert_near(x.normal, vec(0, 0, -1), 1e-6);
    assert_int_equal(sweep_by(row[k].method, wall, still, b, straight(0.1, 0.2, -10), 1).outcome, GRAZE_CLEAR);
  }
}

/* ---- contact at the start */

TEST(test_starts_in_touch) {
  const graze_placed a = at_origin(graze_box(1, 1, 1)), above = at(graze_box(1, 1, 1), 0.5, 0, 2);
  const graze_placed ball = at(graze_sphere(1), 0, 0, 2), side = at(graze_box(1, 1, 1), 2, 0, 0);
  const graze_placed rod = at(graze_segment(vec(0, 0, 0), vec(0, 2, 0)), 0, 1, 0);
  const struct {
    graze_placed b;
    graze_motion ma, mb;
    double t_max;
    bool hit;
  } row[] = {
      {above, still, {{0, 0, 4}, {0, 0, 1}}, 1, false},
      {above, still, {{0, 0, 4}, {1, 0, 0}}, 1, false}, /* it rises faster than its edge sinks */
      {above, still, {{0, 0, 0}, {1, 0, 0}}, 1, true},  /* an edge sinks in */
      {above, still, {{0, 0, 0.5}, {1, 0, 0}}, 1, true},
      {above, still, {{0, 0, -1}, {0, 0, 1}}, 1, true},
      {ball, still, {{1, 0, 0}, {3, 3, 3}}, 4, false}, /* a ball that turns does not move */
      {rod, still, {{0, 1, 0}, {0, 0, 1}}, 1, false},
      {side, {{-3, 0, 0}, {0, 0, 0.5}}, {{0, 0, 0}, {0, 0.5, 0}}, 1, false},
  };
  for (size_t i = 0; i < COUNT(row); i++) {
    const proved_cast x = sweep(a, row[i].ma, row[i].b, row[i].mb, row[i].t_max);
    assert_int_equal(x.start_relation, GRAZE_TOUCHING);
    if (!row[i].hit) assert_clear(x);
    if (!row[i].hit) continue;
    assert_hit(x, 0, 1e-6);
    assert_near(x.normal, vec(0, 0, 1), 1e-9);
  }
}

/* A contact after the bodies have parted is found. */
TEST(test_touch_then_hit) {
  const graze_placed wall = at_origin(graze_box(5, 5, 1)), rod = at(graze_segment(vec(0, 0, 0), vec(2, 0, 0)), 0, 0, 1);
  /* the rod turns up, rises, and is back after more than half a turn: 0.125 t + 2 sin t = 0 */
  const proved_cast x = sweep(wall, still, rod, motion(vec(0, 0, 0.125), vec(0, -1, 0)), 5);
  double t = 3.3;
  for (int i = 0; i < 50; i++) t -= (0.125 * t + 2 * sin(t)) / (0.125 + 2 * cos(t));
  if (x.outcome == GRAZE_HIT) assert_true(x.t_lower <= t && t <= x.t_upper);
  assert_true(x.start_relation == GRAZE_TOUCHING && x.outcome != GRAZE_CLEAR);
}

TEST(test_starts_overlapping) {
  const graze_placed a = at_origin(graze_box(1, 1, 1)), b = at(graze_box(1, 1, 1), 1.5, 0, 0);
  const proved_cast x = sweep(a, spin(2), b, motion(vec(8, 0, 0), vec(1, 2, 3)), 4);
  assert_hit(x, 0, 0);
  assert_int_equal(x.start_relation, GRAZE_OVERLAPPING);
  assert_true(same_vec(x.normal, distance(&a, &b, NULL).normal));
}

/* ---- no rotation */

static void assert_same(const proved_cast *x, const proved_cast *y) {
  assert_true(x->outcome == y->outcome && x->start_relation == y->start_relation && x->algorithm == y->algorithm &&
              x->stopped == y->stopped);
  assert_true(same_bits(x->t_lower, y->t_lower) && same_bits(x->t_upper, y->t_upper) && same_bits(x->t, y->t));
  assert_true(same_bits(x->min_lower, y->min_lower) && same_bits(x->min_upper, y->min_upper));
  assert_true(same_bits(x->t_min, y->t_min) && same_vec(x->point, y->point) && same_vec(x->normal, y->normal));
  assert_true(same_vec(x->position_a, y->position_a) && same_vec(x->position_b, y->position_b));
  assert_true(x->iterations == y->iterations && x->exact == y->exact);
}

/* Without rotation, and of balls that rotate, a sweep is the cast, bit by bit. */
TEST(test_as_cast) {
  const graze_shape shapes[] = {graze_box(1, 0.5, 0.25), graze_capsule(0.25, 1),
                                graze_cylinder(0.5, 1),  graze_ellipsoid(1, 0.5, 0.25),
                                graze_sphere(0.5), /* balls from here on */
                                graze_point(),           graze_with_margin(graze_point(), 0.25)};
  int hits = 0;
  for (int i = 0; i < 7 * 7 * 8; i++) {
    const int k = i / 49, kind_a = i % 7, kind_b = i / 7 % 7;
    const graze_placed a = at_origin(shapes[kind_a]), b = at(shapes[kind_b], 3 - 0.5 * k, 0.125 * k, 0.25);
    const graze_motion ma = motion(vec(0.25 * k, 0, 0), vec(kind_a > 3 ? 7 : 0, 0, kind_a > 3 ? 1e-3 : 0));
    const graze_motion mb = motion(vec(-1, 0.1 * k - 0.3, 0), vec(0, kind_b > 3 ? -100 : 0, 0));
    proved_cast x, y;
    assert_int_equal(cast_motion(&a, &ma, &b, &mb, 4, NULL, &x), GRAZE_OK);
    assert_int_equal(cast_linear(&a, ma.velocity, &b, mb.velocity, 4, NULL, &y), GRAZE_OK);
    assert_same(&x, &y);
    assert_int_equal(verify_motion(&a, &ma, &b, &mb, 4, NULL, &x),
                     verify_linear(&a, ma.velocity, &b, mb.velocity, 4, NULL, &y));
    hits += x.outcome == GRAZE_HIT;
  }
  assert_in_range(hits, 80, 350);
}

TEST(test_zero_motion) {
  const graze_placed a = at_origin(graze_box(1, 1, 1)), b = at(graze_box(1, 1, 1), 2.5, 0, 0);
  proved_cast x = sweep(a, still, b, still, 10);
  assert_clear(x);
  assert_true(x.min_lower <= 0.5 && x.min_upper >= 0.5);
  assert_clear(sweep_with(NULL, a, spin(1), b, still, 0));
  x = sweep_by(GRAZE_CAST_SWEEP, a, still, b, still, 10);
  assert_clear(x);
  assert_near(x.position_b, vec(2.5, 0, 0), 0);
  assert_clear(sweep(a, spin(1e-300), b, still, 1));
  x = sweep(a, motion(vec(5, 6, 7), vec(0, 0, 1e-9)), b, straight(5, 6, 7), 1);
  assert_clear(x);
  assert_near(x.position_a, vec(5, 6, 7), 0);
}

/* ---- options and input */

/* A full step buffer: possible, from the end of the last step. */
TEST(test_few_steps) {
  const graze_placed rod = at_origin(graze_segment2(vec(0, 0, 0), vec(2, 0, 0))), wall = at(graze_box2(5, 1), 0, 2, 0);
  graze_cast_options options = graze_default_cast_options();
  double before = 0;
  options.steps = step_buffer;
  for (size_t few = 0; few < 4; few++) {
    options.step_capacity = few;
    const proved_cast x = sweep_with(&options, rod, spin(1), wall, still, 1);
    assert_true(x.outcome == GRAZE_POSSIBLE && x.stopped == GRAZE_STOP_BUDGET && x.certificate.step_count == few);
    assert_true(few == 0 ? x.t_lower == 0 : x.t_lower > before && x.t_lower == step_buffer[few - 1].to);
    assert_true(x.t_upper >= asin(0.5));
    before = x.t_lower;
  }
}

static void assert_rejected(const graze_placed *a, graze_motion ma, const graze_placed *b, graze_motion mb,
                            double t_max, const graze_cast_options *options, graze_status status) {
  proved_cast x;
  assert_int_equal(cast_motion(a, &ma, b, &mb, t_max, options, &x), status);
  memset(&x, 0, sizeof x);
  assert_int_not_equal(verify_motion(a, &ma, b, &mb, t_max, NULL, &x), GRAZE_OK);
}

TEST(test_rejected) {
  const graze_placed a = at_origin(graze_box(1, 1, 1)), b = at(graze_box(1, 1, 1), 5, 0, 0);
  const graze_placed c = at_origin(graze_box2(1, 1)), d = at(graze_box2(1, 1), 5, 0, 0);
  const graze_placed plane = at_origin(graze_halfspace(vec(0, 0, 1), -4)), round = at(graze_cylinder(1, 1), 5, 0, 0);
  const graze_placed bad = at(graze_sphere(-1), 5, 0, 0);
  const graze_motion turn = spin(1), tilt_x = motion(vec(0, 0, 0), vec(1, 0, 0)),
                     tilt_y = motion(vec(0, 0, 0), vec(0, 1, 0)), leave = motion(vec(0, 0, 1), vec(0, 0, 1));
  const struct {
    const graze_placed *a;
    graze_motion ma;
    const graze_placed *b;
    graze_motion mb;
    double t_max;
    int method;
    graze_status status;
  } row[] = {
      {&a, turn, &b, still, NAN, 0, GRAZE_BAD_NUMBER},
      {&a, turn, &b, still, -1, 0, GRAZE_BAD_OPTION},
      {&d, tilt_x, &c, still, 1, 0, GRAZE_DIM_MISMATCH},
      {&d, still, &c, tilt_y, 1, 0, GRAZE_DIM_MISMATCH},
      {&d, leave, &c, still, 1, 0, GRAZE_DIM_MISMATCH},
      {&a, turn, &c, still, 1, 0, GRAZE_DIM_MISMATCH},
      {&plane, turn, &b, still, 1, 0, GRAZE_UNSUPPORTED},
      {&b, still, &plane, tilt_x, 1, 0, GRAZE_UNSUPPORTED},
      {&plane, still, &plane, still, 1, 0, GRAZE_UNSUPPORTED},
      {&a, turn, &bad, still, 1, 0, GRAZE_BAD_SHAPE},
      {&a, turn, &b, still, 1, GRAZE_CAST_FCCD, GRAZE_UNSUPPORTED},
      {&a, turn, &b, still, 1, METHOD_LCCD, GRAZE_UNSUPPORTED},
      {&a, still, &round, still, 1, METHOD_LCCD, GRAZE_UNSUPPORTED},
      {&plane, still, &b, still, 1, METHOD_LCCD, GRAZE_UNSUPPORTED},
      {&a, turn, &b, still, 1, GRAZE_CAST_CA + 1, GRAZE_BAD_OPTION},
      {&a, turn, &b, still, 1, 99, GRAZE_BAD_OPTION},
  };
  graze_cast_options options[4];
  for (int i = 0; i < 4; i++) options[i] = graze_default_cast_options();
  for (size_t i = 0; i < COUNT(row); i++) {
    options[0].method = (graze_cast_method)row[i].method;
    assert_rejected(row[i].a, row[i].ma, row[i].b, row[i].mb, row[i].t_max, &options[0], row[i].status);
  }
  static const double wrong[] = {NAN, INFINITY, -INFINITY, 2e40};
  static const graze_cast_method methods[] = {GRAZE_CAST_AUTO, GRAZE_CAST_SWEEP, GRAZE_CAST_CA, METHOD_SAMPLING};
  for (int i = 0; i < 4 * 4; i++) {
    const double w = wrong[i % 4];
    options[0].method = methods[i / 4];
    assert_rejected(&a, motion(vec(0, 0, 0), vec(0, w, 0)), &b, still, 1, &options[0], GRAZE_BAD_NUMBER);
    assert_rejected(&a, still, &b, motion(vec(0, 0, 0), vec(w, 0, 0)), 1, &options[0], GRAZE_BAD_NUMBER);
    assert_rejected(&a, motion(vec(0, 0, w), vec(0, 1, 0)), &b, still, 1, &options[0], GRAZE_BAD_NUMBER);
    assert_rejected(&d, spin(w), &c, still, 1, &options[0], GRAZE_BAD_NUMBER);
  }
  options[0] = graze_default_cast_options(), options[0].tolerance = -1;
  options[1].max_iterations = 0, options[2].clearance = -1, options[3].tolerance = NAN;
  for (int i = 0; i < 4; i++) assert_rejected(&a, spin(i), &b, still, 1, &options[i], GRAZE_BAD_OPTION);
  for (int samples = -1; samples < 2; samples++) {
    graze_cast_result result;
    assert_int_equal(graze_compare_sampling(&samples, &a, &turn, &b, NULL, 1, NULL, &result), GRAZE_BAD_OPTION);
  }
}

/* ---- compounds */

/* A hook meets a pole with its upright arm, or with the other one from behind. */
TEST(test_compounds) {
  const graze_placed parts[2] = {at(graze_box2(1, 0.1), 1, 0, 0), at(graze_box2(0.1, 1), 0, 1, 0)};
  graze_compound *compound = compound_of(parts, 2);
  const graze_placed hook = at_origin(graze_compound_shape(compound)), pole = at(graze_circle(0.2), -1.5, 0.5, 0);
  const double to_pole = atan2(0.5, 1.5), width = asin(0.3 / hypot(0.5, 1.5));
  proved_cast x = sweep_with(NULL, hook, spin(1), pole, still, 6);
  assert_true(x.outcome == GRAZE_HIT && x.part_a == 1 && x.t_upper - x.t_lower < 1e-6);
  assert_true(x.t_lower <= pi / 2 - to_pole - width + 1e-9 && x.t_upper >= pi / 2 - to_pole - width - 1e-9);
  x = sweep_with(NULL, pole, still, hook, spin(-1), 6);
  assert_true(x.outcome == GRAZE_HIT && x.part_b == 0 && x.t_upper - x.t_lower < 1e-6);
  assert_true(x.t_lower <= pi + to_pole - width + 1e-9 && x.t_upper >= pi + to_pole - width - 1e-9);
  assert_clear(sweep_with(NULL, hook, spin(1), at(graze_circle(0.2), -2.5, 0.5, 0), still, 100));
  graze_compound_destroy(compound);
}

/* ---- fixed defects */

/* Fixed: at the last double the height of the floor over the ball overflowed to a positive number, and the motion was
 * clear. Below a speed of 1 the first chord of an endless fall overflowed, and the ball fell through the floor; for a
 * slow rotation it was the root of a number beyond the largest double. */
TEST(test_overflows) {
  static const double ends[] = {1, 1e100, 1e300, 1e307, INFINITY}, rates[] = {1e-300, 1e-200, 1e-160, 1e-154, 1e-20};
  static const double speeds[] = {0x1p-40, 0.25, 0.5, 0.9, 1, 2, 1e3};
  static const graze_cast_method methods[] = {GRAZE_CAST_AUTO, GRAZE_CAST_SWEEP, GRAZE_CAST_CA};
  const graze_placed slope = at(graze_halfspace2(vec(0.25, 1, 0), -3.75), 1, 0, 0);
  const graze_placed floor = at_origin(graze_halfspace(vec(0, 0, 1), 0)), wall = at(graze_box(9, 9, 0.5), 0, 0, -0.5);
  const graze_placed disk = at_origin(graze_circle(3.25)), ball = at(graze_sphere(0.25), 0, 0, 3);
  const graze_placed box = at(graze_box(0.5, 0.5, 0.5), 0, 0, 5);
  for (int i = 0; i < 5; i++) {
    const proved_cast x = sweep_by(GRAZE_CAST_SWEEP, slope, straight(2.5, 2.5, 0), disk, still, ends[i]);
    assert_true(x.outcome == GRAZE_HIT && x.t_lower <= 0.0849243 && x.t_upper >= 0.0849241);
    const graze_motion falls = motion(vec(0, 0, -1), vec(rates[i], 0, 0));
    assert_hit(sweep(box, falls, floor, still, INFINITY), 4.5, 1e-9);
    assert_hit(sweep(wall, still, box, falls, INFINITY), 4.5, 1e-9);
  }
  for (int i = 0; i < 7 * 3; i++) {
    const double v = speeds[i / 3];
    assert_hit(sweep_by(methods[i % 3], ball, straight(0, 0, -v), floor, still, INFINITY), 2.75 / v, 1e-11 / v);
  }
}

/* Fixed: a point at the notch of a decomposed polygon slides into an internal edge, and only touches the pieces. */
TEST(test_slides_into_an_internal_edge) {
  static const graze_vec arrow[] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 1, 0}, {0, 2, 0}};
  static const graze_cast_method methods[] = {GRAZE_CAST_SWEEP, GRAZE_CAST_CA};
  graze_compound *compound = compound_of_outline(arrow, 5);
  const graze_placed whole = at_origin(graze_compound_shape(compound)), point = at(graze_point2(), 1, 1, 0);
  for (int i = 0; i < 2 * 4; i++) {
    const double x = i / 2 % 2 ? 1 : -1, y = i / 4 ? 1 : -1;
    const proved_cast result = sweep_by(methods[i % 2], whole, still, point, straight(x, y, 0), 0.5);
    const graze_placed end = at(graze_point2(), 1 + 0.5 * x, 1 + 0.5 * y, 0);
    if (intersect(&whole, &end, NULL).relation == GRAZE_OVERLAPPING) assert_int_not_equal(result.outcome, GRAZE_CLEAR);
  }
  graze_compound_destroy(compound);
}

/* Fixed: a box on a floor turns its corner into it at once; the curvature of the direction on the floor was ignored. */
TEST(test_turns_into_the_floor) {
  static const graze_cast_method methods[] = {GRAZE_CAST_SWEEP, GRAZE_CAST_CA};
  for (int i = 0; i < 2 * 2 * 8; i++) {
    const int dim = 2 + i % 2, rate = 1 << i / 4 % 4;
    const graze_placed floor = at_origin(halfspace_of(dim, vec(0, 1, 0), 0)), box = at(box_of(dim, 0.5, 1, 1), 0, 1, 0);
    graze_motion turns = motion(vec(0, 0.1 * (i / 16), 0), vec(0, 0, 0.5 * rate));
    const proved_cast x = sweep_by(methods[i / 2 % 2], box, turns, floor, still, 2 * rate);
    assert_int_equal(x.start_relation, GRAZE_TOUCHING);
    assert_true(x.outcome == GRAZE_HIT && x.t_lower == 0 && x.t_upper < 1e-9 && x.iterations < 400);
    turns.velocity.y = 40; /* faster than the corner sinks */
    assert_clear(sweep_by(methods[i / 2 % 2], box, turns, floor, still, 2));
  }
}

/* Fixed: the squares of a gap of 1e-200 and of a rate of 1e-160 are zero: the equation of the chord had no solution,
 * and a curve was taken for straight. */
TEST(test_tiny_bodies_at_any_pace) {
  for (int k = 0; k < 4; k++) {
    const double u = ldexp(1, k * -220);
    const graze_placed rod = at_origin(graze_segment2(vec(0, 0, 0), vec(2 * u, 0, 0)));
    const graze_placed wall = at(graze_box2(5 * u, u), 0, 2 * u, 0);
    assert_hit(sweep(rod, spin(1), wall, still, 1), asin(0.5), 1e-9);
    assert_hit(sweep_with(NULL, rod, spin(1), wall, still, 1), asin(0.5), 1e-9);
  }
  const graze_placed bar = at_origin(graze_box2(2, 0.5)), box = at_origin(graze_box(1, 0.5, 0.25));
  const graze_placed others[] = {at(graze_point2(), 0.25, 1.25, 0), at(graze_point2(), 0.25, 0.5001, 0),
                                 at(graze_point2(), -0.25, 0.5001, 0), at(graze_box(0.5, 0.5, 0.5), 1, 1.375, 0)};
  const double t_max[] = {3, 2 * pi, 2 * pi, 6};
  for (int i = 0; i < 4; i++) {
    double first = 0;
    for (int k = -120; k <= 960; k += 60) {
      const double u = ldexp(1, k), tilt = i == 3 ? 1 / u : 0;
      const graze_motion ma = motion(vec(0, i == 0 ? 0.125 / u : 0, 0), vec(tilt, tilt, 1 / u));
      const proved_cast x = sweep_with(NULL, i < 3 ? bar : box, ma, others[i], still, t_max[i] * u);
      assert_int_equal(x.outcome, GRAZE_HIT);
      if (k == -120) first = x.t / u;
      assert_true(fabs(x.t / u - first) <= 1e-10);
    }
  }
}

/* Fixed: the last distance before a contact had a tolerance, and the normal an error of 1e-4. */
TEST(test_normals) {
  const graze_shape box = graze_box2(1, 0.5), wall = graze_box2(9, 1);
  for (int i = 0; i < 32; i++) {
    const double angle = 0.01 + 0.045 * i; /* of the wall, which a corner meets */
    const graze_vec normal = vec(-sin(angle), cos(angle), 0);
    const graze_placed a = place(&box, graze_pose2(0, 0, 0.3 * i));
    const graze_placed b = place(&wall, graze_pose2(4 * normal.x, 4 * normal.y, angle));
    const proved_cast x = sweep(a, motion(normal, vec(0, 0, 2)), b, still, 10);
    assert_int_equal(x.outcome, GRAZE_HIT);
    assert_near(x.normal, normal, 1e-9);
  }
}

/* Issue: an ellipsoid as long as 1e11 and as thin as 1e-13 took 6,306,776 iterations, 11 seconds, before `possible`.
 * The cost of the work is bounded: an iteration costs at least one unit of 2^22, so no more of them than that, and
 * those of the last step. */
TEST(test_cost_is_bounded) {
  static graze_cast_step steps[1 << 16];
  const graze_shape ball = graze_sphere(0x1.93924df77c0ap+0),
                    needle = graze_ellipsoid(0x1.fa8bbc9fcb673p-4, 0x1.89c5e4c0ad81fp+35, 0x1.e462c1e090267p-45);
  const graze_pose at_a = graze_pose3(vec(0, 0, 0), 0x1.15e712f22bce2p-3, -0x1.9d34500b3a68ap-3, 0x1.ebb45d93d7688p-4,
                                      -0x1.d6460657ac8c1p-2);
  const graze_pose at_b = graze_pose3(vec(-0x1.ec4eb24e0dcadp+0, -0x1.1cb9f5423879ep+1, 0x1.4f42653d8be88p+0),
                                      0x1.97e115432fc23p-3, 0x1.02d3d3aa05a7cp-3, 0, 0x1.3f9924ea7f324p-3);
  const graze_motion ma = motion(vec(0x1.9f775acf7f5fep-32, -0x1.3259175d7ab9cp-32, -0x1.4ba4ef7dc5ac6p-31),
                                 vec(0x1.3b3bec2acba24p+0, 0x1.8e632ab40260bp-1, -0x1.e8ebed8b044dep-2));
  const graze_motion mb = motion(vec(-0x1.252c8916de35ep+0, 0x1.626b8258facep+2, -0x1.6fd9598aab7bcp+2),
                                 vec(-0x1.49b569547ad02p-6, -0x1.46bb238c5f09dp-7, -0x1.2086b25d014d7p-9));
  const graze_placed a = graze_place(&ball, at_a), b = graze_place(&needle, at_b);
  graze_cast_options options = graze_default_cast_options();
  options.steps = steps, options.step_capacity = sizeof steps / sizeof steps[0];
  proved_cast result;
  assert_int_equal(cast_motion(&a, &ma, &b, &mb, 1, &options, &result), GRAZE_OK);
  assert_int_equal(result.outcome, GRAZE_POSSIBLE);
  assert_int_equal(result.stopped, GRAZE_STOP_BUDGET);
  assert_in_range(result.iterations, 1, (1 << 22) + 1000);
}
