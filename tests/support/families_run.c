#include "support/families_run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORKSPACE_POINTS = PAIR_VERTICES * PAIR_VERTICES };

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

void family_fail(family_runner *r, const char *query, const char *why, const proved_answer *answer) {
  const shape_pair *p = &r->pair;
  r->count.failed++;
  if (family_shown_enough(&r->count.shown, why)) return;
  printf("FAILED %s, %s: %s (truth: %s, %.17g)\n", r->name, query, why, graze_relation_text(oracle_relation(r->o)),
         oracle_distance(r->o));
  if (answer) print_answer(stdout, answer);
  print_query_line(stdout, r->name, query, &p->a, &p->pose_a, &p->b, &p->pose_b);
}

bool family_intersect(family_runner *r, const graze_options *options) {
  proved_answer answer;
  memset(&answer, 0, sizeof answer);
  graze_status status = query_intersect(&r->a, &r->b, options, &answer);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : validate_intersect(r->o, &answer);
  if (!why && (status = verify_answer(&r->a, &r->b, options, &answer)) != GRAZE_OK) why = graze_status_text(status);
  if (why) family_fail(r, "intersect", why, &answer);
  if (!why) r->count.intersect_by[answer.relation][answer.algorithm]++;
  return !why;
}

const char *family_validate(family_runner *r, const proved_answer *answer) {
  const shape_pair *p = &r->pair;
  const char *why = validate_distance(r->o, &p->a, &p->b, answer);
  if (!why) why = validate_points(r->other, &p->a, &p->pose_a, &p->b, &p->pose_b, 0, answer);
  return !why && answer->stopped != GRAZE_STOP_NONE ? "something was cut" : why;
}

/* With default options a depth by EPA or SAT has no surface: what its pairs prove is true. */
static const char *query_plainly(family_runner *r, proved_answer *answer) {
  graze_status status = query_distance(&r->a, &r->b, NULL, answer);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : family_validate(r, answer);
  if (why) return why;
  bool boxes = r->pair.a.kind == GRAZE_BOX && r->pair.b.kind == GRAZE_BOX;
  status = verify_answer(&r->a, &r->b, NULL, answer);
  if (status == GRAZE_OK || (status == GRAZE_UNPROVEN && answer->relation == GRAZE_OVERLAPPING && !boxes)) return NULL;
  return graze_status_text(status);
}

bool family_distance(family_runner *r, proved_answer *answer) {
  memset(answer, 0, sizeof *answer);
  const char *why = query_plainly(r, answer);
  if (why) family_fail(r, "distance", why, answer);
  bool good = !why;
  if (good) r->count.distance_by[answer->relation][answer->algorithm]++;
  r->count.exact += answer->exact;
  if (answer->iterations > r->count.worst_iterations) r->count.worst_iterations = answer->iterations;
  double scale = pair_scale(&r->pair.a, &r->pair.b, answer->distance), width = answer->upper - answer->lower;
  if (scale > 1e-300) r->count.worst_width = fmax(r->count.worst_width, width / scale);
  if (answer->relation != GRAZE_OVERLAPPING) return good;
  graze_status status = query_distance(&r->a, &r->b, &r->whole, answer);
  why = status != GRAZE_OK ? graze_status_text(status) : family_validate(r, answer);
  if (!why && (status = verify_answer(&r->a, &r->b, NULL, answer)) != GRAZE_OK) why = graze_status_text(status);
  if (why) family_fail(r, "distance with a surface", why, answer);
  return good && !why;
}

long family_report(family_row row, int hits_low, int hits_high, int exact_most) {
  const double n = fmax((double)row.count, 1) / 100, hits = (double)row.hits / n, exact = (double)row.exact / n;
  printf("%-40s %7ld: touch %5.1f %%, meet %5.1f %%, exact %6.2f %%, width %.1e, iterations %d, failed %ld\n", row.name,
         row.count, (double)row.touching / n, hits, exact, row.width, row.iterations, row.failed);
  fflush(stdout);
  if (hits < hits_low || hits > hits_high) row.failed++, printf("FAILED %s: %.1f %% meet\n", row.name, hits);
  if (exact > exact_most) row.failed++, printf("FAILED %s: %.1f %% needed exact arithmetic\n", row.name, exact);
  return row.failed;
}

static void add_tally(family_tally *total, const family_tally *t) {
  total->pairs += t->pairs, total->exact += t->exact, total->failed += t->failed;
  for (int i = 0; i < 5; i++) {
    total->relation[i] += t->relation[i];
    for (int k = 0; k <= GRAZE_ALGORITHM_CLOSED_FORM; k++) {
      total->intersect_by[i][k] += t->intersect_by[i][k];
      total->distance_by[i][k] += t->distance_by[i][k];
    }
  }
}

long family_run(const family_plan *plan) {
  family_runner *r = family_runner_new();
  long failed = 0;
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
    const family_tally *t = &r->count;
    char name[64];
    snprintf(name, sizeof name, "%s%s", r->name, plan->suffix ? plan->suffix : "");
    const bool any = plan->suffix != NULL; /* the promised shares do not apply */
    const family_row row = {
        name,      t->pairs,       t->relation[GRAZE_TOUCHING], t->pairs - t->relation[GRAZE_SEPARATED], t->exact,
        t->failed, t->worst_width, t->worst_iterations};
    failed +=
        family_report(row, any ? 0 : from->hits_low, any ? INT_MAX : from->hits_high, any ? INT_MAX : from->exact_most);
    if (plan->total) add_tally(plan->total, &r->count);
  }
  family_runner_free(r);
  return failed;
}

void family_check(family_runner *r, rng *random, int i) {
  proved_answer answer;
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
