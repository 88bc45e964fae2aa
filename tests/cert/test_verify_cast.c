/* Attacks on graze_verify_cast(). Correct answers are changed in every field: those that the verifier still accepts are
 * true according to the exact oracle. Then answers that are false by construction, and answers to other queries.
 *
 * GRAZE_TIER, GRAZE_FAMILY, GRAZE_SEED: as tests/cso/test_families.c. */

#include "support/test.h"
#include "support/cast_families.h"

static const double nothing = NAN;

/* A motion and the answer to it. */
typedef struct verdicts {
  cast_runner *r;
  judge_cast_truth truth;
  graze_impact good;
  rng random;
  long attacks, accepted, failed, refuted;
} verdicts;

static graze_status verify(const verdicts *v, const graze_impact *x) {
  const cast_case *c = &v->r->given;
  graze_options options = graze_default_options();
  options.clearance = c->clearance;
  return graze_verify_cast(&v->r->a, c->velocity_a, &v->r->b, c->velocity_b, c->t_max, &options, x);
}

static graze_relation relation_until(verdicts *v, double t) {
  const judge_motion *m = &v->r->motion;
  const oracle_motion motion = {m->velocity_a, m->velocity_b, 0, t};
  (void)oracle_solve_moving(v->r->other, m->a, &m->pose_a, m->b, &m->pose_b, m->clearance, &motion);
  return oracle_relation(v->r->other);
}

/* ---- is it true? */

static bool hit_is_true(verdicts *v, const graze_impact *x) {
  if (!(x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= v->r->given.t_max)) return false;
  if (x->starts != GRAZE_SEPARATED) return x->t_upper == 0;
  return relation_until(v, x->t_lower) == GRAZE_SEPARATED && relation_until(v, x->t_upper) != GRAZE_SEPARATED;
}

static bool clear_is_true(const verdicts *v, const graze_impact *x) {
  if (v->truth.hit) return false;
  if (x->starts == GRAZE_TOUCHING) return !(x->min_lower > 0) && !(x->min_upper < 0);
  return (isnan(x->min_lower) || oracle_compare(v->r->o, x->min_lower) >= 0) &&
         (isnan(x->min_upper) || oracle_compare(v->r->o, x->min_upper) <= 0);
}

static bool is_true(verdicts *v, const graze_impact *x) {
  if (x->starts != v->truth.starts) return false;
  if (x->result == GRAZE_CLEAR) return clear_is_true(v, x);
  return x->result == GRAZE_HIT && hit_is_true(v, x);
}

static void fail_with(verdicts *v, const char *what, const graze_impact *x) {
  v->failed++;
  cast_fail(v->r, what, x);
}

/* A changed answer: accepted only if it is true. */
static void attack(verdicts *v, const graze_impact *x, const char *what) {
  graze_status status = verify(v, x);
  v->attacks++;
  v->refuted += status == GRAZE_REFUTED;
  if (status != GRAZE_OK) return;
  v->accepted++;
  if (!is_true(v, x)) fail_with(v, what, x);
}

/* The answer is false by construction. */
static void must_reject(verdicts *v, const graze_impact *x, const char *what) {
  v->attacks++;
  graze_status status = verify(v, x);
  v->refuted += status == GRAZE_REFUTED;
  if (status == GRAZE_OK) fail_with(v, what, x);
}

/* ---- false results and numbers */

static void falsify_start(verdicts *v) {
  for (int starts = -1; starts <= 5; starts++) {
    graze_impact x = v->good;
    x.starts = (graze_relation)(starts & 7);
    if (x.starts != v->good.starts) must_reject(v, &x, "another start");
  }
}

static void falsify_result(verdicts *v) {
  const double end = fmin(v->r->given.t_max, 1e300),
               numbers[] = {0, end, 0.5 * end, v->good.t_lower, v->good.min_lower};
  graze_impact x = v->good;
  x.result = v->truth.hit ? GRAZE_CLEAR : GRAZE_HIT;
  x.t_min = nothing;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      x.min_lower = v->truth.hit ? numbers[i] : nothing;
      x.min_upper = v->truth.hit ? numbers[j] : nothing;
      x.t = x.t_lower = v->truth.hit ? nothing : numbers[i];
      x.t_upper = v->truth.hit ? nothing : numbers[j];
      if (!v->truth.hit && v->truth.starts == GRAZE_TOUCHING && x.t_upper == 0) continue; /* they do meet at 0 */
      must_reject(v, &x, "another result");
    }
  x = v->good;
  x.min_lower = 0, x.min_upper = nothing;
  x.t = x.t_lower = x.t_upper = nothing;
  x.result = GRAZE_CLEAR;
  if (v->truth.hit) must_reject(v, &x, "clear for ever");
  x = v->good;
  for (int result = -1; result < 9; result += result == 0 ? 3 : 1) {
    x.result = (graze_motion_result)(result & 15);
    if (x.result == v->good.result) continue;
    if (x.result != GRAZE_POSSIBLE) must_reject(v, &x, "no result");
  }
}

static void falsify_times(verdicts *v) {
  if (v->good.result != GRAZE_HIT || v->truth.starts != GRAZE_SEPARATED) return;
  double end = fmin(v->r->given.t_max, 1e300), width = v->good.t_upper - v->good.t_lower;
  const double later[] = {v->good.t_upper + width, v->good.t_upper * 1.5, end, nextafter(v->good.t_upper, INFINITY)};
  const double sooner[] = {v->good.t_lower - width, v->good.t_lower / 2, 0, nextafter(v->good.t_lower, 0)};
  for (int i = 0; i < 4; i++) {
    graze_impact x = v->good;
    x.t = x.t_lower = later[i], x.t_upper = fmax(x.t_lower, fmin(x.t_upper + 2 * width, end));
    if (relation_until(v, x.t_lower) != GRAZE_SEPARATED) must_reject(v, &x, "a later t_lower");
    x = v->good;
    x.t_upper = sooner[i], x.t = x.t_lower = fmin(x.t_lower, x.t_upper);
    if (x.t_upper >= 0 && relation_until(v, x.t_upper) == GRAZE_SEPARATED) must_reject(v, &x, "an earlier t_upper");
    x = v->good;
    x.t_lower = v->good.t_upper, x.t_upper = v->good.t_lower, x.t = x.t_lower;
    if (width > 0) must_reject(v, &x, "times in disorder");
    x = v->good;
    x.t = later[i];
    if (x.t != v->good.t) must_reject(v, &x, "another t");
  }
}

static void falsify_least(verdicts *v) {
  if (v->good.result != GRAZE_CLEAR) return;
  const double more[] = {nextafter(v->good.min_upper, INFINITY), 2 * v->good.min_upper + 1, 1e300, INFINITY};
  const double less[] = {nextafter(v->good.min_lower, 0), v->good.min_lower / 2, 0, -1};
  for (int i = 0; i < 4; i++) {
    graze_impact x = v->good;
    bool touch = v->truth.starts == GRAZE_TOUCHING;
    x.min_lower = more[i], x.min_upper = isnan(x.min_upper) ? x.min_upper : fmax(x.min_upper, more[i]);
    if (!isnan(more[i]) && (touch || oracle_compare(v->r->o, x.min_lower) < 0))
      must_reject(v, &x, "a larger min_lower");
    x = v->good;
    x.min_upper = less[i], x.min_lower = fmin(x.min_lower, less[i]);
    if (touch ? x.min_upper < 0 : oracle_compare(v->r->o, x.min_upper) > 0) must_reject(v, &x, "a smaller min_upper");
  }
}

/* Regression: the verifier once ignored numbers that a result does not have. */
static void falsify_absent_numbers(verdicts *v) {
  bool clear = v->good.result == GRAZE_CLEAR;
  graze_impact x = v->good;
  double *absent[] = {clear ? &x.t : &x.min_lower, clear ? &x.t_lower : &x.min_upper, clear ? &x.t_upper : &x.t_min};
  for (int i = 0; i < 3; i++) {
    *absent[i] = 1;
    must_reject(v, &x, "a number that this result does not have");
    *absent[i] = nothing;
  }
  x.t_min = -1;
  must_reject(v, &x, "a moment before the motion");
  x.t_min = INFINITY;
  if (v->r->given.t_max < INFINITY) must_reject(v, &x, "a moment after the motion");
}

/* ---- damage */

static double any_number(rng *random) {
  static const double value[] = {0, -0.0, 1, -1, 0.5, 1e-320, -1e-320, 1e300, -1e300, 1e40, 3, NAN};
  switch (rng_below(random, 4)) {
  case 0: return rng_uniform(random, -2, 2);
  case 1: return rng_coin(random) ? (double)INFINITY : -(double)INFINITY;
  default: return value[rng_below(random, 12)];
  }
}

static double nudged(rng *random, double x) {
  switch (rng_below(random, 5)) {
  case 0: return nextafter(x, INFINITY);
  case 1: return nextafter(x, -INFINITY);
  case 2: return -x;
  case 3: return x * 2;
  default: return any_number(random);
  }
}

static int any_index(rng *random, int x) {
  static const int value[] = {0, 1, 2, 3, 7, 8, -1, -2, 64, 0x7fffffff, -0x7fffffff - 1};
  return rng_coin(random) && x > -64 && x < 64 ? x + rng_between(random, -1, 1) : value[rng_below(random, 11)];
}

/* Changes one number or index of the answer or its certificate. */
static void damage(rng *random, graze_impact *x) {
  graze_certificate *c = &x->certificate;
  graze_direction *d = &c->direction;
  graze_pair *p = rng_coin(random) ? &c->pairs[rng_below(random, 6)] : &d->pairs[rng_below(random, 4)];
  double *numbers[] = {&x->t,         &x->t_lower,        &x->t_upper,        &x->min_lower, &x->min_upper,
                       &x->t_min,     &d->vector.x,       &d->vector.y,       &d->vector.z,  &c->vertex_point.x,
                       &p->point_a.x, &c->vertex_point.y, &c->vertex_point.z, &p->point_a.y, &p->point_a.z,
                       &p->point_b.x, &p->point_b.y,      &p->point_b.z};
  void *indices[] = {&x->result, &x->starts, &c->kind,  &c->pair_count, &c->vertex, &c->depth_proof, &d->form,
                     &d->sign,   &d->axis,   &d->count, &p->a,          &p->b,      &p->end};
  if (rng_below(random, 3) == 0) {
    double *number = numbers[rng_index(random, COUNT(numbers))];
    *number = nudged(random, *number);
  } else {
    void *at = indices[rng_index(random, COUNT(indices))];
    int32_t index;
    memcpy(&index, at, sizeof index);
    index = any_index(random, index);
    memcpy(at, &index, sizeof index);
  }
}

/* Noise all over, but where pointers stand. */
static void shred(rng *random, graze_impact *x) {
  unsigned char *byte = (unsigned char *)x;
  for (int i = 0, n = rng_between(random, 1, 40); i < n; i++)
    byte[rng_below(random, (int)sizeof *x)] = (unsigned char)rng_below(random, 256);
  x->result = (graze_motion_result)((unsigned)x->result & 3);
  x->starts = (graze_relation)((unsigned)x->starts & 7);
  x->certificate.kind = (graze_certificate_kind)((unsigned)x->certificate.kind & 7);
  x->certificate.direction.form = (graze_direction_form)((unsigned)x->certificate.direction.form & 7);
  x->certificate.depth_proof = (graze_depth_proof)((unsigned)x->certificate.depth_proof & 3);
  x->certificate.surface = NULL;
}

static void damage_often(verdicts *v, int times) {
  for (int i = 0; i < times; i++) {
    graze_impact x = v->good;
    for (int n = rng_between(&v->random, 1, 3); n > 0; n--) damage(&v->random, &x);
    attack(v, &x, "a damaged answer is accepted, and false");
    x = v->good;
    shred(&v->random, &x);
    attack(v, &x, "a shredded answer is accepted, and false");
  }
}

/* ---- answers to other queries */

static void verify_for_other_queries(verdicts *v) {
  cast_runner *r = v->r;
  const cast_case keep = {.velocity_a = r->given.velocity_a,
                          .velocity_b = r->given.velocity_b,
                          .t_max = r->given.t_max,
                          .clearance = r->given.clearance};
  for (int i = 0; i < 4; i++) {
    cast_case *c = &r->given;
    judge_motion motion = r->motion;
    judge_cast_truth truth = v->truth;
    if (i == 0) c->velocity_a = cast_plus(c->velocity_a, c->velocity_a, rng_uniform(&v->random, -2, 2));
    if (i == 1) c->velocity_b = cast_plus(c->velocity_b, c->velocity_b, rng_uniform(&v->random, -2, 2));
    if (i == 2) c->t_max *= rng_uniform(&v->random, 0, 4);
    if (i == 3) c->clearance = rng_uniform(&v->random, 0, 1) * judge_cast_size(&motion);
    r->motion.velocity_a = c->velocity_a, r->motion.velocity_b = c->velocity_b;
    r->motion.t_max = c->t_max, r->motion.clearance = c->clearance;
    if (!isnan(c->t_max) && judge_cast_solve(r->o, &r->motion, &v->truth))
      attack(v, &v->good, "the answer to another query");
    c->velocity_a = keep.velocity_a, c->velocity_b = keep.velocity_b;
    c->t_max = keep.t_max, c->clearance = keep.clearance;
    r->motion = motion, v->truth = truth;
  }
  (void)judge_cast_solve(r->o, &r->motion, &v->truth);
}

static void attack_cast(verdicts *v, int times) {
  if (!cast_run(v->r, &v->good)) {
    v->failed++;
    return;
  }
  v->r->motion.ray =
      false; /* the verifier does not know rays: one that leaves a surface is a hit, but clear as a cast */
  if (v->good.result == 0 || !judge_cast_solve(v->r->o, &v->r->motion, &v->truth)) return; /* too large: not asked */
  falsify_start(v);
  falsify_result(v);
  falsify_times(v);
  falsify_least(v);
  falsify_absent_numbers(v);
  damage_often(v, times);
  verify_for_other_queries(v);
}

/* ---- */

static void moved(verdicts *v, const family *from) {
  cast_case *c = &v->r->given;
  from->make(&v->random, &c->pair);
  graze_vec d = rng_vec(&v->random, c->pair.a.dim, 2 * judge_scale(&c->pair.a, &c->pair.b, 0));
  c->pair.pose_b.position = cast_plus(c->pair.pose_b.position, d, -1);
  c->velocity_b = d;
  c->t_max = rng_uniform(&v->random, 0.5, 2);
}

static long attack_family(verdicts *v, const char *name, const family *pairs, const cast_family *casts, int count) {
  if (!family_wanted(name)) return 0;
  v->random = family_seed(name);
  v->attacks = v->accepted = v->refuted = v->failed = 0;
  cast_start(v->r, name);
  for (int i = 0; i < count; i++) {
    memset(&v->r->given, 0, sizeof v->r->given);
    memset(&v->good, 0, sizeof v->good);
    if (casts)
      casts->make(&v->random, &v->r->given);
    else
      moved(v, pairs);
    attack_cast(v, 20);
  }
  printf("%-40s %8ld attacks, %5.1f %% accepted, %5.1f %% refuted, %ld failed\n", name, v->attacks,
         100.0 * (double)v->accepted / fmax((double)v->attacks, 1),
         100.0 * (double)v->refuted / fmax((double)v->attacks, 1), v->failed);
  fflush(stdout);
  return v->failed;
}

static verdicts *verdicts_new(void) {
  static verdicts v;
  memset(&v, 0, sizeof v);
  v.r = cast_runner_new();
  return &v;
}

TEST(false_claims_about_random_casts) {
  verdicts *v = verdicts_new();
  long failed = 0;
  for (int i = 0; i < families_random_count; i++)
    failed += attack_family(v, families_random[i].name, &families_random[i], NULL, tiered(60, 120, 3000));
  for (int i = 0; i < families_degenerate_count; i++)
    failed += attack_family(v, families_degenerate[i].name, &families_degenerate[i], NULL, tiered(15, 30, 1000));
  cast_runner_free(v->r);
  assert_int_equal(failed, 0);
}

TEST(false_claims_about_degenerate_casts) {
  verdicts *v = verdicts_new();
  long failed = 0;
  for (int i = 0; i < cast_families_count; i++)
    failed += attack_family(v, cast_families[i].name, NULL, &cast_families[i], tiered(30, 60, 2000));
  cast_runner_free(v->r);
  assert_int_equal(failed, 0);
}

/* ---- in touch, but not at first */

/* The bodies touch at t = 1; its certificate, with all pairs at the start or end, must not prove a touch at 0. */
static void check_touch_at_the_end(graze_shape shape_a, graze_shape shape_b, graze_vec from, graze_vec path) {
  const graze_vec still = {0, 0, 0}, there = cast_plus(from, path, 1);
  graze_placed a = graze_place(&shape_a, graze_pose_at(0, 0, 0)), b = graze_place(&shape_b, graze_pose_at(0, 0, 0));
  graze_answer answer;
  graze_impact x;
  assert_int_equal(graze_set_pose(&b, graze_pose_at(there.x, there.y, there.z)), GRAZE_OK);
  assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, GRAZE_TOUCHING);
  assert_int_equal(graze_set_pose(&b, graze_pose_at(from.x, from.y, from.z)), GRAZE_OK);
  assert_int_equal(graze_cast(&a, still, &b, path, 1, NULL, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_HIT);
  x.result = GRAZE_CLEAR, x.starts = GRAZE_TOUCHING;
  x.min_lower = x.min_upper = x.t_min = 0;
  x.t = x.t_lower = x.t_upper = nothing;
  for (int ends = 0; ends < 4; ends++) {
    x.certificate = answer.certificate;
    for (int i = 0; i < 6; i++) x.certificate.pairs[i].end = ends & 1;
    for (int i = 0; i < 4; i++) x.certificate.direction.pairs[i].end = ends >> 1;
    assert_int_not_equal(graze_verify_cast(&a, still, &b, path, 1, NULL, &x), GRAZE_OK);
  }
}

TEST(a_later_touch_is_no_start) {
  const graze_vec from = {0, 0, 5}, path = {0.5, 0, -3}, floor = {0, 0, 1};
  check_touch_at_the_end(graze_box(1, 1, 1), graze_box(1, 1, 1), from, path);
  check_touch_at_the_end(graze_box(1, 1, 1), graze_sphere(1), from, path);
  check_touch_at_the_end(graze_sphere(1), graze_capsule(0.5, 0.5), from, (graze_vec){0, 0, -3});
  check_touch_at_the_end(graze_halfspace(floor, 1), graze_box(1, 1, 1), from, path);
  check_touch_at_the_end(graze_box(1, 1, 1), graze_halfspace((graze_vec){0, 0, -1}, 0), from, (graze_vec){0.5, 0, -4});
}

/* ---- invalid queries */

TEST(invalid_queries_are_rejected) {
  const graze_vec still = {0, 0, 0}, flat = {1, 0, 0}, deep = {0, 0, 1}, bad = {NAN, 0, 0};
  graze_shape box = graze_box(1, 1, 1), square = graze_box2(1, 1), floor = graze_halfspace(deep, 0);
  graze_shape broken = graze_sphere(-1);
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0)), b = graze_place(&box, graze_pose_at(4, 0, 0));
  graze_placed s = graze_place(&square, graze_pose2(0, 0, 0)), f = graze_place(&floor, graze_pose_at(0, 0, 0));
  graze_placed x = graze_place(&broken, graze_pose_at(0, 0, 0));
  graze_options options = graze_default_options();
  graze_impact impact;
  assert_int_equal(graze_cast(&a, flat, &b, still, 4, NULL, &impact), GRAZE_OK);
  assert_int_equal(graze_verify_cast(&a, flat, &b, still, 4, NULL, &impact), GRAZE_OK);
  assert_int_equal(graze_verify_cast(&a, bad, &b, still, 4, NULL, &impact), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_verify_cast(&a, flat, &b, still, NAN, NULL, &impact), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_verify_cast(&a, flat, &b, still, -1, NULL, &impact), GRAZE_BAD_OPTION);
  assert_int_equal(graze_verify_cast(&a, flat, &s, still, 4, NULL, &impact), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_verify_cast(&s, deep, &s, still, 4, NULL, &impact), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_verify_cast(&f, flat, &f, still, 4, NULL, &impact), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_verify_cast(&a, flat, &x, still, 4, NULL, &impact), GRAZE_BAD_SHAPE);
  options.clearance = -1;
  assert_int_equal(graze_verify_cast(&a, flat, &b, still, 4, &options, &impact), GRAZE_BAD_OPTION);
  memset(&impact, 0, sizeof impact);
  assert_int_not_equal(graze_verify_cast(&a, flat, &b, still, 4, NULL, &impact), GRAZE_OK);
}
