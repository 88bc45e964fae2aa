/* The planes of two boxes against a straight path. */
#ifndef GRAZE_CCD_BOX_FACETS_H
#define GRAZE_CCD_BOX_FACETS_H

#include "ccd/facets.h"

/* The 15 pairs of planes (2D: 4) of the difference of two box cores; corners are looked for where the path enters
 * within [0, end]. `unit` as in grz_obstacle. */
void grz_box_facet_path(const graze_placed *a, const graze_placed *b, double unit, double end, grz_facet_path *path);

#endif
