/* Checks fitted boxes in rationals; no code in common with src/. */
#ifndef TESTS_GEOMETRY_FIT_BOX_TRUTH_H
#define TESTS_GEOMETRY_FIT_BOX_TRUTH_H

#include <graze/build.h>

typedef enum fit_fault {
  FIT_GOOD = 0,
  FIT_REJECTED,  /* graze_check() rejects the placed shape */
  FIT_OUTSIDE,   /* a point lies outside, by however little */
  FIT_TOO_LARGE, /* an extent could be the next smaller double */
  FIT_MEASURE    /* the measure is not the product of the extents, to 1e-15 */
} fit_fault;

fit_fault fit_box_fault(const graze_vec *points, size_t count, const graze_fitted_box *fitted);

/* By how much the area of the box exceeds that of the smallest rectangle around the points, relatively: over all lines
 * through two of them with all others on one side, exactly. NAN if that is 0 and the box is not. O(n³): for few points.
 */
double fit_box_excess(const graze_vec *points, size_t count, const graze_fitted_box *fitted);

#endif
