/* Graze: a parallel loop, the caller's or a small pool of threads. Included by what uses one: scene.h and batch.h. */
#ifndef GRAZE_PARALLEL_H
#define GRAZE_PARALLEL_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup threads Threads
 * @{ */

/** A parallel loop of the caller's: calls task(data, i) once for every i < count, on any threads, and returns when all
 * calls have. It is never called from within a task. `run` NULL: a loop on the caller's thread. */
typedef struct graze_parallel {
  void (*run)(void *context, size_t count, void (*task)(void *data, size_t index), void *data);
  void *context;
} graze_parallel;

/** A small pool of threads, for those who have none. */
typedef struct graze_pool graze_pool;

/** Starts threads - 1 of them, 1 <= threads <= 256: the caller of a loop works, too. GRAZE_BAD_OPTION: not so many;
 * GRAZE_OUT_OF_MEMORY: they could not be started; GRAZE_UNSUPPORTED: this build has no threads. */
GRAZE_API graze_status graze_pool_create(int threads, const graze_allocator *allocator, graze_pool **pool);

/** NULL is allowed. No loop may be running. */
GRAZE_API void graze_pool_destroy(graze_pool *pool);

/** The pool as a parallel loop, until it is destroyed. Scenes and batches on several threads may share it: their loops
 * wait for each other. NULL: a loop on the caller's thread alone. */
GRAZE_API graze_parallel graze_pool_parallel(graze_pool *pool);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
