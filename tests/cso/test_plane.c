/* Half-spaces and polytopes: in doubles, unless several vertices may be the deepest or the answer is too wide; whatever
 * the way, what the exact one says, and the vertex named is the deepest. docs/theory/rounding.md */

#include "support/test.h"
#include "support/families.h"

typedef struct tally {
  long asked, exact, overlapping;
  double width;
} tally;

static graze_answer ask(const graze_placed *a, const graze_placed *b, graze_method method) {
  graze_options options = graze_default_options();
  graze_answer answer;
  options.method = method;
  assert_int_equal(graze_distance(a, b, &options, &answer), GRAZE_OK);
  assert_int_equal(graze_verify(a, b, &options, &answer), GRAZE_OK);
  return answer;
}

static void look(const graze_placed *body, const graze_placed *ground, tally *t) {
  const graze_placed *a = t->asked % 2 ? body : ground, *b = t->asked % 2 ? ground : body;
  const graze_answer answer = ask(a, b, GRAZE_METHOD_AUTO), exact = ask(a, b, GRAZE_METHOD_EXACT);
  assert_true(exact.exact);
  assert_int_equal(answer.relation, exact.relation);
  assert_true(answer.lower <= exact.upper && exact.lower <= answer.upper);
  const double scale = fmax(fabs(answer.distance), fmax(body->reach + body->radius, 0x1p-1000));
  t->asked++;
  t->exact += answer.exact;
  t->overlapping += answer.relation == GRAZE_OVERLAPPING;
  t->width = fmax(t->width, (answer.upper - answer.lower) / scale);
}

static void expect(const char *name, const tally *t, int exact_low, int exact_high) {
  print_message("%-16s %ld asked, %.1f %% overlap, %.1f %% exact, width %.1e\n", name, t->asked,
                100.0 * (double)t->overlapping / (double)t->asked, 100.0 * (double)t->exact / (double)t->asked,
                t->width);
  assert_in_range(t->overlapping * 100 / t->asked, 20, 80);
  assert_in_range(t->exact * 100 / t->asked, exact_low, exact_high);
  assert_true(t->width <= 1e-12);
}

static graze_placed any_ground(rng *random, int dim) {
  graze_vec normal = rng_vec(random, dim, 1);
  if (normal.x == 0) normal.x = 0.5;
  const double offset = rng_uniform(random, -0.5, 0.5);
  const graze_shape ground = dim == 2 ? graze_halfspace2(normal, offset) : graze_halfspace(normal, offset);
  return graze_place(&ground, random_pose(random, dim, 0.5));
}

/* Seed 61: nothing is parallel. */
TEST(test_random) {
  const long all = tiered(4000, 8000, 1000000);
  rng random = {61};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    graze_vec room[PAIR_VERTICES];
    const int dim = 2 + (int)(i % 2);
    const graze_shape body = random_shape(&random, dim, room);
    const graze_placed ground = any_ground(&random, dim), at = graze_place(&body, random_pose(&random, dim, 1));
    look(&at, &ground, &t);
  }
  expect("random", &t, 0, 12);
}

/* Seed 62: boxes flat on the ground, in poses that rounding leaves in doubt. */
TEST(test_flat) {
  const long all = tiered(2000, 4000, 200000);
  rng random = {62};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    const graze_pose pose = random_pose(&random, 3, 1);
    const graze_vec normal = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
    const graze_shape ground = graze_halfspace(normal, rng_uniform(&random, -1, 1)),
                      body = graze_box(rng_uniform(&random, 0.1, 1), rng_uniform(&random, 0.1, 1), 0.5);
    const graze_placed on = graze_place(&ground, pose), at = graze_place(&body, pose);
    look(&at, &on, &t);
  }
  expect("flat", &t, 100, 100);
}

/* The lowest two of three vertices by far are within some 2^-53 of each other's height: 1 to 1000 of them, either of
 * them the lower. Without doubt some answers would name the other one. */
static void deep_pairs(rng *random, long count, tally *t) {
  for (long i = 0; i < count; i++) {
    const double off = ldexp(rng_between(random, 1, 1000), -53);
    const graze_vec ground_normal = {0, 0, 1},
                    v[] = {{-1, 0.25, -0.5}, {1, -0.125, -0.5 + (i % 2 ? off : -off)}, {0, 0, 1}, {0, 1, 0.75}};
    const graze_shape ground = graze_halfspace(ground_normal, rng_uniform(random, -1, 0)), body = graze_hull(v, 4);
    const graze_pose pose = random_pose(random, 3, 0.25);
    const graze_placed on = graze_place(&ground, pose), at = graze_place(&body, pose);
    look(&at, &on, t);
  }
}

/* Seed 63. */
TEST(test_nearly_as_deep) {
  rng random = {63};
  tally t = {.asked = 0};
  deep_pairs(&random, tiered(3000, 6000, 500000), &t);
  expect("nearly as deep", &t, 15, 60);
}
