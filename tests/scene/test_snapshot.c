/* Snapshots: restoring returns the same bytes and the same future, vertices are shared, and some shapes are not in
 * the bytes. Damage and forgery: test_forged.c. Each test states its seeds. */

#include <graze/compare.h>

#include <limits.h>

#include "support/shapes.h"
#include "scene/make.h"
#include "scene/random_scene.h"
#include "scene/snapshot_format.h"
#include "scene/store.h"

static random_scene one, other;

/* Sums by xxhsum -H64. A snapshot ends with the sum of its bytes, with and without 4 odd bytes at the end. Seed 9. */
TEST(test_checksum) {
  static const struct {
    const char *text;
    uint64_t sum;
  } row[] = {{"", 0xef46db3751d8e999u},
             {"a", 0xd24ec4f1a98c6e5bu},
             {"abc", 0x44bc2cf5ad770999u},
             {"Nobody inspects the spammish repetition", 0xfbcea83c8a378bf1u}};
  for (size_t i = 0; i < COUNT(row); i++)
    assert_true(snapshot_sum((const unsigned char *)row[i].text, strlen(row[i].text)) == row[i].sum);
  bool odd[2] = {false, false};
  random_scene_create(&one, (random_scene_kind){9, 3, 8, 3, true}, NULL, NULL);
  for (int i = 0; i < 12; i++) {
    size_t size;
    unsigned char *bytes = save_scene(one.scene, &size);
    assert_true(snapshot_get(bytes + size - 8, 8) == snapshot_sum(bytes, size - 8));
    odd[size / 4 % 2] = true;
    free(bytes);
    (void)random_scene_add(&one);
  }
  assert_true(odd[0] && odd[1]);
  random_scene_destroy(&one);
}

/* Removes and adds bodies, so that slots are free, used again, and of several generations. */
static void stir(random_scene *c) {
  for (int i = 0; i < 12; i++) {
    const graze_body gone = graze_scene_next(c->scene, (graze_body){(uint32_t)rng_below(&c->dice, 20), 1});
    if (gone.generation != 0) assert_int_equal(graze_scene_remove(c->scene, gone), GRAZE_OK);
    if (i % 3 != 0) (void)random_scene_add(c);
  }
}

static graze_status restore(graze_scene *scene, const unsigned char *bytes, size_t size) {
  graze_error error = {GRAZE_NO_SPACE, NULL, 7, 7, NULL, NULL};
  graze_status status = graze_scene_restore(scene, bytes, size, &error);
  assert_int_equal(error.status, status);
  if (status == GRAZE_OK) assert_true(error.what[0] == 0 && error.index == -1);
  return status;
}

/* Returns whether a snapshot contains all shapes. In a scene that need not be plain this may happen by chance. */
static bool is_plain(const graze_scene *scene) {
  for (graze_body b = graze_scene_next(scene, (graze_body){0, 0}); b.generation > 0; b = graze_scene_next(scene, b)) {
    const graze_shape_kind kind = graze_scene_placed(scene, b)->shape.kind;
    if (kind == GRAZE_COMPOUND || kind == GRAZE_USER) return false;
  }
  return true;
}

/* Restores a snapshot from the middle of a run: in the same scene, in one that was made alike, and, if all shapes
 * are in the bytes, in an empty one of the other dimension, on other threads. Then back again. */
static void check_run(random_scene_kind kind, const graze_parallel *parallel) {
  graze_scene_def def = graze_default_scene();
  graze_scene *fresh;
  size_t size;
  def.dim = 5 - kind.dim;
  def.parallel = parallel;
  random_scene_create(&one, kind, NULL, NULL);
  random_scene_create(&other, kind, parallel, NULL);
  stir(&one), stir(&other);
  (void)run_scene(&one, 6, 0, NULL);
  unsigned char *bytes = save_scene(one.scene, &size);
  const bool plain = is_plain(one.scene);
  assert_true(plain || !kind.plain);
  const uint64_t truth = run_scene(&one, 6, 0, NULL);
  graze_scene *const scene = one.scene;

  assert_int_equal(restore(scene, bytes, size), GRAZE_OK);
  assert_true(run_scene(&one, 6, 0, NULL) == truth);
  (void)run_scene(&other, 2, 0, NULL);
  assert_int_equal(restore(other.scene, bytes, size), GRAZE_OK);
  assert_int_equal(restore(scene, bytes, size), GRAZE_OK);
  assert_true(same_scenes(scene, other.scene));
  assert_int_equal(graze_scene_create(&def, NULL, &fresh, NULL), GRAZE_OK);
  assert_int_equal(restore(fresh, bytes, size), plain ? GRAZE_OK : GRAZE_UNSUPPORTED);
  if (plain) {
    one.scene = fresh;
    assert_true(run_scene(&one, 6, 0, NULL) == truth);
    assert_int_equal(restore(fresh, bytes, size), GRAZE_OK);
    assert_true(same_scenes(scene, fresh));
    one.scene = scene;
  } else {
    assert_int_equal(graze_scene_count(fresh), 0);
  }
  graze_scene_destroy(fresh);
  assert_true(run_scene(&one, 6, 0, NULL) == truth);
  assert_true(run_scene(&other, 6, 0, NULL) == truth);
  free(bytes);
  random_scene_destroy(&one), random_scene_destroy(&other);
}

/* Seeds 100 … */
TEST(test_run) {
  graze_pool *pool;
  const int rounds = tiered(3, 6, 200);
  assert_int_equal(graze_pool_create(3, NULL, &pool), GRAZE_OK);
  const graze_parallel parallel = graze_pool_parallel(pool);
  for (int i = 0; i < rounds; i++) {
    for (int dim = 2; dim <= 3; dim++) {
      const double spread = dim == 2 ? 6 : 3;
      check_run((random_scene_kind){100 + (uint64_t)i, dim, 40, spread, i % 2 == 0}, i % 3 ? &parallel : NULL);
    }
  }
  graze_pool_destroy(pool);
}

/* ---- Vertices */

static graze_scene *make_counted(int dim, failing_memory *memory) {
  *memory = (failing_memory){.fail_at = LONG_MAX};
  const graze_allocator allocator = failing_allocator(memory);
  return make_scene(dim, 0, &allocator);
}

static graze_body insert(graze_scene *scene, graze_shape shape, double x) {
  return add_body(scene, shape, GRAZE_DYNAMIC, graze_pose_at(x, 0, 0));
}

static void set_shape(graze_scene *scene, graze_body body, graze_shape shape) {
  graze_body_def def;
  assert_int_equal(graze_scene_get(scene, body, &def), GRAZE_OK);
  def.shape = shape;
  assert_int_equal(graze_scene_set(scene, body, &def, NULL), GRAZE_OK);
}

static const graze_vec *vertices(const graze_scene *scene, graze_body body) {
  return graze_scene_placed(scene, body)->shape.as.hull.vertices;
}

/* Bodies with equal vertices share a list, within a scene and after restoring, which reuses the lists of the scene. A
 * list is freed with its last body. */
TEST(test_vertices) {
  graze_vec v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  failing_memory memory, rest;
  graze_scene *scene = make_counted(3, &memory), *fresh = make_counted(3, &rest);
  const graze_body a = insert(scene, graze_hull_points(v, 4), 0), b = insert(scene, graze_hull_points(v, 3), 5);
  const graze_vec *of_a = vertices(scene, a), *of_b = vertices(scene, b);
  const long before = memory.out;
  size_t size;
  unsigned char *bytes = save_scene(scene, &size);

  assert_int_equal(restore(scene, bytes, size), GRAZE_OK);
  assert_true(vertices(scene, a) == of_a && vertices(scene, b) == of_b && memory.out == before);
  assert_int_equal(restore(fresh, bytes, size), GRAZE_OK);
  assert_true(same_scenes(scene, fresh));
  const graze_vec *copied = vertices(fresh, a);
  assert_true(copied != of_a && memcmp(copied, v, sizeof v) == 0);
  assert_int_equal(restore(fresh, bytes, size), GRAZE_OK);
  assert_true(vertices(fresh, a) == copied);

  v[3].z = 2;
  set_shape(scene, a, graze_hull_points(v, 4));
  assert_int_equal(memory.out, before); /* another list instead of the first one */
  unsigned char *changed = save_scene(scene, &size);
  const long full = rest.out;
  assert_int_equal(restore(fresh, changed, size), GRAZE_OK);
  assert_true(vertices(fresh, a)[3].z == 2 && rest.out == full);
  free(changed);
  assert_int_equal(restore(scene, bytes, size), GRAZE_OK);
  assert_true(vertices(scene, a)[3].z == 1 && vertices(scene, b) == of_b && memory.out == before);
  set_shape(scene, a, graze_sphere(1));
  assert_int_equal(graze_scene_remove(fresh, b), GRAZE_OK);
  assert_true(memory.out == before - 1 && rest.out == full - 1);
  free(bytes);
  graze_scene_destroy(scene), graze_scene_destroy(fresh);
  assert_true(memory.out == 0 && rest.out == 0);
}

/* A scene that is restored two hundred times, to before its bodies were removed, keeps no more memory than after the
 * first time. Seed 8. */
TEST(test_back_and_forth) {
  failing_memory memory = {.fail_at = LONG_MAX};
  const graze_allocator allocator = failing_allocator(&memory);
  size_t size, bytes_out = 0;
  long blocks = 0;
  random_scene_create(&one, (random_scene_kind){8, 3, 60, 6, true}, NULL, &allocator);
  unsigned char *bytes = save_scene(one.scene, &size);
  for (int i = 0; i < 200; i++) {
    for (uint32_t slot = 1; slot < 40; slot++)
      assert_int_equal(graze_scene_remove(one.scene, (graze_body){slot, 1}), GRAZE_OK);
    assert_int_equal(restore(one.scene, bytes, size), GRAZE_OK);
    if (i == 0) blocks = memory.out, bytes_out = memory.bytes;
    assert_true(memory.out == blocks && memory.bytes == bytes_out);
  }
  free(bytes);
  random_scene_destroy(&one);
  assert_int_equal(memory.out, 0);
}

static uint64_t run(graze_scene *scene, int steps) {
  uint64_t hash = 0;
  for (int i = 0; i < steps; i++) {
    graze_step step;
    assert_int_equal(graze_scene_step(scene, 0.05, &step, NULL), GRAZE_OK);
    hash = hash_scene(hash_step(hash, &step), scene);
  }
  return hash;
}

static void expect_edges(const graze_shape *copied, const graze_hull *hull) {
  const graze_adjacency *p = &copied->as.hull.adjacency, *q = &hull->adjacency;
  const size_t count = hull->vertex_count;
  assert_true(p->start != q->start && p->seed != q->seed && p->seed_rank == q->seed_rank);
  assert_memory_equal(p->start, q->start, (count + 1) * sizeof *p->start);
  assert_memory_equal(p->neighbor, q->neighbor, (size_t)q->start[count] * sizeof *p->neighbor);
}

/* Large hulls use hill climbing, which may change last bits: so the adjacency is saved with the vertices. Seed 7. */
TEST(test_climbed) {
  rng dice = {7};
  for (int dim = 2; dim <= 3; dim++) {
    failing_memory memory, rest;
    graze_hull hull;
    graze_scene *scene = make_counted(dim, &memory), *fresh = make_counted(dim, &rest);
    size_t size;
    make_round_hull(&dice, dim, 3000, &hull);
    for (int i = 0; i < 4; i++) {
      graze_body_def def = passive_body();
      def.shape = graze_hull_shape(&hull);
      def.pose = random_grid_pose(&dice, dim, 0);
      def.pose.position.x = 2.5 * i;
      def.motion.velocity.x = 3 - 2 * i;
      def.motion.angular.z = i - 1.5;
      def.response = GRAZE_RESPONSE_BOUNCE;
      (void)add_def(scene, &def);
    }
    unsigned char *bytes = save_scene(scene, &size);
    const int32_t *seeds = graze_scene_placed(scene, (graze_body){0, 1})->shape.as.hull.adjacency.seed;
    assert_true(seeds != hull.adjacency.seed);
    assert_int_equal(restore(scene, bytes, size), GRAZE_OK);
    assert_true(graze_scene_placed(scene, (graze_body){0, 1})->shape.as.hull.adjacency.seed == seeds);
    assert_int_equal(restore(fresh, bytes, size), GRAZE_OK);
    assert_true(same_scenes(scene, fresh));
    expect_edges(&graze_scene_placed(fresh, (graze_body){0, 1})->shape, &hull);
    const uint64_t truth = run(scene, 6);
    graze_scene_destroy(scene);
    graze_hull_destroy(&hull);
    assert_true(run(fresh, 6) == truth);
    graze_scene_destroy(fresh);
    assert_true(memory.out == 0 && rest.out == 0);
    free(bytes);
  }
}

/* Contacts of removed bodies, or of slots with another body, are in no snapshot and have no event, with or without a
 * step between. Removing a body does not search the contacts. */
TEST(test_removed) {
  enum { SIDE = 20, ALL = SIDE * SIDE * SIDE };
  const graze_shape box = graze_box(0.625, 0.625, 0.625);
  graze_scene *scene = make_scene(3, 0, NULL), *restored = make_scene(3, 0, NULL);
  graze_step step;
  for (int i = 0; i < ALL; i++)
    (void)add_body(scene, box, GRAZE_DYNAMIC, graze_pose_at(i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)));
  assert_int_equal(graze_scene_step(scene, 0, &step, NULL), GRAZE_OK);
  const size_t contacts = step.event_count;
  assert_true(contacts > 10 * ALL);
  void *const kept = scene->store.contact.memory; /* removal must not read it */
  scene->store.contact.memory = NULL;
  for (uint32_t i = 0; i < ALL; i += 10) assert_int_equal(graze_scene_remove(scene, (graze_body){i, 1}), GRAZE_OK);
  scene->store.contact.memory = kept;
  for (uint32_t i = 0; i < ALL; i += 100) { /* other bodies in their slots, elsewhere */
    const graze_body body = insert(scene, box, -3 - 2.0 * i);
    assert_true(body.slot % 10 == 0 && body.generation == 2);
  }
  size_t size;
  unsigned char *bytes = save_scene(scene, &size);
  assert_int_equal(restore(restored, bytes, size), GRAZE_OK);
  assert_int_equal(graze_scene_step(scene, 0, &step, NULL), GRAZE_OK);
  const uint64_t hash = hash_step(0, &step);
  assert_true(step.event_count < contacts * 90 / 100 && step.event_count > contacts * 80 / 100);
  for (size_t i = 0; i < step.event_count; i++) {
    const graze_event *e = &step.events[i];
    assert_true(e->kind == GRAZE_EVENT_STAY && e->a.slot % 10 != 0 && e->b.slot % 10 != 0);
  }
  assert_int_equal(graze_scene_step(restored, 0, &step, NULL), GRAZE_OK);
  assert_true(hash_step(0, &step) == hash && same_scenes(scene, restored));
  free(bytes);
  graze_scene_destroy(scene), graze_scene_destroy(restored);
}

/* ---- Shapes that are not in the bytes */

static void expect_unsupported(graze_scene *scene, const unsigned char *bytes, size_t size, ptrdiff_t slot) {
  graze_error error;
  size_t left;
  unsigned char *before = save_scene(scene, &left);
  assert_int_equal(graze_scene_restore(scene, bytes, size, &error), GRAZE_UNSUPPORTED);
  assert_true(error.status == GRAZE_UNSUPPORTED && error.index == slot && strcmp(error.what, "shape") == 0);
  size_t after;
  unsigned char *now = save_scene(scene, &after);
  assert_true(left == after && memcmp(before, now, left) == 0);
  free(before), free(now);
}

static double nothing(void *context, graze_vec d, graze_vec *point) {
  (void)context;
  *point = (graze_vec){d.x * 0, 0, 0};
  return 0;
}

static graze_compound *make_pair(double gap) {
  const graze_placed parts[2] = {placed_at(graze_sphere(1), 0, 0, 0), placed_at(graze_sphere(1), gap, 0, 0)};
  return compound_of(parts, 2);
}

/* A compound of the same parts, or a support function, must be in the scene. The margin is in the bytes. */
TEST(test_pointers) {
  failing_memory memory;
  graze_scene *scene = make_counted(3, &memory);
  graze_compound *near = make_pair(3), *like = make_pair(3), *distant = make_pair(4);
  const graze_body a = insert(scene, graze_compound_shape(near), 0),
                   b = insert(scene, graze_user(3, nothing, &memory), 9);
  size_t size;
  unsigned char *bytes = save_scene(scene, &size);

  set_shape(scene, a, graze_with_margin(graze_compound_shape(like), 0.5));
  assert_int_equal(restore(scene, bytes, size), GRAZE_OK);
  assert_true(graze_scene_placed(scene, a)->shape.as.compound == like &&
              graze_scene_placed(scene, a)->shape.margin == 0);
  assert_true(graze_scene_placed(scene, b)->shape.as.user.context == &memory);
  set_shape(scene, a, graze_compound_shape(distant));
  expect_unsupported(scene, bytes, size, 0);
  set_shape(scene, a, graze_sphere(1));
  expect_unsupported(scene, bytes, size, 0);
  set_shape(scene, a, graze_compound_shape(near));
  assert_int_equal(restore(scene, bytes, size), GRAZE_OK);
  assert_int_equal(graze_scene_remove(scene, b), GRAZE_OK);
  expect_unsupported(scene, bytes, size, 1);
  (void)insert(scene, graze_user(3, nothing, NULL), 0); /* in the same slot, but another body */
  expect_unsupported(scene, bytes, size, 1);
  free(bytes);
  graze_scene_destroy(scene);
  graze_compound_destroy(near), graze_compound_destroy(like), graze_compound_destroy(distant);
  assert_int_equal(memory.out, 0);
}

/* ---- Size and definition */

TEST(test_capacity) {
  failing_memory memory;
  graze_scene *scene = make_counted(2, &memory);
  (void)insert(scene, graze_circle(1), 0);
  const size_t size = graze_scene_snapshot_size(scene);
  unsigned char *bytes = malloc(size);
  size_t reported = 0;
  memset(bytes, 7, size);
  assert_int_equal(graze_scene_save(scene, bytes, size - 1, &reported), GRAZE_NO_SPACE);
  assert_true(reported == size && bytes[0] == 7 && bytes[size - 1] == 7);
  reported = 0;
  assert_int_equal(graze_scene_save(scene, NULL, 0, &reported), GRAZE_NO_SPACE);
  assert_true(reported == size);
  assert_int_equal(graze_scene_save(scene, bytes, size + 1, &reported), GRAZE_OK);
  assert_int_equal(graze_scene_restore(scene, bytes, size, NULL), GRAZE_OK);
  free(bytes);
  graze_scene_destroy(scene);
  assert_int_equal(memory.out, 0);
}

/* A restored scene keeps its own cast function, which is not in the bytes. Two samples of the motion of a bullet miss a
 * wall. */
TEST(test_cast_function) {
  int samples = 2;
  size_t size;
  graze_scene_def sampled = graze_default_scene();
  graze_body_def bullet = passive_body();
  sampled.cast = graze_compare_sampling, sampled.cast_context = &samples;
  bullet.shape = graze_box(0.001, 0.001, 0.001), bullet.motion.velocity.x = 4;
  for (int i = 0; i < 2; i++) {
    graze_scene *from, *to;
    graze_step step;
    assert_int_equal(graze_scene_create(i == 0 ? NULL : &sampled, NULL, &from, NULL), GRAZE_OK);
    assert_int_equal(graze_scene_create(i == 0 ? &sampled : NULL, NULL, &to, NULL), GRAZE_OK);
    (void)add_body(from, graze_box(5e-7, 2, 2), GRAZE_STATIC, graze_pose_at(1, 0, 0));
    (void)add_def(from, &bullet);
    unsigned char *bytes = save_scene(from, &size);
    assert_int_equal(restore(to, bytes, size), GRAZE_OK);
    assert_int_equal(graze_scene_step(to, 0.5, &step, NULL), GRAZE_OK);
    assert_int_equal(step.event_count, i == 0 ? 0 : 2);
    free(bytes);
    graze_scene_destroy(from), graze_scene_destroy(to);
  }
}

/* The definition is restored, ids continue as they would have, and user pointers are those at the time of saving. */
TEST(test_definition) {
  const graze_scene_def def = {.dim = 2, .method = GRAZE_CAST_CA, .skin = 0.25, .push_speed = 3};
  graze_scene *scene, *fresh = make_scene(3, 0, NULL);
  graze_body_def body = passive_body();
  graze_body a = {0, 0}, b = a, c = a;
  size_t size;
  body.shape = graze_circle(1);
  body.user = &size;
  assert_int_equal(graze_scene_create(&def, NULL, &scene, NULL), GRAZE_OK);
  for (int i = 0; i < 3; i++) a = add_def(scene, &body);
  for (uint32_t i = 0; i < 2; i++) assert_int_equal(graze_scene_remove(scene, (graze_body){i, 1}), GRAZE_OK);
  unsigned char *bytes = save_scene(scene, &size);
  assert_int_equal(restore(fresh, bytes, size), GRAZE_OK);
  assert_true(same_scenes(scene, fresh));
  assert_true(graze_scene_count(fresh) == 1 && graze_scene_next(fresh, (graze_body){0, 0}).slot == 2);
  for (int i = 0; i < 3; i++) {
    b = add_def(scene, &body), c = add_def(fresh, &body);
    assert_true(b.slot == c.slot && b.generation == c.generation);
  }
  assert_true(b.slot == 3 && b.generation == 1);
  assert_int_equal(graze_scene_get(fresh, a, &body), GRAZE_OK);
  assert_ptr_equal(body.user, &size);
  free(bytes);
  graze_scene_destroy(scene), graze_scene_destroy(fresh);
}
