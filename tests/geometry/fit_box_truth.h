/* Checks fitted boxes in rational numbers. Shares no code with src/. */
#ifndef TESTS_GEOMETRY_FIT_BOX_TRUTH_H
#define TESTS_GEOMETRY_FIT_BOX_TRUTH_H

#include <graze/build.h>

typedef enum fit_fault {
  FIT_GOOD = 0,
  FIT_REJECTED,  /* graze_check() rejects the placed shape */
  FIT_OUTSIDE,   /* a point is outside, by any amount */
  FIT_TOO_LARGE, /* an extent could be the next smaller double */
  FIT_MEASURE    /* the measure is not the product of the extents, to 1e-15 */
} fit_fault;

fit_fault fit_box_fault(const graze_vec *points, size_t count, const graze_fitted_box *fitted);

/* The relative excess of the area of the box over that of the smallest rectangle. All lines through two points with all
 * others on one side are tested exactly, in O(n³). NAN if the smallest area is 0 and that of the box is not. */
double fit_box_excess(const graze_vec *points, size_t count, const graze_fitted_box *fitted);

#endif
