/* The bytes of snapshots: little-endian numbers, and an independent XXH64. */
#ifndef TESTS_SCENE_SNAPSHOT_FORMAT_H
#define TESTS_SCENE_SNAPSHOT_FORMAT_H

#include <graze/build.h>

#include "support/geometry.h"
#include "support/random.h"
#include "support/test.h"

static inline void snapshot_write(unsigned char *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++) at[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t snapshot_get(const unsigned char *at, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) value |= (uint64_t)at[i] << 8 * i;
  return value;
}

/* XXH64 with seed 0: https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md. */
static inline uint64_t snapshot_sum(const unsigned char *at, size_t size) {
  const uint64_t p[] = {0,
                        UINT64_C(0x9e3779b185ebca87),
                        UINT64_C(0xc2b2ae3d27d4eb4f),
                        UINT64_C(0x165667b19e3779f9),
                        UINT64_C(0x85ebca77c2b2ae63),
                        UINT64_C(0x27d4eb2f165667c5)};
  uint64_t part[4] = {p[1] + p[2], p[2], 0, 0 - p[1]}, sum = p[5];
  size_t left = size;
#define ROTATED(x, by) ((x) << (by) | (x) >> (64 - (by)))
#define ROUND(x, word) (ROTATED((x) + (word)*p[2], 31) * p[1])
  for (; left >= 32; at += 32, left -= 32)
    for (int i = 0; i < 4; i++) part[i] = ROUND(part[i], snapshot_get(at + 8 * i, 8));
  if (size >= 32) sum = ROTATED(part[0], 1) + ROTATED(part[1], 7) + ROTATED(part[2], 12) + ROTATED(part[3], 18);
  for (int i = 0; i < 4 && size >= 32; i++) sum = (sum ^ ROUND(UINT64_C(0), part[i])) * p[1] + p[4];
  sum += size;
  for (; left >= 8; at += 8, left -= 8) {
    sum ^= ROUND(UINT64_C(0), snapshot_get(at, 8));
    sum = ROTATED(sum, 27) * p[1] + p[4];
  }
  for (; left >= 4; at += 4, left -= 4) {
    sum ^= snapshot_get(at, 4) * p[1];
    sum = ROTATED(sum, 23) * p[2] + p[3];
  }
  for (; left > 0; at++, left--) {
    sum ^= *at * p[5];
    sum = ROTATED(sum, 11) * p[1];
  }
#undef ROUND
#undef ROTATED
  sum = (sum ^ sum >> 33) * p[2];
  sum = (sum ^ sum >> 29) * p[3];
  return sum ^ sum >> 32;
}

/* A hull of `count` points of a sphere or a circle, large enough for hill climbing. */
static inline void make_round_hull(rng *dice, int dim, size_t count, graze_hull *hull) {
  graze_vec *points = malloc(count * sizeof *points);
  for (size_t i = 0; i < count; i++) {
    const graze_vec p = rng_vec(dice, dim, 1);
    points[i] = scaled(1 / norm(p), p);
  }
  assert_int_equal(graze_hull_create(points, count, dim, NULL, hull, NULL), GRAZE_OK);
  assert_true(hull->vertex_count >= 1024 && hull->adjacency.seed != NULL);
  free(points);
}

/* Writes the checksum of changed bytes. */
static inline void snapshot_seal(unsigned char *bytes, size_t size) {
  snapshot_write(bytes + size - 8, snapshot_sum(bytes, size - 8), 8);
}

#endif
