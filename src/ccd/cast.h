/* Linear casts of two convex bodies. */
#ifndef GRAZE_CCD_CAST_H
#define GRAZE_CCD_CAST_H

#include "ccd/cast_facets.h"
#include "narrow/result.h"

/* Computes graze_cast() of convex shapes without rotation. If `ray` is true, B is a point that moves along a ray,
 * and touching at the start is a hit. If `planes` is not NULL, it replaces the GJK ray cast (LCCD). */
graze_status grz_cast_pair(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                           double t_max, bool ray, const graze_cast_options *options, grz_facet_planes *planes,
                           grz_cast_result *result);

/* The options of the static queries within a cast. */
graze_options grz_still_options(const graze_cast_options *options);

#endif
