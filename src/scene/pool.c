/* A pool of threads for parallel loops.
 *
 * A mutex guards the remaining range of the loop. Threads remove portions from it. The portions become smaller
 * towards the end (guided self-scheduling, Polychronopoulos and Kuck 1987). If a thread wakes too late, the range is
 * empty; the loop does not wait for that thread. */
#include <graze/parallel.h>

#include "core/memory.h"

#if !defined(GRAZE_NO_THREADS) && !defined(__wasm__) && (defined(__unix__) || defined(__APPLE__))
#define POOL_HAS_THREADS 1
#include <pthread.h>
#endif

enum { POOL_LIMIT = 256 };

static void pool_run_serially(size_t count, void (*task)(void *data, size_t index), void *data) {
  for (size_t i = 0; i < count; i++) task(data, i);
}

#ifdef POOL_HAS_THREADS

/* POOL_PORTIONS: the least number of portions for each thread. POOL_STACK: bytes of stack, several times what a
 * query needs (LIMITS.md), because the default of some systems is too small. */
enum { POOL_PORTIONS = 4, POOL_STACK = 4 << 20 };

struct graze_pool {
  graze_allocator allocator;
  size_t threads;       /* running threads, without the caller */
  pthread_mutex_t loop; /* held during a loop, so loops of several callers run one after the other */
  pthread_mutex_t mutex;
  pthread_cond_t begin, end; /* a loop begins; all portions are done */
  void (*task)(void *data, size_t index);
  void *data;
  size_t next, count; /* the remaining range is next … count - 1 */
  size_t busy;        /* threads that run a portion */
  bool closing;
  pthread_t thread[];
};

/* Runs one portion. The caller holds the mutex; it is unlocked while the tasks run. */
static void pool_run_portion(graze_pool *pool) {
  const size_t share = (pool->count - pool->next) / (POOL_PORTIONS * (pool->threads + 1));
  const size_t from = pool->next, to = from + (share > 0 ? share : 1);
  pool->next = to;
  pool->busy++;
  pthread_mutex_unlock(&pool->mutex);
  for (size_t i = from; i < to; i++) pool->task(pool->data, i);
  pthread_mutex_lock(&pool->mutex);
  pool->busy--;
}

static void *pool_thread(void *context) {
  graze_pool *pool = context;
  pthread_mutex_lock(&pool->mutex);
  while (!pool->closing) {
    if (pool->next < pool->count) {
      pool_run_portion(pool);
      if (pool->next == pool->count && pool->busy == 0) pthread_cond_signal(&pool->end);
    } else {
      pthread_cond_wait(&pool->begin, &pool->mutex);
    }
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

static void pool_run(void *context, size_t count, void (*task)(void *data, size_t index), void *data) {
  graze_pool *pool = context;
  if (pool == NULL) {
    pool_run_serially(count, task, data);
    return;
  }
  pthread_mutex_lock(&pool->loop);
  pthread_mutex_lock(&pool->mutex);
  pool->task = task, pool->data = data;
  pool->next = 0, pool->count = count;
  pthread_cond_broadcast(&pool->begin);
  while (pool->next < pool->count) pool_run_portion(pool);
  while (pool->busy > 0) pthread_cond_wait(&pool->end, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
  pthread_mutex_unlock(&pool->loop);
}

/* Initialises all four, or none. */
static bool pool_init(graze_pool *pool) {
  const bool loop = pthread_mutex_init(&pool->loop, NULL) == 0;
  const bool mutex = loop && pthread_mutex_init(&pool->mutex, NULL) == 0;
  const bool begin = mutex && pthread_cond_init(&pool->begin, NULL) == 0;
  const bool end = begin && pthread_cond_init(&pool->end, NULL) == 0;
  if (end) return true;
  if (begin) pthread_cond_destroy(&pool->begin);
  if (mutex) pthread_mutex_destroy(&pool->mutex);
  if (loop) pthread_mutex_destroy(&pool->loop);
  return false;
}

/* Starts as many threads as the system allows. */
static void pool_start(graze_pool *pool, size_t threads) {
  pthread_attr_t options;
  size_t started = 0;
  if (pthread_attr_init(&options) != 0) return;
  if (pthread_attr_setstacksize(&options, POOL_STACK) == 0)
    while (started < threads && pthread_create(&pool->thread[started], &options, pool_thread, pool) == 0) started++;
  pthread_attr_destroy(&options);
  pthread_mutex_lock(&pool->mutex);
  pool->threads = started;
  pthread_mutex_unlock(&pool->mutex);
}

graze_status graze_pool_create(int threads, const graze_allocator *allocator, graze_pool **pool) {
  const graze_allocator from = grz_allocator(allocator);
  const size_t others = (size_t)threads - 1;
  if (threads < 1 || threads > POOL_LIMIT) return GRAZE_BAD_OPTION;
  graze_pool *made = grz_allocate(&from, 1, sizeof *made + others * sizeof made->thread[0]);
  if (made == NULL) return GRAZE_OUT_OF_MEMORY;
  *made = (graze_pool){.allocator = from};
  if (!pool_init(made)) {
    grz_release(&from, made);
    return GRAZE_OUT_OF_MEMORY;
  }
  pool_start(made, others);
  if (made->threads < others) {
    graze_pool_destroy(made);
    return GRAZE_OUT_OF_MEMORY;
  }
  *pool = made;
  return GRAZE_OK;
}

void graze_pool_destroy(graze_pool *pool) {
  if (pool == NULL) return;
  pthread_mutex_lock(&pool->mutex);
  pool->closing = true;
  pthread_cond_broadcast(&pool->begin);
  pthread_mutex_unlock(&pool->mutex);
  for (size_t i = 0; i < pool->threads; i++) pthread_join(pool->thread[i], NULL);
  pthread_cond_destroy(&pool->end);
  pthread_cond_destroy(&pool->begin);
  pthread_mutex_destroy(&pool->mutex);
  pthread_mutex_destroy(&pool->loop);
  const graze_allocator allocator = pool->allocator;
  grz_release(&allocator, pool);
}

#else

struct graze_pool {
  graze_allocator allocator;
};

static void pool_run(void *context, size_t count, void (*task)(void *data, size_t index), void *data) {
  (void)context;
  pool_run_serially(count, task, data);
}

graze_status graze_pool_create(int threads, const graze_allocator *allocator, graze_pool **pool) {
  const graze_allocator from = grz_allocator(allocator);
  if (threads < 1 || threads > POOL_LIMIT) return GRAZE_BAD_OPTION;
  if (threads > 1) return GRAZE_UNSUPPORTED;
  graze_pool *made = grz_allocate(&from, 1, sizeof *made);
  if (made == NULL) return GRAZE_OUT_OF_MEMORY;
  *made = (graze_pool){from};
  *pool = made;
  return GRAZE_OK;
}

void graze_pool_destroy(graze_pool *pool) {
  if (pool == NULL) return;
  const graze_allocator allocator = pool->allocator;
  grz_release(&allocator, pool);
}

#endif

graze_parallel graze_pool_parallel(graze_pool *pool) { return (graze_parallel){pool_run, pool}; }
