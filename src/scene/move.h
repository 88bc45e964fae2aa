/* The nearest velocity between planes (private; for tests). */
#ifndef GRAZE_SCENE_MOVE_H
#define GRAZE_SCENE_MOVE_H

#include "scene/move_cast.h"

/* normal·v <= limit; the normal is a unit vector. In 2D its z is 0. */
typedef struct velocity_plane {
  graze_vec normal;
  double limit;
} velocity_plane;

/* Finds the point nearest to `wanted` that satisfies up to MOVE_PLANES planes, to 2^-38 of the numbers; `wanted`
 * itself if it does. False: no point does. */
bool grz_nearest_velocity(const velocity_plane *planes, int count, graze_vec wanted, graze_vec *nearest);

#endif
