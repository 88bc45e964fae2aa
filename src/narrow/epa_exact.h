/* EPA with exact predicates: for what doubles cannot settle. */
#ifndef GRAZE_NARROW_EPA_EXACT_H
#define GRAZE_NARROW_EPA_EXACT_H

#include "narrow/epa.h"
#include "narrow/exact_hull.h"

typedef struct grz_epa_depth {
  grz_epa_end end;
  int face;                   /* the nearest one */
  graze_vec core_a, core_b;   /* witness points of the cores, without their bodies' positions */
  grz_scaled excess, divisor; /* closed, polytopal cores: the depth with r is their quotient, known to 12 roundings */
} grz_epa_depth;

/* From the hull of the polytope's points (their pairs are enough), and more as it needs them. Sets epa->low, and for
 * curved cores epa->high and its direction too. Closed, polytopal cores: the nearest face is a facet of C. Broken: C is
 * flat, or the origin is not strictly inside. */
void grz_epa_exactly(grz_epa *epa, double clearance, grz_epa_depth *depth);

#endif
