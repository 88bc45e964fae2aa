/* Two shapes with arbitrary motions. No two methods contradict each other, the verifier refutes no result, and the
 * shapes do not overlap deeply at times that a result reports as free. */
#include "bytes.h"

#include <graze/compare.h>

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 256, TIMES = 5 };

/* The methods: those of graze_cast_method, then those of compare.h. */
enum { LCCD = GRAZE_CAST_CA + 1, SAMPLING };

static graze_cast_step steps[STEPS];

static void require(bool ok, const char *what, int method) {
  if (ok) return;
  fprintf(stderr, "FAILED: %s, by method %d\n", what, method);
  abort();
}

static graze_motion next_motion(bytes *in, int dim) {
  graze_motion motion = {next_vec(in, dim), {0, 0, 0}};
  if (next_byte(in) % 4 == 0) return motion;
  motion.angular = next_vec(in, 3);
  if (dim == 2) motion.angular.x = motion.angular.y = 0;
  return motion;
}

static double length(graze_vec v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/* A generous bound of the rounding error of a pose at time t. */
static double pose_error(const graze_placed *p, const graze_motion *m, double t) {
  graze_aabb bounds;
  if (graze_bounds(p, &bounds) != GRAZE_OK) return INFINITY;
  double size = length(bounds.min) + length(bounds.max) + length(p->pose.position) + length(m->velocity) * t;
  return 1e-9 * size * (1 + length(m->angular) * t);
}

static bool overlaps_deeply(const query *s, const graze_motion motion[2], double t) {
  graze_placed a = s->a, b = s->b;
  graze_answer answer;
  if (graze_set_pose(&a, graze_pose_after(&a.pose, &motion[0], t)) != GRAZE_OK) return false;
  if (graze_set_pose(&b, graze_pose_after(&b.pose, &motion[1], t)) != GRAZE_OK) return false;
  if (graze_distance(&a, &b, &s->options, &answer) != GRAZE_OK || answer.relation != GRAZE_OVERLAPPING) return false;
  return answer.upper < -(pose_error(&s->a, &motion[0], t) + pose_error(&s->b, &motion[1], t));
}

static void check_times(const graze_cast_result *x, double t_max, int method) {
  if (x->outcome == GRAZE_CLEAR) {
    require(x->t != x->t && x->t_lower != x->t_lower && x->t_upper != x->t_upper, "clear has no time", method);
    require(x->start_relation != GRAZE_OVERLAPPING, "clear does not start overlapping", method);
    return;
  }
  require(x->t == x->t_lower && x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= t_max, "times in order",
          method);
}

static void check_free(const query *s, const graze_motion motion[2], double t_max, const graze_cast_result *x,
                       int method) {
  const double until = x->outcome == GRAZE_CLEAR ? fmin(t_max, 1e30) : x->t_lower;
  if (method == SAMPLING || x->conditional || until == 0) return;
  for (int i = 0; i < TIMES; i++)
    require(!overlaps_deeply(s, motion, until * i / (TIMES - 1)), "free until then", method);
}

/* Checks two results for contradictions. */
static void check_both(const graze_cast_result *x, const graze_cast_result *y, int method) {
  if (x->conditional) return;
  require(!(x->outcome == GRAZE_HIT && y->outcome == GRAZE_CLEAR), "no hit where it is clear", method);
  require(!(y->outcome == GRAZE_HIT && x->outcome == GRAZE_CLEAR), "not clear where it is a hit", method);
  if (x->outcome != GRAZE_HIT || y->outcome != GRAZE_HIT) return;
  require(x->t_lower <= y->t_upper && y->t_lower <= x->t_upper, "one time", method);
}

static graze_status run_method(const query *s, const graze_motion motion[2], double t_max, int method,
                               graze_cast_result *x) {
  graze_cast_options options = graze_default_cast_options();
  graze_certificate certificate;
  graze_status status;
  int samples = 8;
  options.clearance = s->options.clearance, options.tolerance = s->options.tolerance;
  options.max_iterations = s->options.max_iterations;
  options.certificate = &certificate;
  if (method < LCCD) options.method = (graze_cast_method)method;
  if (method == GRAZE_CAST_SWEEP) options.steps = steps, options.step_capacity = STEPS;
  if (method == LCCD)
    status = graze_compare_lccd(NULL, &s->a, &motion[0], &s->b, &motion[1], t_max, &options, x);
  else if (method == SAMPLING)
    status = graze_compare_sampling(&samples, &s->a, &motion[0], &s->b, &motion[1], t_max, &options, x);
  else
    status = graze_cast(&s->a, &motion[0], &s->b, &motion[1], t_max, &options, x);
  if (status != GRAZE_OK) return status;
  require(certificate.step_count <= STEPS, "step_count <= capacity", method);
  check_times(x, t_max, method);
  check_free(s, motion, t_max, x, method);
  require(graze_verify_cast(&s->a, &motion[0], &s->b, &motion[1], t_max, &options, x, &certificate) != GRAZE_REFUTED,
          "not refuted", method);
  return GRAZE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  query s;
  graze_cast_result first, other;
  next_query(&in, &s);
  const graze_motion motion[2] = {next_motion(&in, s.a.shape.dim), next_motion(&in, s.b.shape.dim)};
  const double t_max = next_byte(&in) % 8 == 0 ? INFINITY : next_size(&in);
  if (run_method(&s, motion, t_max, GRAZE_CAST_AUTO, &first) != GRAZE_OK) return 0;
  for (int method = GRAZE_CAST_FCCD; method <= SAMPLING; method++) {
    if (run_method(&s, motion, t_max, method, &other) == GRAZE_OK && method != SAMPLING)
      check_both(&first, &other, method);
  }
  return 0;
}
