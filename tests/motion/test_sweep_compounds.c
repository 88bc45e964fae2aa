/* Random sweeps of compounds, against each other and against convex shapes: many moments of the motion are asked about
 * one by one; the same with A and B exchanged, and by conservative advancement.
 *
 * GRAZE_TIER, GRAZE_SEED: as tests/cso/test_families.c. */

#include "support/test.h"
#include "support/sweep_families.h"
#include "support/oracle/judge_cast.h"

enum { MOMENTS = 64, PARTS = 4 };

/* Vertices of the parts must outlive the compound. */
static graze_vec room[2][PARTS][PAIR_VERTICES];

static graze_compound *any_compound(rng *random, int dim, graze_vec (*vertices)[PAIR_VERTICES]) {
  graze_placed parts[PARTS];
  graze_compound *compound = NULL;
  int count = rng_between(random, 1, PARTS);
  for (int i = 0; i < count; i++) {
    graze_shape shape = random_shape(random, dim, vertices[i]);
    parts[i] = graze_place(&shape, random_pose(random, dim, 1));
  }
  assert_int_equal(graze_compound_create(parts, (size_t)count, NULL, &compound, NULL), GRAZE_OK);
  return compound;
}

static graze_impact ask(const judge_turning *m, bool exchanged, graze_method method) {
  graze_impact x;
  graze_options options = graze_default_options();
  graze_placed a = graze_place(m->a, m->pose_a), b = graze_place(m->b, m->pose_b);
  options.clearance = m->clearance;
  options.method = method;
  graze_status status = exchanged ? graze_sweep(&b, &m->motion_b, &a, &m->motion_a, m->t_max, &options, &x)
                                  : graze_sweep(&a, &m->motion_a, &b, &m->motion_b, m->t_max, &options, &x);
  assert_int_equal(status, GRAZE_OK);
  return x;
}

static void parts_are_known(const judge_turning *m, const graze_impact *x) {
  graze_placed a = graze_place(m->a, m->pose_a), b = graze_place(m->b, m->pose_b);
  assert_true(x->part_a >= 0 && (size_t)x->part_a < graze_part_count(&a));
  assert_true(x->part_b >= 0 && (size_t)x->part_b < graze_part_count(&b));
}

static graze_motion_result judge_all(const judge_turning *m, int which) {
  const graze_impact x = ask(m, false, GRAZE_METHOD_AUTO), y = ask(m, true, GRAZE_METHOD_AUTO),
                     z = ask(m, false, GRAZE_METHOD_CA);
  const char *why = sweep_judge(m, MOMENTS, &x);
  if (!why) why = sweep_judge(m, MOMENTS, &z);
  if (!why && sweep_agree(&x, &y)) why = "A and B exchanged, it is another answer";
  if (!why && sweep_agree(&x, &z)) why = "by conservative advancement, it is another answer";
  if (why) judge_print_impact(stdout, &x), judge_print_impact(stdout, &y), judge_print_impact(stdout, &z);
  if (why) fail_msg("pair %d: %s", which, why);
  parts_are_known(m, &x);
  return x.result;
}

TEST(random_compounds) {
  rng random = {family_seed("compounds")};
  static sweep_case c;
  long result[4] = {0};
  int count = tiered(150, 300, 10000);
  for (int i = 0; i < count; i++) {
    int dim = 2 + i % 2;
    memset(&c, 0, sizeof c);
    graze_compound *first = any_compound(&random, dim, room[0]), *second = any_compound(&random, dim, room[1]);
    c.pair.a = graze_compound_shape(first);
    c.pair.b = i % 3 ? graze_compound_shape(second) : random_shape(&random, dim, c.pair.vertices_b);
    place_near(&random, &c.pair, 5, 1);
    sweep_approach(&random, &c, i % 5 ? 20 : 500);
    judge_turning m = {.a = &c.pair.a, .b = &c.pair.b, .pose_a = c.pair.pose_a, .pose_b = c.pair.pose_b};
    m.motion_a = c.motion_a, m.motion_b = c.motion_b, m.t_max = c.t_max, m.clearance = c.clearance;
    result[judge_all(&m, i)]++;
    graze_compound_destroy(first);
    graze_compound_destroy(second);
  }
  printf("%d sweeps: %ld hits, %ld clear, %ld possible\n", count, result[GRAZE_HIT], result[GRAZE_CLEAR],
         result[GRAZE_POSSIBLE]);
  assert_true(result[GRAZE_HIT] > count / 3 && result[GRAZE_CLEAR] > count / 8);
  assert_true(result[GRAZE_POSSIBLE] <= count / 100);
}
