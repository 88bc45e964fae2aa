/* The n-th allocation fails, for every n. Each function then returns GRAZE_OUT_OF_MEMORY, leaks nothing, and leaves
 * the scene unchanged; the same call works afterwards. Each test states its seeds. */

#include "support/test.h"
#include "scene/random_scene.h"
#include "scene/make.h"

enum { NEVER = 1000000000 };

static random_scene c, twin;

static failing_memory memory;

/* A hash of query results. */
static uint64_t hash_bodies(uint64_t hash, const graze_body *body, size_t count) {
  for (size_t i = 0; i < count; i++) hash = (hash ^ body[i].slot) * 0x100000001b3u + body[i].generation;
  return (hash ^ count) * 0x100000001b3u;
}

static uint64_t hash_answers(const graze_scene *scene, int dim) {
  static graze_body met[RANDOM_SCENE_MOST];
  static graze_body_pair pairs[RANDOM_SCENE_MOST * RANDOM_SCENE_MOST];
  const graze_shape ball = dim == 2 ? graze_circle(2) : graze_sphere(2);
  const graze_placed at = graze_place(&ball, graze_pose_at(0.5, 0, 0));
  const graze_aabb box = {{-2, -2, dim == 2 ? 0 : -2}, {3, 1, dim == 2 ? 0 : 1}};
  graze_filter filter = graze_default_filter();
  graze_cast_result result = {.t_lower = -1};
  uint64_t hash = 0;
  size_t count;
  filter.category = 7, filter.sensors = true;
  assert_int_equal(graze_scene_overlap(scene, &at, &filter, met, RANDOM_SCENE_MOST, &count, NULL), GRAZE_OK);
  hash = hash_bodies(hash, met, count);
  assert_int_equal(graze_scene_in_box(scene, &box, &filter, met, RANDOM_SCENE_MOST, &count, NULL), GRAZE_OK);
  hash = hash_bodies(hash, met, count);
  for (int i = 0; i < 8; i++) {
    const graze_vec from = {-20, i - 3.5, 0}, direction = {1, 0.05 * i, 0};
    assert_int_equal(graze_scene_raycast(scene, from, direction, 40, &filter, met, &result, NULL), GRAZE_OK);
    hash = hash_bodies(hash, met, 1) ^ (uint64_t)((result.t_lower + 1) * 0x1p40);
  }
  assert_int_equal(graze_scene_pairs(scene, pairs, RANDOM_SCENE_MOST * RANDOM_SCENE_MOST, &count), GRAZE_OK);
  for (size_t i = 0; i < count; i++) hash = hash_bodies(hash_bodies(hash, &pairs[i].a, 1), &pairs[i].b, 1);
  return hash;
}

/* Calls `work` with ever more memory until it succeeds, and returns how often it failed. If a call may keep memory
 * for the next one (`keeps`), each call gets one more block. The result must be that of the twin scene, whose memory
 * never fails. */
typedef graze_status work_function(random_scene *of, void *data);

static void expect_same(const unsigned char *before, size_t size, uint64_t answers) {
  size_t now_size;
  unsigned char *now = save_scene(c.scene, &now_size);
  assert_true(now_size == size && memcmp(now, before, size) == 0);
  assert_true(hash_answers(c.scene, c.dim) == answers);
  free(now);
}

static long exhaust(work_function *work, bool keeps, void *data) {
  size_t size;
  unsigned char *before = save_scene(c.scene, &size);
  const uint64_t answers = hash_answers(c.scene, c.dim);
  const long out = memory.out;
  graze_status status = GRAZE_OUT_OF_MEMORY;
  long failed = 0;
  for (; status == GRAZE_OUT_OF_MEMORY; failed++) {
    memory.calls = 0, memory.fail_at = keeps && failed > 0 ? 1 : failed;
    status = work(&c, data);
    memory.fail_at = NEVER;
    if (status == GRAZE_OUT_OF_MEMORY) expect_same(before, size, answers);
    if (!keeps && status == GRAZE_OUT_OF_MEMORY) assert_int_equal(memory.out, out);
  }
  assert_int_equal(status, GRAZE_OK);
  assert_int_equal(work(&twin, data), GRAZE_OK);
  assert_true(same_scenes(c.scene, twin.scene));
  assert_true(hash_answers(c.scene, c.dim) == hash_answers(twin.scene, twin.dim));
  free(before);
  return failed - 1;
}

/* Creates two equal scenes; only the memory of the first one fails. */
static void begin(random_scene_kind kind) {
  memory = (failing_memory){.fail_at = NEVER};
  const graze_allocator allocator = failing_allocator(&memory);
  random_scene_create(&c, kind, NULL, &allocator);
  random_scene_create(&twin, kind, NULL, NULL);
}

static void end(void) {
  random_scene_destroy(&c), random_scene_destroy(&twin);
  assert_int_equal(memory.out, 0);
}

static graze_status add_one(random_scene *of, void *data) {
  graze_body body = {77, 77};
  graze_error error;
  const graze_status status = graze_scene_add(of->scene, data, &body, &error);
  assert_int_equal(error.status, status);
  if (status != GRAZE_OK) assert_true(body.slot == 77 && body.generation == 77);
  return status;
}

/* Seed 300. */
TEST(test_add) {
  graze_body_def def = passive_body();
  long most = 0;
  begin((random_scene_kind){300, 3, 0, 3, true});
  for (int i = 0; i < 200; i++) {
    def.pose.position.x = i;
    const long failed = exhaust(add_one, true, &def);
    if (failed > most) most = failed;
  }
  assert_int_equal(most, 6); /* the arrays of the store, and the tree */
  end();
}

static graze_status remove_one(random_scene *of, void *data) {
  return graze_scene_remove(of->scene, *(graze_body *)data);
}

/* Nothing that removes bodies allocates. Seed 301. */
TEST(test_remove) {
  begin((random_scene_kind){301, 2, 20, 3, true});
  for (uint32_t i = 1; i < 10; i++) {
    graze_body body = {i, 1};
    assert_int_equal(exhaust(remove_one, false, &body), 0);
  }
  end();
}

static graze_status step_once(random_scene *of, void *data) {
  graze_step step = {.casts = 77};
  const graze_status status = graze_scene_step(of->scene, *(double *)data, &step, NULL);
  if (status != GRAZE_OK) assert_true(step.casts == 77);
  return status;
}

/* The first step allocates all buffers; later steps hardly allocate. Seeds 310 … */
TEST(test_step) {
  const int rounds = tiered(2, 4, 50);
  for (int i = 0; i < rounds; i++) {
    double dt = 0.05, none = 0;
    begin((random_scene_kind){310 + (uint64_t)i, 2 + i % 2, 60, i % 2 ? 3 : 7, true});
    long failed = exhaust(step_once, true, &dt);
    assert_true(failed >= 8);
    for (int k = 0; k < 6; k++) failed += exhaust(step_once, true, &dt);
    for (int k = 0; k < 40; k++) (void)random_scene_add(&c), (void)random_scene_add(&twin);
    failed += exhaust(step_once, true, &dt);
    assert_true(failed >= 16);
    (void)exhaust(step_once, true, &none);
    end();
  }
}

/* Each call runs in a new scene, and its n-th allocation fails: only this one, or all later ones as well. Before it,
 * `before` calls of `work` have allocated buffers, and bodies were added. */
static long fail_each(random_scene_kind kind, work_function *work, int before, bool once, void *data) {
  graze_status status = GRAZE_OUT_OF_MEMORY;
  long n = 0;
  for (; status == GRAZE_OUT_OF_MEMORY; n++) {
    size_t size;
    begin(kind);
    for (int i = 0; i < before; i++) {
      assert_int_equal(work(&c, data), GRAZE_OK);
      assert_int_equal(work(&twin, data), GRAZE_OK);
    }
    for (int i = 0; i < 20 * before; i++) (void)random_scene_add(&c), (void)random_scene_add(&twin);
    unsigned char *saved = save_scene(c.scene, &size);
    const uint64_t answers = hash_answers(c.scene, c.dim);
    memory.calls = 0, memory.fail_at = n, memory.once = once;
    status = work(&c, data);
    memory.fail_at = NEVER, memory.once = false;
    if (status == GRAZE_OUT_OF_MEMORY) expect_same(saved, size, answers);
    if (status == GRAZE_OUT_OF_MEMORY) assert_int_equal(work(&c, data), GRAZE_OK);
    assert_int_equal(work(&twin, data), GRAZE_OK);
    assert_true(same_scenes(c.scene, twin.scene));
    free(saved);
    end();
  }
  assert_int_equal(status, GRAZE_OK);
  return n - 1;
}

/* Seeds 340 … */
TEST(test_step_each) {
  const int rounds = tiered(1, 2, 25);
  for (int i = 0; i < rounds; i++) {
    double dt = 0.05;
    for (int direction = 0; direction < 8; direction++) {
      const random_scene_kind kind = {340 + (uint64_t)i, 2 + direction % 2, 60, direction % 2 ? 3 : 7, true};
      const long failed = fail_each(kind, step_once, direction / 2 % 2 * 2, direction < 4, &dt);
      assert_true(failed >= (direction / 2 % 2 ? 3 : 8));
    }
  }
}

/* Through the other bodies and back. */
static graze_status move_one(random_scene *of, void *data) {
  const graze_motion direction = {{3, -2, 0}, {0, 0, 1}};
  const graze_status status =
      graze_scene_move(of->scene, *(graze_body *)data, &direction, NULL, NULL, NULL, 0, &(size_t){0}, NULL);
  return status;
}

/* Seeds 350 … */
TEST(test_move) {
  const int rounds = tiered(2, 4, 50);
  long failed = 0;
  for (int i = 0; i < rounds; i++) {
    const random_scene_kind kind = {350 + (uint64_t)i, 2 + i % 2, 60, i % 2 ? 3 : 7, true};
    begin(kind);
    graze_body body = graze_scene_next(c.scene, (graze_body){2, 1});
    while (graze_scene_set_motion(c.scene, body, &(graze_motion){{1, 0, 0}, {0, 0, 1}}, NULL) != GRAZE_OK)
      body = graze_scene_next(c.scene, body);
    assert_int_equal(graze_scene_set_motion(twin.scene, body, &(graze_motion){{1, 0, 0}, {0, 0, 1}}, NULL), GRAZE_OK);
    failed += exhaust(move_one, true, &body);
    (void)exhaust(move_one, true, &body);
    end();
    failed += fail_each(kind, move_one, 0, true, &body);
    failed += fail_each(kind, move_one, 1, true, &body);
  }
  assert_true(failed >= 2 * rounds);
}

typedef struct saved {
  unsigned char *bytes;
  size_t size;
} saved;

static graze_status restore_one(random_scene *of, void *data) {
  const saved *from = data;
  graze_error error;
  const graze_status status = graze_scene_restore(of->scene, from->bytes, from->size, &error);
  assert_int_equal(error.status, status);
  return status;
}

/* A snapshot of another scene, whose vertices must all be copied; then its own again. Seed 320. */
TEST(test_restore) {
  static random_scene foreign;
  double dt = 0.05;
  begin((random_scene_kind){320, 3, 30, 3, true});
  random_scene_create(&foreign, (random_scene_kind){321, 3, 40, 3, true}, NULL, NULL);
  (void)run_scene(&foreign, 3, 0, NULL);
  saved other, own;
  own.bytes = save_scene(c.scene, &own.size);
  other.bytes = save_scene(foreign.scene, &other.size);
  const long before = memory.out;
  assert_true(exhaust(restore_one, false, &other) > 5);
  const long out = memory.out;
  random_scene_destroy(&foreign);
  /* The arrays of the store, the tree, the contacts; vertex lists are shared. */
  assert_int_equal(exhaust(restore_one, false, &other), 7);
  assert_int_equal(memory.out, out);
  (void)exhaust(step_once, true, &dt);
  assert_true(exhaust(restore_one, false, &own) > 2);
  (void)exhaust(step_once, true, &dt);
  assert_true(memory.out > before);
  free(own.bytes), free(other.bytes);
  end();
}

/* Saving does not allocate. Seed 330. */
TEST(test_save) {
  begin((random_scene_kind){330, 2, 30, 3, true});
  memory.calls = 0, memory.fail_at = 0;
  assert_true(same_scenes(c.scene, c.scene));
  assert_int_equal(memory.calls, 0);
  end();
}

TEST(test_create) {
  const graze_allocator allocator = failing_allocator(&memory);
  for (long n = 0; n < 2; n++) {
    graze_scene *scene = (graze_scene *)&memory;
    graze_pool *pool = (graze_pool *)&memory;
    memory.calls = memory.out = 0, memory.fail_at = n;
    assert_int_equal(graze_scene_create(NULL, &allocator, &scene, NULL), n == 0 ? GRAZE_OUT_OF_MEMORY : GRAZE_OK);
    assert_true((scene == (graze_scene *)&memory) == (n == 0));
    if (n > 0) graze_scene_destroy(scene);
    assert_int_equal(memory.out, 0);
    memory.calls = 0;
    assert_int_equal(graze_pool_create(3, &allocator, &pool), n == 0 ? GRAZE_OUT_OF_MEMORY : GRAZE_OK);
    assert_true((pool == (graze_pool *)&memory) == (n == 0));
    if (n > 0) graze_pool_destroy(pool);
    assert_int_equal(memory.out, 0);
  }
}
