/* Answers and cast results with their certificates, and queries that fill both. The reference methods of compare.h are
 * methods here, so that one test runs all of them. */
#ifndef TESTS_SUPPORT_PROVED_H
#define TESTS_SUPPORT_PROVED_H

#include <graze/compare.h>
#include <graze/graze.h>

#include <string.h>

/* Anonymous members of a tagged type (-fms-extensions): x.relation and x.certificate. */
__extension__ typedef struct proved_answer {
  struct graze_answer;
  graze_certificate certificate;
} proved_answer;

__extension__ typedef struct proved_cast {
  struct graze_cast_result;
  graze_certificate certificate;
} proved_cast;

/* Values of graze_options::method and graze_cast_options::method for the reference methods. */
#define METHOD_SAT ((graze_method)100)
#define METHOD_BRUTE ((graze_method)101)
#define METHOD_LCCD ((graze_cast_method)102)
#define METHOD_SAMPLING ((graze_cast_method)103)

/* The number of samples of METHOD_SAMPLING. */
static const int proved_samples = 64;

static inline graze_answer *answer_part(proved_answer *x) { return (graze_answer *)(void *)x; }
static inline const graze_answer *const_answer_part(const proved_answer *x) {
  return (const graze_answer *)(const void *)x;
}

static inline graze_status query_by(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                    proved_answer *answer, bool distance) {
  graze_options used = options ? *options : graze_default_options();
  const graze_method method = used.method;
  used.certificate = &answer->certificate;
  if (method == METHOD_SAT || method == METHOD_BRUTE) used.method = GRAZE_METHOD_AUTO;
  if (method == METHOD_SAT) return graze_compare_sat(a, b, &used, answer_part(answer));
  if (method == METHOD_BRUTE) return graze_compare_brute(a, b, &used, answer_part(answer));
  return distance ? graze_distance(a, b, &used, answer_part(answer))
                  : graze_intersect(a, b, &used, answer_part(answer));
}

static inline graze_status query_intersect(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                           proved_answer *answer) {
  return query_by(a, b, options, answer, false);
}

static inline graze_status query_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                          proved_answer *answer) {
  return query_by(a, b, options, answer, true);
}

static inline graze_status verify_answer(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                         const proved_answer *answer) {
  return graze_verify(a, b, options, const_answer_part(answer), &answer->certificate);
}

static inline graze_cast_options cast_by_method(graze_cast_method method) {
  graze_cast_options options = graze_default_cast_options();
  options.method = method;
  return options;
}

static inline graze_status cast_motion(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                       const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                                       proved_cast *out) {
  graze_cast_options used = options ? *options : graze_default_cast_options();
  graze_cast_result *to = (graze_cast_result *)(void *)out;
  const graze_cast_method method = used.method;
  int samples = proved_samples;
  used.certificate = &out->certificate;
  if (method == METHOD_LCCD || method == METHOD_SAMPLING) used.method = GRAZE_CAST_AUTO;
  if (method == METHOD_LCCD) return graze_compare_lccd(NULL, a, motion_a, b, motion_b, t_max, &used, to);
  if (method == METHOD_SAMPLING) return graze_compare_sampling(&samples, a, motion_a, b, motion_b, t_max, &used, to);
  return graze_cast(a, motion_a, b, motion_b, t_max, &used, to);
}

static inline graze_status cast_linear(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                       graze_vec velocity_b, double t_max, const graze_cast_options *options,
                                       proved_cast *out) {
  const graze_motion motion_a = {velocity_a, {0, 0, 0}}, motion_b = {velocity_b, {0, 0, 0}};
  return cast_motion(a, &motion_a, b, &motion_b, t_max, options, out);
}

static inline graze_status cast_ray(const graze_placed *placed, graze_vec origin, graze_vec direction, double t_max,
                                    const graze_cast_options *options, proved_cast *out) {
  graze_cast_options used = options ? *options : graze_default_cast_options();
  used.certificate = &out->certificate;
  return graze_raycast(placed, origin, direction, t_max, &used, (graze_cast_result *)(void *)out);
}

static inline graze_status verify_motion(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                         const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                                         const proved_cast *out) {
  return graze_verify_cast(a, motion_a, b, motion_b, t_max, options, (const graze_cast_result *)(const void *)out,
                           &out->certificate);
}

static inline graze_status verify_linear(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                         graze_vec velocity_b, double t_max, const graze_cast_options *options,
                                         const proved_cast *out) {
  const graze_motion motion_a = {velocity_a, {0, 0, 0}}, motion_b = {velocity_b, {0, 0, 0}};
  return verify_motion(a, &motion_a, b, &motion_b, t_max, options, out);
}

/* The parents of a pair: vertices of polytopes, or points of the certificate. */
static inline graze_vec parent_of(const graze_shape *shape, int32_t index, const graze_vec *points) {
  return index < 0 ? points[-1 - index] : graze_vertex(shape, (size_t)index);
}

/* graze_manifold() into an answer of this type. */
static inline graze_status query_manifold(const graze_placed *a, const graze_placed *b,
                                          const graze_manifold_options *options, proved_answer *answer,
                                          graze_contact *contacts, size_t capacity, size_t *count) {
  memset(answer, 0, sizeof *answer);
  return graze_manifold(a, b, options, answer_part(answer), contacts, capacity, count);
}

#endif
