/* Random scenes that step, and hashes of all results of a step. */
#ifndef TESTS_SCENE_PARTY_H
#define TESTS_SCENE_PARTY_H

#include <graze/scene.h>

#include "scene/bodies.h"

enum { PARTY_MOST = 256 };

typedef struct party {
  rng dice;
  int dim, added;
  body_kind bodies;
  graze_vec room[PARTY_MOST][8];
  graze_scene *scene;
} party;

/* The kind of a random scene. */
typedef struct party_kind {
  uint64_t seed;
  int dim, count;
  double spread;
  bool plain;
} party_kind;

/* Creates a scene with a floor and `count` bodies within `spread` of the origin. `parallel` and `allocator` may be
 * NULL. */
void party_make(party *c, party_kind kind, const graze_parallel *parallel, const graze_allocator *allocator);
void party_destroy(party *c);

/* Adds a random body. Its vertices are overwritten afterwards, since the scene has copied them. */
graze_body party_add(party *c);

/* Returns a snapshot in memory of malloc(). */
unsigned char *party_save(const graze_scene *scene, size_t *size);

/* Returns whether the snapshots of both are equal. */
bool party_same(const graze_scene *p, const graze_scene *q);

/* The sums of a run. */
typedef struct party_tally {
  size_t begun, ended, responses, stalled;
} party_tally;

/* Runs steps of 0.05, and updates a hash of all results. `tally` may be NULL. */
uint64_t party_run(party *c, int steps, uint64_t hash, party_tally *tally);

/* Update a hash with all results of a step, bit by bit, and with a snapshot. */
uint64_t party_hash_step(uint64_t hash, const graze_step *step);
uint64_t party_hash_scene(uint64_t hash, const graze_scene *scene);

#endif
