#include "worlds.h"

#include "support/geometry.h"

const char *const world_name[WORLD_KINDS] = {
    "uniform",  "clustered", "mixed", "equal", "line",   "plane",   "distant",
    "two ends", "infinite",  "huge",  "tiny",  "points", "lattice", "stray",
};

int world_dim(int kind) { return kind == WORLD_PLANE ? 2 : 3; }

static graze_aabb around(graze_vec at, graze_vec half) { return (graze_aabb){sub(at, half), add(at, half)}; }

/* A box with half edges up to 1. */
static graze_aabb ordinary(uint64_t *state, double spread) {
  const graze_vec at = rng_vec(state, 3, spread), half = rng_vec(state, 3, 0.5);
  return around(at, add(half, vec(0.5, 0.5, 0.5)));
}

static graze_aabb times(graze_aabb box, double by) { return (graze_aabb){scaled(by, box.min), scaled(by, box.max)}; }

static graze_aabb shifted(graze_aabb box, graze_vec by) { return (graze_aabb){add(box.min, by), add(box.max, by)}; }

static graze_aabb mixed(uint64_t *state, double spread) {
  const double half = pow(1000, rng_uniform(state, 0, 1)) / 2;
  return around(rng_vec(state, 3, 100 * spread), vec(half, half, half));
}

static graze_aabb clustered(uint64_t *state, double spread) {
  const int cluster = (int)rng_uniform(state, 0, 7);
  return shifted(ordinary(state, spread / 2), scaled(1000 * spread, vec(cluster, cluster * 3 % 7, cluster * 5 % 7)));
}

static graze_aabb infinite(uint64_t *state, double spread) {
  graze_aabb box = ordinary(state, spread);
  double chance = rng_uniform(state, 0, 1000), infinity = HUGE_VAL;
  if (chance < 2) return (graze_aabb){{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
  if (chance < 6) return (graze_aabb){{-infinity, -infinity, -infinity}, {infinity, box.max.y, infinity}};
  if (chance < 8) box.max.z = infinity;
  return box;
}

static graze_aabb lattice(uint64_t *state, double spread) {
  const graze_vec at = rng_vec(state, 3, spread), low = vec(floor(at.x), floor(at.y), floor(at.z));
  return (graze_aabb){low, add(low, vec(1, 1, 1))};
}

graze_aabb world_box(int kind, uint64_t *state, size_t count) {
  double spread = cbrt((double)count), at = rng_uniform(state, -1, 1);
  graze_aabb box = ordinary(state, spread);
  switch (kind) {
  case WORLD_CLUSTERED: return clustered(state, spread);
  case WORLD_MIXED: return mixed(state, spread);
  case WORLD_EQUAL: return (graze_aabb){{1, 2, 3}, {1.5, 2.5, 3.5}};
  case WORLD_LINE: return around(vec(at * (double)count, 0.1, 0), vec(0.5, 0, 0));
  case WORLD_PLANE:
    box = ordinary(state, sqrt((double)count));
    box.min.z = box.max.z = 0;
    return box;
  case WORLD_DISTANT: return shifted(box, vec(1e9, 1e9, 1e9));
  case WORLD_TWO_ENDS: return shifted(box, scaled(at < 0 ? -1e9 : 1e9, vec(1, 1, 1)));
  case WORLD_INFINITE: return infinite(state, spread);
  case WORLD_HUGE: return times(box, 1e40 / (spread + 1));
  case WORLD_TINY: return times(box, at < -0.5 ? 1e-320 : at < 0.9 ? 1e-300 : 1);
  case WORLD_POINTS: return around(vec(floor(box.min.x / 4), floor(box.min.y), 0.3), vec(0, 0, 0));
  case WORLD_LATTICE: return lattice(state, spread);
  case WORLD_STRAY: return at < 0.999 ? box : times(box, at < 0.9995 ? 1e38 : 1e30);
  default: return box;
  }
}
