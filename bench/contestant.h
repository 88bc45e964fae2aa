/* What is measured: Graze, and its peers through adapters of the same form. */
#ifndef GRAZE_BENCH_CONTESTANT_H
#define GRAZE_BENCH_CONTESTANT_H

#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_question {
  BENCH_INTERSECT,
  BENCH_DISTANCE,
  BENCH_DEPTH,
  BENCH_MANIFOLD, /* in 2D: the depth, and where they touch */
  BENCH_CAST,     /* when do they meet first? */
  BENCH_QUESTIONS
} bench_question;

typedef struct bench_contestant {
  const char *name;
  const char *calls[BENCH_QUESTIONS]; /* what is timed for each question; NULL: it is not asked */
  bool (*fits)(const bench_workload *workload);
  void *(*prepare)(const bench_workload *workload); /* shapes and placements: not timed */
  /* Distance and depth: the signed distance, NaN for no answer; of shapes that meet, anything <= 0 will do as a
   * distance. Intersect: the same or, as good, 1 and 0. Depth and manifold: also the unit normal, from A to B. Cast:
   * the time of the first contact in [0, 1] while B moves by its velocity and A is still; HUGE_VAL: none. */
  double (*ask)(void *scene, size_t pair, bench_question question, double normal[3]);
  void (*release)(void *scene);
  bool single; /* computes in floats: judged by BENCH_SINGLE_ERROR, listed apart */
} bench_contestant;

extern const char *const bench_question_names[BENCH_QUESTIONS];
extern const bench_contestant *const bench_contestants[]; /* that are found; NULL ends them */

extern const bench_contestant bench_graze, bench_graze_warm, bench_graze_sat, bench_graze_native;
extern const bench_contestant bench_opengjk, bench_ccd, bench_ccd_mpr, bench_fcl, bench_coal, bench_coal_warm;
extern const bench_contestant bench_mujoco, bench_mujoco_geoms;
extern const bench_contestant bench_bullet_gjk, bench_bullet_epa, bench_bullet_boxes;
extern const bench_contestant bench_bullet_continuous, bench_bullet_subsimplex;
extern const bench_contestant bench_bullet_gjk_single, bench_bullet_boxes_single;
extern const bench_contestant bench_bullet_continuous_single, bench_bullet_subsimplex_single;
extern const bench_contestant bench_box2d, bench_box2d_sat, bench_box2d_toi, bench_chipmunk, bench_ode, bench_parry;

#ifdef __cplusplus
}
#endif

#endif
