/* One against a list: the same members found as by asking about each, in their order, with the same answers; and what
 * the bounds did. Seeds are stated at each test. */

#include "support/test.h"
#include "support/compounds.h"

enum { MEMBERS = 200, COMPOUNDS = 20 };

static rng dice;
static graze_placed list[MEMBERS];
static graze_vec room[MEMBERS][8];
static compound_fixture compounds[COMPOUNDS];
static long apart_by_bounds, asked, found, members;

typedef struct visit {
  size_t index[MEMBERS];
  graze_answer answer[MEMBERS];
  size_t count, most; /* says no at `most` */
} visit;

static bool listed(void *context, size_t index, const graze_answer *answer) {
  visit *v = context;
  v->index[v->count] = index;
  v->answer[v->count++] = *answer;
  return v->count < v->most;
}

static void fill(int dim) {
  for (int i = 0; i < MEMBERS; i++) {
    graze_shape shape = random_convex(&dice, dim, true, room[i]);
    if (i < COMPOUNDS)
      random_compound(&dice, dim, 3, false, &compounds[i]), shape = graze_compound_shape(compounds[i].compound);
    if (i == COMPOUNDS)
      shape = dim == 2 ? graze_halfspace2((graze_vec){0, 1, 0}, -10) : graze_halfspace((graze_vec){0, 0, 1}, -10);
    list[i] = graze_place(&shape, random_grid_pose(&dice, dim, 12));
  }
}

static void empty(void) {
  for (int i = 0; i < COMPOUNDS; i++) graze_compound_destroy(compounds[i].compound);
}

static void check_counts(const graze_list_counts *counts, const visit *v, size_t count) {
  assert_int_equal(counts->members, count);
  assert_int_equal(counts->members, counts->apart_by_bounds + counts->asked);
  assert_int_equal(counts->found, v->count);
  apart_by_bounds += (long)counts->apart_by_bounds, asked += (long)counts->asked;
  found += (long)counts->found, members += (long)counts->members;
}

/* Asks about every member by itself. */
static void check(const graze_placed *a, const graze_options *options, bool distance) {
  static visit v;
  graze_list_counts counts;
  graze_answer answer;
  size_t next = 0, at = 99;
  v.count = 0, v.most = MEMBERS + 1;
  assert_int_equal(
      (distance ? graze_distance_list : graze_intersect_list)(a, list, MEMBERS, options, listed, &v, &counts, &at),
      GRAZE_OK);
  assert_int_equal(at, 99);
  for (size_t i = 0; i < MEMBERS; i++) {
    assert_int_equal((distance ? graze_distance : graze_intersect)(a, &list[i], options, &answer), GRAZE_OK);
    bool wanted = distance ? answer.stopped != GRAZE_STOP_CUTOFF : answer.relation != GRAZE_SEPARATED;
    if (!wanted) continue;
    assert_true(next < v.count && v.index[next] == i && v.answer[next].relation == answer.relation);
    if (distance) assert_true(v.answer[next].distance == answer.distance && v.answer[next].part_a == answer.part_a);
    next++;
  }
  assert_int_equal(next, v.count);
  check_counts(&counts, &v, MEMBERS);
}

TEST(test_lists) { /* seed 81 */
  dice = 81;
  for (int i = 0; i < 60; i++) {
    graze_vec corners[8];
    graze_options options = graze_default_options();
    int dim = 2 + i % 2;
    fill(dim);
    graze_shape shape = random_convex(&dice, dim, true, corners);
    graze_placed a = i % 4 < 3 ? graze_place(&shape, random_grid_pose(&dice, dim, 12)) : list[0];
    options.max_distance = rng_below(&dice, 2) ? rng_uniform(&dice, 0, 4) : 0;
    if (rng_below(&dice, 2)) options.clearance = rng_uniform(&dice, 0, 2);
    check(&a, &options, false);
    check(&a, &options, true);
    if (i < 6) check(&a, NULL, true);
    empty();
  }
  print_message("of %ld: %ld by bounds, %ld asked, %ld found\n", members, apart_by_bounds, asked, found);
  assert_in_range(1000 * apart_by_bounds / members, 500, 950);
  assert_in_range(1000 * found / asked, 300, 950);
}

/* Boxes that touch, or miss by one ulp, with a clearance or a distance that is just enough or just not. */
TEST(test_edges) {
  static visit v;
  graze_list_counts counts;
  graze_options options = graze_default_options();
  graze_shape box = graze_box(1, 1, 1);
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0));
  list[0] = graze_place(&box, graze_pose_at(2, 0, 0));
  list[1] = graze_place(&box, graze_pose_at(nextafter(2, 3), 0, 0));
  list[2] = graze_place(&box, graze_pose_at(3, 0, 0));
  list[3] = graze_place(&box, graze_pose_at(nextafter(3, 4), 0, 0));
  v.count = 0, v.most = MEMBERS;
  assert_int_equal(graze_intersect_list(&a, list, 4, NULL, listed, &v, &counts, NULL), GRAZE_OK);
  assert_true(v.count == 1 && v.answer[0].relation == GRAZE_TOUCHING && counts.apart_by_bounds >= 2);
  v.count = 0, options.clearance = 1;
  assert_int_equal(graze_intersect_list(&a, list, 4, &options, listed, &v, NULL, NULL), GRAZE_OK);
  assert_true(v.count == 3 && v.answer[2].relation == GRAZE_TOUCHING);
  v.count = 0, options.clearance = 0, options.max_distance = 0;
  assert_int_equal(graze_distance_list(&a, list, 4, &options, listed, &v, NULL, NULL), GRAZE_OK);
  assert_true(v.count == 1 && v.answer[0].distance == 0);
  v.count = 0, options.max_distance = nextafter(1, 2);
  assert_int_equal(graze_distance_list(&a, list, 4, &options, listed, &v, NULL, NULL), GRAZE_OK);
  assert_true(v.count >= 3 && v.index[2] == 2 && v.answer[2].distance == 1);
}

TEST(test_ends) {
  static visit v;
  graze_list_counts counts = {1, 2, 3, 4};
  graze_part_proof proof;
  graze_cache cache;
  graze_surface surface;
  graze_options options = graze_default_options();
  graze_shape box = graze_box(1, 1, 1), bad = graze_box(1, -1, 1), flat = graze_circle(1);
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0));
  size_t at = 99;
  for (int i = 0; i < 8; i++) list[i] = graze_place(&box, graze_pose_at(0.25 * i, 0, 0));
  v.count = 0, v.most = 3;
  assert_int_equal(graze_intersect_list(&a, list, 8, NULL, listed, &v, &counts, &at), GRAZE_OK);
  assert_true(v.count == 3 && counts.members == 3 && counts.asked == 3 && counts.found == 3 && at == 99);
  v.count = 0, v.most = 99;
  list[5] = graze_place(&bad, graze_pose_at(1000, 0, 0));
  assert_int_equal(graze_distance_list(&a, list, 8, NULL, listed, &v, &counts, &at), GRAZE_BAD_SHAPE);
  assert_true(at == 5 && v.count == 5 && counts.members == 3);
  list[2] = graze_place(&flat, graze_pose_at(1000, 0, 0));
  assert_int_equal(graze_intersect_list(&a, list, 8, NULL, listed, &v, NULL, &at), GRAZE_DIM_MISMATCH);
  assert_int_equal(at, 2);
  assert_int_equal(graze_intersect_list(&a, list, 0, NULL, listed, &v, &counts, NULL), GRAZE_OK);
  assert_int_equal(counts.members, 0);
  options.cache = &cache;
  assert_int_equal(graze_intersect_list(&a, list, 1, &options, listed, &v, NULL, NULL), GRAZE_BAD_OPTION);
  options.cache = NULL, options.parts = &proof;
  assert_int_equal(graze_distance_list(&a, list, 1, &options, listed, &v, NULL, NULL), GRAZE_BAD_OPTION);
  options.parts = NULL, options.surface = &surface;
  assert_int_equal(graze_distance_list(&a, list, 1, &options, listed, &v, NULL, NULL), GRAZE_BAD_OPTION);
}

/* What is wrong with A or the options is so whoever is in the list, and no member's fault. */
TEST(test_bad_from_the_start) {
  static visit v;
  graze_options options = graze_default_options();
  graze_shape box = graze_box(1, 1, 1), bad = graze_box(1, -1, 1), drum = graze_cylinder(1, 1),
              plane = graze_halfspace((graze_vec){0, 0, 1}, 0);
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0)), b = graze_place(&bad, graze_pose_at(0, 0, 0)),
               c = graze_place(&drum, graze_pose_at(0, 0, 0)), d = graze_place(&plane, graze_pose_at(0, 0, 0));
  size_t at = 99;
  v.count = 0, v.most = 99;
  list[0] = a;
  for (size_t count = 0; count < 2; count++) {
    options.clearance = 0, options.method = GRAZE_METHOD_AUTO;
    assert_int_equal(graze_intersect_list(&b, list, count, NULL, listed, &v, NULL, &at), GRAZE_BAD_SHAPE);
    assert_int_equal(graze_distance_list(&b, list, count, &options, listed, &v, NULL, &at), GRAZE_BAD_SHAPE);
    options.clearance = NAN;
    assert_int_equal(graze_distance_list(&a, list, count, &options, listed, &v, NULL, &at), GRAZE_BAD_OPTION);
    options.clearance = 0, options.method = GRAZE_METHOD_SAT;
    assert_int_equal(graze_distance_list(&c, list, count, &options, listed, &v, NULL, &at), GRAZE_UNSUPPORTED);
  }
  assert_true(at == 99 && v.count == 0);
  list[0] = d; /* two half-spaces: the member's fault */
  assert_int_equal(graze_intersect_list(&d, list, 1, NULL, listed, &v, NULL, &at), GRAZE_UNSUPPORTED);
  assert_int_equal(at, 0);
}
