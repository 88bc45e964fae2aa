/* Curved shapes in the last digits before contact: exact answers about polytopes inscribed in them.
 *
 * The hull of a few points of a curved core lies in that core. Where two such hulls overlap, so do the shapes; where
 * they touch, the shapes touch if the direction supports both whole shapes, which the verifier decides exactly; where
 * they are apart, their distance is an upper bound. */
#ifndef GRAZE_NARROW_INSCRIBED_H
#define GRAZE_NARROW_INSCRIBED_H

#include "narrow/gjk.h"

/* What the search has found so far: points of C, by their parents, and the best direction from A to B. */
typedef struct grz_inscribed {
  int count;
  grz_cso_point pair[8];
  graze_vec direction;
} grz_inscribed;

/* Fills relation (at worst `undecided`), certificate and numbers. While the hulls are apart, they grow by the support
 * points along their exact normal: GJK for curved shapes with an exact simplex. */
void grz_inscribed_decide(const grz_obstacle *obstacle, const graze_options *options, grz_inscribed *points,
                          grz_gjk *gjk, grz_result *result);

#endif
