/* Random scenes that step, and hashes of all that a step returns. */
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

/* What a party is like. */
typedef struct party_kind {
  uint64_t seed;
  int dim, count;
  double spread;
  bool plain;
} party_kind;

/* A scene with a floor and `count` bodies within `spread` of the origin. `parallel` and `allocator` may be NULL. */
void party_make(party *c, party_kind kind, const graze_parallel *parallel, const graze_allocator *allocator);
void party_destroy(party *c);

/* Adds a random body, the vertices of at most PARTY_MOST of which exist at a time; returns its id. */
graze_body party_add(party *c);

/* The snapshot, by malloc(). */
unsigned char *party_save(const graze_scene *scene, size_t *size);

/* Are the snapshots of both the same? */
bool party_same(const graze_scene *p, const graze_scene *q);

/* What happened in a run. */
typedef struct party_tally {
  size_t begun, ended, responses, stalled;
} party_tally;

/* Steps by 0.05, and goes on with a hash of all that came of it. `tally` may be NULL. */
uint64_t party_run(party *c, int steps, uint64_t hash, party_tally *tally);

/* Goes on with a hash: of all that a step said, bit by bit, and of the snapshot. */
uint64_t party_hash_step(uint64_t hash, const graze_step *step);
uint64_t party_hash_scene(uint64_t hash, const graze_scene *scene);

#endif
