/* Penetration depth against the exact truth: every family of families_depth.c, as it is and brought so near to touching
 * that only 1e-3 to 1e-15 of its size is left; and continuity through touching.
 *
 * GRAZE_TIER, GRAZE_FAMILY and GRAZE_SEED: see test_families.c. The soak asks about 50,000 pairs of hulls. */

#include "support/test.h"
#include "support/families_run.h"

static graze_vec moved(graze_vec p, graze_vec d, double t) {
  return (graze_vec){p.x + t * d.x, p.y + t * d.y, p.z + t * d.z};
}

/* Pulls B out along the direction of least depth, all but a sliver. */
static void make_shallow(family_runner *x, rng *random) {
  double size = judge_scale(&x->pair.a, &x->pair.b, 0), left = ldexp(size, -rng_between(random, 10, 50));
  graze_vec *at = &x->pair.pose_b.position;
  if (!family_solve(x) || oracle_relation(x->o) != GRAZE_OVERLAPPING) return;
  *at = moved(*at, oracle_normal(x->o), -oracle_distance(x->o) - left);
}

static long run_family(family_runner *x, const family *from, int pairs, bool shallow) {
  rng random = {family_seed(from->name)};
  family_start(x, from->name);
  for (int i = 0; i < pairs; i++) {
    graze_answer answer;
    memset(&x->pair, 0, sizeof x->pair);
    from->make(&random, &x->pair);
    if (shallow) make_shallow(x, &random);
    if (family_place(x)) (void)family_distance(x, &answer);
  }
  return family_print_row(x, shallow ? ", shallow" : "", shallow ? NULL : from);
}

static long run_families(bool shallow) {
  family_runner *x = family_runner_new();
  long failed = 0;
  family_print_head();
  for (int f = 0; f < families_depth_count; f++) {
    int soak = f == 0 && !shallow ? 50000 : 10000;
    if (family_wanted(families_depth[f].name))
      failed += run_family(x, &families_depth[f], tiered(300, 600, soak), shallow);
  }
  family_runner_free(x);
  return failed;
}

TEST(deep_families) { assert_int_equal(run_families(false), 0); }

TEST(shallow_families) { assert_int_equal(run_families(true), 0); }

/* ---- continuity: the signed distance of what moves by s changes by s at most, through touching and centres alike */

static graze_answer ask(family_runner *x, graze_vec at) {
  graze_answer answer;
  x->b = graze_place(&x->pair.b, (x->pair.pose_b.position = at, x->pair.pose_b));
  graze_status status = graze_distance(&x->a, &x->b, NULL, &answer);
  if (status != GRAZE_OK) fail_msg("%s", graze_status_text(status));
  return answer;
}

static double length3(graze_vec v) { return hypot(hypot(v.x, v.y), v.z); }

static void compare_neighbours(family_runner *x, const graze_answer *p, const graze_answer *q, graze_vec from,
                               graze_vec to) {
  double step = length3((graze_vec){to.x - from.x, to.y - from.y, to.z - from.z}) * (1 + 1e-15);
  if (p->lower <= q->upper + step && q->lower <= p->upper + step) return;
  family_fail(x, "distance", "it jumps", q);
}

/* Along the line through the point of contact: steps of 2^-4 down to 2^-50 of the size on both sides of it. */
static void slide_through_touching(family_runner *x, graze_vec touching, graze_vec d, double size) {
  graze_answer before;
  graze_vec from = touching;
  bool any = false;
  for (int k = -47; k <= 47; k++) {
    double off = k == 0 ? 0 : k < 0 ? -ldexp(size, -51 - k) : ldexp(size, k - 51);
    graze_vec at = moved(touching, d, off);
    graze_answer answer = ask(x, at);
    if (any) compare_neighbours(x, &before, &answer, from, at);
    before = answer, from = at, any = true;
  }
}

/* Once across the whole body. */
static void slide_across(family_runner *x, graze_vec centre, graze_vec d, double size) {
  graze_answer before;
  graze_vec from = centre;
  for (int k = -32; k <= 32; k++) {
    graze_vec at = moved(centre, d, k * size / 16);
    graze_answer answer = ask(x, at);
    if (k > -32) compare_neighbours(x, &before, &answer, from, at);
    before = answer, from = at;
  }
}

TEST(continuous_through_touching) {
  family_runner *x = family_runner_new();
  int pairs = tiered(12, 24, 400), crossed = 0;
  long failed = 0;
  for (int f = 0; f < families_depth_count; f++) {
    rng random = {family_seed(families_depth[f].name)};
    family_start(x, families_depth[f].name);
    for (int i = 0; i < pairs; i++) {
      memset(&x->pair, 0, sizeof x->pair);
      families_depth[f].make(&random, &x->pair);
      if (!family_place(x)) continue;
      double size = fmin(judge_scale(&x->pair.a, &x->pair.a, 0), judge_scale(&x->pair.b, &x->pair.b, 0));
      graze_vec centre = x->pair.pose_b.position, d = rng_vec(&random, x->pair.a.dim, 1);
      slide_across(x, centre, d, judge_scale(&x->pair.a, &x->pair.b, 0));
      if (oracle_relation(x->o) != GRAZE_OVERLAPPING || size == 0) continue;
      d = oracle_normal(x->o);
      slide_through_touching(x, moved(centre, d, -oracle_distance(x->o)), d, size);
      crossed++;
    }
    failed += x->count.failed;
  }
  family_runner_free(x);
  assert_int_equal(failed, 0);
  assert_true(crossed > pairs * families_depth_count / 2);
}

/* ---- workspaces of any size: never a wrong answer, never a byte beyond (for the sanitizers), and enough when it is */

static void ask_within(family_runner *x, size_t size) {
  graze_options options = graze_default_options();
  graze_answer answer;
  options.workspace = malloc(size ? size : 1);
  assert_non_null(options.workspace);
  options.workspace_size = size;
  options.surface = &x->surface;
  graze_status status = graze_distance(&x->a, &x->b, &options, &answer);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : NULL;
  if (!why && answer.relation != oracle_relation(x->o)) why = "WRONG RELATION";
  if (!why && !(oracle_compare(x->o, answer.lower) >= 0 && oracle_compare(x->o, answer.upper) <= 0))
    why = "INTERVAL MISSES";
  if (!why && answer.stopped != GRAZE_STOP_BUDGET) why = family_judge(x, &answer);
  if (!why && (status = graze_verify(&x->a, &x->b, NULL, &answer)) != GRAZE_OK) why = graze_status_text(status);
  if (why) family_fail(x, "distance in little room", why, &answer);
  free(options.workspace);
}

TEST(any_room) {
  family_runner *x = family_runner_new();
  long failed = 0;
  for (int f = 0; f < families_depth_count; f++) {
    rng random = {family_seed(families_depth[f].name)};
    family_start(x, families_depth[f].name);
    for (int i = tiered(4, 8, 100); i > 0; i--) {
      memset(&x->pair, 0, sizeof x->pair);
      families_depth[f].make(&random, &x->pair);
      if (!family_place(x)) continue;
      for (size_t size = 0; size < 2048; size += 56) ask_within(x, size);
      for (size_t points = 8; points <= 256; points *= 2) ask_within(x, graze_workspace_size(points));
    }
    failed += x->count.failed;
  }
  family_runner_free(x);
  assert_int_equal(failed, 0);
}
