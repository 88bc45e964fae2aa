/* One shape against a list: the same members and answers as one query per member, in their order. Seeds are stated at
 * each test. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/shapes.h"

enum { MEMBERS = 200, COMPOUNDS = 20 };

static graze_placed list[MEMBERS];

typedef struct visit {
  size_t index[MEMBERS];
  graze_answer answer[MEMBERS];
  size_t count, most; /* stops at `most` */
} visit;

static visit v;
static graze_list_counts counts;
static ptrdiff_t bad; /* the rejected member; 99 for none, -1 for A or the options */

static bool record(void *context, size_t index, const graze_answer *answer) {
  visit *to = context;
  to->index[to->count] = index;
  to->answer[to->count++] = *answer;
  return to->count < to->most;
}

static graze_status query_list(bool distances, const graze_placed *a, size_t count, const graze_list_options *options,
                               size_t most) {
  graze_list_options used = options ? *options : graze_default_list_options();
  graze_error error = {.index = 99};
  used.error = &error;
  v.count = 0, v.most = most;
  const graze_status status =
      (distances ? graze_distance_list : graze_intersect_list)(a, list, count, &used, record, &v, &counts);
  bad = status == GRAZE_OK ? 99 : error.index;
  return status;
}

static void check(const graze_placed *a, const graze_list_options *options, bool distances, graze_list_counts *sum) {
  size_t next = 0;
  assert_int_equal(query_list(distances, a, MEMBERS, options, MEMBERS + 1), GRAZE_OK);
  assert_int_equal(bad, 99);
  for (size_t i = 0; i < MEMBERS; i++) {
    graze_options same = graze_default_options();
    if (options) same.clearance = options->clearance, same.max_distance = options->max_distance;
    const proved_answer one = distances ? distance(a, &list[i], &same) : intersect(a, &list[i], &same);
    if (distances ? one.stopped == GRAZE_STOP_CUTOFF : one.relation == GRAZE_SEPARATED) continue;
    assert_true(next < v.count && v.index[next] == i && v.answer[next].relation == one.relation);
    if (distances) assert_true(v.answer[next].distance == one.distance && v.answer[next].part_a == one.part_a);
    next++;
  }
  assert_int_equal(next, v.count);
  assert_int_equal(counts.members, MEMBERS);
  assert_int_equal(counts.members, counts.separated_by_bounds + counts.queried);
  assert_int_equal(counts.reported, v.count);
  sum->members += counts.members, sum->separated_by_bounds += counts.separated_by_bounds;
  sum->queried += counts.queried, sum->reported += counts.reported;
}

TEST(test_lists) { /* seed 81 */
  static compound_fixture compounds[COMPOUNDS];
  static graze_vec vertices[MEMBERS][8];
  graze_list_counts sum = {.members = 0};
  rng dice = 81;
  for (int i = 0; i < 60; i++) {
    graze_vec corners[8];
    const int dim = 2 + i % 2;
    for (int k = 0; k < MEMBERS; k++) {
      graze_shape shape = random_convex(&dice, dim, true, vertices[k]);
      if (k < COMPOUNDS)
        random_compound(&dice, dim, 3, false, &compounds[k]), shape = graze_compound_shape(compounds[k].compound);
      if (k == COMPOUNDS) shape = halfspace_of(dim, dim == 2 ? vec(0, 1, 0) : vec(0, 0, 1), -10);
      list[k] = place(&shape, random_grid_pose(&dice, dim, 12));
    }
    const graze_shape shape = random_convex(&dice, dim, true, corners);
    const graze_placed a = i % 4 < 3 ? place(&shape, random_grid_pose(&dice, dim, 12)) : list[0];
    graze_list_options options = graze_default_list_options();
    options.max_distance = rng_below(&dice, 2) ? rng_uniform(&dice, 0, 4) : 0;
    if (rng_below(&dice, 2)) options.clearance = rng_uniform(&dice, 0, 2);
    check(&a, &options, false, &sum);
    check(&a, &options, true, &sum);
    if (i < 6) check(&a, NULL, true, &sum);
    for (int k = 0; k < COMPOUNDS; k++) graze_compound_destroy(compounds[k].compound);
  }
  assert_in_range(1000 * sum.separated_by_bounds / sum.members, 500, 950);
  assert_in_range(1000 * sum.reported / sum.queried, 300, 950);
}

/* Boxes that touch, or miss by one ulp, with a clearance or a distance that just suffices or does not. */
TEST(test_edges) {
  const double xs[4] = {2, nextafter(2, 3), 3, nextafter(3, 4)};
  const graze_placed a = placed_at(graze_box(1, 1, 1), 0, 0, 0);
  graze_list_options options = graze_default_list_options();
  for (int i = 0; i < 4; i++) list[i] = placed_at(graze_box(1, 1, 1), xs[i], 0, 0);
  assert_int_equal(query_list(false, &a, 4, NULL, MEMBERS), GRAZE_OK);
  assert_true(v.count == 1 && v.answer[0].relation == GRAZE_TOUCHING && counts.separated_by_bounds >= 2);
  options.clearance = 1;
  assert_int_equal(query_list(false, &a, 4, &options, MEMBERS), GRAZE_OK);
  assert_true(v.count == 3 && v.answer[2].relation == GRAZE_TOUCHING);
  options.clearance = 0, options.max_distance = 0;
  assert_int_equal(query_list(true, &a, 4, &options, MEMBERS), GRAZE_OK);
  assert_true(v.count == 1 && v.answer[0].distance == 0);
  options.max_distance = nextafter(1, 2);
  assert_int_equal(query_list(true, &a, 4, &options, MEMBERS), GRAZE_OK);
  assert_true(v.count >= 3 && v.index[2] == 2 && v.answer[2].distance == 1);
}

/* The callback may stop the query; a bad member stops it, and is named. */
TEST(test_ends) {
  const graze_placed a = placed_at(graze_box(1, 1, 1), 0, 0, 0);
  for (int i = 0; i < 8; i++) list[i] = placed_at(graze_box(1, 1, 1), 0.25 * i, 0, 0);
  assert_int_equal(query_list(false, &a, 8, NULL, 3), GRAZE_OK);
  assert_true(v.count == 3 && counts.members == 3 && counts.queried == 3 && counts.reported == 3 && bad == 99);
  list[5] = placed_at(graze_box(1, -1, 1), 1000, 0, 0);
  assert_int_equal(query_list(true, &a, 8, NULL, 99), GRAZE_BAD_SHAPE);
  assert_true(bad == 5 && v.count == 5);
  list[2] = placed_at(graze_circle(1), 1000, 0, 0);
  assert_int_equal(query_list(false, &a, 8, NULL, 99), GRAZE_DIM_MISMATCH);
  assert_int_equal(bad, 2);
  assert_int_equal(query_list(false, &a, 0, NULL, 99), GRAZE_OK);
  assert_int_equal(counts.members, 0);
}

/* A bad A or bad options are reported for an empty list, too, and name no member: the index is -1. */
TEST(test_bad_from_the_start) {
  const graze_placed a = placed_at(graze_box(1, 1, 1), 0, 0, 0), b = placed_at(graze_box(1, -1, 1), 0, 0, 0);
  const graze_placed plane = placed_at(graze_halfspace(vec(0, 0, 1), 0), 0, 0, 0);
  graze_list_options wrong = graze_default_list_options();
  wrong.clearance = NAN;
  const struct {
    bool distances;
    const graze_placed *a;
    const graze_list_options *options;
    graze_status status;
  } row[] = {
      {false, &b, NULL, GRAZE_BAD_SHAPE}, {true, &b, NULL, GRAZE_BAD_SHAPE}, {true, &a, &wrong, GRAZE_BAD_OPTION}};
  list[0] = a;
  for (size_t i = 0; i < COUNT(row); i++)
    for (size_t count = 0; count < 2; count++) {
      assert_int_equal(query_list(row[i].distances, row[i].a, count, row[i].options, 99), row[i].status);
      assert_true(bad == -1 && v.count == 0);
    }
  list[0] = plane; /* two half-spaces: an error of the member */
  assert_int_equal(query_list(false, &plane, 1, NULL, 99), GRAZE_UNSUPPORTED);
  assert_int_equal(bad, 0);
}
