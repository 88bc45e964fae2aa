/* Casts of compounds against the casts of every pair of their parts: the earliest contact, or the least distance. And
 * decomposed polygons: on a seam, and through a dent. Seeds are stated at each test. */

#include "support/test.h"

#include <graze/build.h>

#include "support/compounds.h"
#include "support/families_run.h"

static rng dice;
static compound_fixture first, second;
static graze_vec any_velocity(int dim, double most) {
  graze_vec v = {rng_uniform(&dice, -most, most), rng_uniform(&dice, -most, most), 0};
  if (dim == 3) v.z = rng_uniform(&dice, -most, most);
  return v;
}

/* The earliest contact of all pairs of parts, infinite where there is none, and then the least distance. */
typedef struct truth {
  double lower, upper, near_lower, near_upper;
} truth;

static truth ask_all(const graze_placed *a, graze_vec va, const graze_placed *b, graze_vec vb, double t_max,
                     const graze_options *options) {
  truth t = {INFINITY, INFINITY, INFINITY, INFINITY};
  for (size_t i = 0; i < graze_part_count(a); i++) {
    for (size_t k = 0; k < graze_part_count(b); k++) {
      graze_impact impact;
      graze_placed p = graze_part(a, i), q = graze_part(b, k);
      assert_int_equal(graze_cast(&p, va, &q, vb, t_max, options, &impact), GRAZE_OK);
      t.lower = fmin(t.lower, impact.result == GRAZE_CLEAR ? INFINITY : impact.t_lower);
      t.upper = fmin(t.upper, impact.result == GRAZE_HIT ? impact.t_upper : INFINITY);
      t.near_lower = fmin(t.near_lower, impact.result == GRAZE_CLEAR ? impact.min_lower : 0);
      t.near_upper = fmin(t.near_upper, impact.result == GRAZE_CLEAR ? impact.min_upper : 0);
    }
  }
  return t;
}

typedef struct tally {
  int hits, clear, asked;
} tally;

static void check(const graze_placed *a, graze_vec va, const graze_placed *b, graze_vec vb, tally *sum) {
  graze_options options = graze_default_options();
  graze_impact impact;
  if (rng_below(&dice, 2)) options.clearance = 0.125;
  truth t = ask_all(a, va, b, vb, 1, &options);
  assert_int_equal(graze_cast(a, va, b, vb, 1, &options, &impact), GRAZE_OK);
  sum->asked++;
  if (t.lower == INFINITY) {
    assert_int_equal(impact.result, GRAZE_CLEAR);
    assert_true(impact.min_lower <= t.near_upper && t.near_lower <= impact.min_upper);
    sum->clear++;
    return;
  }
  assert_int_equal(impact.result, GRAZE_HIT);
  assert_true(impact.t_lower <= t.upper && t.lower <= impact.t_upper);
  graze_placed p = graze_part(a, (size_t)impact.part_a), q = graze_part(b, (size_t)impact.part_b);
  graze_impact pair;
  assert_int_equal(graze_cast(&p, va, &q, vb, 1, &options, &pair), GRAZE_OK);
  assert_true(pair.result == GRAZE_HIT && pair.t_lower <= impact.t_upper && impact.t_lower <= pair.t_upper);
  sum->hits++;
}

/* One of four is a ball. */
static graze_placed any_body(int dim, compound_fixture *made, double spread) {
  made->compound = NULL;
  graze_shape shape = dim == 2 ? graze_circle(0.5) : graze_sphere(0.5);
  if (rng_below(&dice, 4) > 0) {
    random_compound(&dice, dim, 1 + rng_below(&dice, 8), true, made);
    shape = graze_compound_shape(made->compound);
  }
  return graze_place(&shape, random_grid_pose(&dice, dim, spread));
}

/* Seed 21. */
TEST(pairs_of_parts) {
  tally sum = {0, 0, 0};
  dice = 21;
  for (int i = 0; i < tiered(300, 600, 20000); i++) {
    int dim = i % 3 == 0 ? 2 : 3;
    graze_placed a = any_body(dim, &first, 1), b = any_body(dim, &second, 9);
    check(&a, any_velocity(dim, 2), &b, any_velocity(dim, 9), &sum);
    graze_compound_destroy(first.compound);
    graze_compound_destroy(second.compound);
  }
  print_message("of %d: %d hits, %d clear\n", sum.asked, sum.hits, sum.clear);
  assert_true(sum.hits * 10 > sum.asked && sum.clear * 10 > sum.asked);
}

static graze_compound *decomposed(const graze_vec *outline, size_t count, graze_decomposition *pieces) {
  graze_compound *compound;
  const graze_ring ring = {outline, count};
  assert_int_equal(graze_decompose(ring, NULL, 0, GRAZE_SPLIT_AUTO, NULL, pieces, NULL, NULL), GRAZE_OK);
  assert_int_equal(graze_decomposition_compound(pieces, NULL, &compound), GRAZE_OK);
  return compound;
}

/* Into the dent of a U the ball goes, as far as the bottom; into its hull, much too early. */
TEST(into_a_dent) {
  const graze_vec outline[8] = {{0, 0, 0}, {6, 0, 0}, {6, 6, 0}, {4, 6, 0}, {4, 2, 0}, {2, 2, 0}, {2, 6, 0}, {0, 6, 0}};
  const graze_vec still = {0, 0, 0}, down = {0, -8, 0};
  graze_decomposition pieces;
  graze_impact impact;
  graze_compound *compound = decomposed(outline, 8, &pieces);
  graze_shape u = graze_compound_shape(compound), ball = graze_circle(0.5), point = graze_point2();
  graze_placed a = graze_place(&u, graze_pose2(0, 0, 0)), b = graze_place(&ball, graze_pose2(3, 10, 0));
  assert_int_equal(graze_cast(&a, still, &b, down, 1, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_HIT);
  assert_true(impact.t_lower <= 0.9375 && 0.9375 <= impact.t_upper && impact.t_upper - impact.t_lower < 1e-9);
  /* It begins on a seam: inside. */
  graze_placed seam = graze_place(&point, graze_pose2(1, 1, 0));
  assert_int_equal(graze_cast(&a, still, &seam, down, 1, NULL, &impact), GRAZE_OK);
  assert_true(impact.result == GRAZE_HIT && impact.starts == GRAZE_OVERLAPPING && impact.t_upper == 0);
  /* And a ray past it. */
  assert_int_equal(graze_raycast(&a, (graze_vec){3, 10, 0}, (graze_vec){0, 1, 0}, INFINITY, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_CLEAR);
  graze_compound_destroy(compound);
  graze_decomposition_destroy(&pieces);
}

static graze_compound *made_of(const graze_placed *parts, size_t count) {
  graze_compound *compound;
  assert_int_equal(graze_compound_create(parts, count, NULL, &compound, NULL), GRAZE_OK);
  return compound;
}

/* Two triangles meet along a seam that begins at a vertex of the outline. From there a point slides into it, and two
 * parts that each are only touched know nothing of that: it was said to be clear. */
TEST(slides_into_a_seam) {
  const graze_vec outline[4] = {{0, 0, 0}, {4, -2, 0}, {2, 0, 0}, {4, 2, 0}}, still = {0, 0, 0};
  const graze_vec along = {1, 0, 0}, away = {-1, 0, 0};
  graze_decomposition pieces;
  graze_impact impact;
  graze_compound *compound = decomposed(outline, 4, &pieces);
  graze_shape dart = graze_compound_shape(compound), point = graze_point2(), ball = graze_circle(1);
  graze_placed a = graze_place(&dart, graze_pose2(0, 0, 0)), b = graze_place(&point, graze_pose2(0, 0, 0));
  assert_int_equal(graze_cast(&a, still, &b, along, 1, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.starts, GRAZE_TOUCHING);
  assert_true(impact.result == GRAZE_POSSIBLE || (impact.result == GRAZE_HIT && impact.t_upper == 0));
  assert_true(impact.t_lower == 0);
  b = graze_place(&ball, graze_pose2(-1, 0, 0)); /* what has an inside is seen by one of the parts */
  assert_int_equal(graze_cast(&a, still, &b, along, 1, NULL, &impact), GRAZE_OK);
  assert_true(impact.result == GRAZE_HIT && impact.starts == GRAZE_TOUCHING && impact.t_upper == 0);
  assert_int_equal(graze_cast(&a, still, &b, away, 1, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_CLEAR);
  graze_compound_destroy(compound);
  graze_decomposition_destroy(&pieces);
}

/* A triangle slides upwards along the left side of an L: it has an inside, so nothing can hide in a seam. It was said
 * to be possible, as polygons were held for flat; a flat one is. */
TEST(slides_past_a_seam) {
  const graze_vec outline[6] = {{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {2, 2, 0}, {2, 4, 0}, {0, 4, 0}};
  const graze_vec corners[3] = {{-1, 0, 0}, {0, 0, 0}, {0, 1, 0}}, flat[3] = {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}};
  const graze_vec still = {0, 0, 0}, up = {0, 1, 0};
  graze_decomposition pieces;
  graze_compound *compound;
  graze_impact impact;
  assert_int_equal(graze_decompose((graze_ring){outline, 6}, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &pieces, NULL, NULL),
                   GRAZE_OK);
  assert_int_equal(graze_decomposition_compound(&pieces, NULL, &compound), GRAZE_OK);
  graze_shape l = graze_compound_shape(compound), triangle = graze_polygon(corners, 3), line = graze_polygon(flat, 3);
  const graze_placed part = graze_place(&triangle, graze_pose2(0, 0, 0));
  graze_compound *made = made_of(&part, 1);
  graze_shape alone = graze_compound_shape(made), rounded = graze_with_margin(line, 0.5);
  const graze_pose beside = graze_pose2(-0.5, 0, 0), at = graze_pose2(0, 0, 0);
  const graze_placed a = graze_place(&l, at);
  const graze_placed solid[3] = {part, graze_place(&alone, at), graze_place(&rounded, beside)};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(graze_cast(&a, still, &solid[i], up, 1, NULL, &impact), GRAZE_OK);
    assert_true(impact.starts == GRAZE_TOUCHING && impact.result == GRAZE_CLEAR);
  }
  const graze_placed b = graze_place(&line, at);
  assert_int_equal(graze_cast(&a, still, &b, up, 1, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_POSSIBLE);
  graze_compound_destroy(made);
  graze_compound_destroy(compound);
  graze_decomposition_destroy(&pieces);
}

/* B passes by the first part so near that nobody can tell whether they meet, and then surely hits the second: there is
 * a contact by then. The time of the hit was left out of what was said. */
TEST(may_meet_and_then_hits) {
  const graze_vec still = {0, 0, 0}, speed = {1, 0, 0};
  graze_shape egg = graze_ellipsoid(1, 0.7, 1.3), wall = graze_box(0.5, 9, 9);
  const graze_placed parts[2] = {graze_place(&egg, graze_pose3((graze_vec){0, 0, 0}, 4, 1, 2, 3)),
                                 graze_place(&wall, graze_pose_at(8, 0, 0))};
  graze_impact impact;
  double meets = 0, passes = 4;
  int doubtful = 0, late = 0;
  graze_compound *compound = made_of(parts, 2);
  graze_shape shape = graze_compound_shape(compound);
  graze_placed a = graze_place(&shape, graze_pose_at(0, 0, 0));
  for (int i = 0; i < 64; i++) {
    double middle = meets + (passes - meets) / 2;
    graze_placed b = graze_place(&egg, graze_pose3((graze_vec){-6, middle, 0.25}, 3, -1, 1, 2));
    assert_int_equal(graze_cast(&parts[0], still, &b, speed, 100, NULL, &impact), GRAZE_OK);
    *(impact.result == GRAZE_CLEAR ? &passes : &meets) = middle;
    if (impact.result != GRAZE_POSSIBLE) continue;
    doubtful++;
    double from = impact.t_lower;
    late += impact.t_upper > 14;
    assert_int_equal(graze_cast(&a, still, &b, speed, 100, NULL, &impact), GRAZE_OK);
    assert_int_equal(impact.result, GRAZE_POSSIBLE);
    assert_true(fabs(impact.t_lower - from) < 1e-3 && impact.t_upper < 14);
  }
  assert_true(doubtful > 0 && late > 0);
  graze_compound_destroy(compound);
}

/* Two compounds of one box are answered as the boxes are, however slowly they come and wherever they stand. */
TEST(one_part) {
  const graze_vec still = {0, 0, 0}, slow = {1, -1e-300, 0};
  graze_shape floor = graze_halfspace((graze_vec){0, 1, 0}, 0), box = graze_box(0.5, 0.5, 0.5);
  const graze_placed part = graze_place(&box, graze_pose_at(0, 0, 0));
  graze_compound *compound = made_of(&part, 1);
  graze_shape shape = graze_compound_shape(compound);
  graze_placed a = graze_place(&floor, graze_pose_at(0, 0, 0)), b = graze_place(&shape, graze_pose_at(0, 2, 0));
  graze_impact impact;
  assert_int_equal(graze_cast(&a, still, &b, slow, 1e305, NULL, &impact), GRAZE_OK);
  assert_int_equal(impact.result, GRAZE_HIT);
  assert_true(impact.t_lower <= 1.5e300 && 1.5e300 <= impact.t_upper);
  graze_compound_destroy(compound);
}

/* What a cast does not do it refuses. It used to write the traces, caches and proofs of whichever search came last. */
TEST(options_of_one_search) {
  graze_shape box = graze_box(1, 1, 1);
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0)), b = graze_place(&box, graze_pose_at(5, 0, 0));
  const graze_vec speed = {1, 0, 0}, still = {0, 0, 0};
  graze_cache cache = {0};
  graze_surface surface;
  graze_part_proof proof;
  graze_options options[3];
  graze_impact impact;
  for (int i = 0; i < 3; i++) options[i] = graze_default_options();
  options[0].cache = &cache;
  options[1].surface = &surface;
  options[2].parts = &proof, options[2].part_capacity = 1;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(graze_cast(&a, speed, &b, still, 1, &options[i], &impact), GRAZE_BAD_OPTION);
    assert_int_equal(graze_raycast(&a, still, speed, 1, &options[i], &impact), GRAZE_BAD_OPTION);
  }
}
