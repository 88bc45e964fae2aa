/* The true value of each pair, and the errors of contestants. */
#define _POSIX_C_SOURCE 199309L
#include "errors.h"

#include "graze_pairs.h"
#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Closer to touching than this, the side is not checked: most peers are not exact. */
#define SIDE_TOLERANCE 1e-9
/* An answer of Graze counts as the truth if its interval is at most this wide, relative to max(distance, 1e-3). */
#define TRUTH_WIDTH 1e-9

static double verified_distance(graze_pairs *scene, size_t pair) {
  graze_answer answer;
  bench_graze_query_proof(scene, pair, BENCH_DEPTH, &answer);
  if (!(answer.upper - answer.lower <= TRUTH_WIDTH * fmax(fabs(answer.distance), 1e-3))) return NAN;
  const graze_placed *a = &scene->placed[2 * pair];
  return graze_verify(a, a + 1, &scene->options, &answer, &scene->certificate) == GRAZE_OK ? answer.distance : NAN;
}

static double true_distance(const bench_workload *workload, graze_pairs *scene, size_t pair) {
  double known = workload->reference ? workload->reference[2 * pair] : NAN;
  if (!isnan(known)) return known;
  return bench_is_planar(workload) ? bench_truth_polygons(workload, pair) : verified_distance(scene, pair);
}

void bench_compute_truth(bench_workload *workload) {
  graze_pairs *scene = bench_graze.prepare(workload);
  bool moves = bench_moves(workload);
  workload->truth = bench_alloc(workload->pair_count * sizeof(double));
  if (moves) workload->contact = bench_alloc(workload->pair_count * sizeof(double));
  for (size_t i = 0; i < workload->pair_count; i++) {
    workload->truth[i] = true_distance(workload, scene, i);
    if (moves) workload->contact[i] = bench_truth_cast(workload, i);
  }
  bench_graze.release(scene);
}

const char *bench_truth_source(const bench_workload *workload, bench_query query) {
  if (query == BENCH_CAST) return "all axes in extended precision";
  if (workload->reference) return "the reference file";
  return bench_is_planar(workload) ? "all edges in extended precision" : "Graze's verified intervals";
}

bool bench_is_queried(const bench_workload *workload, size_t pair, bench_query query) {
  bool planar = bench_is_planar(workload), moves = bench_moves(workload);
  if (query == BENCH_CAST || (moves && !planar)) return moves && query == BENCH_CAST;
  if (query == BENCH_INTERSECT) return true;
  if (query == BENCH_MANIFOLD && !planar) return false;
  double truth = workload->truth[pair];
  bool collides = isnan(truth) ? !workload->pairs[pair].separated : truth <= 0;
  return collides == (query != BENCH_DISTANCE);
}

/* The translation of B along `normal` that ends the overlap with A. Both are near the origin, where rounding errors are
 * small. */
static double overlap_on_axis(const bench_workload *workload, size_t pair, const double normal[3]) {
  const bench_body *body = workload->pairs[pair].body;
  const double zero[3] = {0, 0, 0};
  double between[3];
  for (int i = 0; i < 3; i++) between[i] = body[1].position[i] - body[0].position[i];
  graze_placed a = bench_graze_place(workload, pair, 0, zero), b = bench_graze_place(workload, pair, 1, between);
  graze_vec n = {normal[0], normal[1], normal[2]}, opposite = {-n.x, -n.y, -n.z}, p, q;
  if (graze_support(&a, n, &p, NULL) != GRAZE_OK || graze_support(&b, opposite, &q, NULL) != GRAZE_OK) return HUGE_VAL;
  return n.x * (p.x - q.x) + n.y * (p.y - q.y) + n.z * (p.z - q.z);
}

static bool is_unit(const double n[3], double allowed) {
  return fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 2 * allowed;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The 99.9 % quantile; 0 for no errors. */
static double quantile_999(double *errors, size_t count) {
  qsort(errors, count, sizeof(double), compare_doubles);
  return count > 0 ? errors[(count - 1) - (count - 1) / 1000] : 0;
}

typedef struct error_case {
  const bench_workload *workload;
  const bench_contestant *contestant;
  bench_query query;
  size_t pair;
  double value, normal[3]; /* the answer */
} error_case;

static double allowed_error(const bench_contestant *contestant) {
  return contestant->single ? BENCH_SINGLE_ERROR : BENCH_ERROR;
}

/* `worst` is NaN if no value is compared. */
static bench_errors cast_errors(const error_case *c) {
  double truth = c->workload->contact[c->pair];
  bench_errors errors = {0, 0, 0, NAN};
  if (isnan(truth)) return errors;
  errors.side = !(c->value >= 0) || (c->value <= 1) != (truth <= 1);
  if (errors.side || truth > 1) return errors;
  errors.worst = fabs(c->value - truth);
  errors.value = errors.worst > allowed_error(c->contestant);
  return errors;
}

static bench_errors answer_errors(const error_case *c) {
  double truth = c->workload->truth[c->pair], allowed = allowed_error(c->contestant);
  bool separated = truth > 0, reported = c->value > 0, deep = c->query == BENCH_DEPTH || c->query == BENCH_MANIFOLD;
  bench_errors errors = {0, 0, 0, NAN};
  if (c->query == BENCH_CAST) return cast_errors(c);
  if (!(fabs(truth) > SIDE_TOLERANCE)) return errors;
  errors.side = isnan(c->value) || reported != separated || (deep && c->value == 0);
  if (c->query == BENCH_INTERSECT || errors.side) return errors;
  if (c->query == BENCH_DISTANCE && !separated) return errors;
  errors.worst = fabs(c->value - truth);
  errors.value = errors.worst > allowed;
  if (deep)
    errors.normal =
        !is_unit(c->normal, allowed) || !(overlap_on_axis(c->workload, c->pair, c->normal) + truth <= allowed);
  return errors;
}

static void add_errors(bench_errors *sum, const bench_errors *e) {
  sum->side += e->side;
  sum->value += e->value;
  sum->normal += e->normal;
  sum->worst = fmax(sum->worst, e->worst);
}

static void print_error(const error_case *c) {
  const double *truth = c->query == BENCH_CAST ? c->workload->contact : c->workload->truth;
  fprintf(stderr, "%s, pair %zu of category %d: %.17g (%.6f, %.6f, %.6f), truth %.17g\n", c->contestant->name, c->pair,
          c->workload->pairs[c->pair].category, c->value, c->normal[0], c->normal[1], c->normal[2], truth[c->pair]);
}

static double processor_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

bench_error_report bench_measure_errors(const bench_workload *workload, const bench_contestant *contestant, void *scene,
                                        bench_query query, const uint32_t *pairs, size_t count, size_t list) {
  bench_error_report report = {.right = false};
  error_case *cases = bench_alloc(count * sizeof *cases);
  double *values = bench_alloc(count * sizeof *values);
  size_t known = 0;
  for (size_t i = 0; i < count; i++) cases[i] = (error_case){workload, contestant, query, pairs[i], 0, {0, 0, 0}};
  const double start = processor_ns();
  for (size_t i = 0; i < count; i++) cases[i].value = contestant->query(scene, pairs[i], query, cases[i].normal);
  report.ns = (processor_ns() - start) / (double)count;
  for (size_t i = 0; i < count; i++) {
    const bench_errors errors = answer_errors(&cases[i]);
    const int category = workload->pairs[pairs[i]].category;
    if (!isnan(errors.worst)) values[known++] = errors.worst;
    add_errors(&report.total, &errors);
    if (category >= 0 && category < BENCH_CATEGORIES) add_errors(&report.category[category], &errors);
    if (errors.side + errors.value + errors.normal == 0 || list == 0) continue;
    list--;
    print_error(&cases[i]);
  }
  report.p999 = quantile_999(values, known);
  report.right = report.total.side == 0 && report.p999 <= allowed_error(contestant);
  free(cases);
  free(values);
  return report;
}
