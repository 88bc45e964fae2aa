/* Attacks on graze_verify_sweep(). Good answers are changed in every field; whatever the verifier accepts afterwards
 * must be true, as the exact oracle says. Then lies that are made so that nothing can save them, and questions to which
 * the answer does not belong.
 *
 * GRAZE_TIER, GRAZE_FAMILY, GRAZE_SEED: as tests/cso/test_families.c. */

#include "support/test.h"
#include "support/sweep_families.h"

enum { MOMENTS = 12, ROOM = 1 << 14 };

static const double nothing = NAN;

/* A motion, what was said of it, and what is said now: by steps that may be changed. */
typedef struct verdicts {
  sweep_runner *r;
  graze_impact good, x;
  graze_sweep_step steps[ROOM];
  rng random;
  long lies, accepted, failed, refuted;
} verdicts;

static verdicts v;

static graze_status judge_as(const judge_turning *m, const graze_impact *x) {
  graze_options options = graze_default_options();
  graze_placed a = graze_place(m->a, m->pose_a), b = graze_place(m->b, m->pose_b);
  options.clearance = m->clearance;
  return graze_verify_sweep(&a, &m->motion_a, &b, &m->motion_b, m->t_max, &options, x);
}

/* The good answer again, to be changed. */
static graze_impact *again(void) {
  v.x = v.good;
  memcpy(v.steps, v.good.steps, v.good.step_count * sizeof v.steps[0]);
  v.x.steps = v.steps;
  return &v.x;
}

/* Something was changed, in the answer or the question. */
static void attack_as(const judge_turning *m, const char *what) {
  graze_status status = judge_as(m, &v.x);
  v.lies++;
  v.refuted += status == GRAZE_REFUTED;
  if (status != GRAZE_OK) return;
  v.accepted++;
  const char *why = judge_sweep_claims(v.r->o, m, MOMENTS, &v.x);
  if (!why) return;
  printf("FAILED, after %s was changed: accepted, but %s\n", what, why);
  v.failed++;
  sweep_fail(v.r, "the verifier accepts what is false", &v.x);
}

static void attack(const char *what) { attack_as(&v.r->motion, what); }

/* What is said now is false: it was made so. */
static void lie(const char *what) {
  graze_status status = judge_as(&v.r->motion, &v.x);
  v.lies++;
  v.refuted += status == GRAZE_REFUTED;
  if (status != GRAZE_OK) return;
  v.failed++;
  sweep_fail(v.r, what, &v.x);
}

/* ---- lies about steps */

static void lie_about_a_step(size_t i) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, -1, 1e300};
  graze_vec d = v.good.steps[i].direction.vector;
  bool plane = v.r->given.pair.a.kind == GRAZE_HALFSPACE || v.r->given.pair.b.kind == GRAZE_HALFSPACE;
  again();
  v.steps[i].direction.vector = (graze_vec){-d.x, -d.y, -d.z};
  if (!plane) lie("a direction from B to A");
  v.steps[i].direction.vector = (graze_vec){0, 0, 0};
  if (!plane) lie("no direction");
  for (int k = 0; k < 5; k++) {
    again();
    v.steps[i].direction.vector.y = odd[k];
    if (k < 3 && !plane) lie("a direction that is not finite");
    attack("a direction");
    again();
    v.steps[i].from = odd[k];
    lie("a step that begins nowhere");
    again();
    v.steps[i].to = odd[k];
    lie("a step that ends nowhere");
  }
  again();
  v.steps[i].from = nextafter(v.steps[i].from, INFINITY);
  lie("a gap before a step");
  again();
  v.steps[i].to = nextafter(v.steps[i].to, 0);
  if (i + 1 < v.good.step_count || v.good.result == GRAZE_HIT) lie("a gap behind a step");
  again();
  v.steps[i].direction.form = (graze_direction_form)rng_below(&v.random, 4);
  if (v.steps[i].direction.form != GRAZE_DIRECTION_VECTOR) lie("a direction of another form");
}

static void lie_about_the_chain(void) {
  size_t count = v.good.step_count, i = rng_index(&v.random, count);
  again()->step_count--;
  if (count > 1) attack("the last step");
  if (v.good.result == GRAZE_HIT) lie("the last step is missing");
  again()->step_count--, v.x.steps++;
  lie("the first step is missing");
  again()->steps = NULL;
  lie("no steps, but a count");
  again()->step_count = 0;
  lie("no count of steps");
  if (count > 1) {
    again();
    size_t j = i + 1 < count ? i + 1 : i - 1;
    v.steps[i] = v.good.steps[j], v.steps[j] = v.good.steps[i];
    lie("steps in another order");
    again();
    v.steps[j] = v.steps[i];
    lie("a step twice");
  }
  again()->step_count = 1; /* one instead of all */
  v.steps[0].to = v.good.result == GRAZE_CLEAR ? v.r->given.t_max : v.good.t_lower;
  attack("the number of steps");
  again();
  if (count > 1) v.steps[i].to = v.steps[i < count - 1 ? i + 1 : i].to;
  if (i < count - 1) memmove(&v.steps[i + 1], &v.steps[i + 2], (count - i - 2) * sizeof v.steps[0]), v.x.step_count--;
  attack("two steps into one");
  again();
  graze_vec *d = &v.steps[i].direction.vector, off = rng_vec(&v.random, v.r->given.pair.a.dim, 1);
  double f = ldexp(1, -rng_below(&v.random, 50));
  *d = (graze_vec){d->x + f * off.x, d->y + f * off.y, d->z + f * off.z};
  attack("a direction by a little");
}

/* ---- lies about the result and its times */

static void lie_about_start(void) {
  for (int starts = -1; starts <= 5; starts++) {
    again()->starts = (graze_relation)(starts & 7);
    if (v.x.starts != v.good.starts) lie("another start");
  }
}

static void lie_about_result(void) {
  double end = v.r->given.t_max;
  for (int result = -1; result < 9; result++) {
    again()->result = (graze_motion_result)(result & 15);
    if (v.x.result != v.good.result) lie("another result alone");
  }
  again()->min_lower = 0;
  lie("a least distance");
  again()->t_min = 0;
  lie("a time of the least distance");
  if (v.good.result == GRAZE_HIT) {
    again()->result = GRAZE_CLEAR;
    v.x.t = v.x.t_lower = v.x.t_upper = nothing;
    lie("clear instead of hit");
    v.steps[v.x.step_count - 1].to = end;
    lie("clear instead of hit, with a long last step");
  } else {
    again()->result = GRAZE_HIT;
    v.x.t = v.x.t_lower = v.steps[v.x.step_count - 1].to, v.x.t_upper = end;
    lie("hit instead of clear");
    v.x.t = v.x.t_lower = v.steps[0].to, v.x.step_count = 1;
    lie("hit instead of clear, after a step");
  }
}

static void lie_about_times(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, -1, 1e300};
  double lower = v.good.t_lower, upper = v.good.t_upper, end = v.r->given.t_max;
  size_t last = v.good.step_count - 1;
  if (v.good.result != GRAZE_HIT) return;
  again()->t_upper = nextafter(lower, 0);
  lie("t_upper before t_lower");
  again()->t_upper = lower;
  attack("t_upper: no later than t_lower");
  again();
  v.x.t = v.x.t_lower = upper;
  lie("a later t_lower");
  again()->t = upper + 1;
  lie("another t");
  again();
  v.x.t = v.x.t_lower = v.steps[last].to = upper;
  lie("a later t_lower, with a step that long");
  again()->t_upper = nextafter(end, INFINITY);
  lie("t_upper after the end");
  again()->t_upper = lower + 0.5 * (upper - lower);
  attack("t_upper: half way");
  again()->t_upper = rng_uniform(&v.random, lower, end);
  attack("t_upper: any later");
  again();
  v.x.t = v.x.t_lower = rng_uniform(&v.random, 0, lower);
  lie("an earlier t_lower, with steps beyond");
  for (int k = 0; k < 5; k++) {
    again()->t_upper = odd[k];
    lie("an odd t_upper");
    again();
    v.x.t = v.x.t_lower = odd[k];
    lie("an odd t_lower");
  }
}

/* ---- lies about what meets */

static void change_pair(graze_pair *pair) {
  static const int32_t odd[] = {-1, -2, 0, 1, 63, 64, 1 << 30, INT32_MIN, INT32_MAX};
  static const double numbers[] = {NAN, INFINITY, 1e300, -0.0, 1};
  switch (rng_below(&v.random, 4)) {
  case 0: pair->a = odd[rng_below(&v.random, 9)]; break;
  case 1: pair->b = odd[rng_below(&v.random, 9)]; break;
  case 2: pair->end = odd[rng_below(&v.random, 9)]; break;
  default: pair->point_a.x = numbers[rng_below(&v.random, 5)]; break;
  }
}

static void attack_the_certificate(void) {
  static const int odd[] = {-1, 0, 1, 2, 5, 6, 7, 1 << 30, -(1 << 30)};
  graze_certificate *proof = &v.x.certificate;
  for (int i = 0; i < 9; i++) {
    again();
    proof->pair_count = odd[i];
    attack("the number of pairs");
    again();
    change_pair(&proof->pairs[rng_below(&v.random, 6)]);
    attack("a pair");
    again();
    proof->vertex = odd[i];
    attack("the vertex");
    again();
    proof->kind = (graze_certificate_kind)i;
    attack("the kind");
  }
}

/* ---- other questions */

static void attack_the_question(void) {
  judge_turning m = v.r->motion;
  double much = judge_turning_size(&m);
  bool plane_a = m.a->kind == GRAZE_HALFSPACE, plane_b = m.b->kind == GRAZE_HALFSPACE;
  again();
  m.t_max = rng_uniform(&v.random, 0, 1) * v.r->motion.t_max;
  attack_as(&m, "t_max: earlier");
  m.t_max = 2 * v.r->motion.t_max;
  attack_as(&m, "t_max: later");
  m = v.r->motion;
  m.clearance += ldexp(much, -rng_below(&v.random, 50));
  attack_as(&m, "the clearance");
  m = v.r->motion;
  m.motion_a.angular.z = -m.motion_a.angular.z;
  attack_as(&m, "how A turns");
  m = v.r->motion;
  if (!plane_b) m.motion_b.angular.z += ldexp(1, -rng_below(&v.random, 50));
  if (!plane_b) attack_as(&m, "how B turns");
  m = v.r->motion;
  m.motion_a.velocity.x += ldexp(1, -rng_below(&v.random, 50));
  attack_as(&m, "how A moves");
  m = v.r->motion;
  m.pose_b.position.y += ldexp(much, -rng_below(&v.random, 50));
  attack_as(&m, "where B is");
  m = v.r->motion;
  m.pose_a.w += ldexp(1, -rng_below(&v.random, 50));
  if (!plane_a) attack_as(&m, "how A is turned at first");
}

/* ---- all of it */

static bool turns(const judge_turning *m) {
  return judge_turning_speed(m) > 0 && (m->motion_a.angular.z != 0 || m->motion_b.angular.z != 0);
}

static void attack_all(void) {
  size_t last = v.good.step_count - 1;
  lie_about_a_step(0);
  lie_about_a_step(last);
  lie_about_a_step(rng_index(&v.random, last + 1));
  lie_about_the_chain();
  lie_about_start();
  lie_about_result();
  lie_about_times();
  if (v.good.result == GRAZE_HIT) attack_the_certificate();
  attack_the_question();
}

static void run_family(const sweep_family *from, int sweeps, long *asked) {
  sweep_runner *r = v.r;
  sweep_start(r, from->name);
  v.random = (rng){family_seed(from->name)};
  for (int i = 0; i < sweeps; i++) {
    memset(&r->given, 0, sizeof r->given);
    from->make(&v.random, &r->given);
    sweep_place(r);
    const sweep_case *c = &r->given;
    graze_options options = sweep_options(r, true);
    graze_status status = graze_sweep(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, &v.good);
    assert_int_equal(status, GRAZE_OK);
    if (!turns(&r->motion) || v.good.starts != GRAZE_SEPARATED || v.good.step_count == 0) continue;
    if (judge_as(&r->motion, &v.good) != GRAZE_OK) continue; /* how many of these there are is counted elsewhere */
    (*asked)++;
    attack_all();
  }
  v.failed += r->count.failed;
}

TEST(attacks) {
  long asked = 0;
  v.r = sweep_runner_new(MOMENTS, true);
  for (int f = 0; f < sweep_polytopes_count; f++)
    if (family_wanted(sweep_polytopes[f].name)) run_family(&sweep_polytopes[f], tiered(4, 8, 200), &asked);
  printf("%ld answers, changed %ld times: %ld refuted, %ld accepted and true\n", asked, v.lies, v.refuted,
         v.accepted - v.failed);
  sweep_runner_free(v.r);
  assert_int_equal(v.failed, 0);
  assert_true(asked >= 40);
}

/* Contacts at first: what is said of the start must not pass for want of any step. */
/* A start and a way of 1e20 that cancel: rounded, the bodies have passed each other by 16,000; in truth A is 13,000
 * before B. The verifier took the last step for the end of all that may happen. */
TEST(a_start_and_a_way_may_cancel) {
  const graze_shape box = graze_box(0.5, 0.5, 0.5);
  const graze_placed a = graze_place(&box, graze_pose_at(-0x1.dd4a2dc04cd3ep+12, 0, 0));
  const graze_placed b = graze_place(&box, graze_pose_at(0x1.e32aa01620976p+66, 0, 0));
  const graze_motion fast = {{0x1.13be7b4900f67p+0, 0, 0}, {0, 0, 1e-25}};
  const graze_motion slow = {{0x1.f499c81bd1410p-54, 0, 0}, {0, 0, 0}};
  const double end = 0x1.c092054b83e31p+66;
  const graze_sweep_step step = {0, end, {.form = GRAZE_DIRECTION_VECTOR, .vector = {1, 0, 0}}};
  graze_sweep_step steps[64];
  graze_options options = graze_default_options();
  graze_impact x;
  options.steps = steps, options.step_capacity = 64;
  assert_int_equal(graze_sweep(&a, &fast, &b, &slow, 2 * end, &options, &x), GRAZE_OK);
  assert_int_not_equal(x.result, GRAZE_CLEAR);
  x.result = GRAZE_CLEAR;
  x.t = x.t_lower = x.t_upper = NAN;
  x.steps = &step, x.step_count = 1;
  assert_int_not_equal(graze_verify_sweep(&a, &fast, &b, &slow, 2 * end, NULL, &x), GRAZE_OK);
}

TEST(starts_are_not_taken_on_trust) {
  rng random = {family_seed("starts")};
  static sweep_case c;
  for (int i = 0, n = tiered(100, 200, 4000); i < n; i++) {
    graze_impact x;
    graze_sweep_step step[64];
    graze_options options = graze_default_options();
    memset(&c, 0, sizeof c);
    sweep_polytopes[sweep_polytopes_count - 1 - i % 2].make(&random, &c); /* in touch, overlapping */
    graze_placed a = graze_place(&c.pair.a, c.pair.pose_a), b = graze_place(&c.pair.b, c.pair.pose_b);
    options.clearance = c.clearance;
    options.steps = step, options.step_capacity = 64;
    assert_int_equal(graze_sweep(&a, &c.motion_a, &b, &c.motion_b, c.t_max, &options, &x), GRAZE_OK);
    graze_relation truth = x.starts;
    if (truth == GRAZE_SEPARATED || x.path == GRAZE_PATH_FCCD) continue;
    for (int k = 0; k < 12; k++) {
      graze_impact y = x;
      y.starts = (graze_relation)(1 + k % 4);
      y.steps = step, y.step_count = k / 4 == 2;
      y.result = k / 4 ? GRAZE_HIT : x.result;
      if (y.result != GRAZE_CLEAR) y.t = y.t_lower = 0, y.t_upper = k / 4 ? c.t_max : 0;
      graze_status status = graze_verify_sweep(&a, &c.motion_a, &b, &c.motion_b, c.t_max, &options, &y);
      if (y.starts != truth && status == GRAZE_OK)
        fail_msg("%d: accepted as starting %s, not %s", i, graze_relation_text(y.starts), graze_relation_text(truth));
    }
  }
}
