/* Validates the result of a linear cast: against the exact truth, and against the rules for the numbers of any result.
 * The functions return NULL, or the first error. */
#ifndef ORACLE_VALIDATE_CAST_H
#define ORACLE_VALIDATE_CAST_H

#include "support/proved.h"
#include "support/oracle/validate.h"

typedef struct linear_query {
  const graze_shape *a, *b;
  graze_pose pose_a, pose_b;
  graze_vec velocity_a, velocity_b;
  double t_max; /* may be infinite */
  double clearance;
  bool rough; /* magnitudes differ so much that normal and point have no correct digits, and the bracket is wide */
  bool ray;   /* touching at the start is a hit at 0, for any motion */
} linear_query;

/* The truth, for counting. The width is a share of t, or of the time in which the bodies move by their sizes and their
 * distance. */
typedef struct cast_truth {
  graze_relation starts;
  bool hit;
  double time_width;
} cast_truth;

/* Returns false if the oracle does not support these shapes. Leaves o solved for the whole motion: its least distance.
 */
bool cast_truth_solve(oracle *o, const linear_query *m, cast_truth *truth);

/* Result, bracket, least distance; then the numbers for use: positions, the time of the least distance, point and
 * normal. Solves other pairs in `other`. */
const char *validate_cast(const oracle *o, oracle *other, const linear_query *m, cast_truth *truth,
                          const proved_cast *x);

/* Sizes and distance of the bodies. */
double linear_query_size(const linear_query *m);

void print_cast_result(FILE *out, const proved_cast *x);

#endif
