/* The octahedron that grows between two boxes: what it decides is what the exact search says, however near to touching;
 * of random boxes it leaves next to nothing open; and its bounds are needed. docs/theory/zonotope.md */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "cso/families.h"
#include "cso/zonotope.h"
#include "tiered.h"

typedef struct tally {
  long asked, decided, overlapping, wrong, looks;
} tally;

static graze_relation exact_relation(const graze_placed *a, const graze_placed *b) {
  graze_options options = graze_default_options();
  graze_answer answer;
  options.method = GRAZE_METHOD_EXACT;
  assert_int_equal(graze_intersect(a, b, &options, &answer), GRAZE_OK);
  return answer.relation;
}

/* `trusting`: as if nothing were rounded. */
static void look(const graze_placed *a, const graze_placed *b, bool trusting, tally *t) {
  grz_obstacle c;
  grz_obstacle_make(&c, a, b, 0);
  if (trusting) c.point_error = c.support_error = 0;
  const grz_zonotope found = grz_zonotope_look(&c);
  t->asked++;
  t->looks += found.looks;
  if (found.relation == GRAZE_UNDECIDED) return;
  t->decided++;
  t->overlapping += found.relation == GRAZE_OVERLAPPING;
  if (found.relation != exact_relation(a, b)) {
    t->wrong++;
    return;
  }
  graze_answer answer;
  assert_int_equal(graze_intersect(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(graze_verify(a, b, NULL, &answer), GRAZE_OK);
}

static graze_shape some_box(family_random *random) {
  return graze_box(family_uniform(random, 0.1, 1), family_uniform(random, 0.1, 1), family_uniform(random, 0.1, 1));
}

/* Seed 31. */
static void test_random_boxes(void **state) {
  family_random random = {31};
  tally t = {0, 0, 0, 0, 0};
  (void)state;
  for (int i = 0; i < tiered(5000, 20000, 1000000); i++) {
    const graze_shape a = some_box(&random), b = some_box(&random);
    const graze_placed at = graze_place(&a, family_any_pose(&random, 3, 1));
    const graze_placed to = graze_place(&b, family_any_pose(&random, 3, 1));
    look(&at, &to, false, &t);
  }
  print_message("random: %.3f %% decided, %.1f %% overlapping, %.2f looks\n",
                100.0 * (double)t.decided / (double)t.asked, 100.0 * (double)t.overlapping / (double)t.asked,
                (double)t.looks / (double)t.asked);
  assert_int_equal(t.wrong, 0);
  assert_true(t.decided * 1000 > t.asked * 999);
  assert_in_range(t.overlapping * 100 / t.asked, 30, 70);
  assert_true(t.looks < 5 * t.asked);
}

/* B where it touches A, as far as doubles tell, and from there `off` along the normal. */
static void bring_near(const graze_placed *a, graze_placed *b, double off) {
  graze_answer answer;
  for (int i = 0; i < 4; i++) {
    assert_int_equal(graze_distance(a, b, NULL, &answer), GRAZE_OK);
    graze_pose pose = b->pose;
    const double by = (i < 3 ? 0 : off) - answer.distance;
    pose.position.x += by * answer.normal.x, pose.position.y += by * answer.normal.y,
        pose.position.z += by * answer.normal.z;
    assert_int_equal(graze_set_pose(b, pose), GRAZE_OK);
  }
}

/* Seed 32. */
static tally near_touching(int count, bool trusting) {
  family_random random = {32};
  tally t = {0, 0, 0, 0, 0};
  for (int i = 0; i < count; i++) {
    const graze_shape a = some_box(&random), b = some_box(&random);
    const graze_placed at = graze_place(&a, family_any_pose(&random, 3, 0.8));
    graze_placed to = graze_place(&b, family_any_pose(&random, 3, 0.8));
    const double off = ldexp(1, -family_between(&random, 38, 56));
    bring_near(&at, &to, i % 2 ? off : -off);
    look(&at, &to, trusting, &t);
  }
  return t;
}

static void test_near_touching(void **state) {
  const int count = tiered(2000, 10000, 300000);
  (void)state;
  const tally t = near_touching(count, false), trusting = near_touching(2000, true);
  print_message("near: %ld of %ld decided, %ld overlapping; without bounds %ld of %ld are wrong\n", t.decided, t.asked,
                t.overlapping, trusting.wrong, trusting.asked);
  assert_int_equal(t.wrong, 0);
  assert_in_range(t.decided * 100 / t.asked, 10, 90);
  assert_true(t.overlapping * 10 > t.decided);
  assert_true(trusting.wrong > 0);
}

/* Boxes that are one, turned, flat, thin, far from each other: the same answers as ever, by whatever path. Seed 33. */
static void test_odd_boxes(void **state) {
  family_random random = {33};
  const double thin[] = {0, 1e-300, 1e-9, 1, 1e6};
  (void)state;
  for (int i = 0; i < tiered(2000, 5000, 100000); i++) {
    const graze_shape a = graze_box(thin[family_below(&random, 5)], 1, thin[family_below(&random, 5)]);
    const graze_shape b = i % 3 ? graze_box(1, thin[family_below(&random, 5)], 0.5) : a;
    const graze_pose pose = family_any_pose(&random, 3, i % 5 ? 1 : 1e9);
    graze_pose other = i % 2 ? pose : family_any_pose(&random, 3, 1);
    if (i % 4 == 1) other.position.x += 0.25;
    const graze_placed at = graze_place(&a, pose), to = graze_place(&b, other);
    graze_answer answer;
    assert_int_equal(graze_intersect(&at, &to, NULL, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, exact_relation(&at, &to));
    assert_int_equal(graze_verify(&at, &to, NULL, &answer), GRAZE_OK);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_boxes), cmocka_unit_test(test_near_touching),
                                     cmocka_unit_test(test_odd_boxes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
