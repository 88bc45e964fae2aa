/* Exact orientation and in-circle predicates.
 *
 * Each predicate is a floating-point filter. If the filter fails, exact arithmetic decides. Coordinates may be up
 * to GRAZE_LARGEST in magnitude.
 * Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997 (the
 * filters). Theory: docs/theory/rounding.md, "Orientation" and "In circle". */
#ifndef GRAZE_EXACT_PREDICATES_H
#define GRAZE_EXACT_PREDICATES_H

#include <graze/graze.h>

/* The sign of (b - a) × (c - b) in the xy plane: 1 if a, b, c turn left, -1 if right, 0 if they lie on one line. */
int grz_orient2(graze_vec a, graze_vec b, graze_vec c);

/* The sign of ((b - a) × (c - a))·(d - a): 1 if d lies on the side of the plane from which a, b, c appear
 * counter-clockwise, -1 on the other side, 0 on the plane, or if a, b, c lie on one line. */
int grz_orient3(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

/* The filter of grz_orient3() for one plane and many points d. */
typedef struct grz_plane_filter {
  graze_vec normal; /* (b - a) × (c - a), rounded */
  double error;     /* bounds the error of the rounded normal·(d - a) */
} grz_plane_filter;

/* The filter for all d whose rounded difference d - a is at most `extent` in magnitude, coordinate by coordinate. */
grz_plane_filter grz_orient3_filter(graze_vec a, graze_vec b, graze_vec c, graze_vec extent);

/* In the xy plane, for a, b, c that turn left: 1 if d lies inside their circle, -1 outside, 0 on it. If a, b, c turn
 * right, the sign is reversed. If they lie on one line, points d on opposite sides of that line get opposite signs. */
int grz_in_circle(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

#endif
