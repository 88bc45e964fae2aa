/* Filling graze_cast_result, whatever the motion. */
#ifndef GRAZE_CCD_CAST_RESULT_H
#define GRAZE_CCD_CAST_RESULT_H

#include "shape/placed.h"

/* Nothing is known, by this path. */
static inline void impact_blank(graze_cast_result *impact, graze_algorithm path, bool conditional) {
  const double nan = __builtin_nan("");
  const graze_vec none = {nan, nan, nan};
  graze_certificate *proof = &impact->certificate;
  impact->result = GRAZE_POSSIBLE;
  impact->starts = GRAZE_SEPARATED;
  impact->algorithm = path;
  impact->stopped = GRAZE_STOP_NONE;
  impact->iterations = 0;
  impact->exact = false;
  impact->conditional = conditional;
  impact->part_a = impact->part_b = 0;
  proof->kind = GRAZE_CERTIFICATE_NONE;
  proof->direction.form = GRAZE_DIRECTION_NONE;
  proof->direction.count = proof->pair_count = 0;
  proof->vertex = -1;
  proof->depth_proof = GRAZE_DEPTH_BY_PAIRS;
  proof->surface = NULL;
  impact->t = impact->t_lower = impact->t_upper = nan;
  impact->min_lower = impact->min_upper = impact->t_min = nan;
  impact->point = impact->normal = none;
  impact->steps = NULL;
  impact->step_count = 0;
}

static inline void impact_times(graze_cast_result *impact, graze_cast_outcome result, double from, double to) {
  impact->result = result;
  impact->t = impact->t_lower = from;
  impact->t_upper = to;
}

/* Sets `stopped` where the bracket of a hit is wider than promised. */
static inline void impact_check_width(graze_cast_result *impact, double promised) {
  if (impact->t_upper - impact->t_lower > promised) impact->stopped = GRAZE_STOP_PRECISION;
}

/* No contact: no point, no normal. */
static inline void impact_clear(graze_cast_result *impact) {
  const double nan = __builtin_nan("");
  impact->result = GRAZE_CLEAR;
  impact->point = impact->normal = vec_make(nan, nan, nan);
}

/* Not surely apart at first: what the answer about the start says. Overlapping, they hit at 0. */
static inline void impact_start(const graze_placed *a, const graze_placed *b, const graze_answer *start,
                                graze_cast_result *impact) {
  impact->starts = start->relation;
  impact->stopped = start->stopped;
  impact->exact = start->exact;
  impact->part_a = start->part_a, impact->part_b = start->part_b;
  impact->normal = start->normal;
  impact->point = vec_scale(vec_add(start->point_a, start->point_b), 0.5);
  impact->position_a = placed_reference_point(a), impact->position_b = placed_reference_point(b);
  impact->certificate = start->certificate;
  if (start->relation == GRAZE_OVERLAPPING) impact_times(impact, GRAZE_HIT, 0, 0);
}

#endif
