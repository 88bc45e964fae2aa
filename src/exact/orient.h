/* Which way three points turn, and on which side of a plane a point lies, exactly: a floating-point filter, then whole
 * numbers. Coordinates up to GRAZE_LARGEST in magnitude. Source: Shewchuk 1997 (the filters); docs/theory/rounding.md,
 * "Orientation". */
#ifndef GRAZE_EXACT_ORIENT_H
#define GRAZE_EXACT_ORIENT_H

#include <graze/graze.h>

/* The sign of (b - a) × (c - b) in the xy plane: 1 when a, b, c turn left, -1 right, 0 on one line. */
int grz_orient2(graze_vec a, graze_vec b, graze_vec c);

/* The sign of ((b - a) × (c - a))·(d - a): 1 when d lies on the side of the plane from which a, b, c are seen
 * counter-clockwise, -1 on the other side, 0 on the plane, or when a, b, c lie on one line. */
int grz_orient3(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

/* The plane of three points as the first filter of grz_orient3() for many points d. */
typedef struct grz_plane_filter {
  graze_vec normal; /* (b - a) × (c - a), rounded */
  double error;     /* normal·(d - a), rounded, is off by at most this */
} grz_plane_filter;

/* For all d whose coordinates differ from those of a by at most those of `reach`, rounded to nearest. */
grz_plane_filter grz_orient3_filter(graze_vec a, graze_vec b, graze_vec c, graze_vec reach);

#endif
