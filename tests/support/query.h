/* Queries that must succeed: each asserts GRAZE_OK and that the verifier accepts the answer. */
#ifndef TESTS_SUPPORT_QUERY_H
#define TESTS_SUPPORT_QUERY_H

#include <graze/graze.h>

#include "support/geometry.h"
#include "support/proved.h"
#include "support/test.h"

/* graze_place() of a shape that must be valid; the shape must outlive the result. */
static inline graze_placed place(const graze_shape *shape, graze_pose pose) {
  const graze_placed placed = graze_place(shape, pose);
  assert_int_equal(placed.status, GRAZE_OK);
  return placed;
}

/* The same for a shape that need not outlive the result. */
static inline graze_placed posed(graze_shape shape, graze_pose pose) { return place(&shape, pose); }

/* `options`: NULL for the defaults. GRAZE_UNPROVEN is accepted for answers without a complete proof: depths without a
 * surface, compounds without the proofs of all parts. */
static inline void assert_verified(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                   const proved_answer *answer) {
  const graze_status status = verify_answer(a, b, options, answer);
  if (status != GRAZE_OK && status != GRAZE_UNPROVEN) fail_msg("graze_verify: %s", graze_status_text(status));
}

static inline proved_answer intersect(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  proved_answer answer;
  memset(&answer, 0, sizeof answer);
  assert_int_equal(query_intersect(a, b, options, &answer), GRAZE_OK);
  assert_verified(a, b, options, &answer);
  return answer;
}

static inline proved_answer distance(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  proved_answer answer;
  memset(&answer, 0, sizeof answer);
  assert_int_equal(query_distance(a, b, options, &answer), GRAZE_OK);
  assert_verified(a, b, options, &answer);
  return answer;
}

static inline graze_options by_method(graze_method method) {
  graze_options options = graze_default_options();
  options.method = method;
  return options;
}

/* Options with a workspace and a surface, so that every depth is proved: valid until the next call. */
static inline graze_options proving(const graze_options *options) {
  static double workspace[1 << 18];
  static graze_surface surface;
  graze_options proved = options ? *options : graze_default_options();
  proved.workspace = workspace, proved.workspace_size = sizeof workspace;
  proved.surface = &surface;
  return proved;
}

/* As distance(), with the surface that proves a depth: the verifier must accept the answer. */
static inline proved_answer proved_distance(const graze_placed *a, const graze_placed *b,
                                            const graze_options *options) {
  const graze_options proved = proving(options);
  proved_answer answer;
  memset(&answer, 0, sizeof answer);
  assert_int_equal(query_distance(a, b, &proved, &answer), GRAZE_OK);
  assert_int_equal(verify_answer(a, b, &proved, &answer), GRAZE_OK);
  return answer;
}

/* graze_cast(), which must succeed, and whose certificate must be accepted. */
static inline proved_cast verified_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                        graze_vec velocity_b, double t_max, const graze_cast_options *options) {
  proved_cast proved;
  memset(&proved, 0, sizeof proved);
  assert_int_equal(cast_linear(a, velocity_a, b, velocity_b, t_max, options, &proved), GRAZE_OK);
  assert_int_equal(verify_linear(a, velocity_a, b, velocity_b, t_max, options, &proved), GRAZE_OK);
  return proved;
}

#endif
