/* Two convex bodies that move and turn: when do they first meet? */
#ifndef GRAZE_MOTION_SWEEP_H
#define GRAZE_MOTION_SWEEP_H

#include <graze/graze.h>

/* What is asked about two bodies that move and turn. */
typedef struct grz_course {
  const graze_placed *a, *b;
  const graze_motion *motion_a, *motion_b;
  double from; /* what is known to be free ends here; 0: nothing is known yet */
  double to;   /* looked at until here … */
  double last; /* … but an overlap that shows a contact before may be as late as this */
  int *steps;  /* how many steps of time there are still, GRZ_SWEEP_STEPS at first; each course takes one at least */
} grz_course;

enum { GRZ_SWEEP_STEPS = 1 << 16 };

/* graze_sweep() by the methods AUTO, SWEEP (intervals of time) and CA (conservative advancement). The input was judged.
 */
graze_status grz_sweep_pair(const grz_course *course, const graze_options *options, graze_impact *impact);

#endif
