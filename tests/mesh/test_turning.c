/* Casts of meshes that turn, against each other, convex shapes with curves, and compounds: the bodies are separated at
 * sampled times before t_lower, and in contact at t_upper. Rounding of a pose is allowed for. Seeds are stated at each
 * test. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/meshes.h"
#include "support/query.h"

enum { SAMPLES = 20 };

static mesh_fixture fixture[2];

typedef struct tally {
  int casts, hits, clear, possible;
} tally;

static graze_motion any_motion(rng *random, graze_vec toward, double turning) {
  graze_motion motion = {add(toward, rng_vec(random, 3, 1)), {0, 0, 0}};
  motion.angular = rng_vec(random, 3, turning);
  return motion;
}

static double gap_at(const graze_placed *a, const graze_motion *of_a, const graze_placed *b, const graze_motion *of_b,
                     double t) {
  const graze_placed p = posed(a->shape, graze_pose_after(&a->pose, of_a, t)),
                     q = posed(b->shape, graze_pose_after(&b->pose, of_b, t));
  return distance(&p, &q, NULL).upper;
}

static void check(rng *random, const graze_placed *a, const graze_placed *b, tally *sum) {
  const graze_vec between = sub(b->pose.position, a->pose.position);
  const graze_motion of_a = any_motion(random, scaled(0.15, between), 1),
                     of_b = any_motion(random, scaled(-0.15, between), 1);
  const double t_max = 2;
  graze_cast_result x;
  if (intersect(a, b, NULL).relation != GRAZE_SEPARATED) return;
  assert_int_equal(graze_cast(a, &of_a, b, &of_b, t_max, NULL, &x), GRAZE_OK);
  assert_int_equal(x.start_relation, GRAZE_SEPARATED);
  const double until = x.outcome == GRAZE_CLEAR ? t_max : x.t_lower;
  for (int i = 0; i < SAMPLES; i++) {
    const double t = until * i / SAMPLES, gap = gap_at(a, &of_a, b, &of_b, t);
    if (!(gap >= -1e-12)) fail_msg("outcome %d, t_lower %.17g: depth %g at %.17g", (int)x.outcome, x.t_lower, -gap, t);
  }
  if (x.outcome == GRAZE_HIT) {
    assert_true(x.t_lower <= x.t_upper && x.t_upper <= t_max && x.t_upper - x.t_lower <= 1e-6);
    assert_true(gap_at(a, &of_a, b, &of_b, x.t_upper) <= 1e-9);
  }
  sum->casts++, sum->hits += x.outcome == GRAZE_HIT, sum->clear += x.outcome == GRAZE_CLEAR;
  sum->possible += x.outcome == GRAZE_POSSIBLE;
}

static graze_placed place_fixture(rng *random, int i, int kinds) {
  mesh_fixture_make(random, 3, rng_below(random, kinds), &fixture[i]);
  mesh_fixture_create(&fixture[i], !fixture[i].member.set.solid);
  graze_pose pose = graze_pose_at(0, 0, 0);
  pose.position = rng_vec(random, 3, i == 0 ? 0.5 : 4);
  pose.x = rng_uniform(random, -1, 1), pose.y = rng_uniform(random, -1, 1), pose.z = rng_uniform(random, -1, 1);
  return posed(fixture[i].member.shape, pose);
}

static graze_shape any_curved(rng *random) {
  const double r = rng_uniform(random, 0.2, 0.8), h = rng_uniform(random, 0.2, 0.8), k = rng_uniform(random, 0.2, 0.8);
  switch (rng_below(random, 4)) {
  case 0: return graze_capsule(r, h);
  case 1: return graze_cylinder(r, h);
  case 2: return graze_cone(r, h);
  default: return graze_ellipsoid(r, h, k);
  }
}

static graze_pose any_pose(rng *random) {
  graze_pose pose = graze_pose_identity();
  pose.position = rng_vec(random, 3, 4);
  pose.x = rng_uniform(random, -1, 1), pose.y = rng_uniform(random, -1, 1);
  return pose;
}

static void expect(const tally *sum, const char *name) {
  print_message("%s: %d casts, %d hits, %d clear, %d possible\n", name, sum->casts, sum->hits, sum->clear,
                sum->possible);
  assert_true(sum->hits > sum->casts / 10 && sum->clear > sum->casts / 10 && sum->possible <= sum->casts / 20);
}

/* Seed 101. */
TEST(two_meshes) {
  tally sum = {0};
  rng random = 101;
  const int count = tiered(40, 80, 2000);
  for (int i = 0; i < count; i++) {
    const graze_placed a = place_fixture(&random, 0, MESH_AS_POINT), b = place_fixture(&random, 1, MESH_AS_POINT);
    check(&random, &a, &b, &sum);
    mesh_fixture_free(&fixture[0]), mesh_fixture_free(&fixture[1]);
  }
  expect(&sum, "two meshes");
}

/* Seed 102. */
TEST(mesh_and_curved) {
  tally sum = {0};
  rng random = 102;
  const int count = tiered(60, 120, 3000);
  for (int i = 0; i < count; i++) {
    const graze_placed a = place_fixture(&random, 0, MESH_AS_POINT);
    const graze_shape curved = any_curved(&random);
    const graze_placed b = place(&curved, any_pose(&random));
    i % 2 ? check(&random, &a, &b, &sum) : check(&random, &b, &a, &sum);
    mesh_fixture_free(&fixture[0]);
  }
  expect(&sum, "mesh and curved");
}

/* Seed 103. */
TEST(mesh_and_compound) {
  tally sum = {0};
  rng random = 103;
  graze_compound *compound;
  graze_placed parts[3] = {posed(graze_box(0.2, 0.3, 0.4), graze_pose_at(0.5, 0, 0)),
                           posed(graze_capsule(0.2, 0.3), graze_pose_at(-0.5, 0.2, 0)),
                           posed(graze_cone(0.3, 0.3), graze_pose_at(0, 0, 0.6))};
  assert_int_equal(graze_compound_create(parts, 3, NULL, &compound, NULL), GRAZE_OK);
  const int count = tiered(40, 80, 2000);
  for (int i = 0; i < count; i++) {
    const graze_placed a = place_fixture(&random, 0, MESH_AS_POINT);
    const graze_placed b = posed(graze_compound_shape(compound), any_pose(&random));
    i % 2 ? check(&random, &a, &b, &sum) : check(&random, &b, &a, &sum);
    mesh_fixture_free(&fixture[0]);
  }
  graze_compound_destroy(compound);
  expect(&sum, "mesh and compound");
}
