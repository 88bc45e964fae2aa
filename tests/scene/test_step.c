/* Steps that anybody can check by hand: who meets whom and when, and what becomes of it. */
#include "support/test.h"

#include <graze/scene.h>

static graze_vec vec(double x, double y, double z) { return (graze_vec){x, y, z}; }

static graze_scene *scene_of(int dim, double push_speed) {
  graze_scene_def def = graze_default_scene();
  graze_scene *scene = NULL;
  def.dim = dim;
  def.push_speed = push_speed;
  assert_int_equal(graze_scene_create(&def, NULL, &scene), GRAZE_OK);
  return scene;
}

static graze_body_def box_at(double half, double x, double y, graze_vec velocity, graze_response response) {
  graze_body_def def = graze_default_body();
  def.shape = graze_box(half, half, half);
  def.pose = graze_pose_at(x, y, 0);
  def.motion.velocity = velocity;
  def.response = response;
  return def;
}

static graze_body add(graze_scene *scene, graze_body_def def) {
  graze_body body = {0, 0};
  graze_error error;
  assert_int_equal(graze_scene_add(scene, &def, &body, &error), GRAZE_OK);
  return body;
}

static graze_body add_static(graze_scene *scene, graze_shape shape, double x, double y) {
  graze_body_def def = graze_default_body();
  def.shape = shape;
  def.pose = graze_pose_at(x, y, 0);
  def.type = GRAZE_STATIC;
  return add(scene, def);
}

static graze_step step_of(graze_scene *scene, double dt) {
  graze_step step;
  assert_int_equal(graze_scene_step(scene, dt, &step), GRAZE_OK);
  return step;
}

static graze_body_def now(const graze_scene *scene, graze_body body) {
  graze_body_def def;
  assert_int_equal(graze_scene_get(scene, body, &def), GRAZE_OK);
  return def;
}

static double gap(const graze_scene *scene, graze_body a, graze_body b) {
  graze_answer answer;
  assert_int_equal(graze_distance(graze_scene_placed(scene, a), graze_scene_placed(scene, b), NULL, &answer), GRAZE_OK);
  return answer.lower;
}

static void is_event(const graze_event *e, graze_event_kind kind, graze_body a, graze_body b) {
  assert_int_equal(e->kind, kind);
  assert_int_equal(e->a.slot, a.slot);
  assert_int_equal(e->a.generation, a.generation);
  assert_int_equal(e->b.slot, b.slot);
  assert_int_equal(e->b.generation, b.generation);
}

static void is_near(graze_vec p, graze_vec q, double most) {
  if (!(fabs(p.x - q.x) <= most && fabs(p.y - q.y) <= most && fabs(p.z - q.z) <= most))
    fail_msg("(%.17g, %.17g, %.17g), not (%g, %g, %g)", p.x, p.y, p.z, q.x, q.y, q.z);
}

/* ---- Reports */

TEST(test_meet_and_part) {
  graze_scene *scene = scene_of(3, 1);
  graze_body a = add(scene, box_at(0.5, 0, 0, vec(0, 0, 0), GRAZE_RESPONSE_NONE));
  graze_body b = add(scene, box_at(0.5, 3, 0, vec(-1, 0, 0), GRAZE_RESPONSE_NONE));
  graze_step s = step_of(scene, 1.5);
  assert_int_equal(s.event_count, 0);
  s = step_of(scene, 1); /* they meet when 2 are behind them */
  assert_int_equal(s.event_count, 1);
  is_event(&s.events[0], GRAZE_EVENT_BEGIN, a, b);
  assert_int_equal(s.events[0].result, GRAZE_HIT);
  assert_true(s.events[0].t_lower <= 0.5 && s.events[0].t_upper >= 0.5);
  assert_true(s.events[0].t_upper - s.events[0].t_lower < 1e-9);
  is_near(s.events[0].normal, vec(1, 0, 0), 1e-9);
  s = step_of(scene, 0);
  assert_int_equal(s.event_count, 1);
  is_event(&s.events[0], GRAZE_EVENT_STAY, a, b);
  s = step_of(scene, 2);
  assert_int_equal(s.event_count, 1);
  is_event(&s.events[0], GRAZE_EVENT_END, a, b);
  assert_int_equal(step_of(scene, 1).event_count, 0);
  is_near(now(scene, b).pose.position, vec(-2.5, 0, 0), 1e-15);
  graze_scene_destroy(scene);
}

/* A bullet through a wall of 1e-6 within one step: seen, and over at its end. */
TEST(test_bullet_is_seen) {
  graze_scene *scene = scene_of(3, 1);
  graze_body wall = add_static(scene, graze_box(5e-7, 2, 2), 1, 0);
  graze_body bullet = add(scene, box_at(0.001, 0, 0, vec(1000, 0, 0), GRAZE_RESPONSE_NONE));
  graze_step s = step_of(scene, 0.01);
  assert_int_equal(s.event_count, 2);
  is_event(&s.events[0], GRAZE_EVENT_BEGIN, wall, bullet);
  is_event(&s.events[1], GRAZE_EVENT_END, wall, bullet);
  assert_true(fabs(s.events[0].t_lower - (1 - 5e-7 - 0.001) / 1000) < 1e-12);
  graze_scene_destroy(scene);
}

/* As engines without continuous detection do it: the same bullet is not seen. */
TEST(test_discrete_tunnels) {
  graze_scene_def def = graze_default_scene();
  graze_scene *scene;
  def.method = GRAZE_METHOD_DISCRETE;
  assert_int_equal(graze_scene_create(&def, NULL, &scene), GRAZE_OK);
  (void)add_static(scene, graze_box(5e-7, 2, 2), 1, 0);
  (void)add(scene, box_at(0.001, 0, 0, vec(1000, 0, 0), GRAZE_RESPONSE_NONE));
  assert_int_equal(step_of(scene, 0.01).event_count, 0);
  graze_scene_destroy(scene);
}

TEST(test_put_into_each_other) {
  graze_scene *scene = scene_of(3, 1);
  graze_body a = add(scene, box_at(0.5, 0, 0, vec(0, 0, 0), GRAZE_RESPONSE_NONE));
  graze_body b = add(scene, box_at(0.5, 3, 0, vec(0, 0, 0), GRAZE_RESPONSE_NONE));
  assert_int_equal(step_of(scene, 1).event_count, 0);
  assert_int_equal(graze_scene_set_pose(scene, b, graze_pose_at(1, 0, 0)), GRAZE_OK); /* touching counts */
  graze_step s = step_of(scene, 1);
  assert_int_equal(s.event_count, 1);
  is_event(&s.events[0], GRAZE_EVENT_BEGIN, a, b);
  assert_true(s.events[0].t_lower == 0 && s.events[0].t_upper == 0);
  for (int i = 0; i < 3; i++) { /* nobody moves, and nothing is asked */
    s = step_of(scene, 1);
    assert_int_equal(s.event_count, 1);
    assert_int_equal(s.pairs, 0);
    is_event(&s.events[0], GRAZE_EVENT_STAY, a, b);
  }
  assert_int_equal(graze_scene_set_pose(scene, b, graze_pose_at(9, 0, 0)), GRAZE_OK);
  s = step_of(scene, 1);
  assert_int_equal(s.event_count, 1);
  is_event(&s.events[0], GRAZE_EVENT_END, a, b);
  graze_scene_destroy(scene);
}

TEST(test_who_is_a_pair) {
  graze_scene *scene = scene_of(3, 1);
  graze_body_def def = box_at(0.5, 0, 0, vec(0, 0, 0), GRAZE_RESPONSE_SLIDE);
  graze_body wall = add_static(scene, graze_box(1, 1, 1), 0, 0);
  (void)add_static(scene, graze_box(1, 1, 1), 0.5, 0); /* no pair with the other */
  def.category = 2, def.mask = 4;                      /* the walls are of category 1 */
  (void)add(scene, def);
  assert_int_equal(step_of(scene, 1).event_count, 0);
  def.mask = 1;
  def.sensor = true;
  graze_body sensor = add(scene, def);
  graze_step s = step_of(scene, 1);
  assert_int_equal(s.event_count, 2);
  is_event(&s.events[0], GRAZE_EVENT_BEGIN, wall, sensor);
  assert_int_equal(s.responses, 0);
  is_near(now(scene, sensor).pose.position, vec(0, 0, 0), 0); /* a sensor is not pushed */
  graze_scene_destroy(scene);
}

TEST(test_margins) {
  graze_scene *scene = scene_of(3, 1);
  graze_body_def def = box_at(0.5, 3, 0, vec(-1, 0, 0), GRAZE_RESPONSE_NONE);
  graze_body wall = add_static(scene, graze_box(0.5, 5, 5), 0, 0);
  def.margin = 0.25;
  graze_body b = add(scene, def);
  graze_step s = step_of(scene, 2);
  assert_int_equal(s.event_count, 1);
  is_event(&s.events[0], GRAZE_EVENT_BEGIN, wall, b);
  assert_true(s.events[0].t_lower <= 1.75 && s.events[0].t_upper >= 1.75);
  graze_scene_destroy(scene);
}

/* ---- Responses */

TEST(test_stop) {
  graze_scene *scene = scene_of(3, 1);
  graze_body wall = add_static(scene, graze_box(5e-7, 2, 2), 1, 0);
  graze_body b = add(scene, box_at(0.001, 0, 0, vec(1000, 3, 0), GRAZE_RESPONSE_STOP));
  graze_step s = step_of(scene, 0.01);
  assert_int_equal(s.event_count, 1);
  is_event(&s.events[0], GRAZE_EVENT_BEGIN, wall, b);
  assert_int_equal(s.responses, 1);
  is_near(now(scene, b).motion.velocity, vec(0, 0, 0), 0);
  assert_true(gap(scene, wall, b) > 0 && gap(scene, wall, b) < 1e-6);
  for (int i = 0; i < 3; i++) {
    s = step_of(scene, 0.01);
    assert_int_equal(s.event_count, 1);
    is_event(&s.events[0], GRAZE_EVENT_STAY, wall, b);
  }
  graze_scene_destroy(scene);
}

TEST(test_slide) {
  graze_scene *scene = scene_of(3, 1);
  graze_body floor = add_static(scene, graze_halfspace(vec(0, 1, 0), 0), 0, 0);
  graze_body b = add(scene, box_at(0.5, 0, 1, vec(2, -3, 0), GRAZE_RESPONSE_SLIDE));
  for (int i = 0; i < 20; i++) {
    (void)step_of(scene, 0.1);
    assert_true(gap(scene, floor, b) > 0);
  }
  graze_body_def after = now(scene, b);
  is_near(after.motion.velocity, vec(2, 0, 0), 1e-3);
  is_near(after.pose.position, vec(4, 0.5, 0), 1e-3);
  graze_scene_destroy(scene);
}

TEST(test_bounce) {
  graze_scene *scene = scene_of(3, 1);
  graze_body floor = add_static(scene, graze_halfspace(vec(0, 1, 0), 0), 0, 0);
  graze_body_def def = box_at(0.5, 0, 1.5, vec(2, -2, 0), GRAZE_RESPONSE_BOUNCE);
  def.bounce = 0.5;
  graze_body b = add(scene, def);
  (void)step_of(scene, 1); /* down for 0.5, then up at half the speed */
  graze_body_def after = now(scene, b);
  is_near(after.motion.velocity, vec(2, 1, 0), 1e-9);
  is_near(after.pose.position, vec(2, 1, 0), 1e-4);
  assert_true(gap(scene, floor, b) > 0);
  graze_scene_destroy(scene);
}

/* Equal masses exchange their speeds, three times within one step, in the order in which they meet. */
TEST(test_cradle) {
  graze_scene *scene = scene_of(3, 1);
  graze_body b[4];
  for (int i = 0; i < 4; i++) /* the last one first: slots do not matter */
    b[i] = add(scene, box_at(0.5, 6 - 2 * i, 0, vec(i == 3 ? 10 : 0, 0, 0), GRAZE_RESPONSE_BOUNCE));
  graze_step s = step_of(scene, 0.5); /* 3 of the way are free, the rest is the last one's */
  assert_int_equal(s.responses, 3);
  assert_int_equal(s.event_count, 6); /* each begins and ends */
  for (int i = 0; i < 4; i++) is_near(now(scene, b[i]).motion.velocity, vec(i == 0 ? 10 : 0, 0, 0), 1e-9);
  is_near(now(scene, b[0]).pose.position, vec(8, 0, 0), 1e-3);
  is_near(now(scene, b[3]).pose.position, vec(1, 0, 0), 1e-3);
  graze_scene_destroy(scene);
}

TEST(test_masses) {
  graze_scene *scene = scene_of(3, 1);
  graze_body_def heavy = box_at(0.5, 0, 0, vec(1, 0, 0), GRAZE_RESPONSE_BOUNCE);
  heavy.mass = 3;
  graze_body a = add(scene, heavy), b = add(scene, box_at(0.5, 2, 0, vec(0, 0, 0), GRAZE_RESPONSE_BOUNCE));
  (void)step_of(scene, 2);
  is_near(now(scene, a).motion.velocity, vec(0.5, 0, 0), 1e-9);
  is_near(now(scene, b).motion.velocity, vec(1.5, 0, 0), 1e-9);
  graze_scene_destroy(scene);
}

/* A lift carries what stands on it, and waits where that would be pressed into the ceiling. */
TEST(test_lift) {
  graze_scene *scene = scene_of(3, 1);
  graze_body_def def = box_at(0.5, 0, 0, vec(0, 1, 0), GRAZE_RESPONSE_NONE);
  def.shape = graze_box(2, 0.25, 2);
  def.type = GRAZE_KINEMATIC;
  graze_body lift = add(scene, def), load = add(scene, box_at(0.5, 0, 1, vec(0, 0, 0), GRAZE_RESPONSE_SLIDE));
  graze_body ceiling = add_static(scene, graze_halfspace(vec(0, -1, 0), -4), 0, 0);
  for (int i = 0; i < 60; i++) {
    graze_step s = step_of(scene, 0.1);
    assert_int_equal(s.overlaps, 0);
    assert_true(gap(scene, lift, load) > 0 && gap(scene, ceiling, load) > 0);
    if (i == 19) is_near(now(scene, lift).pose.position, vec(0, 2, 0), 1e-9);
  }
  is_near(now(scene, load).pose.position, vec(0, 3.5, 0), 1e-3);
  is_near(now(scene, lift).pose.position, vec(0, 2.75, 0), 1e-3);
  is_near(now(scene, lift).motion.velocity, vec(0, 1, 0), 0); /* it waits, and does not forget */
  graze_scene_destroy(scene);
}

/* Between two lifts that wait for each other a body stands still, and does not fly out when they part: it once kept the
 * speed of the one that pushed it last. */
TEST(test_wedged) {
  graze_scene *scene = scene_of(3, 1);
  graze_body_def left = box_at(1, -3, 0, vec(1, 0, 0), GRAZE_RESPONSE_NONE), right = left;
  left.type = right.type = GRAZE_KINEMATIC;
  right.pose.position.x = 3.5, right.motion.velocity.x = -3;
  (void)add(scene, left);
  (void)add(scene, right);
  graze_body b = add(scene, box_at(1, 0, 0, vec(0, 0, 0), GRAZE_RESPONSE_SLIDE));
  for (int i = 0; i < 10; i++) assert_int_equal(step_of(scene, 0.25).overlaps, 0);
  is_near(now(scene, b).motion.velocity, vec(0, 0, 0), 0);
  graze_scene_destroy(scene);
}

/* Out of each other by no more than push_speed allows, half each. */
TEST(test_push_out) {
  graze_scene *scene = scene_of(3, 0.5);
  graze_body a = add(scene, box_at(0.5, 0, 0, vec(0, 0, 0), GRAZE_RESPONSE_SLIDE));
  graze_body b = add(scene, box_at(0.5, 0.8, 0, vec(0, 0, 0), GRAZE_RESPONSE_SLIDE));
  graze_step s = step_of(scene, 0.1);
  assert_int_equal(s.overlaps, 1);
  assert_true(fabs(gap(scene, a, b) + 0.15) < 1e-12);
  is_near(now(scene, a).pose.position, vec(-0.025, 0, 0), 1e-12);
  is_near(now(scene, a).motion.velocity, vec(0, 0, 0), 0);
  for (int i = 0; i < 5; i++) s = step_of(scene, 0.1);
  assert_int_equal(s.overlaps, 0);
  assert_true(gap(scene, a, b) > 0 && gap(scene, a, b) < 1e-4);
  const graze_pose rests = now(scene, a).pose;
  for (int i = 0; i < 5; i++) s = step_of(scene, 0.1);
  is_near(now(scene, a).pose.position, rests.position, 0);
  graze_scene_destroy(scene);
}

/* Pushed apart and gone within one step: it was a contact nevertheless, and once went unreported. */
TEST(test_pushed_apart_at_once) {
  graze_scene *scene = scene_of(3, 1e30);
  graze_body a = add(scene, box_at(0.5, 0, 0, vec(-1, 0, 0), GRAZE_RESPONSE_BOUNCE));
  graze_body b = add(scene, box_at(0.5, 0.9, 0, vec(1, 0, 0), GRAZE_RESPONSE_BOUNCE));
  graze_step s = step_of(scene, 0.1);
  assert_int_equal(s.event_count, 2);
  is_event(&s.events[0], GRAZE_EVENT_BEGIN, a, b);
  assert_true(s.events[0].t_lower == 0);
  is_event(&s.events[1], GRAZE_EVENT_END, a, b);
  graze_scene_destroy(scene);
}

/* A corner of a floor and a wall, one body: a box close above the floor that moves at the wall, `away` skins from it.
 */
static graze_event meet_corner(double away) {
  graze_scene_def of_scene = graze_default_scene();
  graze_scene *scene = NULL;
  const double skin = 0x1p-10;
  of_scene.skin = skin;
  assert_int_equal(graze_scene_create(&of_scene, NULL, &scene), GRAZE_OK);
  const graze_shape flat = graze_box(8, 0.5, 8), upright = graze_box(0.5, 8, 8);
  const graze_placed parts[] = {graze_place(&flat, graze_pose_at(0, -0.5, 0)),
                                graze_place(&upright, graze_pose_at(1, 8.5, 0))};
  graze_compound *corner = NULL;
  assert_int_equal(graze_compound_create(parts, 2, NULL, &corner, NULL), GRAZE_OK);
  (void)add_static(scene, graze_compound_shape(corner), 0, 0);
  (void)add(scene, box_at(0.25, 0.25 - away * skin, 0.25 + 0.1 * skin, vec(1, 0, 0), GRAZE_RESPONSE_SLIDE));
  const graze_step s = step_of(scene, 1);
  assert_int_equal(s.event_count, 1);
  assert_true(s.responses > 0); /* to the wall: the floor is in nobody's way */
  const graze_event e = s.events[0];
  graze_scene_destroy(scene);
  graze_compound_destroy(corner);
  return e;
}

/* At once in contact with the floor, and later with the wall, be that near or far: one contact, that with the floor.
 * The event once told the time and the part of the floor, and the point and the normal of the wall. */
TEST(test_parts_belong_to_the_point) {
  const double away[] = {0.12, 3, 500};
  for (int i = 0; i < 3; i++) {
    const graze_event e = meet_corner(away[i]);
    assert_int_equal(e.kind, GRAZE_EVENT_BEGIN);
    assert_true(e.t_lower == 0 && e.t_upper == 0);
    assert_int_equal(e.part_a, 0);
    is_near(e.normal, vec(0, 1, 0), 1e-9);
    assert_true(fabs(e.point.y) < 0x1p-10);
  }
}

/* Over tiles that lie flush, however fast it sinks: it stumbles over none of them, and loses no way. It lost some at
 * every seam, by the corner of the next tile, when contacts were asked about a whole skin away. */
static void slide_over_tiles(int dim, double skin, double sinks) {
  graze_scene_def of_scene = graze_default_scene();
  graze_scene *scene = NULL;
  of_scene.dim = dim, of_scene.skin = skin;
  assert_int_equal(graze_scene_create(&of_scene, NULL, &scene), GRAZE_OK);
  const graze_shape tile = dim == 2 ? graze_box2(0.5, 0.5) : graze_box(0.5, 0.5, 0.5);
  for (int x = -2; x < 16; x++) add_static(scene, tile, x, -0.5);
  graze_body_def def = box_at(0.3, 0, 0.3 + 3 * skin, vec(1, -sinks, 0), GRAZE_RESPONSE_SLIDE);
  if (dim == 2) def.shape = graze_box2(0.3, 0.3);
  const graze_body slider = add(scene, def);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(graze_scene_set_motion(scene, slider, &def.motion), GRAZE_OK);
    const graze_step s = step_of(scene, 0.0137);
    const double height = (now(scene, slider).pose.position.y - 0.3) / skin;
    if (s.overlaps + s.stalled > 0 || !(height > 0.1 && height < 3.1)) fail_msg("%d: at %g skins", i, height);
  }
  assert_true(fabs(now(scene, slider).pose.position.x - 1000 * 0.0137) < 1e-9);
  graze_scene_destroy(scene);
}

TEST(test_flush_tiles) {
  const double sinks[] = {0, 1e-5, 0.003, 0.02, 0.3, 5, 200};
  for (size_t i = 0; i < sizeof sinks / sizeof *sinks; i++)
    for (int n = 4; n <= 20; n += 4)
      for (int dim = 2; dim <= 3; dim++) slide_over_tiles(dim, ldexp(1, -n), sinks[i]);
}

/* A rod that turns beside a wall kicks itself off, and never enters it. */
TEST(test_turning_rod) {
  graze_scene *scene = scene_of(2, 1);
  graze_body_def def = graze_default_body();
  def.shape = graze_box2(1, 0.05);
  def.pose = graze_pose_at(0, 0, 0);
  def.motion.angular = vec(0, 0, 7);
  def.response = GRAZE_RESPONSE_SLIDE;
  graze_body wall = add_static(scene, graze_box2(5, 0.01), 0, 0.7), rod = add(scene, def);
  for (int i = 0; i < 200; i++) {
    graze_step s = step_of(scene, 1 / 60.0);
    assert_int_equal(s.overlaps, 0);
    assert_true(gap(scene, wall, rod) > 0);
    assert_true(now(scene, rod).pose.position.y < 0.7);
  }
  graze_scene_destroy(scene);
}

/* ---- What is refused */

/* A top that falls on a floor, spinning about the normal. It was thrown up, to thousands of times its size: by the
 * speed at which what turns must part, which counted the spin that STOP had just taken, and counted at once. */
static double fly_of_top(graze_response response, double spin) {
  graze_scene *scene = scene_of(3, 1e30);
  (void)add_static(scene, graze_halfspace(vec(0, 0, 1), 0), 0, 0);
  graze_body_def def = graze_default_body();
  def.shape = graze_cylinder(1, 0.5);
  def.pose = graze_pose3(vec(0, 0, 0.6), 1, 0, 0, 0);
  def.motion = (graze_motion){vec(0, 0, -1), vec(0, 0, spin)};
  def.response = response;
  const graze_body top = add(scene, def);
  double highest = 0;
  for (int i = 0; i < 300; i++) {
    graze_motion motion = now(scene, top).motion;
    motion.velocity.z -= 9.8 / 60;
    assert_int_equal(graze_scene_set_motion(scene, top, &motion), GRAZE_OK);
    const graze_step s = step_of(scene, 1.0 / 60);
    assert_int_equal(s.overlaps + s.stalled, 0);
    if (i >= 10) highest = fmax(highest, now(scene, top).pose.position.z - 0.5);
    if (i >= 10 && response == GRAZE_RESPONSE_STOP) {
      is_near(now(scene, top).motion.velocity, vec(0, 0, 0), 0);
      is_near(now(scene, top).motion.angular, vec(0, 0, 0), 0);
    }
  }
  graze_scene_destroy(scene);
  return highest;
}

TEST(test_tops) {
  for (double spin = 1; spin <= 1000; spin *= 10) {
    assert_true(fly_of_top(GRAZE_RESPONSE_STOP, spin) < 0x1p-14);
    if (spin <= 100) assert_true(fly_of_top(GRAZE_RESPONSE_SLIDE, spin) < 0.01);
  }
}

/* Of masses nobody can add up the inverses: steps failed for ever, or nobody gave way. */
TEST(test_awkward_masses) {
  const double masses[] = {1e-310, 1e-308, 1e-160, 1, 1e40};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 5; k++) {
      graze_scene *scene = scene_of(3, 1e30);
      graze_body_def at_left = box_at(0.5, -1, 0, vec(1, 0, 0), GRAZE_RESPONSE_BOUNCE), at_right = at_left;
      at_left.mass = masses[i], at_right.mass = masses[k];
      at_right.pose = graze_pose_at(1, 0, 0), at_right.motion.velocity = vec(-1, 0, 0);
      const graze_body a = add(scene, at_left), b = add(scene, at_right);
      for (int n = 0; n < 4; n++) assert_int_equal(step_of(scene, 0.25).stalled, 0);
      const double va = now(scene, a).motion.velocity.x, vb = now(scene, b).motion.velocity.x;
      const double share = 1 / (1 + masses[i] / masses[k]); /* of the heavier one the less */
      assert_true(fabs(va - (1 - 4 * share)) < 1e-9 && fabs(vb - va - 2) < 1e-9);
      graze_scene_destroy(scene);
    }
}

TEST(test_refused) {
  graze_scene *scene = scene_of(3, 1);
  graze_body_def def = box_at(0.5, 0, 0, vec(0, 0, 0), GRAZE_RESPONSE_NONE);
  graze_body body = add(scene, def), other;
  graze_error error;
  assert_int_equal(graze_scene_step(scene, -1, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_step(scene, NAN, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_step(scene, INFINITY, NULL), GRAZE_BAD_OPTION);
  def.shape = graze_box2(1, 1);
  assert_int_equal(graze_scene_add(scene, &def, &other, &error), GRAZE_DIM_MISMATCH);
  assert_string_equal(error.what, "shape.dim");
  def.shape = graze_halfspace(vec(0, 1, 0), 0);
  assert_int_equal(graze_scene_add(scene, &def, &other, &error), GRAZE_UNSUPPORTED);
  def = box_at(0.5, 0, 0, vec(1, 0, 0), GRAZE_RESPONSE_NONE);
  def.type = GRAZE_STATIC;
  assert_int_equal(graze_scene_add(scene, &def, &other, &error), GRAZE_BAD_OPTION);
  assert_string_equal(error.what, "motion.velocity");
  def.type = GRAZE_DYNAMIC;
  def.mass = 0;
  assert_int_equal(graze_scene_add(scene, &def, &other, &error), GRAZE_BAD_OPTION);
  assert_string_equal(error.what, "mass");
  assert_int_equal(graze_scene_remove(scene, body), GRAZE_OK);
  assert_int_equal(graze_scene_remove(scene, body), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_get(scene, body, &def), GRAZE_NO_BODY);
  assert_null(graze_scene_placed(scene, body));
  graze_body again = add(scene, box_at(0.5, 0, 0, vec(0, 0, 0), GRAZE_RESPONSE_NONE));
  assert_int_equal(again.slot, body.slot);
  assert_int_not_equal(again.generation, body.generation);
  assert_int_equal(graze_scene_set_motion(scene, body, &def.motion), GRAZE_NO_BODY);
  graze_scene_destroy(scene);
}
