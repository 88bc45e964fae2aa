/* Random scenes for queries: convex and curved shapes, compounds and half-spaces, with margins, masks and sensors;
 * or a grid of equal boxes, in which everything is a tie. */
#ifndef TESTS_SCENE_CROWD_H
#define TESTS_SCENE_CROWD_H

#include <graze/scene.h>

#include "support/compounds.h"

enum { CROWD_MOST = 80, CROWD_COMPOUNDS = 4 };

typedef struct crowd {
  int dim;
  rng *dice;
  failing_memory memory;
  graze_scene *scene;
  graze_vec vertices[CROWD_MOST][8];
  compound_fixture compounds[CROWD_COMPOUNDS];
  int compound_count;
  graze_body stale; /* the id of a removed body */
} crowd;

/* Makes a scene of `count` bodies no farther than `spread` from the origin. */
void crowd_make(crowd *crowd, rng *dice, int dim, int count, double spread);

/* Boxes of side 1 at integer positions. */
void crowd_make_grid(crowd *crowd, rng *dice, int dim, int count);

void crowd_free(crowd *crowd);

/* A random query shape: in one case of ten a compound of the crowd, in one of twenty a half-space. */
graze_shape crowd_any_shape(crowd *crowd, graze_vec vertices[8]);

/* Moves bodies away and back, with and without steps of 0: the scene is the same, its tree is not. */
void crowd_stir(crowd *crowd);

#endif
