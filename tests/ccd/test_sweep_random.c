/* Random sweeps of every kind of shape and of compounds, validated at many moments; graze_pose_after() in 200 bits. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/oracle/validate_cast.h"
#include "support/query.h"
#include "support/sweep_families.h"

enum { MOMENTS = 64, EXACT_MOMENTS = 16, MOST_FAMILIES = 32, PARTS = 4 };

static void run(const sweep_family *list, int count, int moments, bool exact, int sweeps) {
  sweep_runner *r = sweep_runner_new(moments, exact);
  const long failed = sweep_run_families(r, list, count, sweeps);
  sweep_runner_free(r);
  assert_int_equal(failed, 0);
}

TEST(polytopes) { run(sweep_polytopes, sweep_polytopes_count, MOMENTS, false, tiered(100, 200, 7300)); }

TEST(curved_shapes) { run(sweep_others, sweep_others_count, MOMENTS, false, tiered(100, 200, 7300)); }

/* Both ends of the bracket and every step by the exact oracle. Below 100 sweeps a family's shares mean little. */
TEST(exact_sweeps) {
  sweep_family list[MOST_FAMILIES];
  const int sweeps = tiered(3, 6, 480);
  assert_in_range(sweep_polytopes_count, 1, MOST_FAMILIES);
  for (int i = 0; i < sweep_polytopes_count; i++) {
    list[i] = sweep_polytopes[i];
    if (sweeps >= 100) continue;
    list[i].hits_low = 0, list[i].hits_high = list[i].exact_most = 100;
    list[i].possible_most = 100, list[i].proved_least = 0;
  }
  run(list, sweep_polytopes_count, EXACT_MOMENTS, true, sweeps);
}

/* ---- compounds */

static proved_cast sweep_by(const turning_query *m, graze_cast_method method, bool exchanged) {
  proved_cast x;
  graze_cast_options options = graze_default_cast_options();
  const graze_placed a = place(m->a, m->pose_a), b = place(m->b, m->pose_b);
  options.clearance = m->clearance, options.method = method;
  assert_int_equal(exchanged ? cast_motion(&b, &m->motion_b, &a, &m->motion_a, m->t_max, &options, &x)
                             : cast_motion(&a, &m->motion_a, &b, &m->motion_b, m->t_max, &options, &x),
                   GRAZE_OK);
  assert_true(x.part_a >= 0 && (size_t)x.part_a < graze_part_count(exchanged ? &b : &a));
  assert_true(x.part_b >= 0 && (size_t)x.part_b < graze_part_count(exchanged ? &a : &b));
  return x;
}

TEST(compounds) {
  static compound_fixture first, second;
  static sweep_case c;
  rng random = {family_seed("compounds")};
  long result[4] = {0};
  const int count = tiered(150, 300, 10000);
  for (int i = 0; i < count; i++) {
    const int dim = 2 + i % 2;
    memset(&c, 0, sizeof c);
    const int parts = rng_between(&random, 1, PARTS), others = rng_between(&random, 1, PARTS);
    random_compound(&random, dim, parts, false, &first), random_compound(&random, dim, others, false, &second);
    c.pair.a = graze_compound_shape(first.compound);
    c.pair.b = i % 3 ? graze_compound_shape(second.compound) : random_shape(&random, dim, c.pair.vertices_b);
    place_near(&random, &c.pair, 5, 1);
    sweep_random_motion(&random, &c, i % 5 ? 20 : 500);
    const turning_query m = {&c.pair.a,  &c.pair.b,  c.pair.pose_a, c.pair.pose_b,
                             c.motion_a, c.motion_b, c.t_max,       c.clearance};
    const proved_cast x = sweep_by(&m, GRAZE_CAST_AUTO, false), y = sweep_by(&m, GRAZE_CAST_AUTO, true),
                      z = sweep_by(&m, GRAZE_CAST_CA, false);
    const char *why = sweep_validate(&m, MOMENTS, &x);
    if (!why) why = sweep_validate(&m, MOMENTS, &z);
    if (!why && sweep_agree(&x, &y)) why = "A and B exchanged, another answer";
    if (!why && sweep_agree(&x, &z)) why = "by conservative advancement, another answer";
    if (why) print_cast_result(stdout, &x), print_cast_result(stdout, &y), print_cast_result(stdout, &z);
    if (why) fail_msg("pair %d: %s", i, why);
    result[x.outcome]++;
    graze_compound_destroy(first.compound), graze_compound_destroy(second.compound);
  }
  assert_true(result[GRAZE_HIT] > count / 3 && result[GRAZE_CLEAR] > count / 8);
  assert_true(result[GRAZE_POSSIBLE] <= count / 100);
}

/* ---- poses */

/* The error of the rounded pose at a point, as a share of the bound of docs/theory/sweep.md. */
static double share_of_bound(oracle *o, const sweep_case *c, graze_vec v, double t) {
  const graze_motion still = {{0, 0, 0}, {0, 0, 0}};
  const graze_shape point = c->pair.a.dim == 2 ? graze_hull_points2(&v, 1) : graze_hull_points(&v, 1);
  const graze_pose rounded = graze_pose_after(&c->pair.pose_a, &c->motion_a, t);
  const oracle_turning motion = {c->motion_a, still, t};
  assert_true(oracle_solve_turning(o, &point, &c->pair.pose_a, &point, &rounded, 0, &motion));
  return oracle_distance(o) / ((32 + 6 * norm(c->motion_a.angular) * t) * 0x1p-53 * norm(v));
}

TEST(rotations_are_within_their_bound) {
  static const double spins[] = {1, 20, 1e3, 1e6, 1e12, 1e-9, 1e-300};
  static sweep_case c;
  rng random = {family_seed("poses")};
  oracle *o = oracle_new();
  for (size_t k = 0; k < COUNT(spins); k++)
    for (int i = 0, n = tiered(1000, 2000, 100000); i < n; i++) {
      const int dim = 2 + i % 2;
      c.pair.a.dim = dim;
      c.t_max = rng_uniform(&random, 0.1, 10);
      c.pair.pose_a = random_pose(&random, dim, 0);
      c.motion_a.angular = sweep_spin(&random, &c, spins[k]);
      const graze_vec v = rng_vec(&random, dim, 1);
      assert_true(share_of_bound(o, &c, v, rng_uniform(&random, 0, c.t_max)) <= 1);
    }
  oracle_free(o);
}

TEST(positions_are_exact) {
  const graze_pose pose = {{1, 2, 3}, 0.5, -2, 0.25, 8};
  const graze_motion turning = {{1, -1, 0.5}, {3, 2, 1}}, straight = {{1, -1, 0.5}, {0, 0, 0}};
  const graze_pose late = graze_pose_after(&pose, &turning, 4);
  assert_true(same_vec(late.position, vec(5, -2, 5)));
  const graze_pose unturned[2] = {graze_pose_after(&pose, &straight, 4), graze_pose_after(&pose, &turning, 0)};
  for (int i = 0; i < 2; i++) {
    const graze_pose *p = &unturned[i];
    assert_true(p->x / p->w == -4 && p->y / p->w == 0.5 && p->z / p->w == 16 && p->position.x == (i ? 1 : 5));
  }
}
