/* What a polygon shows along a direction, where its corners leave no doubt. */
#ifndef GRAZE_NARROW_CONTACT_SIDE_H
#define GRAZE_NARROW_CONTACT_SIDE_H

#include "narrow/contact_feature.h"
#include "core/vec.h"

/* Is an edge from the farthest vertex flat enough against the unit direction d to be shown? */
static inline bool side_is_flat(graze_vec edge, graze_vec d) {
  const double square = vec_dot(edge, edge), drop = vec_dot(edge, d);
  return square - drop * drop > GRZ_FEATURE_STEEP * GRZ_FEATURE_STEEP * square;
}

/* What grz_facet_facing() finds, of a GRAZE_POLYGON whose vertex farthest along the unit local direction d is `top`.
 * False: some corner is too flat, or the edges there fall off too much alike, to tell without slacks, or all
 * is too small. The feature is
 * then as it was. */
bool grz_side_facing(const graze_placed *placed, size_t top, graze_vec d, double unit, grz_feature *feature);

#endif
