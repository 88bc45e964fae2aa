/* The truth about each pair, and how far the contestants are from it. */
#define _POSIX_C_SOURCE 199309L
#include "judge.h"

#include "graze_scene.h"
#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Nearer to touching than this, nobody is blamed for the side: most peers do not claim to be exact. */
#define SIDE_BLAMED 1e-9
/* An answer of Graze is a truth when its interval is as narrow as this, relative to the larger of itself and 1e-3. */
#define TRUTH_WIDTH 1e-9

static double judge_verified(graze_scene *scene, size_t pair) {
  graze_answer answer;
  bench_graze_prove(scene, pair, BENCH_DEPTH, &answer);
  if (!(answer.upper - answer.lower <= TRUTH_WIDTH * fmax(fabs(answer.distance), 1e-3))) return NAN;
  const graze_placed *a = &scene->placed[2 * pair];
  return graze_verify(a, a + 1, &scene->options, &answer) == GRAZE_OK ? answer.distance : NAN;
}

static double judge_distance(const bench_workload *workload, graze_scene *scene, size_t pair) {
  double known = workload->reference ? workload->reference[2 * pair] : NAN;
  if (!isnan(known)) return known;
  return bench_is_planar(workload) ? bench_truth_polygons(workload, pair) : judge_verified(scene, pair);
}

void bench_find_truth(bench_workload *workload) {
  graze_scene *scene = bench_graze.prepare(workload);
  bool moves = bench_moves(workload);
  workload->truth = bench_alloc(workload->pair_count * sizeof(double));
  if (moves) workload->contact = bench_alloc(workload->pair_count * sizeof(double));
  for (size_t i = 0; i < workload->pair_count; i++) {
    workload->truth[i] = judge_distance(workload, scene, i);
    if (moves) workload->contact[i] = bench_truth_cast(workload, i);
  }
  bench_graze.release(scene);
}

const char *bench_truth_source(const bench_workload *workload, bench_question question) {
  if (question == BENCH_CAST) return "all axes in extended precision";
  if (workload->reference) return "the reference file";
  return bench_is_planar(workload) ? "all edges in extended precision" : "Graze's verified intervals";
}

bool bench_asked(const bench_workload *workload, size_t pair, bench_question question) {
  bool planar = bench_is_planar(workload), moves = bench_moves(workload);
  if (question == BENCH_CAST || (moves && !planar)) return moves && question == BENCH_CAST;
  if (question == BENCH_INTERSECT) return true;
  if (question == BENCH_MANIFOLD && !planar) return false;
  double truth = workload->truth[pair];
  bool meets = isnan(truth) ? !workload->pairs[pair].separated : truth <= 0;
  return meets == (question != BENCH_DISTANCE);
}

/* How far B must go along `normal` until it no longer overlaps A. Both stand near the origin: far out, rounding would
 * count as an error. */
static double judge_overlap(const bench_workload *workload, size_t pair, const double normal[3]) {
  const bench_body *body = workload->pairs[pair].body;
  const double zero[3] = {0, 0, 0};
  double between[3];
  for (int i = 0; i < 3; i++) between[i] = body[1].position[i] - body[0].position[i];
  graze_placed a = bench_graze_place(workload, pair, 0, zero), b = bench_graze_place(workload, pair, 1, between);
  graze_vec n = {normal[0], normal[1], normal[2]}, back = {-n.x, -n.y, -n.z}, p, q;
  if (graze_support(&a, n, &p, NULL) != GRAZE_OK || graze_support(&b, back, &q, NULL) != GRAZE_OK) return HUGE_VAL;
  return n.x * (p.x - q.x) + n.y * (p.y - q.y) + n.z * (p.z - q.z);
}

static bool judge_is_unit(const double n[3], double blamed) {
  return fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 2 * blamed;
}

static int judge_by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* All but one in a thousand are no larger; 0 where there are none. */
static double judge_most(double *errors, size_t count) {
  qsort(errors, count, sizeof(double), judge_by_size);
  return count > 0 ? errors[(count - 1) - (count - 1) / 1000] : 0;
}

typedef struct judge_case {
  const bench_workload *workload;
  const bench_contestant *contestant;
  bench_question question;
  size_t pair;
  double value, normal[3]; /* the answer */
} judge_case;

static double judge_blamed(const bench_contestant *contestant) {
  return contestant->single ? BENCH_SINGLE_ERROR : BENCH_ERROR;
}

/* `worst` is NaN where no value is compared. */
static bench_errors judge_cast(const judge_case *c) {
  double truth = c->workload->contact[c->pair];
  bench_errors errors = {0, 0, 0, NAN};
  if (isnan(truth)) return errors;
  errors.side = !(c->value >= 0) || (c->value <= 1) != (truth <= 1);
  if (errors.side || truth > 1) return errors;
  errors.worst = fabs(c->value - truth);
  errors.value = errors.worst > judge_blamed(c->contestant);
  return errors;
}

static bench_errors judge_answer(const judge_case *c) {
  double truth = c->workload->truth[c->pair], blamed = judge_blamed(c->contestant);
  bool apart = truth > 0, says_apart = c->value > 0, deep = c->question == BENCH_DEPTH || c->question == BENCH_MANIFOLD;
  bench_errors errors = {0, 0, 0, NAN};
  if (c->question == BENCH_CAST) return judge_cast(c);
  if (!(fabs(truth) > SIDE_BLAMED)) return errors;
  errors.side = isnan(c->value) || says_apart != apart || (deep && c->value == 0);
  if (c->question == BENCH_INTERSECT || errors.side) return errors;
  if (c->question == BENCH_DISTANCE && !apart) return errors;
  errors.worst = fabs(c->value - truth);
  errors.value = errors.worst > blamed;
  if (deep)
    errors.normal =
        !judge_is_unit(c->normal, blamed) || !(judge_overlap(c->workload, c->pair, c->normal) + truth <= blamed);
  return errors;
}

static void judge_add(bench_errors *sum, const bench_errors *e) {
  sum->side += e->side;
  sum->value += e->value;
  sum->normal += e->normal;
  sum->worst = fmax(sum->worst, e->worst);
}

static void judge_print(const judge_case *c) {
  const double *truth = c->question == BENCH_CAST ? c->workload->contact : c->workload->truth;
  fprintf(stderr, "%s, pair %zu of category %d: %.17g (%.6f, %.6f, %.6f), truth %.17g\n", c->contestant->name, c->pair,
          c->workload->pairs[c->pair].category, c->value, c->normal[0], c->normal[1], c->normal[2], truth[c->pair]);
}

static double judge_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

bench_verdict bench_judge(const bench_workload *workload, const bench_contestant *contestant, void *scene,
                          bench_question question, const uint32_t *pairs, size_t count, size_t list) {
  bench_verdict verdict = {.right = false};
  judge_case *cases = bench_alloc(count * sizeof *cases);
  double *values = bench_alloc(count * sizeof *values);
  size_t known = 0;
  for (size_t i = 0; i < count; i++) cases[i] = (judge_case){workload, contestant, question, pairs[i], 0, {0, 0, 0}};
  const double start = judge_now_ns();
  for (size_t i = 0; i < count; i++) cases[i].value = contestant->ask(scene, pairs[i], question, cases[i].normal);
  verdict.ns = (judge_now_ns() - start) / (double)count;
  for (size_t i = 0; i < count; i++) {
    const bench_errors errors = judge_answer(&cases[i]);
    const int category = workload->pairs[pairs[i]].category;
    if (!isnan(errors.worst)) values[known++] = errors.worst;
    judge_add(&verdict.total, &errors);
    if (category >= 0 && category < BENCH_CATEGORIES) judge_add(&verdict.category[category], &errors);
    if (errors.side + errors.value + errors.normal == 0 || list == 0) continue;
    list--;
    judge_print(&cases[i]);
  }
  verdict.most = judge_most(values, known);
  verdict.right = verdict.total.side == 0 && verdict.most <= judge_blamed(contestant);
  free(cases);
  free(values);
  return verdict;
}
