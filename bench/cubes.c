#define _POSIX_C_SOURCE 199309L
#include "cubes.h"

#include "probe.h"

/* Sebastiano Vigna's SplitMix64, in the public domain. */
static double uniform(uint64_t *state, double low, double high) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return low + (high - low) * ((double)((z ^ z >> 31) >> 11) * 0x1p-53);
}

/* Box and Muller 1958. */
static double normal(uint64_t *state) {
  const double u = uniform(state, 0, 1) + 1e-300, v = uniform(state, 0, 1);
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

bench_cubes bench_cubes_make(size_t count, size_t moving) {
  bench_cubes made = {count, moving, 0.5 * cbrt((double)count / 0.3), NULL, NULL};
  uint64_t state = 777 + count;
  made.cube = probe_allocate(count, sizeof *made.cube);
  made.velocity = probe_allocate(count, sizeof *made.velocity);
  for (size_t i = 0; i < count; i++) {
    bench_cube *c = &made.cube[i];
    double square = 0;
    c->half = uniform(&state, 0.2, 0.6);
    for (int k = 0; k < 3; k++) c->position[k] = uniform(&state, -made.wall, made.wall);
    for (int k = 0; k < 3; k++) made.velocity[i][k] = uniform(&state, -1, 1);
    for (int k = 0; k < 4; k++) c->rotation[k] = normal(&state), square += c->rotation[k] * c->rotation[k];
    for (int k = 0; k < 4; k++) c->rotation[k] /= sqrt(square);
  }
  return made;
}

void bench_cubes_free(bench_cubes *cubes) {
  free(cubes->cube);
  free(cubes->velocity);
}

void bench_cubes_step(bench_cubes *cubes) {
  for (size_t i = 0; i < cubes->moving; i++) {
    for (int k = 0; k < 3; k++) {
      double *v = &cubes->velocity[i][k], *x = &cubes->cube[i].position[k];
      *x += *v / 60;
      if (fabs(*x) > cubes->wall) *v = -copysign(*v, *x);
    }
  }
}
