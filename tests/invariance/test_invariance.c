/* Changes that must not change an answer: the order of the bodies, a rigid motion of the scene, the unit, repeated or
 * reordered vertices, a third dimension, any content of the cache. Also the allowed effects of options. Motions are
 * exact, so relations must be equal and the true distance is the same number. */
#include "support/families_run.h"
#include "support/geometry.h"
#include "support/test.h"
#include "support/shapes.h"

static shape_pair other; /* the pair after the change */
static int agreed, overlapping;

static void complain(family_runner *r, const shape_pair *p, const char *why) {
  print_query_line(stdout, r->name, "distance", &p->a, &p->pose_a, &p->b, &p->pose_b);
  family_fail(r, "distance", why, NULL);
}

/* Places p and queries it, with a surface for its depth. */
static proved_answer answer_of(family_runner *r, const shape_pair *p, const graze_options *options) {
  proved_answer x;
  graze_options whole = options ? *options : r->whole;
  whole.workspace = r->whole.workspace, whole.workspace_size = r->whole.workspace_size, whole.surface = &r->surface;
  r->a = graze_place(&p->a, p->pose_a), r->b = graze_place(&p->b, p->pose_b);
  assert_int_equal(query_distance(&r->a, &r->b, &whole, &x), GRAZE_OK);
  return x;
}

/* The same, compared with the truth about p. */
static proved_answer true_answer_of(family_runner *r, const shape_pair *p, const graze_options *options) {
  const proved_answer x = answer_of(r, p, options);
  if (!oracle_solve(r->o, &p->a, &p->pose_a, &p->b, &p->pose_b, options ? options->clearance : 0))
    complain(r, p, "unknown to the oracle");
  else if (x.relation != oracle_relation(r->o))
    complain(r, p, "WRONG RELATION");
  else if (oracle_compare(r->o, x.lower) < 0 || (!isnan(x.upper) && oracle_compare(r->o, x.upper) > 0))
    complain(r, p, "INTERVAL MISSES");
  if (verify_answer(&r->a, &r->b, options, &x) != GRAZE_OK) complain(r, p, "not verified");
  return x;
}

/* Both intervals hold the same number, times `factor` for the second. */
static void must_agree(family_runner *r, const proved_answer *x, const proved_answer *y, double factor) {
  if (x->relation != y->relation) complain(r, &other, "another relation");
  if (!(x->lower <= x->upper) || !(y->lower <= y->upper)) complain(r, &other, "no interval");
  if (x->lower * factor > y->upper || y->lower > x->upper * factor)
    complain(r, &other, "intervals have no common point");
  if (isnan(x->distance) || isnan(y->distance)) complain(r, &other, "no distance");
  agreed++, overlapping += x->relation == GRAZE_OVERLAPPING;
}

static void must_be_narrow(family_runner *r, const proved_answer *x) {
  const char *why = validate_form(&r->pair.a, &r->pair.b, x, 1e-12);
  if (why) complain(r, &r->pair, why);
}

static void copy_pair(shape_pair *to, const shape_pair *from) {
  memcpy(to, from, sizeof *to);
  if (to->a.kind == GRAZE_POLYGON || to->a.kind == GRAZE_HULL) to->a.as.hull.vertices = to->vertices_a;
  if (to->b.kind == GRAZE_POLYGON || to->b.kind == GRAZE_HULL) to->b.as.hull.vertices = to->vertices_b;
}

/* All families except half-spaces, which have no vertices. `low` to `high` per cent of the compared answers must be
 * overlaps. */
static void for_all_families(uint64_t seed, void (*check)(family_runner *r, rng *random, int i), int low, int high) {
  const int pairs = tiered(40, 80, 3000);
  const family_plan plans[] = {
      {families_random, families_random_count, pairs, seed, ", invariance", check, NULL},
      {families_degenerate, families_degenerate_count - 1, pairs, seed, ", invariance", check, NULL}};
  agreed = overlapping = 0;
  assert_int_equal(family_run(&plans[0]) + family_run(&plans[1]), 0);
  print_message("%d of %d overlap\n", overlapping, agreed);
  assert_true(overlapping * 100 >= low * agreed && overlapping * 100 <= high * agreed && (agreed > 0 || high == 100));
}

/* ---- the bodies exchanged */

static void check_swap(family_runner *r, rng *random, int i) {
  (void)random, (void)i;
  const proved_answer x = answer_of(r, &r->pair, NULL);
  memcpy(other.vertices_a, r->pair.vertices_b, sizeof other.vertices_a);
  memcpy(other.vertices_b, r->pair.vertices_a, sizeof other.vertices_b);
  other.a = r->pair.b, other.b = r->pair.a, other.pose_a = r->pair.pose_b, other.pose_b = r->pair.pose_a;
  const proved_answer y = true_answer_of(r, &other, NULL);
  must_agree(r, &x, &y, 1);
}

TEST(swapping_the_bodies) { for_all_families(100, check_swap, 25, 50); }

/* ---- the 24 rotations of the cube, by integer quaternions of any length */

/* Up to sign and length: 4 half turns (identity included), 12 quarter and edge turns, 8 third turns. */
static const int cube_turn[24][4] = {
    {1, 0, 0, 0},  {0, 0, 0, 1},  {1, 0, 0, 1},   {1, 0, 0, -1}, /* those in the plane */
    {0, 1, 0, 0},  {0, 0, 1, 0},  {1, 1, 0, 0},   {1, -1, 0, 0},  {1, 0, 1, 0},   {1, 0, -1, 0},  {0, 1, 1, 0},
    {0, 1, -1, 0}, {0, 1, 0, 1},  {0, 1, 0, -1},  {0, 0, 1, 1},   {0, 0, 1, -1},  {1, 1, 1, 1},   {1, -1, 1, 1},
    {1, 1, -1, 1}, {1, 1, 1, -1}, {1, -1, -1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, -1}};

/* g v, for a cube rotation g: coordinates change places and signs, nothing is rounded. */
static graze_vec turned(const int g[4], graze_vec v) {
  const int w = g[0], x = g[1], y = g[2], z = g[3], n = w * w + x * x + y * y + z * z;
  const int m[3][3] = {{n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                       {2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                       {2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y)}};
  double c[3] = {0, 0, 0}, in[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (m[i][j]) c[i] = m[i][j] / n * in[j];
  return vec(c[0], c[1], c[2]);
}

/* Coarse enough that products with small integers are exact. */
static double snap(double x) { return ldexp(rint(ldexp(x, 24)), -24); }

static void snap_rotation(graze_pose *q) {
  q->w = snap(q->w), q->x = snap(q->x), q->y = snap(q->y), q->z = snap(q->z);
  if (q->w == 0 && q->x == 0 && q->y == 0 && q->z == 0) q->w = 1;
}

/* g·q, times any length that keeps it exact. */
static void turn_pose(graze_pose *p, const int g[4], double length) {
  const double w = p->w, x = p->x, y = p->y, z = p->z;
  p->w = length * (g[0] * w - g[1] * x - g[2] * y - g[3] * z);
  p->x = length * (g[0] * x + g[1] * w + g[2] * z - g[3] * y);
  p->y = length * (g[0] * y - g[1] * z + g[2] * w + g[3] * x);
  p->z = length * (g[0] * z + g[1] * y - g[2] * x + g[3] * w);
  p->position = turned(g, p->position);
}

static void check_turn(family_runner *r, rng *random, int i) {
  (void)i;
  if (strstr(r->name, "quaternion lengths")) return; /* longer ones are invalid */
  snap_rotation(&r->pair.pose_a);
  snap_rotation(&r->pair.pose_b);
  const proved_answer x = true_answer_of(r, &r->pair, NULL);
  copy_pair(&other, &r->pair);
  const int *g = cube_turn[rng_below(random, r->pair.a.dim == 2 ? 4 : 24)];
  turn_pose(&other.pose_a, g, rng_between(random, 1, 1000));
  const double factor = rng_between(random, 1, 1000);
  turn_pose(&other.pose_b, g, ldexp(factor, rng_between(random, -60, 60)));
  const proved_answer y = true_answer_of(r, &other, NULL);
  must_agree(r, &x, &y, 1);
}

TEST(turning_the_scene) { for_all_families(200, check_turn, 25, 50); }

/* ---- another unit, other vertex lists, another dimension */

static void check_unit(family_runner *r, rng *random, int i) {
  if (strstr(r->name, "subnormal") || strstr(r->name, "1e-40 to 1e40")) return; /* would round, or overflow */
  int power = i & 1 ? rng_between(random, -20, 20) : rng_between(random, -600, 30);
  if (strstr(r->name, "1e30")) power = -abs(power);
  const proved_answer x = answer_of(r, &r->pair, NULL);
  copy_pair(&other, &r->pair);
  scale_pair(&other, ldexp(1, power));
  const proved_answer y = true_answer_of(r, &other, NULL);
  must_agree(r, &x, &y, ldexp(1, power));
}

TEST(another_unit) { for_all_families(300, check_unit, 22, 45); }

static void shuffle(rng *random, graze_shape *shape, graze_vec *v) {
  if (shape->kind != GRAZE_HULL) return;
  const int given = (int)shape->as.hull.count;
  const int count = given < PAIR_VERTICES ? rng_between(random, given, PAIR_VERTICES) : given;
  for (int i = given; i < count; i++) v[i] = v[rng_below(random, given)];
  for (int i = count - 1; i > 0; i--) {
    const int j = rng_below(random, i + 1);
    const graze_vec t = v[i];
    v[i] = v[j], v[j] = t;
  }
  shape->as.hull.count = (size_t)count;
}

static void check_vertices(family_runner *r, rng *random, int i) {
  (void)i;
  const proved_answer x = answer_of(r, &r->pair, NULL);
  copy_pair(&other, &r->pair);
  shuffle(random, &other.a, other.vertices_a);
  shuffle(random, &other.b, other.vertices_b);
  const proved_answer y = true_answer_of(r, &other, NULL);
  must_agree(r, &x, &y, 1);
}

TEST(repeated_and_reordered_vertices) { for_all_families(400, check_vertices, 25, 50); }

static void embed_in_space(graze_shape *s, graze_vec *v) {
  s->dim = 3;
  if (s->kind == GRAZE_POLYGON) s->kind = GRAZE_HULL;
  if (s->kind == GRAZE_CAPSULE) { /* its axis is x in 2D and z in 3D: a rounded segment instead */
    v[0] = vec(-s->as.capsule.half_length, 0, 0), v[1] = vec(s->as.capsule.half_length, 0, 0);
    *s = graze_with_margin(graze_segment(v[0], v[1]), s->as.capsule.radius);
  }
}

static void check_flat(family_runner *r, rng *random, int i) {
  graze_shape *a = &r->pair.a, *b = &r->pair.b;
  (void)random, (void)i;
  if (a->dim != 2) return;
  if (a->kind == GRAZE_CAPSULE) a->margin = 0; /* radius + margin must be a double */
  if (b->kind == GRAZE_CAPSULE) b->margin = 0;
  const proved_answer x = true_answer_of(r, &r->pair, NULL);
  const bool cores_meet = oracle_cores_meet(r->o), unrounded = radius_of(a) + a->margin + radius_of(b) + b->margin == 0;
  copy_pair(&other, &r->pair);
  embed_in_space(&other.a, other.vertices_a);
  embed_in_space(&other.b, other.vertices_b);
  const proved_answer y = true_answer_of(r, &other, NULL);
  if (!cores_meet)
    must_agree(r, &x, &y, 1);
  else if (unrounded && y.relation != GRAZE_TOUCHING)
    complain(r, &other, "flat shapes that meet must touch");
}

TEST(lying_flat_in_space) { for_all_families(500, check_flat, 3, 13); }

/* ---- a cache */

static void check_cache(family_runner *r, rng *random, int i) {
  graze_cache cache = {.count = 0};
  graze_options options = graze_default_options();
  const graze_vec step = rng_vec(random, r->pair.a.dim, 1e-3);
  (void)i;
  options.cache = &cache;
  for (int k = 0; k < 4; k++) {
    const proved_answer warm = true_answer_of(r, &r->pair, &options), cold = answer_of(r, &r->pair, NULL);
    proved_answer boolean;
    copy_pair(&other, &r->pair);
    must_agree(r, &cold, &warm, 1);
    must_be_narrow(r, &warm);
    assert_int_equal(query_intersect(&r->a, &r->b, &options, &boolean), GRAZE_OK);
    if (boolean.relation != cold.relation) complain(r, &r->pair, "intersect with a cache differs");
    r->pair.pose_b.position = add(r->pair.pose_b.position, step);
  }
}

TEST(a_warm_start) { for_all_families(600, check_cache, 28, 55); }

/* Anything, NaN and infinities too. */
static double any_garbage(rng *random) {
  static const double some[] = {0, -0.0, 1, 1e308, -1e308, 5e-324, 1e-300, 1e40, NAN, NAN, INFINITY, -INFINITY};
  const uint64_t bits = rng_bits(random);
  double x;
  memcpy(&x, &bits, sizeof x);
  return rng_below(random, 4) ? some[rng_below(random, COUNT(some))] : x;
}

static int32_t any_index(rng *random, int32_t count) {
  const int32_t some[] = {0, 1, 2, -1, count - 1, count, INT32_MAX, INT32_MIN};
  return rng_below(random, 3) ? some[rng_below(random, 8)] : (int32_t)rng_bits(random);
}

/* Other kinds than hulls may be answered by algorithms that leave the cache as it is. */
static void must_be_sound(family_runner *r, const graze_cache *cache) {
  if (r->pair.a.kind != GRAZE_HULL || r->pair.b.kind != GRAZE_HULL) return;
  bool sound = cache->count >= 0 && cache->count <= 4;
  for (int k = 0; sound && k < cache->count; k++)
    sound = cache->a[k] >= 0 && cache->a[k] < oracle_core_count(&r->pair.a) && cache->b[k] >= 0 &&
            cache->b[k] < oracle_core_count(&r->pair.b);
  if (!sound) complain(r, &r->pair, "the cache is not sound after the query");
}

static void check_garbage(family_runner *r, rng *random, int i) {
  graze_cache cache = {.direction = {any_garbage(random), any_garbage(random), any_garbage(random)}};
  graze_options options = graze_default_options();
  proved_answer boolean;
  (void)i;
  cache.count = rng_coin(random) ? rng_between(random, 0, 5) : (int)rng_bits(random);
  for (int k = 0; k < 4; k++) {
    cache.a[k] = any_index(random, oracle_core_count(&r->pair.a));
    cache.b[k] = any_index(random, oracle_core_count(&r->pair.b));
  }
  const graze_cache garbage = cache;
  options.cache = &cache;
  const proved_answer x = answer_of(r, &r->pair, NULL), y = true_answer_of(r, &r->pair, &options);
  copy_pair(&other, &r->pair);
  must_agree(r, &x, &y, 1);
  must_be_sound(r, &cache);
  cache = garbage;
  assert_int_equal(query_intersect(&r->a, &r->b, &options, &boolean), GRAZE_OK);
  if (boolean.relation != x.relation || verify_answer(&r->a, &r->b, &options, &boolean) != GRAZE_OK)
    complain(r, &r->pair, "intersect with garbage in the cache");
  if (boolean.algorithm == GRAZE_ALGORITHM_BOUNDING_SPHERES && memcmp(&cache, &garbage, sizeof cache) != 0)
    complain(r, &r->pair, "bounding balls change the cache");
  if (boolean.algorithm != GRAZE_ALGORITHM_BOUNDING_SPHERES && boolean.algorithm != GRAZE_ALGORITHM_CACHED_AXIS)
    must_be_sound(r, &cache);
}

TEST(garbage_in_the_cache) { for_all_families(700, check_garbage, 25, 50); }

/* ---- options */

static void check_start(family_runner *r, rng *random, int i) {
  graze_options options = graze_default_options();
  options.method = i & 1 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_GJK;
  if (i & 2) options.start = rng_vec(random, r->pair.a.dim, 1);
  const proved_answer x = answer_of(r, &r->pair, NULL), y = true_answer_of(r, &r->pair, &options);
  copy_pair(&other, &r->pair);
  must_agree(r, &x, &y, 1);
  must_be_narrow(r, &y);
}

TEST(any_first_direction) { for_all_families(800, check_start, 25, 50); }

static void check_clearance(family_runner *r, rng *random, int i) {
  graze_options options = graze_default_options();
  const proved_answer x = answer_of(r, &r->pair, NULL);
  const double size = pair_scale(&r->pair.a, &r->pair.b, 0);
  options.clearance = i & 1 && x.distance > 0 ? x.distance : fmin(rng_uniform(random, 0, 1) * size, 1e40);
  if (i & 2 && x.distance > 0) options.clearance = nextafter(x.distance, i & 4 ? 0 : INFINITY);
  (void)true_answer_of(r, &r->pair, &options);
}

TEST(a_clearance) { for_all_families(900, check_clearance, 0, 100); }

static void check_cutoff(family_runner *r, rng *random, int i) {
  static const double factors[] = {0.5, 0.999999, 2};
  graze_options options = graze_default_options();
  const proved_answer x = answer_of(r, &r->pair, NULL);
  options.max_distance = x.distance > 0 ? x.distance * factors[i % 3] : rng_uniform(random, 0, 1);
  const proved_answer y = true_answer_of(r, &r->pair, &options);
  if (y.stopped != GRAZE_STOP_CUTOFF) {
    if (x.lower > options.max_distance) complain(r, &r->pair, "beyond max_distance, but not cut off");
    must_be_narrow(r, &y);
  } else if (!(y.lower >= options.max_distance) || !isnan(y.distance) || !isnan(y.upper)) {
    complain(r, &r->pair, "cut off, but not beyond max_distance");
  }
}

TEST(a_cutoff) { for_all_families(1000, check_cutoff, 0, 100); }

static void check_budget(family_runner *r, rng *random, int i) {
  graze_options options = graze_default_options();
  (void)random;
  options.max_iterations = 1 + i % 4;
  const proved_answer y = true_answer_of(r, &r->pair, &options);
  if (y.stopped != GRAZE_STOP_BUDGET) must_be_narrow(r, &y);
}

TEST(a_budget) { for_all_families(1100, check_budget, 0, 100); }

static void check_tolerance(family_runner *r, rng *random, int i) {
  graze_options options = graze_default_options();
  (void)i;
  options.tolerance = fmin(pair_scale(&r->pair.a, &r->pair.b, 0) * rng_uniform(random, 0, 0.1), 1e40);
  const proved_answer y = true_answer_of(r, &r->pair, &options);
  const double most = fmax(options.tolerance, 1e-12 * pair_scale(&r->pair.a, &r->pair.b, y.distance)) + 1e-320;
  if (!isnan(y.distance) && y.upper - y.lower > most) complain(r, &r->pair, "wider than the tolerance");
}

TEST(a_tolerance) { for_all_families(1200, check_tolerance, 0, 100); }

/* graze_contains() of points at the centre, on vertices, at witness points and near the surface. */
static void check_contains(family_runner *r, rng *random, int i) {
  const graze_shape point = r->pair.a.dim == 2 ? graze_point2() : graze_point();
  const double spread = fmin(1.5 * pair_scale(&r->pair.a, &r->pair.a, 0), 1e39);
  const graze_vec centre = r->pair.pose_a.position;
  const proved_answer x = answer_of(r, &r->pair, NULL);
  graze_relation relation;
  graze_pose at = identity;
  at.position = centre;
  if (i % 4 == 1) at.position = add(centre, oracle_core_vertex(&r->pair.a, 0));
  if (i % 4 == 2 && !isnan(x.point_a.x)) at.position = x.point_a;
  if (i % 4 == 3) at.position = add(centre, rng_vec(random, r->pair.a.dim, spread));
  assert_true(oracle_solve(r->o, &r->pair.a, &r->pair.pose_a, &point, &at, 0));
  assert_int_equal(graze_contains(&r->a, at.position, &relation), GRAZE_OK);
  r->pair.b = point, r->pair.pose_b = at;
  if (relation != oracle_relation(r->o)) complain(r, &r->pair, "graze_contains() is wrong");
}

TEST(points_inside) { for_all_families(1300, check_contains, 0, 100); }
