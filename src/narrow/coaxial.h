/* Two bodies of revolution about one axis: so is C, and the origin lies on its axis. Then the depth is that of their
 * profiles, a question in the plane, in which a ring of least depths is one point. docs/theory/depth.md, "Rings". */
#ifndef GRAZE_NARROW_COAXIAL_H
#define GRAZE_NARROW_COAXIAL_H

#include "narrow/obstacle.h"

typedef struct grz_coaxial {
  graze_placed a, b;    /* the profiles: x is the distance from the axis, y the place along it */
  graze_vec along, out; /* unit vectors of the world: y and x */
  double error;         /* the depths differ by no more, in the caller's units */
} grz_coaxial;

/* False: not two such bodies, or their axes differ by more than `most` (in the caller's units) where it matters. */
bool grz_coaxial_take(const grz_obstacle *obstacle, double most, grz_coaxial *coaxial);

#endif
