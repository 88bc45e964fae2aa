/* Two convex bodies that move and turn: when do they first meet? */
#ifndef GRAZE_CCD_SWEEP_H
#define GRAZE_CCD_SWEEP_H

#include "narrow/result.h"
#include <graze/graze.h>

/* The work that a sweep may still do, of all pairs of parts together. Costs are counted, not timed, so they are the
 * same on all machines: graze/motion.h says what counts. */
typedef struct grz_sweep_budget {
  int steps;    /* of time */
  int64_t cost; /* not positive: used up */
} grz_sweep_budget;

/* What is asked about two bodies that move and turn. */
typedef struct grz_cast_query {
  const graze_placed *a, *b;
  const graze_motion *motion_a, *motion_b;
  double from;              /* what is known to be free ends here; 0: nothing is known yet */
  double to;                /* looked at until here … */
  double last;              /* … but an overlap that shows a contact before may be as late as this */
  grz_sweep_budget *budget; /* GRZ_SWEEP_STEPS and GRZ_SWEEP_COST at first; each course takes one step at least */
} grz_cast_query;

enum { GRZ_SWEEP_STEPS = 1 << 16, GRZ_SWEEP_COST = 1 << 22 };

/* graze_sweep() by the methods AUTO, SWEEP (intervals of time) and CA (conservative advancement). The input was judged.
 */
graze_status grz_sweep_pair(const grz_cast_query *course, const graze_cast_options *options, grz_cast_result *result);

#endif
