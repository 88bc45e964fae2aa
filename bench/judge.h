/* Who is right? Every contestant's answers are compared with the best that is known of each pair. */
#ifndef GRAZE_BENCH_JUDGE_H
#define GRAZE_BENCH_JUDGE_H

#include "contestant.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_CATEGORIES = 10 };

/* Whoever errs by more is wrong: in doubles, in floats. */
#define BENCH_ERROR 1e-9
#define BENCH_SINGLE_ERROR 1e-5

/* Wrong answers: on the wrong side, or none; values off by more than the error above; normals along which the shapes
 * overlap by that much more than they need. Casts: a hit where there is none, or none where there is; times off. */
typedef struct bench_errors {
  size_t side, value, normal;
  double worst; /* of the values on the right side */
} bench_errors;

typedef struct bench_verdict {
  bench_errors total, category[BENCH_CATEGORIES];
  double most; /* all but one in a thousand of the values on the right side are nearer than this */
  bool right;  /* no side is wrong, and `most` is no larger than the error above */
  double ns;   /* what a question took, this once */
} bench_verdict;

/* Fills workload->truth, from the reference file, of polygons by truth.h, else from answers of Graze that
 * graze_verify() accepts; and workload->contact, by truth.h. */
void bench_find_truth(bench_workload *workload);

/* What the answers to a question are compared with, in words. */
const char *bench_truth_source(const bench_workload *workload, bench_question question);

/* Is this pair among those the question is asked of? Distance: those that are separated, depth: those that are not; by
 * their marks where the truth is not known. Manifold: as depth, but only in 2D. Casts: all that move; in 3D those are
 * asked for nothing else. */
bool bench_asked(const bench_workload *workload, size_t pair, bench_question question);

/* Asks each of these pairs once. `list`: how many wrong answers to print. */
bench_verdict bench_judge(const bench_workload *workload, const bench_contestant *contestant, void *scene,
                          bench_question question, const uint32_t *pairs, size_t count, size_t list);

#ifdef __cplusplus
}
#endif

#endif
