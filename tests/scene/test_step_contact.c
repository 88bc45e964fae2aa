/* Bodies that start a step in contact: issues with bodies that turn, and with compounds. Each test states its scene, so
 * that anybody can check it by hand. */
#include "support/test.h"

#include <graze/build.h>
#include <graze/scene.h>

static const double PI = 3.141592653589793;

static graze_vec vec(double x, double y, double z) { return (graze_vec){x, y, z}; }

static graze_scene *scene_of(int dim) {
  graze_scene_def def = graze_default_scene();
  graze_scene *scene = NULL;
  def.dim = dim;
  assert_int_equal(graze_scene_create(&def, NULL, &scene), GRAZE_OK);
  return scene;
}

static graze_body add(graze_scene *scene, graze_body_def def) {
  graze_body body = {0, 0};
  assert_int_equal(graze_scene_add(scene, &def, &body, NULL), GRAZE_OK);
  return body;
}

static graze_body add_fixed(graze_scene *scene, graze_shape shape, graze_pose pose) {
  graze_body_def def = graze_default_body();
  def.shape = shape, def.pose = pose;
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

static void is_apart(const graze_scene *scene, graze_body a, graze_body b) {
  graze_answer answer;
  assert_int_equal(graze_distance(graze_scene_placed(scene, a), graze_scene_placed(scene, b), NULL, &answer), GRAZE_OK);
  if (answer.relation == GRAZE_OVERLAPPING) fail_msg("they overlap by %g", -answer.distance);
}

/* ---- A bar that turns beside a wall */

typedef struct bar_scene {
  graze_scene *scene;
  graze_body wall, bar;
} bar_scene;

/* The wall ends at x = 0. The bar stands upright at x; it is 4 long and 0.2 thick. */
static bar_scene wall_and_bar(double x, double margin, double spin, graze_response response) {
  bar_scene s = {.scene = scene_of(2)};
  graze_body_def def = graze_default_body();
  s.wall = add_fixed(s.scene, graze_box2(1, 5), graze_pose_at(-1, 0, 0));
  def.shape = graze_box2(2, 0.1);
  def.pose = graze_pose_at(x, 0, 0);
  def.pose.z = 1; /* a right angle, exactly */
  def.motion.angular = vec(0, 0, spin);
  def.margin = margin;
  def.response = response;
  s.bar = add(s.scene, def);
  return s;
}

static const graze_response responses[] = {GRAZE_RESPONSE_STOP, GRAZE_RESPONSE_SLIDE, GRAZE_RESPONSE_BOUNCE};

/* The bar stays on its side of the wall, responds, and its contact is reported; a bar that stops no longer turns. */
static void expect_bar_kept_out(double x, double margin, double spin, double dt) {
  for (int i = 0; i < 3; i++) {
    bar_scene s = wall_and_bar(x, margin, spin, responses[i]);
    const graze_step step = step_of(s.scene, dt);
    const graze_motion motion = now(s.scene, s.bar).motion;
    is_apart(s.scene, s.wall, s.bar);
    assert_true(step.responses > 0 && step.overlaps == 0);
    assert_true(step.event_count > 0 && step.events[0].kind == GRAZE_EVENT_BEGIN);
    if (responses[i] == GRAZE_RESPONSE_STOP) {
      assert_true(motion.angular.z == 0);
    } else {
      assert_true(motion.angular.z == spin);
      assert_true(now(s.scene, s.bar).pose.position.x > 2 * fabs(sin(spin * dt))); /* it made room for its end */
    }
    graze_scene_destroy(s.scene);
  }
}

TEST(turning_bar_inside_its_margin_does_not_enter_the_wall) { expect_bar_kept_out(0.2, 0.15, 5, 0.1); }

TEST(turning_bar_that_touches_does_not_enter_the_wall) {
  static const double gaps[] = {0, 1e-15, 1e-13, 1e-9, -1e-9, 1e-7};
  for (int i = 0; i < 6; i++) expect_bar_kept_out(0.1 + gaps[i], 0, 5, 0.1);
}

/* Half a turn in one step: afterwards the bar stands as before, so only the response shows what happened. */
TEST(bar_does_not_swing_through_the_wall) {
  for (int i = 0; i < 3; i++) {
    bar_scene s = wall_and_bar(0.2, 0.15, PI, responses[i]);
    const graze_step step = step_of(s.scene, 1);
    assert_true(step.responses > 0);
    is_apart(s.scene, s.wall, s.bar);
    if (responses[i] == GRAZE_RESPONSE_STOP)
      assert_true(now(s.scene, s.bar).motion.angular.z == 0);
    else
      assert_true(now(s.scene, s.bar).pose.position.x > 2);
    graze_scene_destroy(s.scene);
  }
}

TEST(turning_box_on_a_floor_does_not_enter_it) {
  for (int plane = 0; plane < 2; plane++)
    for (int i = 0; i < 3; i++) {
      graze_scene *scene = scene_of(3);
      graze_body_def def = graze_default_body();
      const graze_body floor = add_fixed(scene, plane ? graze_halfspace(vec(0, 0, 1), 0) : graze_box(9, 9, 1),
                                         graze_pose_at(0, 0, plane ? 0 : -1));
      def.shape = graze_box(2, 0.5, 1);
      def.pose = graze_pose_at(0, 0, 1);
      def.motion.angular = vec(0, -2, 0);
      def.response = responses[i];
      const graze_body box = add(scene, def);
      const graze_step step = step_of(scene, 1 / 60.0);
      is_apart(scene, floor, box);
      assert_true(step.responses > 0 && step.overlaps == 0);
      if (responses[i] == GRAZE_RESPONSE_STOP) assert_true(now(scene, box).motion.angular.y == 0);
      graze_scene_destroy(scene);
    }
}

/* What turns about the normal of the floor goes on at its full rate. */
TEST(box_that_turns_flat_on_a_floor_keeps_turning) {
  graze_scene *scene = scene_of(3);
  graze_body_def def = graze_default_body();
  const graze_body floor = add_fixed(scene, graze_box(9, 9, 1), graze_pose_at(0, 0, -1));
  def.shape = graze_box(0.5, 0.5, 1);
  def.pose = graze_pose_at(0, 0, 1);
  def.motion = (graze_motion){vec(3, 0, 0), vec(0, 0, 2)};
  def.response = GRAZE_RESPONSE_SLIDE;
  const graze_body box = add(scene, def);
  const graze_step step = step_of(scene, 0.25);
  const graze_body_def after = now(scene, box);
  assert_true(step.stalled == 0);
  assert_true(fabs(2 * atan2(after.pose.z, after.pose.w) - 0.5) < 1e-12);
  assert_true(fabs(after.pose.position.x - 0.75) < 1e-12 && after.pose.position.z - 1 < 1e-3);
  is_apart(scene, floor, box);
  graze_scene_destroy(scene);
}

/* A kinematic bar turns beside a body that touches it: the body makes way. */
TEST(body_makes_way_for_a_kinematic_bar_that_it_touches) {
  for (int i = 0; i < 3; i++) {
    graze_scene *scene = scene_of(2);
    graze_body_def def = graze_default_body();
    def.shape = graze_box2(2, 0.125);
    def.type = GRAZE_KINEMATIC;
    def.motion.angular = vec(0, 0, 3);
    const graze_body bar = add(scene, def);
    def = graze_default_body();
    def.shape = graze_box2(0.25, 0.25);
    def.pose = graze_pose_at(1.5, 0.375, 0);
    def.response = responses[i];
    const graze_body box = add(scene, def);
    const graze_step step = step_of(scene, 0.1);
    is_apart(scene, bar, box);
    assert_true(step.overlaps == 0 && step.event_count > 0);
    graze_scene_destroy(scene);
  }
}

/* ---- Floor and wall in one compound */

/* An L: the floor's top is y = 0, the wall's face x = 2. */
static graze_compound *level_of_boxes(int dim) {
  const graze_shape floor = dim == 2 ? graze_box2(4, 0.5) : graze_box(4, 4, 0.5);
  const graze_shape wall = dim == 2 ? graze_box2(0.5, 3) : graze_box(0.5, 4, 3);
  const graze_placed parts[] = {
      graze_place(&floor, dim == 2 ? graze_pose_at(-1, -0.5, 0) : graze_pose_at(-1, 0, -0.5)),
      graze_place(&wall, dim == 2 ? graze_pose_at(2.5, 2, 0) : graze_pose_at(2.5, 0, 2)),
  };
  graze_compound *compound = NULL;
  assert_int_equal(graze_compound_create(parts, 2, NULL, &compound, NULL), GRAZE_OK);
  return compound;
}

static void expect_ball_stops_at_the_wall(int dim, graze_response response, double gap, double margin, bool kinematic,
                                          double spin) {
  graze_scene *scene = scene_of(dim);
  graze_compound *compound = level_of_boxes(dim);
  graze_body_def def = graze_default_body();
  def.shape = graze_compound_shape(compound);
  def.type = kinematic ? GRAZE_KINEMATIC : GRAZE_STATIC;
  const graze_body level = add(scene, def);
  def = graze_default_body();
  def.shape = dim == 2 ? graze_circle(0.25) : graze_sphere(0.25);
  def.pose = dim == 2 ? graze_pose_at(0, 0.25 + gap, 0) : graze_pose_at(0, 0, 0.25 + gap);
  def.motion.velocity = vec(8, 0, 0);
  def.motion.angular = vec(0, 0, spin);
  def.response = response;
  def.margin = margin;
  const graze_body ball = add(scene, def);
  size_t answered = 0;
  for (int k = 0; k < 2; k++) {
    const graze_step step = step_of(scene, 0.5);
    answered += step.responses;
    is_apart(scene, level, ball);
    if (now(scene, ball).pose.position.x > 1.75 - margin + 1e-9) fail_msg("x %.17g", now(scene, ball).pose.position.x);
  }
  assert_true(answered > 0);
  const double aside = spin > 0 ? 0.02 : 1e-3; /* a body that turns parts from the wall a little faster */
  if (response != GRAZE_RESPONSE_BOUNCE) assert_true(now(scene, ball).pose.position.x > 1.75 - margin - aside);
  graze_scene_destroy(scene);
  graze_compound_destroy(compound);
}

TEST(ball_on_the_floor_of_a_compound_stops_at_its_wall) {
  static const double gaps[] = {0, -1e-9, 1e-15, 1e-13, 1e-9, 1e-7};
  for (int dim = 2; dim <= 3; dim++)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 6; k++)
        for (int kinematic = 0; kinematic < 2; kinematic++) {
          expect_ball_stops_at_the_wall(dim, responses[i], gaps[k], 0, kinematic, 0);
          expect_ball_stops_at_the_wall(dim, responses[i], gaps[k], 0, kinematic, 3);
        }
}

TEST(ball_inside_its_margin_stops_at_the_wall_of_a_compound) {
  for (int dim = 2; dim <= 3; dim++)
    for (int i = 0; i < 3; i++)
      for (int kinematic = 0; kinematic < 2; kinematic++)
        expect_ball_stops_at_the_wall(dim, responses[i], 0.05, 0.1, kinematic, 0);
}

/* The level of the issue: a decomposed polygon. */
TEST(ball_on_a_decomposed_polygon_stops_at_its_wall) {
  static const graze_vec corners[] = {{-5, -1, 0}, {3, -1, 0}, {3, 5, 0}, {2, 5, 0}, {2, 0, 0}, {-5, 0, 0}};
  graze_decomposition pieces;
  graze_compound *compound = NULL;
  graze_scene *scene = scene_of(2);
  assert_int_equal(graze_decompose((graze_ring){corners, 6}, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &pieces, NULL, NULL),
                   GRAZE_OK);
  assert_int_equal(graze_decomposition_compound(&pieces, NULL, &compound), GRAZE_OK);
  const graze_body level = add_fixed(scene, graze_compound_shape(compound), graze_pose_at(0, 0, 0));
  graze_body_def def = graze_default_body();
  def.shape = graze_circle(0.25);
  def.pose = graze_pose_at(0, 0.25, 0);
  def.motion.velocity = vec(8, 0, 0);
  def.response = GRAZE_RESPONSE_SLIDE;
  const graze_body ball = add(scene, def);
  const graze_step step = step_of(scene, 0.5);
  assert_true(step.responses > 0);
  (void)step_of(scene, 0.5);
  assert_true(fabs(now(scene, ball).pose.position.x - 1.75) < 1e-4);
  is_apart(scene, level, ball);
  graze_scene_destroy(scene);
  graze_compound_destroy(compound);
  graze_decomposition_destroy(&pieces);
}

/* A box slides from one part of a flush floor onto the next, as it does on one part. */
TEST(box_does_not_stumble_over_parts_that_lie_flush) {
  const graze_shape tile = graze_box2(1, 0.5);
  graze_placed tiles[8];
  for (int i = 0; i < 8; i++) tiles[i] = graze_place(&tile, graze_pose_at(2 * i, -0.5, 0));
  graze_compound *compound = NULL;
  graze_scene *scene = scene_of(2);
  assert_int_equal(graze_compound_create(tiles, 8, NULL, &compound, NULL), GRAZE_OK);
  (void)add_fixed(scene, graze_compound_shape(compound), graze_pose_at(0, 0, 0));
  graze_body_def def = graze_default_body();
  def.shape = graze_box2(0.25, 0.25);
  def.pose = graze_pose_at(0.75, 0.25, 0); /* its corner touches the next tile */
  def.motion.velocity = vec(20, 0, 0);
  def.response = GRAZE_RESPONSE_SLIDE;
  const graze_body box = add(scene, def);
  (void)step_of(scene, 0.5);
  const graze_body_def after = now(scene, box);
  assert_true(fabs(after.pose.position.x - 10.75) < 1e-9 && after.pose.position.y < 0.251);
  graze_scene_destroy(scene);
  graze_compound_destroy(compound);
}

/* ---- Rounding */

/* Two bodies of equal velocity are one rounding apart, and touch where the step leaves them: that step reports it. */
TEST(contact_by_rounding_is_reported_in_its_step) {
  size_t touched = 0;
  for (int i = 0; i < 200; i++) {
    graze_scene *scene = scene_of(2);
    graze_body_def def = graze_default_body();
    const double x = nextafter(0.5 + i / 256.0, 9);
    def.shape = graze_box2(0.25, 0.25);
    def.motion.velocity = vec(3 + i / 7.0, 0, 0);
    def.pose = graze_pose_at(i / 256.0, 0, 0);
    const graze_body a = add(scene, def);
    def.pose = graze_pose_at(x, 0, 0);
    const graze_body b = add(scene, def);
    graze_answer answer;
    graze_step step = step_of(scene, 1 / 3.0);
    assert_int_equal(graze_intersect(graze_scene_placed(scene, a), graze_scene_placed(scene, b), NULL, &answer),
                     GRAZE_OK);
    const bool meets = answer.relation != GRAZE_SEPARATED;
    touched += meets;
    assert_int_equal(step.event_count, meets);
    step = step_of(scene, 0);
    assert_int_equal(step.event_count, meets);
    if (meets) assert_int_equal(step.events[0].kind, GRAZE_EVENT_STAY);
    graze_scene_destroy(scene);
  }
  assert_true(touched >= 20);
}
