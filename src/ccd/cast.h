/* Two convex bodies in linear motion: the time of their first contact. */
#ifndef GRAZE_CCD_CAST_H
#define GRAZE_CCD_CAST_H

#include "ccd/cast_facets.h"
#include "narrow/result.h"

/* graze_cast() without rotation, of convex shapes; with `ray`, B is the point of a ray, and a start in touch is a hit.
 * `planes`: NULL, or LCCD with these planes. */
graze_status grz_cast_pair(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                           double t_max, bool ray, const graze_cast_options *options, grz_facet_planes *planes,
                           grz_cast_result *result);

/* The options of the queries about bodies at rest that a cast makes. */
graze_options grz_still_options(const graze_cast_options *options);

#endif
