/* Attacks on graze_verify_cast(). Good answers about casts are changed in every field; whatever the verifier accepts
 * afterwards must be true, as the exact oracle says. Then lies that are made so that the truth refutes them, and
 * questions to which the answer does not belong.
 *
 * GRAZE_TIER, GRAZE_FAMILY, GRAZE_SEED: as tests/cso/test_families.c. */

#include "support/test.h"
#include "support/cast_families.h"

static const double nothing = NAN;

/* A motion, and what was said of it. */
typedef struct verdicts {
  cast_runner *r;
  judge_cast_truth truth;
  graze_impact good;
  rng random;
  long lies, accepted, failed, refuted;
} verdicts;

static graze_status judge(const verdicts *v, const graze_impact *x) {
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

static void tell(verdicts *v, const char *what, const graze_impact *x) {
  v->failed++;
  cast_fail(v->r, what, x);
}

/* Something was changed. */
static void attack(verdicts *v, const graze_impact *x, const char *what) {
  graze_status status = judge(v, x);
  v->lies++;
  v->refuted += status == GRAZE_REFUTED;
  if (status != GRAZE_OK) return;
  v->accepted++;
  if (!is_true(v, x)) tell(v, what, x);
}

/* What is said now is false: it was made so. */
static void lie(verdicts *v, const graze_impact *x, const char *what) {
  v->lies++;
  graze_status status = judge(v, x);
  v->refuted += status == GRAZE_REFUTED;
  if (status == GRAZE_OK) tell(v, what, x);
}

/* ---- lies about the result and its numbers */

static void lie_about_start(verdicts *v) {
  for (int starts = -1; starts <= 5; starts++) {
    graze_impact x = v->good;
    x.starts = (graze_relation)(starts & 7);
    if (x.starts != v->good.starts) lie(v, &x, "another start");
  }
}

static void lie_about_result(verdicts *v) {
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
      lie(v, &x, "another result");
    }
  x = v->good;
  x.min_lower = 0, x.min_upper = nothing;
  x.t = x.t_lower = x.t_upper = nothing;
  x.result = GRAZE_CLEAR;
  if (v->truth.hit) lie(v, &x, "clear for ever");
  x = v->good;
  for (int result = -1; result < 9; result += result == 0 ? 3 : 1) {
    x.result = (graze_motion_result)(result & 15);
    if (x.result == v->good.result) continue;
    if (x.result != GRAZE_POSSIBLE) lie(v, &x, "no result");
  }
}

static void lie_about_times(verdicts *v) {
  if (v->good.result != GRAZE_HIT || v->truth.starts != GRAZE_SEPARATED) return;
  double end = fmin(v->r->given.t_max, 1e300), width = v->good.t_upper - v->good.t_lower;
  const double later[] = {v->good.t_upper + width, v->good.t_upper * 1.5, end, nextafter(v->good.t_upper, INFINITY)};
  const double sooner[] = {v->good.t_lower - width, v->good.t_lower / 2, 0, nextafter(v->good.t_lower, 0)};
  for (int i = 0; i < 4; i++) {
    graze_impact x = v->good;
    x.t = x.t_lower = later[i], x.t_upper = fmax(x.t_lower, fmin(x.t_upper + 2 * width, end));
    if (relation_until(v, x.t_lower) != GRAZE_SEPARATED) lie(v, &x, "a later t_lower");
    x = v->good;
    x.t_upper = sooner[i], x.t = x.t_lower = fmin(x.t_lower, x.t_upper);
    if (x.t_upper >= 0 && relation_until(v, x.t_upper) == GRAZE_SEPARATED) lie(v, &x, "an earlier t_upper");
    x = v->good;
    x.t_lower = v->good.t_upper, x.t_upper = v->good.t_lower, x.t = x.t_lower;
    if (width > 0) lie(v, &x, "times in disorder");
    x = v->good;
    x.t = later[i];
    if (x.t != v->good.t) lie(v, &x, "another t");
  }
}

static void lie_about_least(verdicts *v) {
  if (v->good.result != GRAZE_CLEAR) return;
  const double more[] = {nextafter(v->good.min_upper, INFINITY), 2 * v->good.min_upper + 1, 1e300, INFINITY};
  const double less[] = {nextafter(v->good.min_lower, 0), v->good.min_lower / 2, 0, -1};
  for (int i = 0; i < 4; i++) {
    graze_impact x = v->good;
    bool touch = v->truth.starts == GRAZE_TOUCHING;
    x.min_lower = more[i], x.min_upper = isnan(x.min_upper) ? x.min_upper : fmax(x.min_upper, more[i]);
    if (!isnan(more[i]) && (touch || oracle_compare(v->r->o, x.min_lower) < 0)) lie(v, &x, "a larger min_lower");
    x = v->good;
    x.min_upper = less[i], x.min_lower = fmin(x.min_lower, less[i]);
    if (touch ? x.min_upper < 0 : oracle_compare(v->r->o, x.min_upper) > 0) lie(v, &x, "a smaller min_upper");
  }
}

/* Numbers that such a result does not have were once not looked at. */
static void lie_about_what_is_not_there(verdicts *v) {
  bool clear = v->good.result == GRAZE_CLEAR;
  graze_impact x = v->good;
  double *absent[] = {clear ? &x.t : &x.min_lower, clear ? &x.t_lower : &x.min_upper, clear ? &x.t_upper : &x.t_min};
  for (int i = 0; i < 3; i++) {
    *absent[i] = 1;
    lie(v, &x, "a number that this result does not have");
    *absent[i] = nothing;
  }
  x.t_min = -1;
  lie(v, &x, "a moment before the motion");
  x.t_min = INFINITY;
  if (v->r->given.t_max < INFINITY) lie(v, &x, "a moment after the motion");
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

static void damage_vec(rng *random, graze_vec *p) {
  double *part[] = {&p->x, &p->y, &p->z}, *at = part[rng_below(random, 3)];
  *at = nudged(random, *at);
}

static void damage_pair(rng *random, graze_pair *p) {
  switch (rng_below(random, 5)) {
  case 0: p->a = any_index(random, p->a); break;
  case 1: p->b = any_index(random, p->b); break;
  case 2: damage_vec(random, &p->point_a); break;
  case 3: damage_vec(random, &p->point_b); break;
  default: p->end = rng_below(random, 3) ? 1 - p->end : any_index(random, p->end);
  }
}

static void damage_direction(rng *random, graze_direction *d) {
  switch (rng_below(random, 6)) {
  case 0: d->form = (graze_direction_form)(any_index(random, (int)d->form) & 7); break;
  case 1: damage_vec(random, &d->vector); break;
  case 2: d->sign = any_index(random, d->sign); break;
  case 3: d->axis = any_index(random, d->axis); break;
  case 4: d->count = any_index(random, d->count); break;
  default: damage_pair(random, &d->pairs[rng_below(random, 4)]);
  }
}

static void damage_certificate(rng *random, graze_certificate *c) {
  switch (rng_below(random, 8)) {
  case 0: c->kind = (graze_certificate_kind)(any_index(random, (int)c->kind) & 7); break;
  case 1:
  case 2: damage_direction(random, &c->direction); break;
  case 3: c->pair_count = any_index(random, c->pair_count); break;
  case 4: c->vertex = any_index(random, c->vertex); break;
  case 5: damage_vec(random, &c->vertex_point); break;
  case 6: c->depth_proof = (graze_depth_proof)rng_below(random, 4); break;
  default: damage_pair(random, &c->pairs[rng_below(random, 6)]);
  }
}

static void damage(rng *random, graze_impact *x) {
  double *number[] = {&x->t, &x->t_lower, &x->t_upper, &x->min_lower, &x->min_upper, &x->t_min};
  int which = rng_below(random, 6);
  switch (rng_below(random, 8)) {
  case 0: *number[which] = nudged(random, *number[which]); break;
  case 1: x->result = (graze_motion_result)(any_index(random, (int)x->result) & 7); break;
  case 2: x->starts = (graze_relation)(any_index(random, (int)x->starts) & 7); break;
  default: damage_certificate(random, &x->certificate);
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

static void damage_it(verdicts *v, int times) {
  for (int i = 0; i < times; i++) {
    graze_impact x = v->good;
    for (int n = rng_between(&v->random, 1, 3); n > 0; n--) damage(&v->random, &x);
    attack(v, &x, "a damaged answer is accepted, and false");
    x = v->good;
    shred(&v->random, &x);
    attack(v, &x, "a shredded answer is accepted, and false");
  }
}

/* ---- answers to other questions */

static void ask_otherwise(verdicts *v) {
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
      attack(v, &v->good, "the answer to another question");
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
  lie_about_start(v);
  lie_about_result(v);
  lie_about_times(v);
  lie_about_least(v);
  lie_about_what_is_not_there(v);
  damage_it(v, times);
  ask_otherwise(v);
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
  v->lies = v->accepted = v->refuted = v->failed = 0;
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
  printf("%-40s %8ld attacks, %5.1f %% accepted, %5.1f %% refuted, %ld failed\n", name, v->lies,
         100.0 * (double)v->accepted / fmax((double)v->lies, 1), 100.0 * (double)v->refuted / fmax((double)v->lies, 1),
         v->failed);
  fflush(stdout);
  return v->failed;
}

static verdicts *verdicts_new(void) {
  static verdicts v;
  memset(&v, 0, sizeof v);
  v.r = cast_runner_new();
  return &v;
}

TEST(lies_about_random_casts) {
  verdicts *v = verdicts_new();
  long failed = 0;
  for (int i = 0; i < families_random_count; i++)
    failed += attack_family(v, families_random[i].name, &families_random[i], NULL, tiered(60, 120, 3000));
  for (int i = 0; i < families_degenerate_count; i++)
    failed += attack_family(v, families_degenerate[i].name, &families_degenerate[i], NULL, tiered(15, 30, 1000));
  cast_runner_free(v->r);
  assert_int_equal(failed, 0);
}

TEST(lies_about_degenerate_casts) {
  verdicts *v = verdicts_new();
  long failed = 0;
  for (int i = 0; i < cast_families_count; i++)
    failed += attack_family(v, cast_families[i].name, NULL, &cast_families[i], tiered(30, 60, 2000));
  cast_runner_free(v->r);
  assert_int_equal(failed, 0);
}

/* ---- in touch, but not at first */

/* They come to touch at the very end; the certificate of that, with all pairs said to be there. */
static void touch_at_the_end(graze_shape shape_a, graze_shape shape_b, graze_vec from, graze_vec way) {
  const graze_vec still = {0, 0, 0}, there = cast_plus(from, way, 1);
  graze_placed a = graze_place(&shape_a, graze_pose_at(0, 0, 0)), b = graze_place(&shape_b, graze_pose_at(0, 0, 0));
  graze_answer answer;
  graze_impact x;
  assert_int_equal(graze_set_pose(&b, graze_pose_at(there.x, there.y, there.z)), GRAZE_OK);
  assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, GRAZE_TOUCHING);
  assert_int_equal(graze_set_pose(&b, graze_pose_at(from.x, from.y, from.z)), GRAZE_OK);
  assert_int_equal(graze_cast(&a, still, &b, way, 1, NULL, &x), GRAZE_OK);
  assert_int_equal(x.result, GRAZE_HIT);
  x.result = GRAZE_CLEAR, x.starts = GRAZE_TOUCHING;
  x.min_lower = x.min_upper = x.t_min = 0;
  x.t = x.t_lower = x.t_upper = nothing;
  for (int ends = 0; ends < 4; ends++) {
    x.certificate = answer.certificate;
    for (int i = 0; i < 6; i++) x.certificate.pairs[i].end = ends & 1;
    for (int i = 0; i < 4; i++) x.certificate.direction.pairs[i].end = ends >> 1;
    assert_int_not_equal(graze_verify_cast(&a, still, &b, way, 1, NULL, &x), GRAZE_OK);
  }
}

TEST(touches_later) {
  const graze_vec from = {0, 0, 5}, way = {0.5, 0, -3}, floor = {0, 0, 1};
  touch_at_the_end(graze_box(1, 1, 1), graze_box(1, 1, 1), from, way);
  touch_at_the_end(graze_box(1, 1, 1), graze_sphere(1), from, way);
  touch_at_the_end(graze_sphere(1), graze_capsule(0.5, 0.5), from, (graze_vec){0, 0, -3});
  touch_at_the_end(graze_halfspace(floor, 1), graze_box(1, 1, 1), from, way);
  touch_at_the_end(graze_box(1, 1, 1), graze_halfspace((graze_vec){0, 0, -1}, 0), from, (graze_vec){0.5, 0, -4});
}

/* ---- what is no question */

TEST(refusals) {
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
