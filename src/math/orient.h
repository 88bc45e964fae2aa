/* Which way three points turn, exactly. */
#ifndef GRAZE_MATH_ORIENT_H
#define GRAZE_MATH_ORIENT_H

#include <graze/graze.h>

/* The sign of (b - a) × (c - b) in the xy plane: 1 when a, b, c turn left, -1 right, 0 on one line. Coordinates up to
 * GRAZE_LARGEST in magnitude. Source: Shewchuk 1997 (the filter); docs/theory/rounding.md, "Orientation". */
int grz_turn(graze_vec a, graze_vec b, graze_vec c);

#endif
