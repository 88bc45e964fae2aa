/* What timing does not show of Graze: every answer is verified once, compared with what is known about the pair, and
 * timed on its own. One JSON object for each question.
 *
 *   examine [--pairs COUNT] FOLDER CELL …        COUNT: the first so many of each workload */
#define _POSIX_C_SOURCE 199309L
#include "graze_scene.h"
#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Nearer to touching than this, a pair's side is not asserted: the reference is a rounded number. */
#define SIDE_KNOWN 1e-15
#define REFERENCE_ROUNDED 1e-15
/* Of a time found on all axes: the extended precision and the last digit of the double. */
#define CONTACT_ROUNDED 2e-16

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

static double examine_now_ns(void) {
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
  graze_cast_result impact;
  for (int i = 0; i < 3; i++) {
    double start = examine_now_ns();
    if (question == BENCH_CAST)
      bench_graze_cast(scene, pair, &impact);
    else
      bench_graze_ask(scene, pair, question, &answer);
    best = fmin(best, examine_now_ns() - start);
  }
  return best;
}

static void examine_slowest(const graze_scene *scene, size_t pair, bench_question question, bench_facts *facts) {
  double time = examine_time(scene, pair, question);
  if (time > facts->slowest_ns) facts->slowest_ns = time, facts->slowest_pair = pair;
}

/* Outside: the bracket does not hold the time that was found on all axes. */
static void examine_cast(const bench_workload *workload, const graze_scene *scene, size_t pair, bench_facts *facts) {
  graze_cast_result impact;
  double known = workload->contact[pair];
  bench_graze_cast(scene, pair, &impact);
  facts->asked++;
  facts->exact += impact.exact;
  facts->undecided += impact.result == GRAZE_POSSIBLE;
  facts->iterations += (size_t)impact.iterations;
  double start = examine_now_ns();
  graze_status status = bench_graze_verify_cast(scene, pair, &impact);
  facts->verify_ns += examine_now_ns() - start;
  facts->refused += status != GRAZE_OK;
  examine_slowest(scene, pair, BENCH_CAST, facts);
  if (isnan(known)) return;
  facts->wrong += (known <= 1) != (impact.result == GRAZE_HIT);
  if (known > 1 || impact.result != GRAZE_HIT) return;
  facts->widest = fmax(facts->widest, impact.t_upper - impact.t_lower);
  facts->outside += !(impact.t_lower - CONTACT_ROUNDED <= known && known <= impact.t_upper + CONTACT_ROUNDED);
  facts->error = fmax(facts->error, fabs(impact.t - known));
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
  double start = examine_now_ns();
  graze_status status = graze_verify(&scene->placed[2 * pair], &scene->placed[2 * pair + 1], &scene->options, &answer);
  facts->verify_ns += examine_now_ns() - start;
  facts->refused += status != GRAZE_OK;
  examine_slowest(scene, pair, question, facts);
  if (question == BENCH_INTERSECT) return;
  facts->widest = fmax(facts->widest, answer.upper - answer.lower);
  if (workload->reference) examine_compare(&workload->reference[2 * pair], &answer, facts);
}

static bench_facts examine(const bench_workload *workload, bench_question question) {
  bench_facts facts = {.asked = 0};
  graze_scene *scene = bench_graze.prepare(workload);
  for (size_t i = 0; i < workload->pair_count; i++) {
    if (!bench_asked(workload, i, question)) continue;
    if (question == BENCH_CAST)
      examine_cast(workload, scene, i, &facts);
    else
      examine_pair(workload, scene, i, question, &facts);
  }
  if (facts.asked > 0) facts.verify_ns /= (double)facts.asked;
  bench_graze.release(scene);
  return facts;
}

static void examine_print(const bench_workload *workload, bench_question question, const bench_facts *f) {
  printf("{\"name\": \"%s/%s\", \"asked\": %zu, \"exact\": %zu, \"undecided\": %zu, \"refused\": %zu, \"wrong\": %zu, "
         "\"iterations\": %.2f, \"verify_ns\": %.0f, \"slowest_ns\": %.0f, \"slowest_pair\": %zu",
         workload->name, bench_question_names[question], f->asked, f->exact, f->undecided, f->refused, f->wrong,
         (double)f->iterations / (double)f->asked, f->verify_ns, f->slowest_ns, f->slowest_pair);
  if (question != BENCH_INTERSECT) printf(", \"widest\": %.3e", f->widest);
  if (question == BENCH_CAST || (question != BENCH_INTERSECT && workload->reference))
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
    bench_find_truth(workload);
    for (bench_question question = BENCH_INTERSECT; question < BENCH_QUESTIONS; question++) {
      const bench_facts facts = examine(workload, question);
      if (facts.asked > 0) examine_print(workload, question, &facts);
    }
    bench_free(workload);
  }
  return 0;
}
