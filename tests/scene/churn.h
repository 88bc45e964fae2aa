/* Scenes in which bodies are added and removed, and a plain list of their expected state by slot. The list shares
 * only the ids with the scene. */
#ifndef TESTS_SCENE_CHURN_H
#define TESTS_SCENE_CHURN_H

#include <graze/scene.h>

#include "scene/random_bodies.h"

enum { CHURN_SLOTS = 64, CHURN_STALE = 4096, CHURN_VERTICES = 8 };

typedef struct churn_kind {
  const char *name;
  uint64_t seed;
  int dim, most; /* the largest number of bodies */
  double spread; /* positions are within this of the origin */
  bool responds; /* contacts change motions */
  bool plain;    /* only shapes that snapshots contain */
  int threads;   /* 1, or the size of a pool */
} churn_kind;

/* The expected state. Vertices stand beside the definitions, whose pointers are NULL. */
typedef struct churn_list {
  bool there[CHURN_SLOTS], met[CHURN_SLOTS][CHURN_SLOTS]; /* met: low, high */
  graze_body body[CHURN_SLOTS];                           /* of a free slot: the last body */
  graze_body_def def[CHURN_SLOTS];
  graze_vec vertices[CHURN_SLOTS][CHURN_VERTICES];
  size_t slots, count, spent; /* spent: slots without generations left */
} churn_list;

typedef struct churn_tally {
  size_t rounds, added, removed, changed, moved, queries, restored, remade, impossible, bad, rejected;
  size_t begun, stayed, ended, responses;
  size_t pairs, in_contact, compared; /* of bodies, after each step; compared: with graze_cast() */
} churn_tally;

typedef struct churn {
  churn_kind kind;
  rng dice;
  failing_memory memory;
  graze_pool *pool;
  graze_scene *scene;
  churn_list now, kept; /* kept: at the time of the snapshot */
  unsigned char *bytes; /* the snapshot; NULL: none */
  size_t size;
  graze_body stale[CHURN_STALE]; /* a ring of ids of removed bodies */
  size_t stale_count;
  body_kind bodies;
  int target; /* the wanted number of bodies, for a while */
  churn_tally tally;
} churn;

void churn_begin(churn *c, churn_kind kind);

/* Frees everything. */
void churn_end(churn *c);

/* An empty scene with the memory and the threads of this one. */
graze_scene *churn_scene(churn *c);

/* A random used slot. Precondition: there is one. */
size_t churn_any_slot(churn *c);

/* Returns whether the list contains this id. */
bool churn_is_live(const churn *c, graze_body body);

/* The definition and the placed shape of a body of a list. */
graze_body_def churn_def(const churn_list *list, size_t slot);
graze_placed churn_placed(const churn_list *list, size_t slot);

/* Changes the list as the scene was changed. */
void churn_insert(churn *c, graze_body body, const graze_body_def *def);
void churn_remove(churn *c, size_t slot);

/* Replaces the list, and records the ids that became invalid. */
void churn_become(churn *c, const churn_list *list);

bool churn_same_pose(graze_pose p, graze_pose q);
bool churn_same_motion(graze_motion p, graze_motion q);
bool churn_same_vec(graze_vec p, graze_vec q);

/* Asserts that one body, or all bodies, of the scene are those of the list. */
void churn_expect_body(const churn *c, size_t slot);
void churn_expect_all(const churn *c);

#endif
