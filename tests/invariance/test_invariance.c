/* What must not change an answer: which body comes first, a rigid motion of the scene, the unit, repeated or reordered
 * vertices, a third dimension, a cache (of whatever content). And what the options may change, and how far.
 * Motions are made exact, so that relations must be the same and the truth is the same number. */

#include "support/test.h"
#include "support/families_run.h"

static shape_pair pair, other;
static graze_placed placed_a, placed_b;
static oracle *truth;
static const char *family_name;

/* Room for the depth surface of any pair. */
static graze_surface surface;
static void *workspace;
static size_t workspace_size;

static int set_up(void **state) {
  (void)state;
  truth = oracle_new();
  workspace_size = graze_workspace_size(PAIR_VERTICES * PAIR_VERTICES);
  workspace = malloc(workspace_size);
  return workspace ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  oracle_free(truth);
  free(workspace);
  return 0;
}

static void complain(const shape_pair *p, const char *why) {
  print_query_line(stdout, family_name, "distance", &p->a, &p->pose_a, &p->b, &p->pose_b);
  fail_msg("%s: %s", family_name, why);
}

/* Half-spaces have no vertices to work on; every other family takes part. Seeds: 100 for the first test below, 200 for
 * the second and so on, each plus the number of the family. */
static void for_all_families(uint64_t seed, void (*check)(rng *random, int i)) {
  int families = families_random_count + families_degenerate_count - 1, count = tiered(60, 120, 3000);
  for (int f = 0; f < families; f++) {
    const family *from =
        f < families_random_count ? &families_random[f] : &families_degenerate[f - families_random_count];
    rng random = {seed + (uint64_t)f};
    family_name = from->name;
    for (int i = 0; i < count; i++) {
      memset(&pair, 0, sizeof pair);
      from->make(&random, &pair);
      check(&random, i);
    }
  }
}

static graze_answer ask(const shape_pair *p, const graze_options *options) {
  graze_answer answer;
  graze_options whole = options ? *options : graze_default_options();
  whole.workspace = workspace;
  whole.workspace_size = workspace_size;
  whole.surface = &surface;
  placed_a = graze_place(&p->a, p->pose_a);
  placed_b = graze_place(&p->b, p->pose_b);
  graze_status status = graze_distance(&placed_a, &placed_b, &whole, &answer);
  if (status != GRAZE_OK) complain(p, graze_status_text(status));
  return answer;
}

/* An answer to p, judged against the truth about p. */
static graze_answer ask_and_judge(const shape_pair *p, const graze_options *options) {
  graze_answer answer = ask(p, options);
  if (!oracle_solve(truth, &p->a, &p->pose_a, &p->b, &p->pose_b, options ? options->clearance : 0))
    complain(p, "unknown to the oracle");
  if (answer.relation != oracle_relation(truth)) complain(p, "wrong relation");
  if (oracle_compare(truth, answer.lower) < 0) complain(p, "the truth is below lower");
  if (!isnan(answer.upper) && oracle_compare(truth, answer.upper) > 0) complain(p, "the truth is above upper");
  if (graze_verify(&placed_a, &placed_b, options, &answer) != GRAZE_OK) complain(p, "not verified");
  return answer;
}

static void copy_pair(shape_pair *to, const shape_pair *from) {
  memcpy(to, from, sizeof *to);
  if (to->a.vertices) to->a.vertices = to->vertices_a;
  if (to->b.vertices) to->b.vertices = to->vertices_b;
}

static int agreed, overlapping;

/* Both intervals hold the same number, times `factor` for the second. */
static void must_agree(const graze_answer *x, const graze_answer *y, double factor) {
  if (x->relation != y->relation) complain(&other, "another relation");
  if (!(x->lower <= x->upper) || !(y->lower <= y->upper)) complain(&other, "no interval");
  if (x->lower * factor > y->upper || y->lower > x->upper * factor) complain(&other, "intervals have no common point");
  if (isnan(x->distance) || isnan(y->distance)) complain(&other, "no distance");
  agreed++;
  overlapping += x->relation == GRAZE_OVERLAPPING;
}

/* Of the answers compared since the last call, so many per cent must be overlaps. */
static void must_have_met(int low, int high) {
  print_message("%d of %d overlap\n", overlapping, agreed);
  assert_true(agreed > 0 && overlapping * 100 >= low * agreed && overlapping * 100 <= high * agreed);
  agreed = overlapping = 0;
}

/* ---- swapped */

static void check_swap(rng *random, int i) {
  (void)random, (void)i;
  graze_answer x = ask(&pair, NULL);
  memcpy(other.vertices_a, pair.vertices_b, sizeof other.vertices_a);
  memcpy(other.vertices_b, pair.vertices_a, sizeof other.vertices_b);
  other.a = pair.b, other.b = pair.a, other.pose_a = pair.pose_b, other.pose_b = pair.pose_a;
  graze_answer y = ask_and_judge(&other, NULL);
  must_agree(&x, &y, 1);
}

TEST_WITH(swapping_the_bodies, set_up, tear_down) {
  for_all_families(100, check_swap);
  must_have_met(25, 50);
}

/* ---- the 24 rotations of the cube, by integer quaternions of any length */

/* The n-th: 4 half turns (identity included), 12 quarter and edge turns, 8 third turns. */
static void cube_quaternion(int n, int q[4]) {
  static const int two[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  memset(q, 0, 4 * sizeof *q);
  if (n < 4) {
    q[n] = 1;
  } else if (n < 16) {
    q[two[(n - 4) / 2][0]] = 1;
    q[two[(n - 4) / 2][1]] = n & 1 ? 1 : -1;
  } else {
    for (int k = 0; k < 4; k++) q[k] = k > 0 && (n - 16) >> (k - 1) & 1 ? -1 : 1;
  }
}

/* g v, for a cube rotation g: coordinates change places and signs, nothing is rounded. */
static graze_vec turned(const int g[4], graze_vec v) {
  int w = g[0], x = g[1], y = g[2], z = g[3], n = w * w + x * x + y * y + z * z;
  int m[3][3] = {{n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                 {2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                 {2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y)}};
  double c[3], in[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; i++) {
    c[i] = 0;
    for (int j = 0; j < 3; j++)
      if (m[i][j]) c[i] = m[i][j] / n * in[j];
  }
  return (graze_vec){c[0], c[1], c[2]};
}

/* Coarse enough that products with small integers are exact. */
static double snap(double x) { return ldexp(rint(ldexp(x, 24)), -24); }

static void snap_rotation(graze_pose *q) {
  q->w = snap(q->w), q->x = snap(q->x), q->y = snap(q->y), q->z = snap(q->z);
  if (q->w == 0 && q->x == 0 && q->y == 0 && q->z == 0) q->w = 1;
}

/* g·q, times any length that keeps it exact. */
static void turn_pose(graze_pose *p, const int g[4], double length) {
  double w = p->w, x = p->x, y = p->y, z = p->z;
  p->w = length * (g[0] * w - g[1] * x - g[2] * y - g[3] * z);
  p->x = length * (g[0] * x + g[1] * w + g[2] * z - g[3] * y);
  p->y = length * (g[0] * y - g[1] * z + g[2] * w + g[3] * x);
  p->z = length * (g[0] * z + g[1] * y - g[2] * x + g[3] * w);
  p->position = turned(g, p->position);
}

/* In 2D the four quarter turns: (1,0), (1,1), (0,1), (1,-1) as half-angle pairs. */
static void any_turn(rng *random, int dim, int g[4]) {
  static const int flat[4] = {0, 8, 3, 9};
  cube_quaternion(dim == 3 ? rng_below(random, 24) : flat[rng_below(random, 4)], g);
}

static void check_turn(rng *random, int i) {
  int g[4];
  (void)i;
  if (strstr(family_name, "quaternion lengths")) return; /* nothing longer is accepted */
  snap_rotation(&pair.pose_a);
  snap_rotation(&pair.pose_b);
  graze_answer x = ask_and_judge(&pair, NULL);
  copy_pair(&other, &pair);
  any_turn(random, pair.a.dim, g);
  turn_pose(&other.pose_a, g, rng_between(random, 1, 1000));
  turn_pose(&other.pose_b, g, ldexp(rng_between(random, 1, 1000), rng_between(random, -60, 60)));
  graze_answer y = ask_and_judge(&other, NULL);
  must_agree(&x, &y, 1);
}

TEST_WITH(turning_the_scene, set_up, tear_down) {
  for_all_families(200, check_turn);
  must_have_met(25, 50);
}

/* The 24 are all different, and rotations. */
TEST(there_are_24_turns) {
  graze_vec seen[24], v = {1, 2, 4};
  for (int n = 0; n < 24; n++) {
    int g[4];
    cube_quaternion(n, g);
    seen[n] = turned(g, v);
    assert_true(fabs(seen[n].x * seen[n].y * seen[n].z) == 8);
    for (int k = 0; k < n; k++) assert_true(memcmp(&seen[k], &seen[n], sizeof v) != 0);
  }
}

/* ---- another unit */

static void check_unit(rng *random, int i) {
  if (strstr(family_name, "subnormal") || strstr(family_name, "1e-40 to 1e40")) return; /* would round, or overflow */
  int power = i & 1 ? rng_between(random, -20, 20) : rng_between(random, -600, 30);
  if (strstr(family_name, "1e30")) power = -abs(power);
  graze_answer x = ask(&pair, NULL);
  copy_pair(&other, &pair);
  scale_pair(&other, ldexp(1, power));
  graze_answer y = ask_and_judge(&other, NULL);
  must_agree(&x, &y, ldexp(1, power));
}

TEST_WITH(another_unit, set_up, tear_down) {
  for_all_families(300, check_unit);
  must_have_met(22, 45);
}

/* ---- repeated and reordered vertices */

static void shuffle(rng *random, graze_shape *shape, graze_vec *room) {
  if (shape->kind != GRAZE_HULL) return;
  int given = (int)shape->vertex_count;
  int count = given < PAIR_VERTICES ? rng_between(random, given, PAIR_VERTICES) : given;
  for (int i = given; i < count; i++) room[i] = room[rng_below(random, given)];
  for (int i = count - 1; i > 0; i--) {
    int j = rng_below(random, i + 1);
    graze_vec t = room[i];
    room[i] = room[j];
    room[j] = t;
  }
  shape->vertex_count = (size_t)count;
}

static void check_vertices(rng *random, int i) {
  (void)i;
  graze_answer x = ask(&pair, NULL);
  copy_pair(&other, &pair);
  shuffle(random, &other.a, other.vertices_a);
  shuffle(random, &other.b, other.vertices_b);
  graze_answer y = ask_and_judge(&other, NULL);
  must_agree(&x, &y, 1);
}

TEST_WITH(other_vertex_lists, set_up, tear_down) {
  for_all_families(400, check_vertices);
  must_have_met(25, 50);
}

/* ---- a 2D pair lying flat in 3D */

static graze_shape in_space(const graze_shape *s, graze_vec *room) {
  graze_shape out = *s;
  out.dim = 3;
  if (s->kind == GRAZE_POLYGON) out.kind = GRAZE_HULL;
  if (s->kind == GRAZE_CAPSULE) { /* its axis is x in 2D and z in 3D: a rounded segment instead */
    room[0] = (graze_vec){-s->half_length, 0, 0};
    room[1] = (graze_vec){s->half_length, 0, 0};
    out = graze_with_margin(graze_segment(room[0], room[1]), s->radius + s->margin);
  }
  return out;
}

static void check_flat(rng *random, int i) {
  (void)random, (void)i;
  if (pair.a.dim != 2) return;
  if (pair.a.kind == GRAZE_CAPSULE) pair.a.margin = 0; /* radius + margin must be a double */
  if (pair.b.kind == GRAZE_CAPSULE) pair.b.margin = 0;
  graze_answer x = ask_and_judge(&pair, NULL);
  bool cores_meet = oracle_cores_meet(truth),
       unrounded = pair.a.radius + pair.a.margin + pair.b.radius + pair.b.margin == 0;
  copy_pair(&other, &pair);
  other.a = in_space(&pair.a, other.vertices_a);
  other.b = in_space(&pair.b, other.vertices_b);
  if (other.a.vertices) other.a.vertices = other.vertices_a;
  if (other.b.vertices) other.b.vertices = other.vertices_b;
  graze_answer y = ask_and_judge(&other, NULL);
  if (!cores_meet)
    must_agree(&x, &y, 1);
  else if (unrounded && y.relation != GRAZE_TOUCHING)
    complain(&other, "flat shapes that meet must touch");
}

TEST_WITH(lying_flat_in_space, set_up, tear_down) {
  for_all_families(500, check_flat);
  must_have_met(3, 13);
}

/* ---- a cache */

static void check_cache(rng *random, int i) {
  graze_cache cache;
  graze_options options = graze_default_options();
  (void)i;
  memset(&cache, 0, sizeof cache);
  options.cache = &cache;
  graze_vec step = rng_vec(random, pair.a.dim, 1e-3);
  for (int k = 0; k < 4; k++) {
    graze_answer warm = ask_and_judge(&pair, &options), cold = ask(&pair, NULL);
    copy_pair(&other, &pair);
    must_agree(&cold, &warm, 1);
    if (judge_form(&pair.a, &pair.b, &warm, 1e-12)) complain(&pair, judge_form(&pair.a, &pair.b, &warm, 1e-12));
    graze_answer boolean;
    assert_int_equal(graze_intersect(&placed_a, &placed_b, &options, &boolean), GRAZE_OK);
    if (boolean.relation != cold.relation) complain(&pair, "warm intersect differs");
    pair.pose_b.position.x += step.x, pair.pose_b.position.y += step.y, pair.pose_b.position.z += step.z;
  }
}

TEST_WITH(a_warm_start, set_up, tear_down) {
  for_all_families(600, check_cache);
  must_have_met(28, 55);
}

static double any_garbage(rng *random) {
  static const double some[] = {0, -0.0, 1, 1e308, -1e308, 5e-324, 1e-300, 1e40};
  uint64_t bits = rng_bits(random);
  double x;
  memcpy(&x, &bits, sizeof x); /* anything, NaN and infinities too */
  switch (rng_below(random, 4)) {
  case 0: return x;
  case 1: return (double)NAN;
  case 2: return rng_coin(random) ? INFINITY : -INFINITY;
  default: return some[rng_below(random, 8)];
  }
}

static void check_garbage(rng *random, int i) {
  graze_cache cache;
  graze_options options = graze_default_options();
  (void)i;
  memset(&cache, 0, sizeof cache);
  cache.direction = (graze_vec){any_garbage(random), any_garbage(random), any_garbage(random)};
  cache.count = rng_coin(random) ? rng_between(random, 0, 4) : (int)rng_bits(random);
  for (int k = 0; k < 4; k++) {
    cache.a[k] = rng_coin(random) ? rng_below(random, 3) : (int32_t)rng_bits(random);
    cache.b[k] = rng_coin(random) ? rng_below(random, 3) : (int32_t)rng_bits(random);
  }
  options.cache = &cache;
  graze_answer x = ask(&pair, NULL), y = ask_and_judge(&pair, &options);
  copy_pair(&other, &pair);
  must_agree(&x, &y, 1);
}

TEST_WITH(garbage_in_the_cache, set_up, tear_down) {
  for_all_families(700, check_garbage);
  must_have_met(25, 50);
}

/* ---- options */

static void check_methods(rng *random, int i) {
  graze_options options = graze_default_options();
  options.method = i & 1 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_GJK;
  if (i & 2) options.start = rng_vec(random, pair.a.dim, 1);
  graze_answer x = ask(&pair, NULL), y = ask_and_judge(&pair, &options);
  copy_pair(&other, &pair);
  must_agree(&x, &y, 1);
  const char *why = judge_form(&pair.a, &pair.b, &y, 1e-12);
  if (why) complain(&pair, why);
}

TEST_WITH(every_method, set_up, tear_down) {
  for_all_families(800, check_methods);
  must_have_met(25, 50);
}

static void check_clearance(rng *random, int i) {
  graze_options options = graze_default_options();
  graze_answer x = ask(&pair, NULL);
  double size = judge_scale(&pair.a, &pair.b, 0);
  options.clearance = i & 1 && x.distance > 0 ? x.distance : fmin(rng_uniform(random, 0, 1) * size, 1e40);
  if (i & 2 && x.distance > 0) options.clearance = nextafter(x.distance, i & 4 ? 0 : INFINITY);
  (void)ask_and_judge(&pair, &options);
}

TEST_WITH(a_clearance, set_up, tear_down) { for_all_families(900, check_clearance); }

static void check_cutoff(rng *random, int i) {
  graze_options options = graze_default_options();
  graze_answer x = ask(&pair, NULL);
  if (!(x.distance > 0))
    options.max_distance = rng_uniform(random, 0, 1);
  else
    options.max_distance = x.distance * (i % 3 == 0 ? 0.5 : i % 3 == 1 ? 0.999999 : 2);
  graze_answer y = ask_and_judge(&pair, &options);
  if (y.stopped == GRAZE_STOP_CUTOFF) {
    if (!(y.lower >= options.max_distance) || !isnan(y.distance) || !isnan(y.upper))
      complain(&pair, "cut off, but not beyond max_distance");
  } else {
    if (x.lower > options.max_distance) complain(&pair, "beyond max_distance, but not cut off");
    const char *why = judge_form(&pair.a, &pair.b, &y, 1e-12);
    if (why) complain(&pair, why);
  }
}

TEST_WITH(a_cutoff, set_up, tear_down) { for_all_families(1000, check_cutoff); }

static void check_budget(rng *random, int i) {
  graze_options options = graze_default_options();
  (void)random;
  options.max_iterations = 1 + i % 4;
  graze_answer y = ask_and_judge(&pair, &options);
  if (y.stopped == GRAZE_STOP_BUDGET) return;
  const char *why = judge_form(&pair.a, &pair.b, &y, 1e-12);
  if (why) complain(&pair, why);
}

TEST_WITH(a_budget, set_up, tear_down) { for_all_families(1100, check_budget); }

static void check_tolerance(rng *random, int i) {
  graze_options options = graze_default_options();
  (void)i;
  double size = judge_scale(&pair.a, &pair.b, 0);
  options.tolerance = fmin(size * rng_uniform(random, 0, 0.1), 1e40);
  graze_answer y = ask_and_judge(&pair, &options);
  if (isnan(y.distance)) return;
  if (y.upper - y.lower > fmax(options.tolerance, 1e-12 * judge_scale(&pair.a, &pair.b, y.distance)) + 1e-320)
    complain(&pair, "wider than the tolerance");
}

TEST_WITH(a_tolerance, set_up, tear_down) { for_all_families(1200, check_tolerance); }

/* Points on vertices, at the centre, near the surface: graze_contains() against the truth about a point shape. */
static void check_contains(rng *random, int i) {
  graze_shape point = pair.a.dim == 2 ? graze_point2() : graze_point();
  graze_pose at = identity_pose();
  graze_relation relation;
  placed_a = graze_place(&pair.a, pair.pose_a);
  placed_b = graze_place(&pair.b, pair.pose_b);
  graze_answer answer;
  assert_int_equal(graze_distance(&placed_a, &placed_b, NULL, &answer), GRAZE_OK);
  graze_vec p = pair.pose_a.position, v = oracle_core_vertex(&pair.a, 0);
  at.position = p;
  if (i % 4 == 1) at.position = (graze_vec){p.x + v.x, p.y + v.y, p.z + v.z};
  if (i % 4 == 2 && !isnan(answer.point_a.x)) at.position = answer.point_a;
  if (i % 4 == 3) {
    graze_vec off = rng_vec(random, pair.a.dim, fmin(1.5 * judge_scale(&pair.a, &pair.a, 0), 1e39));
    at.position = (graze_vec){p.x + off.x, p.y + off.y, p.z + off.z};
  }
  assert_true(oracle_solve(truth, &pair.a, &pair.pose_a, &point, &at, 0));
  assert_int_equal(graze_contains(&placed_a, at.position, &relation), GRAZE_OK);
  if (relation != oracle_relation(truth)) {
    pair.b = point, pair.pose_b = at;
    complain(&pair, "graze_contains is wrong");
  }
}

TEST_WITH(points_inside, set_up, tear_down) { for_all_families(1300, check_contains); }
