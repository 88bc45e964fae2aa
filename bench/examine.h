/* What timing does not show: are the answers proved, are they right, how were they found, which was slowest? */
#ifndef GRAZE_BENCH_EXAMINE_H
#define GRAZE_BENCH_EXAMINE_H

#include "judge.h"

typedef struct bench_facts {
  size_t asked;
  size_t exact, undecided, refused; /* refused: by graze_verify() */
  size_t wrong;                     /* on the other side than the workload says */
  size_t outside;                   /* the interval does not hold the reference */
  size_t iterations;
  double widest;    /* upper - lower */
  double error;     /* of the value, against the reference */
  double verify_ns; /* mean */
  double slowest_ns;
  size_t slowest_pair;
} bench_facts;

bench_facts bench_examine(const bench_workload *workload, bench_question question);

double bench_now_ns(void);

#endif
