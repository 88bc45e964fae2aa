/* Bodies: the scene copies vertices, default bodies slide, and bodies have user pointers. Each test states its seeds.
 */

#include <limits.h>

#include "scene/make.h"
#include "scene/random_scene.h"
#include "scene/snapshot_format.h"
#include "support/shapes.h"

static failing_memory memory;

static graze_scene *make_counted(int dim) {
  memory = (failing_memory){.fail_at = LONG_MAX};
  const graze_allocator allocator = failing_allocator(&memory);
  return make_scene(dim, 0, &allocator);
}

static void destroy_counted(graze_scene *scene) {
  graze_scene_destroy(scene);
  assert_int_equal(memory.out, 0);
}

static double distance(const graze_scene *scene, graze_body a, graze_body b) {
  graze_answer answer;
  assert_int_equal(graze_distance(graze_scene_placed(scene, a), graze_scene_placed(scene, b), NULL, &answer), GRAZE_OK);
  return answer.distance;
}

/* Issue: a hull whose vertex array no longer existed had a distance of -0.1 from a body 5,000 away, with GRAZE_OK. */
TEST(test_vertices_are_copied) {
  graze_scene *scene = make_counted(3);
  graze_vec *v = malloc(4 * sizeof *v);
  graze_body_def def = graze_default_body();
  v[0] = (graze_vec){0, 0, 0}, v[1] = (graze_vec){1, 0, 0}, v[2] = (graze_vec){0, 1, 0}, v[3] = (graze_vec){0, 0, 1};
  def.shape = graze_hull_points(v, 4), def.pose.position.x = 5000;
  const graze_body ball = add_body(scene, graze_sphere(1), GRAZE_STATIC, graze_pose_at(0, 0, 0)),
                   hull = add_def(scene, &def);
  for (int i = 0; i < 4; i++) v[i] = (graze_vec){-5000, 0, 0}; /* inside the ball */
  assert_true(distance(scene, ball, hull) == 4999);
  free(v);
  assert_true(distance(scene, ball, hull) == 4999);
  graze_step step;
  assert_int_equal(graze_scene_step(scene, 0.1, &step, NULL), GRAZE_OK);
  assert_true(step.event_count == 0 && step.overlaps == 0);
  destroy_counted(scene);
}

/* A polygon and a large hull with its adjacency; graze_scene_set() copies as well. Seed 5. */
TEST(test_set_copies_vertices) {
  for (int dim = 2; dim <= 3; dim++) {
    rng dice = {5};
    graze_hull hull;
    graze_vec triangle[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    graze_scene *scene = make_counted(dim), *twin = make_scene(dim, 0, NULL);
    make_round_hull(&dice, dim, 3000, &hull);
    for (int i = 0; i < 2; i++) {
      graze_scene *to = i == 0 ? scene : twin;
      graze_body_def def = graze_default_body();
      def.shape = dim == 2 ? graze_polygon(triangle, 3) : graze_hull_points(triangle, 3);
      const graze_body body = add_def(to, &def);
      def.shape = graze_hull_shape(&hull), def.motion.velocity.x = 3, def.motion.angular.z = 1;
      assert_int_equal(graze_scene_set(to, body, &def, NULL), GRAZE_OK);
      def.pose.position.x = 3, def.motion.velocity.x = -3;
      (void)add_def(to, &def);
    }
    const uint64_t truth = hash_scene(0, twin);
    assert_int_equal(graze_scene_step(twin, 0.2, NULL, NULL), GRAZE_OK);
    graze_hull_destroy(&hull);
    memset(triangle, 0xff, sizeof triangle);
    assert_true(hash_scene(0, scene) == truth);
    assert_int_equal(graze_scene_step(scene, 0.2, NULL, NULL), GRAZE_OK);
    graze_scene_destroy(twin);
    destroy_counted(scene);
  }
}

/* Equal vertices have one list, which is freed with its last body. Vertices that graze_scene_get() returns may be used
 * for other bodies, all or some. */
TEST(test_bodies_share_vertices) {
  static const graze_vec v[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                 {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  graze_scene *scene = make_counted(3);
  graze_body body[4];
  graze_body_def def;
  (void)add_body(scene, graze_point(), GRAZE_STATIC, graze_pose_at(0, 0, 0));
  const long before = memory.out;
  const size_t bytes_before = memory.bytes;
  for (int i = 0; i < 3; i++)
    body[i] = add_body(scene, graze_hull_points(v, 8), GRAZE_DYNAMIC, graze_pose_at(2 * i, 0, 0));
  assert_int_equal(memory.out, before + 2); /* a list, and the table of lists */
  assert_ptr_equal(graze_scene_placed(scene, body[0])->shape.as.hull.vertices,
                   graze_scene_placed(scene, body[2])->shape.as.hull.vertices);

  assert_int_equal(graze_scene_get(scene, body[0], &def), GRAZE_OK);
  def.shape.as.hull.vertices += 4, def.shape.as.hull.count = 4;
  body[3] = add_def(scene, &def);
  assert_int_equal(memory.out, before + 3);
  assert_int_equal(graze_scene_set(scene, body[0], &def, NULL), GRAZE_OK);
  assert_memory_equal(graze_scene_placed(scene, body[0])->shape.as.hull.vertices, v + 4, 4 * sizeof *v);
  assert_int_equal(memory.out, before + 3);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(memory.out, before + (i < 3 ? 3 : 2));
    assert_int_equal(graze_scene_remove(scene, body[i]), GRAZE_OK);
  }
  assert_true(memory.out == before && memory.bytes == bytes_before);
  destroy_counted(scene);
}

/* The last body with these vertices gets some of its own vertices. */
TEST(test_set_to_own_vertices) {
  static const graze_vec v[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  graze_scene *scene = make_counted(3);
  graze_body_def def;
  const graze_body body = add_body(scene, graze_hull_points(v, 5), GRAZE_DYNAMIC, graze_pose_at(0, 0, 0));
  for (size_t count = 5; count > 1; count--) {
    assert_int_equal(graze_scene_get(scene, body, &def), GRAZE_OK);
    def.shape.as.hull.count = count;
    assert_int_equal(graze_scene_set(scene, body, &def, NULL), GRAZE_OK);
    assert_memory_equal(graze_scene_placed(scene, body)->shape.as.hull.vertices, v, count * sizeof *v);
  }
  destroy_counted(scene);
}

/* Every allocation of an addition and of a change fails once: nothing changes, and nothing is leaked. */
TEST(test_failing_copies) {
  static const graze_vec v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  graze_scene *scene = make_counted(3);
  graze_body_def def = graze_default_body();
  graze_body body = {0, 0};
  graze_error error;
  long failures = 0;
  (void)add_body(scene, graze_point(), GRAZE_STATIC, graze_pose_at(9, 0, 0));
  for (int change = 0; change < 2; change++) {
    graze_status status = GRAZE_OUT_OF_MEMORY;
    def.shape = graze_hull_points(v, change == 0 ? 4 : 3);
    for (long n = 0; status == GRAZE_OUT_OF_MEMORY; n++) {
      const uint64_t before = hash_scene(0, scene);
      const long out = memory.out;
      memory.calls = 0, memory.fail_at = n;
      status = change == 0 ? graze_scene_add(scene, &def, &body, &error) : graze_scene_set(scene, body, &def, &error);
      memory.fail_at = LONG_MAX;
      assert_int_equal(error.status, status);
      if (status == GRAZE_OK) continue;
      failures++;
      assert_true(hash_scene(0, scene) == before && memory.out == out);
      assert_true(strcmp(error.what, "shape.vertices") == 0 || strcmp(error.what, "bodies") == 0);
    }
    assert_int_equal(status, GRAZE_OK);
  }
  assert_int_equal(failures, 3); /* the table and the list; then a list */
  destroy_counted(scene);
}

/* A default body slides along a wall. */
TEST(test_default_body_slides) {
  graze_scene *scene = make_scene(2, 0, NULL);
  graze_body_def def = graze_default_body();
  assert_int_equal(def.response, GRAZE_RESPONSE_SLIDE);
  (void)add_body(scene, graze_box2(1, 8), GRAZE_STATIC, graze_pose_at(3, 0, 0));
  def.shape = graze_circle(1), def.motion.velocity = (graze_vec){4, 1, 0};
  const graze_body ball = add_def(scene, &def);
  assert_int_equal(graze_scene_step(scene, 1, NULL, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_get(scene, ball, &def), GRAZE_OK);
  assert_true(def.motion.velocity.x == 0 && def.motion.velocity.y == 1);
  assert_true(def.pose.position.x > 0.999 && def.pose.position.x < 1 && def.pose.position.y == 1);
  graze_scene_destroy(scene);
}

TEST(test_user_pointer) {
  graze_scene *scene = make_scene(3, 0, NULL);
  graze_body_def def = graze_default_body();
  def.user = &memory;
  const graze_body a = add_def(scene, &def);
  def.user = NULL;
  const graze_body b = add_def(scene, &def);
  assert_ptr_equal(graze_body_user(scene, a), &memory);
  assert_null(graze_body_user(scene, b));
  def.user = scene;
  assert_int_equal(graze_scene_set(scene, b, &def, NULL), GRAZE_OK);
  assert_ptr_equal(graze_body_user(scene, b), scene);
  assert_int_equal(graze_scene_remove(scene, a), GRAZE_OK);
  assert_null(graze_body_user(scene, a));
  graze_scene_destroy(scene);
}
