/* Random scenes for the tests, and a naive scene to compare with: every body against every other, by the public
 * questions about two shapes. */
#ifndef TESTS_SCENE_WORLDS_H
#define TESTS_SCENE_WORLDS_H

#include <graze/scene.h>

#include "support/compounds.h"
#include "support/families.h"
#include "scene/naive.h"

enum { WORLD_MOST = 128, WORLD_COMPOUNDS = 4 };

/* What a random scene is like. */
typedef struct world_kind {
  const char *name;
  int dim;
  double half;  /* bodies are in the cube of this half edge; 0: chosen by their number */
  double speed; /* at most, in each coordinate */
  double spin;
  bool boxes;      /* nothing but boxes */
  bool sizes;      /* 1:1000 */
  bool halfspaces; /* six (2D: four) walls */
  graze_response response;
  double offset;  /* so far from the origin */
  bool compounds; /* a third of the bodies, by parts */
  bool points;    /* every other body: no size, and no skin of its own */
  bool masks;     /* not everybody meets everybody */
  double decades; /* masses are 10^±so many */
  double skin;    /* 0: the scene's own */
  bool flush;     /* two of three start in contact with the one before, or nearly */
} world_kind;

typedef struct world {
  graze_scene *scene;
  int count;
  graze_body body[WORLD_MOST];
  graze_vec room[WORLD_MOST][PAIR_VERTICES];
  compound_fixture many[WORLD_COMPOUNDS];
  double half;
} world;

/* Fills a scene with bodies; walls are the last ones. */
void world_make(world *w, rng *random, const world_kind *kind, int count, const graze_parallel *parallel);
void world_free(world *w);

/* What body `index` is now. */
graze_body_def world_body(const world *w, int index);

/* Bodies whose centre is beyond the cube turn round. */
void world_turn_round(world *w);

/* What a naive scene knows: poses, motions, and who is in contact. */
typedef struct naive {
  int count;
  graze_body_def body[WORLD_MOST];
  bool contact[WORLD_MOST][WORLD_MOST];
  graze_event event[4 * WORLD_MOST * WORLD_MOST]; /* of the last step, as a scene would tell them */
  size_t event_count;
} naive;

/* As the world is, nobody in contact. Slots are in the order of bodies. */
void naive_take(naive *n, const world *w);

/* Motions anew. */
void naive_take_motions(naive *n, const world *w);

/* A step without responses. */
void naive_step(naive *n, const world *w, double dt);

#endif
