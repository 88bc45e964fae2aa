/* What a polygon shows along a direction, where its corners leave no doubt. */
#ifndef GRAZE_CONTACT_SIDE_H
#define GRAZE_CONTACT_SIDE_H

#include "contact/feature.h"

/* What grz_facet_facing() finds, of a GRAZE_POLYGON whose vertex farthest along the unit local direction d is `top`.
 * False: some corner is too flat, or the edges there fall off too much alike, to tell without slacks. The feature is
 * then as it was. */
bool grz_side_facing(const graze_placed *placed, size_t top, graze_vec d, double unit, grz_feature *feature);

#endif
