/* Random bodies of all types, responses and shapes, spinning or not, with margins, masks and sensors. */
#ifndef TESTS_SCENE_RANDOM_BODIES_H
#define TESTS_SCENE_RANDOM_BODIES_H

#include <graze/scene.h>

#include "support/compounds.h"

/* `parts` and `ball` are targets of pointers in compounds and support functions; they must outlive the bodies. */
typedef struct body_kind {
  int dim;
  double spread; /* positions are within this of the origin */
  bool plain;    /* no compounds and support functions, which snapshots do not contain */
  bool responds; /* contacts change motions */
  bool planes;   /* half-spaces beyond `spread` among them */
  compound_fixture parts;
  double ball;
} body_kind;

/* Fills *made, which must not be copied. */
void make_body_kind(rng *random, int dim, double spread, bool plain, body_kind *made);

/* Its vertices are in `vertices`. */
graze_body_def random_body(rng *random, const body_kind *kind, graze_vec vertices[8]);
graze_motion random_motion(rng *random, int dim, bool turns);

#endif
