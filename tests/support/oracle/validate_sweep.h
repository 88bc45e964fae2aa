/* Validates the result of a cast with rotation: by the exact truth at many times, and step by step if the answer has
 * steps. The functions return NULL, or the first error.
 *
 * Nothing is tested between these times, so errors may remain undetected. Accepted steps are a proof. */
#ifndef ORACLE_VALIDATE_SWEEP_H
#define ORACLE_VALIDATE_SWEEP_H

#include "support/proved.h"
#include "support/oracle/validate.h"

typedef struct turning_query {
  const graze_shape *a, *b;
  graze_pose pose_a, pose_b;
  graze_motion motion_a, motion_b;
  double t_max;
  double clearance;
} turning_query;

/* The pose of a body at t, rounded, with the C library's sine and cosine. */
graze_pose rounded_pose_after(const graze_pose *pose, const graze_motion *motion, double t);

/* Solves the pair at t. Returns false if the oracle does not support these shapes. */
bool turning_query_solve(oracle *o, const turning_query *m, double t);

/* The certain sign of the distance at t; 0: nearer to 0 than the error. *distance: rounded. Without an oracle, in
 * doubles by graze_distance(), which supports all shapes. */
int turning_query_sign(oracle *o, const turning_query *m, double t, double *distance);

/* Sizes and distance of the bodies. */
double turning_query_size(const turning_query *m);

/* A bound of the speed at which two of their points approach each other. */
double turning_query_speed(const turning_query *m);

/* t_max; for an unbounded motion, the last tested time, long after bodies that pass each other are nearest. */
double turning_query_end(const turning_query *m);

/* Validates the outcome, the bracket, the steps, and then positions, point and normal. Tests `moments` times, and more
 * near the nearest of them. Steps, point and normal are validated only with an oracle. */
const char *validate_sweep(oracle *o, const turning_query *m, int moments, const proved_cast *x);

/* Validates what a certificate proves: the relation at the start, no contact before t_lower, and a contact by t_upper.
 */
const char *validate_sweep_bracket(oracle *o, const turning_query *m, int moments, const proved_cast *x);

#endif
