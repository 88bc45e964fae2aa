/* Curved bodies may have their least depth all along a ring, where no surface is fine enough: EPA ends for want of
 * room. docs/theory/depth.md, "Balls" and "Rings". */
#ifndef GRAZE_NARROW_ROUNDED_DEPTH_H
#define GRAZE_NARROW_ROUNDED_DEPTH_H

#include "narrow/query.h"

/* Asks about the profiles of two bodies of revolution on one axis, and fills what grz_penetrate() fills. False: they
 * are not such bodies, or too near to touching. */
bool grz_depth_by_profiles(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* For an answer that is filled: asks what is left of ellipsoids without their balls, and takes the depth of that where
 * its interval is narrower. */
void grz_depth_without_spheres(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

#endif
