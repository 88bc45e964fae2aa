/* GJK step by step: the two textbook traces, and what every trace must satisfy. */

#include "support/test.h"
#include "support/families.h"
#include "support/oracle/judge.h"

enum { MOST_STEPS = 2 * 80 };

typedef struct record {
  int count;
  graze_trace_step step[MOST_STEPS];
} record;

static void keep_step(void *context, const graze_trace_step *step) {
  record *r = context;
  if (step->phase != GRAZE_PHASE_GJK) return;
  assert_true(r->count < MOST_STEPS);
  r->step[r->count++] = *step;
}

static const graze_vec square[4] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}};

static graze_answer trace_polygons(record *r, const graze_vec *second, bool distance) {
  graze_shape a = graze_polygon(square, 4), b = graze_polygon(second, 4);
  graze_placed pa = graze_place(&a, graze_pose_at(0, 0, 0)), pb = graze_place(&b, graze_pose_at(0, 0, 0));
  static double room[1 << 12];
  static graze_surface surface;
  graze_options options = graze_default_options();
  graze_answer answer;
  options.method = GRAZE_METHOD_GJK;
  options.workspace = room, options.workspace_size = sizeof room;
  options.surface = &surface;
  options.start = (graze_vec){1, 0, 0};
  options.trace = keep_step;
  options.trace_context = r;
  r->count = 0;
  graze_status status =
      distance ? graze_distance(&pa, &pb, &options, &answer) : graze_intersect(&pa, &pb, &options, &answer);
  assert_int_equal(status, GRAZE_OK);
  assert_int_equal(graze_verify(&pa, &pb, &options, &answer), GRAZE_OK);
  return answer;
}

static void expect_point(const graze_trace_step *step, double x, double y) {
  assert_true(step->point.x == x && step->point.y == y && step->point.z == 0);
}

TEST(two_squares_overlap) {
  static const graze_vec other[4] = {{2, 2, 0}, {5, 2, 0}, {5, 5, 0}, {2, 5, 0}};
  record r;
  for (int distance = 0; distance < 2; distance++) {
    graze_answer answer = trace_polygons(&r, other, distance);
    assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
    assert_true(r.count >= 3);
    expect_point(&r.step[0], 1, -2);
    expect_point(&r.step[1], -5, 1);
    expect_point(&r.step[2], 1, 1);
    assert_true(r.step[0].direction.x > 0 && r.step[0].direction.y == 0);
    if (distance) continue;
    assert_int_equal(r.count, 3);
    assert_int_equal(r.step[2].stop, GRAZE_TRACE_HOLDS_ORIGIN);
    assert_int_equal(r.step[2].simplex_count, 3);
    assert_int_equal(r.step[0].pair.a, 1);
    assert_int_equal(r.step[0].pair.b, 0);
  }
}

TEST(a_square_and_a_corner_touch) {
  static const graze_vec other[4] = {{3, 3, 0}, {5, 3, 0}, {3, 5, 0}, {3, 5, 0}};
  record r;
  for (int distance = 0; distance < 2; distance++) {
    graze_answer answer = trace_polygons(&r, other, distance);
    assert_int_equal(answer.relation, GRAZE_TOUCHING);
    assert_true(answer.distance == 0);
    assert_int_equal(r.count, 2);
    expect_point(&r.step[0], 0, -3);
    expect_point(&r.step[1], 0, 0);
    assert_int_not_equal(r.step[1].stop, GRAZE_TRACE_GOES_ON);
    assert_true(answer.point_a.x == 3 && answer.point_a.y == 3 && answer.point_b.x == 3 && answer.point_b.y == 3);
  }
}

/* ---- any trace */

static double dot(graze_vec p, graze_vec q) { return p.x * q.x + p.y * q.y + p.z * q.z; }

static graze_vec world(graze_vec v, const graze_pose *q) {
  double n = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
  graze_vec t = {2 * (q->y * v.z - q->z * v.y), 2 * (q->z * v.x - q->x * v.z), 2 * (q->x * v.y - q->y * v.x)};
  return (graze_vec){v.x + (q->w * t.x + q->y * t.z - q->z * t.y) / n + q->position.x,
                     v.y + (q->w * t.y + q->z * t.x - q->x * t.z) / n + q->position.y,
                     v.z + (q->w * t.z + q->x * t.y - q->y * t.x) / n + q->position.z};
}

static graze_vec pair_point(const shape_pair *p, int a, int b) {
  graze_vec v = world(oracle_core_vertex(&p->a, a), &p->pose_a), w = world(oracle_core_vertex(&p->b, b), &p->pose_b);
  return (graze_vec){v.x - w.x, v.y - w.y, v.z - w.z};
}

/* The step's point is a support point of its direction, and its numbers belong to it. */
static void check_step(const shape_pair *p, const graze_trace_step *step, int number, bool last) {
  graze_vec d = step->direction, w = pair_point(p, step->pair.a, step->pair.b);
  double size = sqrt(dot(d, d)), off = 1e-12 * size * 20;
  assert_int_equal(step->iteration, number);
  assert_int_equal(step->stop != GRAZE_TRACE_GOES_ON, last);
  assert_true(size > 0);
  assert_true(fabs(w.x - step->point.x) + fabs(w.y - step->point.y) + fabs(w.z - step->point.z) < 1e-12 * 20);
  assert_true(fabs(dot(d, step->point) - step->origin_check) <= off);
  for (int i = 0; i < oracle_core_count(&p->a); i++)
    for (int j = 0; j < oracle_core_count(&p->b); j++) assert_true(dot(d, pair_point(p, i, j)) <= dot(d, w) + off);
  assert_in_range(step->simplex_count, 1, p->a.dim + 1);
  for (int i = 0; i < step->simplex_count; i++) {
    graze_vec s = pair_point(p, step->simplex[i].a, step->simplex[i].b), t = step->simplex_point[i];
    assert_true(fabs(s.x - t.x) + fabs(s.y - t.y) + fabs(s.z - t.z) < 1e-12 * 20);
  }
}

/* The steps of one run of GJK. */
static void check_run(const shape_pair *p, const record *r, int from, int count, double core_distance) {
  const graze_trace_step *first = &r->step[from];
  for (int i = 0; i < count; i++) {
    const graze_trace_step *step = &first[i];
    check_step(p, step, from + i, i == count - 1);
    assert_true(step->lower <= core_distance + 1e-11);
    assert_true(step->upper >= core_distance - 1e-11);
    if (i == 0) continue;
    assert_true(step->lower >= first[i - 1].lower);
    assert_true(step->upper <= first[i - 1].upper);
  }
}

/* One run; where the simplex that holds the origin is flat and a depth is asked for, a second one,
 * whose steps are counted on. Returns how many. */
static int check_trace(const shape_pair *p, const record *r, double core_distance) {
  int first = 1;
  while (first < r->count && r->step[first - 1].stop == GRAZE_TRACE_GOES_ON) first++;
  check_run(p, r, 0, first, core_distance);
  if (first >= r->count) return 1;
  assert_int_equal(r->step[first - 1].stop, GRAZE_TRACE_HOLDS_ORIGIN);
  check_run(p, r, first, r->count - first, core_distance);
  return 2;
}

/* Boxes whose centres differ along some axes only: the first simplex that holds the origin may be a triangle. */
TEST(a_flat_simplex_is_tried_again) {
  static record r;
  shape_pair pair = {.a = graze_box(1, 1, 1), .b = graze_box(1, 2, 3)};
  pair.pose_a = graze_pose_at(0, 0, 0);
  for (int i = 1; i < 8; i++) {
    pair.pose_b = graze_pose_at(i & 1 ? 0.25 : 0, i & 2 ? 0.5 : 0, i & 4 ? 0.75 : 0);
    graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
    graze_options options = graze_default_options();
    graze_answer answer;
    options.trace = keep_step;
    options.trace_context = &r;
    r.count = 0;
    assert_int_equal(graze_distance(&a, &b, &options, &answer), GRAZE_OK);
    int runs = check_trace(&pair, &r, 0), first = 0;
    while (r.step[first].stop == GRAZE_TRACE_GOES_ON) first++;
    assert_int_equal(runs, r.step[first].simplex_count == 4 ? 1 : 2);
    if (i == 2) assert_int_equal(runs, 2);
    assert_int_equal(answer.path, GRAZE_PATH_SAT);
    assert_true(r.count < answer.iterations); /* the axes count too */
  }
}

static bool told_in_other_steps(graze_path path) {
  return path == GRAZE_PATH_OCTAHEDRON || path == GRAZE_PATH_SPHERES || path == GRAZE_PATH_BORDER;
}

TEST(every_step_is_true) {
  static shape_pair pair;
  static record r;
  oracle *o = oracle_new();
  for (int f = 0; f < families_random_count; f++) {
    rng random = {77};
    for (int i = 0; i < 200; i++) {
      families_random[f].make(&random, &pair);
      graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
      graze_options options = graze_default_options();
      graze_answer answer;
      options.method = i & 1 ? GRAZE_METHOD_GJK : GRAZE_METHOD_AUTO;
      options.start = rng_vec(&random, pair.a.dim, 1);
      options.trace = keep_step;
      options.trace_context = &r;
      r.count = 0;
      assert_int_equal((i & 2 ? graze_distance : graze_intersect)(&a, &b, &options, &answer), GRAZE_OK);
      pair.a.margin = pair.b.margin = 0;
      if (pair.a.kind == GRAZE_SPHERE || pair.a.kind == GRAZE_CAPSULE) pair.a.radius = 0;
      if (pair.b.kind == GRAZE_SPHERE || pair.b.kind == GRAZE_CAPSULE) pair.b.radius = 0;
      assert_true(oracle_solve(o, &pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0));
      int runs = check_trace(&pair, &r, oracle_cores_meet(o) ? 0 : oracle_distance(o));
      if (runs == 2) assert_true((i & 2) && !(i & 1) && oracle_cores_meet(o));
      if (!told_in_other_steps(answer.path)) assert_true(r.count <= answer.iterations);
      if (!answer.exact && answer.path == GRAZE_PATH_GJK) assert_int_equal(r.count, answer.iterations);
    }
  }
  oracle_free(o);
}
