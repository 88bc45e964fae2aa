/* One scene: the results of a step, or of the move of one body and its collisions. */
#ifndef TESTS_SCENE_MOVING_H
#define TESTS_SCENE_MOVING_H

#include "scene/make.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/shapes.h"

enum { COLLISIONS = 64 };

static graze_scene *scene;
static graze_compound *made; /* NULL, or the compound of a body */
static graze_collision met[COLLISIONS];
static size_t count;

static inline int close_scene(void **state) {
  (void)state;
  graze_scene_destroy(scene);
  graze_compound_destroy(made);
  scene = NULL, made = NULL;
  return 0;
}

/* A test with `scene`, which is destroyed at the end. */
#define SCENE_TEST(name) TEST_WITH(name, NULL, close_scene)

/* Replaces the scene. Skin 0: the default skin. */
static inline void open_skin(int dim, double skin) {
  (void)close_scene(NULL);
  scene = make_scene(dim, skin, NULL);
}

static inline void open_pushing(int dim, double push_speed) {
  graze_scene_def def = graze_default_scene();
  (void)close_scene(NULL);
  def.dim = dim, def.push_speed = push_speed;
  assert_int_equal(graze_scene_create(&def, NULL, &scene, NULL), GRAZE_OK);
}

static inline graze_body add_at(graze_shape shape, graze_body_type type, graze_pose pose) {
  return add_body(scene, shape, type, pose);
}

static inline graze_body insert(graze_shape shape, graze_body_type type, double x, double y, double z) {
  return add_at(shape, type, graze_pose_at(x, y, z));
}

static inline graze_body add_static(graze_shape shape, double x, double y, double z) {
  return insert(shape, GRAZE_STATIC, x, y, z);
}

/* Dynamic. */
static inline graze_body_def def_of(graze_shape shape, graze_pose pose, graze_motion motion, graze_response response) {
  graze_body_def def = graze_default_body();
  def.shape = shape, def.pose = pose, def.motion = motion, def.response = response;
  return def;
}

/* The parts as one body, with the poses they have. */
static inline graze_body add_whole(const graze_placed *parts, size_t parts_count, graze_body_type type) {
  made = compound_of(parts, parts_count);
  return add_at(graze_compound_shape(made), type, identity);
}

static inline graze_step step_of(double dt) {
  graze_step step;
  assert_int_equal(graze_scene_step(scene, dt, &step, NULL), GRAZE_OK);
  return step;
}

static inline graze_body_def now(graze_body body) {
  graze_body_def def;
  assert_int_equal(graze_scene_get(scene, body, &def), GRAZE_OK);
  return def;
}

static inline graze_pose pose_of(graze_body body) { return graze_scene_placed(scene, body)->pose; }

static inline void set_pose(graze_body body, double x, double y, double z) {
  assert_int_equal(graze_scene_set_pose(scene, body, graze_pose_at(x, y, z), NULL), GRAZE_OK);
}

/* Returns the pose at the end; met and count are the collisions. */
static inline graze_pose move(graze_body body, graze_motion motion, graze_collision_function choose, void *context) {
  memset(met, 0, sizeof met);
  assert_int_equal(graze_scene_move(scene, body, &motion, choose, context, met, COLLISIONS, &count, NULL), GRAZE_OK);
  return pose_of(body);
}

static inline graze_vec go(graze_body body, double x, double y, double z, graze_collision_function choose) {
  const graze_motion motion = {{x, y, z}, {0, 0, 0}};
  return move(body, motion, choose, NULL).position;
}

static inline graze_collision_response touch(void *context, graze_body moved, graze_body other) {
  (void)context, (void)moved, (void)other;
  return GRAZE_COLLISION_TOUCH;
}

static inline graze_collision_response pass(void *context, graze_body moved, graze_body other) {
  (void)context, (void)moved, (void)other;
  return GRAZE_COLLISION_CROSS;
}

static inline graze_collision_response bounce(void *context, graze_body moved, graze_body other) {
  (void)context, (void)moved, (void)other;
  return GRAZE_COLLISION_BOUNCE;
}

/* A move in the plane and its expected result: exactly `end`, or above it by less than `above`; `collisions`
 * collisions, the first one with the body in slot `other`. */
enum { STOPPED = 1, OVERLAPPED = 2 };
typedef struct leg {
  double x, y;
  graze_collision_function choose;
  double end_x, end_y, above;
  size_t collisions;
  uint32_t other;
  int flags; /* of the last collision; of the first collision */
} leg;

static inline void expect_legs(graze_body body, const leg *legs, size_t leg_count) {
  for (size_t i = 0; i < leg_count; i++) {
    const leg *l = &legs[i];
    const graze_vec at = go(body, l->x, l->y, 0, l->choose);
    const bool high = l->above > 0 ? at.y > l->end_y && at.y < l->end_y + l->above : at.y == l->end_y;
    if (at.x != l->end_x || !high || count != l->collisions)
      fail_msg("leg %zu: at (%.17g, %.17g), %zu collisions", i, at.x, at.y, count);
    if (count == 0) continue;
    assert_int_equal(met[0].other.slot, l->other);
    assert_int_equal(met[count - 1].stopped, (l->flags & STOPPED) != 0);
    assert_int_equal(met[0].overlapped, (l->flags & OVERLAPPED) != 0);
    assert_false(met[0].stuck);
  }
}

static inline double gap(graze_body a, graze_body b) {
  graze_answer answer;
  assert_int_equal(graze_distance(graze_scene_placed(scene, a), graze_scene_placed(scene, b), NULL, &answer), GRAZE_OK);
  return answer.lower;
}

#endif
