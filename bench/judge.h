/* Who is right? Every contestant's answers are compared with the best that is known of each pair. */
#ifndef GRAZE_BENCH_JUDGE_H
#define GRAZE_BENCH_JUDGE_H

#include "contestant.h"

enum { BENCH_CATEGORIES = 10 };

/* Wrong answers: on the wrong side, or none; values off by more than 1e-6 of the truth, or of 1e-3 where that is more;
 * normals along which the shapes overlap by that much more than they need. */
typedef struct bench_errors {
  size_t side, value, normal;
  double worst; /* of the values on the right side */
} bench_errors;

typedef struct bench_verdict {
  bench_errors total, category[BENCH_CATEGORIES];
} bench_verdict;

/* Fills workload->truth: from the reference file, else from answers of Graze that graze_verify() accepts. */
void bench_find_truth(bench_workload *workload);

/* Is this pair among those the question is asked of? Distance: those that are separated, depth: those that are not; by
 * their marks where the truth is not known. */
bool bench_asked(const bench_workload *workload, size_t pair, bench_question question);

/* `list`: how many wrong answers to print. */
bench_verdict bench_judge(const bench_workload *workload, const bench_contestant *contestant, void *scene,
                          bench_question question, size_t list);

#endif
