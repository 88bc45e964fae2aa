/* What sweeps must say in cases that anybody can check by hand, and what went wrong with them once, each with its
 * story. */
#include "support/test.h"

#include <graze/build.h>

static const double pi = 3.14159265358979323846;
static const graze_motion still = {{0, 0, 0}, {0, 0, 0}};

static graze_vec vec(double x, double y, double z) { return (graze_vec){x, y, z}; }

static graze_placed at(graze_shape shape, double x, double y, double z) {
  return graze_place(&shape, graze_pose_at(x, y, z));
}

/* Turns about z. */
static graze_motion spin(double rate) { return (graze_motion){{0, 0, 0}, {0, 0, rate}}; }

static graze_motion motion(graze_vec velocity, graze_vec angular) { return (graze_motion){velocity, angular}; }

static graze_sweep_step room[1 << 13];

/* By the method, with steps (conservative advancement: without), which the verifier accepts unless `doubtful`. */
static graze_impact by(graze_method method, const graze_placed *a, graze_motion ma, const graze_placed *b,
                       graze_motion mb, double t_max, bool doubtful) {
  graze_impact impact;
  graze_options options = graze_default_options();
  options.method = method;
  if (method != GRAZE_METHOD_CA) options.steps = room, options.step_capacity = sizeof room / sizeof room[0];
  assert_int_equal(graze_sweep(a, &ma, b, &mb, t_max, &options, &impact), GRAZE_OK);
  graze_status verdict = graze_verify_sweep(a, &ma, b, &mb, t_max, NULL, &impact);
  assert_int_not_equal(verdict, GRAZE_REFUTED);
  if (!doubtful) assert_int_equal(verdict, GRAZE_OK);
  return impact;
}

static graze_impact sweep(graze_placed a, graze_motion ma, graze_placed b, graze_motion mb, double t_max) {
  return by(GRAZE_METHOD_AUTO, &a, ma, &b, mb, t_max, false);
}

static graze_impact doubtful_sweep(graze_placed a, graze_motion ma, graze_placed b, graze_motion mb, double t_max) {
  return by(GRAZE_METHOD_AUTO, &a, ma, &b, mb, t_max, true);
}

static void hits(const graze_impact *x, double t, double width) {
  assert_int_equal(x->result, GRAZE_HIT);
  assert_true(x->t == x->t_lower && x->t_lower <= t + 1e-15 * t && t - 1e-15 * t <= x->t_upper);
  assert_true(x->t_upper - x->t_lower <= width);
}

static void is_near(graze_vec p, graze_vec q, double most) {
  assert_true(fabs(p.x - q.x) <= most && fabs(p.y - q.y) <= most && fabs(p.z - q.z) <= most);
}

static void is_clear(const graze_impact *x) {
  assert_int_equal(x->result, GRAZE_CLEAR);
  assert_true(isnan(x->t) && isnan(x->t_lower) && isnan(x->t_upper) && isnan(x->point.x) && isnan(x->normal.x));
}

/* ---- by hand */

/* The tip of a rod of length 2 comes to a wall at height 1 when its sine is 1/2. */
TEST(test_rod_into_wall) {
  graze_placed wall = at(graze_halfspace(vec(0, -1, 0), -1), 0, 0, 0), block = at(graze_box(5, 1, 5), 0, 2, 0);
  graze_placed rod = at(graze_segment(vec(0, 0, 0), vec(2, 0, 0)), 0, 0, 0), bar = at(graze_capsule2(0.25, 2), 0, 0, 0);
  graze_impact x = sweep(rod, spin(3), wall, still, 1);
  hits(&x, asin(0.5) / 3, 1e-11);
  is_near(x.point, vec(sqrt(3), 1, 0), 1e-9);
  x = sweep(rod, spin(3), block, still, 1);
  hits(&x, asin(0.5) / 3, 1e-9);
  is_near(x.normal, vec(0, 1, 0), 1e-6);
  is_near(x.point, vec(sqrt(3), 1, 0), 1e-6);
  assert_int_equal(x.starts, GRAZE_SEPARATED);
  x = sweep(rod, spin(-3), block, still, 1); /* the other way round not yet … */
  is_clear(&x);
  x = sweep(rod, spin(-3), block, still, 2); /* … but after 210 degrees */
  hits(&x, (pi + asin(0.5)) / 3, 1e-9);
  x = sweep(bar, spin(3), at(graze_box2(5, 1), 0, 2, 0), still, 1); /* with a radius: 2·sine = 3/4 */
  hits(&x, asin(0.375) / 3, 1e-9);
  x = sweep(at(graze_box2(5, 1), 0, 2, 0), still, bar, spin(3), 1);
  hits(&x, asin(0.375) / 3, 1e-9);
  is_near(x.normal, vec(0, -1, 0), 1e-6);
}

/* The corner of a box with half extents 2 and 1 rises from 1 to the root of 5. */
TEST(test_corner_into_plane) {
  const double high = sqrt(5), low = atan2(1, 2), t = (asin(2 / high) - low) / 0.5;
  graze_placed ceiling = at(graze_halfspace(vec(0, -3, 0), -2), 0, 0, 0);
  graze_placed above = at(graze_halfspace(vec(0, -3, 0), -2.3), 0, 0, 0);
  graze_impact x = sweep(at(graze_box(2, 1, 1), 0, 0, 0), spin(0.5), ceiling, still, 10);
  hits(&x, t, 1e-11);
  is_near(x.normal, vec(0, 1, 0), 1e-11);
  x = sweep(ceiling, still, at(graze_box(2, 1, 1), 0, 0, 0), spin(-0.5), 10);
  hits(&x, t, 1e-11);
  x = sweep(at(graze_box(2, 1, 1), 0, 0, 0), spin(0.5), above, still, 100);
  is_clear(&x);
  /* about an axis through opposite corners nothing rises above the root of 6: no contact with a plane out there */
  graze_placed beyond = at(graze_halfspace(vec(0, -3, 0), -2.5), 0, 0, 0);
  x = sweep(at(graze_box(2, 1, 1), 0, 0, 0), motion(vec(0, 0, 0), vec(20, 10, 10)), beyond, still, 100);
  is_clear(&x);
}

/* Half a revolution: the bar is where it was before, and has swept through the pole. The classic miss. */
TEST(test_half_a_revolution) {
  graze_placed bar = at(graze_segment2(vec(-2, 0, 0), vec(2, 0, 0)), 0, 0, 0), pole = at(graze_circle(0.1), 0, 1.5, 0);
  graze_placed solid = at(graze_box(2, 0.01, 0.3), 0, 0, 0), post = at(graze_cylinder(0.1, 3), 0, 1.5, 0);
  graze_motion ma = spin(pi);
  graze_impact x = sweep(bar, ma, pole, still, 1);
  hits(&x, acos(0.1 / 1.5) / pi, 1e-9);
  x = sweep(solid, ma, post, still, 1);
  hits(&x, acos(0.11 / 1.5) / pi, 1e-6);
  graze_options options = graze_default_options();
  options.method = GRAZE_METHOD_DISCRETE, options.samples = 2;
  assert_int_equal(graze_sweep(&bar, &ma, &pole, &still, 1, &options, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_CLEAR); /* that is why */
  options.samples = 1001;
  assert_int_equal(graze_sweep(&bar, &ma, &pole, &still, 1, &options, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_HIT);
  assert_true(fabs(x.t - acos(0.1 / 1.5) / pi) <= 1e-3);
  assert_int_equal(x.path, GRAZE_PATH_DISCRETE);
  graze_impact ca = by(GRAZE_METHOD_CA, &bar, ma, &pole, still, 1, true);
  hits(&ca, acos(0.1 / 1.5) / pi, 1e-6);
  assert_int_equal(ca.path, GRAZE_PATH_CA);
  options.method = GRAZE_METHOD_CA; /* asked for steps it once stood still */
  options.steps = room, options.step_capacity = sizeof room / sizeof room[0];
  assert_int_equal(graze_sweep(&bar, &ma, &pole, &still, 1, &options, &x), GRAZE_OK);
  hits(&x, acos(0.1 / 1.5) / pi, 1e-6);
}

/* A million revolutions: of a disk beside a wall, which may take more steps than there are, but is no contact; of one
 * that tumbles into it; and of a rod that hits at once. */
TEST(test_a_million_revolutions) {
  const double million = 2e6 * pi;
  graze_placed disk = at(graze_cylinder(1, 0.1), 0, 0, 0), wall = at(graze_box(0.5, 9, 9), 1.501, 0, 0);
  graze_placed post = at(graze_box(0.1, 0.1, 0.1), 1.3, 0, 0);
  graze_motion ma = spin(million), tumbling = motion(vec(0, 0, 0), vec(million, million, million));
  graze_impact x;
  assert_int_equal(graze_sweep(&disk, &ma, &wall, &still, 1, NULL, &x), GRAZE_OK);
  assert_int_not_equal(x.result, GRAZE_HIT);
  if (x.result == GRAZE_POSSIBLE) assert_int_equal(x.stopped, GRAZE_STOP_BUDGET);
  assert_int_equal(graze_sweep(&disk, &tumbling, &post, &still, 1, NULL, &x), GRAZE_OK);
  is_clear(&x); /* their balls are apart */
  assert_int_equal(graze_sweep(&disk, &tumbling, &wall, &still, 1, NULL, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_HIT);
  assert_true(x.t_lower < 1e-6);
  x = sweep(at(graze_segment2(vec(0, 0, 0), vec(2, 0, 0)), 0, 0, 0), ma, at(graze_box2(5, 1), 0, 2, 0), still, 1);
  hits(&x, asin(0.5) / million, 1e-15);
}

/* A rod on a cone that it turns on, beside a ball that it never touches, more often than anybody sees through: that is
 * said after a few revolutions, not after 65,536 steps. */
TEST(test_too_many_revolutions) {
  static const double turns[] = {2e6, 1e15, 1e30};
  const graze_placed rod = at(graze_segment(vec(-1, 0, -0.5), vec(1, 0, 0.5)), 0, 0, 0),
                     ball = at(graze_sphere(0.2), 0.8, 0, 0);
  for (int i = 0; i < 3; i++) {
    const graze_motion turning = spin(turns[i]);
    graze_impact x;
    assert_int_equal(graze_sweep(&rod, &turning, &ball, &still, 1, NULL, &x), GRAZE_OK);
    assert_int_equal(x.result, GRAZE_POSSIBLE);
    assert_int_equal(x.stopped, GRAZE_STOP_BUDGET);
    assert_true(x.t_lower * turns[i] > 100);
    assert_true(x.iterations < 1 << 12);
  }
}

/* The ball as a part of a compound: its sweep has as many steps as that of two convex shapes, not 1024 times as many.
 */
TEST(test_too_many_revolutions_by_parts) {
  const graze_placed rod = at(graze_segment(vec(-1, 0, -0.5), vec(1, 0, 0.5)), 0, 0, 0),
                     balls[2] = {at(graze_sphere(0.2), 0.8, 0, 0), at(graze_sphere(0.2), -0.8, 0, 0)};
  const graze_motion turning = spin(2e6);
  graze_compound *made;
  graze_impact x;
  assert_int_equal(graze_compound_create(balls, 2, NULL, &made, NULL), GRAZE_OK);
  const graze_placed both = at(graze_compound_shape(made), 0, 0, 0);
  assert_int_equal(graze_sweep(&rod, &turning, &both, &still, 1, NULL, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_POSSIBLE);
  assert_int_equal(x.stopped, GRAZE_STOP_BUDGET);
  assert_true(x.t_lower * 2e6 > 5000 && x.iterations < 1 << 18);
  graze_compound_destroy(made);
}

/* A thousand of its lengths in one step, spinning, through a wall of 1e-6. */
TEST(test_bullets) {
  graze_placed wall = at(graze_box(2, 2, 5e-7), 0, 0, 0), film = at(graze_box(2, 2, 0), 0, 0, 0);
  graze_shape bullets[] = {graze_box(0.005, 0.004, 0.003), graze_capsule(0.001, 0.004),
                           graze_ellipsoid(0.005, 0.004, 0.003), graze_cone(0.005, 0.004)};
  const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_SWEEP, GRAZE_METHOD_CA};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 32; j++) {
      const graze_placed *target = j % 2 ? &wall : &film;
      graze_placed b = at(bullets[i], 0.3, 0.04 * j - 0.5, -10 * (j + 0.5) / 32);
      graze_motion mb = motion(vec(0, 0.001 * j, 10), vec(10 * j, 300 - j, j % 5));
      for (int k = 0; k < 3; k++) {
        graze_impact x = by(methods[k], target, still, &b, mb, 1, methods[k] == GRAZE_METHOD_CA);
        assert_int_equal(x.result, GRAZE_HIT);
        assert_true(x.t_upper < (j + 1) / 32.0 && x.t_lower > j / 32.0 && x.t_upper - x.t_lower < 1e-6);
      }
      graze_options options = graze_default_options();
      graze_impact missed;
      options.method = GRAZE_METHOD_DISCRETE, options.samples = 33; /* on either side, as the engines do */
      assert_int_equal(graze_sweep(target, &still, &b, &mb, 1, &options, &missed), GRAZE_OK);
      assert_int_equal(missed.result, GRAZE_CLEAR);
    }
}

/* The same without spin, by every method that there is. */
TEST(test_straight_bullets) {
  const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_FCCD, GRAZE_METHOD_LCCD, GRAZE_METHOD_SWEEP,
                                  GRAZE_METHOD_CA};
  const graze_path paths[] = {GRAZE_PATH_LCCD, GRAZE_PATH_FCCD, GRAZE_PATH_LCCD, GRAZE_PATH_SWEEP, GRAZE_PATH_CA};
  graze_placed wall = at(graze_box(2, 2, 5e-7), 0, 0, 0), b = at(graze_box(0.005, 0.004, 0.003), 0.3, 0.2, -4);
  graze_motion mb = motion(vec(0.1, 0.2, 10), vec(0, 0, 0));
  for (int k = 0; k < 5; k++) {
    graze_impact x = by(methods[k], &wall, still, &b, mb, 1, methods[k] == GRAZE_METHOD_CA);
    hits(&x, (4 - 5e-7 - 0.003) / 10, 1e-9);
    assert_int_equal(x.path, paths[k]);
    is_near(x.normal, vec(0, 0, -1), 1e-6);
    mb.velocity = vec(0.1, 0.2, -10);
    x = by(methods[k], &wall, still, &b, mb, 1, methods[k] == GRAZE_METHOD_CA);
    assert_int_equal(x.result, GRAZE_CLEAR);
    mb.velocity = vec(0.1, 0.2, 10);
  }
}

/* ---- starts in contact */

TEST(test_starts_in_touch) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), 0.5, 0, 2);
  graze_motion leaving = motion(vec(0, 0, 4), vec(0, 0, 1)), tilting = motion(vec(0, 0, 4), vec(1, 0, 0));
  graze_motion pressing = motion(vec(0, 0, 0), vec(1, 0, 0)), down = motion(vec(0, 0, -1), vec(0, 0, 1));
  graze_motion slowly = motion(vec(0, 0, 0.5), vec(1, 0, 0));
  graze_impact x = doubtful_sweep(a, still, b, leaving, 1);
  is_clear(&x);
  assert_int_equal(x.starts, GRAZE_TOUCHING);
  x = doubtful_sweep(a, still, b, tilting, 1); /* it rises faster than its edge sinks */
  is_clear(&x);
  x = doubtful_sweep(a, still, b, pressing, 1); /* an edge digs in */
  hits(&x, 0, 1e-6);
  assert_int_equal(x.starts, GRAZE_TOUCHING);
  is_near(x.normal, vec(0, 0, 1), 1e-9);
  x = doubtful_sweep(a, still, b, slowly, 1); /* the edge sinks faster */
  hits(&x, 0, 1e-6);
  x = doubtful_sweep(a, still, b, down, 1);
  hits(&x, 0, 1e-6);
  graze_placed ball = at(graze_sphere(1), 0, 0, 2), side = at(graze_box(1, 1, 1), 2, 0, 0);
  x = doubtful_sweep(a, still, ball, motion(vec(1, 0, 0), vec(3, 3, 3)), 4); /* rolling is sliding: it does not turn */
  is_clear(&x);
  x = doubtful_sweep(a, motion(vec(-3, 0, 0), vec(0, 0, 0.5)), side, motion(vec(0, 0, 0), vec(0, 0.5, 0)), 1);
  is_clear(&x); /* both turn, and part faster */
}

/* Whatever comes later, after they parted, is found. */
TEST(test_touch_then_hit) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_segment(vec(0, 0, 0), vec(0, 2, 0)), 0, 1, 0);
  graze_placed wall = at(graze_box(5, 5, 1), 0, 0, 0), rod = at(graze_segment(vec(0, 0, 0), vec(2, 0, 0)), 0, 0, 1);
  graze_impact x = doubtful_sweep(a, still, b, motion(vec(0, 1, 0), vec(0, 0, 1)), 1);
  is_clear(&x);
  assert_int_equal(x.starts, GRAZE_TOUCHING);
  /* the rod lies on the wall, turns up, rises, and is back after more than half a turn: 1 + t + 2·sin t = 1 */
  x = doubtful_sweep(wall, still, rod, motion(vec(0, 0, 0.125), vec(0, -1, 0)), 5);
  assert_int_equal(x.starts, GRAZE_TOUCHING);
  double t = 3.3;
  for (int i = 0; i < 50; i++) t -= (0.125 * t + 2 * sin(t)) / (0.125 + 2 * cos(t));
  if (x.result == GRAZE_HIT) assert_true(x.t_lower <= t && t <= x.t_upper);
  assert_int_not_equal(x.result, GRAZE_CLEAR);
}

TEST(test_starts_overlapping) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), 1.5, 0, 0);
  graze_impact x = sweep(a, spin(2), b, motion(vec(8, 0, 0), vec(1, 2, 3)), 4);
  graze_answer answer;
  hits(&x, 0, 0);
  assert_int_equal(x.starts, GRAZE_OVERLAPPING);
  assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
  is_near(x.normal, answer.normal, 0);
}

/* ---- nothing turns */

static bool same(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

static bool same_vec(graze_vec u, graze_vec v) { return same(u.x, v.x) && same(u.y, v.y) && same(u.z, v.z); }

static void are_the_same(const graze_impact *x, const graze_impact *y) {
  assert_true(x->result == y->result && x->starts == y->starts && x->path == y->path && x->stopped == y->stopped);
  assert_true(same(x->t_lower, y->t_lower) && same(x->t_upper, y->t_upper) && same(x->t, y->t));
  assert_true(same(x->min_lower, y->min_lower) && same(x->min_upper, y->min_upper) && same(x->t_min, y->t_min));
  assert_true(same_vec(x->point, y->point) && same_vec(x->normal, y->normal));
  assert_true(same_vec(x->position_a, y->position_a) && same_vec(x->position_b, y->position_b));
  assert_true(x->iterations == y->iterations && x->exact == y->exact);
}

/* Without a turn, and of bodies that look the same however they turn, it is the cast, to the last bit. */
TEST(test_as_cast) {
  graze_shape shapes[] = {graze_box(1, 0.5, 0.25),
                          graze_sphere(0.5),
                          graze_capsule(0.25, 1),
                          graze_cylinder(0.5, 1),
                          graze_ellipsoid(1, 0.5, 0.25),
                          graze_point(),
                          graze_with_margin(graze_point(), 0.25)};
  int met = 0;
  for (int i = 0; i < 7 * 7 * 8; i++) {
    int k = i / 49;
    bool round_a = i % 7 == 1 || i % 7 > 4, round_b = i / 7 % 7 == 1 || i / 7 % 7 > 4;
    graze_placed a = at(shapes[i % 7], 0, 0, 0), b = at(shapes[i / 7 % 7], 3 - 0.5 * k, 0.125 * k, 0.25);
    graze_motion ma = motion(vec(0.25 * k, 0, 0), vec(round_a ? 7 : 0, 0, 1e-3 * round_a));
    graze_motion mb = motion(vec(-1, 0.1 * k - 0.3, 0), vec(0, round_b ? -100 : 0, 0));
    graze_impact x, y;
    assert_int_equal(graze_sweep(&a, &ma, &b, &mb, 4, NULL, &x), GRAZE_OK);
    assert_int_equal(graze_cast(&a, ma.velocity, &b, mb.velocity, 4, NULL, &y), GRAZE_OK);
    are_the_same(&x, &y);
    assert_int_equal(graze_verify_sweep(&a, &ma, &b, &mb, 4, NULL, &x),
                     graze_verify_cast(&a, ma.velocity, &b, mb.velocity, 4, NULL, &y));
    met += x.result == GRAZE_HIT;
  }
  assert_in_range(met, 80, 350);
}

TEST(test_zero_motion) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), 2.5, 0, 0);
  graze_impact x = sweep(a, still, b, still, 10);
  is_clear(&x);
  assert_true(x.min_lower <= 0.5 && x.min_upper >= 0.5);
  x = doubtful_sweep(a, spin(1), b, still, 0); /* no time, and no step */
  is_clear(&x);
  x = by(GRAZE_METHOD_SWEEP, &a, still, &b, still, 10, false);
  is_clear(&x);
  is_near(x.position_b, vec(2.5, 0, 0), 0);
  x = sweep(a, spin(1e-300), b, still, 1);
  is_clear(&x);
  x = sweep(a, motion(vec(5, 6, 7), vec(0, 0, 1e-9)), b, motion(vec(5, 6, 7), vec(0, 0, 0)), 1);
  is_clear(&x);
  is_near(x.position_a, vec(5, 6, 7), 0);
}

/* ---- options and input */

TEST(test_clearance) {
  graze_placed wall = at(graze_halfspace(vec(0, -1, 0), -1), 0, 0, 0),
               rod = at(graze_segment(vec(0, 0, 0), vec(2, 0, 0)), 0, 0, 0);
  graze_options options = graze_default_options();
  graze_motion ma = spin(1);
  graze_impact x;
  options.clearance = 0.25;
  options.steps = room, options.step_capacity = sizeof room / sizeof room[0];
  assert_int_equal(graze_sweep(&rod, &ma, &wall, &still, 1, &options, &x), GRAZE_OK);
  hits(&x, asin(0.375), 1e-11);
  assert_int_equal(graze_verify_sweep(&rod, &ma, &wall, &still, 1, &options, &x), GRAZE_OK);
  assert_int_not_equal(graze_verify_sweep(&rod, &ma, &wall, &still, 1, NULL, &x), GRAZE_OK);
}

/* Too few steps: possible, from where they ended; what they show still holds. */
TEST(test_few_steps) {
  graze_placed rod = at(graze_segment2(vec(0, 0, 0), vec(2, 0, 0)), 0, 0, 0), wall = at(graze_box2(5, 1), 0, 2, 0);
  graze_options options = graze_default_options();
  graze_motion ma = spin(1);
  graze_impact x;
  double before = 0;
  options.steps = room;
  for (size_t few = 0; few < 4; few++) {
    options.step_capacity = few;
    assert_int_equal(graze_sweep(&rod, &ma, &wall, &still, 1, &options, &x), GRAZE_OK);
    assert_int_equal(x.result, GRAZE_POSSIBLE);
    assert_int_equal(x.stopped, GRAZE_STOP_BUDGET);
    assert_int_equal(x.step_count, few);
    assert_true(few == 0 ? x.t_lower == 0 : x.t_lower > before && x.t_lower == room[few - 1].to);
    assert_true(x.t_upper >= asin(0.5));
    assert_int_not_equal(graze_verify_sweep(&rod, &ma, &wall, &still, 1, NULL, &x), GRAZE_REFUTED);
    before = x.t_lower;
  }
}

static graze_status ask(const graze_placed *a, graze_motion ma, const graze_placed *b, graze_motion mb, double t_max,
                        graze_method method) {
  graze_options options = graze_default_options();
  graze_impact x;
  options.method = method;
  graze_status status = graze_sweep(a, &ma, b, &mb, t_max, &options, &x);
  if (status != GRAZE_OK) {
    memset(&x, 0, sizeof x);
    assert_int_not_equal(graze_verify_sweep(a, &ma, b, &mb, t_max, NULL, &x), GRAZE_OK);
  }
  return status;
}

TEST(test_refusals) {
  const graze_method any = GRAZE_METHOD_AUTO,
                     all[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_SWEEP, GRAZE_METHOD_CA, GRAZE_METHOD_DISCRETE};
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), s = at(graze_box2(1, 1), 5, 0, 0),
               d = at(graze_box2(1, 1), 0, 0, 0);
  graze_placed b = at(graze_box(1, 1, 1), 5, 0, 0), f = at(graze_halfspace(vec(0, 0, 1), -4), 0, 0, 0);
  graze_placed round = at(graze_cylinder(1, 1), 5, 0, 0), bad = at(graze_sphere(-1), 5, 0, 0);
  const double wrong[] = {NAN, INFINITY, -INFINITY, 2e40};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 4; i++) {
      assert_int_equal(ask(&a, motion(vec(0, 0, 0), vec(0, wrong[i], 0)), &b, still, 1, all[k]), GRAZE_BAD_NUMBER);
      assert_int_equal(ask(&a, still, &b, motion(vec(0, 0, 0), vec(wrong[i], 0, 0)), 1, all[k]), GRAZE_BAD_NUMBER);
      assert_int_equal(ask(&a, motion(vec(0, 0, wrong[i]), vec(0, 1, 0)), &b, still, 1, all[k]), GRAZE_BAD_NUMBER);
      assert_int_equal(ask(&s, motion(vec(0, 0, 0), vec(0, 0, wrong[i])), &d, still, 1, all[k]), GRAZE_BAD_NUMBER);
    }
  assert_int_equal(ask(&a, spin(1), &b, still, NAN, any), GRAZE_BAD_NUMBER);
  assert_int_equal(ask(&a, spin(1), &b, still, -1, any), GRAZE_BAD_OPTION);
  assert_int_equal(ask(&s, motion(vec(0, 0, 0), vec(1, 0, 0)), &d, still, 1, any), GRAZE_DIM_MISMATCH);
  assert_int_equal(ask(&s, still, &d, motion(vec(0, 0, 0), vec(0, 1, 0)), 1, any), GRAZE_DIM_MISMATCH);
  assert_int_equal(ask(&s, motion(vec(0, 0, 1), vec(0, 0, 1)), &d, still, 1, any), GRAZE_DIM_MISMATCH);
  assert_int_equal(ask(&a, spin(1), &d, still, 1, any), GRAZE_DIM_MISMATCH);
  assert_int_equal(ask(&f, spin(1), &b, still, 1, any), GRAZE_UNSUPPORTED);
  assert_int_equal(ask(&b, still, &f, motion(vec(0, 0, 0), vec(1, 0, 0)), 1, any), GRAZE_UNSUPPORTED);
  assert_int_equal(ask(&f, still, &f, still, 1, any), GRAZE_UNSUPPORTED);
  assert_int_equal(ask(&a, spin(1), &bad, still, 1, any), GRAZE_BAD_SHAPE);
  assert_int_equal(ask(&a, spin(1), &b, still, 1, GRAZE_METHOD_FCCD), GRAZE_UNSUPPORTED);
  assert_int_equal(ask(&a, spin(1), &b, still, 1, GRAZE_METHOD_LCCD), GRAZE_UNSUPPORTED);
  assert_int_equal(ask(&a, still, &round, still, 1, GRAZE_METHOD_LCCD), GRAZE_UNSUPPORTED);
  assert_int_equal(ask(&f, still, &b, still, 1, GRAZE_METHOD_LCCD), GRAZE_UNSUPPORTED);
  assert_int_equal(ask(&a, spin(1), &b, still, 1, GRAZE_METHOD_GJK), GRAZE_UNSUPPORTED);
  assert_int_equal(ask(&a, spin(1), &b, still, 1, (graze_method)99), GRAZE_BAD_OPTION);
  graze_options options = graze_default_options();
  graze_impact x;
  options.samples = 1;
  assert_int_equal(graze_sweep(&a, &still, &b, &still, 1, &options, &x), GRAZE_BAD_OPTION);
  graze_cache cache = {.count = 0};
  graze_motion ma = spin(1);
  options = graze_default_options(), options.cache = &cache;
  assert_int_equal(graze_sweep(&a, &ma, &b, &still, 1, &options, &x), GRAZE_BAD_OPTION);
  options = graze_default_options(), options.clearance = -1;
  assert_int_equal(graze_sweep(&a, &ma, &b, &still, 1, &options, &x), GRAZE_BAD_OPTION);
}

/* The part of a compound turns about the position of the compound. */
TEST(test_parts) {
  graze_placed part = at(graze_box(1, 0.5, 0.5), 2, 0, 0), wall = at(graze_box(9, 1, 9), 0, 3, 0);
  graze_compound *compound;
  assert_int_equal(graze_compound_create(&part, 1, NULL, &compound, NULL), GRAZE_OK);
  graze_placed whole = at(graze_compound_shape(compound), 0, 0, 0), loose = graze_part(&whole, 0);
  graze_motion ma = spin(1);
  graze_impact x, y = sweep(loose, ma, wall, still, 1);
  assert_int_equal(graze_sweep(&whole, &ma, &wall, &still, 1, NULL, &x), GRAZE_OK);
  const double angle = asin(2 / hypot(3, 0.5)) - atan2(0.5, 3);
  hits(&x, angle, 1e-9);
  hits(&y, angle, 1e-9);
  graze_compound_destroy(compound);
}

/* Far more turns than can be told apart: nobody knows, and nobody says so but for what the balls show. */
TEST(test_turns_without_end) {
  graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), near = at(graze_box(1, 1, 1), 2.25, 0, 0),
               far = at(graze_box(1, 1, 1), 4, 0, 0);
  graze_motion fast = motion(vec(0, 0, 0), vec(1e40, 1e39, 0)), slow = motion(vec(0, 0, 0), vec(0, 0, 1));
  graze_impact x;
  assert_int_equal(graze_sweep(&a, &fast, &near, &still, 1, NULL, &x), GRAZE_OK);
  assert_int_not_equal(x.result, GRAZE_CLEAR);
  assert_int_equal(graze_sweep(&a, &fast, &far, &still, 1e300, NULL, &x), GRAZE_OK);
  is_clear(&x);
  assert_int_equal(graze_sweep(&a, &slow, &near, &still, INFINITY, NULL, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_HIT);
  assert_true(x.t_lower <= 0.7 && x.t_upper - x.t_lower < 1e-6);
  assert_int_equal(graze_sweep(&a, &slow, &far, &still, INFINITY, NULL, &x), GRAZE_OK);
  is_clear(&x);
}

/* A floor that comes up and goes on for ever. At the last double of time the height over it is beyond all doubles: it
 * came out as positive, and the whole motion as clear. */
TEST(test_beyond_the_largest_double) {
  graze_placed floor = at(graze_halfspace2(vec(0.25, 1, 0), -3.75), 1, 0, 0), ball = at(graze_circle(3.25), 0, 0, 0);
  graze_motion rises = motion(vec(2.5, 2.5, 0), vec(0, 0, 0));
  const double ends[] = {1, 1e100, 1e300, 1e307, INFINITY};
  for (int i = 0; i < 5; i++) {
    graze_impact x = by(GRAZE_METHOD_SWEEP, &floor, rises, &ball, still, ends[i], false);
    assert_true(x.result == GRAZE_HIT && x.t_lower <= 0.0849243 && x.t_upper >= 0.0849241);
  }
}

/* What falls slower than 1 for ever: the first chord, rounded up, was beyond the largest double, and a share of it was
 * taken for the end, so that it fell through the floor. */
TEST(test_falls_for_ever) {
  const double speeds[] = {0x1p-40, 0.25, 0.5, 0.9, 1, 2, 1e3};
  const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_SWEEP, GRAZE_METHOD_CA};
  graze_placed floor = at(graze_halfspace(vec(0, 0, 1), 0), 0, 0, 0), ball = at(graze_sphere(0.25), 0, 0, 3);
  for (int i = 0; i < 7 * 3; i++) {
    graze_motion falls = motion(vec(0, 0, -speeds[i / 3]), vec(0, 0, 0));
    graze_impact x = by(methods[i % 3], &ball, falls, &floor, still, INFINITY, i % 3 == 2);
    hits(&x, 2.75 / speeds[i / 3], 1e-11 / speeds[i / 3]);
  }
}

/* So slow a turn, and so long a motion, that a square root over the largest double was the first chord: no number came
 * of it, and that was taken for the end. */
TEST(test_hardly_turns) {
  const double rates[] = {1e-300, 1e-200, 1e-160, 1e-154, 1e-20};
  graze_placed floor = at(graze_halfspace(vec(0, 0, 1), 0), 0, 0, 0), wall = at(graze_box(9, 9, 0.5), 0, 0, -0.5);
  graze_placed box = at(graze_box(0.5, 0.5, 0.5), 0, 0, 5);
  for (int i = 0; i < 5; i++) {
    graze_motion falls = motion(vec(0, 0, -1), vec(rates[i], 0, 0));
    graze_impact x = sweep(box, falls, floor, still, INFINITY);
    hits(&x, 4.5, 1e-9);
    x = sweep(wall, still, box, falls, INFINITY);
    hits(&x, 4.5, 1e-9);
  }
}

/* A point at the notch of a decomposed polygon slides into a seam: for its pieces it only touches. */
TEST(test_slides_into_a_seam) {
  const graze_vec arrow[] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 1, 0}, {0, 2, 0}};
  const graze_method methods[] = {GRAZE_METHOD_SWEEP, GRAZE_METHOD_CA};
  graze_decomposition pieces;
  graze_compound *compound;
  assert_int_equal(graze_decompose((graze_ring){arrow, 5}, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &pieces, NULL, NULL),
                   GRAZE_OK);
  assert_int_equal(graze_decomposition_compound(&pieces, NULL, &compound), GRAZE_OK);
  graze_placed whole = at(graze_compound_shape(compound), 0, 0, 0), point = at(graze_point2(), 1, 1, 0);
  for (int i = 0; i < 2 * 4; i++) {
    graze_motion goes = motion(vec(i / 2 % 2 ? 1 : -1, i / 4 ? 1 : -1, 0), vec(0, 0, 0));
    graze_impact x = by(methods[i % 2], &whole, still, &point, goes, 0.5, true);
    graze_placed then = at(graze_point2(), 1 + 0.5 * goes.velocity.x, 1 + 0.5 * goes.velocity.y, 0);
    graze_answer answer;
    assert_int_equal(graze_intersect(&whole, &then, NULL, &answer), GRAZE_OK);
    assert_true(answer.relation != GRAZE_OVERLAPPING || x.result != GRAZE_CLEAR);
  }
  graze_compound_destroy(compound);
  graze_decomposition_destroy(&pieces);
}

/* A box that rests on a floor and turns: its corner goes into the floor at once. A direction rode on the floor, where
 * nothing was known of how it bends, and the first moment when the box is above the floor again made it clear. */
TEST(test_turns_into_the_floor) {
  const graze_method methods[] = {GRAZE_METHOD_SWEEP, GRAZE_METHOD_CA};
  graze_placed floor[2] = {at(graze_halfspace2(vec(0, 1, 0), 0), 0, 0, 0),
                           at(graze_halfspace(vec(0, 1, 0), 0), 0, 0, 0)};
  graze_placed box[2] = {at(graze_box2(0.5, 1), 0, 1, 0), at(graze_box(0.5, 1, 1), 0, 1, 0)};
  for (int i = 0; i < 2 * 2 * 8; i++) {
    const int dim = i % 2;
    graze_motion turns = motion(vec(0, 0.1 * (i / 16), 0), vec(0, 0, 0.5 * (1 << i / 4 % 4)));
    graze_impact x = by(methods[i / 2 % 2], &box[dim], turns, &floor[dim], still, 2 << i / 4 % 4, true);
    assert_int_equal(x.starts, GRAZE_TOUCHING);
    assert_true(x.result == GRAZE_HIT && x.t_lower == 0 && x.t_upper < 1e-9 && x.iterations < 400);
    turns.velocity.y = 40; /* faster than the corner comes down */
    x = by(methods[i / 2 % 2], &box[dim], turns, &floor[dim], still, 2, true);
    is_clear(&x);
  }
}

/* ---- compounds */

TEST(test_compounds) {
  graze_placed parts[2] = {at(graze_box2(1, 0.1), 1, 0, 0), at(graze_box2(0.1, 1), 0, 1, 0)};
  graze_compound *compound;
  assert_int_equal(graze_compound_create(parts, 2, NULL, &compound, NULL), GRAZE_OK);
  graze_placed hook = at(graze_compound_shape(compound), 0, 0, 0), pole = at(graze_circle(0.2), -1.5, 0.5, 0);
  graze_motion ma = spin(1), mb = spin(-1);
  graze_impact x;
  assert_int_equal(graze_sweep(&hook, &ma, &pole, &still, 6, NULL, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_HIT);
  assert_int_equal(x.part_a, 1); /* the upright arm, after some 60 degrees */
  double angle = pi / 2 - atan2(0.5, 1.5) - asin(0.3 / hypot(0.5, 1.5));
  assert_true(x.t_lower <= angle + 1e-9 && x.t_upper >= angle - 1e-9 && x.t_upper - x.t_lower < 1e-6);
  assert_int_equal(graze_sweep(&pole, &still, &hook, &mb, 6, NULL, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_HIT);
  assert_int_equal(x.part_b, 0); /* the other arm, from behind */
  angle = 2 * pi - (pi - atan2(0.5, 1.5)) - asin(0.3 / hypot(0.5, 1.5));
  assert_true(x.t_lower <= angle + 1e-9 && x.t_upper >= angle - 1e-9 && x.t_upper - x.t_lower < 1e-6);
  pole = at(graze_circle(0.2), -2.5, 0.5, 0);
  assert_int_equal(graze_sweep(&hook, &ma, &pole, &still, 100, NULL, &x), GRAZE_OK);
  is_clear(&x);
  graze_compound_destroy(compound);
}

/* ---- stories */

/* The square of a gap of 1e-200 is zero; the chord's equation had no solution then, and time went on through walls. */
TEST(test_tiny_bodies) {
  for (int k = 0; k < 4; k++) {
    const double u = ldexp(1, k * -220);
    graze_placed rod = at(graze_segment2(vec(0, 0, 0), vec(2 * u, 0, 0)), 0, 0, 0);
    graze_placed wall = at(graze_box2(5 * u, u), 0, 2 * u, 0);
    graze_motion ma = spin(1);
    graze_impact x = sweep(rod, ma, wall, still, 1);
    hits(&x, asin(0.5), 1e-9);
    assert_int_equal(graze_sweep(&rod, &ma, &wall, &still, 1, NULL, &x), GRAZE_OK);
    hits(&x, asin(0.5), 1e-9);
  }
}

/* Nothing depends on the unit of time. The square of a rate of 1e-160 is zero: a curve was taken for straight. */
TEST(test_any_pace) {
  graze_placed bar = at(graze_box2(2, 0.5), 0, 0, 0), box = at(graze_box(1, 0.5, 0.25), 0, 0, 0);
  const graze_placed others[] = {at(graze_point2(), 0.25, 1.25, 0), at(graze_point2(), 0.25, 0.5001, 0),
                                 at(graze_point2(), -0.25, 0.5001, 0), at(graze_box(0.5, 0.5, 0.5), 1, 1.375, 0)};
  const double t_max[] = {3, 2 * pi, 2 * pi, 6};
  for (int i = 0; i < 4; i++) {
    double first = 0;
    for (int k = -120; k <= 960; k += 60) {
      const double u = ldexp(1, k);
      graze_motion ma = motion(vec(0, i == 0 ? 0.125 / u : 0, 0), vec(0, 0, 1 / u));
      if (i == 3) ma.angular.x = ma.angular.y = 1 / u;
      graze_impact x;
      assert_int_equal(graze_sweep(i < 3 ? &bar : &box, &ma, &others[i], &still, t_max[i] * u, NULL, &x), GRAZE_OK);
      assert_int_equal(x.result, GRAZE_HIT);
      if (k == -120) first = x.t / u;
      assert_true(fabs(x.t / u - first) <= 1e-10);
    }
  }
}

/* The last look before a contact was a loose one, and the normal wrong by 1e-4. */
TEST(test_normals) {
  for (int i = 0; i < 32; i++) {
    double angle = 0.01 + 0.045 * i; /* of the face of a wall, which a corner meets */
    graze_shape box = graze_box2(1, 0.5), wall = graze_box2(9, 1);
    graze_placed a = graze_place(&box, graze_pose2(0, 0, 0.3 * i));
    graze_placed b = graze_place(&wall, graze_pose2(-4 * sin(angle), 4 * cos(angle), angle));
    graze_motion ma = motion(vec(-sin(angle), cos(angle), 0), vec(0, 0, 2));
    graze_impact x = sweep(a, ma, b, still, 10);
    assert_int_equal(x.result, GRAZE_HIT);
    is_near(x.normal, vec(-sin(angle), cos(angle), 0), 1e-9);
  }
}

/* Issue: an ellipsoid as long as 1e11 and as thin as 1e-13 took 6,306,776 iterations, 11 seconds, before `possible`.
 * The cost of the work is bounded: an iteration costs at least one unit of 2^22, so no more of them than that, and
 * those of the last step. */
TEST(test_cost_is_bounded) {
  static graze_sweep_step steps[1 << 16];
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
  graze_options options = graze_default_options();
  options.steps = steps, options.step_capacity = sizeof steps / sizeof steps[0];
  graze_impact impact;
  assert_int_equal(graze_sweep(&a, &ma, &b, &mb, 1, &options, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_POSSIBLE);
  assert_int_equal(impact.stopped, GRAZE_STOP_BUDGET);
  assert_in_range(impact.iterations, 1, (1 << 22) + 1000);
}
