/* Traces: textbook examples of GJK, and what every step must satisfy (watch.c); tracing changes no answer. */
#include "support/watch.h"
#include "support/query.h"
#include "support/shapes.h"

static watch w;
static shape_pair pair, tiny;

static proved_answer watched(bool distance, const graze_options *options, const char *name) {
  const proved_answer answer = watch_query(&w, &pair, NULL, 1, distance, options ? *options : graze_default_options());
  if (w.wrong) {
    print_query_line(stderr, name, distance ? "distance" : "intersect", &pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
    fail_msg("%s, step %d, phase %d: %s", name, w.count, (int)w.last.phase, w.wrong);
  }
  return answer;
}

/* ---- the steps of GJK and of the exact search */

enum { MOST_STEPS = 160 };

typedef struct record {
  graze_phase phase;
  int count;
  graze_trace_step step[MOST_STEPS];
  graze_tracer tracer;
} record;

static void keep_step(void *context, const graze_trace_step *step) {
  record *r = context;
  if (step->phase != r->phase || r->count == MOST_STEPS) return;
  r->step[r->count++] = *step;
}

static graze_options recording(record *r, graze_phase phase) {
  graze_options options = graze_default_options();
  r->phase = phase, r->count = 0;
  r->tracer = (graze_tracer){keep_step, r};
  options.tracer = &r->tracer;
  return options;
}

static proved_answer trace_squares(record *r, const graze_vec *second, bool measured) {
  static const graze_vec square[4] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}};
  const graze_placed a = posed(graze_polygon(square, 4), identity), b = posed(graze_polygon(second, 4), identity);
  graze_options options = recording(r, GRAZE_PHASE_GJK);
  options.method = GRAZE_METHOD_GJK;
  options.start = vec(1, 0, 0);
  return measured ? proved_distance(&a, &b, &options) : intersect(&a, &b, &options);
}

static void expect_point(const graze_trace_step *step, double x, double y) {
  assert_true(step->support.point.x == x && step->support.point.y == y && step->support.point.z == 0);
}

TEST(textbook_squares) {
  static const graze_vec over[4] = {{2, 2, 0}, {5, 2, 0}, {5, 5, 0}, {2, 5, 0}}, corner = {3, 3, 0};
  static const graze_vec beside[4] = {{3, 3, 0}, {5, 3, 0}, {3, 5, 0}, {3, 5, 0}};
  static record r;
  for (int measured = 0; measured < 2; measured++) {
    assert_int_equal(trace_squares(&r, over, measured).relation, GRAZE_OVERLAPPING);
    assert_true(measured ? r.count >= 3 : r.count == 3);
    expect_point(&r.step[0], 1, -2);
    expect_point(&r.step[1], -5, 1);
    expect_point(&r.step[2], 1, 1);
    assert_true(r.step[0].direction.x > 0 && r.step[0].direction.y == 0);
    assert_true(r.step[0].support.a == 1 && r.step[0].support.b == 0);
    assert_true(r.step[2].stop == GRAZE_TRACE_CONTAINS_ORIGIN && r.step[2].simplex_count == 3);
    const proved_answer x = trace_squares(&r, beside, measured);
    assert_true(x.relation == GRAZE_TOUCHING && x.distance == 0 && r.count == 2);
    expect_point(&r.step[0], 0, -3);
    expect_point(&r.step[1], 0, 0);
    assert_int_not_equal(r.step[1].stop, GRAZE_TRACE_CONTINUE);
    assert_true(same_vec(x.point_a, corner) && same_vec(x.point_b, corner));
  }
}

/* If the first simplex that holds the origin is flat, GJK runs a second time, whose steps are counted on. */
TEST(a_flat_simplex_is_tried_again) {
  static record r;
  const graze_placed a = posed(graze_box(1, 1, 1), identity);
  for (int i = 1; i < 8; i++) {
    const graze_placed b = placed_at(graze_box(1, 2, 3), i & 1 ? 0.25 : 0, i & 2 ? 0.5 : 0, i & 4 ? 0.75 : 0);
    graze_options options = recording(&r, GRAZE_PHASE_GJK);
    options.method = GRAZE_METHOD_EPA;
    const proved_answer x = distance(&a, &b, &options);
    int first = 0, runs = 0;
    while (r.step[first].stop == GRAZE_TRACE_CONTINUE) first++;
    for (int k = 0; k < r.count; k++) runs += r.step[k].stop != GRAZE_TRACE_CONTINUE;
    assert_int_equal(r.step[first].stop, GRAZE_TRACE_CONTAINS_ORIGIN);
    assert_int_equal(runs, r.step[first].simplex_count == 4 ? 1 : 2);
    if (i == 2) assert_int_equal(runs, 2);
    assert_true(x.algorithm == GRAZE_ALGORITHM_EPA || x.algorithm == GRAZE_ALGORITHM_EXACT);
    assert_true(r.count < x.iterations); /* EPA counts too */
  }
}

static bool same_step(const graze_trace_step *p, const graze_trace_step *q) {
  bool same = same_vec(p->direction, q->direction) && p->simplex_count == q->simplex_count &&
              p->support.a == q->support.a && p->support.b == q->support.b;
  for (int i = 0; same && i < p->simplex_count; i++)
    same = p->simplex[i].a == q->simplex[i].a && p->simplex[i].b == q->simplex[i].b;
  return same;
}

static graze_placed wild_hull(rng *random, graze_vec *v) {
  for (int k = 0; k < 12; k++) v[k] = rng_magnitude_vec(random, 3, -1000, -1);
  const graze_vec at = rng_magnitude_vec(random, 3, -1000, -1), axis = rng_magnitude_vec(random, 3, -1000, -1);
  return posed(graze_hull_points(v, 12), graze_pose3(at, 1, axis.x, axis.y, axis.z));
}

/* If the exact search needs a larger arena, it begins anew; its steps are reported once. Seed 8. */
TEST(exact_steps_come_once) {
  static record r;
  rng random = 8;
  int long_traces = 0;
  for (int i = 0; i < 800; i++) {
    const graze_placed a = wild_hull(&random, pair.vertices_a), b = wild_hull(&random, pair.vertices_b);
    graze_options options = recording(&r, GRAZE_PHASE_EXACT);
    options.method = GRAZE_METHOD_EXACT;
    const proved_answer x = intersect(&a, &b, &options);
    assert_in_range(r.count, 1, x.iterations + 2);
    for (int k = 0; k < r.count; k++) assert_int_equal(r.step[k].stop != GRAZE_TRACE_CONTINUE, k == r.count - 1);
    for (int k = 1; k < r.count; k++)
      for (int j = 0; j < k; j++) assert_false(same_step(&r.step[j], &r.step[k]));
    long_traces += r.count > 2;
  }
  assert_true(long_traces > 400);
}

/* ---- every phase */

typedef struct tally {
  long queries, exact, epa;
} tally;

static long queries_with[GRAZE_PHASE_NEWTON + 1]; /* of each phase */

/* Which phases an answer must have shown. */
static void expect_phases(const proved_answer *x, graze_method method) {
  if (method == GRAZE_METHOD_EXACT) assert_true(w.phase[GRAZE_PHASE_EXACT] > 0 && w.phase[GRAZE_PHASE_GJK] == 0);
  /* graze_compare_sat() also counts the axes of its test, which it does not trace */
  const bool counted = method != METHOD_SAT;
  const int *phase = w.phase;
  const int searched = phase[GRAZE_PHASE_GJK] + phase[GRAZE_PHASE_DIRECTION];
  if (counted) assert_true(phase[GRAZE_PHASE_GJK] <= x->iterations);
  switch (x->algorithm) {
  case GRAZE_ALGORITHM_GJK: /* perhaps after a walk without a result */
    assert_int_equal(w.count, searched + phase[GRAZE_PHASE_BOUNDARY_WALK]);
    if (!x->exact && counted) assert_int_equal(searched, x->iterations);
    break;
  case GRAZE_ALGORITHM_BOUNDING_SPHERES: assert_true(w.count == 1 && phase[GRAZE_PHASE_BOUNDING_SPHERES] == 1); break;
  case GRAZE_ALGORITHM_BOUNDARY_WALK:
    assert_true(phase[GRAZE_PHASE_BOUNDARY_WALK] >= 1 && w.count == searched + phase[GRAZE_PHASE_BOUNDARY_WALK]);
    assert_int_equal(phase[GRAZE_PHASE_GJK], 0);
    assert_in_range(phase[GRAZE_PHASE_DIRECTION], 1, 2); /* the line of centres, and perhaps an edge normal */
    break;
  default: break;
  }
  if (x->algorithm == GRAZE_ALGORITHM_EXACT) assert_true(w.phase[GRAZE_PHASE_EXACT] + w.phase[GRAZE_PHASE_EPA] > 0);
  if (x->algorithm == GRAZE_ALGORITHM_EPA) assert_true(w.phase[GRAZE_PHASE_EPA] > 0);
  if (method == GRAZE_METHOD_AUTO && x->algorithm == GRAZE_ALGORITHM_SAT) {
    assert_in_range(w.phase[GRAZE_PHASE_AXES], 1, x->iterations);
    assert_int_equal(w.phase[GRAZE_PHASE_EPA], 0);
  }
  if (method == METHOD_SAT && x->algorithm == GRAZE_ALGORITHM_SAT) assert_int_equal(w.phase[GRAZE_PHASE_EPA], 0);
  assert_int_equal(w.phase[GRAZE_PHASE_PORTAL], 0);
}

/* Seed 5. */
static tally watch_families(const family *list, int count, int pairs) {
  static const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_EPA, GRAZE_METHOD_EXACT,
                                         GRAZE_METHOD_GJK,  METHOD_BRUTE,     METHOD_SAT};
  tally t = {0, 0, 0};
  for (int f = 0; f < count; f++) {
    rng random = 5;
    for (int i = 0; i < pairs; i++) {
      graze_options options = by_method(i / 12 % 2 ? GRAZE_METHOD_AUTO : methods[i % 6]);
      list[f].make(&random, &pair);
      if (i % 4 == 3) options.start = rng_vec(&random, pair.a.dim, 1);
      const proved_answer x = watched(i % 3 != 0, &options, list[f].name);
      if (w.count > 0) expect_phases(&x, options.method);
      const bool by_choice = options.method == GRAZE_METHOD_EXACT || options.method == METHOD_BRUTE;
      t.queries++;
      t.exact += w.phase[GRAZE_PHASE_EXACT] > 0 && !by_choice;
      t.epa += w.phase[GRAZE_PHASE_EPA] > 0;
      for (int k = 0; k <= GRAZE_PHASE_NEWTON; k++) queries_with[k] += w.phase[k] > 0;
    }
  }
  return t;
}

TEST(polytopes) {
  const int pairs = tiered(54, 72, 20000);
  (void)watch_families(families_random, families_random_count, 5 * pairs);
  (void)watch_families(families_paths, families_paths_count, 3 * pairs);
  (void)watch_families(families_triangles, families_triangles_count, pairs);
  const tally bad = watch_families(families_degenerate, families_degenerate_count, pairs);
  const tally deep = watch_families(families_depth, families_depth_count, pairs);
  assert_true(bad.exact * 10 > bad.queries);
  assert_true(deep.epa * 4 > deep.queries);
  for (int k = GRAZE_PHASE_GJK; k <= GRAZE_PHASE_NEWTON; k++)
    if (k != GRAZE_PHASE_PORTAL && k != GRAZE_PHASE_NEWTON && queries_with[k] <= 20)
      fail_msg("phase %d: %ld queries", k, queries_with[k]);
}

/* Overlaps, and pairs moved along the normal until they nearly touch, which portals decide. Seed 6. */
TEST(curved) {
  rng random = 6;
  const int count = tiered(200, 400, 50000);
  int portal = 0, near = 0, epa = 0, newton = 0;
  for (int i = 0; i < count; i++) {
    const int dim = i % 3 == 0 ? 2 : 3;
    pair.a = random_curved(&random, dim, 0.3);
    pair.b = rng_coin(&random) ? random_curved(&random, dim, 0.3) : random_shape(&random, dim, pair.vertices_b);
    place_near(&random, &pair, 1, 1.5);
    const proved_answer x = watched(true, NULL, "curved");
    newton += w.phase[GRAZE_PHASE_NEWTON] > 0;
    epa += w.phase[GRAZE_PHASE_EPA] > 0;
    if (x.relation != GRAZE_SEPARATED) continue;
    pair.pose_b.position = add_scaled(pair.pose_b.position, -x.distance, x.normal);
    (void)watched(i % 2, NULL, "curved, near");
    near++, portal += w.phase[GRAZE_PHASE_PORTAL] > 0;
  }
  assert_true(epa * 10 > count && near * 10 > count && portal * 4 > near && newton * 100 > count);
}

/* Every step of Newton's method shows the least upper bound so far, the last one that of the answer. Seed 12. */
TEST(newton_shows_its_bound) {
  static record r;
  rng random = 12;
  int shown = 0;
  for (int i = 0; i < 200; i++) {
    const graze_placed a = posed(graze_ellipsoid(1, rng_uniform(&random, 0.3, 1), 0.5), identity),
                       b = placed_at(graze_ellipsoid(0.5, 1, rng_uniform(&random, 0.3, 1)), 2.5, i * 0.01, 0.5);
    graze_options options = recording(&r, GRAZE_PHASE_NEWTON);
    const proved_answer x = distance(&a, &b, &options);
    if (r.count == 0) continue;
    shown++;
    for (int k = 1; k < r.count; k++) assert_true(r.step[k].upper <= r.step[k - 1].upper * (1 + 0x1p-40));
    assert_true(fabs(r.step[r.count - 1].upper - x.distance) <= 1e-9);
  }
  assert_in_range(shown, 100, 200);
}

/* Lengths are in the caller's unit, however small. Seed 7. */
TEST(tiny_shapes) {
  int epa = 0, separated = 0;
  for (int f = 0; f < families_random_count; f++) {
    rng random = 7, same = 7;
    for (int i = 0; i < 20; i++) {
      const graze_options options = by_method(i % 2 ? GRAZE_METHOD_EPA : GRAZE_METHOD_AUTO);
      families_random[f].make(&random, &pair);
      families_random[f].make(&same, &tiny);
      scale_pair(&tiny, 0x1p-500);
      const proved_answer x = watch_query(&w, &pair, &tiny, 0x1p500, true, options);
      if (w.wrong) fail_msg("%s, tiny %d, step %d: %s", families_random[f].name, i, w.count, w.wrong);
      epa += w.phase[GRAZE_PHASE_EPA] > 0, separated += x.relation == GRAZE_SEPARATED;
    }
  }
  assert_true(epa > 20 && separated > 20);
}

/* Fixed: a walk on an edge that is rounded to zero had no direction, and one whose foot is rounded to its beginning
 * was repeated. Squares up to 2^56 times as far from each other as they are large, one facing the other. Seed 10. */
TEST(walks_on_edges_below_rounding) {
  static const graze_vec corner[4] = {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
  static record r;
  rng random = 10;
  int walks = 0, near = 0;
  for (int exponent = 30; exponent < 56; exponent++) {
    for (int i = 0; i < 500; i++) {
      const double angle = rng_uniform(&random, -3, 3), distant = ldexp(1, exponent);
      const double turned = angle + rng_uniform(&random, -0.5, 0.5) * ldexp(1, -45 - i % 12);
      const graze_pose turned_there = graze_pose2(distant * cos(angle), distant * sin(angle), turned);
      const graze_placed a = posed(graze_polygon(corner, 4), turned_there),
                         b = posed(graze_polygon(corner, 4), graze_pose2(0, 0, rng_uniform(&random, -3, 3)));
      graze_options options = recording(&r, GRAZE_PHASE_BOUNDARY_WALK);
      const proved_answer x = distance(&a, &b, &options);
      assert_int_equal(x.relation, GRAZE_SEPARATED);
      assert_in_range(r.count, 0, 8);
      for (int k = 0; k < r.count; k++) assert_true(r.step[k].lower <= r.step[k].upper * (1 + 0x1p-40));
      walks += exponent < 48 && x.algorithm == GRAZE_ALGORITHM_BOUNDARY_WALK, near += exponent < 48;
    }
  }
  assert_int_equal(walks, near);
}

/* Fixed: equal boxes face to face, whose nearest edge was found again and again. Seed 11. */
TEST(walks_between_equal_boxes) {
  static record r;
  rng random = 11;
  int walks = 0;
  for (int i = 0; i < 1000; i++) {
    const double angle = rng_uniform(&random, -4, 4), offset = 1 + rng_uniform(&random, 0.125, 1);
    const graze_placed a = posed(graze_box2(0.5, 0.5), graze_pose2(0, 0, angle)),
                       b = posed(graze_box2(0.5, 0.5), graze_pose2(offset * cos(angle), offset * sin(angle), angle));
    graze_options options = recording(&r, GRAZE_PHASE_BOUNDARY_WALK);
    walks += distance(&a, &b, &options).algorithm == GRAZE_ALGORITHM_BOUNDARY_WALK;
    assert_in_range(r.count, 0, 4);
  }
  assert_int_equal(walks, 1000);
}

/* Fixed: the only step of a walk beyond max_distance was lost, and the bound of subnormal shapes was not certain.
 * Seed 12. */
TEST(walks_beyond_max_distance) {
  rng random = 12;
  int beyond = 0, tiny_beyond = 0;
  for (int i = 0; i < 600; i++) {
    graze_options options = graze_default_options();
    options.max_distance = i % 3 * 0.25;
    for (int k = 0; k < 3; k++)
      pair.vertices_a[k] = rng_vec(&random, 2, 1), pair.vertices_b[k] = rng_vec(&random, 2, 1);
    pair.a = graze_polygon(pair.vertices_a, 3), pair.b = graze_polygon(pair.vertices_b, 3);
    pair.pose_a = graze_pose2(0, 0, rng_uniform(&random, -4, 4));
    pair.pose_b = graze_pose2(rng_uniform(&random, -3, 3), rng_uniform(&random, -3, 3), 0);
    const proved_answer x = watched(true, &options, "beyond max_distance");
    if (x.stopped == GRAZE_STOP_CUTOFF) assert_int_not_equal(w.last.stop, GRAZE_TRACE_CONTINUE);
    beyond += x.stopped == GRAZE_STOP_CUTOFF && w.count == 1;

    const double size = ldexp(rng_uniform(&random, 0.5, 1), -1042 - i % 20);
    const graze_placed a = posed(graze_box2(size, size / 3), pair.pose_a),
                       b = posed(graze_box2(size, size / 2), graze_pose2(3 * size, size, 0.5));
    options.max_distance = 0;
    tiny_beyond += distance(&a, &b, &options).relation == GRAZE_SEPARATED; /* verified */
  }
  assert_true(beyond > 100 && tiny_beyond > 500);
}

/* Two triangles in 3D that touch: the relation has numbers, so the trace showed a boundary walk in 2D. */
TEST(triangles_that_touch) {
  static record walk, axes;
  const graze_placed a = posed(graze_triangle(vec(1, 2, -2), vec(1, 1, -2), vec(-2, 2, -1)), identity);
  const graze_placed b = placed_at(graze_triangle(vec(1, 1, -12), vec(-1, -1, -11), vec(-2, 2, -9)), 0, 0, 10);
  graze_options options = recording(&walk, GRAZE_PHASE_BOUNDARY_WALK);
  const proved_answer x = intersect(&a, &b, &options);
  assert_true(x.relation == GRAZE_TOUCHING && x.algorithm == GRAZE_ALGORITHM_SAT && walk.count == 0);
  options = recording(&axes, GRAZE_PHASE_AXES);
  (void)intersect(&a, &b, &options);
  assert_int_equal(axes.count, 2);
  assert_int_equal(axes.step[1].stop, GRAZE_TRACE_CONTAINS_ORIGIN);
}

/* A workspace that is soon full. Seed 9. */
TEST(a_small_workspace) {
  static double workspace[1 << 12];
  rng random = 9;
  int full = 0;
  for (int i = 0; i < 300; i++) {
    graze_options options = by_method(GRAZE_METHOD_EPA);
    families_depth[i % families_depth_count].make(&random, &pair);
    options.workspace = workspace, options.workspace_size = graze_workspace_size(8 + (size_t)(i % 5));
    (void)watched(true, &options, "small");
    full += w.count > 0 && w.last.stop == GRAZE_TRACE_BUDGET;
  }
  assert_true(full > 50);
}
