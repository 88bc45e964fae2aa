/* Exact membership and exact support values of curved cores. */
#ifndef GRAZE_VERIFY_CURVED_H
#define GRAZE_VERIFY_CURVED_H

#include "exact/big.h"

/* Returns whether a local point is in the closed core of an ellipsoid, cylinder or cone. Points of user shapes are
 * trusted. */
bool grz_curved_contains(grz_arena *arena, const graze_shape *shape, graze_vec point);

/* Computes max local·x over the core as *rational + *root; for a user shape an upper bound. Returns false if the user's
 * support function returns an invalid point or bound. */
bool grz_curved_support(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *rational, grz_root *root);

#endif
