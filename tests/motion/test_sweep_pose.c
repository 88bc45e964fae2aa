/* graze_pose_after(): against the rotation with sine and cosine of some 200 bits, within what docs/theory/sweep.md says
 * of its error.
 *
 * GRAZE_TIER, GRAZE_SEED: as tests/cso/test_families.c. */

#include "support/test.h"
#include "support/sweep_families.h"

/* How far a point is, after turning, from where the rounded pose has it: as a share of what may be. */
static double share_of(oracle *o, const sweep_case *c, graze_vec v, double t) {
  const graze_motion still = {{0, 0, 0}, {0, 0, 0}};
  int dim = c->pair.a.dim;
  graze_shape point = dim == 2 ? graze_hull2(&v, 1) : graze_hull(&v, 1);
  graze_pose rounded = graze_pose_after(&c->pair.pose_a, &c->motion_a, t);
  const oracle_turning motion = {c->motion_a, still, t};
  assert_true(oracle_solve_turning(o, &point, &c->pair.pose_a, &point, &rounded, 0, &motion));
  double rate = hypot(hypot(c->motion_a.angular.x, c->motion_a.angular.y), c->motion_a.angular.z);
  double reach = hypot(hypot(v.x, v.y), v.z), most = (32 + 6 * rate * t) * 0x1p-53 * reach;
  return oracle_distance(o) / most;
}

TEST(rotations_are_as_near_as_promised) {
  static const double spins[] = {1, 20, 1e3, 1e6, 1e12, 1e-9, 1e-300};
  rng random = {family_seed("poses")};
  oracle *o = oracle_new();
  static sweep_case c;
  for (int k = 0; k < 7; k++) {
    double worst = 0;
    for (int i = 0, n = tiered(1000, 2000, 100000); i < n; i++) {
      int dim = 2 + i % 2;
      c.pair.a.dim = dim;
      c.t_max = rng_uniform(&random, 0.1, 10);
      c.pair.pose_a = random_pose(&random, dim, 0);
      c.motion_a.angular = sweep_spin(&random, &c, spins[k]);
      worst = fmax(worst, share_of(o, &c, rng_vec(&random, dim, 1), rng_uniform(&random, 0, c.t_max)));
    }
    printf("%7.0e radians: at most %.2f of the error that is promised\n", spins[k], worst);
    assert_true(worst <= 1);
  }
  oracle_free(o);
}

TEST(positions_and_no_time) {
  const graze_pose pose = {{1, 2, 3}, 0.5, -2, 0.25, 8};
  const graze_motion m = {{1, -1, 0.5}, {3, 2, 1}}, straight = {{1, -1, 0.5}, {0, 0, 0}};
  graze_pose p = graze_pose_after(&pose, &m, 4);
  assert_true(p.position.x == 5 && p.position.y == -2 && p.position.z == 5);
  p = graze_pose_after(&pose, &straight, 4); /* nothing turns: the quaternion says the same */
  assert_true(p.x / p.w == -4 && p.y / p.w == 0.5 && p.z / p.w == 16);
  p = graze_pose_after(&pose, &m, 0);
  assert_true(p.x / p.w == -4 && p.y / p.w == 0.5 && p.z / p.w == 16 && p.position.x == 1);
}
