/* Random scenes that step, and hashes of all results of a step. */
#ifndef TESTS_SCENE_RANDOM_SCENE_H
#define TESTS_SCENE_RANDOM_SCENE_H

#include <graze/scene.h>

#include "scene/random_bodies.h"

enum { RANDOM_SCENE_MOST = 256 };

typedef struct random_scene {
  rng dice;
  int dim;
  body_kind bodies;
  graze_scene *scene;
} random_scene;

/* The kind of a random scene. */
typedef struct random_scene_kind {
  uint64_t seed;
  int dim, count;
  double spread;
  bool plain;
} random_scene_kind;

/* Creates a scene with a floor and `count` bodies within `spread` of the origin. `parallel` and `allocator` may be
 * NULL. */
void random_scene_create(random_scene *c, random_scene_kind kind, const graze_parallel *parallel,
                         const graze_allocator *allocator);
void random_scene_destroy(random_scene *c);

/* Adds a random body. Its vertices are overwritten afterwards, since the scene has copied them. */
graze_body random_scene_add(random_scene *c);

/* Returns a snapshot in memory of malloc(). */
unsigned char *save_scene(const graze_scene *scene, size_t *size);

/* Returns whether the snapshots of both are equal. */
bool same_scenes(const graze_scene *p, const graze_scene *q);

/* The sums of a run. */
typedef struct random_scene_tally {
  size_t begun, ended, responses, stalled;
} random_scene_tally;

/* Runs steps of 0.05, and updates a hash of all results. `tally` may be NULL. */
uint64_t run_scene(random_scene *c, int steps, uint64_t hash, random_scene_tally *tally);

/* Update a hash with all results of a step, bit by bit, and with a snapshot. */
uint64_t hash_step(uint64_t hash, const graze_step *step);
uint64_t hash_scene(uint64_t hash, const graze_scene *scene);

#endif
