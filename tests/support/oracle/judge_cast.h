/* Judges what comes of a motion, against the exact truth and against what every impact promises about its own numbers.
 * NULL when all is well, else what is wrong. */
#ifndef ORACLE_JUDGE_CAST_H
#define ORACLE_JUDGE_CAST_H

#include "support/proved.h"
#include "support/oracle/judge.h"

typedef struct judge_motion {
  const graze_shape *a, *b;
  graze_pose pose_a, pose_b;
  graze_vec velocity_a, velocity_b;
  double t_max; /* may be infinite */
  double clearance;
  bool rough; /* of magnitudes so mixed that rounding leaves nothing of normal and point, and a wide bracket */
  bool ray;   /* in touch at first is a hit at 0, whatever the motion */
} judge_motion;

/* What the truth is, for counting. The width is a share of the time that the bodies take to cross their own sizes and
 * their distance, or of t. */
typedef struct judge_cast_truth {
  graze_relation starts;
  bool hit;
  double time_width;
} judge_cast_truth;

/* False: the oracle does not know these shapes. o is left solved for the whole motion: the least distance of it. */
bool judge_cast_solve(oracle *o, const judge_motion *m, judge_cast_truth *truth);

/* Result, bracket, least distance; then the numbers for use: positions, the time of the least distance, point and
 * normal. Solves other pairs in `other`. */
const char *judge_cast(const oracle *o, oracle *other, const judge_motion *m, judge_cast_truth *truth,
                       const proved_cast *x);

/* Sizes and distance of the bodies. */
double judge_cast_size(const judge_motion *m);

void judge_print_impact(FILE *out, const proved_cast *x);

#endif
