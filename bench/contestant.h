/* What is measured: Graze, and its peers through adapters of the same form. */
#ifndef GRAZE_BENCH_CONTESTANT_H
#define GRAZE_BENCH_CONTESTANT_H

#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_question { BENCH_INTERSECT, BENCH_DISTANCE } bench_question;

typedef struct bench_contestant {
  const char *name;
  bool (*fits)(const bench_workload *workload, bench_question question);
  void *(*prepare)(const bench_workload *workload); /* shapes and placements: not timed */
  /* Distance: the distance, <= 0 where the shapes meet. Intersect: the same or, as good, 1 and 0. */
  double (*ask)(void *scene, size_t pair, bench_question question);
  void (*release)(void *scene);
} bench_contestant;

extern const bench_contestant bench_graze, bench_graze_warm;
extern const bench_contestant bench_ccd, bench_ccd_mpr, bench_opengjk, bench_fcl, bench_bullet_gjk, bench_bullet_boxes;

#ifdef __cplusplus
}
#endif

#endif
