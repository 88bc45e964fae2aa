/* The Minkowski difference and sum: whole numbers, so that every check is exact. Seed below. */
#include "support/test.h"

#include <graze/graze.h>

enum { MOST = 12, ROOM = MOST * MOST };

static uint64_t state;
static graze_vec points[ROOM];
static graze_pair pairs[ROOM];
static size_t count;
static bool holds;

static int whole(int low, int high) { /* xorshift64 (Marsaglia 2003) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return low + (int)(state % (uint64_t)(high - low + 1));
}

static double det(graze_vec u, graze_vec v, graze_vec w) {
  return u.x * (v.y * w.z - v.z * w.y) - u.y * (v.x * w.z - v.z * w.x) + u.z * (v.x * w.y - v.y * w.x);
}

static graze_vec minus(graze_vec u, graze_vec v) { return (graze_vec){u.x - v.x, u.y - v.y, u.z - v.z}; }

static bool equal(graze_vec u, graze_vec v) { return u.x == v.x && u.y == v.y && u.z == v.z; }

/* Is p in the hull of the list (2D: any; 3D: full-dimensional)? Exact for small whole numbers. */
static bool in_hull(const graze_vec *list, size_t n, graze_vec p, int dim) {
  bool sides = false;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < (dim == 3 ? n : 1); k++) {
        graze_vec u = minus(list[j], list[i]), v = dim == 3 ? minus(list[k], list[i]) : (graze_vec){0, 0, -1};
        bool supports = true, flat = true;
        for (size_t q = 0; q < n; q++) {
          double side = det(u, v, minus(list[q], list[i]));
          supports = supports && side <= 0;
          flat = flat && side == 0;
        }
        if (!supports || flat) continue;
        sides = true;
        if (det(u, v, minus(p, list[i])) > 0) return false;
      }
  return sides;
}

static void ask(const graze_placed *a, const graze_placed *b, graze_minkowski_of of) {
  static double room[1 << 14];
  graze_options options = graze_default_options();
  options.workspace = room, options.workspace_size = sizeof room;
  assert_int_equal(graze_minkowski(a, b, of, &options, points, pairs, ROOM, &count, &holds), GRAZE_OK);
}

/* Support functions, row 2 of the texts: (4,2) of one and (5,3) of the other make the corner (-1,-1). */
TEST(the_corner_of_the_texts) {
  graze_vec one[] = {{0, 0, 0}, {4, 2, 0}, {0, 3, 0}}, other[] = {{5, 3, 0}, {8, 3, 0}, {8, 7, 0}};
  graze_shape s = graze_polygon(one, 3), t = graze_polygon(other, 3);
  graze_placed a = graze_place(&s, graze_pose2(0, 0, 0)), b = graze_place(&t, graze_pose2(0, 0, 0));
  bool found = false;
  ask(&a, &b, GRAZE_MINKOWSKI_DIFFERENCE);
  for (size_t i = 0; i < count; i++)
    found = found || (equal(points[i], (graze_vec){-1, -1, 0}) && pairs[i].a == 1 && pairs[i].b == 0);
  assert_true(found);
  assert_false(holds);
}

/* Every vertex is that of its pair and extreme; every pair lies inside; the origin is where graze_intersect() has it.
 */
static void check_random(int dim, graze_minkowski_of of) {
  static graze_vec va[MOST], vb[MOST], all[ROOM];
  int held = 0, rounds = dim == 3 ? 40 : 300;
  for (int i = 0; i < rounds; i++) {
    int n = whole(dim + 1, dim == 3 ? 6 : MOST), m = whole(1, dim == 3 ? 5 : MOST), far = whole(0, 9);
    for (int k = 0; k < n; k++) va[k] = (graze_vec){whole(-4, 4), whole(-4, 4), dim == 3 ? whole(-4, 4) : 0};
    for (int k = 0; k < m; k++) vb[k] = (graze_vec){whole(-4, 4), whole(-4, 4), dim == 3 ? whole(-4, 4) : 0};
    graze_shape s = dim == 3 ? graze_hull(va, (size_t)n) : graze_hull2(va, (size_t)n);
    graze_shape t = dim == 3 ? graze_hull(vb, (size_t)m) : graze_hull2(vb, (size_t)m);
    graze_placed a = graze_place(&s, graze_pose_at(0, 0, 0)), b = graze_place(&t, graze_pose_at(far, 1, 0));
    const double sign = of == GRAZE_MINKOWSKI_SUM ? 1 : -1;
    ask(&a, &b, of);
    for (int p = 0; p < n; p++)
      for (int q = 0; q < m; q++)
        all[p * m + q] =
            (graze_vec){va[p].x + sign * (vb[q].x + far), va[p].y + sign * (vb[q].y + 1), va[p].z + sign * vb[q].z};
    if (!in_hull(all, (size_t)(n * m), all[0], dim)) continue; /* flat: below */
    graze_vec origin = {0, 0, 0};
    for (size_t k = 0; k < count; k++) {
      assert_true(equal(points[k], all[pairs[k].a * m + pairs[k].b]));
      static graze_vec rest[ROOM];
      size_t others = 0;
      for (size_t q = 0; q < count; q++)
        if (q != k) rest[others++] = points[q];
      assert_true(others < (size_t)dim + 1 || !in_hull(rest, others, points[k], dim));
    }
    for (int k = 0; k < n * m; k++) assert_true(in_hull(points, count, all[k], dim));
    assert_int_equal(holds, in_hull(points, count, origin, dim));
    held += holds;
    if (of == GRAZE_MINKOWSKI_SUM) continue;
    graze_answer x;
    assert_int_equal(graze_intersect(&a, &b, NULL, &x), GRAZE_OK);
    assert_int_equal(holds, x.relation != GRAZE_SEPARATED);
  }
  assert_in_range(held, rounds / 10, rounds * 9 / 10);
}

TEST(random_sets) {
  state = 51;
  for (int dim = 2; dim <= 3; dim++) {
    check_random(dim, GRAZE_MINKOWSKI_DIFFERENCE);
    check_random(dim, GRAZE_MINKOWSKI_SUM);
  }
}

/* Points, lines and sheets in space: their extreme points, and whether they hold the origin. */
TEST(flat_sets) {
  graze_shape point = graze_point(), segment = graze_segment((graze_vec){-1, 0, 0}, (graze_vec){1, 0, 0});
  graze_shape triangle = graze_triangle((graze_vec){0, 0, 0}, (graze_vec){2, 0, 0}, (graze_vec){0, 2, 0});
  const graze_shape *shape[] = {&point, &segment, &triangle};
  const size_t corners[3][3] = {{1, 2, 3}, {2, 2, 4}, {3, 4, 6}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int aside = 0; aside < 2; aside++) {
        graze_placed a = graze_place(shape[i], graze_pose_at(0, 0, 0)),
                     b = graze_place(shape[j], graze_pose_at(0, 0, aside));
        graze_answer x;
        ask(&a, &b, GRAZE_MINKOWSKI_DIFFERENCE);
        assert_int_equal(count, corners[i][j]);
        assert_int_equal(graze_intersect(&a, &b, NULL, &x), GRAZE_OK);
        assert_int_equal(holds, x.relation != GRAZE_SEPARATED);
        assert_int_equal(holds, aside == 0);
      }
    }
  }
}

TEST(refusals) {
  graze_shape box = graze_box(1, 1, 1), ball = graze_sphere(1), can = graze_cylinder(1, 1);
  graze_shape wall = graze_halfspace((graze_vec){0, 0, 1}, 0), soft = graze_with_margin(box, 0.5);
  const graze_shape *bad[] = {&ball, &can, &wall, &soft};
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0));
  for (int i = 0; i < 4; i++) {
    graze_placed b = graze_place(bad[i], graze_pose_at(0, 0, 0));
    count = 77;
    assert_int_equal(graze_minkowski(&a, &b, GRAZE_MINKOWSKI_SUM, NULL, points, pairs, ROOM, &count, &holds),
                     GRAZE_UNSUPPORTED);
    assert_int_equal(count, 77);
  }
  assert_int_equal(graze_minkowski(&a, &a, (graze_minkowski_of)0, NULL, points, pairs, ROOM, &count, &holds),
                   GRAZE_BAD_OPTION);
  points[3].x = 123;
  assert_int_equal(graze_minkowski(&a, &a, GRAZE_MINKOWSKI_SUM, NULL, points, pairs, 3, &count, &holds), GRAZE_NO_ROOM);
  assert_int_equal(count, 8);
  assert_true(points[3].x == 123 && fabs(points[0].x) == 2);
}
