/* Bodies that start a step in contact: bodies that turn, and compounds. Each test states its scene, so that it can
 * be checked by hand. */
#include "support/test.h"
#include "scene/moving.h"

static const double PI = 3.141592653589793;
static const graze_response responses[] = {GRAZE_RESPONSE_STOP, GRAZE_RESPONSE_SLIDE, GRAZE_RESPONSE_BOUNCE};

static void open_scene(int dim) { open_skin(dim, 0); }

static graze_body add_dynamic(graze_shape shape, graze_pose pose, graze_motion motion, graze_response response,
                              double margin) {
  graze_body_def def = def_of(shape, pose, motion, response);
  def.margin = margin;
  return add_def(scene, &def);
}

static void is_separated(graze_body a, graze_body b) {
  graze_answer answer;
  assert_int_equal(graze_distance(graze_scene_placed(scene, a), graze_scene_placed(scene, b), NULL, &answer), GRAZE_OK);
  if (answer.relation == GRAZE_OVERLAPPING) fail_msg("they overlap by %g", -answer.distance);
}

/* ---- A bar that turns beside a wall */

/* The wall ends at x = 0. The bar stands upright at x; it is 4 long and 0.2 thick. It stays on its side of the wall,
 * responds, and its contact is reported. A bar that stops no longer turns, others keep turning. After `half` a turn
 * it stands as before, so only the response shows the contact. */
static void expect_bar_kept_out(double x, double margin, double spin, double dt, bool half) {
  const graze_pose upright = {{x, 0, 0}, 1, 0, 0, 1}; /* a right angle, exactly */
  for (int i = 0; i < 3; i++) {
    open_scene(2);
    const graze_body wall = add_static(graze_box2(1, 5), -1, 0, 0),
                     bar = add_dynamic(graze_box2(2, 0.1), upright, (graze_motion){{0, 0, 0}, {0, 0, spin}},
                                       responses[i], margin);
    const graze_step step = step_of(dt);
    is_separated(wall, bar);
    assert_true(step.responses > 0 && step.overlaps == 0);
    assert_true(step.event_count > 0 && step.events[0].kind == GRAZE_EVENT_BEGIN);
    const bool stops = responses[i] == GRAZE_RESPONSE_STOP;
    assert_true(now(bar).motion.angular.z == (stops ? 0 : spin));
    if (!stops) assert_true(pose_of(bar).position.x > (half ? 2 : 2 * fabs(sin(spin * dt)))); /* space for its end */
  }
}

SCENE_TEST(turning_bar_does_not_enter_the_wall) {
  static const double gaps[] = {0, 1e-15, 1e-13, 1e-9, -1e-9, 1e-7};
  for (int i = 0; i < 6; i++) expect_bar_kept_out(0.1 + gaps[i], 0, 5, 0.1, false);
  expect_bar_kept_out(0.2, 0.15, 5, 0.1, false); /* inside its margin */
  expect_bar_kept_out(0.2, 0.15, PI, 1, true);
}

SCENE_TEST(turning_box_on_a_floor_does_not_enter_it) {
  const graze_motion turns = {{0, 0, 0}, {0, -2, 0}};
  for (int i = 0; i < 6; i++) {
    open_scene(3);
    const graze_body floor = i < 3 ? add_static(graze_box(9, 9, 1), 0, 0, -1)
                                   : add_static(graze_halfspace(vec(0, 0, 1), 0), 0, 0, 0),
                     box = add_dynamic(graze_box(2, 0.5, 1), graze_pose_at(0, 0, 1), turns, responses[i % 3], 0);
    const graze_step step = step_of(1 / 60.0);
    is_separated(floor, box);
    assert_true(step.responses > 0 && step.overlaps == 0);
    if (responses[i % 3] == GRAZE_RESPONSE_STOP) assert_true(now(box).motion.angular.y == 0);
  }
}

/* A body that turns about the normal of the floor keeps its full rate. */
SCENE_TEST(box_that_turns_flat_on_a_floor_keeps_turning) {
  const graze_motion motion = {{3, 0, 0}, {0, 0, 2}};
  open_scene(3);
  const graze_body floor = add_static(graze_box(9, 9, 1), 0, 0, -1),
                   box = add_dynamic(graze_box(0.5, 0.5, 1), graze_pose_at(0, 0, 1), motion, GRAZE_RESPONSE_SLIDE, 0);
  assert_true(step_of(0.25).stalled == 0);
  const graze_pose after = pose_of(box);
  assert_true(fabs(2 * atan2(after.z, after.w) - 0.5) < 1e-12);
  assert_true(fabs(after.position.x - 0.75) < 1e-12 && after.position.z - 1 < 1e-3);
  is_separated(floor, box);
}

/* A kinematic bar turns beside a body that touches it: the body gives way. */
SCENE_TEST(body_gives_space_to_a_kinematic_bar_that_it_touches) {
  const graze_motion none = {{0, 0, 0}, {0, 0, 0}}, turns = {{0, 0, 0}, {0, 0, 3}};
  for (int i = 0; i < 3; i++) {
    open_scene(2);
    graze_body_def def = def_of(graze_box2(2, 0.125), identity, turns, GRAZE_RESPONSE_NONE);
    def.type = GRAZE_KINEMATIC;
    const graze_body bar = add_def(scene, &def),
                     box = add_dynamic(graze_box2(0.25, 0.25), graze_pose_at(1.5, 0.375, 0), none, responses[i], 0);
    const graze_step step = step_of(0.1);
    is_separated(bar, box);
    assert_true(step.overlaps == 0 && step.event_count > 0);
  }
}

/* ---- Floor and wall in one compound */

/* An L of boxes: the top of the floor is y = 0 (3D: z = 0), the face of the wall x = 2. */
static graze_body add_level(int dim, graze_body_type type) {
  const bool flat = dim == 2;
  const graze_placed parts[] = {
      flat ? placed_at(graze_box2(4, 0.5), -1, -0.5, 0) : placed_at(graze_box(4, 4, 0.5), -1, 0, -0.5),
      flat ? placed_at(graze_box2(0.5, 3), 2.5, 2, 0) : placed_at(graze_box(0.5, 4, 3), 2.5, 0, 2)};
  return add_whole(parts, 2, type);
}

static graze_pose pose_above(int dim, double x, double above) {
  return dim == 2 ? graze_pose_at(x, 0.25 + above, 0) : graze_pose_at(x, 0, 0.25 + above);
}

static void expect_ball_stops_at_the_wall(int dim, graze_response response, double above, double margin,
                                          graze_body_type type, double spin) {
  const graze_pose pose = pose_above(dim, 0, above);
  const graze_motion motion = {{8, 0, 0}, {0, 0, spin}};
  open_scene(dim);
  const graze_body level = add_level(dim, type), ball = add_dynamic(ball_of(dim, 0.25), pose, motion, response, margin);
  size_t answered = 0;
  for (int k = 0; k < 2; k++) {
    answered += step_of(0.5).responses;
    is_separated(level, ball);
    if (pose_of(ball).position.x > 1.75 - margin + 1e-9) fail_msg("x %.17g", pose_of(ball).position.x);
  }
  assert_true(answered > 0);
  const double aside = spin > 0 ? 0.02 : 1e-3; /* a body that turns leaves the wall slightly faster */
  if (response != GRAZE_RESPONSE_BOUNCE) assert_true(pose_of(ball).position.x > 1.75 - margin - aside);
}

SCENE_TEST(ball_on_the_floor_of_a_compound_stops_at_its_wall) {
  static const double gaps[] = {0, -1e-9, 1e-15, 1e-13, 1e-9, 1e-7};
  for (int i = 0; i < 12; i++) {
    const int dim = 2 + i / 6;
    const graze_body_type type = i / 3 % 2 ? GRAZE_KINEMATIC : GRAZE_STATIC;
    for (int k = 0; k < 6; k++)
      for (int spin = 0; spin <= 3; spin += 3)
        expect_ball_stops_at_the_wall(dim, responses[i % 3], gaps[k], 0, type, spin);
    expect_ball_stops_at_the_wall(dim, responses[i % 3], 0.05, 0.1, type, 0); /* inside its margin */
  }
}

/* The body overlaps the floor, touches or almost touches the wall, and moves to the wall. */
SCENE_TEST(ball_in_the_floor_of_a_compound_does_not_pass_its_wall) {
  static const double gaps[] = {0, -1e-9, 1e-6, 5e-3};
  const graze_motion motion = {{8, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < 24; i++) {
    const int dim = 2 + i / 12;
    const double gap = gaps[i / 3 % 4];
    open_scene(dim);
    add_level(dim, GRAZE_STATIC);
    const graze_body ball =
        add_dynamic(ball_of(dim, 0.25), pose_above(dim, 1.75 - gap, -0.01), motion, responses[i % 3], 0);
    assert_true(step_of(0.5).responses > 0);
    assert_true(pose_of(ball).position.x <= 1.75 - fmin(gap, 0) + 1e-9);
  }
}

/* The parts rotate about the position of the compound, so they leave the floor although their own centers sink. */
SCENE_TEST(rotating_parts_that_leave_the_floor_are_not_stopped) {
  const graze_placed parts[] = {placed_at(graze_box2(1, 1), 5, 0, 0), placed_at(graze_box2(1, 1), 8, 0, 0)};
  const graze_motion motion = {{0, -3, 0}, {0, 0, 1}};
  open_scene(2);
  (void)add_static(graze_box2(100, 1), 0, -1, 0);
  const graze_body body = add_whole(parts, 2, GRAZE_DYNAMIC);
  assert_int_equal(graze_scene_set_pose(scene, body, graze_pose_at(0, 1, 0), NULL), GRAZE_OK);
  assert_int_equal(graze_scene_set_motion(scene, body, &motion, NULL), GRAZE_OK);
  const graze_step step = step_of(1);
  assert_int_equal(step.stalled, 0);
  assert_true(now(body).motion.velocity.y == -3 && pose_of(body).position.y < -1.9);
}

/* The body overlaps two tiles and moves across their common edge. */
SCENE_TEST(box_in_two_tiles_of_a_compound_is_not_stopped_at_their_edge) {
  const graze_placed tiles[] = {placed_at(graze_box2(2, 1), -2, -1, 0), placed_at(graze_box2(2, 1), 2, -1, 0)};
  const graze_motion motion = {{1, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < 3; i++) {
    open_scene(2);
    add_whole(tiles, 2, GRAZE_STATIC);
    const graze_body box =
        add_dynamic(graze_box2(0.25, 0.25), graze_pose_at(-0.5 + 0.25 * i, 0.24, 0), motion, GRAZE_RESPONSE_SLIDE, 0);
    step_of(0.5);
    assert_true(now(box).motion.velocity.x == 1);
  }
}

/* The level of the issue: a decomposed polygon. */
SCENE_TEST(ball_on_a_decomposed_polygon_stops_at_its_wall) {
  static const graze_vec corners[] = {{-5, -1, 0}, {3, -1, 0}, {3, 5, 0}, {2, 5, 0}, {2, 0, 0}, {-5, 0, 0}};
  const graze_motion motion = {{8, 0, 0}, {0, 0, 0}};
  open_scene(2);
  made = compound_of_outline(corners, 6);
  const graze_body level = add_static(graze_compound_shape(made), 0, 0, 0),
                   ball = add_dynamic(graze_circle(0.25), graze_pose_at(0, 0.25, 0), motion, GRAZE_RESPONSE_SLIDE, 0);
  assert_true(step_of(0.5).responses > 0);
  (void)step_of(0.5);
  assert_true(fabs(pose_of(ball).position.x - 1.75) < 1e-4);
  is_separated(level, ball);
}

/* A box slides from one part of a flush floor onto the next, as it does on one part. */
SCENE_TEST(box_does_not_stumble_over_parts_that_lie_flush) {
  const graze_pose pose = graze_pose_at(0.75, 0.25, 0); /* its corner touches the next tile */
  const graze_motion motion = {{20, 0, 0}, {0, 0, 0}};
  graze_placed tiles[8];
  for (int i = 0; i < 8; i++) tiles[i] = placed_at(graze_box2(1, 0.5), 2 * i, -0.5, 0);
  open_scene(2);
  (void)add_whole(tiles, 8, GRAZE_STATIC);
  const graze_body box = add_dynamic(graze_box2(0.25, 0.25), pose, motion, GRAZE_RESPONSE_SLIDE, 0);
  (void)step_of(0.5);
  assert_true(fabs(pose_of(box).position.x - 10.75) < 1e-9 && pose_of(box).position.y < 0.251);
}

/* ---- Resting */

/* A box that rests on a floor, tilted by less than 1/1024 of its size, keeps four contact points. */
SCENE_TEST(tilted_box_at_rest_keeps_four_contacts) {
  static const double tilts[] = {0, 1e-6, 1e-4, 4e-4};
  for (size_t i = 0; i < sizeof tilts / sizeof *tilts; i++) {
    const graze_motion fall = {{0, 0, -1}, {0, 0, 0}};
    const graze_pose pose = {{0, 0, 1.01}, 1, 0.5 * tilts[i], 0, 0};
    open_scene(3);
    const graze_body floor = add_static(graze_box(9, 9, 1), 0, 0, -1),
                     box = add_dynamic(graze_box(1, 1, 1), pose, fall, GRAZE_RESPONSE_SLIDE, 0);
    for (int k = 0; k < 3; k++) (void)step_of(0.1);
    graze_answer answer;
    graze_contact contacts[8];
    size_t found = 0;
    assert_int_equal(graze_scene_manifold(scene, floor, box, NULL, &answer, contacts, 8, &found), GRAZE_OK);
    assert_int_equal(answer.relation, GRAZE_SEPARATED);
    assert_int_equal(found, 4);
  }
}

/* ---- Rounding */

/* Two bodies of equal velocity are one rounding apart, and touch where the step moves them: that step reports it. */
SCENE_TEST(contact_by_rounding_is_reported_in_its_step) {
  size_t touched = 0;
  for (int i = 0; i < 200; i++) {
    const graze_shape box = graze_box2(0.25, 0.25);
    const graze_motion motion = {{3 + i / 7.0, 0, 0}, {0, 0, 0}};
    const graze_pose left = graze_pose_at(i / 256.0, 0, 0), right = graze_pose_at(nextafter(0.5 + i / 256.0, 9), 0, 0);
    open_scene(2);
    const graze_body a = add_dynamic(box, left, motion, GRAZE_RESPONSE_NONE, 0),
                     b = add_dynamic(box, right, motion, GRAZE_RESPONSE_NONE, 0);
    graze_step step = step_of(1 / 3.0);
    const bool meets = gap(a, b) <= 0;
    touched += meets;
    assert_int_equal(step.event_count, meets);
    step = step_of(0);
    assert_int_equal(step.event_count, meets);
    if (meets) assert_int_equal(step.events[0].kind, GRAZE_EVENT_STAY);
  }
  assert_true(touched >= 20);
}
