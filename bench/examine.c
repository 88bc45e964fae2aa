/* Every answer of Graze is verified once, compared with what is known about the pair, and timed on its own. */
#define _POSIX_C_SOURCE 199309L
#include "examine.h"

#include "graze_scene.h"

#include <math.h>
#include <time.h>

/* Nearer to touching than this, a pair's side is not asserted: the reference is a rounded number. */
#define SIDE_KNOWN 1e-15
#define REFERENCE_ROUNDED 1e-15

double bench_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Without a reference, only those made to be separated are known: near the border of a hull that does not hold its own
 * origin, what was made to overlap may not. */
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

/* The best of three: one alone may have been interrupted. */
static double examine_time(const graze_scene *scene, size_t pair, bench_question question) {
  double best = HUGE_VAL;
  graze_answer answer;
  for (int i = 0; i < 3; i++) {
    double start = bench_now_ns();
    bench_graze_ask(scene, pair, question, &answer);
    best = fmin(best, bench_now_ns() - start);
  }
  return best;
}

/* A reference is a rounded number, known about as well as its last digits. */
static void examine_compare(const double reference[2], const graze_answer *answer, bench_facts *facts) {
  double slack = fabs(reference[1]) + REFERENCE_ROUNDED * fmax(1, fabs(reference[0]));
  if (isnan(reference[0])) return;
  facts->outside += !(answer->lower - slack <= reference[0] && reference[0] <= answer->upper + slack);
  facts->error = fmax(facts->error, fabs(answer->distance - reference[0]));
}

static void examine_pair(const bench_workload *workload, graze_scene *scene, size_t pair, bench_question question,
                         bench_facts *facts) {
  graze_answer answer;
  bench_graze_prove(scene, pair, question, &answer);
  facts->asked++;
  facts->exact += answer.exact;
  facts->undecided += answer.relation == GRAZE_UNDECIDED;
  facts->iterations += (size_t)answer.iterations;
  facts->wrong += examine_is_wrong(workload, pair, answer.relation);
  double start = bench_now_ns();
  graze_status status = graze_verify(&scene->placed[2 * pair], &scene->placed[2 * pair + 1], &scene->options, &answer);
  facts->verify_ns += bench_now_ns() - start;
  facts->refused += status != GRAZE_OK;
  double time = examine_time(scene, pair, question);
  if (time > facts->slowest_ns) facts->slowest_ns = time, facts->slowest_pair = pair;
  if (question == BENCH_INTERSECT) return;
  facts->widest = fmax(facts->widest, answer.upper - answer.lower);
  if (workload->reference) examine_compare(&workload->reference[2 * pair], &answer, facts);
}

bench_facts bench_examine(const bench_workload *workload, bench_question question) {
  bench_facts facts = {.asked = 0};
  graze_scene *scene = bench_graze.prepare(workload);
  for (size_t i = 0; i < workload->pair_count; i++) {
    if (bench_asked(workload, i, question)) examine_pair(workload, scene, i, question, &facts);
  }
  if (facts.asked > 0) facts.verify_ns /= (double)facts.asked;
  bench_graze.release(scene);
  return facts;
}
