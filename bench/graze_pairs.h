/* A workload as placed shapes of Graze. */
#ifndef GRAZE_BENCH_GRAZE_PAIRS_H
#define GRAZE_BENCH_GRAZE_PAIRS_H

#include "contestant.h"

#include <graze/graze.h>

typedef struct graze_pairs {
  graze_placed *placed; /* two per pair */
  const bench_pair *pairs;
  graze_options options;
  bool sat;                      /* use graze_compare_sat() */
  graze_cache cache;             /* one cache: all pairs are frames of the same two bodies */
  graze_certificate certificate; /* of the last query */
  graze_surface surface;         /* proves a depth; lies in the workspace */
  void *workspace;
} graze_pairs;

/* A shape of a pair at a given position. */
graze_placed bench_graze_place(const bench_workload *workload, size_t pair, int side, const double position[3]);

/* Exits if the query fails: workloads contain valid pairs only. Writes the certificate, except that of a manifold. */
void bench_graze_query(const graze_pairs *scene, size_t pair, bench_query query, graze_answer *answer);

/* The first contact, without the smallest distance of pairs that miss. Writes the certificate. */
void bench_graze_cast(const graze_pairs *scene, size_t pair, graze_cast_result *cast);

/* graze_verify_cast() of the last cast. */
graze_status bench_graze_verify_cast(const graze_pairs *scene, size_t pair, const graze_cast_result *cast);

/* As bench_graze_query(), with the surface that proves a depth. It is valid until the next call. A manifold is answered
 * by its distance. */
void bench_graze_query_proof(graze_pairs *scene, size_t pair, bench_query query, graze_answer *answer);

#endif
