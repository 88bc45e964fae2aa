/* The depth of polygons by the normals of all edges: the exact search's depth lies within its bounds, whatever the
 * order of the corners, with corners that are none, and edges hardly longer than rounding. docs/theory/axes.md,
 * "Outlines" */

#include "support/test.h"
#include "axes/outline.h"
#include "support/families.h"
#include "cso/certify.h"
#include "cso/planar.h"
#include "cso/query.h"

typedef struct tally {
  long asked, told, shown, outside, rounded, narrow, by_axes;
  double width;
} tally;

static graze_answer ask(const graze_placed *a, const graze_placed *b, graze_method method) {
  graze_options options = graze_default_options();
  graze_answer answer;
  options.method = method;
  assert_int_equal(graze_distance(a, b, &options, &answer), GRAZE_OK);
  return answer;
}

static double width(const graze_answer *answer) { return answer->upper - answer->lower; }

/* The origin inside a triangle of C, exactly, and the same depth. */
static bool is_shown(const grz_obstacle *c, const grz_axis_depth *depth) {
  grz_cso_point point[3];
  grz_axis_depth same;
  if (!grz_planar_overlap(c, &same, point)) return false;
  assert_true(same.best == depth->best && same.low == depth->low && same.high == depth->high);
  graze_answer answer;
  grz_query_blank(&answer, c->a, c->b);
  grz_certify_overlapping(c, point, 3, &answer);
  assert_int_equal(graze_verify(c->a, c->b, NULL, &answer), GRAZE_OK);
  return true;
}

static void count_step(void *context, const graze_trace_step *step) {
  (void)step;
  ++*(int *)context;
}

/* Whoever watches gets the same answer. */
static void expect_same_traced(const graze_placed *a, const graze_placed *b, const graze_answer *answer) {
  graze_options options = graze_default_options();
  graze_answer traced;
  int steps = 0;
  options.trace = count_step, options.trace_context = &steps;
  assert_int_equal(graze_distance(a, b, &options, &traced), GRAZE_OK);
  assert_true(steps > 0);
  assert_true(traced.relation == answer->relation && traced.distance == answer->distance);
  assert_true(traced.lower == answer->lower && traced.upper == answer->upper);
  assert_true(traced.path == answer->path && traced.iterations == answer->iterations);
  assert_int_equal(traced.certificate.pair_count, answer->certificate.pair_count);
  for (int i = 0; i < traced.certificate.pair_count; i++) {
    assert_int_equal(traced.certificate.pairs[i].a, answer->certificate.pairs[i].a);
    assert_int_equal(traced.certificate.pairs[i].b, answer->certificate.pairs[i].b);
  }
}

/* Of cores that overlap. */
static void look(const graze_shape *shape_a, graze_pose pose_a, const graze_shape *shape_b, graze_pose pose_b,
                 tally *t) {
  const graze_placed a = graze_place(shape_a, pose_a), b = graze_place(shape_b, pose_b);
  const graze_answer exact = ask(&a, &b, GRAZE_METHOD_EXACT);
  grz_obstacle c;
  grz_axis_depth found;
  if (exact.relation != GRAZE_OVERLAPPING) return;
  t->asked++;
  grz_obstacle_make(&c, &a, &b, 0);
  if (!grz_planar_depth(&c, &found)) return;
  t->told++;
  t->shown += is_shown(&c, &found);
  const double low = -found.high / c.unit, high = -found.low / c.unit;
  t->outside += low > exact.upper || high < exact.lower;
  t->rounded += -found.best / c.unit < exact.lower || -found.best / c.unit > exact.upper;
  t->width = fmax(t->width, (high - low) * c.unit / c.size);
  const graze_answer answer = ask(&a, &b, GRAZE_METHOD_AUTO);
  assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
  assert_true(answer.lower <= exact.upper && answer.upper >= exact.lower);
  expect_same_traced(&a, &b, &answer);
  t->narrow += width(&answer) <= 1e-12 * fmax(-answer.distance, c.scale / c.unit);
  t->by_axes += answer.path == GRAZE_PATH_SAT;
}

static void expect(const char *name, const tally *t, long all) {
  print_message("%-18s %ld of %ld overlap; %ld told, %ld shown, %ld by axes, %ld rounded past the truth; width %.1e\n",
                name, t->asked, all, t->told, t->shown, t->by_axes, t->rounded, t->width);
  assert_true(t->shown * 100 >= t->told * 90);
  assert_in_range(t->asked * 100 / all, 30, 95);
  assert_int_equal(t->outside, 0);
  assert_int_equal(t->narrow, t->told);
  assert_true(t->told * 100 >= t->asked * 98);
  assert_true(t->by_axes * 100 >= t->told * 95);
  assert_true(t->width < 0x1p-44);
}

/* Seed 41. The rounded depths are not good enough: that shows that the bounds are needed. */
TEST(test_random_polygons) {
  const long all = tiered(3000, 6000, 300000);
  rng random = {41};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    pair.a = random_polygon(&random, pair.vertices_a);
    pair.b = i % 3 ? random_polygon(&random, pair.vertices_b) : random_box(&random, 2);
    pair.a.margin = pair.b.margin = 0;
    if (pair.a.vertex_count > GRZ_OUTLINE_MOST || pair.b.vertex_count > GRZ_OUTLINE_MOST) continue;
    look(&pair.a, random_pose(&random, 2, 0.5), &pair.b, random_pose(&random, 2, 0.5), &t);
  }
  expect("random", &t, all);
  assert_true(t.rounded > 0);
}

/* Seed 42. */
TEST(test_odd_lists) {
  const long all = tiered(2000, 4000, 200000);
  rng random = {42};
  tally t = {.asked = 0};
  long refused = 0;
  for (long i = 0; i < all; i++) {
    graze_vec vertices_a[PAIR_VERTICES], vertices_b[PAIR_VERTICES];
    const graze_shape a = random_odd_polygon(&random, vertices_a), b = random_odd_polygon(&random, vertices_b);
    const graze_pose pose_a = random_pose(&random, 2, 1);
    const graze_pose pose_b = i % 2 ? random_pose(&random, 2, 1) : pose_a; /* many parallel edges */
    if (graze_place(&a, pose_a).status != GRAZE_OK || graze_place(&b, pose_b).status != GRAZE_OK)
      refused++; /* less than three corners are left */
    else
      look(&a, pose_a, &b, pose_b, &t);
  }
  assert_true(refused * 10 < all);
  expect("odd lists", &t, all);
}

/* Seed 43: points, segments, capsules, triangles, boxes, sides of 1 to 1e-9, all of them in units of 1 and 1e-200. */
TEST(test_other_kinds) {
  const long all = tiered(2000, 4000, 200000);
  rng random = {43};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    shape_pair pair;
    random_few_corners(&random, i % 2 ? 1e-9 : 1, 2, &pair);
    pair.pose_a = random_pose(&random, 2, 0.25), pair.pose_b = random_pose(&random, 2, 0.25);
    scale_pair(&pair, i % 4 ? 1 : 0x1p-660);
    look(&pair.a, pair.pose_a, &pair.b, pair.pose_b, &t);
  }
  expect("other kinds", &t, all);
}

/* A hair so short that the square of it has lost digits is left to others, one that has not is not. */
TEST(test_hairs) {
  const struct {
    int exponent;
    bool told;
  } hairs[] = {{-52, true}, {-290, true}, {-310, false}, {-600, false}, {-1060, false}};
  const graze_shape box = graze_box2(0.5, 0.25);
  const graze_placed b = graze_place(&box, graze_pose2(0.25, 0.125, 0.5));
  for (size_t i = 0; i < sizeof hairs / sizeof hairs[0]; i++) {
    const graze_vec v[] = {{0, 0, 0}, {ldexp(1, hairs[i].exponent), 0, 0}, {1, 0.125, 0}, {1, 1, 0}, {0, 1, 0}};
    const graze_shape hairy = graze_polygon(v, 5);
    const graze_placed a = graze_place(&hairy, graze_pose2(0, 0, 0.25));
    grz_obstacle c;
    grz_axis_depth found;
    grz_obstacle_make(&c, &a, &b, 0);
    assert_int_equal(grz_planar_depth(&c, &found), hairs[i].told);
    assert_int_equal(ask(&a, &b, GRAZE_METHOD_AUTO).path, hairs[i].told ? GRAZE_PATH_SAT : GRAZE_PATH_EPA);
  }
}

/* Who wants to see a surface gets one, and what has too many corners takes the other path. */
TEST(test_who_takes_another_path) {
  graze_vec many[GRZ_OUTLINE_MOST + 1];
  for (int i = 0; i <= GRZ_OUTLINE_MOST; i++) many[i] = (graze_vec){i, (double)i * (GRZ_OUTLINE_MOST - i) / 8, 0};
  const graze_shape few = graze_polygon(many, GRZ_OUTLINE_MOST), more = graze_polygon(many, GRZ_OUTLINE_MOST + 1);
  const graze_placed a = graze_place(&few, graze_pose2(0, 0, 0)), b = graze_place(&few, graze_pose2(1, 0.5, 0.125));
  const graze_placed large = graze_place(&more, graze_pose2(1, 0.5, 0.125));
  assert_int_equal(ask(&a, &b, GRAZE_METHOD_AUTO).path, GRAZE_PATH_SAT);
  assert_int_equal(ask(&a, &large, GRAZE_METHOD_AUTO).path, GRAZE_PATH_EPA);
  _Alignas(16) static unsigned char room[1 << 16];
  graze_surface surface;
  graze_options options = graze_default_options();
  graze_answer answer;
  options.surface = &surface, options.workspace = room, options.workspace_size = sizeof room;
  assert_int_equal(graze_distance(&a, &b, &options, &answer), GRAZE_OK);
  assert_int_equal(answer.path, GRAZE_PATH_EPA);
  assert_int_equal(graze_verify(&a, &b, &options, &answer), GRAZE_OK);
}
