/* The Minkowski difference and sum, and whether they hold the origin: whole numbers, so that every check is exact. */
#include "support/query.h"
#include "support/random.h"
#include "support/shapes.h"

enum { MOST = 12, CAPACITY = MOST * MOST };

static graze_vec points[CAPACITY];
static graze_pair pairs[CAPACITY];
static size_t count;
static bool holds;

static bool equal(graze_vec u, graze_vec v) { return u.x == v.x && u.y == v.y && u.z == v.z; }

/* Is p in the hull of the list (2D: any; 3D: full-dimensional)? Exact for small whole numbers. */
static bool in_hull(const graze_vec *list, size_t n, graze_vec p, int dim) {
  bool sides = false;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < (dim == 3 ? n : 1); k++) {
        const graze_vec v = dim == 3 ? sub(list[k], list[i]) : vec(0, 0, -1), normal = cross(sub(list[j], list[i]), v);
        bool supports = true, flat = true;
        for (size_t q = 0; q < n; q++) {
          const double side = dot(normal, sub(list[q], list[i]));
          supports = supports && side <= 0;
          flat = flat && side == 0;
        }
        if (!supports || flat) continue;
        sides = true;
        if (dot(normal, sub(p, list[i])) > 0) return false;
      }
  return sides;
}

static void minkowski(const graze_placed *a, const graze_placed *b, graze_minkowski_of of) {
  const graze_options options = proving(NULL);
  assert_int_equal(graze_compare_minkowski(a, b, of, &options, points, pairs, CAPACITY, &count, &holds), GRAZE_OK);
}

/* Whole numbers from -4 to 4, as a hull. */
static graze_shape whole_hull(rng *random, int dim, int n, graze_vec *v) {
  for (int k = 0; k < n; k++) {
    const double x = rng_between(random, -4, 4), y = rng_between(random, -4, 4);
    v[k] = vec(x, y, dim == 3 ? rng_between(random, -4, 4) : 0);
  }
  return hull_of(dim, v, n);
}

/* Every vertex is that of its pair and extreme; every pair lies inside; the position of the origin agrees with
 * graze_intersect(). */
static void check_random(rng *random, int dim, graze_minkowski_of of) {
  static graze_vec va[MOST], vb[MOST], all[CAPACITY], rest[CAPACITY];
  const double sign = of == GRAZE_MINKOWSKI_SUM ? 1 : -1;
  const int rounds = dim == 3 ? 40 : 300;
  int held = 0;
  for (int i = 0; i < rounds; i++) {
    const int n = rng_between(random, dim + 1, dim == 3 ? 6 : MOST), m = rng_between(random, 1, dim == 3 ? 5 : MOST);
    const graze_placed a = posed(whole_hull(random, dim, n, va), identity);
    const graze_shape t = whole_hull(random, dim, m, vb);
    const graze_vec offset = vec(rng_between(random, 0, 9), 1, 0);
    const graze_placed b = placed_at(t, offset.x, offset.y, 0);
    minkowski(&a, &b, of);
    for (int p = 0; p < n; p++)
      for (int q = 0; q < m; q++) all[p * m + q] = add_scaled(va[p], sign, add(vb[q], offset));
    if (!in_hull(all, (size_t)(n * m), all[0], dim)) continue; /* flat: below */
    for (size_t k = 0; k < count; k++) {
      size_t others = 0;
      assert_true(equal(points[k], all[pairs[k].a * m + pairs[k].b]));
      for (size_t q = 0; q < count; q++)
        if (q != k) rest[others++] = points[q];
      assert_true(others < (size_t)dim + 1 || !in_hull(rest, others, points[k], dim));
    }
    for (int k = 0; k < n * m; k++) assert_true(in_hull(points, count, all[k], dim));
    assert_int_equal(holds, in_hull(points, count, vec(0, 0, 0), dim));
    held += holds;
    if (of == GRAZE_MINKOWSKI_DIFFERENCE) assert_int_equal(holds, intersect(&a, &b, NULL).relation != GRAZE_SEPARATED);
  }
  assert_in_range(held, rounds / 10, rounds * 9 / 10);
}

/* Seed 51. */
TEST(random_sets) {
  rng random = 51;
  for (int dim = 2; dim <= 3; dim++) {
    check_random(&random, dim, GRAZE_MINKOWSKI_DIFFERENCE);
    check_random(&random, dim, GRAZE_MINKOWSKI_SUM);
  }
}

/* Points, lines and sheets in space: their extreme points, and whether they hold the origin. */
TEST(flat_sets) {
  const graze_shape shape[] = {graze_point(), graze_segment(vec(-1, 0, 0), vec(1, 0, 0)),
                               graze_triangle(vec(0, 0, 0), vec(2, 0, 0), vec(0, 2, 0))};
  const size_t corners[3][3] = {{1, 2, 3}, {2, 2, 4}, {3, 4, 6}};
  for (int i = 0; i < 18; i++) {
    const graze_placed a = place(&shape[i / 6], identity), b = place(&shape[i / 2 % 3], graze_pose_at(0, 0, i % 2));
    minkowski(&a, &b, GRAZE_MINKOWSKI_DIFFERENCE);
    assert_int_equal(count, corners[i / 6][i / 2 % 3]);
    assert_int_equal(holds, intersect(&a, &b, NULL).relation != GRAZE_SEPARATED);
    assert_int_equal(holds, i % 2 == 0);
  }
}

TEST(refusals_write_nothing) {
  const graze_shape box = graze_box(1, 1, 1), bad[] = {graze_sphere(1), graze_cylinder(1, 1),
                                                       graze_halfspace(vec(0, 0, 1), 0), graze_with_margin(box, 0.5)};
  const graze_placed a = place(&box, identity);
  count = 77;
  for (int i = 0; i < 4; i++) {
    const graze_placed b = place(&bad[i], identity);
    assert_int_equal(
        graze_compare_minkowski(&a, &b, GRAZE_MINKOWSKI_SUM, NULL, points, pairs, CAPACITY, &count, &holds),
        GRAZE_UNSUPPORTED);
  }
  assert_int_equal(
      graze_compare_minkowski(&a, &a, (graze_minkowski_of)0, NULL, points, pairs, CAPACITY, &count, &holds),
      GRAZE_BAD_OPTION);
  assert_int_equal(count, 77);
  points[3].x = 123;
  assert_int_equal(graze_compare_minkowski(&a, &a, GRAZE_MINKOWSKI_SUM, NULL, points, pairs, 3, &count, &holds),
                   GRAZE_NO_SPACE);
  assert_int_equal(count, 8);
  assert_true(points[3].x == 123 && fabs(points[0].x) == 2);
}
