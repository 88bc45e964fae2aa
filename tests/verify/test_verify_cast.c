/* Changed answers of casts: whatever graze_verify_cast() accepts is true by the exact oracle. Options: test_families.c.
 */

#include "support/cast_families.h"
#include "support/query.h"
#include "support/shapes.h"

/* A motion and the answer to it. */
static struct {
  cast_runner *r;
  cast_truth truth;
  proved_cast good;
} v;

static graze_relation relation_until(double t) {
  const linear_query *m = &v.r->motion;
  const oracle_motion motion = {m->velocity_a, m->velocity_b, 0, t};
  (void)oracle_solve_moving(v.r->other, m->a, &m->pose_a, m->b, &m->pose_b, m->clearance, &motion);
  return oracle_relation(v.r->other);
}

/* ---- is it true? */

static bool hit_is_true(const proved_cast *x) {
  if (!isnan(x->min_lower) || !isnan(x->min_upper) || !isnan(x->t_min) || x->t != x->t_lower) return false;
  if (!(x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= v.r->given.t_max)) return false;
  if (x->start_relation != GRAZE_SEPARATED) return x->t_upper == 0;
  return relation_until(x->t_lower) == GRAZE_SEPARATED && relation_until(x->t_upper) != GRAZE_SEPARATED;
}

static bool clear_is_true(const proved_cast *x) {
  if (v.truth.hit || !isnan(x->t) || !isnan(x->t_lower) || !isnan(x->t_upper)) return false;
  if (x->t_min < 0 || x->t_min > v.r->given.t_max) return false;
  if (x->start_relation == GRAZE_TOUCHING) return x->min_lower == 0 && x->min_upper == 0;
  return (isnan(x->min_lower) || oracle_compare(v.r->o, x->min_lower) >= 0) &&
         (isnan(x->min_upper) || oracle_compare(v.r->o, x->min_upper) <= 0);
}

/* An answer that is accepted must be true. */
static void attack(const proved_cast *x, const char *what) {
  if (cast_verify(v.r, x) != GRAZE_OK) return;
  const bool holds = x->outcome == GRAZE_CLEAR ? clear_is_true(x) : x->outcome == GRAZE_HIT && hit_is_true(x);
  if (!holds || x->start_relation != v.truth.starts) cast_fail(v.r, what, x);
}

/* ---- changes of results and numbers */

static void change_enumerators(void) {
  for (int i = 0; i < 16; i++) {
    proved_cast x = v.good;
    x.start_relation = (graze_relation)i;
    attack(&x, "another start");
    x = v.good, x.outcome = (graze_cast_outcome)i;
    attack(&x, "another result");
  }
}

/* A hit and a clear motion with these bounds. */
static void change_bounds(double lower, double upper) {
  proved_cast x = v.good;
  x.outcome = GRAZE_HIT, x.t = x.t_lower = lower, x.t_upper = upper;
  x.min_lower = x.min_upper = x.t_min = NAN;
  attack(&x, "a hit at other times");
  x.outcome = GRAZE_CLEAR, x.t = x.t_lower = x.t_upper = NAN;
  x.min_lower = lower, x.min_upper = upper;
  attack(&x, "clear by another distance");
}

static void change_numbers(void) {
  proved_cast x = v.good;
  const bool hit = x.outcome == GRAZE_HIT;
  const double lower = hit ? x.t_lower : x.min_lower, upper = hit ? x.t_upper : x.min_upper, width = upper - lower;
  const double end = fmin(v.r->given.t_max, 1e300);
  const double values[] = {0, -1, 1, NAN, INFINITY, 1e300, end, 0.5 * end,
                           /* about the numbers of the answer */
                           lower, upper, x.t, x.t_min, width, lower - width, upper + width, 0.5 * lower, 2 * upper,
                           1.5 * upper, 2 * upper + 1, -lower, -upper, 0.5 * (lower + upper), nextafter(lower, 0),
                           nextafter(upper, INFINITY)};
  double *fields[] = {&x.t, &x.t_lower, &x.t_upper, &x.min_lower, &x.min_upper, &x.t_min};
  for (size_t i = 0; i < COUNT(values); i++) {
    const double value = values[i];
    change_bounds(value, value);
    change_bounds(value, fmax(value, upper));
    change_bounds(fmin(value, lower), value);
    change_bounds(value, lower);
    change_bounds(value, NAN);
    for (size_t k = 0; k < COUNT(fields); k++) { /* fixed: numbers that a result does not have were ignored */
      const double kept = *fields[k];
      *fields[k] = value;
      attack(&x, "another number");
      *fields[k] = kept;
    }
  }
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
static void damage(rng *random, proved_cast *x) {
  graze_certificate *c = &x->certificate;
  graze_direction *d = &c->direction;
  graze_pair *p = rng_coin(random) ? &c->pairs[rng_below(random, 6)] : &d->pairs[rng_below(random, 4)];
  graze_vec *point = &c->points[rng_below(random, (int)COUNT(c->points))];
  double *numbers[] = {&x->t,     &x->t_lower,  &x->t_upper,  &x->min_lower, &x->min_upper, &x->t_min,
                       &point->x, &d->vector.x, &d->vector.y, &d->vector.z,  &point->y,     &point->z};
  void *indices[] = {&x->outcome,     &x->start_relation, &x->algorithm,   &c->kind, &c->pair_count,
                     &c->point_count, &c->vertex,         &c->depth_proof, &d->form, &d->sign,
                     &d->axis,        &d->count,          &p->a,           &p->b,    &p->end};
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
static void shred(rng *random, proved_cast *x) {
  unsigned char *byte = (unsigned char *)x;
  for (int i = 0, n = rng_between(random, 1, 40); i < n; i++)
    byte[rng_below(random, (int)sizeof *x)] = (unsigned char)rng_below(random, 256);
  x->outcome = (graze_cast_outcome)((unsigned)x->outcome & 3);
  x->start_relation = (graze_relation)((unsigned)x->start_relation & 7);
  x->certificate.kind = (graze_certificate_kind)((unsigned)x->certificate.kind & 7);
  x->certificate.direction.form = (graze_direction_form)((unsigned)x->certificate.direction.form & 7);
  x->certificate.depth_proof = (graze_depth_proof)((unsigned)x->certificate.depth_proof & 3);
  x->certificate.surface = NULL, x->certificate.parts = NULL, x->certificate.steps = NULL;
}

static void damage_often(rng *random, int times) {
  for (int i = 0; i < times; i++) {
    proved_cast x = v.good;
    for (int n = rng_between(random, 1, 3); n > 0; n--) damage(random, &x);
    attack(&x, "a damaged answer is accepted, and false");
    x = v.good;
    shred(random, &x);
    attack(&x, "a shredded answer is accepted, and false");
  }
}

/* ---- answers to other queries */

static bool solve(const linear_query *m) {
  cast_case *c = &v.r->given;
  v.r->motion = *m;
  c->velocity_a = m->velocity_a, c->velocity_b = m->velocity_b, c->t_max = m->t_max, c->clearance = m->clearance;
  return !isnan(m->t_max) && cast_truth_solve(v.r->o, &v.r->motion, &v.truth);
}

static void verify_for_other_queries(rng *random) {
  const linear_query given = v.r->motion;
  for (int i = 0; i < 4; i++) {
    linear_query m = given;
    if (i == 0) m.velocity_a = cast_plus(m.velocity_a, m.velocity_a, rng_uniform(random, -2, 2));
    if (i == 1) m.velocity_b = cast_plus(m.velocity_b, m.velocity_b, rng_uniform(random, -2, 2));
    if (i == 2) m.t_max *= rng_uniform(random, 0, 4);
    if (i == 3) m.clearance = rng_uniform(random, 0, 1) * linear_query_size(&m);
    if (solve(&m)) attack(&v.good, "the answer to another query");
  }
  (void)solve(&given);
}

/* The verifier does not know rays: one that leaves a surface is a hit, but clear as a cast. */
static void attack_answer(cast_runner *r, rng *random) {
  memset(&v.good, 0, sizeof v.good);
  v.r = r;
  if (!cast_run(r, &v.good) || v.good.outcome == 0) return; /* failed; too large to be queried */
  r->motion.ray = false;
  if (!solve(&r->motion)) return;
  change_enumerators();
  change_numbers();
  damage_often(random, 20);
  verify_for_other_queries(random);
}

static void start_separated(rng *random, cast_case *c) {
  const graze_vec d = rng_vec(random, c->pair.a.dim, 2 * pair_scale(&c->pair.a, &c->pair.b, 0));
  c->pair.pose_b.position = cast_plus(c->pair.pose_b.position, d, -1);
  c->velocity_b = d;
  c->t_max = rng_uniform(random, 0.5, 2);
}

TEST(false_outcomes) {
  const cast_plan plans[] = {
      {NULL, families_random, families_random_count, tiered(40, 120, 3000), 0, start_separated, .check = attack_answer},
      {NULL, families_degenerate, families_degenerate_count, tiered(10, 30, 1000), 0, start_separated,
       .check = attack_answer},
      {cast_families, NULL, cast_families_count, tiered(20, 60, 2000), 0, NULL, attack_answer, .any_share = true}};
  long failed = 0;
  for (size_t i = 0; i < COUNT(plans); i++) failed += cast_run_plan(&plans[i]);
  assert_int_equal(failed, 0);
}

/* ---- in touch, but not at first */

/* A false answer: B, which touches A during the motion, is reported to touch it at the start and then to move away. */
static void reject_start_in_touch(const graze_placed *a, const graze_placed *b, graze_vec path,
                                  const graze_certificate *certificate) {
  const graze_vec still = {0, 0, 0};
  const proved_cast hit = verified_cast(a, still, b, path, 1, NULL);
  proved_cast x = {.outcome = GRAZE_CLEAR, .start_relation = GRAZE_TOUCHING, .certificate = *certificate};
  assert_true(hit.outcome == GRAZE_HIT && hit.start_relation == GRAZE_SEPARATED);
  x.t = x.t_lower = x.t_upper = NAN;
  assert_int_equal(verify_linear(a, still, b, path, 1, NULL, &x), GRAZE_REFUTED);
}

/* By the certificate of a touch at t = 1, with all pairs at the start or end. */
TEST(a_later_touch_is_no_start) {
  const graze_shape box = graze_box(1, 1, 1), ball = graze_sphere(1);
  const struct {
    graze_shape a, b;
    graze_vec path;
  } row[] = {{box, box, {0.5, 0, -3}},
             {box, ball, {0.5, 0, -3}},
             {ball, graze_capsule(0.5, 0.5), {0, 0, -3}},
             {graze_halfspace(vec(0, 0, 1), 1), box, {0.5, 0, -3}},
             {box, graze_halfspace(vec(0, 0, -1), 0), {0.5, 0, -4}}};
  for (size_t i = 0; i < COUNT(row); i++) {
    const graze_vec p = row[i].path;
    const graze_placed a = posed(row[i].a, identity), b = placed_at(row[i].b, 0, 0, 5);
    const graze_placed there = placed_at(row[i].b, p.x, p.y, 5 + p.z);
    const proved_answer answer = distance(&a, &there, NULL);
    assert_int_equal(answer.relation, GRAZE_TOUCHING);
    for (int ends = 0; ends < 4; ends++) {
      graze_certificate c = answer.certificate;
      for (int k = 0; k < 6; k++) c.pairs[k].end = ends & 1;
      for (int k = 0; k < 4; k++) c.direction.pairs[k].end = ends >> 1;
      reject_start_in_touch(&a, &b, p, &c);
    }
  }
}

/* Pairs at both ends: the nearest point is in the middle of the path. */
TEST(a_touch_in_passing_is_no_start) {
  const graze_placed ball = posed(graze_sphere(1), identity), box = posed(graze_box(1, 1, 1), identity);
  const graze_placed other_ball = placed_at(graze_sphere(1), 0.5, 2, 0), other_box = placed_at(box.shape, 2.5, 2, 0);
  graze_certificate c = {.kind = GRAZE_CERTIFICATE_TOUCH, .vertex = -1};
  c.direction = (graze_direction){.form = GRAZE_DIRECTION_NEAREST, .count = 2};
  c.direction.pairs[1].end = 1;
  reject_start_in_touch(&ball, &other_ball, vec(-1, 0, 0), &c);
  c.direction = (graze_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = {0, 1, 0}};
  c.pair_count = 2, c.pairs[0].a = c.pairs[1].a = 3, c.pairs[1].end = 1; /* from (1, 1, -1) to (-1, -1, -1) */
  reject_start_in_touch(&box, &other_box, vec(-1, 0, 0), &c);
}
