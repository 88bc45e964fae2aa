/* Steps that cannot be: each says why, and the scene is as it was, to its last byte and answer. */

#include "support/test.h"
#include "scene/party.h"

static graze_body add(graze_scene *scene, graze_shape shape, double x, double speed) {
  graze_body_def def = graze_default_body();
  graze_body body;
  def.shape = shape;
  def.pose = graze_pose_at(x, 0, 0);
  def.motion.velocity.x = speed;
  assert_int_equal(graze_scene_add(scene, &def, &body, NULL), GRAZE_OK);
  return body;
}

static void expect_refused(graze_scene *scene, double dt, graze_status expected) {
  size_t before_size, after_size;
  graze_step step = {.casts = 77};
  graze_body_pair pairs[2][16];
  size_t count[2];
  unsigned char *before = party_save(scene, &before_size);
  assert_int_equal(graze_scene_pairs(scene, pairs[0], 16, &count[0]), GRAZE_OK);
  assert_int_equal(graze_scene_step(scene, dt, &step), expected);
  assert_int_equal(step.casts, 77);
  assert_int_equal(graze_scene_step(scene, dt, NULL), expected);
  unsigned char *after = party_save(scene, &after_size);
  assert_true(before_size == after_size && memcmp(before, after, before_size) == 0);
  assert_int_equal(graze_scene_pairs(scene, pairs[1], 16, &count[1]), GRAZE_OK);
  assert_true(count[0] == count[1] && memcmp(pairs[0], pairs[1], count[0] * sizeof **pairs) == 0);
  free(before), free(after);
}

/* Of what there is no number for; and a body that would be where there is none: it can go half as far. */
TEST(test_numbers) {
  static const double none[] = {-1, -0x1p-1074, NAN, INFINITY, 2e40};
  graze_scene *scene;
  assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_OK);
  (void)add(scene, graze_box(1, 1, 1), 0, 0);
  (void)add(scene, graze_sphere(1), 1, 1e40);
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) expect_refused(scene, none[i], GRAZE_BAD_OPTION);
  expect_refused(scene, 2, GRAZE_BAD_NUMBER);
  expect_refused(scene, 1e40, GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_step(scene, 0.5, NULL), GRAZE_OK);
  expect_refused(scene, 1, GRAZE_BAD_NUMBER);
  graze_scene_destroy(scene);
}

static bool broken;

/* A ball, and then no ball any more. */
static double ball(void *context, graze_vec d, graze_vec *point) {
  const double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), f = (1 - 0x1p-48) / length;
  (void)context;
  *point = (graze_vec){d.x * f, d.y * f, broken ? NAN : d.z * f};
  return 0x1p-46;
}

/* It may be anywhere that it was when it was placed: in contact, as nobody can tell. */
TEST(test_support) {
  graze_scene *scene;
  graze_step step;
  broken = false;
  assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_OK);
  (void)add(scene, graze_user(3, ball, NULL), 0, 1);
  (void)add(scene, graze_box(1, 1, 1), 1.5, 0);
  assert_int_equal(graze_scene_step(scene, 0, NULL), GRAZE_OK);
  broken = true;
  assert_int_equal(graze_scene_step(scene, 0.1, &step), GRAZE_OK);
  assert_true(step.event_count == 1 && step.events[0].kind == GRAZE_EVENT_STAY);
  (void)add(scene, graze_box(1, 1, 1), -1.75, 0);
  assert_int_equal(graze_scene_step(scene, 0.1, &step), GRAZE_OK);
  assert_true(step.event_count == 2 && step.events[1].kind == GRAZE_EVENT_BEGIN);
  graze_scene_destroy(scene);
}

/* A body has no contact with itself; masks and sensors do not matter for who is asked about. */
TEST(test_manifold) {
  graze_scene *scene;
  graze_body_def def = graze_default_body();
  graze_body a, b;
  graze_answer answer;
  graze_contact contact[8];
  size_t count = 99;
  def.shape = graze_box(1, 1, 1);
  def.mask = 0;
  assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_OK);
  assert_int_equal(graze_scene_add(scene, &def, &a, NULL), GRAZE_OK);
  def.pose.position.x = 1.5;
  def.sensor = true;
  assert_int_equal(graze_scene_add(scene, &def, &b, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_manifold(scene, a, a, NULL, &answer, contact, 8, &count), GRAZE_BAD_OPTION);
  assert_int_equal(count, 99);
  assert_int_equal(graze_scene_manifold(scene, a, b, NULL, &answer, contact, 8, &count), GRAZE_OK);
  assert_true(count == 4 && answer.relation == GRAZE_OVERLAPPING);
  graze_scene_destroy(scene);
}
