/* What is measured: Graze, and its peers through adapters of the same form. */
#ifndef GRAZE_BENCH_CONTESTANT_H
#define GRAZE_BENCH_CONTESTANT_H

#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_question { BENCH_INTERSECT, BENCH_DISTANCE, BENCH_DEPTH, BENCH_QUESTIONS } bench_question;

typedef struct bench_contestant {
  const char *name;
  const char *calls[BENCH_QUESTIONS]; /* what is timed for each question; NULL: it is not asked */
  bool (*fits)(const bench_workload *workload);
  void *(*prepare)(const bench_workload *workload); /* shapes and placements: not timed */
  /* Distance and depth: the signed distance, NaN for no answer; of shapes that meet, anything <= 0 will do as a
   * distance. Intersect: the same or, as good, 1 and 0. Depth: also the unit normal, from A to B. */
  double (*ask)(void *scene, size_t pair, bench_question question, double normal[3]);
  void (*release)(void *scene);
} bench_contestant;

extern const bench_contestant bench_graze, bench_graze_warm, bench_graze_sat;
extern const bench_contestant bench_opengjk, bench_ccd, bench_ccd_mpr, bench_fcl, bench_coal, bench_mujoco;
extern const bench_contestant bench_bullet_gjk, bench_bullet_epa, bench_bullet_boxes;

#ifdef __cplusplus
}
#endif

#endif
