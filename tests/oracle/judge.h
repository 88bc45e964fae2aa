/* Judges an answer: against the exact truth, and against what every answer promises about its own numbers. Returns NULL
 * when all is well, else what is wrong, in a few words. */
#ifndef ORACLE_JUDGE_H
#define ORACLE_JUDGE_H

#include <stdio.h>

#include "oracle/oracle.h"

/* max(|distance|, rho_A, rho_B), rho = the largest |local vertex| + r; half-spaces have none. */
double judge_scale(const graze_shape *a, const graze_shape *b, double distance);

/* Numbers that fit each other, whatever the truth: signs, order, width <= share·scale, unit normal, witness points
 * (to 4e-12, or share if that is more, of the largest magnitude).
 * For a whole answer of graze_distance() (stopped: none). */
const char *judge_form(const graze_shape *a, const graze_shape *b, const graze_answer *answer, double share);

/* Relation and interval of graze_distance() against the truth. */
const char *judge_distance(oracle *o, const graze_shape *a, const graze_shape *b, const graze_answer *answer);

/* Relation of graze_intersect(), and whatever bounds it gives, against the truth. */
const char *judge_intersect(const oracle *o, const graze_answer *answer);

void judge_print(FILE *out, const graze_answer *answer);

#endif
