/* Compounds against queries of every pair of their parts: the same relation, intervals that meet, the pair that
 * decides, and far fewer pairs tested. Seeds are stated at each test. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/shapes.h"

static rng dice;

static int rounds(int count) { return tiered(count, 2 * count, 20 * count); }

typedef struct tally {
  long queries, relation[5], pairs, tested;
} tally;

/* The pair of parts that the answer names decides. */
static void check_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                       const proved_answer *answer) {
  const graze_placed p = graze_part(a, (size_t)answer->part_a, &(graze_frame){{0}}),
                     q = graze_part(b, (size_t)answer->part_b, &(graze_frame){{0}});
  proved_answer pair = distance(&p, &q, options);
  assert_int_equal(pair.relation, answer->relation);
  assert_true(pair.lower <= answer->upper && answer->lower <= pair.upper);
  if (answer->relation == GRAZE_UNDECIDED) return;
  /* One pair proves neither that no other is nearer, nor a depth without a surface. */
  pair = *answer;
  if (pair.relation != GRAZE_TOUCHING) pair.lower = pair.distance = NAN;
  if (pair.relation == GRAZE_OVERLAPPING) pair.upper = NAN;
  assert_int_equal(verify_answer(&p, &q, options, &pair), GRAZE_OK);
  pair = intersect(a, b, options);
  assert_int_equal(pair.relation, answer->relation);
  const graze_placed r = graze_part(a, (size_t)pair.part_a, &(graze_frame){{0}}),
                     s = graze_part(b, (size_t)pair.part_b, &(graze_frame){{0}});
  assert_int_equal(verify_answer(&r, &s, options, &pair), GRAZE_OK);
}

/* Beyond max_distance only a lower bound is returned; nearer, the same as without. */
static void check_cutoff(const graze_placed *a, const graze_placed *b, graze_options options, double max_distance,
                         const proved_answer *whole) {
  options.max_distance = max_distance;
  const proved_answer cut = distance(a, b, &options);
  assert_int_equal(cut.relation, whole->relation);
  if (cut.stopped == GRAZE_STOP_CUTOFF) {
    assert_true(cut.lower >= max_distance && cut.lower <= whole->upper && isnan(cut.distance) && isnan(cut.upper));
  } else {
    assert_true(whole->relation != GRAZE_SEPARATED || whole->lower < max_distance);
    assert_true(cut.lower <= whole->upper && whole->lower <= cut.upper);
  }
}

/* The certificates of all pairs prove the answer. */
static void check_parts(const graze_placed *a, const graze_placed *b, graze_options options, graze_relation relation) {
  static graze_part_proof proofs[COMPOUND_PARTS * COMPOUND_PARTS];
  const size_t count = graze_part_count(a) * graze_part_count(b);
  proved_answer answer;
  options.parts = proofs, options.part_capacity = count - 1;
  assert_int_equal(query_distance(a, b, &options, &answer), GRAZE_NO_SPACE);
  options.part_capacity = count;
  assert_int_equal(query_distance(a, b, &options, &answer), GRAZE_OK);
  assert_true(answer.certificate.parts == proofs && answer.certificate.part_count == count &&
              answer.pairs_tested == count);
  assert_int_equal(answer.relation, relation);
  for (size_t i = 0; i < count; i++)
    assert_int_equal((size_t)proofs[i].part_a * graze_part_count(b) + (size_t)proofs[i].part_b, i);
  if (answer.relation == GRAZE_OVERLAPPING) answer.distance = answer.upper = NAN; /* no depth without a surface */
  assert_int_equal(verify_answer(a, b, &options, &answer), GRAZE_OK);
}

static void check(const graze_placed *a, const graze_placed *b, double clearance, double width, tally *sum) {
  const parts_truth truth = query_all_parts(a, b, clearance);
  graze_options options = graze_default_options();
  options.clearance = clearance;
  for (int exchanged = 0; exchanged < 2; exchanged++) {
    const graze_placed *p = exchanged ? b : a, *q = exchanged ? a : b;
    const proved_answer answer = distance(p, q, &options);
    const double size = fmax(fabs(answer.distance), fmax(a->hidden.bounding_radius + a->hidden.radius,
                                                         b->hidden.bounding_radius + b->hidden.radius));
    assert_int_equal(answer.relation, truth.relation);
    assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper);
    assert_true(answer.lower <= truth.upper && truth.lower <= answer.upper);
    assert_true(answer.upper - answer.lower <= width * size);
    assert_in_range(answer.pairs_tested, 1, truth.pairs);
    check_pair(p, q, &options, &answer);
    check_cutoff(p, q, options, exchanged ? 0 : fabs(answer.distance) * rng_uniform(&dice, 0, 2), &answer);
    sum->queries++;
    sum->relation[answer.relation]++;
    sum->pairs += (long)truth.pairs;
    sum->tested += (long)answer.pairs_tested;
  }
  check_parts(a, b, options, truth.relation);
}

static double any_clearance(void) { return rng_below(&dice, 3) ? 0 : rng_uniform(&dice, 0, 0.5); }

/* Shares in thousandths, within a fifth: seeds are fixed, and a search that prunes less fails. */
static void expect(const char *name, const tally *sum, int separated, int tested) {
  const int share_separated = (int)(1000 * sum->relation[GRAZE_SEPARATED] / sum->queries);
  const int is_tested = (int)(1000 * sum->tested / sum->pairs);
  print_message("%s: %ld queries, %d/1000 separated, %d/1000 of the pairs tested\n", name, sum->queries,
                share_separated, is_tested);
  assert_in_range(5 * share_separated, 4 * separated, 6 * separated);
  assert_in_range(5 * is_tested, 4 * tested, 6 * tested);
}

static graze_placed placed(const graze_compound *compound, int dim, double spread) {
  graze_shape shape = graze_compound_shape(compound);
  if (rng_below(&dice, 4) == 0) shape = graze_with_margin(shape, rng_uniform(&dice, 0, 0.5));
  return place(&shape, random_grid_pose(&dice, dim, spread));
}

/* A convex shape, or a half-space in one case of eight. */
static graze_placed any_convex(int dim, bool curved, double spread, graze_vec vertices[8]) {
  graze_shape shape = random_convex(&dice, dim, curved, vertices);
  const graze_vec n = rng_vec(&dice, 2, 1);
  if (rng_below(&dice, 8) == 0) shape = halfspace_of(dim, (graze_vec){n.x, n.y, 1}, -spread);
  return place(&shape, random_grid_pose(&dice, dim, spread));
}

TEST(random_compounds) {
  static const struct {
    const char *name;
    uint64_t seed;
    int dim;
    bool curved, against_compounds;
    int count, separated, tested;
  } row[] = {{"2D", 11, 2, false, false, 150, 660, 50},
             {"3D", 12, 3, false, false, 150, 850, 67},
             {"2D curved", 13, 2, true, false, 60, 636, 48},
             {"3D curved", 14, 3, true, false, 60, 858, 55},
             {"2D compounds", 21, 2, false, true, 160, 555, 17},
             {"3D compounds", 22, 3, false, true, 160, 787, 24},
             {"3D curved compounds", 23, 3, true, true, 160, 840, 24}};
  static compound_fixture first, second;
  for (size_t k = 0; k < COUNT(row); k++) {
    const int dim = row[k].dim, most = row[k].against_compounds ? 24 : COMPOUND_PARTS;
    const bool curved = row[k].curved;
    const double width = curved ? 2e-9 : 1e-12, spread = row[k].against_compounds ? 8 : 6;
    tally sum = {.queries = 0};
    dice = row[k].seed;
    for (int i = 0; i < rounds(row[k].count); i++) {
      random_compound(&dice, dim, 1 + rng_below(&dice, most), curved, &first);
      random_compound(&dice, dim, 1 + rng_below(&dice, most), curved, &second);
      for (int j = 0; j < (row[k].against_compounds ? 1 : 4); j++) {
        graze_vec vertices[8];
        const graze_placed a = placed(first.compound, dim, spread);
        const graze_placed b =
            row[k].against_compounds ? placed(second.compound, dim, spread) : any_convex(dim, curved, spread, vertices);
        check(&a, &b, any_clearance(), width, &sum);
      }
      graze_compound_destroy(first.compound), graze_compound_destroy(second.compound);
    }
    expect(row[k].name, &sum, row[k].separated, row[k].tested);
  }
}

/* Boxes on a lattice, turned by quarters, often touch. Seed 31. */
static graze_placed on_lattice(int dim) {
  const int half_x = 1 + rng_below(&dice, 2), half_y = 1 + rng_below(&dice, 2);
  const int x = rng_below(&dice, 17) - 8, y = rng_below(&dice, 17) - 8;
  graze_pose pose = graze_pose_at(x, y, dim == 3 ? rng_below(&dice, 9) - 4 : 0);
  if (rng_coin(&dice)) pose.z = 1;
  const graze_shape box = box_of(dim, half_x, half_y, 1);
  return place(&box, pose);
}

/* If several pairs touch, the answer names the first. */
static void check_first(const graze_placed *a, const graze_placed *b, const proved_answer *answer) {
  for (size_t i = 0; answer->relation == GRAZE_TOUCHING && i < graze_part_count(a); i++)
    for (size_t k = 0; k < graze_part_count(b); k++) {
      const graze_placed p = graze_part(a, i, &(graze_frame){{0}}), q = graze_part(b, k, &(graze_frame){{0}});
      if (intersect(&p, &q, NULL).relation != GRAZE_TOUCHING) continue;
      assert_true(answer->part_a == (int32_t)i && answer->part_b == (int32_t)k);
      return;
    }
}

TEST(lattices) {
  tally sum = {.queries = 0};
  dice = 31;
  for (int i = 0; i < rounds(300); i++) {
    graze_placed parts[2][12];
    const int dim = 2 + i % 2, count = 1 + rng_below(&dice, 12);
    for (int k = 0; k < 24; k++) parts[k / 12][k % 12] = on_lattice(dim);
    graze_compound *first = compound_of(parts[0], (size_t)count),
                   *second = compound_of(parts[1], 1 + (size_t)count / 3);
    const graze_shape shape = graze_compound_shape(first);
    const graze_pose half_turn = {{3, 0, 0}, 0, 0, 0, 1};
    const graze_placed a = place(&shape, half_turn), b = placed_at(graze_compound_shape(second), 0, 1, 0);
    check(&a, &b, 0, 1e-12, &sum);
    const proved_answer related = intersect(&a, &b, NULL), measured = distance(&a, &b, NULL);
    check_first(&a, &b, &related);
    check_first(&a, &b, &measured);
    graze_compound_destroy(first), graze_compound_destroy(second);
  }
  expect("lattice", &sum, 335, 85);
  assert_in_range(1000 * sum.relation[GRAZE_TOUCHING] / sum.queries, 150, 310);
}

/* Tiny and huge. Seed 41. */
TEST(scales) {
  static const double scales[] = {1e-300, 1e-30, 1e12, 1e38};
  tally sum = {.queries = 0};
  dice = 41;
  for (int i = 0; i < rounds(80); i++) {
    graze_placed parts[16];
    const double scale = scales[i % 4];
    for (int k = 0; k < 16; k++) {
      const graze_shape box = graze_box(scale, scale * rng_uniform(&dice, 0, 1), scale);
      graze_pose pose = random_grid_pose(&dice, 3, 6);
      pose.position = scaled(scale, pose.position);
      parts[k] = place(&box, pose);
    }
    graze_compound *compound = compound_of(parts, 16);
    const graze_shape shape = graze_compound_shape(compound);
    const graze_placed a = place(&shape, parts[0].pose), b = place(&parts[1].shape, parts[2].pose);
    check(&a, &b, 0, 1e-12, &sum);
    graze_compound_destroy(compound);
  }
  expect("scales", &sum, 840, 129);
}

/* In a common turned frame, where a bound by boxes is the distance but for rounding: a touching pair must not be pruned
 * after another pair, whose bounds overlap, has been tested. Seed 51. */
TEST(touching_pairs_are_not_pruned) {
  dice = 51;
  for (int i = 0; i < rounds(1000); i++) {
    const int dim = 2 + i % 2;
    const double x = rng_uniform(&dice, 0.5, 1), r = rng_uniform(&dice, 0.1, 0.4);
    const graze_placed parts[2] = {placed_at(ball_of(dim, r), x - 0.8 * r, 1 + 0.8 * r, 0), /* beside a corner */
                                   placed_at(box_of(dim, x, 1, 1), 0, 0, 0)};
    const graze_placed distant = placed_at(box_of(dim, x, 1, 1), 2 * x, 0, 0);
    graze_compound *first = compound_of(parts, 2), *second = compound_of(&distant, 1);
    const graze_pose pose = random_grid_pose(&dice, dim, 0);
    const graze_shape shape_a = graze_compound_shape(first), shape_b = graze_compound_shape(second);
    const graze_shape wall = halfspace_of(dim, (graze_vec){-1, 0, 0}, -x);
    const graze_placed a = place(&shape_a, pose), b = place(&shape_b, pose);
    const graze_placed others[3] = {b, graze_part(&b, 0, &(graze_frame){{0}}), place(&wall, pose)},
                       *other = &others[i % 3];
    const graze_relation relation = query_all_parts(&a, other, 0).relation;
    assert_int_equal(relation, i % 3 == 2 ? GRAZE_OVERLAPPING : GRAZE_TOUCHING); /* the ball enters the half-space */
    assert_int_equal(intersect(&a, other, NULL).relation, relation);
    assert_int_equal(distance(other, &a, NULL).relation, relation);
    graze_compound_destroy(first), graze_compound_destroy(second);
  }
}

/* Boxes side by side in a common turned frame: a bound by boxes is the distance but for rounding, and must not prune
 * the pair at a cut-off just beyond the distance. Seed 52. */
TEST(cutoffs_at_the_distance) {
  dice = 52;
  for (int i = 0; i < rounds(1000); i++) {
    const int dim = 2 + i % 2;
    const double x = rng_uniform(&dice, 0, 1), x_b = x + rng_uniform(&dice, 2, 3);
    const graze_placed parts[2] = {placed_at(box_of(dim, x, 1, 1), 0, 0, 0),
                                   placed_at(box_of(dim, x, 1, 1), x_b, 0, 0)};
    graze_compound *first = compound_of(&parts[0], 1), *second = compound_of(&parts[1], 1);
    const graze_pose pose = random_grid_pose(&dice, dim, 0);
    const graze_shape shape_a = graze_compound_shape(first), shape_b = graze_compound_shape(second);
    const graze_shape wall = halfspace_of(dim, (graze_vec){-1, 0, 0}, -x_b);
    const graze_placed a = place(&shape_a, pose), b = place(&shape_b, pose);
    const graze_placed others[3] = {b, graze_part(&b, 0, &(graze_frame){{0}}), place(&wall, pose)},
                       *other = &others[i % 3];
    graze_options options = graze_default_options();
    options.clearance = rng_coin(&dice) ? 0.125 : 0;
    const proved_answer whole = distance(&a, other, &options);
    assert_int_equal(whole.relation, query_all_parts(&a, other, options.clearance).relation);
    if (whole.distance < 0) continue;
    check_cutoff(&a, other, options, nextafter(whole.lower, 0), &whole);
    check_cutoff(&a, other, options, nextafter(whole.upper, INFINITY), &whole);
    options.max_distance = nextafter(whole.upper, INFINITY);
    assert_int_not_equal(distance(&a, other, &options).stopped, GRAZE_STOP_CUTOFF);
    graze_compound_destroy(first), graze_compound_destroy(second);
  }
}

/* Fixed: the ratio of the scales of a tiny box and a compound of one point exceeds the range of floats, and the search
 * did not end. */
TEST(a_point_and_a_tiny_box) {
  for (int dim = 2; dim <= 3; dim++) {
    const graze_shape dot = dim == 2 ? graze_point2() : graze_point();
    const graze_placed point = placed_at(dot, 0, 0, 0), box = placed_at(box_of(dim, 1e-100, 1e-100, 1e-100), 0, 0, 0);
    graze_compound *first = compound_of(&box, 1), *second = compound_of(&point, 1);
    const graze_placed a = placed_at(graze_compound_shape(first), 0, 0, 0);
    for (int i = 0; i < 3; i++) { /* inside, touching, and separated */
      const graze_placed b = placed_at(graze_compound_shape(second), i * 1e-100, 0, 0);
      const graze_relation relation = (graze_relation[]){GRAZE_OVERLAPPING, GRAZE_TOUCHING, GRAZE_SEPARATED}[i];
      assert_int_equal(intersect(&a, &b, NULL).relation, relation);
      assert_int_equal(distance(&b, &a, NULL).relation, relation);
    }
    graze_compound_destroy(first), graze_compound_destroy(second);
  }
}
