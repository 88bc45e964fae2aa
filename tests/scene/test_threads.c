/* Threads: a pool calls every task once, and a scene computes the same bits on any number of threads, or in a loop
 * of the caller, in any order. Each test states its seeds. */

#include "support/test.h"

#include <pthread.h>
#include <sys/resource.h>

#include "scene/random_scene.h"

/* ---- The pool */

enum { TASKS = 5000 };
static int counted[TASKS];

static void count_task(void *data, size_t index) { ((int *)data)[index]++; }

TEST(test_pool) {
  graze_pool *pool = (graze_pool *)counted;
  assert_int_equal(graze_pool_create(0, NULL, &pool), GRAZE_BAD_OPTION);
  assert_int_equal(graze_pool_create(-1, NULL, &pool), GRAZE_BAD_OPTION);
  assert_int_equal(graze_pool_create(257, NULL, &pool), GRAZE_BAD_OPTION);
  assert_ptr_equal(pool, counted);
  graze_pool_destroy(NULL);
  static const int threads[] = {1, 2, 3, 8, 256};
  static const size_t counts[] = {0, 1, 2, 3, 7, 64, 1000, TASKS};
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    assert_int_equal(graze_pool_create(threads[i], NULL, &pool), GRAZE_OK);
    const graze_parallel parallel = graze_pool_parallel(pool);
    const int loops = tiered(30, 60, 3000);
    for (int k = 0; k < loops; k++) {
      const size_t count = counts[(size_t)k % (sizeof counts / sizeof *counts)];
      memset(counted, 0, sizeof counted);
      parallel.run(parallel.context, count, count_task, counted);
      for (size_t t = 0; t < TASKS; t++) assert_int_equal(counted[t], t < count);
    }
    graze_pool_destroy(pool);
    assert_int_equal(graze_pool_create(threads[i], NULL, &pool), GRAZE_OK);
    graze_pool_destroy(pool); /* before a thread woke up */
  }
}

/* One pool for two loops at a time. Fixed: the second loop replaced the first one, whose tasks were lost. */
typedef struct sharer {
  graze_parallel parallel;
  int loops, wrong;
  int counted[64];
} sharer;

static void *share(void *data) {
  sharer *s = data;
  for (int k = 0; k < s->loops; k++) {
    memset(s->counted, 0, sizeof s->counted);
    s->parallel.run(s->parallel.context, 64, count_task, s->counted);
    for (int t = 0; t < 64; t++) s->wrong += s->counted[t] != 1;
  }
  return NULL;
}

TEST(test_shared_pool) {
  static sharer s[3];
  pthread_t thread[3];
  graze_pool *pool;
  assert_int_equal(graze_pool_create(3, NULL, &pool), GRAZE_OK);
  for (int i = 0; i < 3; i++) {
    s[i] = (sharer){.parallel = graze_pool_parallel(pool), .loops = tiered(2000, 4000, 200000)};
    assert_int_equal(pthread_create(&thread[i], NULL, share, &s[i]), 0);
  }
  for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
  for (int i = 0; i < 3; i++) assert_int_equal(s[i].wrong, 0);
  graze_pool_destroy(pool);
}

/* No pool: in order, on the thread of the caller. */
static void record_order(void *data, size_t index) {
  int *order = data;
  order[order[0]++ + 1] = (int)index;
}

TEST(test_no_pool) {
  int order[6] = {0};
  const graze_parallel alone = graze_pool_parallel(NULL);
  alone.run(alone.context, 5, record_order, order);
  for (int i = 0; i < 5; i++) assert_int_equal(order[i + 1], i);
}

/* Sanitizers need more than any limit. */
#if defined(__has_feature)
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS_FEATURE(address_sanitizer) ||                 \
    HAS_FEATURE(thread_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* Not all threads can be started: none is left running. */
TEST(test_thread_limit) {
  failing_memory memory = {.fail_at = 100};
  const graze_allocator allocator = failing_allocator(&memory);
  graze_pool *pool = (graze_pool *)counted;
  struct rlimit limit;
  if (SANITIZED) skip();
  assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
  const struct rlimit low = {300 << 20, limit.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
  const graze_status status = graze_pool_create(256, &allocator, &pool);
  assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
  assert_int_equal(status, GRAZE_OUT_OF_MEMORY);
  assert_true(pool == (graze_pool *)counted && memory.calls == 1 && memory.out == 0);
  assert_int_equal(graze_pool_create(256, &allocator, &pool), GRAZE_OK);
  graze_pool_destroy(pool);
  assert_int_equal(memory.out, 0);
}

/* ---- Scenes */

static void run_backwards(void *context, size_t count, void (*task)(void *data, size_t index), void *data) {
  ++*(size_t *)context;
  for (size_t i = count; i-- > 0;) task(data, i);
}

/* The odd indices, then the even ones. */
static void run_in_turns(void *context, size_t count, void (*task)(void *data, size_t index), void *data) {
  ++*(size_t *)context;
  for (size_t i = 1; i < count; i += 2) task(data, i);
  for (size_t i = 0; i < count; i += 2) task(data, i);
}

static uint64_t run_kind(random_scene_kind kind, const graze_parallel *parallel, random_scene_tally *tally) {
  static random_scene c;
  random_scene_create(&c, kind, parallel, NULL);
  uint64_t hash = 0;
  for (int i = 0; i < 4; i++) {
    hash = run_scene(&c, 3, hash, tally);
    const graze_body gone = graze_scene_next(c.scene, (graze_body){(uint32_t)rng_below(&c.dice, 50), 1});
    if (gone.generation != 0) assert_int_equal(graze_scene_remove(c.scene, gone), GRAZE_OK);
    (void)random_scene_add(&c);
  }
  random_scene_destroy(&c);
  return hash;
}

/* Seeds 200 … */
TEST(test_scenes) {
  static const int threads[] = {2, 3, 8};
  graze_pool *pool[3];
  size_t calls = 0;
  graze_parallel loops[5] = {[3] = {run_backwards, &calls}, [4] = {run_in_turns, &calls}};
  random_scene_tally tally = {0, 0, 0, 0};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(graze_pool_create(threads[i], NULL, &pool[i]), GRAZE_OK);
    loops[i] = graze_pool_parallel(pool[i]);
  }
  const int rounds = tiered(1, 2, 50);
  for (int round = 0; round < rounds; round++) {
    for (int dim = 2; dim <= 3; dim++) {
      const random_scene_kind kind = {200 + (uint64_t)round, dim, 150, dim == 2 ? 12 : 5, false};
      const uint64_t truth = run_kind(kind, NULL, &tally);
      for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) assert_true(run_kind(kind, &loops[i], NULL) == truth);
    }
  }
  assert_true(tally.begun > 50 && tally.ended > 50 && tally.responses > 50 && tally.stalled > 0 && calls > 0);
  for (size_t i = 0; i < 3; i++) graze_pool_destroy(pool[i]);
}
