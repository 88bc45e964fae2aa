/* The order of contact points, and which to keep. */
#ifndef GRAZE_NARROW_CONTACT_REDUCE_H
#define GRAZE_NARROW_CONTACT_REDUCE_H

#include "narrow/clip.h"

/* Around the normal, counter-clockwise, from the lowest feature on; points on one line, and a witness, by their
 * features. The same points always come in the same order. */
void grz_touches_sort(grz_touches *touches, double slack);

/* Keeps at most `most` (1 to 4) of the touches, in their order: the deepest (of those within `equal` of it the
 * lowest feature), the farthest from it, the one that makes the largest triangle with them, the one that adds most to
 * it. */
void grz_touches_reduce(grz_touches *touches, int most, double equal, double slack);

#endif
