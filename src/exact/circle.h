/* Where a point lies to the circle through three others, exactly. */
#ifndef GRAZE_EXACT_CIRCLE_H
#define GRAZE_EXACT_CIRCLE_H

#include <graze/graze.h>

/* a, b, c turn left: 1 when d lies inside their circle, -1 outside, 0 on it. (Turning right: the opposite; on one line:
 * which side of the line, times an orientation.) In the xy plane, coordinates up to GRAZE_LARGEST in magnitude.
 * Source: Shewchuk 1997 (the filter); docs/theory/rounding.md, "In circle". */
int grz_in_circle(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

#endif
