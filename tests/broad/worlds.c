#include "worlds.h"

#include <math.h>

const char *const world_name[WORLD_KINDS] = {
    "uniform", "clustered", "mixed", "equal", "line",   "plane",   "far",
    "apart",   "infinite",  "huge",  "tiny",  "points", "lattice", "stray",
};

int world_dim(int kind) { return kind == WORLD_PLANE ? 2 : 3; }

bool world_meet(const graze_aabb *p, const graze_aabb *q) {
  return p->min.x <= q->max.x && q->min.x <= p->max.x && p->min.y <= q->max.y && q->min.y <= p->max.y &&
         p->min.z <= q->max.z && q->min.z <= p->max.z;
}

static graze_vec anywhere(uint64_t *state, double spread) {
  double x = rng_uniform(state, -spread, spread), y = rng_uniform(state, -spread, spread);
  return (graze_vec){x, y, rng_uniform(state, -spread, spread)};
}

static graze_aabb around(graze_vec at, graze_vec half) {
  return (graze_aabb){{at.x - half.x, at.y - half.y, at.z - half.z}, {at.x + half.x, at.y + half.y, at.z + half.z}};
}

/* Half edges up to 1. */
static graze_aabb ordinary(uint64_t *state, double spread) {
  graze_vec at = anywhere(state, spread), half = anywhere(state, 0.5);
  return around(at, (graze_vec){half.x + 0.5, half.y + 0.5, half.z + 0.5});
}

static graze_aabb scaled(graze_aabb box, double by) {
  return (graze_aabb){{box.min.x * by, box.min.y * by, box.min.z * by},
                      {box.max.x * by, box.max.y * by, box.max.z * by}};
}

static graze_aabb shifted(graze_aabb box, double by) {
  return (graze_aabb){{box.min.x + by, box.min.y + by, box.min.z + by},
                      {box.max.x + by, box.max.y + by, box.max.z + by}};
}

static graze_aabb mixed(uint64_t *state, double spread) {
  double half = pow(1000, rng_uniform(state, 0, 1)) / 2;
  return around(anywhere(state, 100 * spread), (graze_vec){half, half, half});
}

static graze_aabb clustered(uint64_t *state, double spread) {
  int cluster = (int)rng_uniform(state, 0, 7);
  graze_vec at = {1000 * spread * cluster, 1000 * spread * (cluster * 3 % 7), 1000 * spread * (cluster * 5 % 7)};
  graze_aabb box = ordinary(state, spread / 2);
  box.min = (graze_vec){at.x + box.min.x, at.y + box.min.y, at.z + box.min.z};
  box.max = (graze_vec){at.x + box.max.x, at.y + box.max.y, at.z + box.max.z};
  return box;
}

static graze_aabb infinite(uint64_t *state, double spread) {
  graze_aabb box = ordinary(state, spread);
  double chance = rng_uniform(state, 0, 1000), endless = HUGE_VAL;
  if (chance < 2) return (graze_aabb){{-endless, -endless, -endless}, {endless, endless, endless}};
  if (chance < 6) return (graze_aabb){{-endless, -endless, -endless}, {endless, box.max.y, endless}};
  if (chance < 8) box.max.z = endless;
  return box;
}

static graze_aabb lattice(uint64_t *state, double spread) {
  graze_vec at = anywhere(state, spread);
  at = (graze_vec){floor(at.x), floor(at.y), floor(at.z)};
  return (graze_aabb){at, {at.x + 1, at.y + 1, at.z + 1}};
}

graze_aabb world_box(int kind, uint64_t *state, size_t count) {
  double spread = cbrt((double)count), at = rng_uniform(state, -1, 1);
  graze_aabb box = ordinary(state, spread);
  switch (kind) {
  case WORLD_CLUSTERED: return clustered(state, spread);
  case WORLD_MIXED: return mixed(state, spread);
  case WORLD_EQUAL: return (graze_aabb){{1, 2, 3}, {1.5, 2.5, 3.5}};
  case WORLD_LINE: return around((graze_vec){at * (double)count, 0.1, 0}, (graze_vec){0.5, 0, 0});
  case WORLD_PLANE:
    box = ordinary(state, sqrt((double)count));
    box.min.z = box.max.z = 0;
    return box;
  case WORLD_FAR: return shifted(box, 1e9);
  case WORLD_APART: return shifted(box, at < 0 ? -1e9 : 1e9);
  case WORLD_INFINITE: return infinite(state, spread);
  case WORLD_HUGE: return scaled(box, 1e40 / (spread + 1));
  case WORLD_TINY: return scaled(box, at < -0.5 ? 1e-320 : at < 0.9 ? 1e-300 : 1);
  case WORLD_POINTS: return around((graze_vec){floor(box.min.x / 4), floor(box.min.y), 0.3}, (graze_vec){0, 0, 0});
  case WORLD_LATTICE: return lattice(state, spread);
  case WORLD_STRAY: return at < 0.999 ? box : scaled(box, at < 0.9995 ? 1e38 : 1e30);
  default: return box;
  }
}

void world_fill(int kind, uint64_t *state, graze_aabb *box, size_t count) {
  for (size_t i = 0; i < count; i++) box[i] = world_box(kind, state, count);
}
