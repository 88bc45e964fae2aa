/* Validates an answer: against the exact truth, and against the rules for the numbers of any answer. The functions
 * return NULL, or the first error in a few words. */
#ifndef ORACLE_VALIDATE_H
#define ORACLE_VALIDATE_H

#include "support/proved.h"
#include <stdio.h>

#include "support/oracle/oracle.h"

/* The norm, without overflow or underflow of intermediate results. */
double vector_length(graze_vec v);

/* Whether all components are NaN. */
bool all_nan(graze_vec v);

/* p is the position at t of a body that starts at `start`. */
const char *validate_position(graze_vec p, graze_vec start, graze_vec velocity, double t);

/* p is within `tolerance` of a body that has moved until t. Solves that pair in o. */
const char *validate_near(oracle *o, const graze_shape *s, const graze_pose *pose, graze_motion motion, double t,
                          graze_vec p, double tolerance);

/* max(|distance|, rho_A, rho_B), rho = the largest |local vertex| + r; half-spaces have none. */
double pair_scale(const graze_shape *a, const graze_shape *b, double distance);

/* The numbers of a complete answer of graze_distance() (stopped: none) are consistent: signs, order, width <=
 * share·scale, unit normal, witness points (within max(4e-12, share) of the largest magnitude). Needs no oracle. */
const char *validate_form(const graze_shape *a, const graze_shape *b, const proved_answer *answer, double share);

/* Relation, interval and normal of graze_distance() against the truth. If the shapes overlap, moving B along the normal
 * by the depth, plus 1e-9 of it and 1e-12 of the scale, ends the overlap. If they are separated, the normal is within
 * 1e-9 of the true one, plus the effect of an error of 1e-12 of the scale. */
const char *validate_distance(const oracle *o, const graze_shape *a, const graze_shape *b, const proved_answer *answer);

/* The witness points lie on their shapes, to 1e-9 of the scale and the last bits of their coordinates; the clearance
 * counts as A's. Solves other pairs in o. */
const char *validate_points(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                            const graze_pose *pose_b, double clearance, const proved_answer *answer);

/* Relation and bounds of graze_intersect() against the truth. */
const char *validate_intersect(const oracle *o, const proved_answer *answer);

void print_answer(FILE *out, const proved_answer *answer);

#endif
