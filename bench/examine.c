/* Quality of Graze's answers: each is verified, compared with the known value of the pair, and timed individually.
 * Prints a JSON object per query.
 *
 *   examine [--pairs COUNT] FOLDER CELL …        COUNT: the first pairs of each workload */
#define _POSIX_C_SOURCE 199309L
#include "graze_pairs.h"
#include "errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Closer to touching than this, the side is not checked: the reference is rounded. */
#define SIDE_KNOWN 1e-15
#define REFERENCE_ROUNDED 1e-15
/* The error of a reference time: extended precision and the last digit of the double. */
#define CONTACT_ROUNDED 2e-16

typedef struct bench_facts {
  size_t queried;
  size_t exact, undecided, rejected; /* rejected: by graze_verify() */
  size_t wrong;                      /* on the other side than the workload's mark */
  size_t outside;                    /* the interval does not contain the reference */
  size_t iterations;
  double widest;    /* upper - lower */
  double error;     /* largest difference from the reference */
  double verify_ns; /* mean */
  double slowest_ns;
  size_t slowest_pair;
} bench_facts;

static double examine_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Without a reference, only pairs constructed as separated are certain: a hull that does not contain its origin may be
 * separated although the pair was constructed to overlap. */
static bool examine_is_wrong(const bench_workload *workload, size_t pair, graze_relation relation) {
  bool separated = workload->pairs[pair].separated;
  if (workload->reference) {
    double known = workload->reference[2 * pair];
    if (!(fabs(known) > SIDE_KNOWN)) return false;
    separated = known > 0;
  } else if (!separated) {
    return false;
  }
  return relation == (separated ? GRAZE_OVERLAPPING : GRAZE_SEPARATED) || relation == GRAZE_TOUCHING;
}

/* The best of three, because one may be interrupted. */
static double examine_time(const graze_pairs *scene, size_t pair, bench_query query) {
  double best = HUGE_VAL;
  graze_answer answer;
  graze_cast_result cast;
  for (int i = 0; i < 3; i++) {
    double start = examine_now_ns();
    if (query == BENCH_CAST)
      bench_graze_cast(scene, pair, &cast);
    else
      bench_graze_query(scene, pair, query, &answer);
    best = fmin(best, examine_now_ns() - start);
  }
  return best;
}

static void examine_slowest(const graze_pairs *scene, size_t pair, bench_query query, bench_facts *facts) {
  double time = examine_time(scene, pair, query);
  if (time > facts->slowest_ns) facts->slowest_ns = time, facts->slowest_pair = pair;
}

/* Outside: the interval does not contain the reference time. */
static void examine_cast(const bench_workload *workload, graze_pairs *scene, size_t pair, bench_facts *facts) {
  graze_cast_result cast;
  double known = workload->contact[pair];
  bench_graze_cast(scene, pair, &cast);
  facts->queried++;
  facts->exact += cast.exact;
  facts->undecided += cast.outcome == GRAZE_POSSIBLE;
  facts->iterations += (size_t)cast.iterations;
  double start = examine_now_ns();
  graze_status status = bench_graze_verify_cast(scene, pair, &cast);
  facts->verify_ns += examine_now_ns() - start;
  facts->rejected += status != GRAZE_OK;
  examine_slowest(scene, pair, BENCH_CAST, facts);
  if (isnan(known)) return;
  facts->wrong += (known <= 1) != (cast.outcome == GRAZE_HIT);
  if (known > 1 || cast.outcome != GRAZE_HIT) return;
  facts->widest = fmax(facts->widest, cast.t_upper - cast.t_lower);
  facts->outside += !(cast.t_lower - CONTACT_ROUNDED <= known && known <= cast.t_upper + CONTACT_ROUNDED);
  facts->error = fmax(facts->error, fabs(cast.t - known));
}

/* A reference is rounded: its error is about its last digits. */
static void examine_compare(const double reference[2], const graze_answer *answer, bench_facts *facts) {
  double slack = fabs(reference[1]) + REFERENCE_ROUNDED * fmax(1, fabs(reference[0]));
  if (isnan(reference[0])) return;
  facts->outside += !(answer->lower - slack <= reference[0] && reference[0] <= answer->upper + slack);
  facts->error = fmax(facts->error, fabs(answer->distance - reference[0]));
}

static void examine_pair(const bench_workload *workload, graze_pairs *scene, size_t pair, bench_query query,
                         bench_facts *facts) {
  graze_answer answer;
  bench_graze_query_proof(scene, pair, query, &answer);
  facts->queried++;
  facts->exact += answer.exact;
  facts->undecided += answer.relation == GRAZE_UNDECIDED;
  facts->iterations += (size_t)answer.iterations;
  facts->wrong += examine_is_wrong(workload, pair, answer.relation);
  double start = examine_now_ns();
  graze_status status = graze_verify(&scene->placed[2 * pair], &scene->placed[2 * pair + 1], &scene->options, &answer,
                                     &scene->certificate);
  facts->verify_ns += examine_now_ns() - start;
  facts->rejected += status != GRAZE_OK;
  examine_slowest(scene, pair, query, facts);
  if (query == BENCH_INTERSECT) return;
  facts->widest = fmax(facts->widest, answer.upper - answer.lower);
  if (workload->reference) examine_compare(&workload->reference[2 * pair], &answer, facts);
}

static bench_facts examine(const bench_workload *workload, bench_query query) {
  bench_facts facts = {.queried = 0};
  graze_pairs *scene = bench_graze.prepare(workload);
  for (size_t i = 0; i < workload->pair_count; i++) {
    if (!bench_is_queried(workload, i, query)) continue;
    if (query == BENCH_CAST)
      examine_cast(workload, scene, i, &facts);
    else
      examine_pair(workload, scene, i, query, &facts);
  }
  if (facts.queried > 0) facts.verify_ns /= (double)facts.queried;
  bench_graze.release(scene);
  return facts;
}

static void examine_print(const bench_workload *workload, bench_query query, const bench_facts *f) {
  printf(
      "{\"name\": \"%s/%s\", \"queried\": %zu, \"exact\": %zu, \"undecided\": %zu, \"rejected\": %zu, \"wrong\": %zu, "
      "\"iterations\": %.2f, \"verify_ns\": %.0f, \"slowest_ns\": %.0f, \"slowest_pair\": %zu",
      workload->name, bench_query_names[query], f->queried, f->exact, f->undecided, f->rejected, f->wrong,
      (double)f->iterations / (double)f->queried, f->verify_ns, f->slowest_ns, f->slowest_pair);
  if (query != BENCH_INTERSECT) printf(", \"widest\": %.3e", f->widest);
  if (query == BENCH_CAST || (query != BENCH_INTERSECT && workload->reference))
    printf(", \"error\": %.3e, \"outside\": %zu", f->error, f->outside);
  printf("}\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  size_t most = SIZE_MAX;
  int at = 1;
  if (argc > 2 && strcmp(argv[1], "--pairs") == 0) most = (size_t)strtoul(argv[2], NULL, 10), at = 3;
  if (argc < at + 2) {
    fprintf(stderr, "usage: examine [--pairs COUNT] FOLDER CELL ...\n");
    return 2;
  }
  for (int i = at + 1; i < argc; i++) {
    bench_workload *workload = bench_load(argv[at], argv[i]);
    if (workload->pair_count > most) workload->pair_count = most;
    bench_compute_truth(workload);
    for (bench_query query = BENCH_INTERSECT; query < BENCH_QUERIES; query++) {
      const bench_facts facts = examine(workload, query);
      if (facts.queried > 0) examine_print(workload, query, &facts);
    }
    bench_free(workload);
  }
  return 0;
}
