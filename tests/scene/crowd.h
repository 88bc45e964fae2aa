/* Random scenes: convex shapes, curved ones among them, compounds and half-spaces, with margins, masks and sensors; or
 * a grid of equal boxes, where everything is a tie. */
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
  graze_vec room[CROWD_MOST][8];
  compound_fixture compounds[CROWD_COMPOUNDS];
  int compound_count;
  graze_body stale; /* a body that was removed */
} crowd;

/* Makes a scene of `count` bodies no farther than `spread` from the origin. */
void crowd_make(crowd *crowd, rng *dice, int dim, int count, double spread);

/* Boxes of side 1 at whole places. */
void crowd_make_grid(crowd *crowd, rng *dice, int dim, int count);

void crowd_free(crowd *crowd);

/* A shape of its own to ask with: in one case of ten a compound of the crowd, in one of twenty a half-space. */
graze_shape crowd_any_shape(crowd *crowd, graze_vec room[8]);

/* Moves bodies away and back again, with and without steps of 0: the scene is the same, its tree is not. */
void crowd_stir(crowd *crowd);

#endif
