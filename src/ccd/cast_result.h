/* Functions that fill a grz_cast_result, for all kinds of motion. */
#ifndef GRAZE_CCD_CAST_RESULT_H
#define GRAZE_CCD_CAST_RESULT_H

#include "narrow/result.h"
#include "shape/placed.h"

/* Initializes a result in which nothing is known. */
static inline void cast_result_clear(grz_cast_result *result, graze_algorithm path, bool conditional) {
  const double nan = __builtin_nan("");
  const graze_vec none = {nan, nan, nan};
  grz_proof *proof = &result->proof;
  result->cast.outcome = GRAZE_POSSIBLE;
  result->cast.start_relation = GRAZE_SEPARATED;
  result->cast.algorithm = path;
  result->cast.stopped = GRAZE_STOP_NONE;
  result->cast.iterations = 0;
  result->cast.exact = false;
  result->cast.conditional = conditional;
  result->cast.part_a = result->cast.part_b = 0;
  proof->kind = GRAZE_CERTIFICATE_NONE;
  proof->direction.form = GRAZE_DIRECTION_NONE;
  proof->direction.count = proof->pair_count = 0;
  proof->vertex = -1;
  proof->depth_proof = GRAZE_DEPTH_BY_PAIRS;
  proof->surface = NULL;
  result->cast.t = result->cast.t_lower = result->cast.t_upper = nan;
  result->cast.min_lower = result->cast.min_upper = result->cast.t_min = nan;
  result->cast.point = result->cast.normal = none;
  result->steps = NULL;
  result->step_count = 0;
}

static inline void cast_result_times(grz_cast_result *result, graze_cast_outcome outcome, double from, double to) {
  result->cast.outcome = outcome;
  result->cast.t = result->cast.t_lower = from;
  result->cast.t_upper = to;
}

/* Sets `stopped` if the bracket of a hit is wider than promised. */
static inline void cast_result_check_width(grz_cast_result *result, double promised) {
  if (result->cast.t_upper - result->cast.t_lower > promised) result->cast.stopped = GRAZE_STOP_PRECISION;
}

/* Reports no contact; point and normal are undefined. */
static inline void cast_result_miss(grz_cast_result *result) {
  const double nan = __builtin_nan("");
  result->cast.outcome = GRAZE_CLEAR;
  result->cast.point = result->cast.normal = vec_make(nan, nan, nan);
}

/* Copies the result of the query at the start, if the bodies are not certainly separated there. Overlapping bodies
 * hit at time 0. */
static inline void cast_result_start(const graze_placed *a, const graze_placed *b, const grz_result *start,
                                     grz_cast_result *result) {
  result->cast.start_relation = start->answer.relation;
  result->cast.stopped = start->answer.stopped;
  result->cast.exact = start->answer.exact;
  result->cast.part_a = start->answer.part_a, result->cast.part_b = start->answer.part_b;
  result->cast.normal = start->answer.normal;
  result->cast.point = vec_scale(vec_add(start->answer.point_a, start->answer.point_b), 0.5);
  result->cast.position_a = placed_reference_point(a), result->cast.position_b = placed_reference_point(b);
  result->proof = start->proof;
  if (start->answer.relation == GRAZE_OVERLAPPING) cast_result_times(result, GRAZE_HIT, 0, 0);
}

#endif
