/* What each option and the cache do: a budget, a tolerance, a warm start, a cut-off, a clearance, and what is refused.
 * Pairs are random hulls of 32 vertices each; seeds are stated at each test. */

#include "support/test.h"
#include "support/families.h"

enum { PAIRS = 400, VERTICES = 32 };

static shape_pair pair;
static graze_placed a, b;

static void next_pair(rng *random, int dim, double spread) {
  pair.a = random_hull(random, dim, VERTICES, pair.vertices_a);
  pair.b = random_hull(random, dim, VERTICES, pair.vertices_b);
  pair.pose_a = random_pose(random, dim, spread);
  pair.pose_b = random_pose(random, dim, spread);
  a = graze_place(&pair.a, pair.pose_a);
  b = graze_place(&pair.b, pair.pose_b);
}

/* Every third pair is flat. */
static int dimension(int i) { return i % 3 == 0 ? 2 : 3; }

/* With the surface that proves a depth. */
static graze_answer distance(const graze_options *options) {
  static double room[1 << 18];
  static graze_surface surface;
  graze_options shown = options ? *options : graze_default_options();
  graze_answer answer;
  shown.workspace = room, shown.workspace_size = sizeof room;
  shown.surface = &surface;
  assert_int_equal(graze_distance(&a, &b, &shown, &answer), GRAZE_OK);
  assert_int_equal(graze_verify(&a, &b, &shown, &answer), GRAZE_OK);
  return answer;
}

static graze_answer intersect(const graze_options *options) {
  graze_answer answer;
  assert_int_equal(graze_intersect(&a, &b, options, &answer), GRAZE_OK);
  assert_int_equal(graze_verify(&a, &b, options, &answer), GRAZE_OK);
  return answer;
}

static double width(const graze_answer *answer) { return answer->upper - answer->lower; }

static bool is_whole(const graze_answer *answer) {
  return answer->stopped == GRAZE_STOP_NONE && !isnan(answer->distance) && width(answer) <= 1e-11;
}

static void assert_within(int low, int count, int high) {
  if (count < low || count > high) fail_msg("%d is not within %d … %d", count, low, high);
}

/* ---- max_iterations */

static void count_step(void *context, const graze_trace_step *step) {
  *(int *)context += step->phase == GRAZE_PHASE_GJK;
}

/* The steps of GJK; where the simplex of overlapping cores is flat, it runs once more. */
static void assert_budget_is_kept(const graze_answer *answer, int steps, int budget) {
  bool again = answer->relation != GRAZE_SEPARATED;
  assert_true(steps >= 1 && steps <= (again ? 2 : 1) * budget && steps <= answer->iterations);
  if (!answer->exact && answer->path == GRAZE_PATH_GJK) assert_int_equal(steps, answer->iterations);
}

/* How many answers the budget cut. */
static int count_cut(int budget, int *hits) {
  graze_options options = graze_default_options();
  rng random = {20};
  int cut = 0, steps = 0;
  *hits = 0;
  options.max_iterations = budget;
  options.trace = count_step;
  options.trace_context = &steps;
  for (int i = 0; i < PAIRS; i++) {
    next_pair(&random, dimension(i), 1.5);
    graze_answer whole = distance(NULL);
    steps = 0;
    graze_answer some = distance(&options);
    assert_budget_is_kept(&some, steps, budget);
    steps = 0;
    graze_answer relation = intersect(&options);
    assert_true(steps >= 1 && steps <= budget);
    assert_int_equal(whole.stopped, GRAZE_STOP_NONE);
    assert_int_equal(some.relation, whole.relation);
    assert_int_equal(relation.relation, whole.relation);
    if (!relation.exact) assert_true(relation.iterations >= 1 && relation.iterations <= budget);
    assert_true(some.lower <= whole.upper && whole.lower <= some.upper);
    if (some.stopped == GRAZE_STOP_BUDGET && !isnan(whole.distance))
      assert_true(some.lower <= whole.distance && whole.distance <= some.upper);
    *hits += whole.relation == GRAZE_OVERLAPPING;
    cut += some.stopped == GRAZE_STOP_BUDGET;
  }
  return cut;
}

/* Seed 20. */
TEST(a_budget_is_kept) {
  int hits;
  int one = count_cut(1, &hits), two = count_cut(2, &hits), three = count_cut(3, &hits);
  print_message("cut by a budget of 1, 2, 3: %d, %d, %d of %d, %d overlap\n", one, two, three, PAIRS, hits);
  assert_within(PAIRS * 35 / 100, hits, PAIRS * 60 / 100);
  assert_within(PAIRS * 35 / 100, one, PAIRS * 60 / 100);
  assert_within(PAIRS * 30 / 100, two, PAIRS * 60 / 100);
  assert_within(PAIRS * 25 / 100, three, PAIRS * 55 / 100);
}

/* ---- tolerance */

/* Seed 21. */
TEST(a_tolerance_saves_iterations) {
  graze_options options = graze_default_options();
  rng random = {21};
  int apart = 0, narrow = 0, loose = 0, wider = 0;
  options.tolerance = 0.25;
  for (int i = 0; i < PAIRS; i++) {
    next_pair(&random, dimension(i), 2.5);
    graze_answer x = distance(NULL), y = distance(&options);
    assert_int_equal(x.relation, y.relation);
    if (x.relation != GRAZE_SEPARATED) continue;
    apart++;
    narrow += x.iterations;
    loose += y.iterations;
    wider += width(&y) > 1e-6;
    assert_int_equal(y.stopped, GRAZE_STOP_NONE);
    assert_true(width(&y) <= options.tolerance);
    assert_true(y.lower <= x.distance && x.lower <= y.upper);
    assert_true(is_whole(&x));
  }
  print_message("%d iterations, %d with a tolerance; %d apart, %d of them wider\n", narrow, loose, apart, wider);
  assert_within(PAIRS * 65 / 100, apart, PAIRS * 95 / 100);
  assert_within(apart * 60 / 100, wider, apart * 95 / 100);
  assert_true(loose * 5 <= narrow * 4);
}

/* ---- the cache */

/* Seed 22. */
TEST(a_warm_start_saves_iterations) {
  graze_options options = graze_default_options();
  rng random = {22};
  int cold = 0, warm = 0, apart = 0;
  for (int i = 0; i < PAIRS; i++) {
    graze_cache cache;
    memset(&cache, 0, sizeof cache);
    options.cache = &cache;
    next_pair(&random, dimension(i), 2.5);
    graze_answer x = distance(&options), y = distance(&options);
    assert_int_equal(x.relation, y.relation);
    assert_true(x.lower <= y.upper && y.lower <= x.upper);
    assert_true(cache.count >= 1 && cache.count <= 4);
    if (x.relation != GRAZE_SEPARATED) continue;
    apart++;
    cold += x.iterations;
    warm += y.iterations;
    assert_true(is_whole(&y));
  }
  print_message("%d iterations cold, %d warm; %d apart\n", cold, warm, apart);
  assert_within(PAIRS * 65 / 100, apart, PAIRS * 95 / 100);
  assert_true(warm * 2 <= cold);
}

/* Seed 23: first ask, ask again, move a little and ask again. */
TEST(a_cached_axis_still_separates) {
  graze_options options = graze_default_options();
  rng random = {23};
  int apart = 0, again = 0, moved = 0, spheres = 0;
  for (int i = 0; i < PAIRS; i++) {
    graze_cache cache;
    memset(&cache, 0, sizeof cache);
    options.cache = &cache;
    next_pair(&random, dimension(i), 2.5);
    graze_answer x = intersect(&options), y = intersect(&options);
    assert_int_equal(x.relation, y.relation);
    assert_int_not_equal(x.path, GRAZE_PATH_CACHED_AXIS);
    if (x.path == GRAZE_PATH_SPHERES) { /* that takes less than any direction */
      assert_int_equal(y.path, GRAZE_PATH_SPHERES);
      spheres++;
      continue;
    }
    if (x.relation != GRAZE_SEPARATED) {
      assert_int_not_equal(y.path, GRAZE_PATH_CACHED_AXIS);
      continue;
    }
    apart++;
    again += y.path == GRAZE_PATH_CACHED_AXIS && y.iterations == 1;
    graze_vec step = rng_vec(&random, pair.b.dim, 1e-4);
    pair.pose_b.position.x += step.x, pair.pose_b.position.y += step.y, pair.pose_b.position.z += step.z;
    assert_int_equal(graze_set_pose(&b, pair.pose_b), GRAZE_OK);
    moved += intersect(&options).path == GRAZE_PATH_CACHED_AXIS;
  }
  print_message("%d by spheres, %d apart; by the cached axis: %d, after a small move: %d\n", spheres, apart, again,
                moved);
  assert_within(PAIRS * 65 / 100, spheres + apart, PAIRS * 95 / 100);
  assert_within(PAIRS * 15 / 100, apart, PAIRS * 50 / 100);
  assert_int_equal(again, apart);
  assert_within(apart * 95 / 100, moved, apart);
}

/* A direction that separates, given by the caller, is used; one that no longer separates is not believed. */
TEST(a_cached_axis_is_checked) {
  graze_options options = graze_default_options();
  graze_cache cache = {.direction = {1, 0, 0}};
  graze_shape box = graze_box(1, 1, 1);
  options.cache = &cache;
  a = graze_place(&box, graze_pose_at(0, 0, 0));
  b = graze_place(&box, graze_pose_at(3, 0, 0));
  assert_int_equal(intersect(&options).path, GRAZE_PATH_CACHED_AXIS);
  b = graze_place(&box, graze_pose_at(2, 0, 0));
  assert_int_equal(intersect(&options).relation, GRAZE_TOUCHING);
  cache = (graze_cache){.direction = {1, 0, 0}};
  b = graze_place(&box, graze_pose_at(1.5, 0, 0));
  assert_int_equal(intersect(&options).relation, GRAZE_OVERLAPPING);
}

static const double hostile_numbers[] = {0, -0.0, 1e308, -1e308, 5e-324, 1e-300, 0.625, GRAZE_LARGEST, 1e200, 1e-200};

static double hostile_number(rng *random) {
  switch (rng_below(random, 4)) {
  case 0: return (double)NAN;
  case 1: return rng_coin(random) ? (double)INFINITY : -(double)INFINITY;
  default: return hostile_numbers[rng_below(random, (int)(sizeof hostile_numbers / sizeof *hostile_numbers))];
  }
}

static int32_t hostile_index(rng *random) {
  static const int32_t some[] = {0, 1, -1, VERTICES - 1, VERTICES, INT32_MAX, INT32_MIN};
  return some[rng_below(random, 7)];
}

static graze_cache hostile_cache(rng *random) {
  static const int counts[] = {0, 1, 3, 4, 5, 1000, -1, INT32_MAX, INT32_MIN};
  graze_cache cache = {.direction = {hostile_number(random), hostile_number(random), hostile_number(random)}};
  cache.count = counts[rng_below(random, 9)];
  for (int k = 0; k < 4; k++) {
    cache.a[k] = hostile_index(random);
    cache.b[k] = hostile_index(random);
  }
  return cache;
}

static void assert_cache_is_sound(const graze_cache *cache) {
  assert_true(cache->count >= 0 && cache->count <= 4);
  for (int k = 0; k < cache->count; k++) {
    assert_true(cache->a[k] >= 0 && cache->a[k] < VERTICES);
    assert_true(cache->b[k] >= 0 && cache->b[k] < VERTICES);
  }
}

/* Seed 24. In 2D most directions have a z. The answer is that without a cache, and what is left behind is in order. */
TEST(a_hostile_cache_does_no_harm) {
  graze_options options = graze_default_options();
  rng random = {24};
  int hits = 0;
  for (int i = 0; i < 4 * PAIRS; i++) {
    graze_cache cache = hostile_cache(&random), copy = cache, untouched = cache;
    next_pair(&random, dimension(i), 1.5);
    options.cache = &cache;
    graze_answer x = distance(NULL), y = distance(&options);
    assert_cache_is_sound(&cache);
    options.cache = &copy;
    graze_answer z = intersect(&options);
    if (z.path == GRAZE_PATH_SPHERES)
      assert_memory_equal(&copy, &untouched, sizeof copy); /* nothing was learned */
    else if (z.path != GRAZE_PATH_CACHED_AXIS)
      assert_cache_is_sound(&copy);
    assert_int_equal(x.relation, y.relation);
    assert_int_equal(x.relation, z.relation);
    assert_true(x.lower <= y.upper && y.lower <= x.upper);
    if (x.relation == GRAZE_SEPARATED) assert_true(is_whole(&y));
    hits += x.relation != GRAZE_SEPARATED;
  }
  assert_within(4 * PAIRS * 35 / 100, hits, 4 * PAIRS * 60 / 100);
}

/* ---- max_distance */

/* Seed 25: limits below and above the distance. */
TEST(beyond_max_distance_is_cut) {
  static const double factors[] = {0, 0.5, 0.999, 1.001, 2};
  graze_options options = graze_default_options();
  rng random = {25};
  int cut = 0, whole = 0, full = 0, early = 0;
  for (int i = 0; i < PAIRS; i++) {
    next_pair(&random, dimension(i), 2.5);
    graze_answer x = distance(NULL);
    if (x.relation != GRAZE_SEPARATED) continue;
    double factor = factors[i % 5];
    options.max_distance = factor * x.distance;
    graze_answer y = distance(&options);
    assert_int_equal(y.relation, GRAZE_SEPARATED);
    if (factor > 1) {
      assert_true(is_whole(&y));
      whole++;
      continue;
    }
    assert_int_equal(y.stopped, GRAZE_STOP_CUTOFF);
    assert_true(isnan(y.distance) && isnan(y.upper) && isnan(y.normal.x) && isnan(y.point_a.x) && isnan(y.point_b.x));
    assert_true(y.lower >= options.max_distance && y.lower <= x.upper);
    cut++;
    full += x.iterations;
    early += y.iterations;
  }
  print_message("%d cut (%d iterations instead of %d), %d whole\n", cut, early, full, whole);
  assert_within(PAIRS * 40 / 100, cut, PAIRS * 65 / 100);
  assert_within(PAIRS * 20 / 100, whole, PAIRS * 45 / 100);
  assert_true(early * 4 <= full * 3);
}

/* ---- clearance */

/* Boxes whose nearest corners or edges are (3, 4) apart: 5. */
static void assert_clearance_is_exact(int dim) {
  graze_options options = graze_default_options();
  graze_shape box = dim == 2 ? graze_box2(1, 1) : graze_box(1, 1, 1);
  const double clearances[] = {nextafter(5, 0), 5, nextafter(5, 6)};
  const graze_relation relations[] = {GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING};
  a = graze_place(&box, graze_pose_at(0, 0, 0));
  b = graze_place(&box, graze_pose_at(5, 6, 0));
  for (int i = 0; i < 3; i++) {
    options.clearance = clearances[i];
    graze_answer x = distance(&options), y = intersect(&options);
    assert_int_equal(x.relation, relations[i]);
    assert_int_equal(y.relation, relations[i]);
    assert_true(x.distance == 5 - clearances[i]);
    assert_true(x.lower <= x.distance && x.distance <= x.upper);
  }
}

TEST(a_clearance_is_exact) {
  assert_clearance_is_exact(2);
  assert_clearance_is_exact(3);
}

/* With a loose tolerance GJK ended before it was known whether they meet, and what followed was `undecided` near a
 * contact, a hundred times slower. */
TEST(a_tolerance_leaves_nothing_open) {
  const graze_shape capsule = graze_capsule(0.2, 0.7), egg = graze_ellipsoid(0.3, 0.8, 0.5);
  const graze_placed p = graze_place(&capsule, graze_pose3((graze_vec){0, 0, 0}, 1, 0.3, 0.2, 0.5));
  graze_options options = graze_default_options();
  graze_answer answer;
  double inside = 0, outside = 3;
  options.tolerance = 0.1;
  for (int i = 0; i < 50; i++) {
    const double middle = inside + (outside - inside) / 2;
    const graze_placed q = graze_place(&egg, graze_pose3((graze_vec){middle, 0.1, 0.2}, 1, -0.3, 0.6, 0.1));
    assert_int_equal(graze_distance(&p, &q, &options, &answer), GRAZE_OK);
    *(answer.relation == GRAZE_OVERLAPPING ? &inside : &outside) = middle;
    if (i >= 40) continue;
    assert_int_not_equal(answer.relation, GRAZE_UNDECIDED);
    assert_true(answer.iterations < 64 && answer.upper - answer.lower <= options.tolerance);
  }
}

/* ---- what is refused */

static void assert_answer_untouched(const graze_placed *p, const graze_placed *q, const graze_options *options,
                                    graze_status expected, const char *why) {
  graze_answer answer, before;
  memset(&answer, 0x5a, sizeof answer);
  memcpy(&before, &answer, sizeof answer); /* the padding too */
  graze_status by_intersect = graze_intersect(p, q, options, &answer);
  graze_status by_distance = graze_distance(p, q, options, &answer);
  if (by_intersect != expected || by_distance != expected)
    fail_msg("%s: %s and %s", why, graze_status_text(by_intersect), graze_status_text(by_distance));
  if (memcmp(&answer, &before, sizeof answer)) fail_msg("%s: the answer has changed", why);
}

typedef struct option_case {
  const char *what;
  size_t offset; /* of a double in graze_options */
  double value;
} option_case;

#define FIELD(name) #name, offsetof(graze_options, name)

static const option_case bad_numbers[] = {
    {FIELD(clearance), -1},           {FIELD(clearance), -5e-324},     {FIELD(clearance), (double)NAN},
    {FIELD(clearance), INFINITY},     {FIELD(clearance), -INFINITY},   {FIELD(clearance), 1.0000001e40},
    {FIELD(max_distance), -1},        {FIELD(max_distance), -5e-324},  {FIELD(max_distance), (double)NAN},
    {FIELD(max_distance), -INFINITY}, {FIELD(tolerance), -1},          {FIELD(tolerance), -5e-324},
    {FIELD(tolerance), (double)NAN},  {FIELD(tolerance), -INFINITY},   {FIELD(start.x), (double)NAN},
    {FIELD(start.y), (double)NAN},    {FIELD(start.z), (double)NAN},   {FIELD(start.x), INFINITY},
    {FIELD(start.y), -INFINITY},      {FIELD(start.z), INFINITY},      {FIELD(start.x), -1e300},
    {FIELD(start.y), 1.0000001e40},   {FIELD(start.z), -1.0000001e40},
};

/* The ends of the ranges. */
static const option_case good_numbers[] = {
    {FIELD(clearance), 0},
    {FIELD(clearance), -0.0},
    {FIELD(clearance), GRAZE_LARGEST},
    {FIELD(max_distance), 0},
    {FIELD(max_distance), INFINITY},
    {FIELD(max_distance), 5e-324},
    {FIELD(tolerance), 0},
    {FIELD(tolerance), INFINITY},
    {FIELD(start.x), GRAZE_LARGEST},
    {FIELD(start.y), -GRAZE_LARGEST},
    {FIELD(start.x), 5e-324},
};

static graze_options with_number(const option_case *c) {
  graze_options options = graze_default_options();
  memcpy((char *)&options + c->offset, &c->value, sizeof c->value);
  return options;
}

static void place_two(int dim) {
  graze_shape box = dim == 2 ? graze_box2(1, 1) : graze_box(1, 1, 1);
  a = graze_place(&box, graze_pose_at(0, 0, 0));
  b = graze_place(&box, graze_pose_at(4, 1, 0));
}

static void assert_options_refused(int dim) {
  place_two(dim);
  for (size_t i = 0; i < sizeof bad_numbers / sizeof *bad_numbers; i++) {
    graze_options options = with_number(&bad_numbers[i]);
    assert_answer_untouched(&a, &b, &options, GRAZE_BAD_OPTION, bad_numbers[i].what);
  }
  static const int budgets[] = {0, -1, INT32_MIN}, methods[] = {-1, GRAZE_METHOD_DISCRETE + 1, 1000};
  for (int i = 0; i < 3; i++) {
    graze_options options = graze_default_options();
    options.max_iterations = budgets[i];
    assert_answer_untouched(&a, &b, &options, GRAZE_BAD_OPTION, "max_iterations");
    options = graze_default_options();
    memcpy(&options.method, &methods[i], sizeof options.method);
    assert_answer_untouched(&a, &b, &options, GRAZE_BAD_OPTION, "method");
  }
  for (size_t i = 0; i < sizeof good_numbers / sizeof *good_numbers; i++) {
    graze_options options = with_number(&good_numbers[i]);
    (void)distance(&options);
    (void)intersect(&options);
  }
}

TEST(bad_options_are_refused) {
  assert_options_refused(2);
  assert_options_refused(3);
  graze_options options = graze_default_options();
  options.start.z = 1;
  (void)intersect(&options);
  place_two(2);
  assert_answer_untouched(&a, &b, &options, GRAZE_BAD_OPTION, "z of start in 2D");
  options.start.z = 5e-324;
  assert_answer_untouched(&a, &b, &options, GRAZE_BAD_OPTION, "tiny z of start in 2D");
}

TEST(too_little_room_is_refused) {
  static double room[1 << 16];
  static graze_surface surface;
  graze_options options = graze_default_options();
  place_two(3);
  options.surface = &surface;
  for (int method = GRAZE_METHOD_AUTO; method <= GRAZE_METHOD_BRUTE; method++) {
    options.method = (graze_method)method;
    assert_answer_untouched(&a, &b, &options, GRAZE_BAD_OPTION, "a surface without a workspace");
  }
  options.workspace = room;
  for (size_t points = 0; points < 64; points++) {
    options.workspace_size = points < 63 ? graze_workspace_size(points) : graze_workspace_size(64) - 1;
    assert_answer_untouched(&a, &b, &options, GRAZE_NO_ROOM, "64 points in less room");
  }
  options.workspace_size = graze_workspace_size(64);
  assert_int_equal(intersect(&options).path, GRAZE_PATH_BRUTE);
  options.surface = NULL;
  options.workspace = NULL; /* 256 points */
  options.workspace_size = 0;
  assert_int_equal(intersect(&options).path, GRAZE_PATH_BRUTE);
  rng random = {26};
  next_pair(&random, 3, 1);
  assert_answer_untouched(&a, &b, &options, GRAZE_NO_ROOM, "1024 points on the stack");
  options.workspace = room, options.workspace_size = sizeof room;
  assert_int_equal(intersect(&options).path, GRAZE_PATH_BRUTE);
}

/* What each method does not know. */
static void assert_method_refused(graze_method method, bool curved, bool plane) {
  graze_options options = graze_default_options();
  graze_vec up = {0, 0, 1};
  graze_shape box = graze_box(1, 1, 1), floor_shape = graze_halfspace(up, 0);
  graze_shape round[] = {graze_ellipsoid(1, 2, 3), graze_cone(1, 1), graze_cylinder(1, 1)};
  graze_pose here = graze_pose_at(0, 0, 0);
  graze_placed cube = graze_place(&box, here), ground = graze_place(&floor_shape, here);
  options.method = method;
  for (int i = 0; i < 3; i++) {
    graze_placed egg = graze_place(&round[i], here);
    if (curved) {
      assert_answer_untouched(&egg, &cube, &options, GRAZE_UNSUPPORTED, "curved with polytope");
      assert_answer_untouched(&cube, &egg, &options, GRAZE_UNSUPPORTED, "polytope with curved");
      assert_answer_untouched(&egg, &egg, &options, GRAZE_UNSUPPORTED, "both curved");
    }
    if (curved || plane) assert_answer_untouched(&egg, &ground, &options, GRAZE_UNSUPPORTED, "curved with half-space");
  }
  if (plane) {
    assert_answer_untouched(&ground, &cube, &options, GRAZE_UNSUPPORTED, "half-space with polytope");
    assert_answer_untouched(&cube, &ground, &options, GRAZE_UNSUPPORTED, "polytope with half-space");
  }
}

TEST(methods_refuse_what_they_do_not_know) {
  assert_method_refused(GRAZE_METHOD_EXACT, true, false);
  assert_method_refused(GRAZE_METHOD_SAT, true, true);
  assert_method_refused(GRAZE_METHOD_EPA, false, true);
  assert_method_refused(GRAZE_METHOD_BRUTE, true, true);
}

TEST(bad_questions_are_refused) {
  graze_options exact = graze_default_options();
  exact.method = GRAZE_METHOD_EXACT;
  graze_vec up = {0, 0, 1}, right = {1, 0, 0};
  graze_shape box = graze_box(1, 1, 1), flat = graze_box2(1, 1), plane = graze_halfspace(up, 0);
  graze_shape line = graze_halfspace2(right, 0), ball = graze_ellipsoid(1, 2, 3), cone = graze_cone(1, 1);
  graze_pose here = graze_pose_at(0, 0, 0);
  graze_placed in_3d = graze_place(&box, here), in_2d = graze_place(&flat, here), floor = graze_place(&plane, here);
  graze_placed wall = graze_place(&line, here), egg = graze_place(&ball, here), tip = graze_place(&cone, here);
  assert_answer_untouched(&in_2d, &in_3d, NULL, GRAZE_DIM_MISMATCH, "2D with 3D");
  assert_answer_untouched(&in_3d, &in_2d, NULL, GRAZE_DIM_MISMATCH, "3D with 2D");
  assert_answer_untouched(&wall, &floor, NULL, GRAZE_DIM_MISMATCH, "2D half-space with a 3D one");
  assert_answer_untouched(&floor, &floor, NULL, GRAZE_UNSUPPORTED, "two half-spaces");
  assert_answer_untouched(&wall, &wall, NULL, GRAZE_UNSUPPORTED, "two half-spaces in 2D");
  assert_answer_untouched(&egg, &in_3d, &exact, GRAZE_UNSUPPORTED, "exact, curved with polytope");
  assert_answer_untouched(&in_3d, &tip, &exact, GRAZE_UNSUPPORTED, "exact, polytope with curved");
  assert_answer_untouched(&tip, &egg, &exact, GRAZE_UNSUPPORTED, "exact, both curved");
  assert_answer_untouched(&egg, &floor, &exact, GRAZE_UNSUPPORTED, "exact, curved with half-space");
}

/* The status of the first bad shape comes before everything else. */
TEST(bad_shapes_are_refused) {
  static const graze_vec bent[] = {{0, 0, 0}, {2, 0, 0}, {1, 0.5, 0}, {1, 2, 0}, {0, -1, 0}};
  graze_options options = graze_default_options();
  options.tolerance = -1;
  graze_pose here = graze_pose_at(0, 0, 0), nowhere = graze_pose_at((double)NAN, 0, 0), turnless = {.w = 0};
  graze_shape box = graze_box(1, 1, 1), flat = graze_box2(1, 1), thin = graze_box(-1, 1, 1);
  graze_shape dent = graze_polygon(bent, 5);
  graze_placed good = graze_place(&box, here), small = graze_place(&thin, here), lost = graze_place(&box, nowhere);
  graze_placed still = graze_place(&box, turnless), hollow = graze_place(&dent, here), sheet = graze_place(&flat, here);
  assert_answer_untouched(&good, &small, NULL, GRAZE_BAD_SHAPE, "a negative extent");
  assert_answer_untouched(&small, &good, NULL, GRAZE_BAD_SHAPE, "a negative extent, first");
  assert_answer_untouched(&lost, &good, NULL, GRAZE_BAD_NUMBER, "a position that is NaN");
  assert_answer_untouched(&good, &still, NULL, GRAZE_BAD_SHAPE, "a zero quaternion");
  assert_answer_untouched(&sheet, &hollow, NULL, GRAZE_NOT_CONVEX, "a dented polygon");
  assert_answer_untouched(&lost, &small, NULL, GRAZE_BAD_NUMBER, "both bad: the first");
  assert_answer_untouched(&small, &lost, NULL, GRAZE_BAD_SHAPE, "both bad, swapped: the first");
  assert_answer_untouched(&good, &small, &options, GRAZE_BAD_SHAPE, "a bad shape and a bad option");
  assert_answer_untouched(&good, &sheet, &options, GRAZE_DIM_MISMATCH, "two dimensions and a bad option");
}
