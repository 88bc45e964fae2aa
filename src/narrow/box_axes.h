/* The penetration depth of two boxes by 15 axes (2D: 4). */
#ifndef GRAZE_NARROW_BOX_AXES_H
#define GRAZE_NARROW_BOX_AXES_H

#include "narrow/axis_depth.h"

/* The depth of two box cores that surely overlap. offset: p_a - p_b, rounded, times `unit`; size >= reach_a + reach_b +
 * |offset|, times `unit`: both as in grz_obstacle. high - low <= 2^-44·size.
 * Source: Gottschalk, Lin, Manocha 1996; why parallel edges do no harm: docs/theory/axes.md, "Boxes". */
void grz_box_depth(const graze_placed *a, const graze_placed *b, graze_vec offset, double unit, double size,
                   grz_axis_depth *out);

#endif
