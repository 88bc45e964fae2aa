/* The errors of contestants: their answers are compared with the best known value of each pair. */
#ifndef GRAZE_BENCH_ERRORS_H
#define GRAZE_BENCH_ERRORS_H

#include "contestant.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_CATEGORIES = 10 };

/* The allowed errors in doubles and in floats. */
#define BENCH_ERROR 1e-9
#define BENCH_SINGLE_ERROR 1e-5

/* Counts of wrong answers. side: wrong relation or no answer; for casts, a wrong hit or miss. value: an error above the
 * allowed one. normal: the overlap along the normal exceeds the depth by more than the allowed error. */
typedef struct bench_errors {
  size_t side, value, normal;
  double worst; /* largest error of values on the right side */
} bench_errors;

typedef struct bench_error_report {
  bench_errors total, category[BENCH_CATEGORIES];
  double p999; /* the 99.9 % quantile of the errors on the right side */
  bool right;  /* no side is wrong, and p999 is within the allowed error */
  double ns;   /* mean time of a query in this run */
} bench_error_report;

/* Fills workload->truth: from the reference file, for polygons by truth.h, otherwise from answers of Graze that
 * graze_verify() accepts. Fills workload->contact by truth.h. */
void bench_compute_truth(bench_workload *workload);

/* A description of the reference of a query. */
const char *bench_truth_source(const bench_workload *workload, bench_query query);

/* Whether a query is run for this pair. Distance: separated pairs; depth: the others; if the truth is unknown, the mark
 * in the file decides. Manifold: as depth, only in 2D. Casts: moving pairs; in 3D these have no other query. */
bool bench_is_queried(const bench_workload *workload, size_t pair, bench_query query);

/* Runs the query once for each pair. `list`: the number of wrong answers to print. */
bench_error_report bench_measure_errors(const bench_workload *workload, const bench_contestant *contestant, void *scene,
                                        bench_query query, const uint32_t *pairs, size_t count, size_t list);

#ifdef __cplusplus
}
#endif

#endif
