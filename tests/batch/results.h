/* The answers of a batch as an array of structs. Include it first: it declares setenv(). */
#ifndef TESTS_BATCH_RESULTS_H
#define TESTS_BATCH_RESULTS_H

#define _POSIX_C_SOURCE 200112L

#include <graze/batch.h>

#include "support/test.h"

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

/* Values of GRAZE_SIMD. An instruction set that the machine lacks is ignored. */
static const char *const instruction_sets[] = {"portable", "sse2", "avx2", "avx512", "neon"};

/* Runs a batch with every instruction set and checks that the results are the same. `first` receives the results of
 * graze_batch_distance(), `measured` its counts, `counts` those of graze_batch_intersect(). */
static inline void query_by_all(const graze_batch *batch, result *first, graze_batch_counts *measured,
                                graze_batch_counts *counts) {
  const size_t n = batch->count;
  result *other = malloc(n * sizeof *other);
  for (size_t k = 0; k < COUNT(instruction_sets); k++) {
    const graze_batch_answers answers = into(k ? other : first),
                              only = {.relation = &other->relation, .relation_stride = sizeof *other};
    memset(k ? other : first, 0, n * sizeof *other);
    assert_int_equal(setenv("GRAZE_SIMD", instruction_sets[k], 1), 0);
    assert_int_equal(graze_batch_distance(batch, &answers, measured, NULL), GRAZE_OK);
    if (k > 0) assert_memory_equal(first, other, n * sizeof *first);
    for (size_t i = 0; i < n; i++) other[i].relation = 77;
    assert_int_equal(graze_batch_intersect(batch, &only, counts, NULL), GRAZE_OK);
    for (size_t i = 0; i < n; i++) assert_int_equal(other[i].relation, first[i].relation);
    assert_int_equal(measured->by_simd + measured->one_by_one, n);
    assert_int_equal(counts->by_simd + counts->one_by_one, n);
  }
  assert_int_equal(unsetenv("GRAZE_SIMD"), 0);
  free(other);
}

#endif
