/* The height of a feature over a place. */
#ifndef GRAZE_NARROW_CONTACT_SURFACE_H
#define GRAZE_NARROW_CONTACT_SURFACE_H

#include "narrow/contact_feature.h"

/* The height, in the frame, of the upper (up 1) or lower (up -1) surface of an outline at a place in it or near its
 * border. A face need not be flat: the surface is that of the hull of its corners. Always the height of a point of that
 * hull, whatever the rounding. */
double grz_surface_height(const grz_feature *feature, graze_vec at, double up);

#endif
