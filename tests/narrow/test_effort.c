/* The work of queries of 200 pairs of a family, in steps of searches and in axes. Results are deterministic, so the
 * bounds lie one or two per cent above the present counts: a change that costs iterations without changing an answer is
 * detected. Seed 7. */
#include "support/cast_families.h"
#include "support/query.h"

enum { EFFORT_PAIRS = 200 };

typedef struct effort_bound {
  const char *family;
  long most; /* iterations of all pairs */
} effort_bound;

static void assert_effort(const char *name, long sum, long most) {
  if (sum > most || sum < most * 9 / 10) fail_msg("%s: %ld iterations, at most %ld expected", name, sum, most);
}

typedef struct effort {
  long steps; /* of searches */
  long axes;  /* tested by answers of the separating-axis test */
} effort;

static effort distance_effort(const family *f, graze_method method) {
  static shape_pair pair;
  const graze_options options = by_method(method);
  proved_answer answer;
  rng random = 7;
  effort sum = {0, 0};
  for (int i = 0; i < EFFORT_PAIRS; i++) {
    f->make(&random, &pair);
    const graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
    if (query_distance(&a, &b, &options, &answer) == GRAZE_OK)
      *(answer.algorithm == GRAZE_ALGORITHM_SAT ? &sum.axes : &sum.steps) += answer.iterations;
  }
  return sum;
}

static effort families_effort(const family *list, int count, graze_method method) {
  effort sum = {0, 0};
  for (int i = 0; i < count; i++) {
    const effort one = distance_effort(&list[i], method);
    sum.steps += one.steps, sum.axes += one.axes;
  }
  return sum;
}

TEST(effort_of_distances) {
  const effort random = families_effort(families_random, families_random_count, GRAZE_METHOD_AUTO);
  const effort bad = families_effort(families_degenerate, families_degenerate_count, GRAZE_METHOD_AUTO);
  const effort deep = families_effort(families_depth, families_depth_count, GRAZE_METHOD_AUTO);
  assert_effort("random", random.steps, 3530);
  assert_effort("random, axes", random.axes, 3980);
  assert_effort("degenerate", bad.steps, 44900);
  assert_effort("degenerate, axes", bad.axes, 6590);
  assert_effort("depth", deep.steps, 19600);
  assert_effort("depth, axes", deep.axes, 14820);
}

/* Separated curved pairs, and the same pairs at a distance of 2^-10: Newton's method against the linear convergence of
 * GJK. */
TEST(effort_of_curved_distances) {
  static shape_pair pair;
  const graze_options plain = by_method(GRAZE_METHOD_GJK);
  rng random = 7;
  long sum[2] = {0, 0}, sum_gjk[2] = {0, 0};
  int separated = 0, narrow = 0;
  for (int i = 0; i < 4 * EFFORT_PAIRS; i++) {
    const int dim = i % 4 == 0 ? 2 : 3;
    pair.a = random_curved(&random, dim, 0.3);
    pair.b = rng_coin(&random) ? random_curved(&random, dim, 0.3) : random_shape(&random, dim, pair.vertices_b);
    place_near(&random, &pair, 2, 1.5);
    for (int near = 0; near < 2; near++) {
      const graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
      proved_answer x, y;
      assert_int_equal(query_distance(&a, &b, NULL, &x), GRAZE_OK);
      assert_int_equal(query_distance(&a, &b, &plain, &y), GRAZE_OK);
      assert_int_equal(x.relation, y.relation);
      if (x.relation != GRAZE_SEPARATED) break;
      assert_true(x.lower <= y.upper && y.lower <= x.upper && x.upper - x.lower < 1e-10);
      assert_true(norm(sub(x.normal, y.normal)) < 1e-3);
      narrow += x.upper - x.lower < 4e-13, separated++;
      sum[near] += x.iterations, sum_gjk[near] += y.iterations;
      pair.pose_b.position = add_scaled(pair.pose_b.position, 0x1p-10 - x.distance, x.normal);
    }
  }
  assert_true(separated > 4 * EFFORT_PAIRS && narrow * 100 > separated * 95);
  assert_true(sum[0] * 2 < sum_gjk[0] && sum[1] * 2 < sum_gjk[1]);
  assert_effort("curved", sum[0], 3440);
  assert_effort("curved, near", sum[1], 6080);
}

TEST(effort_of_separating_axes) {
  static const effort_bound bounds[] = {{"lattice boxes, one generic pose, 3D", 6740}, {"lattice hulls 3D", 7630}};
  for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++)
    for (int f = 0; f < families_degenerate_count; f++)
      if (strcmp(families_degenerate[f].name, bounds[k].family) == 0) {
        const effort sum = distance_effort(&families_degenerate[f], METHOD_SAT);
        assert_effort(bounds[k].family, sum.steps + sum.axes, bounds[k].most);
      }
}

/* Curved pairs at a gap or an overlap of about 1e-13, where portal refinement decides. */
TEST(effort_of_portal_refinement) {
  rng random = 7;
  long sum = 0, portals = 0;
  for (int i = 0; i < EFFORT_PAIRS; i++) {
    const int dim = 2 + i % 2;
    const graze_shape shape_a = random_curved(&random, dim, 0.1), shape_b = random_curved(&random, dim, 0.1);
    graze_pose at = random_pose(&random, dim, 4);
    const graze_placed a = graze_place(&shape_a, identity);
    graze_placed b = graze_place(&shape_b, at);
    proved_answer answer;
    for (int k = 0; k < 3; k++) {
      assert_int_equal(query_distance(&a, &b, NULL, &answer), GRAZE_OK);
      at.position = sub(at.position, scaled(answer.distance, answer.normal));
      assert_int_equal(graze_set_pose(&b, at), GRAZE_OK);
    }
    assert_int_equal(query_distance(&a, &b, NULL, &answer), GRAZE_OK);
    sum += answer.iterations, portals += answer.algorithm == GRAZE_ALGORITHM_PORTAL;
  }
  assert_true(portals > EFFORT_PAIRS / 2);
  assert_effort("portals", sum, 19700);
}

TEST(effort_of_casts) {
  static const effort_bound bounds[] = {
      {"corners that touch or miss", 4320}, {"plates and rods", 2000}, {"in touch at first", 4320}};
  for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++)
    for (int f = 0; f < cast_families_count; f++) {
      static cast_case c;
      proved_cast x;
      if (strcmp(cast_families[f].name, bounds[k].family) != 0) continue;
      rng random = 7;
      long sum = 0;
      for (int i = 0; i < EFFORT_PAIRS; i++) {
        cast_families[f].make(&random, &c);
        const graze_placed a = graze_place(&c.pair.a, c.pair.pose_a), b = graze_place(&c.pair.b, c.pair.pose_b);
        if (cast_linear(&a, c.velocity_a, &b, c.velocity_b, c.t_max, NULL, &x) == GRAZE_OK) sum += x.iterations;
      }
      assert_effort(bounds[k].family, sum, bounds[k].most);
    }
}
