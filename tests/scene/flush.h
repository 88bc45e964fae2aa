/* Random scenes in which bodies start a step in contact: a base, and bodies placed flush against it.
 *
 * The generator combines gaps of exactly 0, of a rounding more or less, and inside the margins; spin; compounds; all
 * responses; static, kinematic and dynamic bases; 2D and 3D. */
#ifndef TESTS_SCENE_FLUSH_H
#define TESTS_SCENE_FLUSH_H

#include <graze/scene.h>

#include "support/compounds.h"

enum { FLUSH_MOST = 6 };

/* The kind of the base. */
typedef enum flush_base {
  FLUSH_CONVEX,    /* a box, or any convex shape */
  FLUSH_HALFSPACE, /* static */
  FLUSH_COMPOUND,  /* random convex parts */
  FLUSH_WALLS      /* a compound of thin walls; the other bodies are inside */
} flush_base;

enum { FLUSH_BASES = FLUSH_WALLS + 1 };

typedef struct flush_scene {
  rng dice;
  int dim;
  flush_base base;
  double inner; /* half the inner width of the box of walls */
  graze_scene *scene;
  int count;
  graze_body body[FLUSH_MOST]; /* the first one is the base */
  graze_vec vertices[FLUSH_MOST][8];
  compound_fixture parts[FLUSH_MOST];
  graze_compound *walls;
} flush_scene;

/* Makes the scene of a seed. */
void flush_make(flush_scene *f, uint64_t seed);
void flush_free(flush_scene *f);

/* The current definition of a body. */
graze_body_def flush_body(const flush_scene *f, int index);

/* The time of a step. */
double flush_time(flush_scene *f);

#endif
