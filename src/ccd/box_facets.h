/* The facet planes of two boxes against a straight path. */
#ifndef GRAZE_CCD_BOX_FACETS_H
#define GRAZE_CCD_BOX_FACETS_H

#include "ccd/facets.h"

/* Tests the 15 pairs of planes (2D: 4) of the CSO of two box cores. The vertices are computed if the path enters
 * within [0, end]. `unit` as in grz_obstacle. */
void grz_box_facet_path(const graze_placed *a, const graze_placed *b, double unit, double end, grz_facet_path *path);

#endif
