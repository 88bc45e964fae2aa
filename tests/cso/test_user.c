/* Shapes by the caller's own support function: answers like those of the built-in shape, said to be conditional,
 * verified. Seeds are stated at each test. */
#include "support/test.h"

#include <graze/graze.h>

static uint64_t state;

static double next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

/* A ball of the radius that context points to. Each coordinate is rounded a few times: 4 ulps cover the support value.
 */
static double ball_support(void *context, graze_vec d, graze_vec *point) {
  double r = *(const double *)context, length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  *point = (graze_vec){r * (d.x / length), r * (d.y / length), r * (d.z / length)};
  return r * 0x1p-50;
}

/* A box with half extents at context; exact. */
static double box_support(void *context, graze_vec d, graze_vec *point) {
  const graze_vec *h = context;
  *point = (graze_vec){d.x > 0 ? h->x : -h->x, d.y > 0 ? h->y : -h->y, d.z > 0 ? h->z : -h->z};
  return 0;
}

static graze_pose random_pose(double spread) {
  graze_vec p = {spread * (next() - 0.5), spread * (next() - 0.5), spread * (next() - 0.5)};
  return graze_pose3(p, next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5);
}

/* Depths too, shown by a surface. */
static void assert_agrees(const graze_placed *a, const graze_placed *user, const graze_placed *known, int *hits) {
  static double room[1 << 18];
  graze_surface surface;
  graze_options options = graze_default_options();
  graze_answer theirs, ours;
  options.workspace = room, options.workspace_size = sizeof room;
  options.surface = &surface;
  assert_int_equal(graze_distance(a, user, &options, &theirs), GRAZE_OK);
  assert_int_equal(graze_distance(a, known, NULL, &ours), GRAZE_OK);
  assert_true(theirs.conditional);
  assert_false(ours.conditional);
  assert_int_equal(theirs.relation, ours.relation);
  assert_int_equal(graze_verify(a, user, NULL, &theirs), GRAZE_OK);
  *hits += ours.relation != GRAZE_SEPARATED;
  assert_true(theirs.lower <= ours.upper && ours.lower <= theirs.upper);
  assert_true(theirs.upper - theirs.lower <= 1e-9 * fmax(theirs.distance, 2));
}

/* Seed 11. */
TEST(test_ball) {
  state = 11;
  int hits = 0;
  for (int i = 0; i < 2000; i++) {
    double radius = 0.2 + next();
    graze_shape box = graze_box(0.2 + next(), 0.2 + next(), 0.2 + next());
    graze_shape user = graze_user(3, ball_support, &radius), ball = graze_sphere(radius);
    graze_pose pose = random_pose(2.6), at = random_pose(2.6);
    graze_placed a = graze_place(&box, pose), b = graze_place(&user, at), c = graze_place(&ball, at);
    assert_agrees(&a, &b, &c, &hits);
  }
  assert_in_range(hits, 600, 1400);
}

/* Seed 12. */
TEST(test_box) {
  state = 12;
  int hits = 0;
  for (int i = 0; i < 2000; i++) {
    graze_vec h = {0.2 + next(), 0.2 + next(), 0.2 + next()};
    graze_shape capsule = graze_capsule(0.3, next());
    graze_shape user = graze_user(3, box_support, &h), box = graze_box(h.x, h.y, h.z);
    graze_pose pose = random_pose(2.6), at = random_pose(2.6);
    graze_placed a = graze_place(&capsule, pose), b = graze_place(&user, at), c = graze_place(&box, at);
    assert_agrees(&a, &b, &c, &hits);
  }
  assert_in_range(hits, 600, 1400);
}

/* Bounds hold the shape; a half-space takes it too; a missing function is refused. */
TEST(test_edges) {
  double radius = 1;
  graze_shape user = graze_user(3, ball_support, &radius), floor = graze_halfspace((graze_vec){0, 0, 1}, 0);
  graze_placed ball = graze_place(&user, graze_pose_at(1, 2, 3)), below = graze_place(&floor, graze_pose_at(0, 0, 0));
  graze_aabb bounds;
  assert_int_equal(graze_bounds(&ball, &bounds), GRAZE_OK);
  assert_true(bounds.min.x <= 0 && bounds.max.x >= 2 && bounds.min.z <= 2 && bounds.max.z >= 4);
  assert_true(bounds.max.x <= 2 + 1e-12 && bounds.min.z >= 2 - 1e-12);
  graze_answer answer;
  assert_int_equal(graze_distance(&below, &ball, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, GRAZE_SEPARATED);
  assert_true(answer.lower <= 2 && answer.upper >= 2 && answer.upper - answer.lower < 1e-12);
  assert_int_equal(graze_verify(&below, &ball, NULL, &answer), GRAZE_OK);
  graze_shape none = graze_user(3, NULL, NULL);
  assert_int_equal(graze_check(&none, NULL, NULL), GRAZE_BAD_SHAPE);
}

/* A support function gone mad: NaN, infinities, negative bounds. Nothing crashes, nothing is claimed. */
static double mad_support(void *context, graze_vec d, graze_vec *point) {
  int *calls = context;
  static const double bad[4] = {NAN, INFINITY, -1, 1e300};
  (void)d;
  double value = ++*calls > 12 ? bad[*calls % 4] : 0.5; /* sane while it is placed */
  *point = (graze_vec){value, value, value};
  return value;
}

TEST(test_mad) {
  int calls = 0;
  graze_shape mad = graze_user(3, mad_support, &calls), box = graze_box(1, 1, 1);
  graze_placed a = graze_place(&mad, graze_pose_at(0, 0, 0)), b = graze_place(&box, graze_pose_at(5, 0.25, 0));
  assert_int_equal(a.status, GRAZE_OK);
  for (int i = 0; i < 50; i++) {
    graze_answer answer;
    assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
    if (i > 12) assert_int_equal(answer.relation, GRAZE_UNDECIDED);
  }
}

/* A ball of radius 1 whose support function reports the error at context. */
static double coarse_support(void *context, graze_vec d, graze_vec *point) {
  double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  *point = (graze_vec){d.x / length, d.y / length, d.z / length};
  return *(const double *)context;
}

/* GJK may have used all its iterations before rounding stops it. */
static bool has_reason(graze_stop stopped) { return stopped == GRAZE_STOP_PRECISION || stopped == GRAZE_STOP_BUDGET; }

/* Issue: against a half-space, in graze_intersect() and in brackets of time, an interval as wide as the error of the
 * support function did not have its reason. */
static void assert_reason(double error, const graze_placed *user, const graze_shape *other, double touch) {
  const bool wide = error > 1e-6;
  const graze_vec down = {0, 0, -1}, still = {0, 0, 0};
  for (int i = -1; i <= 1; i++) {
    const graze_placed below = graze_place(other, graze_pose_at(0, 0, -touch - 0.375 * i));
    graze_answer answer;
    assert_int_equal(graze_distance(user, &below, NULL, &answer), GRAZE_OK);
    if (answer.relation != GRAZE_OVERLAPPING || other->kind == GRAZE_HALFSPACE) {
      assert_int_equal(has_reason(answer.stopped), wide);
      assert_true(answer.upper - answer.lower >= error);
    }
    assert_int_equal(graze_intersect(&below, user, NULL, &answer), GRAZE_OK);
    if (i == 0) assert_int_equal(answer.relation, GRAZE_UNDECIDED);
    assert_int_equal(has_reason(answer.stopped), wide && answer.relation == GRAZE_UNDECIDED);
  }
  const graze_placed far = graze_place(other, graze_pose_at(0, 0, -touch - 1));
  const graze_motion falls = {down, {0, 0, 0.5}}, stays = {still, still};
  graze_impact impact;
  assert_int_equal(graze_cast(user, down, &far, still, 3, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_HIT);
  assert_int_equal(impact.stopped, wide ? GRAZE_STOP_PRECISION : GRAZE_STOP_NONE);
  assert_int_equal(graze_sweep(user, &falls, &far, &stays, 3, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_HIT);
  assert_int_equal(impact.stopped, wide ? GRAZE_STOP_PRECISION : GRAZE_STOP_NONE);
  assert_int_equal(graze_cast(user, (graze_vec){0, 0, 1}, &far, still, 3, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_CLEAR);
  assert_int_equal(has_reason(impact.stopped), wide);
}

TEST(test_reason_of_wide_intervals) {
  static const double errors[] = {0x1p-50, 1e-5, 1e-3, 0.05};
  const graze_shape others[] = {graze_halfspace((graze_vec){0, 0, 1}, 0), graze_box(2, 2, 0.5), graze_sphere(0.5),
                                graze_ellipsoid(2, 1, 0.5)};
  for (int e = 0; e < 4; e++) {
    double error = errors[e];
    const graze_shape shape = graze_user(3, coarse_support, &error);
    const graze_placed user = graze_place(&shape, graze_pose_at(0, 0, 0));
    for (int k = 0; k < 4; k++) assert_reason(error, &user, &others[k], others[k].kind == GRAZE_HALFSPACE ? 1 : 1.5);
  }
}
