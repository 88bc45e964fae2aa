/* The velocity nearest to the wanted one that runs into none of several planes. */
#ifndef GRAZE_SCENE_VELOCITY_PLANES_H
#define GRAZE_SCENE_VELOCITY_PLANES_H

#include <graze/graze.h>

enum { GRZ_PLANES = 12 };

/* normal·v <= most; the normal is unit. In 2D its z is 0. */
typedef struct grz_barrier {
  graze_vec normal;
  double most;
} grz_barrier;

/* The point nearest to `wanted` that all of the planes allow, to 2^-38 of the numbers; there are up to GRZ_PLANES of
 * them. Where `wanted` is allowed exactly, it is that. False: no point is. */
bool grz_planes_nearest(const grz_barrier *planes, int count, graze_vec wanted, graze_vec *nearest);

#endif
