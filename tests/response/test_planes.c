/* The point nearest to a wanted one between planes: cases by hand; random ones against alternating projections
 * (Dykstra), which come to the same point, however slowly. Seeds 61 to 63. */

#include "support/test.h"
#include "support/compounds.h"
#include "math/vec.h"
#include "response/planes.h"

static rng dice;
static long inside, corners, impossible, compared, asked;

static graze_vec any_vec(int dim, double size) {
  graze_vec v = {rng_uniform(&dice, -size, size), rng_uniform(&dice, -size, size), 0};
  if (dim == 3) v.z = rng_uniform(&dice, -size, size);
  return v;
}

static graze_vec solved(const grz_barrier *planes, int count, graze_vec wanted) {
  graze_vec v = {9, 9, 9};
  assert_true(grz_planes_nearest(planes, count, wanted, &v));
  return v;
}

static void assert_near(graze_vec v, double x, double y, double z, double within) {
  assert_true(vec_length(vec_sub(v, vec_make(x, y, z))) <= within);
}

TEST(test_by_hand) {
  const double d = 0.70710678118654757;
  const grz_barrier floor_2d = {{0, -1, 0}, 0}, wall = {{1, 0, 0}, 0}, ramp = {{d, -d, 0}, 0}, ceiling = {{0, 1, 0}, 0};
  const grz_barrier sides[3] = {{{1, 0, 0}, 0}, {{0, 1, 0}, 0}, {{0, 0, 1}, 0}};
  const grz_barrier corner[3] = {floor_2d, wall, ramp}, corridor[2] = {floor_2d, ceiling};
  const grz_barrier apart[2] = {{{0, -1, 0}, -1}, {{0, 1, 0}, -1}}, lift[2] = {{{0, -1, 0}, -2}, wall};
  assert_near(solved(NULL, 0, vec_make(1, 2, 3)), 1, 2, 3, 0);
  assert_near(solved(&floor_2d, 1, vec_make(1, 1, 0)), 1, 1, 0, 0);
  assert_near(solved(&floor_2d, 1, vec_make(1, -1, 0)), 1, 0, 0, 0);
  assert_near(solved(corner, 2, vec_make(1, -1, 0)), 0, 0, 0, 0);
  assert_near(solved(corner, 2, vec_make(-1, -1, 0)), -1, 0, 0, 0);
  assert_near(solved(corner + 2, 1, vec_make(2, 0, 0)), 1, 1, 0, 1e-15);
  assert_near(solved(corridor, 2, vec_make(3, -5, 0)), 3, 0, 0, 0);
  assert_near(solved(lift, 2, vec_make(1, -1, 0)), 0, 2, 0, 0);
  assert_near(solved(sides, 2, vec_make(1, 2, 3)), 0, 0, 3, 0); /* along the crease */
  assert_near(solved(sides, 3, vec_make(1, 2, 3)), 0, 0, 0, 0);
  assert_near(solved(sides, 3, vec_make(1, 2, -3)), 0, 0, -3, 0);
  graze_vec v;
  assert_false(grz_planes_nearest(apart, 2, vec_make(1, 0, 0), &v));
}

/* Walls that are nearly parallel, facing each other: it is wedged in, and nothing is thrown out. */
TEST(test_narrow) {
  for (int n = 10; n <= 52; n++) {
    const double slope = __builtin_ldexp(1, -n);
    const grz_barrier wedge[2] = {{vec_unit(vec_make(slope, -1, 0)), 0}, {vec_unit(vec_make(slope, 1, 0)), 0}};
    const graze_vec in = solved(wedge, 2, vec_make(1, 0, 0)), out = solved(wedge, 2, vec_make(-1, 0.25, 0));
    assert_true(in.x <= 0x1p-37 || slope < 0x1p-37);
    assert_true(vec_length(in) <= 1 && vec_length(out) <= 1.04 && out.x < -0.9);
    for (int i = 0; i < 2; i++) assert_true(vec_dot(wedge[i].normal, in) <= 0x1p-37);
    for (int i = 0; i < 2; i++) assert_true(vec_dot(wedge[i].normal, out) <= 0x1p-37);
  }
}

/* The same in 3D: it goes along the crease, however narrow. */
TEST(test_narrow_crease) {
  for (int n = 4; n <= 36; n++) {
    const double slope = __builtin_ldexp(1, -n);
    const grz_barrier wedge[2] = {{vec_unit(vec_make(slope, -1, 0.25)), 0}, {vec_unit(vec_make(slope, 1, -0.25)), 0}};
    const graze_vec crease = vec_unit(vec_make(0, 0.25, 1)), wanted = vec_make(1, 0.1, 2),
                    truth = vec_scale(crease, vec_dot(crease, wanted)), v = solved(wedge, 2, wanted);
    assert_near(v, truth.x, truth.y, truth.z, __builtin_ldexp(1, n - 50)); /* what is allowed, to 2^-50 */
    assert_true(vec_dot(wedge[0].normal, v) <= 0x1p-50 && vec_dot(wedge[1].normal, v) <= 0x1p-50);
  }
}

/* Dykstra's projections. */
static graze_vec projected(const grz_barrier *planes, int count, graze_vec v) {
  graze_vec left[GRZ_PLANES] = {{0, 0, 0}};
  for (int i = 0; i < 4000; i++) {
    for (int k = 0; k < count; k++) {
      const graze_vec y = vec_add(v, left[k]);
      const double over = vec_dot(planes[k].normal, y) - planes[k].most;
      v = over > 0 ? vec_sub(y, vec_scale(planes[k].normal, over)) : y;
      left[k] = vec_sub(y, v);
    }
  }
  return v;
}

static double worst(const grz_barrier *planes, int count, graze_vec v) {
  double most = -1;
  for (int k = 0; k < count; k++) most = real_max(most, vec_dot(planes[k].normal, v) - planes[k].most);
  return most;
}

static void check_random(int dim, bool shifted) {
  grz_barrier planes[GRZ_PLANES];
  const int count = 1 + rng_below(&dice, rng_below(&dice, 3) ? 4 : GRZ_PLANES);
  const graze_vec wanted = any_vec(dim, 3), towards = any_vec(dim, 1);
  for (int k = 0; k < count; k++) {
    const graze_vec n = vec_unit(vec_add(vec_scale(any_vec(dim, 1), 0.9), towards));
    planes[k] = (grz_barrier){n, shifted ? rng_uniform(&dice, -1, 1) : 0};
  }
  graze_vec v;
  const graze_vec truth = projected(planes, count, wanted);
  asked++;
  if (!grz_planes_nearest(planes, count, wanted, &v)) {
    assert_true(shifted && worst(planes, count, truth) > 1e-9);
    impossible++;
    return;
  }
  assert_true(worst(planes, count, v) <= 1e-10);
  inside += vec_same(v, wanted);
  corners += vec_length(v) < 1e-12;
  if (worst(planes, count, truth) <= 1e-9) { /* the projections have come to their end, or nearly */
    compared++;
    assert_true(vec_length(vec_sub(v, wanted)) <= vec_length(vec_sub(truth, wanted)) + 1e-5);
  }
  if (!shifted) assert_true(vec_dot(v, wanted) >= -1e-9 && vec_length(v) <= vec_length(wanted) + 1e-9);
}

TEST(test_random) { /* seeds 61, 62 */
  for (int dim = 2; dim <= 3; dim++) {
    dice = (uint64_t)(59 + dim);
    for (int i = 0; i < tiered(2000, 4000, 100000); i++) check_random(dim, i % 2);
  }
  print_message("of %ld: %ld free, %ld in corners, %ld impossible\n", asked, inside, corners, impossible);
  assert_in_range(100 * inside / asked, 5, 50);
  assert_in_range(100 * corners / asked, 5, 50);
  assert_in_range(1000 * impossible / asked, 10, 300);
  assert_in_range(100 * compared / (asked - impossible), 90, 100);
}
