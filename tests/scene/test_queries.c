/* Queries of a scene compared with queries of two shapes, for every body or pair: the same bodies in the same order
 * with the same answers, with trees of different forms, and with arrays that are too small. Nothing is allocated.
 * Seeds 71 to 76. */

#include "support/test.h"
#include "scene/crowd.h"
#include "scene/make.h"
#include "scene/naive.h"
#include "support/geometry.h"
#include "support/shapes.h"

enum { PAIRS_MOST = CROWD_MOST * CROWD_MOST / 2 };

static rng dice;
static crowd world;
static graze_vec shape_vertices[8];
static long queries, met, crowded, overflows, ties, possible;

/* ---- The scene */

static graze_body first(void) { return graze_scene_next(world.scene, (graze_body){0, 0}); }
static graze_body next(graze_body body) { return graze_scene_next(world.scene, body); }
static const graze_placed *placed_of(graze_body body) { return graze_scene_placed(world.scene, body); }
static bool is_plane(const graze_placed *placed) { return placed->shape.kind == GRAZE_HALFSPACE; }
static bool same(graze_body a, graze_body b) { return a.slot == b.slot && a.generation == b.generation; }

static graze_body_def get(graze_body body) {
  graze_body_def def;
  assert_int_equal(graze_scene_get(world.scene, body, &def), GRAZE_OK);
  return def;
}

static bool odd_slots(void *context, graze_body body) {
  (void)context;
  return body.slot % 2 == 1;
}

/* NULL in one case of four. */
static graze_filter *any_filter(graze_filter *filter) {
  *filter = graze_default_filter();
  if (rng_below(&dice, 4) == 0) return NULL;
  filter->category = (uint64_t)rng_below(&dice, 8), filter->mask = (uint64_t)(1 + rng_below(&dice, 7));
  if (rng_below(&dice, 2)) filter->category = 7, filter->mask = 7;
  filter->sensors = rng_below(&dice, 2);
  filter->except = rng_below(&dice, 3) ? first() : world.stale;
  if (rng_below(&dice, 6) == 0) filter->accept = odd_slots;
  return filter;
}

/* Returns whether a query with this shape (NULL: none) includes the body. */
static bool counts(const graze_placed *shape, const graze_filter *f, graze_body body) {
  const graze_body_def def = get(body);
  if (shape != NULL && is_plane(shape) && is_plane(placed_of(body))) return false;
  if (f == NULL) return true;
  if (!(f->category & def.mask) || !(def.category & f->mask) || (def.sensor && !f->sensors)) return false;
  return !same(f->except, body) && (f->accept == NULL || body.slot % 2 == 1);
}

static void count_result(size_t count) { queries++, met += count > 0, crowded += count > 8; }

/* ---- Bodies and pairs in the order of slots */

typedef graze_status query_function(const void *what, const graze_filter *filter, void *got, size_t capacity,
                                    size_t *count);

static graze_body listed[2 * PAIRS_MOST]; /* the expected result: `bodies` of them */
static size_t bodies;

/* Checks arrays that hold all results, half of them, and none. `each`: bodies of a result. */
static void check_list(query_function *query, const void *what, const graze_filter *filter, size_t each) {
  static graze_body got[COUNT(listed)];
  const size_t truth = bodies / each, capacities[] = {PAIRS_MOST, truth / 2, 0};
  count_result(truth);
  overflows += truth > 0;
  for (size_t i = 0; i < COUNT(capacities); i++) {
    const size_t some = capacities[i] < truth ? capacities[i] : truth;
    size_t count = 99;
    memset(got, 0, sizeof got);
    assert_int_equal(query(what, filter, capacities[i] > 0 ? got : NULL, capacities[i], &count),
                     capacities[i] < truth ? GRAZE_NO_SPACE : GRAZE_OK);
    assert_int_equal(count, truth);
    assert_memory_equal(got, listed, some * each * sizeof *got);
    for (size_t k = some * each; k < COUNT(got); k++) assert_int_equal(got[k].generation, 0);
  }
}

static graze_status query_overlap(const void *what, const graze_filter *filter, void *got, size_t capacity,
                                  size_t *count) {
  return graze_scene_overlap(world.scene, what, filter, got, capacity, count, NULL);
}

static void check_overlap(const graze_placed *shape, const graze_filter *filter) {
  graze_answer answer;
  bodies = 0;
  for (graze_body b = first(); b.generation; b = next(b)) {
    if (!counts(shape, filter, b)) continue;
    assert_int_equal(graze_intersect(shape, placed_of(b), NULL, &answer), GRAZE_OK);
    if (answer.relation != GRAZE_SEPARATED) listed[bodies++] = b;
  }
  check_list(query_overlap, shape, filter, 1);
  graze_body any = {9, 9};
  assert_int_equal(graze_scene_overlap_any(world.scene, shape, filter, &any, NULL), GRAZE_OK);
  size_t same_as = 0;
  while (same_as < bodies && !same(any, listed[same_as])) same_as++;
  assert_true(bodies == 0 ? any.generation == 0 : same_as < bodies);
}

static graze_status query_in_box(const void *what, const graze_filter *filter, void *got, size_t capacity,
                                 size_t *count) {
  return graze_scene_in_box(world.scene, what, filter, got, capacity, count, NULL);
}

/* The rounded distance of a half-space from a box. */
static double plane_gap(const graze_placed *plane, graze_aabb box) {
  graze_answer answer;
  const graze_vec half = scaled(0.5, sub(box.max, box.min)), at = add(box.min, half);
  const graze_placed placed = placed_at(box_of(world.dim, half.x, half.y, half.z), at.x, at.y, at.z);
  assert_int_equal(graze_distance(plane, &placed, NULL, &answer), GRAZE_OK);
  return answer.distance;
}

static graze_aabb bounds_of(graze_body body) {
  graze_aabb bounds;
  assert_int_equal(graze_bounds(placed_of(body), &bounds), GRAZE_OK);
  return bounds;
}

static void check_in_box(const graze_filter *filter) {
  const graze_vec p = rng_vec(&dice, world.dim, 8), q = rng_vec(&dice, world.dim, 8);
  const graze_aabb box = {vec(fmin(p.x, q.x), fmin(p.y, q.y), fmin(p.z, q.z)),
                          vec(fmax(p.x, q.x), fmax(p.y, q.y), fmax(p.z, q.z))};
  bodies = 0;
  for (graze_body b = first(); b.generation; b = next(b)) {
    if (!counts(NULL, filter, b)) continue;
    if (is_plane(placed_of(b)) ? plane_gap(placed_of(b), box) <= 1e-13 : boxes_meet(bounds_of(b), box))
      listed[bodies++] = b;
  }
  check_list(query_in_box, &box, filter, 1);
}

static bool is_pair(graze_body a, graze_body b) {
  const graze_body_def of_a = get(a), of_b = get(b);
  return naive_is_pair(&of_a, &of_b);
}

static double less(double x, double by) { return by > 0 ? nextafter(x - by, -INFINITY) : x; }
static double more(double x, double by) { return by > 0 ? nextafter(x + by, INFINITY) : x; }

static graze_aabb grown(graze_body body) {
  const graze_aabb b = bounds_of(body);
  const double by = get(body).margin, z = world.dim == 3 ? by : 0;
  return (graze_aabb){{less(b.min.x, by), less(b.min.y, by), less(b.min.z, z)},
                      {more(b.max.x, by), more(b.max.y, by), more(b.max.z, z)}};
}

static bool bounds_meet(graze_body a, graze_body b) {
  if (is_plane(placed_of(a))) return plane_gap(placed_of(a), grown(b)) - get(a).margin <= 1e-13;
  return is_plane(placed_of(b)) ? bounds_meet(b, a) : boxes_meet(grown(a), grown(b));
}

static graze_status query_pairs(const void *what, const graze_filter *filter, void *got, size_t capacity,
                                size_t *count) {
  (void)what, (void)filter;
  return graze_scene_pairs(world.scene, got, capacity, count);
}

static void check_pairs(void) {
  bodies = 0;
  for (graze_body a = first(); a.generation; a = next(a))
    for (graze_body b = next(a); b.generation; b = next(b))
      if (is_pair(a, b) && bounds_meet(a, b)) listed[bodies++] = a, listed[bodies++] = b;
  check_list(query_pairs, NULL, NULL, 2);
}

/* ---- Distances */

static graze_neighbor near_truth[PAIRS_MOST], near_got[PAIRS_MOST];

static void expect_near(graze_status status, graze_status wanted, size_t count, size_t truth, size_t compared) {
  assert_int_equal(status, wanted);
  assert_int_equal(count, truth);
  for (size_t i = 0; i < compared; i++) {
    const graze_neighbor *p = &near_got[i], *q = &near_truth[i];
    assert_true(same(p->a, q->a) && same(p->b, q->b) && p->answer.relation == q->answer.relation);
    assert_true(p->answer.distance == q->answer.distance && p->answer.lower == q->answer.lower);
    assert_true(p->answer.upper == q->answer.upper && p->answer.part_b == q->answer.part_b);
    assert_true(same_vec(p->answer.normal, q->answer.normal));
  }
}

static bool comes_before(const graze_neighbor *p, const graze_neighbor *q) {
  if (p->answer.distance != q->answer.distance) return p->answer.distance < q->answer.distance;
  return p->a.slot != q->a.slot ? p->a.slot < q->a.slot : p->b.slot < q->b.slot;
}

static void sort_truth(size_t count) {
  for (size_t i = 1; i < count; i++) {
    const graze_neighbor moved = near_truth[i];
    size_t k = i;
    for (; k > 0 && comes_before(&moved, &near_truth[k - 1]); k--) near_truth[k] = near_truth[k - 1];
    near_truth[k] = moved;
  }
  for (size_t i = 1; i < count; i++) ties += near_truth[i].answer.distance == near_truth[i - 1].answer.distance;
}

/* Adds the pair to the expected result if it is near enough. */
static void test_near(graze_neighbor pair, const graze_placed *a, const graze_placed *b, double within, size_t *count) {
  graze_options options = graze_default_options();
  assert_int_equal(graze_distance(a, b, NULL, &pair.answer), GRAZE_OK);
  if (pair.answer.lower > within) return;
  options.max_distance = nextafter(within, INFINITY);
  assert_int_equal(graze_distance(a, b, &options, &pair.answer), GRAZE_OK);
  near_truth[(*count)++] = pair;
}

static double any_within(void) {
  const int kind = rng_below(&dice, 4);
  return kind == 0 ? INFINITY : kind == 1 ? (double)rng_below(&dice, 3) : rng_uniform(&dice, 0, 5);
}

static void check_near(const graze_placed *shape, const graze_filter *filter) {
  const double within = any_within();
  size_t truth = 0, count = 0;
  const size_t few = (size_t)(1 + rng_below(&dice, 6));
  for (graze_body b = first(); b.generation; b = next(b))
    if (counts(shape, filter, b)) test_near((graze_neighbor){.b = b}, shape, placed_of(b), within, &truth);
  const size_t some = few < truth ? few : truth;
  count_result(truth);
  graze_status status = graze_scene_within(world.scene, shape, within, filter, near_got, PAIRS_MOST, &count, NULL);
  expect_near(status, GRAZE_OK, count, truth, truth);
  status = graze_scene_within(world.scene, shape, within, filter, near_got, few, &count, NULL);
  expect_near(status, few < truth ? GRAZE_NO_SPACE : GRAZE_OK, count, truth, some);
  sort_truth(truth);
  status = graze_scene_nearest(world.scene, shape, within, filter, near_got, few, &count, NULL);
  expect_near(status, GRAZE_OK, count, some, some);
  status = graze_scene_nearest(world.scene, shape, within, filter, NULL, 0, &count, NULL);
  expect_near(status, GRAZE_OK, count, 0, 0);
}

static void check_closest_pairs(void) {
  const double within = any_within();
  size_t truth = 0, count = 0, few = (size_t)(1 + rng_below(&dice, 20));
  for (graze_body a = first(); a.generation; a = next(a))
    for (graze_body b = next(a); b.generation; b = next(b))
      if (is_pair(a, b)) test_near((graze_neighbor){.a = a, .b = b}, placed_of(a), placed_of(b), within, &truth);
  sort_truth(truth);
  count_result(truth);
  if (rng_below(&dice, 4) == 0) few = truth + 1;
  const size_t some = few < truth ? few : truth;
  graze_status status = graze_scene_closest_pairs(world.scene, within, near_got, few, &count, NULL);
  expect_near(status, GRAZE_OK, count, some, some);
  status = graze_scene_closest_pairs(world.scene, within, NULL, 0, &count, NULL);
  expect_near(status, GRAZE_OK, count, 0, 0);
}

/* ---- Casts and rays */

static bool is_first(const graze_cast_result *r, const graze_cast_result *best, bool any) {
  if (r->outcome == GRAZE_CLEAR || !any) return r->outcome != GRAZE_CLEAR;
  if (r->t_lower != best->t_lower) return r->t_lower < best->t_lower;
  return r->outcome == GRAZE_HIT && best->outcome == GRAZE_POSSIBLE;
}

typedef struct moving_shape {
  const graze_placed *shape; /* NULL: a ray */
  graze_vec origin;
  graze_motion motion;
  double t_max;
} moving_shape;

static graze_status query_motion(const moving_shape *w, graze_body body, graze_cast_result *result) {
  const graze_motion still = {{0, 0, 0}, {0, 0, 0}};
  if (w->shape != NULL) return graze_cast(w->shape, &w->motion, placed_of(body), &still, w->t_max, NULL, result);
  return graze_raycast(placed_of(body), w->origin, w->motion.velocity, w->t_max, NULL, result);
}

static graze_status query_scene(const moving_shape *w, const graze_filter *filter, graze_body *body,
                                graze_cast_result *result) {
  if (w->shape != NULL)
    return graze_scene_cast(world.scene, w->shape, &w->motion, w->t_max, filter, body, result, NULL);
  return graze_scene_raycast(world.scene, w->origin, w->motion.velocity, w->t_max, filter, body, result, NULL);
}

static graze_status query_any(const moving_shape *w, const graze_filter *filter, graze_body *body,
                              graze_cast_result *result) {
  if (w->shape != NULL)
    return graze_scene_cast_any(world.scene, w->shape, &w->motion, w->t_max, filter, body, result, NULL);
  return graze_scene_raycast_any(world.scene, w->origin, w->motion.velocity, w->t_max, filter, body, result, NULL);
}

static graze_status query_all(const moving_shape *w, const graze_filter *filter, graze_body_hit *hits, size_t capacity,
                              size_t *count) {
  if (w->shape != NULL)
    return graze_scene_cast_all(world.scene, w->shape, &w->motion, w->t_max, filter, hits, capacity, count, NULL);
  return graze_scene_raycast_all(world.scene, w->origin, w->motion.velocity, w->t_max, filter, hits, capacity, count,
                                 NULL);
}

static graze_body_hit hits[CROWD_MOST];

/* Each hit is that of the body alone; the order is by t_lower, then by slot; a short array holds the first hits. The
 * bounds of `fog` may exclude bodies that are GRAZE_POSSIBLE. */
static void check_hits(const moving_shape *w, const graze_filter *filter, bool fog) {
  static graze_body_hit few[CROWD_MOST];
  graze_cast_result alone, any_result = {.t_lower = -7};
  graze_body any = {9, 9};
  size_t count = 99, short_count = 99, any_index = 0, certain = 0, expected = 0;
  assert_int_equal(query_all(w, filter, hits, CROWD_MOST, &count), GRAZE_OK);
  for (graze_body b = first(); b.generation; b = next(b)) {
    if (!counts(w->shape, filter, b)) continue;
    assert_int_equal(query_motion(w, b, &alone), GRAZE_OK);
    expected += alone.outcome != GRAZE_CLEAR, certain += alone.outcome == GRAZE_HIT;
  }
  assert_true(fog ? count >= certain && count <= expected : count == expected);
  for (size_t i = 0; i < count; i++) {
    const graze_body_hit *p = &hits[i];
    assert_true(counts(w->shape, filter, p->body) && p->result.outcome != GRAZE_CLEAR);
    assert_int_equal(query_motion(w, p->body, &alone), GRAZE_OK);
    assert_true(p->result.t_lower == alone.t_lower && p->result.outcome == alone.outcome);
    if (i == 0) continue;
    const double before = hits[i - 1].result.t_lower;
    assert_true(before < p->result.t_lower || (before == p->result.t_lower && hits[i - 1].body.slot < p->body.slot));
  }
  for (size_t capacity = 0; capacity < count; capacity += 1 + count / 2) {
    assert_int_equal(query_all(w, filter, capacity > 0 ? few : NULL, capacity, &short_count), GRAZE_NO_SPACE);
    assert_int_equal(short_count, count);
    for (size_t i = 0; i < capacity; i++) assert_true(same(few[i].body, hits[i].body));
  }
  assert_int_equal(query_any(w, filter, &any, &any_result), GRAZE_OK);
  while (any_index < count && !same(hits[any_index].body, any)) any_index++;
  assert_true(count == 0 ? any.generation == 0 && any_result.t_lower == -7
                         : any_index < count && any_result.t_lower == hits[any_index].result.t_lower);
  assert_int_equal(query_any(w, filter, &any, NULL), GRAZE_OK);
}

/* The bounds of `fog` are tighter than the results of graze_cast(), so the first body may differ. But no body is
 * hit before it for certain, and the result is that of the body alone. */
static void check_motion(const moving_shape *w, const graze_filter *filter, bool fog) {
  graze_cast_result result = {.t_lower = -7}, alone, best;
  graze_body expected = {0, 0}, body = {9, 9};
  memset(&best, 0, sizeof best);
  assert_int_equal(query_scene(w, filter, &body, &result), GRAZE_OK);
  for (graze_body b = first(); b.generation; b = next(b)) {
    if (!counts(w->shape, filter, b)) continue;
    assert_int_equal(query_motion(w, b, &alone), GRAZE_OK);
    if (alone.outcome == GRAZE_HIT) assert_true(body.generation > 0 && result.t_lower <= alone.t_upper);
    if (same(b, body)) {
      assert_true(result.t_lower == alone.t_lower && result.t_upper == alone.t_upper &&
                  result.outcome == alone.outcome);
      assert_memory_equal(&result.point, &alone.point, sizeof alone.point);
    }
    ties += expected.generation && alone.outcome != GRAZE_CLEAR && alone.t_lower == best.t_lower;
    if (is_first(&alone, &best, expected.generation)) best = alone, expected = b;
  }
  assert_true(fog || same(body, expected));
  if (body.generation == 0) assert_true(result.t_lower == -7);
  check_hits(w, filter, fog);
  count_result(body.generation > 0);
  possible += body.generation && result.outcome == GRAZE_POSSIBLE;
}

/* A cast and a ray from within `extent`; sometimes a cast that turns. */
static void check_cast(const graze_placed *shape, const graze_filter *filter, double extent, bool fog) {
  moving_shape w = {
      shape, rng_vec(&dice, world.dim, extent), {rng_vec(&dice, world.dim, 4), {0, 0, 0}}, rng_uniform(&dice, 0, 4)};
  if (rng_below(&dice, 4) == 0) w.motion.velocity = vec(rng_below(&dice, 3) - 1, 1, 0);
  if (rng_below(&dice, 8) == 0) w.t_max = INFINITY;
  if (rng_below(&dice, 8) == 0) w.motion.velocity = vec(0, 0, 0);
  check_motion(&w, filter, fog);
  w.shape = NULL;
  if (rng_below(&dice, 2)) w.origin = vec(round(w.origin.x), round(w.origin.y), round(w.origin.z));
  check_motion(&w, filter, fog);
  w.shape = shape;
  if (w.t_max == INFINITY || is_plane(shape)) return;
  w.motion.angular = world.dim == 2 ? vec(0, 0, rng_uniform(&dice, -3, 3)) : rng_vec(&dice, world.dim, 2);
  if (rng_below(&dice, 4) == 0) check_motion(&w, filter, fog);
}

/* ---- Manifolds */

static void check_manifolds(void) {
  graze_manifold_options options = graze_default_manifold_options();
  graze_answer answer, truth;
  graze_contact got[8], expected[8];
  size_t count, of_truth;
  const graze_body a = first(), gone = world.stale;
  if (gone.generation > 0) {
    assert_int_equal(graze_scene_manifold(world.scene, gone, a, NULL, &answer, got, 8, &count), GRAZE_NO_BODY);
    assert_int_equal(graze_scene_manifold(world.scene, a, gone, NULL, &answer, got, 8, &count), GRAZE_NO_BODY);
  }
  assert_int_equal(graze_scene_manifold(world.scene, a, a, NULL, &answer, got, 8, &count), GRAZE_BAD_OPTION);
  for (graze_body b = next(a); b.generation; b = next(b))
    for (int with_options = 0; with_options < 2 && !(is_plane(placed_of(a)) && is_plane(placed_of(b)));
         with_options++) {
      options.speculative_distance = with_options ? 3 : get(a).margin + get(b).margin; /* none of them responds */
      assert_int_equal(graze_manifold(placed_of(a), placed_of(b), &options, &truth, expected, 8, &of_truth), GRAZE_OK);
      assert_int_equal(graze_scene_manifold(world.scene, a, b, with_options ? &options : NULL, &answer, got, 8, &count),
                       GRAZE_OK);
      assert_int_equal(count, of_truth);
      for (size_t i = 0; i < count; i++) assert_true(got[i].depth == expected[i].depth);
    }
}

/* ---- Tests */

/* A ball with an inaccurate support function. */
static double fog(void *context, graze_vec d, graze_vec *point) {
  const double radius = *(const double *)context;
  *point = scaled(radius / norm(d), d);
  return 0.25 * radius;
}

static void add_fog(double spread) {
  static double radius = 0.75;
  for (int i = 0; i < 12; i++)
    (void)add_body(world.scene, graze_user(world.dim, fog, &radius), GRAZE_DYNAMIC,
                   random_grid_pose(&dice, world.dim, spread));
}

static void check_all(double spread) {
  graze_filter filter;
  const graze_shape shape = crowd_any_shape(&world, shape_vertices);
  const graze_placed placed = graze_place(&shape, random_grid_pose(&dice, world.dim, spread));
  const graze_placed part = graze_part(&placed, 0, &(graze_frame){{0}}), *with = rng_below(&dice, 3) ? &placed : &part;
  const long calls = world.memory.calls;
  check_overlap(with, any_filter(&filter));
  check_in_box(any_filter(&filter));
  check_near(with, any_filter(&filter));
  check_cast(with, any_filter(&filter), 12, false);
  assert_int_equal(world.memory.calls, calls);
}

static void check_world(double spread) {
  for (int k = 0; k < 2; k++) { /* again with another tree */
    for (int i = 0; i < 3; i++) check_all(spread);
    check_pairs();
    check_closest_pairs();
    check_manifolds();
    crowd_stir(&world);
  }
  crowd_free(&world);
}

/* The percentage of queries with a result; ties are per thousand; almost no result is GRAZE_POSSIBLE. */
static void report(const char *what, long met_low, long met_high, long ties_low, long ties_high) {
  print_message("%s: %ld queries, %ld with results, %ld with more than 8, %ld overflows, %ld ties, %ld possible\n",
                what, queries, met, crowded, overflows, ties, possible);
  assert_in_range(100 * met / queries, met_low, met_high);
  assert_in_range(100 * crowded / queries, 5, 60);
  assert_true(overflows > queries / 20);
  assert_in_range(1000 * ties / queries, ties_low, ties_high);
  assert_in_range(1000 * possible / queries, 0, 5);
  queries = met = crowded = overflows = ties = possible = 0;
}

TEST(test_random) { /* seeds 71, 72 */
  for (int dim = 2; dim <= 3; dim++) {
    dice = (uint64_t)(69 + dim);
    for (int i = 0; i < tiered(40, 120, 3000); i++) {
      const double spread = rng_uniform(&dice, 3, 16);
      crowd_make(&world, &dice, dim, 1 + rng_below(&dice, 50), spread);
      check_world(spread);
    }
    report(dim == 2 ? "2D" : "3D", 30, 90, 5, 200);
  }
}

/* Rays and casts through inaccurate shapes: seeds 75, 76. */
TEST(test_possible) {
  graze_filter filter;
  for (int dim = 2; dim <= 3; dim++) {
    dice = (uint64_t)(73 + dim);
    for (int i = 0; i < tiered(40, 120, 3000); i++) {
      const double spread = rng_uniform(&dice, 3, 8);
      crowd_make(&world, &dice, dim, 1 + rng_below(&dice, 20), spread);
      add_fog(spread);
      for (int k = 0; k < 4; k++) {
        const graze_shape shape = crowd_any_shape(&world, shape_vertices);
        const graze_placed placed = graze_place(&shape, random_grid_pose(&dice, dim, 2 * spread));
        check_cast(&placed, any_filter(&filter), 6, true);
      }
      crowd_free(&world);
    }
    print_message("%ld motions, %ld hit, %ld possible\n", queries, met, possible);
    assert_in_range(1000 * possible / queries, 10, 300);
    assert_in_range(100 * met / queries, 10, 60);
    queries = met = crowded = overflows = ties = possible = 0;
  }
}

TEST(test_ties) { /* seeds 73, 74 */
  for (int dim = 2; dim <= 3; dim++) {
    dice = (uint64_t)(71 + dim);
    for (int i = 0; i < tiered(10, 20, 600); i++) {
      crowd_make_grid(&world, &dice, dim, 20 + rng_below(&dice, 50));
      check_world(4);
    }
    report(dim == 2 ? "ties in 2D" : "ties in 3D", 30, 95, 3000, 40000);
  }
}

static bool count_calls(void *context, graze_body body) {
  (void)body;
  ++*(int *)context;
  return true;
}

/* Distances of exactly `within`; and only bodies that matter are queried. */
TEST(test_edges) {
  graze_scene *scene = make_scene(3, 0, NULL);
  const graze_shape box = graze_box(0.5, 0.5, 0.5);
  graze_body body;
  size_t count = 0;
  int calls = 0;
  graze_cast_result result;
  graze_filter filter = graze_default_filter();
  filter.accept = count_calls, filter.context = &calls;
  for (int i = 0; i < 1000; i++)
    (void)add_body(scene, box, GRAZE_DYNAMIC, graze_pose_at(2 * (i % 10), 2 * (i / 10 % 10), 2 * (i / 100)));
  const graze_placed at = placed_at(box, -2, 0, 0);
  assert_int_equal(graze_scene_within(scene, &at, 1, NULL, near_got, 2, &count, NULL), GRAZE_OK);
  assert_true(count == 1 && near_got[0].answer.distance == 1);
  assert_int_equal(graze_scene_within(scene, &at, 1 - 1e-12, NULL, near_got, 2, &count, NULL), GRAZE_OK);
  assert_int_equal(count, 0);
  assert_int_equal(graze_scene_closest_pairs(scene, 1, near_got, 100, &count, NULL), GRAZE_OK);
  assert_true(count == 100 && near_got[99].answer.distance == 1 && near_got[99].a.slot < 40);
  assert_int_equal(graze_scene_nearest(scene, &at, INFINITY, &filter, near_got, 3, &count, NULL), GRAZE_OK);
  assert_true(count == 3 && near_got[0].b.slot == 0 && near_got[1].b.slot == 10 && near_got[2].b.slot == 100);
  assert_in_range(calls, 3, 60);
  calls = 0;
  assert_int_equal(graze_scene_raycast(scene, vec(-5, 2, 2), vec(1, 0, 0), INFINITY, &filter, &body, &result, NULL),
                   GRAZE_OK);
  assert_true(body.slot == 110 && fabs(result.t - 4.5) < 1e-9);
  assert_in_range(calls, 1, 4);
  calls = 0;
  assert_int_equal(graze_scene_raycast_any(scene, vec(-5, 2, 2), vec(1, 0, 0), INFINITY, &filter, &body, NULL, NULL),
                   GRAZE_OK);
  assert_true(body.generation > 0 && calls == 1);
  calls = 0;
  const graze_placed all = placed_at(graze_sphere(100), 0, 0, 0);
  assert_int_equal(graze_scene_overlap_any(scene, &all, &filter, &body, NULL), GRAZE_OK);
  assert_true(body.generation > 0 && calls == 1);
  graze_scene_destroy(scene);
}

/* Fixed: bounds of a part of a compound were taken about the compound, far from the part. */
TEST(test_part) {
  const graze_motion up = {{0, 1, 0}, {0, 0, 0}};
  const graze_shape box = graze_box(0.5, 0.5, 0.5);
  const graze_placed parts[2] = {placed_at(box, 5, 0, 0), placed_at(box, 0, 5, 0)};
  graze_compound *compound = compound_of(parts, 2);
  graze_scene *scene = make_scene(3, 0, NULL);
  const graze_body expected[] = {add_body(scene, box, GRAZE_DYNAMIC, graze_pose_at(15, 0.25, 0)),
                                 add_body(scene, box, GRAZE_DYNAMIC, graze_pose_at(10, 9, 0))};
  const graze_placed all = placed_at(graze_compound_shape(compound), 10, 0, 0);
  for (size_t i = 0; i < 2; i++) {
    const graze_placed part = graze_part(&all, i, &(graze_frame){{0}});
    graze_body body;
    graze_cast_result result;
    assert_int_equal(graze_scene_cast(scene, &part, &up, 9, NULL, &body, &result, NULL), GRAZE_OK);
    assert_true(same(body, expected[i]) && (i == 0 ? result.t_lower == 0 : fabs(result.t - 3) < 1e-9));
  }
  graze_scene_destroy(scene);
  graze_compound_destroy(compound);
}

TEST(test_empty) {
  graze_scene *scene = make_scene(3, 0, NULL);
  graze_body body = {9, 9};
  size_t count = 9;
  graze_cast_result result;
  const graze_placed at = placed_at(graze_sphere(1), 0, 0, 0), in_2d = placed_at(graze_circle(1), 0, 0, 0);
  const graze_motion motion = {{1, 0, 0}, {0, 0, 1}}, bad = {{NAN, 0, 0}, {0, 0, 0}};
  const graze_aabb box = {{-INFINITY, -1, -1}, {INFINITY, 1, 1}}, turned = {{1, 0, 0}, {0, 1, 1}},
                   hole = {{0, NAN, 0}, {1, 1, 1}};
  assert_int_equal(graze_scene_overlap(scene, &at, NULL, NULL, 0, &count, NULL), GRAZE_OK);
  assert_int_equal(count, 0);
  assert_int_equal(graze_scene_in_box(scene, &box, NULL, NULL, 0, &count, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_in_box(scene, &turned, NULL, NULL, 0, &count, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_in_box(scene, &hole, NULL, NULL, 0, &count, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_pairs(scene, NULL, 0, &count), GRAZE_OK);
  assert_int_equal(graze_scene_closest_pairs(scene, INFINITY, NULL, 0, &count, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_closest_pairs(scene, NAN, NULL, 0, &count, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_overlap(scene, &in_2d, NULL, NULL, 0, &count, NULL), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_scene_nearest(scene, &in_2d, 1, NULL, NULL, 0, &count, NULL), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_scene_within(scene, &at, -1, NULL, NULL, 0, &count, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_nearest(scene, &at, NAN, NULL, NULL, 0, &count, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_cast(scene, &at, &bad, 1, NULL, &body, &result, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_cast(scene, &at, &motion, -1, NULL, &body, &result, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_cast(scene, &at, &motion, NAN, NULL, &body, &result, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_raycast(scene, bad.velocity, motion.velocity, 1, NULL, &body, &result, NULL),
                   GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_raycast(scene, motion.velocity, bad.velocity, 1, NULL, &body, &result, NULL),
                   GRAZE_BAD_NUMBER);
  assert_int_equal(body.slot, 9);
  assert_int_equal(graze_scene_cast(scene, &at, &motion, INFINITY, NULL, &body, &result, NULL), GRAZE_OK);
  assert_int_equal(body.generation, 0);
  graze_scene_destroy(scene);
}
