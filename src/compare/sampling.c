/* A cast by discrete sampling, as in engines without continuous detection. It misses contacts between two samples. */
#include "ccd/ccd.h"
#include "shape/motion.h"

#include <graze/compare.h>

enum { SAMPLING_DEFAULT = 64 };

/* Bodies that touch since the start have not collided. */
static bool sampling_collides(graze_relation relation, graze_relation start) {
  return relation != GRAZE_SEPARATED && !(relation == GRAZE_TOUCHING && start == GRAZE_TOUCHING);
}

static graze_status sampling_validate(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                      const graze_motion *motion_b, double t_max, int samples) {
  if (a->status != GRAZE_OK) return a->status;
  if (b->status != GRAZE_OK) return b->status;
  if (samples < 2) return GRAZE_BAD_OPTION;
  graze_status status = grz_motion_validate(a, motion_a);
  if (status == GRAZE_OK) status = grz_motion_validate(b, motion_b);
  return status == GRAZE_OK ? moving_validate(motion_a->velocity, motion_b->velocity, t_max, a->shape.dim) : status;
}

graze_status graze_compare_sampling(void *context, const graze_placed *a, const graze_motion *motion_a,
                                    const graze_placed *b, const graze_motion *motion_b, double t_max,
                                    const graze_cast_options *options, graze_cast_result *result) {
  static const graze_motion rest = {{0, 0, 0}, {0, 0, 0}};
  const int samples = context != NULL ? *(const int *)context : SAMPLING_DEFAULT;
  const graze_cast_options in_force = options ? *options : graze_default_cast_options();
  graze_options still = graze_default_options();
  graze_placed now_a = *a, now_b = *b;
  graze_answer answer;
  grz_cast_result cast;
  double before = 0, t = 0;
  if (motion_a == NULL) motion_a = &rest;
  if (motion_b == NULL) motion_b = &rest;
  graze_status status = sampling_validate(a, motion_a, b, motion_b, t_max, samples);
  if (status != GRAZE_OK) return status;
  still.clearance = in_force.clearance, still.tolerance = in_force.tolerance;
  still.max_iterations = in_force.max_iterations;
  still.workspace = in_force.workspace, still.workspace_size = in_force.workspace_size;
  still.certificate = in_force.certificate;
  status = graze_distance(a, b, &still, &answer);
  if (status != GRAZE_OK) return status;
  still.certificate = NULL;
  cast_result_clear(&cast, GRAZE_ALGORITHM_SAMPLING, answer.conditional);
  cast.cast.iterations = answer.iterations;
  const grz_result start = {.answer = answer};
  cast_result_start(a, b, &start, &cast);
  if (answer.relation != GRAZE_OVERLAPPING) cast_result_miss(&cast);
  for (int i = 1; i < samples && cast.cast.outcome == GRAZE_CLEAR; i++, before = t) {
    t = motion_last_time(t_max) * ((double)i / (samples - 1));
    status = graze_set_pose(&now_a, graze_pose_after(&a->pose, motion_a, t));
    if (status == GRAZE_OK) status = graze_set_pose(&now_b, graze_pose_after(&b->pose, motion_b, t));
    if (status == GRAZE_OK) status = graze_intersect(&now_a, &now_b, &still, &answer);
    if (status != GRAZE_OK) return status;
    cast.cast.iterations += answer.iterations;
    if (!sampling_collides(answer.relation, cast.cast.start_relation)) continue;
    cast_result_times(&cast, GRAZE_HIT, before, t);
    if (graze_distance(&now_a, &now_b, &still, &answer) != GRAZE_OK) continue;
    cast.cast.normal = answer.normal;
    cast.cast.point = vec_scale(vec_add(answer.point_a, answer.point_b), 0.5);
  }
  t = cast.cast.outcome == GRAZE_HIT ? cast.cast.t : motion_last_time(t_max);
  cast.cast.position_a = moving_position(a, motion_a->velocity, t);
  cast.cast.position_b = moving_position(b, motion_b->velocity, t);
  *result = cast.cast;
  return GRAZE_OK;
}
