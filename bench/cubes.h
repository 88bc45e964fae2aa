/* Moving cubes, and the interface of programs that find their colliding pairs. */
#ifndef GRAZE_BENCH_CUBES_H
#define GRAZE_BENCH_CUBES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_cube {
  double half;                     /* of its edge */
  double position[3], rotation[4]; /* x, y, z, w */
} bench_cube;

/* Half edges 0.2 to 0.6, random rotations, 0.3 cubes per unit of volume; cubes reverse at the walls. */
typedef struct bench_cubes {
  size_t count, moving; /* the first `moving` cubes move, the others are static */
  double wall;
  bench_cube *cube;
  double (*velocity)[3];
} bench_cubes;

bench_cubes bench_cubes_make(size_t count, size_t moving);
void bench_cubes_free(bench_cubes *cubes);

/* Advances by 1/60. */
void bench_cubes_step(bench_cubes *cubes);

/* Counts the colliding pairs of which at least one cube moves. */
typedef struct bench_finder {
  const char *name;
  size_t max_cubes;
  void *(*make)(const bench_cubes *cubes, int threads);
  void (*update)(void *self, const bench_cubes *cubes); /* sets the poses of the moving cubes */
  size_t (*find)(void *self);
  void (*release)(void *self);
} bench_finder;

extern const bench_finder bench_find_graze, bench_find_graze_native, bench_find_grid;
extern const bench_finder bench_find_bullet, bench_find_fcl, bench_find_fcl_array, bench_find_ode_sap,
    bench_find_ode_hash;
extern const bench_finder bench_find_mujoco;

#ifdef __cplusplus
}
#endif

#endif
