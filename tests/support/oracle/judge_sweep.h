/* Judges what comes of a motion in which bodies turn: by the exact truth at many moments, and step by step where the
 * answer has steps. NULL when all is well, else what is wrong.
 *
 * Between the moments nothing is known: what this finds is wrong, but it may not find all that is. Steps that it
 * accepts, though, leave no doubt. */
#ifndef ORACLE_JUDGE_SWEEP_H
#define ORACLE_JUDGE_SWEEP_H

#include "support/proved.h"
#include "support/oracle/judge.h"

typedef struct judge_turning {
  const graze_shape *a, *b;
  graze_pose pose_a, pose_b;
  graze_motion motion_a, motion_b;
  double t_max;
  double clearance;
} judge_turning;

/* Where a body is at t: rounded, by the C library's sine and cosine. */
graze_pose judge_pose_after(const graze_pose *pose, const graze_motion *motion, double t);

/* Solves the pair as it is at t. False: the oracle does not know these shapes. */
bool judge_turning_at(oracle *o, const judge_turning *m, double t);

/* The sign of the distance at t, surely; 0: nearer to 0 than can be told. *distance: rounded. Without an oracle, in
 * doubles by graze_distance(), which knows all shapes. */
int judge_turning_sign(oracle *o, const judge_turning *m, double t, double *distance);

/* Sizes and distance of the bodies. */
double judge_turning_size(const judge_turning *m);

/* The fastest that two of their points may approach each other. */
double judge_turning_speed(const judge_turning *m);

/* t_max; of a motion without end: until when it is looked at, long after bodies that move past each other have met. */
double judge_turning_end(const judge_turning *m);

/* Result, bracket, steps, then the numbers for use. Looks at so many moments, and more about the nearest of them. Steps
 * and numbers for use are judged only with an oracle. */
const char *judge_sweep(oracle *o, const judge_turning *m, int moments, const proved_cast *x);

/* What the verifier answers for: how they start, that nothing is met before t_lower, and that something is by t_upper.
 */
const char *judge_sweep_claims(oracle *o, const judge_turning *m, int moments, const proved_cast *x);

#endif
