/* The way around two polygons finds the height that all edges against all corners find, up to rounding, also about
 * edges of some units in the last place. docs/theory/axes.md, "Around C" */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "axes/outline.h"
#include "cso/families.h"
#include "math/rounding.h"
#include "shape/placed.h"
#include "tiered.h"

/* The least height of C over the edges of `own`, which stands at (x, y) from the other. */
static double least_of(const grz_outline *own, const grz_outline *other, double x, double y) {
  double least = (double)INFINITY;
  for (int i = 0; i < grz_outline_edges(own); i++) {
    const grz_two n = own->normal[i], at = own->at[i];
    double most = -(double)INFINITY;
    for (int k = 0; k < other->count; k++)
      most = fmax(most, n[0] * (at[0] - other->at[k][0] + x) + n[1] * (at[1] - other->at[k][1] + y));
    least = fmin(least, most / hypot(n[0], n[1]));
  }
  return least;
}

typedef struct tally {
  long asked, inside;
  double low, high; /* of the way around, in u·size */
} tally;

static void look(const family_pair *pair, tally *t) {
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
}

/* A parabola, on which edges of 2^-50 stand beside such of 1, and a needle; at its end an edge of an ulp. */
static void slow_bend(family_random *random, family_pair *pair) {
  int count = 0;
  const double least = ldexp(1, -2 * family_between(random, 1, 27));
  for (double x = 1; x >= least && count < 30; x /= 4, count++) pair->room_a[count] = (graze_vec){x, x * x / 8, 0};
  for (double x = least; x <= 1 && count < 60; x *= 4, count++) pair->room_a[count] = (graze_vec){-x, x * x / 8, 0};
  pair->room_a[count++] = (graze_vec){-1 - 0x1p-52, 0.125 + 0x1p-54, 0};
  pair->a = graze_polygon(pair->room_a, (size_t)count);
  pair->b = graze_box2(family_uniform(random, 0, 1), ldexp(1, -family_between(random, 0, 40)));
}

static void expect(const char *name, const tally *t, long all) {
  print_message("%-12s %ld of %ld asked, %ld inside; %.1f too low, %.1f too high, in u of the size\n", name, t->asked,
                all, t->inside, t->low, t->high);
  assert_true(t->asked * 100 >= all * 80);
  assert_in_range(t->inside * 100 / t->asked, 20, 95);
  assert_true(t->low <= 90 && t->high <= 10); /* 83, and the rounding of both ways; nothing is ever too high */
}

/* Seed 71. */
static void test_polygons(void **state) {
  const long all = tiered(20000, 50000, 1000000);
  family_random random = {71};
  tally t = {.asked = 0};
  (void)state;
  for (long i = 0; i < all; i++) {
    family_pair pair;
    pair.a = i % 2 ? family_any_polygon(&random, pair.room_a) : family_odd_polygon(&random, pair.room_a);
    pair.b = i % 3 ? family_any_polygon(&random, pair.room_b) : family_odd_polygon(&random, pair.room_b);
    pair.pose_a = family_any_pose(&random, 2, 0.5);
    pair.pose_b = pair.pose_a;
    if (i % 5) pair.pose_b = family_any_pose(&random, 2, 0.5);
    look(&pair, &t);
  }
  expect("polygons", &t, all);
}

/* Seed 72: the way around began beyond an edge of some ulps, whose normal may point anywhere; heights were off by
 * 8e15 u. */
static void test_slow_bends(void **state) {
  const long all = tiered(50000, 100000, 1000000);
  family_random random = {72};
  tally t = {.asked = 0};
  (void)state;
  for (long i = 0; i < all; i++) {
    family_pair pair;
    slow_bend(&random, &pair);
    pair.pose_a = family_any_pose(&random, 2, 0.25), pair.pose_b = family_any_pose(&random, 2, 0.25);
    if (i % 4 > 1) pair.pose_b.w = pair.pose_a.w, pair.pose_b.z = pair.pose_a.z;
    if (i % 2) {
      const graze_shape box = pair.b;
      pair.b = pair.a, pair.a = box;
    }
    look(&pair, &t);
  }
  expect("slow bends", &t, all);
}

/* The case that told: a needle, and a bend with an edge of one unit in the last place. */
static void test_a_needle_on_a_bend(void **state) {
  const graze_vec bend[] = {{-0x1.2000000000001p-11, -0x1.7ffffffffffffp+1, 0},
                            {-0x1.2p-11, -3, 0},
                            {-0x1p-12, -2, 0},
                            {-0x1p-14, -1, 0},
                            {0, 0, 0},
                            {-0x1p-14, 1, 0},
                            {-0x1p-12, 2, 0},
                            {-0x1.2p-11, 3, 0}};
  family_pair pair = {.a = graze_box2(0x1.12e0be826d695p-30, 0x1.e3dabd006d352p-2), .b = graze_polygon(bend, 8)};
  tally t = {.asked = 0};
  (void)state;
  pair.pose_a = graze_pose_at(0x1.57f49533e72p-3, -0x1.7a8307296e128p-3, 0);
  pair.pose_a.w = 0x1.1a157ea9ab2fp-2, pair.pose_a.z = -0x1.3e1251df415f6p-1;
  pair.pose_b = graze_pose_at(0, 0.75, 0);
  pair.pose_b.w = 1, pair.pose_b.z = 0x1.cb85a34a749p-60;
  look(&pair, &t);
  assert_int_equal(t.asked, 1);
  assert_true(t.low <= 90 && t.high <= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_polygons), cmocka_unit_test(test_slow_bends),
                                     cmocka_unit_test(test_a_needle_on_a_bend)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
