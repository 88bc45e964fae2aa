/* The contestants. Graze is first: the others are compared with it. */
#include "contestant.h"

#include <stddef.h>

const char *const bench_query_names[BENCH_QUERIES] = {"intersect", "distance", "depth", "manifold", "cast"};

const bench_contestant *const bench_contestants[] = {
    &bench_graze,
    &bench_graze_warm,
    &bench_graze_sat,
#ifdef BENCH_NATIVE
    &bench_graze_native,
#endif
#ifdef BENCH_OPENGJK
    &bench_opengjk,
#endif
#ifdef BENCH_CCD
    &bench_ccd,
    &bench_ccd_mpr,
#endif
#ifdef BENCH_FCL
    &bench_fcl,
#endif
#ifdef BENCH_COAL
    &bench_coal,
    &bench_coal_warm,
#endif
#ifdef BENCH_BULLET
    &bench_bullet_gjk,
    &bench_bullet_epa,
    &bench_bullet_boxes,
    &bench_bullet_continuous,
    &bench_bullet_subsimplex,
#endif
#ifdef BENCH_BULLET_SINGLE
    &bench_bullet_gjk_single,
    &bench_bullet_boxes_single,
    &bench_bullet_continuous_single,
    &bench_bullet_subsimplex_single,
#endif
#ifdef BENCH_BOX2D
    &bench_box2d,
    &bench_box2d_sat,
    &bench_box2d_toi,
#endif
#ifdef BENCH_CHIPMUNK
    &bench_chipmunk,
#endif
#ifdef BENCH_ODE
    &bench_ode,
#endif
#ifdef BENCH_PARRY
    &bench_parry,
#endif
#ifdef BENCH_JOLT
    &bench_jolt,
#endif
#ifdef BENCH_MUJOCO_GEOMS
    &bench_mujoco_geoms,
#endif
#ifdef BENCH_MUJOCO
    &bench_mujoco,
#endif
    NULL,
};
