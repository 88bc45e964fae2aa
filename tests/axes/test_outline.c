/* The way around two polygons finds the height that all edges against all corners find, up to rounding, also about
 * edges of some units in the last place. docs/theory/axes.md, "Around C" */

#include "support/test.h"
#include "axes/outline.h"
#include "support/families.h"
#include "math/rounding.h"
#include "shape/placed.h"

/* The height of C over an edge of `own`, which stands at (x, y) from the other. */
static double height_of(const grz_outline *own, int edge, const grz_outline *other, double x, double y) {
  const grz_two n = own->normal[edge], at = own->at[edge];
  double most = -(double)INFINITY;
  for (int k = 0; k < other->count; k++)
    most = fmax(most, n[0] * (at[0] - other->at[k][0] + x) + n[1] * (at[1] - other->at[k][1] + y));
  return most / hypot(n[0], n[1]);
}

static double least_of(const grz_outline *own, const grz_outline *other, double x, double y) {
  double least = (double)INFINITY;
  for (int i = 0; i < grz_outline_edges(own); i++) least = fmin(least, height_of(own, i, other, x, y));
  return least;
}

typedef struct tally {
  long asked, inside;
  double low, high, chosen; /* of the way around, in u·size: the least height, and the one that is chosen */
} tally;

static void look(const shape_pair *pair, tally *t) {
  const graze_placed a = graze_place(&pair->a, pair->pose_a), b = graze_place(&pair->b, pair->pose_b);
  grz_outline first, second;
  grz_outline_axis found;
  if (a.status != GRAZE_OK || b.status != GRAZE_OK) return;
  if (!grz_outline_make(&first, &a, a.rotation) || !grz_outline_make(&second, &b, b.rotation)) return;
  const graze_vec offset = placed_apart(&a, &b);
  const double size = a.reach + b.reach + hypot(offset.x, offset.y);
  if (!grz_outline_lowest(&first, &second, offset, 16 * GRZ_U * size, &found)) return;
  const double all =
      fmin(least_of(&first, &second, offset.x, offset.y), least_of(&second, &first, -offset.x, -offset.y));
  t->asked++;
  t->inside += all > 0;
  t->low = fmax(t->low, (all - found.least) / (GRZ_U * size));
  t->high = fmax(t->high, (found.least - all) / (GRZ_U * size));
  const double chosen = found.of_a ? height_of(&first, found.edge, &second, offset.x, offset.y)
                                   : height_of(&second, found.edge, &first, -offset.x, -offset.y);
  t->chosen = fmax(t->chosen, (chosen - all) / (GRZ_U * size));
}

/* A parabola, on which edges of 2^-50 stand beside such of 1, and a needle; at its end an edge of an ulp. */
static void slow_bend(rng *random, shape_pair *pair) {
  int count = 0;
  const double least = ldexp(1, -2 * rng_between(random, 1, 27));
  for (double x = 1; x >= least && count < 30; x /= 4, count++) pair->vertices_a[count] = (graze_vec){x, x * x / 8, 0};
  for (double x = least; x <= 1 && count < 60; x *= 4, count++) pair->vertices_a[count] = (graze_vec){-x, x * x / 8, 0};
  pair->vertices_a[count++] = (graze_vec){-1 - 0x1p-52, 0.125 + 0x1p-54, 0};
  pair->a = graze_polygon(pair->vertices_a, (size_t)count);
  pair->b = graze_box2(rng_uniform(random, 0, 1), ldexp(1, -rng_between(random, 0, 40)));
}

/* Both look at the same rounded normals and corners: only the order and the last roundings differ. In what is chosen,
 * twice a tie of 16. */
static void expect_near(const tally *t) { assert_true(t->low <= 16 && t->high <= 8 && t->chosen <= 48); }

static void expect(const char *name, const tally *t, long all, int asked) {
  print_message("%-13s %ld of %ld asked, %ld inside; %.1f too low, %.1f too high, %.1f chosen; in u of the size\n",
                name, t->asked, all, t->inside, t->low, t->high, t->chosen);
  assert_true(t->asked * 100 >= all * asked);
  assert_in_range(t->inside * 100 / t->asked, 20, 95);
  expect_near(t);
}

/* Seed 71. */
TEST(test_polygons) {
  const long all = tiered(20000, 40000, 1000000);
  rng random = {71};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    pair.a = i % 2 ? random_polygon(&random, pair.vertices_a) : random_odd_polygon(&random, pair.vertices_a);
    pair.b = i % 3 ? random_polygon(&random, pair.vertices_b) : random_odd_polygon(&random, pair.vertices_b);
    pair.pose_a = random_pose(&random, 2, 0.5);
    pair.pose_b = pair.pose_a;
    if (i % 5) pair.pose_b = random_pose(&random, 2, 0.5);
    look(&pair, &t);
  }
  expect("polygons", &t, all, 95);
}

/* Seed 72: the way around began beyond an edge of some ulps, whose normal may point anywhere; heights were off by
 * 8e15 u. */
TEST(test_slow_bends) {
  const long all = tiered(50000, 100000, 1000000);
  rng random = {72};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    slow_bend(&random, &pair);
    pair.pose_a = random_pose(&random, 2, 0.25), pair.pose_b = random_pose(&random, 2, 0.25);
    if (i % 4 > 1) pair.pose_b.w = pair.pose_a.w, pair.pose_b.z = pair.pose_a.z;
    if (i % 2) {
      const graze_shape box = pair.b;
      pair.b = pair.a, pair.a = box;
    }
    look(&pair, &t);
  }
  expect("slow bends", &t, all, 95);
}

/* Whole numbers, turned by whole numbers. */
static graze_pose whole_pose(rng *random) {
  graze_pose pose = graze_pose_at(rng_between(random, -4, 4), rng_between(random, -4, 4), 0);
  pose.w = rng_between(random, -4, 4), pose.z = rng_between(random, 1, 4);
  return pose;
}

/* A side in two unequal parts, whose normals round each in its way, and along it a needle, a segment, or a side. */
static void sides_in_parts(rng *random, shape_pair *pair) {
  const double x = rng_between(random, 1, 6), y = rng_between(random, 0, 5);
  const double whole = rng_between(random, 2, 10), part = rng_between(random, 1, 12);
  const graze_vec v[] = {
      {0, 0, 0}, {x, y, 0}, {whole * x, whole * y, 0}, {rng_between(random, -2, 2), rng_between(random, 1, 6), 0}};
  const graze_vec end = {part * x, part * y, 0};
  for (int i = 0; i < 4; i++) pair->vertices_a[i] = v[i];
  pair->a = graze_polygon(pair->vertices_a, 4);
  pair->b = rng_coin(random)
                ? graze_segment2(v[0], end)
                : graze_triangle2(v[0], end, (graze_vec){rng_between(random, -3, 3), rng_between(random, -3, 3), 0});
}

/* The same list begun elsewhere, and scaled. */
static void same_lists(rng *random, shape_pair *pair) {
  static const graze_vec list[] = {{0, 0, 0}, {4, 0, 0}, {6, 1, 0}, {7, 2, 0}, {8, 4, 0}, {8, 8, 0}, {0, 8, 0}};
  const int begin_a = rng_below(random, 7), begin_b = rng_below(random, 7), scale = rng_between(random, 1, 5);
  for (int i = 0; i < 7; i++) {
    const graze_vec v = list[(i + begin_b) % 7];
    pair->vertices_a[i] = list[(i + begin_a) % 7];
    pair->vertices_b[i] = (graze_vec){scale * v.x, scale * v.y, 0};
  }
  pair->a = graze_polygon(pair->vertices_a, 7), pair->b = graze_polygon(pair->vertices_b, 7);
}

/* Seed 73: parallel sides, which point the same way or, half of them, are half a turn apart. Where the sign alone was
 * asked which comes first, or the first quarters were not all gone through, heights were off by up to 6e15 u. */
TEST(test_whole_numbers) {
  const long all = tiered(60000, 100000, 2000000);
  rng random = {73};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    (i % 3 ? sides_in_parts : same_lists)(&random, &pair);
    pair.pose_a = whole_pose(&random), pair.pose_b = whole_pose(&random);
    pair.pose_b.w = i % 2 ? pair.pose_a.w : -pair.pose_a.z, pair.pose_b.z = i % 2 ? pair.pose_a.z : pair.pose_a.w;
    look(&pair, &t);
  }
  expect("whole numbers", &t, all, 90);
}

/* The case that told: a needle, and a bend with an edge of one unit in the last place. */
TEST(test_a_needle_on_a_bend) {
  const graze_vec bend[] = {{-0x1.2000000000001p-11, -0x1.7ffffffffffffp+1, 0},
                            {-0x1.2p-11, -3, 0},
                            {-0x1p-12, -2, 0},
                            {-0x1p-14, -1, 0},
                            {0, 0, 0},
                            {-0x1p-14, 1, 0},
                            {-0x1p-12, 2, 0},
                            {-0x1.2p-11, 3, 0}};
  shape_pair pair = {.a = graze_box2(0x1.12e0be826d695p-30, 0x1.e3dabd006d352p-2), .b = graze_polygon(bend, 8)};
  tally t = {.asked = 0};
  pair.pose_a = graze_pose_at(0x1.57f49533e72p-3, -0x1.7a8307296e128p-3, 0);
  pair.pose_a.w = 0x1.1a157ea9ab2fp-2, pair.pose_a.z = -0x1.3e1251df415f6p-1;
  pair.pose_b = graze_pose_at(0, 0.75, 0);
  pair.pose_b.w = 1, pair.pose_b.z = 0x1.cb85a34a749p-60;
  look(&pair, &t);
  assert_int_equal(t.asked, 1);
  expect_near(&t);
}

/* The sides of a needle run back to back: the sign of a product cannot tell half a turn from none. An edge was chosen
 * whose height, 3, was taken for 0. */
TEST(test_sides_back_to_back) {
  const graze_vec four[] = {{1, 3, 0}, {0, 0, 0}, {1, 0, 0}, {3, 1, 0}},
                  needle[] = {{1, 3, 0}, {0, 0, 0}, {0x1p-60, 0, 0}};
  shape_pair pair = {.a = graze_polygon(four, 4), .b = graze_polygon(needle, 3)};
  tally t = {.asked = 0};
  pair.pose_a = graze_pose_at(-0.48706316349412915, 0.85130927621070529, 0);
  pair.pose_a.w = 0.72724709282689615, pair.pose_a.z = -0.038542288088114551;
  pair.pose_b = pair.pose_a;
  look(&pair, &t);
  assert_int_equal(t.asked, 1);
  expect_near(&t);
}
