/* A penetration depth by separating axes, with its error. */
#ifndef GRAZE_NARROW_AXIS_DEPTH_H
#define GRAZE_NARROW_AXIS_DEPTH_H

#include <graze/graze.h>

/* By so much, in u·size, an axis must beat those tested before: rounding makes no difference between tied axes. */
#define GRZ_AXIS_TIE 16

/* All lengths in units of `unit` (src/narrow/obstacle.h). */
typedef struct grz_axis_depth {
  double low, high;    /* the depth of the cores surely lies within; high: the rounded h(direction)/|direction| plus
                          its error */
  double best;         /* the rounded overlap itself */
  graze_vec direction; /* unit, rounded, from A to B: that of the least overlap */
  graze_vec core_a, core_b; /* witness points in world axes, without their bodies' positions:
                               (core_a + p_a) - (core_b + p_b) is direction times the depth, rounded */
  int axes;                 /* how many were tested */
} grz_axis_depth;

#endif
