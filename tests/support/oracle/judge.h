/* Judges an answer: against the exact truth, and against what every answer promises about its own numbers. Returns NULL
 * when all is well, else what is wrong, in a few words. */
#ifndef ORACLE_JUDGE_H
#define ORACLE_JUDGE_H

#include "support/proved.h"
#include <stdio.h>

#include "support/oracle/oracle.h"

/* The norm, without overflow or underflow in between. */
double judge_length(graze_vec v);

/* Are all components NaN? */
bool judge_is_none(graze_vec v);

/* Is p where a body that starts at `start` is at t? */
const char *judge_position(graze_vec p, graze_vec start, graze_vec velocity, double t);

/* Is p no farther than `far` from a body that has moved until t? Solves that in o. */
const char *judge_near(oracle *o, const graze_shape *s, const graze_pose *pose, graze_motion motion, double t,
                       graze_vec p, double far);

/* max(|distance|, rho_A, rho_B), rho = the largest |local vertex| + r; half-spaces have none. */
double judge_scale(const graze_shape *a, const graze_shape *b, double distance);

/* Numbers that fit each other, whatever the truth: signs, order, width <= share·scale, unit normal, witness points
 * (to 4e-12, or share if that is more, of the largest magnitude).
 * For a whole answer of graze_distance() (stopped: none). */
const char *judge_form(const graze_shape *a, const graze_shape *b, const proved_answer *answer, double share);

/* Relation, interval and normal of graze_distance() against the truth. Where they overlap, moving B by the depth, and
 * 1e-9 of it and 1e-12 of the scale more, along the normal ends that. Where they are apart, there is one normal: to
 * 1e-9 and what rounding by 1e-12 of the scale makes of it. */
const char *judge_distance(const oracle *o, const graze_shape *a, const graze_shape *b, const proved_answer *answer);

/* The witness points lie on their shapes, to 1e-9 of the scale and the last bits of their coordinates; the clearance
 * counts as A's. Solves other pairs in o. */
const char *judge_points(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                         const graze_pose *pose_b, double clearance, const proved_answer *answer);

/* Relation of graze_intersect(), and whatever bounds it gives, against the truth. */
const char *judge_intersect(const oracle *o, const proved_answer *answer);

void judge_print(FILE *out, const proved_answer *answer);

#endif
