/* Yes or no by the balls around the shapes: never where they are not apart, to the last bit, and nearly always where
 * the balls are. docs/theory/rounding.md, "Spheres" */

#include "support/test.h"
#include "support/families.h"

static graze_answer ask(const graze_placed *a, const graze_placed *b, double clearance, graze_method method,
                        graze_cache *cache) {
  graze_options options = graze_default_options();
  graze_answer answer;
  options.clearance = clearance, options.method = method, options.cache = cache;
  assert_int_equal(graze_intersect(a, b, &options, &answer), GRAZE_OK);
  if (answer.relation != GRAZE_UNDECIDED) assert_int_equal(graze_verify(a, b, &options, &answer), GRAZE_OK);
  return answer;
}

/* Seed 64: two balls with a clearance, whose gap is 0 but for some units in the last place. */
TEST(test_balls_that_nearly_touch) {
  const long all = tiered(20000, 40000, 2000000);
  rng random = {64};
  long spheres = 0, apart = 0, met = 0;
  for (long i = 0; i < all; i++) {
    const double scale = ldexp(1, rng_between(&random, -40, 40));
    const double first = scale * rng_uniform(&random, 0, 1), second = scale * rng_uniform(&random, 0, 1);
    const double clearance = i % 2 ? scale * rng_uniform(&random, 0, 1) : 0;
    const graze_shape one = i % 3 ? graze_sphere(first) : graze_circle(first);
    const graze_shape two = i % 3 ? graze_sphere(second) : graze_circle(second);
    const graze_vec d = rng_vec(&random, one.dim, 1);
    const double length = sqrt((d.x * d.x + d.y * d.y) + d.z * d.z);
    const double far = (first + second + clearance) * (1 + rng_between(&random, -60, 60) * 0x1p-53) / length;
    const graze_placed a = graze_place(&one, graze_pose_at(0, 0, 0));
    const graze_placed b = graze_place(&two, graze_pose_at(d.x * far, d.y * far, d.z * far));
    const graze_answer answer = ask(&a, &b, clearance, GRAZE_METHOD_AUTO, NULL);
    const graze_answer exact = ask(&a, &b, clearance, GRAZE_METHOD_EXACT, NULL);
    assert_int_equal(answer.relation, exact.relation);
    spheres += answer.path == GRAZE_PATH_SPHERES;
    apart += exact.relation == GRAZE_SEPARATED;
    met += exact.relation == GRAZE_OVERLAPPING;
  }
  print_message("%ld of %ld apart, %ld by spheres; %ld overlap\n", apart, all, spheres, met);
  assert_in_range(apart * 100 / all, 35, 65);
  assert_in_range(met * 100 / all, 35, 65);
  assert_true(spheres * 100 >= apart * 60); /* the others are within 32u */
}

/* Seed 65: any shapes, of any size. */
TEST(test_any_shapes) {
  const long all = tiered(5000, 10000, 300000);
  rng random = {65};
  long spheres = 0, apart = 0;
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    random_pair(&random, i % 2 ? 2 : 3, 1.5, &pair);
    scale_pair(&pair, i % 5 ? 1 : ldexp(1, rng_between(&random, -200, 100)));
    const graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
    graze_cache cache = {.count = 0};
    const graze_answer answer = ask(&a, &b, 0, GRAZE_METHOD_AUTO, i % 3 ? NULL : &cache);
    const graze_answer exact = ask(&a, &b, 0, GRAZE_METHOD_EXACT, NULL);
    assert_int_equal(answer.relation, exact.relation);
    spheres += answer.path == GRAZE_PATH_SPHERES;
    apart += exact.relation == GRAZE_SEPARATED;
    if (answer.path == GRAZE_PATH_SPHERES) assert_int_equal(cache.count, 0);
  }
  print_message("%ld of %ld apart, %ld by spheres\n", apart, all, spheres);
  assert_in_range(apart * 100 / all, 30, 80);
  assert_in_range(spheres * 100 / apart, 10, 90);
}

/* A ball whose error is told as nothing along the axes, from which reaches come, and as much along others. */
static double vague(void *context, graze_vec d, graze_vec *point) {
  const double length = sqrt((d.x * d.x + d.y * d.y) + d.z * d.z);
  const int axes = (d.x != 0) + (d.y != 0) + (d.z != 0);
  *point = (graze_vec){d.x / length, d.y / length, d.z / length};
  return axes == 1 ? 1e-15 : *(const double *)context;
}

/* Such balls were told to be apart, along a direction that proved nothing. */
TEST(test_user_shapes_keep_their_word) {
  double error = 1;
  for (int dim = 2; dim <= 3; dim++) {
    const graze_shape ball = graze_user(dim, vague, &error);
    const double far = dim == 2 ? 2.2 : 2.1;
    const graze_placed a = graze_place(&ball, graze_pose_at(0, 0, 0));
    const graze_placed b = graze_place(&ball, graze_pose_at(far, far, dim == 3 ? far : 0));
    graze_answer answer;
    assert_int_equal(graze_intersect(&a, &b, NULL, &answer), GRAZE_OK);
    assert_true(answer.conditional);
    assert_int_equal(answer.relation, GRAZE_UNDECIDED);
    assert_int_equal(graze_verify(&a, &b, NULL, &answer), GRAZE_OK);
  }
}

/* Parts of compounds and bodies on their way take the longer way. */
TEST(test_who_takes_another_path) {
  const graze_shape ball = graze_sphere(1);
  const graze_placed part = graze_place(&ball, graze_pose_at(0, 0, 0));
  graze_compound *compound;
  graze_answer answer;
  assert_int_equal(graze_compound_create(&part, 1, NULL, &compound, NULL), GRAZE_OK);
  const graze_shape whole = graze_compound_shape(compound);
  const graze_placed a = graze_place(&whole, graze_pose_at(0, 0, 0)), framed = graze_part(&a, 0);
  const graze_placed b = graze_place(&ball, graze_pose_at(5, 0, 0));
  assert_int_equal(graze_intersect(&part, &b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.path, GRAZE_PATH_SPHERES);
  assert_int_equal(graze_intersect(&framed, &b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.path, GRAZE_PATH_GJK);
  graze_compound_destroy(compound);
}
