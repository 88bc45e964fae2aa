/* The nearest velocity between planes (private): closed forms, and random planes against alternating projections
 * (Dykstra 1983). */

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"
#include "scene/queries.h"

static graze_vec solve(const velocity_plane *planes, int count, graze_vec wanted) {
  graze_vec v = {9, 9, 9};
  assert_true(grz_nearest_velocity(planes, count, wanted, &v));
  return v;
}

static graze_vec unit(double x, double y, double z) { return scaled(1 / norm(vec(x, y, z)), vec(x, y, z)); }

TEST(test_closed_forms) {
  static const double d = 0.70710678118654757;
  const velocity_plane floor = {{0, -1, 0}, 0}, wall = {{1, 0, 0}, 0}, ramp = {{d, -d, 0}, 0}, ceiling = {{0, 1, 0}, 0};
  const velocity_plane lift = {{0, -1, 0}, -2}, x = wall, y = ceiling, z = {{0, 0, 1}, 0};
  const struct {
    int count;
    velocity_plane planes[3];
    graze_vec wanted, nearest;
  } row[] = {{0, {floor}, {1, 2, 3}, {1, 2, 3}},
             {1, {floor}, {1, 1, 0}, {1, 1, 0}},
             {1, {floor}, {1, -1, 0}, {1, 0, 0}},
             {2, {floor, wall}, {1, -1, 0}, {0, 0, 0}},
             {2, {floor, wall}, {-1, -1, 0}, {-1, 0, 0}},
             {1, {ramp}, {2, 0, 0}, {1, 1, 0}},
             {2, {floor, ceiling}, {3, -5, 0}, {3, 0, 0}},
             {2, {lift, wall}, {1, -1, 0}, {0, 2, 0}},
             {2, {x, y}, {1, 2, 3}, {0, 0, 3}},
             {3, {x, y, z}, {1, 2, 3}, {0, 0, 0}},
             {3, {x, y, z}, {1, 2, -3}, {0, 0, -3}}};
  for (size_t i = 0; i < COUNT(row); i++)
    assert_true(norm(sub(solve(row[i].planes, row[i].count, row[i].wanted), row[i].nearest)) <= 1e-15);
  const velocity_plane opposite[2] = {{{0, -1, 0}, -1}, {{0, 1, 0}, -1}};
  graze_vec v;
  assert_false(grz_nearest_velocity(opposite, 2, vec(1, 0, 0), &v));
}

static double worst(const velocity_plane *planes, int count, graze_vec v) {
  double most = -1;
  for (int k = 0; k < count; k++) most = fmax(most, dot(planes[k].normal, v) - planes[k].limit);
  return most;
}

/* Almost parallel walls that face each other: the point stays, or moves along their crease by a short distance. */
TEST(test_narrow) {
  for (int n = 4; n <= 52; n++) {
    const double slope = ldexp(1, -n);
    const velocity_plane wedge[2] = {{unit(slope, -1, 0), 0}, {unit(slope, 1, 0), 0}};
    const graze_vec in = solve(wedge, 2, vec(1, 0, 0)), out = solve(wedge, 2, vec(-1, 0.25, 0));
    if (n >= 10) {
      assert_true(in.x <= 0x1p-37 || slope < 0x1p-37);
      assert_true(norm(in) <= 1 && norm(out) <= 1.04 && out.x < -0.9);
      assert_true(worst(wedge, 2, in) <= 0x1p-37 && worst(wedge, 2, out) <= 0x1p-37);
    }
    if (n > 36) continue;
    const velocity_plane tilted[2] = {{unit(slope, -1, 0.25), 0}, {unit(slope, 1, -0.25), 0}};
    const graze_vec crease = unit(0, 0.25, 1), wanted = {1, 0.1, 2}, v = solve(tilted, 2, wanted);
    assert_true(norm(sub(v, scaled(dot(crease, wanted), crease))) <= ldexp(1, n - 50) &&
                worst(tilted, 2, v) <= 0x1p-50);
  }
}

static graze_vec dykstra(const velocity_plane *planes, int count, graze_vec v) {
  graze_vec left[MOVE_PLANES] = {{0, 0, 0}};
  for (int i = 0; i < 4000; i++)
    for (int k = 0; k < count; k++) {
      const graze_vec y = add(v, left[k]);
      v = add_scaled(y, -fmax(dot(planes[k].normal, y) - planes[k].limit, 0), planes[k].normal);
      left[k] = sub(y, v);
    }
  return v;
}

TEST(test_random) { /* seeds 61, 62 */
  long inside = 0, corners = 0, impossible = 0, compared = 0;
  const int rounds = tiered(2000, 4000, 100000);
  for (int i = 0; i < 2 * rounds; i++) {
    static rng dice;
    const int dim = i < rounds ? 2 : 3;
    if (i % rounds == 0) dice = (uint64_t)(59 + dim);
    const bool shifted = i % 2;
    velocity_plane planes[MOVE_PLANES];
    const int count = 1 + rng_below(&dice, rng_below(&dice, 3) ? 4 : MOVE_PLANES);
    const graze_vec wanted = rng_vec(&dice, dim, 3), towards = rng_vec(&dice, dim, 1);
    for (int k = 0; k < count; k++) {
      const graze_vec n = add(scaled(0.9, rng_vec(&dice, dim, 1)), towards);
      planes[k] = (velocity_plane){unit(n.x, n.y, n.z), shifted ? rng_uniform(&dice, -1, 1) : 0};
    }
    const graze_vec truth = dykstra(planes, count, wanted);
    graze_vec v;
    if (!grz_nearest_velocity(planes, count, wanted, &v)) {
      assert_true(shifted && worst(planes, count, truth) > 1e-9);
      impossible++;
      continue;
    }
    assert_true(worst(planes, count, v) <= 1e-10);
    inside += same_vec(v, wanted), corners += norm(v) < 1e-12;
    if (!shifted) assert_true(dot(v, wanted) >= -1e-9 && norm(v) <= norm(wanted) + 1e-9);
    if (worst(planes, count, truth) > 1e-9) continue; /* the projections have not converged */
    compared++;
    assert_true(norm(sub(v, wanted)) <= norm(sub(truth, wanted)) + 1e-5);
  }
  assert_in_range(100 * inside / (2 * rounds), 5, 50);
  assert_in_range(100 * corners / (2 * rounds), 5, 50);
  assert_in_range(1000 * impossible / (2 * rounds), 10, 300);
  assert_in_range(100 * compared / (2 * rounds - impossible), 90, 100);
}
