/* Moving one body: single cases. */
#include "support/test.h"
#include "scene/moving.h"

static void open_scene(int dim) { open_skin(dim, 0x1p-10); }

static void assert_at(graze_vec p, double x, double y, double z) {
  const double skin = 0x1p-7;
  if (!(fabs(p.x - x) <= skin && fabs(p.y - y) <= skin && fabs(p.z - z) <= skin))
    fail_msg("at (%.9g, %.9g, %.9g), not (%g, %g, %g)", p.x, p.y, p.z, x, y, z);
}

static void assert_met(size_t i, graze_body other, graze_collision_response response, double t) {
  assert_true(i < count);
  assert_int_equal(met[i].other.slot, other.slot);
  assert_int_equal(met[i].response, response);
  if (!(fabs(met[i].t - t) <= 0x1p-9)) fail_msg("met at %g, not at %g", met[i].t, t);
}

/* ---- Single cases */

SCENE_TEST(test_floor) {
  open_scene(2);
  const graze_body hero = insert(graze_box2(0.5, 0.5), GRAZE_DYNAMIC, 0, 1.5, 0),
                   ground = add_static(graze_box2(10, 1), 0, -1, 0);
  assert_at(go(hero, 2, -2, 0, NULL), 2, 0.5, 0);
  assert_int_equal(count, 1);
  assert_met(0, ground, GRAZE_COLLISION_SLIDE, 0.5);
  assert_true(!met[0].stopped && !met[0].overlapped && fabs(met[0].normal.y + 1) < 1e-9);
  assert_true(fabs(met[0].point.y) <= 0x1p-9 && fabs(met[0].pose.position.x - 1) <= 0x1p-9);
  for (int i = 0; i < 1000; i++) (void)go(hero, 0.001, -1, 0, NULL); /* it does not sink */
  assert_true(gap(hero, ground) >= 0.49 * 0x1p-10 && gap(hero, ground) <= 2 * 0x1p-10);
  assert_at(go(hero, 0, 1, 0, touch), 3, 1.5, 0); /* it may leave */
  assert_int_equal(count, 0);
  assert_at(go(hero, 0, -2, 0, NULL), 3, 0.5, 0);
  assert_true(count == 1 && met[0].stopped);
}

SCENE_TEST(test_wall) {
  open_scene(3);
  const graze_body ball = insert(graze_sphere(0.5), GRAZE_KINEMATIC, 0, 0, 0),
                   wall = add_static(graze_halfspace(vec(-1, 0, 0), -3), 0, 0, 0);
  assert_at(go(ball, 5, 5, 0, touch), 2.5, 2.5, 0);
  assert_met(0, wall, GRAZE_COLLISION_TOUCH, 0.5);
  assert_true(count == 1 && met[0].stopped);
  assert_at(go(ball, 0, 0, 4, touch), 2.5, 2.5, 4); /* along it */
  assert_int_equal(count, 0);
  assert_at(go(ball, -2, 0, 0, NULL), 0.5, 2.5, 4);
  assert_at(go(ball, 4, 1, 0, bounce), 0.5, 3.5, 4);
  assert_met(0, wall, GRAZE_COLLISION_BOUNCE, 0.5);
  assert_true(count == 1 && !met[0].stopped);
}

/* Between two walls, back and forth. */
SCENE_TEST(test_bounces) {
  open_scene(2);
  const graze_body ball = insert(graze_circle(0.5), GRAZE_DYNAMIC, 0, 0, 0);
  const graze_body left = add_static(graze_box2(1, 9), -3, 0, 0), right = add_static(graze_box2(1, 9), 3, 0, 0);
  const graze_vec at = go(ball, 12, 1, 0, bounce);
  assert_true(fabs(at.x) <= 9 * 0x1p-10 && fabs(at.y - 1) < 1e-9);
  assert_int_equal(count, 4);
  for (size_t i = 0; i < 4; i++)
    assert_met(i, i % 2 ? left : right, GRAZE_COLLISION_BOUNCE, (1.5 + 3 * (double)i) / 12);
  assert_true(go(ball, 1e6, 0, 0, bounce).x < 2); /* too many collisions: it stops without overlap */
  assert_true(count == 32 && met[31].stopped && gap(ball, left) > 0 && gap(ball, right) > 0);
}

SCENE_TEST(test_corners) {
  open_scene(2);
  graze_body box = insert(graze_box2(0.5, 0.5), GRAZE_DYNAMIC, 0, 0, 0);
  const graze_body ground = add_static(graze_box2(10, 1), 0, -2.5, 0), wall = add_static(graze_box2(1, 10), 4.5, 0, 0);
  assert_at(go(box, 6, -4, 0, NULL), 3, -1, 0);
  assert_int_equal(count, 2);
  assert_met(0, ground, GRAZE_COLLISION_SLIDE, 0.25);
  assert_met(1, wall, GRAZE_COLLISION_SLIDE, 0.5);
  assert_true(met[1].stopped);
  assert_at(go(box, 1, 1, 0, NULL), 3, 0, 0);
  assert_at(go(box, -1, -3, 0, NULL), 2, -1, 0);

  open_scene(3);
  box = insert(graze_box(0.5, 0.5, 0.5), GRAZE_DYNAMIC, 0, 0, 0);
  for (int k = 0; k < 3; k++) (void)add_static(graze_halfspace(vec(-(k == 0), -(k == 1), -(k == 2)), -2), 0, 0, 0);
  assert_at(go(box, 3, 2, 0.5, NULL), 1.5, 1.5, 0.5); /* along the crease */
  assert_true(count == 2 && !met[1].stopped);
  assert_at(go(box, 3, 2, 4, NULL), 1.5, 1.5, 1.5);
  assert_true(count == 3 && met[2].stopped);
  assert_at(go(box, 3, 2, -4, NULL), 1.5, 1.5, -2.5);
}

/* A V of two 2:1 ramps, one compound: the body slides down one side and ends in the middle. */
SCENE_TEST(test_compound_valley) {
  open_scene(2);
  const graze_vec left[3] = {{-8, 8, 0}, {-8, -1, 0}, {0, -1, 0}}, right[3] = {{8, 8, 0}, {0, -1, 0}, {8, -1, 0}};
  const graze_placed parts[2] = {placed_at(graze_polygon(left, 3), 0, 0, 0),
                                 placed_at(graze_polygon(right, 3), 0, 0, 0)};
  made = compound_of(parts, 2);
  const graze_body ball = insert(graze_circle(0.5), GRAZE_DYNAMIC, -3, 5, 0);
  const graze_body whole = add_static(graze_compound_shape(made), 0, 0, 0);
  (void)go(ball, 0, -20, 0, NULL);
  assert_true(count == 2 && met[0].other.slot == whole.slot && met[1].other.slot == whole.slot && met[1].stopped);
  const graze_vec at = pose_of(ball).position;
  assert_true(fabs(at.x) < 0x1p-8 && gap(ball, whole) > 0x1p-12 && gap(ball, whole) < 0x1p-8);
  for (int i = 0; i < 20; i++) (void)go(ball, 0.3, -1, 0, NULL);
  assert_true(gap(ball, whole) > 0x1p-12);
}

typedef struct chosen {
  graze_body ignored, crossed, touched;
  int calls;
} chosen;

static graze_collision_response choose_one(void *context, graze_body moved, graze_body other) {
  chosen *c = context;
  assert_true(moved.generation > 0 && moved.slot != other.slot);
  c->calls++;
  if (other.slot == c->ignored.slot) return GRAZE_COLLISION_IGNORE;
  if (other.slot == c->crossed.slot) return GRAZE_COLLISION_CROSS;
  return other.slot == c->touched.slot ? GRAZE_COLLISION_TOUCH : GRAZE_COLLISION_SLIDE;
}

SCENE_TEST(test_cross_and_ignore) {
  chosen c = {.calls = 0};
  open_scene(3);
  const graze_body ball = insert(graze_sphere(0.5), GRAZE_DYNAMIC, 0, 0, 0);
  c.touched = add_static(graze_box(0.5, 5, 5), 9, 0, 0);
  c.crossed = add_static(graze_box(0.5, 5, 5), 5, 0, 0);
  c.ignored = add_static(graze_box(0.5, 5, 5), 3, 0, 0);
  graze_body_def def = passive_body();
  def.shape = graze_box(0.5, 5, 5), def.type = GRAZE_STATIC, def.sensor = true, def.pose.position.x = 7;
  const graze_body sensor = add_def(scene, &def);
  def.sensor = false, def.mask = 2, def.pose.position.x = 1.5;
  (void)add_def(scene, &def);
  const graze_motion motion = {{16, 0, 0}, {0, 0, 0}};
  assert_at(move(ball, motion, choose_one, &c).position, 8, 0, 0);
  assert_int_equal(count, 3);
  assert_met(0, c.crossed, GRAZE_COLLISION_CROSS, 0.25);
  assert_met(1, sensor, GRAZE_COLLISION_CROSS, 6.0 / 16);
  assert_met(2, c.touched, GRAZE_COLLISION_TOUCH, 0.5);
  assert_true(fabs(met[0].pose.position.x - 4) < 1e-9 && met[2].stopped);
  assert_int_equal(c.calls, 4); /* each body once, without the one that the mask excludes */
  (void)go(ball, -1, 0, 0, NULL);
  assert_met(0, sensor, GRAZE_COLLISION_CROSS, 0); /* inside at the start */
  assert_true(count == 1 && met[0].overlapped);
  size_t n = 7;
  assert_int_equal(graze_scene_move(scene, ball, &motion, pass, NULL, NULL, 0, &n, NULL), GRAZE_OK);
  assert_int_equal(n, 2);
  assert_at(pose_of(ball).position, 23, 0, 0);
  assert_int_equal(graze_scene_move(scene, c.touched, &motion, NULL, NULL, NULL, 0, &n, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_remove(scene, ball), GRAZE_OK);
  assert_int_equal(graze_scene_move(scene, ball, &motion, NULL, NULL, NULL, 0, &n, NULL), GRAZE_NO_BODY);
}

SCENE_TEST(test_overlaps) {
  open_scene(2);
  graze_body box = insert(graze_box2(0.5, 0.5), GRAZE_DYNAMIC, 0, 0.3, 0);
  const graze_body ground = add_static(graze_box2(10, 1), 0, -1, 0), wall = add_static(graze_box2(1, 10), 1.3, 0, 0);
  assert_at(go(box, 0, 0, 0, NULL), -0.2, 0.5, 0); /* out of both */
  assert_int_equal(count, 2);
  assert_true(met[0].overlapped && met[1].overlapped && met[0].t == 0 && !met[1].stopped);
  assert_met(0, ground, GRAZE_COLLISION_SLIDE, 0);
  assert_met(1, wall, GRAZE_COLLISION_SLIDE, 0);
  assert_true(gap(box, ground) > 0 && gap(box, wall) > 0);
  set_pose(box, -3, 0.4, 0);
  assert_at(go(box, -1, -1, 0, NULL), -4, 0.5, 0); /* out, then along: one collision */
  assert_true(count == 1 && met[0].overlapped && !met[0].stuck);
  set_pose(box, -3, 0.4, 0);
  assert_at(go(box, -1, 0, 0, touch), -4, 0.5, 0);
  set_pose(box, -3, 0.4, 0);
  assert_at(go(box, -1, 0, 0, pass), -4, 0.4, 0);
  assert_true(count == 1 && met[0].overlapped);
  (void)add_static(graze_box2(10, 1), 0, 1.8, 0); /* no displacement out: the gap is 0.8 */
  assert_at(go(box, -1, 0, 0, NULL), -4, 0.4, 0);
  assert_true(count >= 1 && met[count - 1].stopped && met[0].overlapped && met[0].stuck);
}

/* A lift presses it against a ceiling that it almost touches, at any place: it is stuck. Fixed: rounding of the
 * normals moved it thousands of units away. */
SCENE_TEST(test_crushed) {
  for (int i = 0; i < 200; i++) {
    open_skin(2, 0x1p-16);
    const double x = 5 + 0.37 * i;
    const graze_body box = insert(graze_box2(0.4, 0.9), GRAZE_DYNAMIC, x, 4, 0),
                     lift = insert(graze_box2(2, 0.25), GRAZE_KINEMATIC, x, 2, 0);
    (void)add_static(graze_box2(100, 1), 0, 7, 0);
    (void)go(box, 0, 2, 0, NULL);
    set_pose(lift, x, 3.95 + 0.001 * (i % 7), 0);
    assert_at(go(box, 0, -0.006, 0, NULL), x, 5.1, 0);
    assert_true(count >= 1 && met[0].other.slot == lift.slot && met[0].overlapped && met[0].stuck);
  }
}

/* The gap on either side is less than a skin: the body can move along the corridor, but not across it. */
SCENE_TEST(test_tight) {
  open_scene(2);
  const double tight = 0.3 * 0x1p-10;
  const graze_body box = insert(graze_box2(0.5, 0.5), GRAZE_DYNAMIC, 0, 0, 0);
  const graze_body floor = add_static(graze_box2(10, 1), 0, -1.5 - tight, 0),
                   lid = add_static(graze_box2(10, 1), 0, 1.5 + tight, 0);
  assert_at(go(box, 3, 0, 0, NULL), 3, 0, 0);
  assert_at(go(box, 1, -1, 0, NULL), 4, 0, 0);
  assert_at(go(box, -2, 5, 0, NULL), 2, 0, 0);
  assert_true(gap(box, floor) > 0.5 * tight && gap(box, lid) > 0.5 * tight);
}

SCENE_TEST(test_bullet) {
  static const double y[] = {0, 4};
  const graze_shape bullets[] = {graze_point(), graze_sphere(0.001)};
  for (int i = 0; i < 2; i++) {
    open_scene(3);
    const graze_body bullet = insert(bullets[i], GRAZE_DYNAMIC, 0, y[i], 0),
                     sheet = add_static(graze_box(0, 5, 5), 1000, 0, 0);
    const graze_vec at = go(bullet, 1e6, 0, 0, i == 0 ? NULL : touch);
    assert_at(at, 1000, y[i], 0);
    assert_true(count == 1 && met[0].other.slot == sheet.slot && gap(bullet, sheet) > 0 && at.x < 1000);
  }
}

/* A bar longer than the width of the corridor turns until it is wedged in; then it slides on. */
SCENE_TEST(test_turning_bar) {
  open_scene(2);
  const graze_body bar = insert(graze_box2(1, 0.1), GRAZE_DYNAMIC, 0, 0, 0);
  const graze_body below = add_static(graze_box2(20, 1), 0, -1.5, 0), above = add_static(graze_box2(20, 1), 0, 1.5, 0);
  const graze_motion motion = {{3, 0, 0}, {0, 0, 1.5}};
  const graze_pose pose = move(bar, motion, NULL, NULL);
  assert_true(gap(bar, below) > 0 && gap(bar, above) > 0);
  assert_true(pose.position.x > 2.9 && fabs(pose.position.y) < 0.05 && count >= 2);
  const double angle = 2 * atan2(pose.z, pose.w);
  if (!(angle > 0.35 && angle < 0.53)) fail_msg("it turned by %g", angle);
  const graze_motion back = {{0, 0, 0}, {0, 0, -1.5}};
  (void)move(bar, back, NULL, NULL);
  assert_true(gap(bar, below) > 0 && gap(bar, above) > 0);
}

/* A character falls, moves over flush tiles against a step, jumps, and stands on the step. */
SCENE_TEST(test_platformer) {
  open_scene(2);
  const graze_body hero = insert(graze_box2(0.4, 0.9), GRAZE_KINEMATIC, 0, 3, 0);
  for (int i = -2; i < 12; i++) (void)add_static(graze_box2(0.5, 0.5), i, -0.5, 0);
  for (int i = 6; i < 12; i++) (void)add_static(graze_box2(0.5, 0.5), i, 0.5, 0);
  double fall = 0;
  for (int i = 0; i < 120; i++) {
    fall = i == 60 ? 0.2 : fall - 0.01;
    const graze_vec at = go(hero, i < 60 ? 0.1 : 0.02, fall, 0, NULL);
    for (size_t k = 0; k < count; k++)
      if (met[k].normal.y < -0.5) fall = 0;
    assert_true(at.y > 0.9);
    if (i == 59) assert_at(at, 5.1, 0.9, 0); /* at the step */
  }
  const graze_vec at = pose_of(hero).position;
  assert_true(at.x > 5.5 && fabs(at.y - 1.9) < 0x1p-8);
}

/* Over flush tiles, at any speed of sinking: no tile stops it, and it loses no distance. */
static void walk_over_tiles(int dim, double skin) {
  open_skin(dim, skin);
  const bool flat = dim == 2;
  const graze_shape tile = box_of(dim, 0.5, 0.5, 0.5),
                    walker = flat ? graze_capsule2(0.25, 0.5) : graze_box(0.3, 0.3, 0.5);
  const graze_body hero = insert(walker, GRAZE_DYNAMIC, 0, 0, flat ? 0 : 0.6);
  for (int x = -2; x < 22; x++)
    for (int y = 0; y < (flat ? 1 : 14); y++) (void)add_static(tile, x, flat ? -0.8 : y - 3, flat ? 0 : -0.5);
  graze_vec at = {0, 0, 0};
  for (int i = 0; i < 1400; i++) {
    const double sinks = i % 100 < 50 ? -0.3 * skin * (i % 5) : -0.1;
    at = go(hero, 0.0137, flat ? sinks : 0.0061, flat ? 0 : sinks, NULL);
    for (size_t k = 0; k < count; k++) assert_true(fabs(met[k].normal.x) < 1e-6 && met[k].t < 1);
    const double height = (flat ? at.y + 0.05 : at.z - 0.5) / skin;
    if (i >= 100 && !(height > 0.4 && height < 1.1)) fail_msg("at %g skins", height);
  }
  assert_true(fabs(at.x - 1400 * 0.0137) < 1e-9);
}

SCENE_TEST(test_tiles) {
  for (int dim = 2; dim <= 3; dim++)
    for (int n = 4; n <= 10; n += 6) walk_over_tiles(dim, ldexp(1, -n));
}

/* Over a corner, half a skin away: it moves on, and collides where the other body is. */
SCENE_TEST(test_graze) {
  for (int n = 4; n <= 40; n += 4) {
    const double skin = 0x1p-10, height = (0.5 - ldexp(1, -n)) * skin;
    open_scene(2);
    const graze_body ball = insert(graze_circle(0.5), GRAZE_DYNAMIC, -5, 0.5 + height, 0),
                     peak = add_static(graze_box2(0, 1), 0, -1, 0);
    const graze_vec at = go(ball, 10, 0, 0, NULL);
    assert_true(fabs(at.x - 5) < 0.01 && at.y < 1.2 && gap(ball, peak) > 0);
    for (size_t i = 0; i < count; i++) assert_true(fabs(met[i].t - 0.5) < 0.02);
  }
}

/* A support function that no longer returns numbers: the position of the shape is unknown, so nothing passes it. */
static double fickle_point(void *context, graze_vec direction, graze_vec *point) {
  const double bad = *(const bool *)context ? (double)NAN : 0, length = hypot(direction.x, direction.y);
  *point = vec(direction.x / length + bad, direction.y / length, 0);
  return 1e-15;
}

SCENE_TEST(test_unknown_position) {
  bool bad = false;
  open_scene(2);
  const graze_body other = add_static(graze_user(2, fickle_point, &bad), 3, 0, 0),
                   ball = insert(graze_circle(1), GRAZE_DYNAMIC, 0, 0, 0);
  assert_at(go(ball, 9, 0, 0, NULL), 1, 0, 0);
  bad = true;
  assert_at(go(ball, 9, 0, 0, NULL), 1, 0, 0);
  assert_met(0, other, GRAZE_COLLISION_TOUCH, 0);
  assert_true(count == 1 && met[0].stopped && !(met[0].normal.x == met[0].normal.x));
  assert_at(go(ball, 9, 0, 0, pass), 10, 0, 0);
  assert_met(0, other, GRAZE_COLLISION_CROSS, 0);
}

/* Without memory nothing moves, and nothing is lost. */
SCENE_TEST(test_memory) {
  failing_memory memory = {.fail_at = INT32_MAX};
  const graze_allocator allocator = failing_allocator(&memory);
  scene = make_scene(3, 0, &allocator);
  const graze_body ball = insert(graze_sphere(0.5), GRAZE_DYNAMIC, 0, 0, 0);
  for (int i = 0; i < 100; i++) (void)add_static(graze_sphere(0.25), 3 + 0.5 * (i % 10), 0.5 * (i / 10) - 2, 0);
  const graze_motion motion = {{9, 0, 0}, {0, 0, 0}};
  count = 7;
  for (int some = 0; some < 2; some++) { /* memory for none, for some */
    memory.fail_at = memory.calls + some;
    assert_int_equal(graze_scene_move(scene, ball, &motion, NULL, NULL, met, COLLISIONS, &count, NULL),
                     GRAZE_OUT_OF_MEMORY);
    assert_true(count == 7 && pose_of(ball).position.x == 0);
  }
  memory.fail_at = INT32_MAX;
  assert_true(go(ball, 9, 0, 0, touch).x > 2);
  const long calls = memory.calls;
  assert_true(go(ball, -9, 0, 0, touch).x < -6 && go(ball, 9, 0, 0, touch).x > 2);
  assert_int_equal(memory.calls, calls); /* the buffer is kept */
  (void)close_scene(NULL);
  assert_int_equal(memory.out, 0);
}
