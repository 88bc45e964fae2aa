/* Curved shapes near contact: portal refinement and inscribed polytopes.
 *
 * Portal refinement (Snethen, "XenoCollide", 2008) keeps a well-defined direction where rounding dominates the
 * direction of GJK. Inscribed polytopes: the hull of a few points of a curved core lies in that core. If two such
 * hulls overlap, so do the shapes. If they touch along a direction that supports both shapes, the shapes touch; the
 * verifier decides this exactly. If they are disjoint, their distance is an upper bound. */
#ifndef GRAZE_NARROW_CURVED_H
#define GRAZE_NARROW_CURVED_H

#include "narrow/gjk.h"

/* Decides what GJK left open: improves its bounds, and fills relation, certificate and numbers. The last step is
 * grz_inscribed_decide(), which can return UNDECIDED. */
void grz_portal_refine(const grz_obstacle *obstacle, const graze_options *options, grz_gjk *gjk, grz_result *result);

/* Narrows the interval of disjoint shapes, starting from the simplex of GJK. */
void grz_portal_narrow(const grz_obstacle *obstacle, const graze_options *options, grz_gjk *gjk, grz_result *result);

/* Points of the CSO by their parents, and the best direction from A to B. */
typedef struct grz_inscribed {
  int count;
  grz_cso_point pair[8];
  graze_vec direction;
} grz_inscribed;

/* Fills relation (possibly UNDECIDED), certificate and numbers. While the hulls are disjoint, the support points along
 * their exact normal are added: GJK for curved shapes with an exact simplex. */
void grz_inscribed_decide(const grz_obstacle *obstacle, const graze_options *options, grz_inscribed *points,
                          grz_gjk *gjk, grz_result *result);

#endif
