/* Curved cores before the verifier: exact membership and exact support values. docs/theory/certificates.md. */
#ifndef GRAZE_VERIFY_CURVED_H
#define GRAZE_VERIFY_CURVED_H

#include "exact/big.h"
#include "exact/big.h"

/* Does the local point lie in the closed core of an ellipsoid, cylinder or cone? User shapes: on the caller's word. */
bool grz_curved_holds(grz_arena *arena, const graze_shape *shape, graze_vec point);

/* *rational + *root = max local·x over the core; for a user shape a sound upper bound of it. False when the user's
 * support function returned something that proves nothing. */
bool grz_curved_support(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *rational, grz_root *root);

#endif
