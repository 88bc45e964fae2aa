/* The answers of a batch as an array of structs. */
#ifndef TESTS_BATCH_RESULTS_H
#define TESTS_BATCH_RESULTS_H

#include <graze/batch.h>

typedef struct result {
  uint8_t relation, result;
  double distance, lower, upper, t_lower, t_upper;
  graze_vec normal, point_a, point_b;
} result;

static inline graze_batch_answers into(result *r) {
  const size_t stride = sizeof *r;
  return (graze_batch_answers){&r->relation, stride,     &r->distance, &r->lower,   &r->upper, stride, stride,
                               stride,       &r->normal, &r->point_a,  &r->point_b, stride,    stride, stride,
                               &r->result,   stride,     &r->t_lower,  &r->t_upper, stride,    stride};
}

/* Values of GRAZE_LANES. A set of registers that the machine lacks is ignored. */
static const char *const register_sets[] = {"portable", "sse2", "avx2", "avx512", "neon"};

#endif
