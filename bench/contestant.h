/* The interface of contestants: Graze and its peers. */
#ifndef GRAZE_BENCH_CONTESTANT_H
#define GRAZE_BENCH_CONTESTANT_H

#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_query {
  BENCH_INTERSECT,
  BENCH_DISTANCE,
  BENCH_DEPTH,
  BENCH_MANIFOLD, /* in 2D: the depth and the contact points */
  BENCH_CAST,     /* the time of the first contact */
  BENCH_QUERIES
} bench_query;

typedef struct bench_contestant {
  const char *name;
  const char *calls[BENCH_QUERIES]; /* the timed call of each query; NULL: not supported */
  bool (*fits)(const bench_workload *workload);
  void *(*prepare)(const bench_workload *workload); /* creates shapes and poses; not timed */
  /* Distance and depth: the signed distance, NaN for no answer. For shapes that intersect, any distance <= 0 is
   * accepted. Intersect: the signed distance, or 1 and 0. Depth and manifold: also the unit normal from A to B. Cast:
   * the time of the first contact in [0, 1] while B moves with its velocity and A is at rest; HUGE_VAL: none. */
  double (*query)(void *scene, size_t pair, bench_query query, double normal[3]);
  void (*release)(void *scene);
  bool single; /* computes in floats: allowed BENCH_SINGLE_ERROR, listed separately */
} bench_contestant;

extern const char *const bench_query_names[BENCH_QUERIES];
extern const bench_contestant *const bench_contestants[]; /* those that were found; ends with NULL */

extern const bench_contestant bench_graze, bench_graze_warm, bench_graze_sat, bench_graze_native;
extern const bench_contestant bench_opengjk, bench_ccd, bench_ccd_mpr, bench_fcl, bench_coal, bench_coal_warm;
extern const bench_contestant bench_mujoco, bench_mujoco_geoms;
extern const bench_contestant bench_bullet_gjk, bench_bullet_epa, bench_bullet_boxes;
extern const bench_contestant bench_bullet_continuous, bench_bullet_subsimplex;
extern const bench_contestant bench_bullet_gjk_single, bench_bullet_boxes_single;
extern const bench_contestant bench_bullet_continuous_single, bench_bullet_subsimplex_single;
extern const bench_contestant bench_box2d, bench_box2d_sat, bench_box2d_toi, bench_chipmunk, bench_ode, bench_parry;
extern const bench_contestant bench_jolt;

#ifdef __cplusplus
}
#endif

#endif
