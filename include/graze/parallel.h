/* Graze: parallel loops for batches and scenes. Use your own job system, or the small thread pool below. */
#ifndef GRAZE_PARALLEL_H
#define GRAZE_PARALLEL_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup threads Threads
 * @{ */

/** A parallel loop. `run` calls task(data, i) once for each i < count, on any threads, and returns after the last call
 * has returned. It is never called from within a task. If `run` is NULL, the calling thread runs all tasks. Results do
 * not depend on the loop. */
typedef struct graze_parallel {
  void (*run)(void *context, size_t count, void (*task)(void *data, size_t index), void *data);
  void *context; /**< passed to `run` */
} graze_parallel;

/** A thread pool. */
typedef struct graze_pool graze_pool;

/** Creates a pool.
 *
 * @param threads    1 to 256, including the thread that calls a loop: threads - 1 are started.
 * @param allocator  NULL: malloc() and free().
 * @return GRAZE_BAD_OPTION for another number of threads, GRAZE_OUT_OF_MEMORY if threads could not be started,
 *         GRAZE_UNSUPPORTED if the library was built without threads. */
GRAZE_API graze_status graze_pool_create(int threads, const graze_allocator *allocator, graze_pool **pool);

/** Destroys a pool whose loops have ended. NULL is allowed. */
GRAZE_API void graze_pool_destroy(graze_pool *pool);

/** Returns the loop of a pool, valid until the pool is destroyed. Several threads may use it for their own scenes and
 * batches; their loops then run one after the other. NULL: a loop on the calling thread. */
GRAZE_API graze_parallel graze_pool_parallel(graze_pool *pool);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
