/* Rejected input: every function names the reason and leaves the scene unchanged, to the last byte. Random ids:
 * test_churn.c. */

#include "support/test.h"
#include "scene/random_scene.h"

static graze_scene *scene;
static failing_memory memory;

static void open_scene(int dim) {
  graze_scene_def def = graze_default_scene();
  const graze_allocator allocator = failing_allocator(&memory);
  memory = (failing_memory){.fail_at = 1000000000};
  def.dim = dim;
  assert_int_equal(graze_scene_create(&def, &allocator, &scene, NULL), GRAZE_OK);
}

static void close_scene(void) {
  graze_scene_destroy(scene);
  assert_int_equal(memory.out, 0);
}

static bool is_saved_as(const unsigned char *before, size_t size) {
  size_t now_size;
  unsigned char *now = save_scene(scene, &now_size);
  const bool same = now_size == size && memcmp(now, before, size) == 0;
  free(now);
  return same;
}

/* ---- Ids */

/* Every function rejects an invalid id. */
static void expect_rejected(graze_body body) {
  const graze_motion motion = {{0, 0, 0}, {0, 0, 0}};
  graze_body_def def = graze_default_body();
  graze_error error;
  graze_answer answer;
  graze_contact contact;
  size_t count;
  def.shape = graze_circle(1);
  assert_int_equal(graze_scene_remove(scene, body), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_get(scene, body, &def), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_set(scene, body, &def, &error), GRAZE_NO_BODY);
  assert_true(error.status == GRAZE_NO_BODY && strcmp(error.what, "body") == 0);
  assert_true(error.index == -1 && error.value == (double)body.slot);
  assert_int_equal(graze_scene_set_pose(scene, body, graze_pose_at(0, 0, 0), NULL), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_set_motion(scene, body, &motion, NULL), GRAZE_NO_BODY);
  assert_null(graze_scene_placed(scene, body));
  assert_null(graze_body_user(scene, body));
  assert_int_equal(graze_scene_move(scene, body, &motion, NULL, NULL, NULL, 0, &count, NULL), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_manifold(scene, body, body, NULL, &answer, &contact, 1, &count), GRAZE_NO_BODY);
}

TEST(test_stale) {
  graze_body_def def = graze_default_body();
  graze_body a, b, c;
  def.shape = graze_circle(1);
  open_scene(2);
  expect_rejected((graze_body){0, 0});
  expect_rejected((graze_body){0, 1});
  assert_int_equal(graze_scene_add(scene, &def, &a, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_add(scene, &def, &b, NULL), GRAZE_OK);
  expect_rejected((graze_body){a.slot, 0});
  expect_rejected((graze_body){a.slot, a.generation + 1});
  expect_rejected((graze_body){2, 1});
  expect_rejected((graze_body){UINT32_MAX, 1});
  assert_int_equal(graze_scene_remove(scene, a), GRAZE_OK);
  expect_rejected(a);
  expect_rejected((graze_body){a.slot, 0});
  assert_int_equal(graze_scene_add(scene, &def, &c, NULL), GRAZE_OK);
  assert_true(c.slot == a.slot && c.generation == 2);
  expect_rejected(a);
  assert_non_null(graze_scene_placed(scene, c));
  assert_non_null(graze_scene_placed(scene, b));
  close_scene();
}

/* ---- Definitions and calls */

static graze_error error_of(graze_status status, const char *what, ptrdiff_t index, double value) {
  return (graze_error){status, what, index, value, "", ""};
}

/* Compares all but the rule, which must be stated if the status is not GRAZE_OK. */
static void expect_error(const graze_error *error, graze_error truth) {
  if (strcmp(error->what, truth.what) != 0) fail_msg("error \"%s\", not \"%s\"", error->what, truth.what);
  assert_int_equal(error->status, truth.status);
  assert_int_equal(error->index, truth.index);
  assert_string_equal(error->owner, truth.owner);
  if (truth.status != GRAZE_OK) assert_true(error->allowed != NULL && error->allowed[0] != 0);
  assert_true(error->value == truth.value || (error->value != error->value && truth.value != truth.value));
}

static void expect_bad(const graze_body_def *def, graze_body body, graze_error truth) {
  graze_error error;
  graze_body none = {7, 7};
  size_t size;
  unsigned char *before = save_scene(scene, &size);
  assert_int_equal(graze_scene_add(scene, def, &none, &error), truth.status);
  assert_true(none.slot == 7 && none.generation == 7);
  expect_error(&error, truth);
  assert_int_equal(graze_scene_set(scene, body, def, &error), truth.status);
  expect_error(&error, truth);
  assert_int_equal(graze_scene_add(scene, def, &none, NULL), truth.status);
  assert_int_equal(graze_scene_set(scene, body, def, NULL), truth.status);
  assert_true(is_saved_as(before, size));
  free(before);
}

static void expect_bad_shape(graze_shape shape, graze_body body, graze_error truth) {
  graze_body_def def = graze_default_body();
  def.shape = shape;
  expect_bad(&def, body, truth);
}

static graze_body begin_bad(int dim) {
  graze_body_def def = graze_default_body();
  graze_body body = {0, 0};
  graze_error error = error_of(GRAZE_BAD_DATA, "?", 7, 7);
  const graze_error none = error_of(GRAZE_OK, "", -1, 0);
  if (dim == 2) def.shape = graze_point2();
  open_scene(dim);
  assert_int_equal(graze_scene_add(scene, &def, &body, &error), GRAZE_OK);
  expect_error(&error, none);
  error.status = GRAZE_BAD_DATA;
  assert_int_equal(graze_scene_set(scene, body, &def, &error), GRAZE_OK);
  expect_error(&error, none);
  return body;
}

#define BAD(...) expect_bad(&def, body, error_of(__VA_ARGS__))

TEST(test_bad_members) {
  const graze_body_def good = graze_default_body();
  graze_body_def def = good;
  const graze_body body = begin_bad(3);
  def.margin = -1, BAD(GRAZE_BAD_OPTION, "margin", -1, -1), def = good;
  def.margin = NAN, BAD(GRAZE_BAD_OPTION, "margin", -1, NAN), def = good;
  def.mass = 0, BAD(GRAZE_BAD_OPTION, "mass", -1, 0), def = good;
  def.mass = INFINITY, BAD(GRAZE_BAD_OPTION, "mass", -1, INFINITY), def = good;
  def.bounce = 1.5, BAD(GRAZE_BAD_OPTION, "bounce", -1, 1.5), def = good;
  def.type = (graze_body_type)0, BAD(GRAZE_BAD_OPTION, "type", -1, 0), def = good;
  def.type = (graze_body_type)4, BAD(GRAZE_BAD_OPTION, "type", -1, 4), def = good;
  def.response = (graze_response)4, BAD(GRAZE_BAD_OPTION, "response", -1, 4), def = good;
  def.pose.position.x = 2e40, BAD(GRAZE_BAD_NUMBER, "pose.position", 0, 2e40), def = good;
  def.pose.position.z = NAN, BAD(GRAZE_BAD_NUMBER, "pose.position", 2, NAN), def = good;
  def.pose.y = -INFINITY, BAD(GRAZE_BAD_NUMBER, "pose.rotation", 2, -INFINITY), def = good;
  def.pose.w = 0, BAD(GRAZE_BAD_SHAPE, "pose.rotation", -1, 0), def = good;
  def.motion.velocity.y = 2e40, BAD(GRAZE_BAD_NUMBER, "motion.velocity", 1, 2e40), def = good;
  def.motion.angular.z = NAN, BAD(GRAZE_BAD_NUMBER, "motion.angular", 2, NAN), def = good;
  def.type = GRAZE_STATIC;
  def.motion.velocity.z = 1, BAD(GRAZE_BAD_OPTION, "motion.velocity", 2, 1), def.motion = good.motion;
  def.motion.angular.x = 3, BAD(GRAZE_BAD_OPTION, "motion.angular", 0, 3);
  close_scene();
}

/* Values of the other dimension, and half-spaces. */
TEST(test_bad_places) {
  graze_body_def good = graze_default_body(), def;
  graze_body body = begin_bad(2);
  good.shape = graze_point2(), def = good;
  def.pose.position.z = 1, BAD(GRAZE_DIM_MISMATCH, "pose.position", 2, 1), def = good;
  def.pose.x = 1, BAD(GRAZE_DIM_MISMATCH, "pose.rotation", 1, 1), def = good;
  def.motion.velocity = (graze_vec){1, 1, 2}, BAD(GRAZE_DIM_MISMATCH, "motion.velocity", 2, 2), def = good;
  def.motion.angular = (graze_vec){0, 4, 5}, BAD(GRAZE_DIM_MISMATCH, "motion.angular", 1, 4), def = good;
  def.shape = graze_sphere(1), BAD(GRAZE_DIM_MISMATCH, "shape.dim", -1, 3);
  close_scene();
  body = begin_bad(3);
  def = good = graze_default_body();
  def.shape = graze_circle(1), BAD(GRAZE_DIM_MISMATCH, "shape.dim", -1, 2);
  def.shape = graze_halfspace((graze_vec){0, 0, 1}, 0), BAD(GRAZE_UNSUPPORTED, "type", -1, GRAZE_DYNAMIC);
  def.type = GRAZE_KINEMATIC, def.motion = (graze_motion){{1, 0, 0}, {0, 2, 0}};
  BAD(GRAZE_UNSUPPORTED, "motion.angular", 1, 2);
  close_scene();
}

#define BAD_SHAPE(shape, ...) expect_bad_shape(shape, body, error_of(__VA_ARGS__))

TEST(test_bad_shapes) {
  const graze_vec huge = {0, 3e40, 0}, up = {0, 0, 1}, dent[4] = {{-1, -1, 0}, {0, -0.5, 0}, {1, -1, 0}, {0, 1, 0}};
  graze_shape none = graze_point();
  graze_body body = begin_bad(3);
  BAD_SHAPE(graze_sphere(-1), GRAZE_BAD_SHAPE, "shape.radius", -1, -1);
  BAD_SHAPE(graze_capsule(1, -2), GRAZE_BAD_SHAPE, "shape.half_length", -1, -2);
  BAD_SHAPE(graze_box(1, -2, 1), GRAZE_BAD_SHAPE, "shape.half_extents", 1, -2);
  BAD_SHAPE(graze_ellipsoid(1, 1, NAN), GRAZE_BAD_NUMBER, "shape.radii", 2, NAN);
  BAD_SHAPE(graze_with_margin(graze_sphere(1), -1), GRAZE_BAD_SHAPE, "shape.margin", -1, -1);
  BAD_SHAPE(graze_segment(up, huge), GRAZE_BAD_NUMBER, "shape.vertices", 1, 3e40);
  BAD_SHAPE(graze_hull_points(dent, 0), GRAZE_BAD_SHAPE, "shape.vertices", -1, 0);
  BAD_SHAPE(graze_halfspace((graze_vec){0, 0, 0}, 1), GRAZE_BAD_SHAPE, "shape.normal", -1, 0);
  BAD_SHAPE(graze_halfspace(up, INFINITY), GRAZE_BAD_NUMBER, "shape.offset", -1, INFINITY);
  BAD_SHAPE(graze_user(3, NULL, NULL), GRAZE_BAD_SHAPE, "shape.support", -1, 0);
  none.kind = (graze_shape_kind)99, BAD_SHAPE(none, GRAZE_BAD_SHAPE, "shape.type", -1, 99);
  none.kind = GRAZE_COMPOUND, BAD_SHAPE(none, GRAZE_BAD_SHAPE, "shape.parts", -1, 0);
  none.dim = 4, BAD_SHAPE(none, GRAZE_BAD_SHAPE, "shape.dim", -1, 4);
  close_scene();
  body = begin_bad(2);
  BAD_SHAPE(graze_polygon(dent, 4), GRAZE_NOT_CONVEX, "shape.vertices", 1, 0);
  close_scene();
}

TEST(test_bad_scenes) {
  graze_scene *made = (graze_scene *)&memory;
  graze_scene_def def[8];
  for (size_t i = 0; i < 8; i++) def[i] = graze_default_scene();
  def[0].dim = 4, def[1].dim = 1, def[2].skin = -1, def[3].skin = NAN, def[4].push_speed = -1;
  def[5].push_speed = INFINITY, def[6].method = (graze_cast_method)(GRAZE_CAST_CA + 1);
  def[7].method = (graze_cast_method)99;
  const graze_error expected[8] = {error_of(GRAZE_BAD_OPTION, "dim", -1, 4),
                                   error_of(GRAZE_BAD_OPTION, "dim", -1, 1),
                                   error_of(GRAZE_BAD_OPTION, "skin", -1, -1),
                                   error_of(GRAZE_BAD_OPTION, "skin", -1, NAN),
                                   error_of(GRAZE_BAD_OPTION, "push_speed", -1, -1),
                                   error_of(GRAZE_BAD_OPTION, "push_speed", -1, INFINITY),
                                   error_of(GRAZE_BAD_OPTION, "method", -1, GRAZE_CAST_CA + 1),
                                   error_of(GRAZE_BAD_OPTION, "method", -1, 99)};
  graze_error error;
  for (size_t i = 0; i < 8; i++) {
    assert_int_equal(graze_scene_create(&def[i], NULL, &made, NULL), GRAZE_BAD_OPTION);
    assert_int_equal(graze_scene_create(&def[i], NULL, &made, &error), GRAZE_BAD_OPTION);
    expect_error(&error, expected[i]);
  }
  assert_ptr_equal(made, &memory);
  assert_int_equal(graze_scene_create(NULL, NULL, &made, &error), GRAZE_OK);
  expect_error(&error, error_of(GRAZE_OK, "", -1, 0));
  graze_scene_destroy(made);
}

static graze_collision_response choose_nothing(void *context, graze_body moved, graze_body other) {
  (void)context, (void)moved, (void)other;
  return (graze_collision_response)5;
}

TEST(test_bad_changes) {
  const graze_body a = begin_bad(3);
  graze_scene *const s = scene;
  graze_body_def def = graze_default_body();
  graze_body plane, wall;
  graze_motion motion = {{1, 0, 0}, {0, 0, 0}}, spin = {{0, 0, 0}, {0, 0, 1}}, bad = {{0, 0, 0}, {NAN, 0, 0}};
  size_t size, now_size, count = 77;
  def.type = GRAZE_KINEMATIC, def.shape = graze_halfspace((graze_vec){0, 0, 1}, -9);
  assert_int_equal(graze_scene_add(s, &def, &plane, NULL), GRAZE_OK);
  def.type = GRAZE_STATIC, def.shape = graze_box(1, 1, 1), def.pose.position.x = 1.5;
  assert_int_equal(graze_scene_add(s, &def, &wall, NULL), GRAZE_OK);
  unsigned char *before = save_scene(s, &size);
  graze_error error;
  assert_int_equal(graze_scene_set_pose(s, a, graze_pose_at(0, NAN, 0), NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_set_pose(s, a, graze_pose_at(0, NAN, 0), &error), GRAZE_BAD_NUMBER);
  expect_error(&error, error_of(GRAZE_BAD_NUMBER, "pose.position", 1, NAN));
  assert_int_equal(graze_scene_set_pose(s, (graze_body){5, 5}, graze_pose_at(0, 0, 0), &error), GRAZE_NO_BODY);
  expect_error(&error, error_of(GRAZE_NO_BODY, "body", -1, 5));
  assert_int_equal(graze_scene_set_motion(s, a, &bad, &error), GRAZE_BAD_NUMBER);
  expect_error(&error, error_of(GRAZE_BAD_NUMBER, "motion.angular", 0, NAN));
  assert_int_equal(graze_scene_set_motion(s, wall, &motion, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "motion.velocity", 0, 1));
  assert_int_equal(graze_scene_set_pose(s, a, (graze_pose){{0, 0, 0}, 0, 0, 0, 0}, NULL), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_scene_set_motion(s, a, &bad, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_set_motion(s, plane, &spin, NULL), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_scene_set_motion(s, wall, &motion, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_move(s, wall, &motion, NULL, NULL, NULL, 0, &count, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_move(s, a, &bad, NULL, NULL, NULL, 0, &count, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_move(s, plane, &spin, NULL, NULL, NULL, 0, &count, NULL), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_scene_move(s, a, &motion, choose_nothing, NULL, NULL, 0, &count, NULL), GRAZE_BAD_OPTION);
  assert_true(is_saved_as(before, size) && count == 77);
  assert_int_equal(graze_scene_save(s, before, size - 1, &now_size), GRAZE_NO_SPACE);
  assert_int_equal(now_size, size);
  free(before);
  close_scene();
}

TEST(test_bad_queries) {
  const graze_body a = begin_bad(2);
  const graze_scene *s = scene;
  const graze_shape solid = graze_box(1, 1, 1), disk = graze_circle(1), no_disk = graze_circle(-1);
  const graze_placed in_space = graze_place(&solid, graze_pose_at(0, 0, 0)),
                     good = graze_place(&disk, graze_pose_at(0, 0, 0)),
                     bad = graze_place(&no_disk, graze_pose_at(0, 0, 0));
  const graze_motion still = {{0, 0, 0}, {0, 0, 0}}, off = {{0, 0, 1}, {0, 0, 0}};
  const graze_vec o = {0, 0, 0}, x = {1, 0, 0}, no = {NAN, 0, 0}, up = {0, 0, 1};
  const graze_aabb nan_box = {no, x}, inside_out = {x, o}, deep = {o, up};
  graze_body body;
  graze_neighbor near;
  graze_cast_result result;
  graze_answer answer;
  graze_contact contact;
  graze_body_pair pair;
  graze_body_hit hit;
  graze_error error;
  size_t count = 77;
  assert_int_equal(graze_scene_overlap(s, &in_space, NULL, &body, 1, &count, &error), GRAZE_DIM_MISMATCH);
  expect_error(&error, error_of(GRAZE_DIM_MISMATCH, "shape.dim", -1, 3));
  assert_int_equal(graze_scene_overlap(s, &bad, NULL, &body, 1, &count, &error), GRAZE_BAD_SHAPE);
  expect_error(&error, error_of(GRAZE_BAD_SHAPE, "shape.radius", -1, -1));
  assert_int_equal(graze_scene_in_box(s, &nan_box, NULL, &body, 1, &count, &error), GRAZE_BAD_NUMBER);
  expect_error(&error, error_of(GRAZE_BAD_NUMBER, "box.min", 0, NAN));
  assert_int_equal(graze_scene_in_box(s, &inside_out, NULL, &body, 1, &count, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "box.max", 0, 0));
  assert_int_equal(graze_scene_in_box(s, &deep, NULL, &body, 1, &count, &error), GRAZE_DIM_MISMATCH);
  expect_error(&error, error_of(GRAZE_DIM_MISMATCH, "box.max", 2, 1));
  assert_int_equal(graze_scene_within(s, &good, -1, NULL, &near, 1, &count, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "within", -1, -1));
  assert_int_equal(graze_scene_within(s, &good, NAN, NULL, &near, 1, &count, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "within", -1, NAN));
  assert_int_equal(graze_scene_within(s, &in_space, 1, NULL, &near, 1, &count, &error), GRAZE_DIM_MISMATCH);
  expect_error(&error, error_of(GRAZE_DIM_MISMATCH, "shape.dim", -1, 3));
  assert_int_equal(graze_scene_nearest(s, &good, -1, NULL, &near, 1, &count, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "within", -1, -1));
  assert_int_equal(graze_scene_nearest(s, &bad, 1, NULL, &near, 1, &count, &error), GRAZE_BAD_SHAPE);
  expect_error(&error, error_of(GRAZE_BAD_SHAPE, "shape.radius", -1, -1));
  assert_int_equal(graze_scene_closest_pairs(s, NAN, &near, 1, &count, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "within", -1, NAN));
  assert_int_equal(graze_scene_cast(s, &good, &off, 1, NULL, &body, &result, &error), GRAZE_DIM_MISMATCH);
  expect_error(&error, error_of(GRAZE_DIM_MISMATCH, "motion.velocity", 2, 1));
  assert_int_equal(graze_scene_cast(s, &good, &still, -1, NULL, &body, &result, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "t_max", -1, -1));
  assert_int_equal(graze_scene_cast(s, &good, &still, NAN, NULL, &body, &result, &error), GRAZE_BAD_NUMBER);
  expect_error(&error, error_of(GRAZE_BAD_NUMBER, "t_max", -1, NAN));
  assert_int_equal(graze_scene_cast(s, &bad, &still, 1, NULL, &body, &result, &error), GRAZE_BAD_SHAPE);
  expect_error(&error, error_of(GRAZE_BAD_SHAPE, "shape.radius", -1, -1));
  assert_int_equal(graze_scene_cast_any(s, &good, &off, 1, NULL, &body, NULL, &error), GRAZE_DIM_MISMATCH);
  expect_error(&error, error_of(GRAZE_DIM_MISMATCH, "motion.velocity", 2, 1));
  assert_int_equal(graze_scene_cast_all(s, &bad, &still, 1, NULL, &hit, 1, &count, &error), GRAZE_BAD_SHAPE);
  expect_error(&error, error_of(GRAZE_BAD_SHAPE, "shape.radius", -1, -1));
  assert_int_equal(graze_scene_raycast_any(s, o, up, 1, NULL, &body, NULL, &error), GRAZE_DIM_MISMATCH);
  expect_error(&error, error_of(GRAZE_DIM_MISMATCH, "direction", 2, 1));
  assert_int_equal(graze_scene_raycast_all(s, o, x, -1, NULL, &hit, 1, &count, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "t_max", -1, -1));
  assert_int_equal(graze_scene_overlap_any(s, &in_space, NULL, &body, &error), GRAZE_DIM_MISMATCH);
  expect_error(&error, error_of(GRAZE_DIM_MISMATCH, "shape.dim", -1, 3));
  assert_int_equal(graze_scene_raycast(s, no, x, 1, NULL, &body, &result, &error), GRAZE_BAD_NUMBER);
  expect_error(&error, error_of(GRAZE_BAD_NUMBER, "origin", 0, NAN));
  assert_int_equal(graze_scene_raycast(s, o, up, 1, NULL, &body, &result, &error), GRAZE_DIM_MISMATCH);
  expect_error(&error, error_of(GRAZE_DIM_MISMATCH, "direction", 2, 1));
  assert_int_equal(graze_scene_raycast(s, o, x, -1, NULL, &body, &result, &error), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "t_max", -1, -1));
  graze_manifold_options options = graze_default_manifold_options();
  options.tolerance = -1, options.error = &error;
  assert_int_equal(graze_scene_manifold(s, a, a, &options, &answer, &contact, 1, &count), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "body", -1, a.slot));
  assert_int_equal(graze_scene_manifold(s, a, a, NULL, &answer, &contact, 1, &count), GRAZE_BAD_OPTION);
  assert_int_equal(count, 77);
  assert_int_equal(graze_scene_overlap(s, &good, NULL, NULL, 0, &count, NULL), GRAZE_NO_SPACE);
  assert_int_equal(count, 1);
  assert_int_equal(graze_scene_pairs(s, &pair, 1, &count), GRAZE_OK);
  assert_int_equal(count, 0);
  graze_body_def def = graze_default_body();
  graze_body b;
  def.shape = disk;
  assert_int_equal(graze_scene_add(scene, &def, &b, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_manifold(s, a, b, NULL, &answer, &contact, 0, &count), GRAZE_NO_SPACE);
  assert_int_equal(graze_scene_manifold(s, a, b, &options, &answer, &contact, 1, &count), GRAZE_BAD_OPTION);
  expect_error(&error, error_of(GRAZE_BAD_OPTION, "tolerance", -1, -1));
  close_scene();
}

/* ---- Steps */

static graze_body add(graze_shape shape, double x, double speed) {
  graze_body_def def = graze_default_body();
  def.response = GRAZE_RESPONSE_NONE;
  graze_body body;
  def.shape = shape;
  def.pose = graze_pose_at(x, 0, 0);
  def.motion.velocity.x = speed;
  assert_int_equal(graze_scene_add(scene, &def, &body, NULL), GRAZE_OK);
  return body;
}

static void expect_bad_step(double dt, graze_status expected) {
  size_t size;
  graze_step step = {.casts = 77};
  graze_body_pair pairs[2][16];
  size_t count[2];
  unsigned char *before = save_scene(scene, &size);
  assert_int_equal(graze_scene_pairs(scene, pairs[0], 16, &count[0]), GRAZE_OK);
  assert_int_equal(graze_scene_step(scene, dt, &step, NULL), expected);
  assert_int_equal(step.casts, 77);
  graze_error error;
  assert_int_equal(graze_scene_step(scene, dt, NULL, &error), expected);
  const bool leaves = expected == GRAZE_BAD_NUMBER; /* the second body */
  expect_error(&error, error_of(expected, leaves ? "body" : "dt", -1, leaves ? 1 : dt));
  assert_true(is_saved_as(before, size));
  assert_int_equal(graze_scene_pairs(scene, pairs[1], 16, &count[1]), GRAZE_OK);
  assert_true(count[0] == count[1] && memcmp(pairs[0], pairs[1], count[0] * sizeof **pairs) == 0);
  free(before);
}

/* Invalid times, and steps that end beyond GRAZE_LARGEST: half of one is possible. */
TEST(test_bad_steps) {
  static const double none[] = {-1, -0x1p-1074, NAN, INFINITY, 2e40};
  open_scene(3);
  (void)add(graze_box(1, 1, 1), 0, 0);
  (void)add(graze_sphere(1), 1, 1e40);
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) expect_bad_step(none[i], GRAZE_BAD_OPTION);
  expect_bad_step(2, GRAZE_BAD_NUMBER);
  expect_bad_step(1e40, GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_step(scene, 0.5, NULL, NULL), GRAZE_OK);
  expect_bad_step(1, GRAZE_BAD_NUMBER);
  close_scene();
}

/* The step also fails where a response or a query during the step fails, and the error names the body. */
static void expect_bad_body(double dt, graze_status expected, size_t slot) {
  graze_error error = {.what = "", .owner = "", .allowed = ""};
  size_t size;
  unsigned char *before = save_scene(scene, &size);
  assert_int_equal(graze_scene_step(scene, dt, NULL, NULL), expected);
  assert_int_equal(graze_scene_step(scene, dt, NULL, &error), expected);
  expect_error(&error, error_of(expected, "body", -1, (double)slot));
  assert_true(is_saved_as(before, size));
  free(before);
}

static void add_ball(double x, double speed, graze_response response) {
  graze_body_def def = graze_default_body();
  graze_body body;
  def.shape = graze_sphere(1), def.response = response;
  def.pose.position.x = x, def.motion.velocity.x = speed;
  assert_int_equal(graze_scene_add(scene, &def, &body, NULL), GRAZE_OK);
}

/* The second and third body collide beyond 1e40. */
TEST(test_bad_collision) {
  open_scene(3);
  add_ball(-1e39, 0, GRAZE_RESPONSE_BOUNCE);
  add_ball(9e39, 1e40, GRAZE_RESPONSE_BOUNCE);
  add_ball(9.9e39, 0.9e40, GRAZE_RESPONSE_BOUNCE);
  expect_bad_body(1, GRAZE_BAD_NUMBER, 1);
  close_scene();
}

static graze_status reject_cast(void *context, const graze_placed *a, const graze_motion *motion_a,
                                const graze_placed *b, const graze_motion *motion_b, double t_max,
                                const graze_cast_options *options, graze_cast_result *result) {
  (void)context, (void)a, (void)motion_a, (void)b, (void)motion_b, (void)t_max, (void)options, (void)result;
  return GRAZE_NO_SPACE;
}

/* With and without a response, after two bodies that are not a candidate pair. */
TEST(test_rejecting_cast) {
  for (int responds = 0; responds < 2; responds++) {
    const graze_response response = responds ? GRAZE_RESPONSE_SLIDE : GRAZE_RESPONSE_NONE;
    graze_scene_def def = graze_default_scene();
    const graze_allocator allocator = failing_allocator(&memory);
    memory = (failing_memory){.fail_at = 1000000000};
    def.cast = reject_cast;
    assert_int_equal(graze_scene_create(&def, &allocator, &scene, NULL), GRAZE_OK);
    add_ball(-90, 0, response);
    add_ball(-80, 0, response);
    add_ball(0, 9, response);
    add_ball(5, 0, response);
    expect_bad_body(1, GRAZE_NO_SPACE, 2);
    close_scene();
  }
}

static bool broken;

/* A ball whose support function returns NaN once `broken` is set. */
static double ball(void *context, graze_vec d, graze_vec *point) {
  const double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), f = (1 - 0x1p-48) / length;
  (void)context;
  *point = (graze_vec){d.x * f, d.y * f, broken ? NAN : d.z * f};
  return 0x1p-46;
}

/* It counts as in contact with everything that its bounds meet. */
TEST(test_support) {
  graze_step step;
  broken = false;
  open_scene(3);
  (void)add(graze_user(3, ball, NULL), 0, 1);
  (void)add(graze_box(1, 1, 1), 1.5, 0);
  assert_int_equal(graze_scene_step(scene, 0, NULL, NULL), GRAZE_OK);
  broken = true;
  assert_int_equal(graze_scene_step(scene, 0.1, &step, NULL), GRAZE_OK);
  assert_true(step.event_count == 1 && step.events[0].kind == GRAZE_EVENT_STAY);
  (void)add(graze_box(1, 1, 1), -1.75, 0);
  assert_int_equal(graze_scene_step(scene, 0.1, &step, NULL), GRAZE_OK);
  assert_true(step.event_count == 2 && step.events[1].kind == GRAZE_EVENT_BEGIN);
  close_scene();
}

/* A manifold ignores masks and sensors. */
TEST(test_manifold) {
  graze_body_def def = graze_default_body();
  graze_body a, b;
  graze_answer answer;
  graze_contact contact[8];
  size_t count = 99;
  def.shape = graze_box(1, 1, 1);
  def.mask = 0;
  open_scene(3);
  assert_int_equal(graze_scene_add(scene, &def, &a, NULL), GRAZE_OK);
  def.pose.position.x = 1.5;
  def.sensor = true;
  assert_int_equal(graze_scene_add(scene, &def, &b, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_manifold(scene, a, b, NULL, &answer, contact, 8, &count), GRAZE_OK);
  assert_true(count == 4 && answer.relation == GRAZE_OVERLAPPING);
  close_scene();
}
