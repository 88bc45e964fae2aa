/* The truth about each pair, and how far the contestants are from it. */
#include "judge.h"

#include "graze_scene.h"

#include <math.h>
#include <stdio.h>

/* Nearer to touching than this, nobody is blamed for the side: most peers do not claim to be exact. */
#define SIDE_BLAMED 1e-9
/* What counts as a wrong value, relative to the larger of the truth and VALUE_SMALL. */
#define VALUE_BLAMED 1e-6
#define VALUE_SMALL 1e-3

/* An interval is as good as its width is small. */
static double judge_verified(graze_scene *scene, size_t pair) {
  graze_answer answer;
  bench_graze_prove(scene, pair, BENCH_DEPTH, &answer);
  if (!(answer.upper - answer.lower <= 1e-9 * fmax(fabs(answer.distance), VALUE_SMALL))) return NAN;
  const graze_placed *a = &scene->placed[2 * pair];
  return graze_verify(a, a + 1, &scene->options, &answer) == GRAZE_OK ? answer.distance : NAN;
}

void bench_find_truth(bench_workload *workload) {
  graze_scene *scene = bench_graze.prepare(workload);
  workload->truth = bench_alloc(workload->pair_count * sizeof(double));
  for (size_t i = 0; i < workload->pair_count; i++) {
    double known = workload->reference ? workload->reference[2 * i] : NAN;
    workload->truth[i] = isnan(known) ? judge_verified(scene, i) : known;
  }
  bench_graze.release(scene);
}

bool bench_asked(const bench_workload *workload, size_t pair, bench_question question) {
  if (question == BENCH_INTERSECT) return true;
  double truth = workload->truth[pair];
  bool meets = isnan(truth) ? !workload->pairs[pair].separated : truth <= 0;
  return meets == (question == BENCH_DEPTH);
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

static bool judge_is_unit(const double n[3]) {
  return fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < VALUE_BLAMED;
}

static bench_errors judge_answer(const bench_workload *workload, size_t pair, bench_question question, double value,
                                 const double normal[3]) {
  double truth = workload->truth[pair], tolerance = VALUE_BLAMED * fmax(fabs(truth), VALUE_SMALL);
  bool apart = truth > 0, says_apart = value > 0;
  bench_errors errors = {0, 0, 0, 0};
  if (!(fabs(truth) > SIDE_BLAMED)) return errors;
  errors.side = isnan(value) || says_apart != apart || (question == BENCH_DEPTH && value == 0);
  if (question == BENCH_INTERSECT || errors.side) return errors;
  if (question == BENCH_DISTANCE && !apart) return errors;
  errors.worst = fabs(value - truth);
  errors.value = errors.worst > tolerance;
  if (question == BENCH_DEPTH)
    errors.normal = !judge_is_unit(normal) || !(judge_overlap(workload, pair, normal) + truth <= tolerance);
  return errors;
}

static void judge_add(bench_errors *sum, const bench_errors *e) {
  sum->side += e->side;
  sum->value += e->value;
  sum->normal += e->normal;
  sum->worst = fmax(sum->worst, e->worst);
}

bench_verdict bench_judge(const bench_workload *workload, const bench_contestant *contestant, void *scene,
                          bench_question question, size_t list) {
  bench_verdict verdict = {.total = {0, 0, 0, 0}};
  for (size_t i = 0; i < workload->pair_count; i++) {
    if (!bench_asked(workload, i, question)) continue;
    double normal[3] = {0, 0, 0}, value = contestant->ask(scene, i, question, normal);
    bench_errors errors = judge_answer(workload, i, question, value, normal);
    int category = workload->pairs[i].category;
    judge_add(&verdict.total, &errors);
    if (category >= 0 && category < BENCH_CATEGORIES) judge_add(&verdict.category[category], &errors);
    if (errors.side + errors.value + errors.normal == 0 || list == 0) continue;
    list--;
    printf("  %s, pair %zu of category %d: %.17g (%.6f, %.6f, %.6f), truth %.17g\n", contestant->name, i, category,
           value, normal[0], normal[1], normal[2], workload->truth[i]);
  }
  return verdict;
}
