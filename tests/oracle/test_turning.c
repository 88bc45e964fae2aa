/* The oracle about bodies that turn: closed forms, and symmetries that rounding would break. Then an honest, slow
 * sweep, made of the oracle alone: its answers must pass, and whatever is planted into them must be flagged.
 *
 * GRAZE_TIER, GRAZE_SEED: as tests/cso/test_families.c. */

#include "support/geometry.h"
#include "support/oracle/judge_cast.h"
#include "support/sweep_families.h"
#include "support/test.h"

static const graze_motion still = {{0, 0, 0}, {0, 0, 0}};

/* ---- closed forms */

/* The tip of a rod that turns about its other end, above the floor: the sine of the angle, however large. */
TEST(the_height_of_a_tip_is_a_sine) {
  static const double angle[] = {0.25, 1, 3, 1e3, 1e9, 0x1p60, 1e22, 0x1p500, 0x1p-600};
  oracle *o = oracle_new();
  graze_shape tip = graze_hull((graze_vec[]){{1, 0, 0}}, 1), floor = graze_halfspace((graze_vec){0, 0, 3}, -2);
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

/* The same by quaternions in doubles; and where nothing turns, exactly what the linear oracle says. */
TEST(other_ways_agree) {
  rng random = {family_seed("other ways")};
  oracle *o = oracle_new(), *other = oracle_new();
  static sweep_case c;
  for (int i = 0, n = tiered(100, 200, 3000); i < n; i++) {
    const shape_pair *p = &c.pair;
    sweep_polytopes[i % 7].make(&random, &c);
    if (i % 2) c.motion_a.angular = c.motion_b.angular = still.angular;
    oracle_turning motion = {c.motion_a, c.motion_b, rng_uniform(&random, 0, c.t_max)};
    assert_true(oracle_solve_turning(o, &p->a, &p->pose_a, &p->b, &p->pose_b, c.clearance, &motion));
    graze_pose a = judge_pose_after(&p->pose_a, &c.motion_a, motion.t);
    graze_pose b = judge_pose_after(&p->pose_b, &c.motion_b, motion.t);
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
    graze_pose p = judge_pose_after(&c.pair.pose_a, &m, 0), q = judge_pose_after(&c.pair.pose_a, &m, u),
               r = judge_pose_after(&c.pair.pose_a, &m, 1), *pose[3] = {&p, &q, &r};
    for (int v = 0; v < oracle_core_count(&c.pair.a); v++) {
      graze_vec at[3];
      for (int k = 0; k < 3; k++) {
        graze_shape one = graze_hull((graze_vec[]){oracle_core_vertex(&c.pair.a, v)}, 1);
        graze_placed placed = graze_place(&one, *pose[k]);
        assert_int_equal(graze_support(&placed, (graze_vec){1, 0, 0}, &at[k], NULL), GRAZE_OK);
      }
      graze_vec chord = add_scaled(at[0], u, sub(at[2], at[0]));
      most = fmax(most, norm(sub(at[1], chord)));
    }
    assert_true(most <= sagitta + 1e-14);
    if (sagitta > 1e-3) tightest = fmax(tightest, most / sagitta);
  }
  assert_true(tightest > 0.99);
}

/* ---- an honest sweep */

enum { STEPS = 4000 };

typedef struct honest {
  judge_turning m;
  graze_sweep_step step[STEPS];
  size_t steps;
  double lever[2];
  oracle *o;
  graze_impact impact;
} honest;

static honest the;

static bool is_plane(const graze_shape *s) { return s->kind == GRAZE_HALFSPACE; }

/* The direction of the least distance, at t. */
static graze_vec direction_at(double t) {
  (void)judge_turning_at(the.o, &the.m, t);
  return is_plane(the.m.a) || is_plane(the.m.b) ? (graze_vec){1, 0, 0} : oracle_normal(the.o);
}

static bool is_free(graze_sweep_step s) {
  graze_sweep_step moved = s;
  judge_turning m = the.m;
  oracle_turning motion = {m.motion_a, m.motion_b, s.from};
  double sagitta = oracle_sagitta(the.lever[0], m.motion_a.angular, moved.from, moved.to) +
                   oracle_sagitta(the.lever[1], m.motion_b.angular, moved.from, moved.to);
  for (int end = 0; end < 2; end++) {
    motion.t = end ? s.to : s.from;
    if (is_plane(m.a) || is_plane(m.b)) {
      (void)judge_turning_at(the.o, &m, motion.t);
      if (oracle_surely(the.o, sagitta) <= 0) return false;
      continue;
    }
    (void)oracle_place_turning(the.o, m.a, &m.pose_a, m.b, &m.pose_b, m.clearance, &motion);
    if (!oracle_surely_apart_along(the.o, s.direction.vector, sagitta)) return false;
  }
  return true;
}

/* As far as steps lead until the bodies are nearer than `near`. */
static double advance(double near) {
  double t = 0, fastest = judge_turning_speed(&the.m);
  the.steps = 0;
  while (t < the.m.t_max && the.steps < STEPS) {
    graze_sweep_step s = {.from = t, .direction = {.form = GRAZE_DIRECTION_VECTOR}};
    s.direction.vector = direction_at(t);
    double gap = oracle_distance(the.o), span = fmin(the.m.t_max - t, 64 * gap / fmax(fastest, 1e-9));
    if (gap < near) return t;
    do {
      s.to = fmin(t + span, the.m.t_max);
      span /= 2;
    } while (!is_free(s));
    the.step[the.steps++] = s;
    t = s.to;
  }
  return t;
}

/* The first moment after t, about, at which they surely overlap; negative: none is found. */
static double overlap_after(double t) {
  double low = t, span = 1e-7 * the.m.t_max, high = t + span;
  for (;; span *= 2, high = t + span) {
    if (high > the.m.t_max) return -1;
    (void)judge_turning_at(the.o, &the.m, high);
    if (oracle_surely(the.o, 0) < 0) break;
    low = high;
  }
  for (int i = 0; i < 20; i++) {
    double middle = low + (high - low) / 2;
    (void)judge_turning_at(the.o, &the.m, middle);
    if (oracle_surely(the.o, 0) < 0)
      high = middle;
    else
      low = middle;
  }
  return high;
}

static void place_at(graze_impact *x, double t) {
  x->position_a = add_scaled(the.m.pose_a.position, t, the.m.motion_a.velocity);
  x->position_b = add_scaled(the.m.pose_b.position, t, the.m.motion_b.velocity);
}

static void make_clear(graze_impact *x) {
  x->result = GRAZE_CLEAR;
  x->t = x->t_lower = x->t_upper = NAN;
  x->point = x->normal = (graze_vec){NAN, NAN, NAN};
  place_at(x, the.m.t_max);
}

static void set_time(graze_impact *x, double lower, double upper) {
  x->t = x->t_lower = lower;
  x->t_upper = upper;
  place_at(x, lower);
}

/* One of the nearest points, A's. */
static graze_vec nearest_point(double t, graze_vec normal) {
  int a[4], b[4];
  double weight[4];
  graze_vec p = {0, 0, 0};
  graze_pose pose = judge_pose_after(&the.m.pose_a, &the.m.motion_a, t);
  double r = the.m.a->margin + (the.m.a->kind == GRAZE_SPHERE || the.m.a->kind == GRAZE_CAPSULE ? the.m.a->radius : 0);
  for (int i = 0, n = oracle_nearest(the.o, a, b, weight); i < n; i++) {
    graze_shape one = graze_hull((graze_vec[]){oracle_core_vertex(the.m.a, a[i])}, 1);
    graze_placed placed;
    graze_vec v;
    if (the.m.a->dim == 2) one.dim = 2;
    placed = graze_place(&one, pose);
    assert_int_equal(graze_support(&placed, (graze_vec){1, 0, 0}, &v, NULL), GRAZE_OK);
    p = add_scaled(p, weight[i], v);
  }
  return add_scaled(p, r, normal);
}

/* False: it grazes, or starts in contact, or is too long a story. */
static bool sweep_honestly(const sweep_case *c) {
  const shape_pair *p = &c->pair;
  graze_impact *x = &the.impact;
  the.m = (judge_turning){.a = &p->a, .b = &p->b, .pose_a = p->pose_a, .pose_b = p->pose_b};
  the.m.motion_a = c->motion_a, the.m.motion_b = c->motion_b, the.m.t_max = c->t_max, the.m.clearance = c->clearance;
  the.lever[0] = oracle_lever(&p->a, &p->pose_a, c->motion_a.angular);
  the.lever[1] = oracle_lever(&p->b, &p->pose_b, c->motion_b.angular);
  memset(x, 0, sizeof *x);
  x->min_lower = x->min_upper = x->t_min = NAN;
  assert_true(judge_turning_at(the.o, &the.m, 0));
  x->starts = oracle_relation(the.o);
  if (x->starts != GRAZE_SEPARATED) return false;
  double t = advance(1e-5 * judge_turning_size(&the.m));
  if (the.steps == STEPS) return false;
  x->steps = the.step, x->step_count = the.steps;
  make_clear(x);
  if (t >= c->t_max) return true;
  double end = overlap_after(t);
  if (t == 0 || end < 0 || end > t + 1e-3 * c->t_max) return false;
  x->result = GRAZE_HIT;
  set_time(x, t, end);
  x->normal = direction_at(t);
  x->point = nearest_point(t, x->normal);
  return true;
}

/* ---- planted errors */

static const char *judged(const graze_impact *x) { return judge_sweep(the.o, &the.m, 24, x); }

static void must_flag(const graze_impact *x, const char *planted) {
  if (!judged(x)) fail_msg("not flagged: %s", planted);
}

/* One change of the correct answer, which the judge must flag. */
#define PLANT(what, ...)                                                                                               \
  do {                                                                                                                 \
    graze_impact x = the.impact;                                                                                       \
    __VA_ARGS__;                                                                                                       \
    must_flag(&x, what);                                                                                               \
  } while (0)

static void without_steps(graze_impact *x) {
  x->steps = NULL;
  x->step_count = 0;
}

static graze_sweep_step copy[STEPS];

/* The same answer, with steps that may be changed. */
static graze_impact with_copied_steps(void) {
  graze_impact x = the.impact;
  memcpy(copy, the.step, the.steps * sizeof *copy);
  x.steps = copy;
  return x;
}

static void plant_in_steps(rng *random) {
  size_t i = rng_index(random, the.steps), last = the.steps - 1;
  bool plane = is_plane(the.m.a) || is_plane(the.m.b);
  graze_impact x = with_copied_steps();
  graze_vec *d = &copy[i].direction.vector;
  *d = scaled(-1, *d);
  if (!plane) must_flag(&x, "a direction from B to A");
  *d = (graze_vec){0, 0, 0};
  if (!plane) must_flag(&x, "no direction");
  d->x = NAN;
  must_flag(&x, "a direction that is no number");
  x = with_copied_steps();
  copy[i].from = nextafter(copy[i].from, INFINITY);
  must_flag(&x, "a gap before a step");
  x = with_copied_steps();
  copy[last].to = nextafter(copy[last].to, 0);
  bool hit = x.result == GRAZE_HIT; /* clear: from the last step on they may only part */
  if (hit) must_flag(&x, "a last step that is too short");
  x = with_copied_steps();
  x.step_count--;
  if (last > 0 && hit) must_flag(&x, "the last step is missing");
  x.steps++;
  if (last > 0) must_flag(&x, "the first step is missing");
  x = with_copied_steps();
  copy[i].to = copy[i].from;
  must_flag(&x, "a step of no length");
  x = with_copied_steps();
  if (last > i) copy[i] = the.step[i + 1], copy[i + 1] = the.step[i];
  if (last > i) must_flag(&x, "steps out of order");
}

/* One step in place of all: long enough that the sagitta matters. */
static void plant_a_long_step(void) {
  graze_impact x = with_copied_steps();
  x.step_count = 1;
  copy[0].to = x.result == GRAZE_CLEAR ? the.m.t_max : x.t_lower;
  copy[0].from = 0;
  if (!is_free(copy[0])) must_flag(&x, "one step in place of many");
}

/* Returns whether moments alone, without any step, show that it is not clear: exact ones, and those in doubles. */
static bool plant_in_a_hit(void) {
  PLANT("clear instead of hit", make_clear(&x));
  graze_impact x = the.impact;
  make_clear(&x);
  without_steps(&x);
  bool seen = judged(&x) != NULL && sweep_judge(&the.m, 64, &x) != NULL;
  x = the.impact;
  without_steps(&x);
  double late = fmin(x.t_upper + 1e-4 * the.m.t_max, the.m.t_max);
  (void)judge_turning_at(the.o, &the.m, late);
  set_time(&x, late, late);
  bool inside = oracle_compare(the.o, -1e-9 * judge_turning_size(&the.m)) < 0;
  if (oracle_surely(the.o, 0) < 0) must_flag(&x, "t_lower too late");
  if (inside && !sweep_judge(&the.m, 64, &x)) fail_msg("not flagged by doubles: t_lower too late");
  x = the.impact;
  without_steps(&x);
  set_time(&x, x.t_lower / 2, 0.999 * x.t_lower);
  bool apart = x.t_upper < the.impact.t_lower;
  for (int i = 0; i <= 4; i++) {
    (void)judge_turning_at(the.o, &the.m, x.t_lower + (x.t_upper - x.t_lower) * i / 4);
    apart = apart && oracle_surely(the.o, 0) > 0;
  }
  if (apart) must_flag(&x, "t_upper too early");
  return seen;
}

static void plant_in_the_numbers(void) {
  const bool plane = is_plane(the.m.a) || is_plane(the.m.b);
  const graze_vec reversed = scaled(-1, the.impact.normal);
  (void)judge_turning_at(the.o, &the.m, the.impact.t);
  if (!plane && !oracle_ends_overlap(the.o, reversed, 0.01)) PLANT("a normal from B to A", x.normal = reversed);
  PLANT("a point elsewhere", x.point = add_scaled(x.point, judge_turning_size(&the.m), x.normal));
  PLANT("t is not t_lower", x.t = x.t_upper);
  PLANT("B elsewhere", x.position_b.x += 1e-9 * (1 + fabs(x.position_b.x)));
  if (the.lever[0] + the.lever[1] > 0) PLANT("a least distance", x.min_lower = 0);
}

static void plant_anywhere(void) {
  PLANT("another start", x.starts = GRAZE_TOUCHING);
  PLANT("no result", x.result = 0);
  graze_impact x = the.impact;
  if (x.result == GRAZE_HIT) return;
  x.result = GRAZE_HIT;
  set_time(&x, 0.5 * the.m.t_max, 0.5 * the.m.t_max);
  x.normal = (graze_vec){1, 0, 0}, x.point = x.position_a;
  must_flag(&x, "hit instead of clear");
}

TEST(planted_errors_are_flagged) {
  rng random = {family_seed("planted")};
  static sweep_case c;
  long told = 0, hits = 0, seen = 0, grazed = 0;
  the.o = oracle_new();
  for (int i = 0, n = tiered(56, 112, 2800); i < n; i++) {
    memset(&c, 0, sizeof c);
    sweep_polytopes[i % 6].make(&random, &c); /* planes have no direction of least distance */
    if (!sweep_honestly(&c)) {
      grazed++;
      continue;
    }
    const char *why = judged(&the.impact);
    if (why) judge_print_impact(stdout, &the.impact);
    if (why) fail_msg("%s %d: an honest answer was flagged: %s", sweep_polytopes[i % 6].name, i, why);
    told++;
    plant_anywhere();
    plant_in_steps(&random);
    plant_a_long_step();
    if (the.impact.result != GRAZE_HIT) continue;
    hits++;
    seen += plant_in_a_hit();
    plant_in_the_numbers();
  }
  printf("%ld answers, %ld of them hits, of which %ld are seen by moments alone; %ld left out\n", told, hits, seen,
         grazed);
  assert_true(told >= 30 && hits >= 10 && told - hits >= 10);
  assert_true((double)seen >= 0.9 * (double)hits);
  oracle_free(the.o);
}

/* A half-space has no direction to turn; what is left must be seen all the same. */
TEST(planes_are_judged_by_their_normal) {
  rng random = {family_seed("planes")};
  graze_shape floor = graze_halfspace((graze_vec){0, 0, 1}, 0),
              rod = graze_segment((graze_vec){0, 0, 0}, (graze_vec){2, 0, 0});
  static sweep_case c;
  the.o = oracle_new();
  c.pair.a = floor, c.pair.b = rod;
  c.pair.pose_a = c.pair.pose_b = identity;
  c.pair.pose_b.position.z = 1;
  c.motion_b.angular.y = 1; /* the tip sinks: sin t = 1/2 */
  c.t_max = 2;
  assert_true(sweep_honestly(&c));
  the.impact.normal = (graze_vec){0, 0, 1};
  the.impact.point = (graze_vec){2 * cos(the.impact.t), 0, 0};
  assert_null(judged(&the.impact));
  assert_true(the.impact.t_lower <= asin(0.5) && asin(0.5) <= the.impact.t_upper);
  assert_true(the.impact.t_upper - the.impact.t_lower < 1e-4);
  plant_anywhere();
  plant_in_steps(&random);
  plant_a_long_step();
  assert_true(plant_in_a_hit());
  plant_in_the_numbers();
  oracle_free(the.o);
}
