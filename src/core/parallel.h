/* Loops on the threads of the caller. */
#ifndef GRAZE_CORE_PARALLEL_H
#define GRAZE_CORE_PARALLEL_H

#include <graze/parallel.h>

/* Calls task(data, i) for each i < count. `parallel` is NULL or has no `run`: on the calling thread, in this order. */
static inline void grz_parallel_run(const graze_parallel *parallel, size_t count,
                                    void (*task)(void *data, size_t index), void *data) {
  if (parallel != NULL && parallel->run != NULL && count > 1) {
    parallel->run(parallel->context, count, task, data);
    return;
  }
  for (size_t i = 0; i < count; i++) task(data, i);
}

#endif
