/* Discrete collision detection, as a method to compare with: what lies between two moments is not seen. */
#include "compound/cast.h"
#include "ccd/cast_result.h"
#include "shape/moving.h"

/* They touch at first, and still do: that is no collision. */
static bool sample_collides(graze_relation relation, graze_relation starts) {
  return relation != GRAZE_SEPARATED && !(relation == GRAZE_TOUCHING && starts == GRAZE_TOUCHING);
}

static graze_status sample_start(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 graze_cast_result *impact) {
  graze_answer start;
  graze_status status = graze_distance(a, b, options, &start);
  if (status != GRAZE_OK) return status;
  impact_blank(impact, GRAZE_ALGORITHM_SAMPLING, start.conditional);
  impact->iterations = start.iterations;
  if (start.relation != GRAZE_SEPARATED) impact_start(a, b, &start, impact);
  impact->certificate = start.certificate;
  return GRAZE_OK;
}

/* At a moment that shows a collision after one that does not. */
static void sample_hit(const graze_placed *a, const graze_placed *b, const graze_options *options,
                       graze_cast_result *impact) {
  graze_answer answer;
  if (graze_distance(a, b, options, &answer) != GRAZE_OK) return;
  impact->normal = answer.normal;
  impact->point = vec_scale(vec_add(answer.point_a, answer.point_b), 0.5);
}

graze_status grz_sample(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                        const graze_motion *motion_b, double t_max, const graze_options *options,
                        graze_cast_result *impact) {
  graze_options inner = *options;
  graze_placed now_a = *a, now_b = *b;
  graze_answer answer;
  double before = 0, t = 0;
  inner.method = GRAZE_METHOD_AUTO;
  graze_status status = sample_start(a, b, &inner, impact);
  if (status != GRAZE_OK || impact->result == GRAZE_HIT) return status;
  impact_clear(impact);
  impact->certificate.kind = GRAZE_CERTIFICATE_NONE;
  for (int i = 1; i < inner.samples && impact->result == GRAZE_CLEAR; i++, before = t) {
    t = moving_last(t_max) * ((double)i / (inner.samples - 1));
    status = graze_set_pose(&now_a, graze_pose_after(&a->pose, motion_a, t));
    if (status == GRAZE_OK) status = graze_set_pose(&now_b, graze_pose_after(&b->pose, motion_b, t));
    if (status == GRAZE_OK) status = graze_intersect(&now_a, &now_b, &inner, &answer);
    if (status != GRAZE_OK) return status;
    impact->iterations += answer.iterations;
    if (!sample_collides(answer.relation, impact->starts)) continue;
    impact_times(impact, GRAZE_HIT, before, t);
    sample_hit(&now_a, &now_b, &inner, impact);
  }
  t = impact->result == GRAZE_HIT ? impact->t : moving_last(t_max);
  impact->position_a = moving_position(a, motion_a->velocity, t);
  impact->position_b = moving_position(b, motion_b->velocity, t);
  return GRAZE_OK;
}
