/* The octahedron that grows between two boxes: what it decides is what the exact search says, however near to touching;
 * of random boxes it leaves next to nothing open; and its bounds are needed. docs/theory/zonotope.md */

#include "support/test.h"
#include "support/families.h"
#include "cso/zonotope.h"

typedef struct tally {
  long asked, decided, overlapping, wrong[5], looks;
} tally;

static graze_relation exact_relation(const graze_placed *a, const graze_placed *b) {
  graze_options options = graze_default_options();
  graze_answer answer;
  options.method = GRAZE_METHOD_EXACT;
  assert_int_equal(graze_intersect(a, b, &options, &answer), GRAZE_OK);
  return answer.relation;
}

static void count_step(void *context, const graze_trace_step *step) {
  (void)step;
  ++*(int *)context;
}

static void expect_same(const graze_answer *p, const graze_answer *q) {
  assert_true(p->relation == q->relation && p->path == q->path && p->certificate.kind == q->certificate.kind);
  assert_memory_equal(&p->distance, &q->distance, sizeof p->distance);
  assert_memory_equal(&p->lower, &q->lower, sizeof p->lower);
  assert_memory_equal(&p->upper, &q->upper, sizeof p->upper);
  assert_memory_equal(&p->normal, &q->normal, sizeof p->normal);
}

/* Asks as everybody does, and with a trace, which shows GJK and changes nothing. */
static void ask(const graze_placed *a, const graze_placed *b, graze_relation relation) {
  int steps = 0;
  graze_options traced = graze_default_options();
  traced.trace = count_step, traced.trace_context = &steps;
  graze_answer answer, shown;
  assert_int_equal(graze_intersect(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, relation);
  assert_int_equal(graze_verify(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(graze_intersect(a, b, &traced, &shown), GRAZE_OK);
  expect_same(&answer, &shown);
  assert_int_equal(graze_distance(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(graze_verify(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(graze_distance(a, b, &traced, &shown), GRAZE_OK);
  expect_same(&answer, &shown);
  assert_true(steps > 1);
}

/* What is taken for exact. (Points alone may be, as far as this can see: the rounding of determinants covers them.) */
typedef enum trust { TRUST_NOTHING, TRUST_SUPPORTS } trust;

static void look(const graze_placed *a, const graze_placed *b, trust trusting, tally *t) {
  grz_obstacle c;
  grz_obstacle_make(&c, a, b, 0);
  if (trusting == TRUST_SUPPORTS) c.support_error = 0;
  const grz_zonotope found = grz_zonotope_look(&c);
  t->asked++;
  t->looks += found.looks;
  if (found.relation == GRAZE_UNDECIDED) return;
  t->decided++;
  t->overlapping += found.relation == GRAZE_OVERLAPPING;
  t->wrong[found.relation] += found.relation != exact_relation(a, b);
  if (trusting == TRUST_NOTHING) ask(a, b, found.relation);
}

static long wrong(const tally *t) { return t->wrong[GRAZE_SEPARATED] + t->wrong[GRAZE_OVERLAPPING]; }

static graze_shape some_box(rng *random) {
  return graze_box(rng_uniform(random, 0.1, 1), rng_uniform(random, 0.1, 1), rng_uniform(random, 0.1, 1));
}

/* Seed 31. */
TEST(test_random_boxes) {
  rng random = {31};
  tally t = {.asked = 0};
  for (int i = 0; i < tiered(5000, 10000, 1000000); i++) {
    const graze_shape a = some_box(&random), b = some_box(&random);
    const graze_placed at = graze_place(&a, random_pose(&random, 3, 1));
    const graze_placed to = graze_place(&b, random_pose(&random, 3, 1));
    look(&at, &to, TRUST_NOTHING, &t);
  }
  print_message("random: %.3f %% decided, %.1f %% overlapping, %.2f looks\n",
                100.0 * (double)t.decided / (double)t.asked, 100.0 * (double)t.overlapping / (double)t.asked,
                (double)t.looks / (double)t.asked);
  assert_int_equal(wrong(&t), 0);
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
static tally near_touching(int count, int least, trust trusting) {
  rng random = {32};
  tally t = {.asked = 0};
  for (int i = 0; i < count; i++) {
    const graze_shape a = some_box(&random), b = some_box(&random);
    const graze_placed at = graze_place(&a, random_pose(&random, 3, 0.8));
    graze_placed to = graze_place(&b, random_pose(&random, 3, 0.8));
    const double off = ldexp(1, -rng_between(&random, least, 56));
    bring_near(&at, &to, i % 2 ? off : -off);
    look(&at, &to, trusting, &t);
  }
  return t;
}

TEST(test_near_touching) {
  const int count = tiered(2000, 4000, 300000);
  const tally t = near_touching(count, 38, TRUST_NOTHING), supports = near_touching(2000, 50, TRUST_SUPPORTS);
  print_message("near: %ld of %ld decided, %ld overlapping; without bounds %ld gaps of 2000 are wrong\n", t.decided,
                t.asked, t.overlapping, supports.wrong[GRAZE_SEPARATED]);
  assert_int_equal(wrong(&t), 0);
  assert_in_range(t.decided * 100 / t.asked, 10, 90);
  assert_true(t.overlapping * 10 > t.decided);
  assert_true(supports.wrong[GRAZE_SEPARATED] > 0);
}

/* Boxes that are one, turned, flat, thin, tiny, huge, far from each other: by whatever path, what the exact search
 * says. Seed 33. */
TEST(test_odd_boxes) {
  rng random = {33};
  const double thin[] = {0, 1e-300, 1e-9, 1, 1e6}, scale[] = {1, 1e-300, 1e33};
  long relation[5] = {0}, octahedron = 0, all = tiered(2000, 4000, 100000);
  for (long i = 0; i < all; i++) {
    const double unit = scale[rng_below(&random, 3)];
    shape_pair pair = {.a = graze_box(thin[rng_below(&random, 5)], 1, thin[rng_below(&random, 5)])};
    pair.b = i % 3 ? graze_box(1, thin[rng_below(&random, 5)], 0.5) : pair.a;
    pair.pose_a = random_pose(&random, 3, i % 5 ? 1 : 1e6);
    pair.pose_b = i % 2 ? pair.pose_a : random_pose(&random, 3, 1);
    if (i % 4 == 1) pair.pose_b.position.x += 0.25;
    scale_pair(&pair, unit);
    const graze_placed at = graze_place(&pair.a, pair.pose_a), to = graze_place(&pair.b, pair.pose_b);
    graze_answer answer;
    assert_int_equal(graze_intersect(&at, &to, NULL, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, exact_relation(&at, &to));
    assert_int_equal(graze_verify(&at, &to, NULL, &answer), GRAZE_OK);
    relation[answer.relation]++;
    octahedron += answer.path == GRAZE_PATH_OCTAHEDRON;
  }
  print_message("odd: %ld apart, %ld touch, %ld overlap; %ld by an octahedron\n", relation[GRAZE_SEPARATED],
                relation[GRAZE_TOUCHING], relation[GRAZE_OVERLAPPING], octahedron);
  for (int k = GRAZE_SEPARATED; k <= GRAZE_OVERLAPPING; k++) assert_true(relation[k] * 40 > all);
  assert_true(octahedron * 4 > all);
}
