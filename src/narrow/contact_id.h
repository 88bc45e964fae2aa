/* Names for contact points that last while bodies tremble. */
#ifndef GRAZE_NARROW_CONTACT_ID_H
#define GRAZE_NARROW_CONTACT_ID_H

#include "narrow/clip.h"

/* Where two corners nearly meet, as they do all over a stack of equal boxes, it is a matter of the last digits which
 * of them lies over the other, or whether their edges cross instead. Every point within `near` of a corner of A is
 * named after that corner, or else after such a corner of B; of several the nearest. */
void grz_touches_name(grz_touches *touches, const grz_feature *a, const grz_feature *b, double near);

/* Drops the points within `near` of one that took a corner's name, unless they are deeper by more than `equal`. */
void grz_touches_drop_twins(grz_touches *touches, const grz_feature *a, const grz_feature *b, double near,
                            double equal);

#endif
