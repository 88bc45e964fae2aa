/* Compounds against every pair of their parts, asked one by one: the same relation, intervals that meet, the pair that
 * decides, far fewer pairs tested. Against convex shapes, half-spaces and compounds, in 2D and 3D, with margins and a
 * clearance. Seeds are stated at each test. GRAZE_TIER: test (the default), ci (twice as many), soak (20 times). */

#include "support/test.h"
#include "support/compounds.h"

enum { CONTACTS = 200 };

static rng dice;
static compound_fixture first, second;
static graze_part_proof proofs[COMPOUND_PARTS * COMPOUND_PARTS];

static int rounds(int count) { return tiered(count, 2 * count, 20 * count); }

static double size_of(const graze_placed *a, const graze_placed *b, double distance) {
  return fmax(fabs(distance), fmax(a->reach + a->radius, b->reach + b->radius));
}

/* What was asked about, over a whole test. */
typedef struct tally {
  long asked, relation[5], pairs, tested, swapped;
} tally;

static void check_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                       const graze_answer *answer) {
  graze_answer pair;
  graze_placed part_a = graze_part(a, (size_t)answer->part_a), part_b = graze_part(b, (size_t)answer->part_b);
  assert_int_equal(graze_distance(&part_a, &part_b, options, &pair), GRAZE_OK);
  assert_int_equal(pair.relation, answer->relation);
  assert_true(pair.lower <= answer->upper && answer->lower <= pair.upper);
  if (answer->relation == GRAZE_UNDECIDED) return;
  /* A pair alone does not show that none lies nearer, and no depth without a surface. */
  pair = *answer;
  if (pair.relation != GRAZE_TOUCHING) pair.lower = pair.distance = NAN;
  if (pair.relation == GRAZE_OVERLAPPING) pair.upper = NAN;
  assert_int_equal(graze_verify(&part_a, &part_b, options, &pair), GRAZE_OK);
}

static void check_distance(const graze_placed *a, const graze_placed *b, const graze_options *options, double width,
                           tally *sum) {
  graze_answer answer;
  parts_truth truth = query_all_parts(a, b, options->clearance);
  assert_int_equal(graze_distance(a, b, options, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, truth.relation);
  assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper);
  assert_true(answer.lower <= truth.upper && truth.lower <= answer.upper);
  assert_true(answer.upper - answer.lower <= width * size_of(a, b, answer.distance));
  assert_in_range(answer.pairs_tested, 1, truth.pairs);
  check_pair(a, b, options, &answer);
  sum->asked++;
  sum->relation[answer.relation]++;
  sum->pairs += (long)truth.pairs;
  sum->tested += (long)answer.pairs_tested;
}

static void check_relation(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  graze_answer answer;
  parts_truth truth = query_all_parts(a, b, options->clearance);
  assert_int_equal(graze_intersect(a, b, options, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, truth.relation);
  graze_placed part_a = graze_part(a, (size_t)answer.part_a), part_b = graze_part(b, (size_t)answer.part_b);
  assert_int_equal(graze_verify(&part_a, &part_b, options, &answer), GRAZE_OK);
}

/* Beyond max_distance only that; nearer, as without it. */
static void check_cutoff(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  graze_answer whole, cut;
  graze_options near = *options;
  assert_int_equal(graze_distance(a, b, options, &whole), GRAZE_OK);
  near.max_distance = rng_below(&dice, 2) ? fabs(whole.distance) * rng_uniform(&dice, 0, 2) : 0;
  assert_int_equal(graze_distance(a, b, &near, &cut), GRAZE_OK);
  assert_int_equal(cut.relation, whole.relation);
  if (cut.stopped == GRAZE_STOP_CUTOFF) {
    assert_true(cut.lower >= near.max_distance && cut.lower <= whole.upper && isnan(cut.distance) && isnan(cut.upper));
  } else {
    assert_true(whole.relation != GRAZE_SEPARATED || whole.lower < near.max_distance);
    assert_true(cut.lower <= whole.upper && whole.lower <= cut.upper);
  }
}

/* All pairs' certificates prove everything. */
static void check_parts(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  graze_answer answer, whole;
  graze_options all = *options;
  size_t count = graze_part_count(a) * graze_part_count(b);
  all.parts = proofs, all.part_capacity = count - 1;
  assert_int_equal(graze_distance(a, b, &all, &answer), GRAZE_NO_ROOM);
  all.part_capacity = count;
  assert_int_equal(graze_distance(a, b, &all, &answer), GRAZE_OK);
  assert_int_equal(graze_distance(a, b, options, &whole), GRAZE_OK);
  assert_true(answer.parts == proofs && answer.part_count == count && answer.pairs_tested == count);
  assert_int_equal(answer.relation, whole.relation);
  for (size_t i = 0; i < count; i++)
    assert_int_equal((size_t)proofs[i].part_a * graze_part_count(b) + (size_t)proofs[i].part_b, i);
  if (answer.relation == GRAZE_OVERLAPPING) answer.distance = answer.upper = NAN; /* no depth without a surface */
  assert_int_equal(graze_verify(a, b, &all, &answer), GRAZE_OK);
}

static graze_placed placed(const graze_compound *compound, int dim, double spread) {
  graze_shape shape = graze_compound_shape(compound);
  if (rng_below(&dice, 4) == 0) shape = graze_with_margin(shape, rng_uniform(&dice, 0, 0.5));
  return graze_place(&shape, random_grid_pose(&dice, dim, spread));
}

static graze_placed other(int dim, bool curved, double spread, graze_vec room[8]) {
  graze_shape shape = random_convex(&dice, dim, curved, room);
  graze_vec normal = {rng_uniform(&dice, -1, 1), rng_uniform(&dice, -1, 1), 1};
  if (rng_below(&dice, 8) == 0)
    shape = dim == 2 ? graze_halfspace2((graze_vec){normal.x, normal.y, 0}, -spread) : graze_halfspace(normal, -spread);
  return graze_place(&shape, random_grid_pose(&dice, dim, spread));
}

static void ask_both_ways(const graze_placed *a, const graze_placed *b, double width, tally *sum) {
  graze_options options = graze_default_options();
  if (rng_below(&dice, 3) == 0) options.clearance = rng_uniform(&dice, 0, 0.5);
  check_distance(a, b, &options, width, sum);
  check_distance(b, a, &options, width, sum);
  check_relation(a, b, &options);
  check_cutoff(b, a, &options);
  if (rng_below(&dice, 8) == 0) check_parts(a, b, &options);
}

static tally ask_convex(uint64_t seed, int dim, bool curved, int count, double spread) {
  tally sum = {.asked = 0};
  graze_vec room[8];
  dice = seed;
  for (int i = 0; i < rounds(count); i++) {
    random_compound(&dice, dim, 1 + rng_below(&dice, COMPOUND_PARTS), curved, &first);
    for (int k = 0; k < 4; k++) {
      graze_placed a = placed(first.compound, dim, spread), b = other(dim, curved, spread, room);
      ask_both_ways(&a, &b, curved ? 2e-9 : 1e-12, &sum);
    }
    graze_compound_destroy(first.compound);
  }
  return sum;
}

static tally ask_compounds(uint64_t seed, int dim, bool curved, int count, double spread) {
  tally sum = {.asked = 0};
  dice = seed;
  for (int i = 0; i < rounds(count); i++) {
    random_compound(&dice, dim, 1 + rng_below(&dice, 24), curved, &first);
    random_compound(&dice, dim, 1 + rng_below(&dice, 24), curved, &second);
    graze_placed a = placed(first.compound, dim, spread), b = placed(second.compound, dim, spread);
    ask_both_ways(&a, &b, curved ? 2e-9 : 1e-12, &sum);
    graze_compound_destroy(first.compound);
    graze_compound_destroy(second.compound);
  }
  return sum;
}

/* A share of all, in thousandths. */
static int share(long part, long all) { return (int)(1000 * part / all); }

static void assert_near(int value, int wanted) { assert_in_range(5 * value, 4 * wanted, 6 * wanted); }

/* Shares within a fifth of what they are: all seeds are fixed, and a search that leaves out less would be noticed. */
static void expect(const char *name, tally sum, int wanted_apart, int wanted_tested) {
  int apart = share(sum.relation[GRAZE_SEPARATED], sum.asked), tested = share(sum.tested, sum.pairs);
  print_message("%s: %ld asked, %d/1000 apart, %d/1000 of the pairs tested\n", name, sum.asked, apart, tested);
  assert_near(apart, wanted_apart);
  assert_near(tested, wanted_tested);
}

TEST(test_convex) { /* seeds 11 to 14 */
  expect("2D", ask_convex(11, 2, false, 150, 6), 660, 50);
  expect("3D", ask_convex(12, 3, false, 150, 6), 850, 67);
  expect("2D curved", ask_convex(13, 2, true, 60, 6), 636, 48);
  expect("3D curved", ask_convex(14, 3, true, 60, 6), 820, 66);
}

TEST(test_compounds) { /* seeds 21 to 23 */
  expect("2D", ask_compounds(21, 2, false, 160, 8), 555, 19);
  expect("3D", ask_compounds(22, 3, false, 160, 8), 827, 32);
  expect("3D curved", ask_compounds(23, 3, true, 60, 8), 840, 35);
}

/* Boxes on a lattice, turned by quarters: they touch all the time, and the first pair that does is named. Seed 31. */
static graze_placed on_lattice(int dim) {
  int half_x = 1 + rng_below(&dice, 2), half_y = 1 + rng_below(&dice, 2);
  int x = rng_below(&dice, 17) - 8, y = rng_below(&dice, 17) - 8; /* not as arguments, whose order is open */
  graze_shape box = dim == 2 ? graze_box2(half_x, half_y) : graze_box(half_x, half_y, 1);
  graze_pose pose = graze_pose_at(x, y, 0);
  if (dim == 3) pose.position.z = rng_below(&dice, 9) - 4;
  if (rng_below(&dice, 2)) pose.z = 1;
  return graze_place(&box, pose);
}

static void check_first(const graze_placed *a, const graze_placed *b, const graze_answer *answer) {
  for (size_t i = 0; i < graze_part_count(a); i++) {
    for (size_t k = 0; k < graze_part_count(b); k++) {
      graze_answer pair;
      graze_placed part_a = graze_part(a, i), part_b = graze_part(b, k);
      assert_int_equal(graze_intersect(&part_a, &part_b, NULL, &pair), GRAZE_OK);
      if (pair.relation != GRAZE_TOUCHING) continue;
      assert_true(answer->part_a == (int32_t)i && answer->part_b == (int32_t)k);
      return;
    }
  }
}

TEST(test_lattice) {
  tally sum = {.asked = 0};
  graze_options options = graze_default_options();
  dice = 31;
  for (int i = 0; i < rounds(300); i++) {
    graze_placed parts[2][12];
    graze_compound *compound[2];
    graze_answer answer;
    int dim = 2 + i % 2, count = 1 + rng_below(&dice, 12);
    for (int k = 0; k < 24; k++) parts[k / 12][k % 12] = on_lattice(dim);
    assert_int_equal(graze_compound_create(parts[0], (size_t)count, NULL, &compound[0], NULL), GRAZE_OK);
    assert_int_equal(graze_compound_create(parts[1], 1 + (size_t)count / 3, NULL, &compound[1], NULL), GRAZE_OK);
    graze_shape shape_a = graze_compound_shape(compound[0]), shape_b = graze_compound_shape(compound[1]);
    graze_placed a = graze_place(&shape_a, graze_pose_at(3, 0, 0)), b = graze_place(&shape_b, graze_pose_at(0, 1, 0));
    a.pose.w = 0, a.pose.z = 1; /* a half turn */
    a = graze_place(&shape_a, a.pose);
    check_distance(&a, &b, &options, 1e-12, &sum);
    check_relation(&b, &a, &options);
    check_parts(&b, &a, &options);
    assert_int_equal(graze_intersect(&a, &b, NULL, &answer), GRAZE_OK);
    if (answer.relation == GRAZE_TOUCHING) check_first(&a, &b, &answer);
    assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
    if (answer.relation == GRAZE_TOUCHING) check_first(&a, &b, &answer);
    graze_compound_destroy(compound[0]);
    graze_compound_destroy(compound[1]);
  }
  expect("lattice", sum, 335, 85);
  int touching = share(sum.relation[GRAZE_TOUCHING], sum.asked);
  print_message("lattice: %d/1000 touch\n", touching);
  assert_near(touching, 190);
}

/* What lies far from the origin, or is tiny, or huge. Seed 41. */
TEST(test_scales) {
  static const double scales[] = {1e-300, 1e-30, 1e12, 1e38};
  tally sum = {.asked = 0};
  graze_options options = graze_default_options();
  dice = 41;
  for (int i = 0; i < rounds(80); i++) {
    graze_placed parts[16];
    graze_compound *compound;
    double scale = scales[i % 4];
    for (int k = 0; k < 16; k++) {
      graze_shape box = graze_box(scale, scale * rng_uniform(&dice, 0, 1), scale);
      graze_pose pose = random_grid_pose(&dice, 3, 6);
      pose.position.x *= scale, pose.position.y *= scale, pose.position.z *= scale;
      parts[k] = graze_place(&box, pose);
    }
    assert_int_equal(graze_compound_create(parts, 16, NULL, &compound, NULL), GRAZE_OK);
    graze_shape shape = graze_compound_shape(compound);
    graze_pose pose = parts[0].pose;
    graze_placed a = graze_place(&shape, pose), b = graze_place(&parts[1].shape, parts[2].pose);
    check_distance(&a, &b, &options, 1e-12, &sum);
    check_relation(&b, &a, &options);
    check_cutoff(&b, &a, &options);
    check_parts(&b, &a, &options);
    graze_compound_destroy(compound);
  }
  expect("scales", sum, 840, 129);
}
