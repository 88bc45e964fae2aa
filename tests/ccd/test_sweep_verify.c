/* Changed answers of sweeps: whatever graze_verify_cast() accepts is true by the exact oracle. */

#include "support/compounds.h"
#include "support/query.h"
#include "support/sweep_families.h"

enum { MOMENTS = 12, MOST_STEPS = 1 << 14 };

static const double odd[] = {NAN, INFINITY, -INFINITY, -1, 1e300};

/* The correct answer, and the changed one, whose steps may be changed, too. */
static struct {
  sweep_runner *r;
  proved_cast good, x;
  graze_cast_step steps[MOST_STEPS];
  rng random;
  long changed, accepted, failed, refuted;
} v;

static graze_status verify(const turning_query *m, const proved_cast *x) {
  graze_cast_options options = graze_default_cast_options();
  const graze_placed a = place(m->a, m->pose_a), b = place(m->b, m->pose_b);
  options.clearance = m->clearance;
  const graze_status status = verify_motion(&a, &m->motion_a, &b, &m->motion_b, m->t_max, &options, x);
  v.changed += x == &v.x;
  v.refuted += x == &v.x && status == GRAZE_REFUTED;
  return status;
}

static void restore(void) {
  v.x = v.good;
  memcpy(v.steps, v.good.certificate.steps, v.good.certificate.step_count * sizeof v.steps[0]);
  v.x.certificate.steps = v.steps;
}

/* The answer v.x about the motion m is rejected or true. */
static void expect_sound(const turning_query *m, const char *change) {
  if (verify(m, &v.x) != GRAZE_OK) return;
  v.accepted++;
  const char *why = validate_sweep_bracket(v.r->o, m, MOMENTS, &v.x);
  if (!why) return;
  printf("FAILED: %s changed, accepted, but %s\n", change, why);
  v.failed++;
  sweep_fail(v.r, "the verifier accepts a false answer", &v.x);
}

static void expect_rejected(const char *change) {
  if (verify(&v.r->motion, &v.x) != GRAZE_OK) return;
  v.failed++;
  sweep_fail(v.r, change, &v.x);
}

/* Changes the correct answer by the given statements. */
#define SOUND(change, ...) (restore(), __VA_ARGS__, expect_sound(&v.r->motion, change))
#define REJECTED(change, ...) (restore(), __VA_ARGS__, expect_rejected(change))

/* ---- steps */

static void change_step(size_t i) {
  const bool plane = v.r->given.pair.a.kind == GRAZE_HALFSPACE || v.r->given.pair.b.kind == GRAZE_HALFSPACE;
  graze_cast_step *s = &v.steps[i];
  graze_vec *d = &s->direction;
  if (!plane) { /* whose normal replaces the direction */
    REJECTED("direction from B to A", *d = scaled(-1, *d));
    REJECTED("no direction", *d = vec(0, 0, 0));
    for (int k = 0; k < 3; k++) REJECTED("direction not finite", d->y = odd[k]);
  }
  for (size_t k = 0; k < COUNT(odd); k++) {
    SOUND("direction", d->y = odd[k]);
    REJECTED("start of a step", s->from = odd[k]);
    REJECTED("end of a step", s->to = odd[k]);
  }
  REJECTED("gap before a step", s->from = nextafter(s->from, INFINITY));
  if (i + 1 < v.good.certificate.step_count || v.good.outcome == GRAZE_HIT)
    REJECTED("gap after a step", s->to = nextafter(s->to, 0));
}

static void change_chain(void) {
  const size_t count = v.good.certificate.step_count, i = rng_index(&v.random, count), last = count - 1;
  const size_t j = i < last ? i + 1 : i - 1;
  const bool hit = v.good.outcome == GRAZE_HIT;
  if (count > 1) SOUND("last step", v.x.certificate.step_count--);
  if (hit) REJECTED("last step missing", v.x.certificate.step_count--);
  REJECTED("first step missing", v.x.certificate.step_count--, v.x.certificate.steps++);
  REJECTED("no steps, but a count", v.x.certificate.steps = NULL);
  REJECTED("no count of steps", v.x.certificate.step_count = 0);
  if (count > 1) {
    REJECTED("order of steps", v.steps[i] = v.good.certificate.steps[j], v.steps[j] = v.good.certificate.steps[i]);
    REJECTED("a step twice", v.steps[i] = v.good.certificate.steps[j]);
  }
  SOUND("one step for all", v.x.certificate.step_count = 1, v.steps[0].to = hit ? v.good.t_lower : v.r->given.t_max);
  if (i < last)
    SOUND("two steps merged", v.steps[i].to = v.steps[i + 1].to,
          memmove(&v.steps[i + 1], &v.steps[i + 2], (last - i - 1) * sizeof v.steps[0]), v.x.certificate.step_count--);
  const graze_vec off = rng_vec(&v.random, v.r->given.pair.a.dim, ldexp(1, -rng_below(&v.random, 50)));
  SOUND("direction, slightly", v.steps[i].direction = add(v.steps[i].direction, off));
}

/* ---- result and times */

static void change_result(void) {
  const double end = v.r->given.t_max;
  proved_cast *x = &v.x;
  const size_t last = v.good.certificate.step_count - 1;
  for (int i = 0; i < 8; i++)
    if ((graze_relation)i != v.good.start_relation) REJECTED("start", x->start_relation = (graze_relation)i);
  for (int i = 0; i < 16; i++)
    if ((graze_cast_outcome)i != v.good.outcome) REJECTED("result alone", x->outcome = (graze_cast_outcome)i);
  REJECTED("least distance", x->min_lower = 0);
  REJECTED("time of the least distance", x->t_min = 0);
  if (v.good.outcome == GRAZE_HIT) {
    REJECTED("hit becomes clear", x->outcome = GRAZE_CLEAR, x->t = x->t_lower = x->t_upper = NAN);
    REJECTED("hit becomes clear, last step extended", x->outcome = GRAZE_CLEAR, x->t = x->t_lower = x->t_upper = NAN,
             v.steps[last].to = end);
  } else {
    REJECTED("clear becomes hit", x->outcome = GRAZE_HIT, x->t = x->t_lower = v.steps[last].to, x->t_upper = end);
    REJECTED("clear becomes hit after one step", x->outcome = GRAZE_HIT, x->t = x->t_lower = v.steps[0].to,
             x->t_upper = end, x->certificate.step_count = 1);
  }
}

static void change_times(void) {
  const double lower = v.good.t_lower, upper = v.good.t_upper, end = v.r->given.t_max;
  const double late = rng_uniform(&v.random, lower, end), early = rng_uniform(&v.random, 0, lower);
  proved_cast *x = &v.x;
  REJECTED("t_upper before t_lower", x->t_upper = nextafter(lower, 0));
  REJECTED("t_upper after the end", x->t_upper = nextafter(end, INFINITY));
  REJECTED("later t_lower", x->t = x->t_lower = upper);
  REJECTED("later t_lower, last step extended",
           x->t = x->t_lower = v.steps[v.good.certificate.step_count - 1].to = upper);
  REJECTED("earlier t_lower", x->t = x->t_lower = early);
  REJECTED("t", x->t = upper + 1);
  SOUND("t_upper is t_lower", x->t_upper = lower);
  SOUND("t_upper in the middle", x->t_upper = lower + 0.5 * (upper - lower));
  SOUND("t_upper later", x->t_upper = late);
  for (size_t k = 0; k < COUNT(odd); k++) {
    REJECTED("odd t_upper", x->t_upper = odd[k]);
    REJECTED("odd t_lower", x->t = x->t_lower = odd[k]);
  }
}

/* ---- the certificate of the contact, and the motion */

/* The shapes are polytopes: a pair that names a point of the certificate is wrong. */
static void change_pair(graze_certificate *proof, graze_pair *pair) {
  static const int32_t indices[] = {-1, -2, 0, 1, 63, 64, 1 << 30, INT32_MIN, INT32_MAX};
  static const double numbers[] = {NAN, INFINITY, 1e300, -0.0, 1};
  const int32_t index = indices[rng_below(&v.random, COUNT(indices))];
  switch (rng_below(&v.random, 4)) {
  case 0: pair->a = index; break;
  case 1: pair->b = index; break;
  case 2: pair->end = index; break;
  default:
    proof->point_count = 1, proof->points[0] = vec(numbers[rng_below(&v.random, COUNT(numbers))], 0, 0);
    *(rng_coin(&v.random) ? &pair->a : &pair->b) = -1;
    break;
  }
}

static void change_certificate(void) {
  static const int numbers[] = {-1, 0, 1, 2, 5, 6, 7, 1 << 30, -(1 << 30)};
  graze_certificate *proof = &v.x.certificate;
  for (int i = 0; i < (int)COUNT(numbers); i++) {
    SOUND("number of pairs", proof->pair_count = numbers[i]);
    SOUND("a pair", change_pair(proof, &proof->pairs[rng_below(&v.random, 6)]));
    SOUND("vertex", proof->vertex = numbers[i]);
    SOUND("number of points", proof->point_count = numbers[i]);
    SOUND("kind", proof->kind = (graze_certificate_kind)i);
  }
}

/* The correct answer about another motion. */
static void change_motion(void) {
  const double size = turning_query_size(&v.r->motion), small = ldexp(1, -rng_below(&v.random, 50));
  const double early = rng_uniform(&v.random, 0, v.r->motion.t_max);
  for (int i = 0; i < 8; i++) {
    turning_query m = v.r->motion;
    const bool plane_a = m.a->kind == GRAZE_HALFSPACE, plane_b = m.b->kind == GRAZE_HALFSPACE;
    if ((plane_b && i == 4) || (plane_a && i == 7)) continue; /* they must not turn */
    switch (i) {
    case 0: m.t_max = early; break;
    case 1: m.t_max *= 2; break;
    case 2: m.clearance += size * small; break;
    case 3: m.motion_a.angular.z = -m.motion_a.angular.z; break;
    case 4: m.motion_b.angular.z += small; break;
    case 5: m.motion_a.velocity.x += small; break;
    case 6: m.pose_b.position.y += size * small; break;
    default: m.pose_a.w += small; break;
    }
    restore();
    expect_sound(&m, "motion");
  }
}

/* ---- all of it */

static void change_all(void) {
  const size_t last = v.good.certificate.step_count - 1;
  change_step(0);
  change_step(last);
  change_step(rng_index(&v.random, last + 1));
  change_chain();
  change_result();
  if (v.good.outcome == GRAZE_HIT) change_times(), change_certificate();
  change_motion();
}

static void run_family(const sweep_family *f, int sweeps, long *queries) {
  sweep_runner *r = v.r;
  const sweep_case *c = &r->given;
  sweep_start(r, f->name);
  v.random = (rng){family_seed(f->name)};
  for (int i = 0; i < sweeps; i++) {
    memset(&r->given, 0, sizeof r->given);
    f->make(&v.random, &r->given);
    sweep_place(r);
    const graze_cast_options options = sweep_options(r, true);
    assert_int_equal(cast_motion(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, &v.good), GRAZE_OK);
    if (v.good.algorithm != GRAZE_ALGORITHM_SWEEP || v.good.start_relation != GRAZE_SEPARATED ||
        v.good.certificate.step_count == 0)
      continue;
    if (verify(&r->motion, &v.good) != GRAZE_OK) continue; /* ccd/sweep_random counts these */
    ++*queries;
    change_all();
  }
}

TEST(changed_answers) {
  long queries = 0;
  v.r = sweep_runner_new(MOMENTS, true);
  for (int f = 0; f < sweep_polytopes_count; f++)
    if (family_wanted(sweep_polytopes[f].name)) run_family(&sweep_polytopes[f], tiered(1, 4, 200), &queries);
  printf("%ld answers, changed %ld times: %ld refuted, %ld accepted and true\n", queries, v.changed, v.refuted,
         v.accepted - v.failed);
  sweep_runner_free(v.r);
  assert_int_equal(v.failed, 0);
  assert_true(queries >= tiered(15, 30, 30) && v.accepted > 5 * queries && v.refuted > queries);
}

/* Fixed: a start and a displacement of 1e20 cancel. In doubles the bodies have passed each other by 16,000; in truth A
 * is 13,000 before B. The verifier took the last step for the end of the motion. */
TEST(start_and_displacement_cancel) {
  const graze_shape box = graze_box(0.5, 0.5, 0.5);
  const graze_placed a = place(&box, graze_pose_at(-0x1.dd4a2dc04cd3ep+12, 0, 0));
  const graze_placed b = place(&box, graze_pose_at(0x1.e32aa01620976p+66, 0, 0));
  const graze_motion fast = {{0x1.13be7b4900f67p+0, 0, 0}, {0, 0, 1e-25}};
  const graze_motion slow = {{0x1.f499c81bd1410p-54, 0, 0}, {0, 0, 0}};
  const double end = 0x1.c092054b83e31p+66;
  const graze_cast_step step = {0, end, {1, 0, 0}};
  graze_cast_step steps[64];
  graze_cast_options options = graze_default_cast_options();
  proved_cast x;
  options.steps = steps, options.step_capacity = COUNT(steps);
  assert_int_equal(cast_motion(&a, &fast, &b, &slow, 2 * end, &options, &x), GRAZE_OK);
  assert_int_not_equal(x.outcome, GRAZE_CLEAR);
  x.outcome = GRAZE_CLEAR, x.t = x.t_lower = x.t_upper = NAN;
  x.certificate.steps = &step, x.certificate.step_count = 1;
  assert_int_not_equal(verify_motion(&a, &fast, &b, &slow, 2 * end, NULL, &x), GRAZE_OK);
}

/* Pairs in contact at the start have no step; the verifier must still reject another start relation. */
TEST(starts_are_verified) {
  static sweep_case c;
  rng random = {family_seed("starts")};
  long changed = 0;
  for (int i = 0, n = tiered(100, 200, 4000); i < n; i++) {
    proved_cast x;
    graze_cast_step step[64];
    graze_cast_options options = graze_default_cast_options();
    memset(&c, 0, sizeof c);
    sweep_polytopes[sweep_polytopes_count - 1 - i % 2].make(&random, &c); /* overlapping; on a half-space */
    const graze_placed a = place(&c.pair.a, c.pair.pose_a), b = place(&c.pair.b, c.pair.pose_b);
    options.clearance = c.clearance;
    options.steps = step, options.step_capacity = COUNT(step);
    assert_int_equal(cast_motion(&a, &c.motion_a, &b, &c.motion_b, c.t_max, &options, &x), GRAZE_OK);
    if (x.start_relation == GRAZE_SEPARATED || x.algorithm == GRAZE_ALGORITHM_FCCD) continue;
    for (int k = 0; k < 12; k++) {
      proved_cast y = x;
      y.start_relation = (graze_relation)(1 + k % 4);
      y.certificate.steps = step, y.certificate.step_count = k / 4 == 2;
      y.outcome = k / 4 ? GRAZE_HIT : x.outcome;
      if (y.outcome != GRAZE_CLEAR) y.t = y.t_lower = 0, y.t_upper = k / 4 ? c.t_max : 0;
      if (y.start_relation == x.start_relation) continue;
      changed++;
      assert_int_not_equal(verify_motion(&a, &c.motion_a, &b, &c.motion_b, c.t_max, &options, &y), GRAZE_OK);
    }
  }
  assert_true(changed >= 500);
}

/* A result that depends on a support function of the caller must be marked conditional. */
TEST(condition_of_user_shapes) {
  double radius = 0.5;
  const graze_shape box = graze_box(0.5, 0.5, 0.5), ball = user_ball(3, &radius);
  const graze_motion fast = {{-1, 0, 0}, {0, 0, 1}}, slow = {{0, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < 6; i++) {
    const graze_shape *first = i % 3 == 1 ? &box : &ball, *second = i % 3 == 0 ? &box : &ball;
    const graze_placed a = place(first, identity), b = place(second, graze_pose_at(4, i < 3 ? 0.25 : 5, 0));
    graze_cast_step steps[256];
    graze_cast_options options = graze_default_cast_options();
    proved_cast x;
    options.steps = steps, options.step_capacity = COUNT(steps);
    assert_int_equal(cast_motion(&a, &slow, &b, &fast, 6, &options, &x), GRAZE_OK);
    assert_int_equal(x.outcome, i < 3 ? GRAZE_HIT : GRAZE_CLEAR);
    assert_true(x.conditional);
    assert_int_equal(verify_motion(&a, &slow, &b, &fast, 6, &options, &x), GRAZE_OK);
    x.conditional = false;
    assert_int_equal(verify_motion(&a, &slow, &b, &fast, 6, &options, &x), GRAZE_UNPROVEN);
  }
}
