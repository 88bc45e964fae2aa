#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "support/families_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORKSPACE_POINTS = PAIR_VERTICES * PAIR_VERTICES };

double family_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

family_runner *family_runner_new(void) {
  family_runner *r = calloc(1, sizeof *r);
  size_t size = graze_workspace_size(WORKSPACE_POINTS);
  if (!r) abort();
  r->o = oracle_new();
  r->other = oracle_new();
  r->whole = graze_default_options();
  r->whole.workspace = malloc(size);
  r->whole.workspace_size = size;
  r->whole.surface = &r->surface;
  if (!r->whole.workspace) abort();
  return r;
}

void family_runner_free(family_runner *r) {
  oracle_free(r->o);
  oracle_free(r->other);
  free(r->whole.workspace);
  free(r);
}

bool family_solve(family_runner *r) {
  return oracle_solve(r->o, &r->pair.a, &r->pair.pose_a, &r->pair.b, &r->pair.pose_b, 0);
}

bool family_place(family_runner *r) {
  r->a = graze_place(&r->pair.a, r->pair.pose_a);
  r->b = graze_place(&r->pair.b, r->pair.pose_b);
  r->count.pairs++;
  if (family_solve(r)) {
    r->count.relation[oracle_relation(r->o)]++;
    return true;
  }
  family_fail(r, "truth", "the oracle does not know these shapes", NULL);
  return false;
}

bool family_shown_enough(family_shown *shown, const char *why) {
  enum { MOST = 2 };
  for (int i = 0; i < FAMILY_REASONS; i++) {
    if (shown->why[i] && strcmp(shown->why[i], why)) continue;
    shown->why[i] = why;
    return shown->count[i]++ >= MOST;
  }
  return true;
}

void family_fail(family_runner *r, const char *query, const char *why, const graze_answer *answer) {
  const shape_pair *p = &r->pair;
  r->count.failed++;
  if (family_shown_enough(&r->count.shown, why)) return;
  printf("FAILED %s, %s: %s (truth: %s, %.17g)\n", r->name, query, why, graze_relation_text(oracle_relation(r->o)),
         oracle_distance(r->o));
  if (answer) judge_print(stdout, answer);
  print_query_line(stdout, r->name, query, &p->a, &p->pose_a, &p->b, &p->pose_b);
}

bool family_intersect(family_runner *r, const graze_options *options) {
  graze_answer answer;
  memset(&answer, 0, sizeof answer);
  graze_status status = graze_intersect(&r->a, &r->b, options, &answer);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : judge_intersect(r->o, &answer);
  if (!why && (status = graze_verify(&r->a, &r->b, options, &answer)) != GRAZE_OK) why = graze_status_text(status);
  if (why) family_fail(r, "intersect", why, &answer);
  if (!why) r->count.intersect_by[answer.relation][answer.path]++;
  return !why;
}

const char *family_judge(family_runner *r, const graze_answer *answer) {
  const shape_pair *p = &r->pair;
  const char *why = judge_distance(r->o, &p->a, &p->b, answer);
  if (!why) why = judge_points(r->other, &p->a, &p->pose_a, &p->b, &p->pose_b, 0, answer);
  return !why && answer->stopped != GRAZE_STOP_NONE ? "something was cut" : why;
}

/* With default options a depth by EPA or SAT has no surface: what its pairs prove is true. */
static const char *query_plainly(family_runner *r, graze_answer *answer) {
  double start = family_seconds();
  graze_status status = graze_distance(&r->a, &r->b, NULL, answer);
  r->count.seconds += family_seconds() - start;
  const char *why = status != GRAZE_OK ? graze_status_text(status) : family_judge(r, answer);
  if (why) return why;
  bool boxes = r->pair.a.kind == GRAZE_BOX && r->pair.b.kind == GRAZE_BOX;
  status = graze_verify(&r->a, &r->b, NULL, answer);
  if (status == GRAZE_UNPROVEN && answer->relation == GRAZE_OVERLAPPING && !boxes)
    r->count.unproven++;
  else if (status != GRAZE_OK)
    why = graze_status_text(status);
  return why;
}

bool family_distance(family_runner *r, graze_answer *answer) {
  memset(answer, 0, sizeof *answer);
  const char *why = query_plainly(r, answer);
  if (why) family_fail(r, "distance", why, answer);
  bool good = !why;
  if (good) r->count.distance_by[answer->relation][answer->path]++;
  r->count.exact += answer->exact;
  if (answer->iterations > r->count.worst_iterations) r->count.worst_iterations = answer->iterations;
  double scale = judge_scale(&r->pair.a, &r->pair.b, answer->distance), width = answer->upper - answer->lower;
  if (scale > 1e-300) r->count.worst_width = fmax(r->count.worst_width, width / scale);
  if (answer->relation != GRAZE_OVERLAPPING) return good;
  graze_status status = graze_distance(&r->a, &r->b, &r->whole, answer);
  why = status != GRAZE_OK ? graze_status_text(status) : family_judge(r, answer);
  if (!why && (status = graze_verify(&r->a, &r->b, NULL, answer)) != GRAZE_OK) why = graze_status_text(status);
  if (why) family_fail(r, "distance with a surface", why, answer);
  return good && !why;
}

static void print_head(void) {
  printf("%-36s %7s %7s %7s %7s %7s %9s %5s %8s %9s %7s\n", "family", "pairs", "apart%", "touch%", "over%", "exact%",
         "width", "iter", "us/call", "surface%", "failed");
}

/* Returns the number of failures, broken promises of `bands` included. */
static long print_row(const family_runner *r, const char *suffix, const family *bands) {
  const family_tally *t = &r->count;
  double n = fmax((double)t->pairs, 1) / 100, hits = 100 - (double)t->relation[GRAZE_SEPARATED] / n,
         exact = (double)t->exact / n;
  char name[64];
  snprintf(name, sizeof name, "%s%s", r->name, suffix);
  printf("%-36s %7ld %7.1f %7.1f %7.1f %7.2f %9.1e %5d %8.2f %9.1f %7ld\n", name, t->pairs,
         (double)t->relation[GRAZE_SEPARATED] / n, (double)t->relation[GRAZE_TOUCHING] / n,
         (double)t->relation[GRAZE_OVERLAPPING] / n, exact, t->worst_width, t->worst_iterations, 1e4 * t->seconds / n,
         (double)t->unproven / n, t->failed);
  fflush(stdout);
  long failed = t->failed;
  if (bands && (hits < bands->hits_low || hits > bands->hits_high))
    failed++, printf("FAILED %s: %.1f %% of the pairs meet\n", name, hits);
  if (bands && exact > bands->exact_most) failed++, printf("FAILED %s: %.1f %% needed exact arithmetic\n", name, exact);
  return failed;
}

static void add_tally(family_tally *total, const family_tally *t) {
  total->pairs += t->pairs, total->exact += t->exact, total->failed += t->failed;
  for (int i = 0; i < 5; i++) {
    total->relation[i] += t->relation[i];
    for (int k = 0; k <= GRAZE_PATH_BORDER; k++) {
      total->intersect_by[i][k] += t->intersect_by[i][k];
      total->distance_by[i][k] += t->distance_by[i][k];
    }
  }
}

long family_run(const family_plan *plan) {
  family_runner *r = family_runner_new();
  long failed = 0;
  print_head();
  for (int f = 0; f < plan->count; f++) {
    const family *from = &plan->list[f];
    if (!family_wanted(from->name)) continue;
    rng random = family_seed(from->name) + plan->seed;
    memset(&r->count, 0, sizeof r->count);
    r->name = from->name;
    for (int i = 0; i < plan->pairs; i++) {
      memset(&r->pair, 0, sizeof r->pair);
      from->make(&random, &r->pair);
      plan->check(r, &random, i);
    }
    failed += print_row(r, plan->suffix ? plan->suffix : "", plan->suffix ? NULL : from);
    if (plan->total) add_tally(plan->total, &r->count);
  }
  family_runner_free(r);
  return failed;
}

void family_check(family_runner *r, rng *random, int i) {
  graze_answer answer;
  (void)random, (void)i;
  if (!family_place(r)) return;
  (void)family_intersect(r, NULL);
  (void)family_distance(r, &answer);
}

uint64_t family_seed(const char *name) {
  const char *given = getenv("GRAZE_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 0) : 1;
  for (const char *c = name; *c; c++) seed = seed * UINT64_C(1099511628211) + (unsigned char)*c;
  return seed;
}

bool family_wanted(const char *name) {
  const char *only = getenv("GRAZE_FAMILY");
  return !only || strstr(name, only);
}
