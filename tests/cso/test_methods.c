/* Every method answers the same question: auto, exact, sat, epa and brute on random, deep and degenerate polytopes, 2D
 * and 3D. Relations are equal, and each interval holds the truth, so that any two meet. */

#include "support/test.h"
#include "support/families_run.h"

static const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_GJK, GRAZE_METHOD_EXACT,
                                       GRAZE_METHOD_SAT,  GRAZE_METHOD_EPA, GRAZE_METHOD_BRUTE};
static const char *const method_name[] = {"auto", "gjk", "exact", "sat", "epa", "brute"};
enum { METHODS = sizeof methods / sizeof *methods };

static bool plane(const shape_pair *p) { return p->a.kind == GRAZE_HALFSPACE || p->b.kind == GRAZE_HALFSPACE; }

/* Half-spaces are known to the search and to nobody else. */
static bool may_refuse(const shape_pair *p, graze_method method) {
  return plane(p) && (method == GRAZE_METHOD_SAT || method == GRAZE_METHOD_EPA || method == GRAZE_METHOD_BRUTE);
}

static long refused[METHODS], asked[METHODS], deep, deep_by_axes;

static void ask_method(family_runner *x, int m, graze_answer *answer) {
  graze_options options = x->whole;
  options.method = methods[m];
  memset(answer, 0, sizeof *answer);
  graze_status status = graze_distance(&x->a, &x->b, &options, answer);
  asked[m]++;
  if (status == GRAZE_UNSUPPORTED && may_refuse(&x->pair, methods[m])) {
    refused[m]++;
    answer->lower = -(answer->upper = INFINITY);
    answer->relation = oracle_relation(x->o);
    return;
  }
  if (methods[m] == GRAZE_METHOD_SAT && answer->relation == GRAZE_OVERLAPPING) {
    deep++;
    deep_by_axes += answer->path == GRAZE_PATH_SAT;
  }
  const char *why = status != GRAZE_OK ? graze_status_text(status) : family_judge(x, answer);
  status = why ? GRAZE_OK : graze_verify(&x->a, &x->b, &options, answer);
  if (status == GRAZE_REFUTED) why = "refuted";
  if (why) family_fail(x, method_name[m], why, answer);
}

static void ask_boolean(family_runner *x, int m) {
  graze_options options = x->whole;
  graze_answer answer;
  options.method = methods[m];
  graze_status status = graze_intersect(&x->a, &x->b, &options, &answer);
  if (status == GRAZE_UNSUPPORTED && may_refuse(&x->pair, methods[m])) return;
  const char *why = status != GRAZE_OK ? graze_status_text(status) : judge_intersect(x->o, &answer);
  if (!why && graze_verify(&x->a, &x->b, &options, &answer) != GRAZE_OK) why = "not verified";
  if (why) family_fail(x, method_name[m], why, &answer);
}

static void compare_methods(family_runner *x) {
  graze_answer answer[METHODS];
  for (int m = 0; m < METHODS; m++) {
    ask_method(x, m, &answer[m]);
    ask_boolean(x, m);
    for (int k = 0; k < m; k++) {
      if (answer[k].relation != answer[m].relation) family_fail(x, method_name[m], "another relation", &answer[m]);
      if (answer[k].lower > answer[m].upper || answer[m].lower > answer[k].upper)
        family_fail(x, method_name[m], "intervals without a common point", &answer[m]);
    }
  }
}

static long run_list(family_runner *x, const family *list, int count, int pairs) {
  long failed = 0;
  for (int f = 0; f < count; f++) {
    rng random = {family_seed(list[f].name) + 1};
    if (!family_wanted(list[f].name)) continue;
    family_start(x, list[f].name);
    for (int i = 0; i < pairs; i++) {
      memset(&x->pair, 0, sizeof x->pair);
      list[f].make(&random, &x->pair);
      if (family_place(x)) compare_methods(x);
    }
    failed += x->count.failed;
  }
  return failed;
}

TEST(methods_agree) {
  family_runner *x = family_runner_new();
  int pairs = tiered(30, 60, 250);
  long failed = run_list(x, families_random, families_random_count, pairs);
  failed += run_list(x, families_degenerate, families_degenerate_count, pairs);
  failed += run_list(x, families_depth, families_depth_count, pairs);
  family_runner_free(x);
  assert_int_equal(failed, 0);
  for (int m = 0; m < METHODS; m++) {
    printf("%s: %ld of %ld refused\n", method_name[m], refused[m], asked[m]);
    assert_true(refused[m] * 20 < asked[m]);
  }
  printf("sat: %ld of %ld depths by axes\n", deep_by_axes, deep);
  assert_true(deep_by_axes * 2 > deep);
}
