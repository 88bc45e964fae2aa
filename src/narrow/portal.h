/* Portal refinement: curved shapes so near to contact that GJK's direction drowns in rounding. */
#ifndef GRAZE_NARROW_PORTAL_H
#define GRAZE_NARROW_PORTAL_H

#include "narrow/gjk.h"

/* Decides what the filter could not, improving gjk's bounds, and fills relation, certificate and numbers. What remains
 * goes to inscribed.h, and ends `undecided` at worst. */
void grz_portal_refine(const grz_obstacle *obstacle, const graze_options *options, grz_gjk *gjk, grz_result *result);

/* The shapes are apart, but GJK's interval is wide: narrows it from its simplex. */
void grz_portal_narrow(const grz_obstacle *obstacle, const graze_options *options, grz_gjk *gjk, grz_result *result);

#endif
