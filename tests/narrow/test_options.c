/* The savings by options and by the cache, and the rejected queries. Pairs are random hulls of 32 vertices, every third
 * in 2D. Answers under every option against the truth: test_invariance.c. */
#include "support/families.h"
#include "support/query.h"
#include "support/shapes.h"

enum { PAIRS = 400, VERTICES = 32 };

static shape_pair pair;
static graze_placed a, b;

static void next_pair(rng *random, int i, double spread) {
  const int dim = i % 3 == 0 ? 2 : 3;
  pair.a = random_hull(random, dim, VERTICES, pair.vertices_a);
  pair.b = random_hull(random, dim, VERTICES, pair.vertices_b);
  pair.pose_a = random_pose(random, dim, spread), pair.pose_b = random_pose(random, dim, spread);
  a = place(&pair.a, pair.pose_a), b = place(&pair.b, pair.pose_b);
}

static double width(const proved_answer *x) { return x->upper - x->lower; }

/* ---- max_iterations */

/* Steps of the searches that count as iterations of the relation; not a boundary walk, which only counts its end. */
static void count_step(void *context, const graze_trace_step *step) {
  *(int *)context += step->phase == GRAZE_PHASE_GJK || step->phase == GRAZE_PHASE_BOUNDING_SPHERES ||
                     step->phase == GRAZE_PHASE_DIRECTION;
}

/* Returns how many answers the budget cut. */
static int count_cut(int budget) {
  graze_options options = graze_default_options();
  rng random = 20;
  int cut = 0, steps = 0, hits = 0;
  options.max_iterations = budget;
  options.tracer = &(graze_tracer){count_step, &steps};
  for (int i = 0; i < PAIRS; i++) {
    next_pair(&random, i, 1.5);
    steps = 0;
    const proved_answer some = proved_distance(&a, &b, &options);
    /* If the simplex of overlapping cores is flat, GJK runs once more. */
    assert_in_range(steps, 1, (some.relation == GRAZE_SEPARATED ? 1 : 2) * budget);
    assert_true(steps <= some.iterations);
    if (!some.exact && some.algorithm == GRAZE_ALGORITHM_GJK) assert_int_equal(steps, some.iterations);
    steps = 0;
    const proved_answer relation = intersect(&a, &b, &options);
    assert_in_range(steps, 1, budget);
    if (!relation.exact) assert_in_range(relation.iterations, 1, budget);
    hits += relation.relation == GRAZE_OVERLAPPING;
    cut += some.stopped == GRAZE_STOP_BUDGET;
  }
  assert_in_range(hits, PAIRS * 35 / 100, PAIRS * 60 / 100);
  return cut;
}

/* Seed 20. */
TEST(a_budget_is_kept) {
  assert_in_range(count_cut(1), PAIRS * 35 / 100, PAIRS * 60 / 100);
  assert_in_range(count_cut(2), PAIRS * 30 / 100, PAIRS * 60 / 100);
  assert_in_range(count_cut(3), PAIRS * 25 / 100, PAIRS * 55 / 100);
}

/* ---- what saves iterations: a tolerance, a warm start, a cutoff below or above the distance */

/* Seed 21. */
TEST(options_save_iterations) {
  enum { WHOLE, LOOSE, COLD, WARM, FULL, CUT };
  static const double factors[] = {0, 0.5, 0.999, 1.001, 2};
  rng random = 21;
  int separated = 0, wider = 0, cut = 0, sum[6] = {0};
  for (int i = 0; i < PAIRS; i++) {
    graze_cache cache = {.count = 0};
    graze_options loose = graze_default_options(), cached = loose, limited = loose;
    loose.tolerance = 0.25, cached.cache = &cache;
    next_pair(&random, i, 2.5);
    const proved_answer x = proved_distance(&a, &b, NULL), y = proved_distance(&a, &b, &loose);
    const proved_answer cold = proved_distance(&a, &b, &cached), warm = proved_distance(&a, &b, &cached);
    if (x.relation != GRAZE_SEPARATED) continue;
    assert_int_equal(y.stopped, GRAZE_STOP_NONE);
    separated++, wider += width(&y) > 1e-6;
    sum[WHOLE] += x.iterations, sum[LOOSE] += y.iterations, sum[COLD] += cold.iterations, sum[WARM] += warm.iterations;
    limited.max_distance = factors[i % 5] * x.distance;
    const proved_answer z = proved_distance(&a, &b, &limited);
    assert_int_equal(z.stopped, factors[i % 5] > 1 ? GRAZE_STOP_NONE : GRAZE_STOP_CUTOFF);
    if (factors[i % 5] > 1) continue;
    assert_true(isnan(z.normal.x) && isnan(z.point_a.x) && isnan(z.point_b.x));
    cut++, sum[FULL] += x.iterations, sum[CUT] += z.iterations;
  }
  assert_in_range(separated, PAIRS * 65 / 100, PAIRS * 95 / 100);
  assert_in_range(wider, separated * 60 / 100, separated * 95 / 100);
  assert_in_range(cut, PAIRS * 40 / 100, PAIRS * 65 / 100);
  assert_in_range(separated - cut, PAIRS * 20 / 100, PAIRS * 45 / 100);
  assert_true(sum[LOOSE] * 5 <= sum[WHOLE] * 4 && sum[WARM] * 2 <= sum[COLD] && sum[CUT] * 4 <= sum[FULL] * 3);
}

/* With a loose tolerance GJK ended before the relation was known, and near a contact what followed was `undecided`. */
TEST(a_tolerance_decides_relations) {
  const graze_placed p = posed(graze_capsule(0.2, 0.7), graze_pose3(vec(0, 0, 0), 1, 0.3, 0.2, 0.5));
  graze_options options = graze_default_options();
  double inside = 0, outside = 3;
  options.tolerance = 0.1;
  for (int i = 0; i < 50; i++) {
    const double middle = inside + (outside - inside) / 2;
    const graze_pose there = graze_pose3(vec(middle, 0.1, 0.2), 1, -0.3, 0.6, 0.1);
    const graze_placed q = posed(graze_ellipsoid(0.3, 0.8, 0.5), there);
    proved_answer x;
    assert_int_equal(query_distance(&p, &q, &options, &x), GRAZE_OK);
    *(x.relation == GRAZE_OVERLAPPING ? &inside : &outside) = middle;
    if (i >= 40) continue;
    assert_int_not_equal(x.relation, GRAZE_UNDECIDED);
    assert_true(x.iterations < 64 && width(&x) <= options.tolerance);
  }
}

/* ---- the cache */

/* Seed 23: the first query, the same again, and again after a small move. */
TEST(a_cached_axis_still_separates) {
  graze_options options = graze_default_options();
  rng random = 23;
  int separated = 0, moved = 0, spheres = 0;
  for (int i = 0; i < PAIRS; i++) {
    graze_cache cache = {.count = 0};
    options.cache = &cache;
    next_pair(&random, i, 2.5);
    const proved_answer x = intersect(&a, &b, &options), y = intersect(&a, &b, &options);
    assert_int_equal(x.relation, y.relation);
    assert_int_not_equal(x.algorithm, GRAZE_ALGORITHM_CACHED_AXIS);
    if (x.algorithm == GRAZE_ALGORITHM_BOUNDING_SPHERES ||
        x.relation != GRAZE_SEPARATED) { /* bounding balls cost less than an axis */
      assert_int_equal(y.algorithm, x.algorithm);
      spheres += x.algorithm == GRAZE_ALGORITHM_BOUNDING_SPHERES;
      continue;
    }
    assert_true(y.algorithm == GRAZE_ALGORITHM_CACHED_AXIS && y.iterations == 1);
    pair.pose_b.position = add(pair.pose_b.position, rng_vec(&random, pair.b.dim, 1e-4));
    assert_int_equal(graze_set_pose(&b, pair.pose_b), GRAZE_OK);
    separated++, moved += intersect(&a, &b, &options).algorithm == GRAZE_ALGORITHM_CACHED_AXIS;
  }
  assert_in_range(spheres + separated, PAIRS * 65 / 100, PAIRS * 95 / 100);
  assert_in_range(separated, PAIRS * 15 / 100, PAIRS * 50 / 100);
  assert_in_range(moved, separated * 95 / 100, separated);
}

/* A direction given by the caller is used if it separates, and only then. */
TEST(a_cached_axis_is_checked) {
  static const double at[] = {3, 2, 1.5};
  static const graze_relation expected[] = {GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING};
  graze_options options = graze_default_options();
  graze_vec corner[8];
  for (int i = 0; i < 8; i++) corner[i] = vec(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  a = posed(graze_hull_points(corner, 8), identity);
  for (int i = 0; i < 3; i++) {
    graze_cache cache = {.direction = {1, 0, 0}};
    options.cache = &cache;
    b = placed_at(graze_box(1, 1, 1), at[i], 0, 0);
    const proved_answer x = intersect(&a, &b, &options);
    assert_int_equal(x.relation, expected[i]);
    assert_int_equal(x.algorithm == GRAZE_ALGORITHM_CACHED_AXIS, i == 0);
  }
}

/* ---- rejected queries: a status, and the answer untouched */

static void assert_rejected(const graze_placed *p, const graze_placed *q, const graze_options *options,
                            graze_status expected, const char *why) {
  proved_answer answer, before;
  memset(&answer, 0x5a, sizeof answer);
  memcpy(&before, &answer, sizeof answer); /* the padding too */
  const graze_status by_intersect = query_intersect(p, q, options, &answer);
  const graze_status by_distance = query_distance(p, q, options, &answer);
  if (by_intersect != expected || by_distance != expected)
    fail_msg("%s: %s and %s", why, graze_status_text(by_intersect), graze_status_text(by_distance));
  if (memcmp(&answer, &before, sizeof answer)) fail_msg("%s: the answer has changed", why);
}

/* The numbers among the options, and their ranges. */
static const struct {
  const char *name;
  size_t offset;
  double least, most;
} ranges[] = {{"clearance", offsetof(graze_options, clearance), 0, GRAZE_LARGEST},
              {"max_distance", offsetof(graze_options, max_distance), 0, INFINITY},
              {"tolerance", offsetof(graze_options, tolerance), 0, INFINITY},
              {"start.x", offsetof(graze_options, start.x), -GRAZE_LARGEST, GRAZE_LARGEST},
              {"start.y", offsetof(graze_options, start.y), -GRAZE_LARGEST, GRAZE_LARGEST},
              {"start.z", offsetof(graze_options, start.z), -GRAZE_LARGEST, GRAZE_LARGEST}};

static void place_two(int dim) {
  a = posed(box_of(dim, 1, 1, 1), identity), b = placed_at(box_of(dim, 1, 1, 1), 4, 1, 0);
}

TEST(numbers_out_of_range) {
  static const double numbers[] = {
      (double)NAN, -INFINITY, -1e300, -1.0000001e40, -GRAZE_LARGEST, -1,      -5e-324, -0.0,
      0,           5e-324,    1,      GRAZE_LARGEST, 1.0000001e40,   INFINITY};
  for (int dim = 2; dim <= 3; dim++) {
    place_two(dim);
    for (size_t i = 0; i < COUNT(ranges) * COUNT(numbers); i++) {
      const size_t k = i / COUNT(numbers);
      const double x = numbers[i % COUNT(numbers)];
      graze_options options = graze_default_options();
      memcpy((char *)&options + ranges[k].offset, &x, sizeof x);
      const bool flat = dim == 2 && k == COUNT(ranges) - 1 && x != 0; /* z of start in 2D */
      if (flat || !(x >= ranges[k].least && x <= ranges[k].most)) {
        assert_rejected(&a, &b, &options, GRAZE_BAD_OPTION, ranges[k].name);
        continue;
      }
      (void)proved_distance(&a, &b, &options);
      (void)intersect(&a, &b, &options);
    }
    for (int i = 0; i < 3; i++) {
      graze_options options = graze_default_options();
      options.max_iterations = (int[]){0, -1, INT32_MIN}[i];
      assert_rejected(&a, &b, &options, GRAZE_BAD_OPTION, "max_iterations");
      const int method = (int[]){-1, METHOD_SAMPLING + 1, 1000}[i];
      options = graze_default_options();
      memcpy(&options.method, &method, sizeof options.method);
      assert_rejected(&a, &b, &options, GRAZE_BAD_OPTION, "method");
    }
  }
}

TEST(too_small_workspaces) {
  static double workspace[1 << 16];
  static graze_surface surface;
  graze_options options = graze_default_options();
  place_two(3);
  options.surface = &surface;
  const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_GJK, GRAZE_METHOD_EXACT,
                                  GRAZE_METHOD_EPA,  METHOD_SAT,       METHOD_BRUTE};
  for (size_t i = 0; i < COUNT(methods); i++) {
    options.method = methods[i];
    assert_rejected(&a, &b, &options, GRAZE_BAD_OPTION, "a surface without a workspace");
  }
  options.workspace = workspace;
  options.workspace_size = graze_workspace_size(64) - 1;
  assert_rejected(&a, &b, &options, GRAZE_NO_SPACE, "64 points in a smaller workspace");
  options.surface = NULL, options.workspace = NULL, options.workspace_size = 0; /* 256 points on the stack */
  assert_int_equal(intersect(&a, &b, &options).algorithm, GRAZE_ALGORITHM_BRUTE);
  rng random = 26;
  next_pair(&random, 1, 1);
  assert_rejected(&a, &b, &options, GRAZE_NO_SPACE, "1024 points on the stack");
  options.workspace = workspace, options.workspace_size = sizeof workspace;
  assert_int_equal(intersect(&a, &b, &options).algorithm, GRAZE_ALGORITHM_BRUTE);
}

/* Which kinds of pairs each method does not support. */
TEST(unsupported_pairs) {
  static const struct {
    graze_method method;
    bool curved, plane;
  } rules[] = {{GRAZE_METHOD_EXACT, true, false},
               {METHOD_SAT, true, true},
               {GRAZE_METHOD_EPA, false, true},
               {METHOD_BRUTE, true, true}};
  const graze_shape shapes[] = {graze_ellipsoid(1, 2, 3), graze_cone(1, 1), graze_cylinder(1, 1), graze_box(1, 1, 1),
                                graze_halfspace(vec(0, 0, 1), 0)};
  for (int i = 0; i < 4 * 24; i++) { /* all but two half-spaces */
    const int p = i / 4 / 5, q = i / 4 % 5;
    const graze_placed one = posed(shapes[p], identity), other = posed(shapes[q], identity);
    const bool curved = rules[i % 4].curved && (p < 3 || q < 3), plane = rules[i % 4].plane && (p == 4 || q == 4);
    const graze_options options = by_method(rules[i % 4].method);
    if (curved || plane) assert_rejected(&one, &other, &options, GRAZE_UNSUPPORTED, "by the kinds");
  }
}

/* The status of the first bad shape comes before any other reason. */
TEST(bad_pairs) {
  static const graze_vec bent[] = {{0, 0, 0}, {2, 0, 0}, {1, 0.5, 0}, {1, 2, 0}, {0, -1, 0}};
  const graze_shape box = graze_box(1, 1, 1), thin = graze_box(-1, 1, 1), dent = graze_polygon(bent, 5);
  const graze_placed good = posed(box, identity), sheet = posed(graze_box2(1, 1), identity);
  const graze_placed floor = posed(graze_halfspace(vec(0, 0, 1), 0), identity);
  const graze_placed wall = posed(graze_halfspace2(vec(1, 0, 0), 0), identity);
  const graze_placed small = graze_place(&thin, identity), hollow = graze_place(&dent, identity);
  const graze_placed lost = placed_at(box, (double)NAN, 0, 0), still = graze_place(&box, (graze_pose){.w = 0});
  graze_options options = graze_default_options();
  options.tolerance = -1;
  const struct {
    const graze_placed *a, *b;
    const graze_options *options;
    graze_status expected;
    const char *why;
  } cases[] = {
      {&sheet, &good, NULL, GRAZE_DIM_MISMATCH, "2D with 3D"},
      {&good, &sheet, NULL, GRAZE_DIM_MISMATCH, "3D with 2D"},
      {&wall, &floor, NULL, GRAZE_DIM_MISMATCH, "2D half-space with a 3D one"},
      {&floor, &floor, NULL, GRAZE_UNSUPPORTED, "two half-spaces"},
      {&wall, &wall, NULL, GRAZE_UNSUPPORTED, "two half-spaces in 2D"},
      {&good, &small, NULL, GRAZE_BAD_SHAPE, "a negative extent"},
      {&small, &good, NULL, GRAZE_BAD_SHAPE, "a negative extent, first"},
      {&lost, &good, NULL, GRAZE_BAD_NUMBER, "a position that is NaN"},
      {&good, &still, NULL, GRAZE_BAD_SHAPE, "a zero quaternion"},
      {&sheet, &hollow, NULL, GRAZE_NOT_CONVEX, "a dented polygon"},
      {&lost, &small, NULL, GRAZE_BAD_NUMBER, "both bad: the first"},
      {&small, &lost, NULL, GRAZE_BAD_SHAPE, "both bad, swapped: the first"},
      {&good, &small, &options, GRAZE_BAD_SHAPE, "a bad shape and a bad option"},
      {&good, &sheet, &options, GRAZE_DIM_MISMATCH, "two dimensions and a bad option"},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_rejected(cases[i].a, cases[i].b, cases[i].options, cases[i].expected, cases[i].why);
}
