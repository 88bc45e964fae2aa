/* The oracle about bodies that turn: closed forms, and symmetries that rounding would break. Then an honest, slow
 * sweep, made of the oracle alone: its answers must pass, and whatever is planted into them must be flagged.
 *
 * GRAZE_TIER, GRAZE_SEED: as tests/narrow/test_families.c. */

#include "support/geometry.h"
#include "support/oracle/validate_cast.h"
#include "support/sweep_families.h"
#include "support/test.h"

static const graze_motion still = {{0, 0, 0}, {0, 0, 0}};

/* ---- closed forms */

/* The tip of a rod that turns about its other end, above the floor: the sine of the angle, however large. */
TEST(the_height_of_a_tip_is_a_sine) {
  static const double angle[] = {0.25, 1, 3, 1e3, 1e9, 0x1p60, 1e22, 0x1p500, 0x1p-600};
  oracle *o = oracle_new();
  graze_shape tip = graze_hull_points((graze_vec[]){{1, 0, 0}}, 1), floor = graze_halfspace((graze_vec){0, 0, 3}, -2);
  graze_pose at = identity;
  for (int i = 0; i < 9; i++) {
    const oracle_turning m = {still, {{0, 0, 0}, {0, -1, 0}}, angle[i]};
    assert_true(oracle_solve_turning(o, &floor, &at, &tip, &at, 0, &m));
    assert_true(fabs(oracle_distance(o) - (2 + sin(angle[i]))) <= 1e-15);
    const oracle_turning n = {{{0, 0, 0}, {0, -1, 0}}, still, angle[i]};
    assert_true(oracle_solve_turning(o, &tip, &at, &floor, &at, 0, &n));
    assert_true(fabs(oracle_distance(o) - (2 + sin(angle[i]))) <= 1e-15);
  }
  oracle_free(o);
}

/* A quarter of a turn about each of three axes, after which everything is in its old place but for one exchange; the
 * third root of unity about (1, 1, 1) permutes the axes. */
TEST(permutations) {
  oracle *o = oracle_new();
  graze_shape box = graze_box(1, 2, 3), ball = graze_sphere(0.5);
  graze_pose at = identity, away = identity;
  const double third = 2 * acos(-1) / 3 / sqrt(3);
  const oracle_turning m = {{{0, 0, 0}, {third, third, third}}, still, 1};
  for (int k = 0; k < 3; k++) { /* x goes to y, y to z, z to x: the half extents are now 3, 1, 2 */
    static const double half[3] = {3, 1, 2};
    away.position = (graze_vec){k == 0 ? 8 : 0, k == 1 ? 8 : 0, k == 2 ? 8 : 0};
    assert_true(oracle_solve_turning(o, &box, &at, &ball, &away, 0, &m));
    assert_true(fabs(oracle_distance(o) - (7.5 - half[k])) <= 1e-14);
  }
  oracle_free(o);
}

/* Both turn about the same point at the same rate: nothing changes between them, to the last of 160 bits. */
TEST(turning_together_changes_nothing) {
  rng random = {family_seed("together")};
  oracle *o = oracle_new(), *turned = oracle_new();
  static sweep_case c;
  for (int i = 0, n = tiered(60, 120, 2000); i < n; i++) {
    c.t_max = 1;
    random_pair(&random, 2 + i % 2, 1, &c.pair);
    c.pair.pose_b.position = c.pair.pose_a.position;
    for (int k = 0; k < PAIR_VERTICES; k++) c.pair.vertices_b[k].x += i % 3; /* about another point of its own */
    const graze_motion m = {rng_vec(&random, 2 + i % 2, 3), sweep_spin(&random, &c, 1e6)};
    const oracle_turning motion = {m, m, rng_uniform(&random, 0, 1)};
    assert_true(oracle_solve(o, &c.pair.a, &c.pair.pose_a, &c.pair.b, &c.pair.pose_b, 0.125));
    assert_true(oracle_solve_turning(turned, &c.pair.a, &c.pair.pose_a, &c.pair.b, &c.pair.pose_b, 0.125, &motion));
    double x = oracle_distance(o), least = nextafter(nextafter(x, -INFINITY), -INFINITY);
    if (oracle_relation(o) == GRAZE_TOUCHING) continue;
    assert_int_equal(oracle_relation(o), oracle_relation(turned));
    assert_int_equal(oracle_surely(turned, least), 1);
    assert_int_equal(oracle_surely(turned, nextafter(nextafter(x, INFINITY), INFINITY)), -1);
  }
  oracle_free(o);
  oracle_free(turned);
}

/* Quaternions in doubles give the same distance. Without rotation, the result equals that of the linear oracle. */
TEST(other_methods_agree) {
  rng random = {family_seed("other ways")};
  oracle *o = oracle_new(), *other = oracle_new();
  static sweep_case c;
  for (int i = 0, n = tiered(100, 200, 3000); i < n; i++) {
    const shape_pair *p = &c.pair;
    sweep_polytopes[i % 7].make(&random, &c);
    if (i % 2) c.motion_a.angular = c.motion_b.angular = still.angular;
    oracle_turning motion = {c.motion_a, c.motion_b, rng_uniform(&random, 0, c.t_max)};
    assert_true(oracle_solve_turning(o, &p->a, &p->pose_a, &p->b, &p->pose_b, c.clearance, &motion));
    graze_pose a = rounded_pose_after(&p->pose_a, &c.motion_a, motion.t);
    graze_pose b = rounded_pose_after(&p->pose_b, &c.motion_b, motion.t);
    assert_true(oracle_solve(other, &p->a, &a, &p->b, &b, c.clearance));
    assert_true(fabs(oracle_distance(o) - oracle_distance(other)) <= 1e-13);
    const oracle_motion linear = {c.motion_a.velocity, c.motion_b.velocity, motion.t, motion.t};
    if (!(i % 2)) continue;
    (void)oracle_solve_moving(other, &p->a, &p->pose_a, &p->b, &p->pose_b, c.clearance, &linear);
    assert_int_equal(oracle_relation(o), oracle_relation(other));
    if (oracle_relation(o) == GRAZE_SEPARATED) assert_true(oracle_distance(o) == oracle_distance(other));
  }
  oracle_free(o);
  oracle_free(other);
}

/* No point of a body is ever farther from its chord than the sagitta; the middle of a short arc nearly is. */
TEST(the_sagitta_holds) {
  rng random = {family_seed("sagitta")};
  double tightest = 0;
  static sweep_case c;
  for (int i = 0, n = tiered(2000, 4000, 100000); i < n; i++) {
    c.t_max = 1;
    random_pair(&random, 3, 1, &c.pair);
    c.pair.a.margin = 0;
    graze_motion m = {{0, 0, 0}, sweep_spin(&random, &c, i % 3 ? 1 : 10)};
    double lever = oracle_lever(&c.pair.a, &c.pair.pose_a, m.angular);
    double sagitta = oracle_sagitta(lever, m.angular, 0, 1), u = rng_uniform(&random, 0, 1), most = 0;
    const double time[3] = {0, u, 1};
    for (int v = 0; v < oracle_core_count(&c.pair.a); v++) {
      graze_vec at[3];
      for (int k = 0; k < 3; k++) {
        const graze_pose pose = rounded_pose_after(&c.pair.pose_a, &m, time[k]);
        at[k] = rotated(&pose, oracle_core_vertex(&c.pair.a, v));
      }
      most = fmax(most, norm(sub(at[1], add_scaled(at[0], u, sub(at[2], at[0])))));
    }
    assert_true(most <= sagitta + 1e-14);
    if (sagitta > 1e-3) tightest = fmax(tightest, most / sagitta);
  }
  assert_true(tightest > 0.99);
}

/* ---- planted errors: each change of an accepted answer must be flagged */

static sweep_runner *run;
static proved_cast good;

static bool has_plane(void) {
  return run->given.pair.a.kind == GRAZE_HALFSPACE || run->given.pair.b.kind == GRAZE_HALFSPACE;
}

static const char *validate(const proved_cast *x) { return validate_sweep(run->o, &run->motion, run->moments, x); }

static void must_flag(const proved_cast *x, const char *planted) {
  if (!validate(x)) fail_msg("not flagged: %s", planted);
}

#define PLANT(what, ...)                                                                                               \
  do {                                                                                                                 \
    proved_cast x = good;                                                                                              \
    __VA_ARGS__;                                                                                                       \
    must_flag(&x, what);                                                                                               \
  } while (0)

/* The sign of the distance at t, surely. */
static int sign_at(double t) {
  (void)turning_query_solve(run->o, &run->motion, t);
  return oracle_surely(run->o, 0);
}

static void set_time(proved_cast *x, double lower, double upper) {
  const turning_query *m = &run->motion;
  const double t = x->outcome == GRAZE_CLEAR ? m->t_max : lower;
  x->t = x->t_lower = lower, x->t_upper = upper;
  x->position_a = add_scaled(m->pose_a.position, t, m->motion_a.velocity);
  x->position_b = add_scaled(m->pose_b.position, t, m->motion_b.velocity);
}

static void make_clear(proved_cast *x) {
  x->outcome = GRAZE_CLEAR;
  x->point = x->normal = vec(NAN, NAN, NAN);
  set_time(x, NAN, NAN);
}

static void without_steps(proved_cast *x) { x->certificate.steps = NULL, x->certificate.step_count = 0; }

/* How far points leave their chords until t. */
static double lever_sagitta(double t) {
  const turning_query *m = &run->motion;
  return oracle_sagitta(oracle_lever(m->a, &m->pose_a, m->motion_a.angular), m->motion_a.angular, 0, t) +
         oracle_sagitta(oracle_lever(m->b, &m->pose_b, m->motion_b.angular), m->motion_b.angular, 0, t);
}

static void plant_in_steps(rng *random) {
  static graze_cast_step copy[1 << 14];
  const size_t count = good.certificate.step_count, last = count - 1, i = rng_index(random, count),
               size = count * sizeof *copy;
  const graze_cast_step *step = good.certificate.steps;
  const bool hit = good.outcome == GRAZE_HIT; /* clear: from the last step on they may only part */
  const double before = i > 0 ? step[i - 1].to : 0, end = hit ? good.t_lower : run->motion.t_max;
  proved_cast x = good;
  x.certificate.steps = memcpy(copy, step, size);
  graze_vec *d = &copy[i].direction;
  *d = scaled(-1, *d);
  if (!has_plane()) must_flag(&x, "a direction from B to A");
  *d = vec(0, 0, 0);
  if (!has_plane()) must_flag(&x, "no direction");
  d->x = NAN;
  must_flag(&x, "a direction that is no number");
  memcpy(copy, step, size);
  copy[i].from = nextafter(copy[i].from, INFINITY);
  if (step[i].from == before) must_flag(&x, "a gap before a step");
  copy[i].to = copy[i].from = step[i].from;
  must_flag(&x, "a step of no length");
  memcpy(copy, step, size);
  copy[last].to = nextafter(end, 0);
  if (hit) must_flag(&x, "a last step that is too short");
  memcpy(copy, step, size);
  if (last > i) copy[i] = step[i + 1], copy[i + 1] = step[i];
  if (last > i) must_flag(&x, "steps out of order");
  memcpy(copy, step, size);
  x.certificate.step_count--;
  if (last > 0 && hit && step[last - 1].to < end) must_flag(&x, "the last step is missing");
  x.certificate.steps++;
  if (last > 0) must_flag(&x, "the first step is missing");
  x.certificate.steps--, x.certificate.step_count = 1;
  copy[0].to = end;
  (void)sign_at(end);
  if (hit && lever_sagitta(end) > oracle_distance(run->o)) must_flag(&x, "one step in place of many");
}

/* Returns whether moments alone, without any step, show that it is not clear: exact ones, and those in doubles. */
static bool plant_in_a_hit(void) {
  const turning_query *m = &run->motion;
  PLANT("clear instead of hit", make_clear(&x));
  proved_cast y = good;
  make_clear(&y);
  without_steps(&y);
  const bool seen = validate(&y) != NULL && sweep_validate(m, 64, &y) != NULL;
  y = good;
  without_steps(&y);
  const double after = fmin(y.t_upper + 1e-4 * m->t_max, m->t_max);
  set_time(&y, after, after);
  if (sign_at(after) < 0) must_flag(&y, "t_lower too late");
  if (sign_at(after) < 0 && oracle_compare(run->o, -1e-9 * turning_query_size(m)) < 0 && !sweep_validate(m, 64, &y))
    fail_msg("not flagged by doubles: t_lower too late");
  set_time(&y, good.t_lower / 2, 0.999 * good.t_lower);
  bool separated = true;
  for (int i = 0; i <= 4; i++) separated = separated && sign_at(y.t_lower + (y.t_upper - y.t_lower) * i / 4) > 0;
  if (separated) must_flag(&y, "t_upper too early");
  (void)sign_at(good.t);
  const graze_vec reversed = scaled(-1, good.normal);
  if (!has_plane() && !oracle_ends_overlap(run->o, reversed, 0.01)) PLANT("a normal from B to A", x.normal = reversed);
  PLANT("a point elsewhere", x.point = add_scaled(x.point, turning_query_size(m), x.normal));
  if (good.t_upper > good.t_lower) PLANT("t is not t_lower", x.t = x.t_upper);
  PLANT("B elsewhere", x.position_b.x += 1e-9 * (1 + fabs(x.position_b.x)));
  if (lever_sagitta(1) > 0) PLANT("a least distance", x.min_lower = 0);
  return seen;
}

TEST(planted_errors_are_flagged) {
  rng random = {family_seed("planted")};
  long clear = 0, hits = 0, seen = 0;
  run = sweep_runner_new(24, true);
  for (int i = 0, n = tiered(56, 112, 2800); i < n; i++) {
    sweep_case *c = &run->given;
    memset(c, 0, sizeof *c);
    sweep_polytopes[i % 7].make(&random, c);
    sweep_place(run);
    const graze_cast_options options = sweep_options(run, true);
    const graze_status status = cast_motion(&run->a, &c->motion_a, &run->b, &c->motion_b, c->t_max, &options, &good);
    assert_int_equal(status, GRAZE_OK);
    if (good.start_relation != GRAZE_SEPARATED || good.outcome == GRAZE_POSSIBLE || good.certificate.step_count == 0)
      continue;
    const char *why = validate(&good);
    if (why) print_cast_result(stdout, &good);
    if (why) fail_msg("%s %d: a correct answer was flagged: %s", sweep_polytopes[i % 7].name, i, why);
    PLANT("another start", x.start_relation = GRAZE_TOUCHING);
    PLANT("no result", x.outcome = 0);
    plant_in_steps(&random);
    const double half = 0.5 * c->t_max;
    if (good.outcome == GRAZE_HIT)
      hits++, seen += plant_in_a_hit();
    else
      clear++;
    if (good.outcome == GRAZE_CLEAR)
      PLANT("hit instead of clear", x.outcome = GRAZE_HIT, set_time(&x, half, half), x.normal = vec(1, 0, 0),
            x.point = x.position_a);
  }
  printf("%ld clear, %ld hits, of which %ld are seen by moments alone\n", clear, hits, seen);
  assert_true(clear >= 10 && hits >= 10 && 10 * seen >= 9 * hits);
  sweep_runner_free(run);
}
