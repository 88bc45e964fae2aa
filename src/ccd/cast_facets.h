/* LCCD: the planes of the facets of the obstacle instead of those that a search finds. */
#ifndef GRAZE_CCD_CAST_FACETS_H
#define GRAZE_CCD_CAST_FACETS_H

#include "ccd/ray_cast.h"

/* As grz_ray_cast_run(), of polytopes that are not rounded; *end: what came of it. GRAZE_NO_SPACE: the workspace does
 * not hold the features of the shapes. */
graze_status grz_cast_planes(grz_ray_cast *approach, const grz_obstacle *obstacle, const graze_options *options,
                             grz_ray_cast_end *end);

#endif
