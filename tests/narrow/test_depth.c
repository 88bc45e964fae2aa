/* Depths in workspaces of any size: nothing is written beyond, no interval misses, and none is wide unreported. */
#include "support/families_run.h"
#include "support/query.h"
#include "support/shapes.h"

/* ---- workspaces of the families */

static void query_within(family_runner *r, size_t size) {
  graze_options options = graze_default_options();
  proved_answer x;
  options.workspace = malloc(size ? size : 1); /* of that size, for the sanitizers */
  assert_non_null(options.workspace);
  options.workspace_size = size;
  options.surface = &r->surface;
  graze_status status = query_distance(&r->a, &r->b, &options, &x);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : NULL;
  if (!why && x.relation != oracle_relation(r->o)) why = "WRONG RELATION";
  if (!why && !(oracle_compare(r->o, x.lower) >= 0 && oracle_compare(r->o, x.upper) <= 0)) why = "INTERVAL MISSES";
  if (!why && x.stopped != GRAZE_STOP_BUDGET) why = family_validate(r, &x);
  if (!why && (status = verify_answer(&r->a, &r->b, NULL, &x)) != GRAZE_OK) why = graze_status_text(status);
  if (why) family_fail(r, "distance in a small workspace", why, &x);
  free(options.workspace);
}

static void check_workspaces(family_runner *r, rng *random, int i) {
  (void)random, (void)i;
  if (!family_place(r)) return;
  for (size_t size = 0; size < 2048; size += 56) query_within(r, size);
  for (size_t points = 8; points <= 256; points *= 2) query_within(r, graze_workspace_size(points));
}

TEST(workspaces_of_any_size) {
  family_plan plan = {
      families_depth, families_depth_count, tiered(2, 4, 100), 0, ", workspaces", check_workspaces, NULL};
  assert_int_equal(family_run(&plan), 0);
}

/* ---- workspaces of every kind of query, between canaries */

enum { CANARIES = 256, CANARY = 0x5a, ENOUGH = 1 << 20 };

static _Alignas(16) unsigned char workspace[CANARIES + ENOUGH + CANARIES];

static void set_canaries(size_t size) {
  memset(workspace, CANARY, CANARIES);
  memset(workspace + CANARIES + size, CANARY, CANARIES);
}

static void check_canaries(size_t size) {
  unsigned char whole[CANARIES];
  memset(whole, CANARY, sizeof whole);
  assert_memory_equal(workspace, whole, CANARIES);
  assert_memory_equal(workspace + CANARIES + size, whole, CANARIES);
}

/* Points of a sphere with slightly different radii: all of them are vertices. */
static graze_shape ball_of_points(graze_vec *v, int count, int dim) {
  for (int i = 0; i < count; i++) {
    const double z = dim == 2 ? 0 : 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z) * (1 + 0.001 * (i % 3));
    v[i] = vec(r * cos(2.4 * i), r * sin(2.4 * i), z);
  }
  return hull_of(dim, v, count);
}

static double disk_support(void *context, graze_vec d, graze_vec *point) {
  (void)context;
  const double length = hypot(d.x, d.y);
  *point = vec(length > 0 ? d.x / length : 0, length > 0 ? d.y / length : 0, d.z > 0 ? 0.5 : -0.5);
  return 0x1p-49;
}

/* One pair for every kind of query that needs a workspace. */
enum { HULLS, HULLS_2D, BOXES, ROUNDED, THIN, SEGMENTS, CURVED, CURVED_2D, USER, KINDS };

static void make_pair(int kind, graze_placed *a, graze_placed *b) {
  static graze_vec hundred[100], few[30], flat[40], level[37];
  const graze_shape hull = ball_of_points(hundred, 100, 3), other = ball_of_points(few, 30, 3);
  const graze_shape pairs[KINDS][2] = {
      {hull, other},
      {ball_of_points(flat, 40, 2), ball_of_points(level, 37, 2)},
      {graze_box(1, 2, 3), graze_box(1, 2, 3)},
      {graze_sphere(1), graze_with_margin(other, 0.5)},
      {graze_capsule(0.5, 1), graze_triangle(hundred[0], hundred[50], hundred[99])},
      {graze_segment(hundred[0], hundred[99]), graze_segment(hundred[20], hundred[70])},
      {graze_ellipsoid(1, 2, 3), graze_cylinder(1, 2)},
      {graze_ellipse(1, 2), graze_box2(1, 2)},
      {graze_cone(1, 2), graze_user(3, disk_support, NULL)},
  };
  const bool level_pair = pairs[kind][0].dim == 2;
  *a = posed(pairs[kind][0], level_pair ? graze_pose2(0, 0, 1) : graze_pose3(vec(0, 0, 0), 1, 0.5, -0.25, 2));
  *b = placed_at(pairs[kind][1], 0.25, 0.125, level_pair ? 0 : -0.0625);
}

static bool is_narrow(const proved_answer *x) { return x->upper - x->lower <= 1e-9 * fmax(fabs(x->distance), 8); }

/* Returns whether the interval is wide. */
static bool check_within(const graze_placed *a, const graze_placed *b, const graze_options *options,
                         const proved_answer *truth) {
  proved_answer x;
  memset(&x, 0, sizeof x);
  assert_int_equal(query_distance(a, b, options, &x), GRAZE_OK);
  assert_int_equal(x.relation, truth->relation);
  assert_true(x.lower <= truth->upper && truth->lower <= x.upper);
  assert_true(x.lower <= x.distance && x.distance <= x.upper);
  if (!is_narrow(&x)) assert_int_equal(x.stopped, GRAZE_STOP_BUDGET);
  if (options->surface) assert_int_equal(verify_answer(a, b, options, &x), GRAZE_OK);
  return !is_narrow(&x);
}

/* Returns how many intervals are wide. */
static int check_sizes(int kind, size_t step, graze_method method, bool shown) {
  graze_placed a, b;
  proved_answer truth;
  graze_surface surface;
  graze_options options = by_method(method);
  int wide = 0;
  make_pair(kind, &a, &b);
  options.workspace = workspace + CANARIES, options.workspace_size = ENOUGH;
  if (shown) options.surface = &surface;
  assert_int_equal(query_distance(&a, &b, &options, &truth), GRAZE_OK);
  assert_true(is_narrow(&truth) && truth.stopped == GRAZE_STOP_NONE);
  for (size_t size = 0; size <= graze_workspace_size(64); size += step) {
    set_canaries(size);
    options.workspace_size = size;
    wide += check_within(&a, &b, &options, &truth);
    check_canaries(size);
  }
  return wide;
}

TEST(odd_sizes_of_every_query) {
  static const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_GJK, GRAZE_METHOD_EPA, GRAZE_METHOD_EXACT};
  const size_t step = (size_t)tiered(351, 351, 117), fine = step / 117;
  for (int kind = 0; kind < KINDS; kind++)
    for (int i = 0; i < (kind >= CURVED ? 6 : 8); i++) (void)check_sizes(kind, step, methods[i / 2], i % 2);
  assert_true(check_sizes(HULLS, fine, GRAZE_METHOD_AUTO, true) > 100);
  assert_true(check_sizes(HULLS_2D, fine, GRAZE_METHOD_AUTO, true) > 100);
  assert_true(check_sizes(CURVED, 4 * fine + 1, GRAZE_METHOD_AUTO, true) > 100);
}

/* Queries without an interval to widen return GRAZE_NO_SPACE. */
TEST(too_small_for_any_answer) {
  graze_options options = graze_default_options();
  const graze_placed a = posed(graze_box(1, 2, 3), identity), b = placed_at(graze_box(1, 2, 3), 1, 1, 1);
  const size_t least = graze_workspace_size(64);
  graze_placed p, q;
  graze_axis best;
  int sums = 0;
  make_pair(HULLS, &p, &q);
  options.workspace = workspace + CANARIES;
  for (size_t size = 0; size <= graze_workspace_size(64 + 4); size++) {
    proved_answer x;
    set_canaries(size);
    options.workspace_size = size;
    options.method = METHOD_BRUTE;
    assert_int_equal(query_distance(&a, &b, &options, &x), size >= least ? GRAZE_OK : GRAZE_NO_SPACE);
    if (size >= least) assert_true(x.lower <= -1 && x.upper >= -1 && is_narrow(&x));
    options.method = GRAZE_METHOD_AUTO;
    check_canaries(size);
    if (size % 7 > 0) continue;
    graze_vec points[64];
    graze_pair pairs[64];
    size_t count;
    bool holds;
    const graze_status sum =
        graze_compare_minkowski(&a, &b, GRAZE_MINKOWSKI_SUM, &options, points, pairs, 64, &count, &holds);
    assert_true(sum == GRAZE_OK || sum == GRAZE_NO_SPACE);
    if (size < least) assert_int_equal(sum, GRAZE_NO_SPACE);
    if (size >= graze_workspace_size(64 + 3)) assert_int_equal(sum, GRAZE_OK);
    sums += sum == GRAZE_OK;
    assert_int_equal(graze_compare_axes(&p, &q, &options, NULL, NULL, &best),
                     GRAZE_NO_SPACE); /* hulls of 100 and 30 points */
    check_canaries(size);
  }
  assert_true(sums > 10);
  options.workspace_size = ENOUGH;
  assert_int_equal(graze_compare_axes(&p, &q, &options, NULL, NULL, &best), GRAZE_OK);
}
