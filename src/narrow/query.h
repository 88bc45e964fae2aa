/* What all questions about a pair share: judging the input and the interval, the blank answer, warm starts. */
#ifndef GRAZE_NARROW_QUERY_H
#define GRAZE_NARROW_QUERY_H

#include "narrow/trace.h"

typedef struct grz_query {
  const graze_options *options; /* in force: the caller's or the defaults */
  bool plane;                   /* one of the shapes is a half-space */
  bool compound;                /* … or a compound */
  grz_tracer tracer;            /* set only where there is a trace */
} grz_query;

/* What is wrong with the options of a query about shapes of dimension `dim`. */
graze_error grz_options_error(const graze_options *options, int dim);

/* Judges the question; compounds are accepted. */
graze_status grz_query_validate(grz_query *query, const graze_placed *a, const graze_placed *b,
                                const graze_options *options);

/* Judges the question, of convex shapes only (GRAZE_UNSUPPORTED); where it is accepted, makes the obstacle and blanks
 * the answer, which otherwise stays as it was. */
graze_status grz_query_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                             const graze_options *options, grz_result *result);

/* The same in two steps: for who may have the answer before there is an obstacle. */
graze_status grz_query_begin(grz_query *query, const graze_placed *a, const graze_placed *b,
                             const graze_options *options, grz_result *result);
void grz_query_place(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b);

/* Nothing known yet: the numbers NaN, no certificate. */
void grz_query_blank(grz_result *result, const graze_placed *a, const graze_placed *b);

/* Makes distance, interval, normal and witness points NaN. */
void grz_query_forget_numbers(grz_result *result);

/* Has that never been filled, or forgotten? */
static inline bool grz_query_is_unknown(const grz_result *result) { return result->answer.distance != result->answer.distance; }

/* Is the interval as narrow as promised for these shapes, or as the caller asked? */
bool grz_query_is_narrow(const grz_query *query, const grz_obstacle *obstacle, const grz_result *result);

/* Sets `stopped` where the interval is not narrow: to GRAZE_STOP_BUDGET if the budget ended the search, otherwise to
 * GRAZE_STOP_PRECISION. */
void grz_query_check_width(const grz_query *query, const grz_obstacle *obstacle, bool budget, grz_result *result);

/* From A to B, as far as their positions tell; `offset`: p_a - p_b. Never zero. */
graze_vec grz_query_towards(graze_vec offset);

/* The first direction: the caller's, or from A to B. Never zero. */
graze_vec grz_query_direction(const grz_query *query, const grz_obstacle *obstacle);

/* The simplex in the caller's cache, as far as it makes sense for these shapes, in `room`; NULL where no cache counts.
 */
const grz_simplex *grz_query_warm(const grz_query *query, const grz_obstacle *obstacle, grz_simplex *room);

/* Remembers the answer's direction and the last simplex. */
void grz_query_remember(const grz_query *query, const grz_obstacle *obstacle, const grz_simplex *simplex,
                        graze_vec direction);

#endif
