/* Outlines with holes, decomposed, as one shape: points by exact winding numbers, on internal edges and off them;
 * bodies and other outlines against every pair of pieces. Seeds are stated at each test. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/query.h"

enum { MOST = 400, HOLES = 4, LARGE = 300 };

typedef struct outline {
  graze_vec vertices[1 + HOLES][MOST];
  graze_ring rings[1 + HOLES];
  int count; /* of rings */
  graze_decomposition pieces;
  graze_compound *compound;
} outline;

static rng dice;
static outline first, second;

static int rounds(int count) { return tiered(count, 2 * count, 20 * count); }

/* A ring of `count` vertices around a point, with radii between two bounds; multiples of 1/step. */
static void ring(outline *o, int count, double x, double y, double low, double high, double step) {
  for (int i = 0; i < count; i++) {
    double angle = 6.283185307179586 * i / count, radius = rng_uniform(&dice, low, high);
    o->vertices[o->count][i] =
        vec(round(step * (x + radius * cos(angle))) / step, round(step * (y + radius * sin(angle))) / step, 0);
  }
  o->rings[o->count].vertices = o->vertices[o->count];
  o->rings[o->count++].count = (size_t)count;
}

static bool is_simple(const graze_ring *r) {
  graze_outline validated;
  assert_int_equal(graze_validate_outline(r->vertices, r->count, NULL, &validated, NULL), GRAZE_OK);
  bool simple = validated.simple;
  graze_outline_destroy(&validated);
  return simple;
}

static bool split(outline *o, graze_splitting splitting) {
  size_t holes = (size_t)o->count - 1;
  graze_status status = graze_decompose(o->rings[0], o->rings + 1, holes, splitting, NULL, &o->pieces, NULL, NULL);
  if (status != GRAZE_OK) return false;
  assert_int_equal(graze_decomposition_compound(&o->pieces, NULL, &o->compound), GRAZE_OK);
  return true;
}

/* False: rounding made the rings touch or cross. On the coarse lattice many vertices are collinear. */
static bool make(outline *o) {
  bool coarse = rng_below(&dice, 2) == 0;
  int holes = coarse ? 0 : rng_below(&dice, 4);
  double step = coarse ? 1 : 64;
  graze_splitting splitting = holes > 0 || rng_below(&dice, 2) ? GRAZE_SPLIT_FEW : GRAZE_SPLIT_FEWEST;
  o->count = 0;
  ring(o, 5 + rng_below(&dice, 75), 0, 0, 3, 8, step);
  for (int i = 0; i < holes; i++) ring(o, 3 + rng_below(&dice, 8), 1.5 * cos(2 * i), 1.5 * sin(2 * i), 0.3, 0.9, step);
  if (!is_simple(&o->rings[0])) return false;
  return split(o, splitting);
}

/* Hundreds of vertices, and as many in a hole. */
static bool make_large(outline *o) {
  o->count = 0;
  ring(o, LARGE + rng_below(&dice, MOST - LARGE), 0, 0, 5, 8, 512);
  ring(o, LARGE + rng_below(&dice, MOST - LARGE), 0, 0, 2, 4, 512);
  return is_simple(&o->rings[0]) && is_simple(&o->rings[1]) && split(o, GRAZE_SPLIT_FEW);
}

static void add_ring(outline *o, const graze_vec *points, int count) {
  memcpy(o->vertices[o->count], points, (size_t)count * sizeof *points);
  o->rings[o->count] = (graze_ring){o->vertices[o->count], (size_t)count};
  o->count++;
}

/* Holes that touch each other at a vertex, one with an edge, and the outline at two places; free corners vary by 1/2.
 */
static bool make_touching(outline *o) {
  static const graze_vec outer[4] = {{-8, -8, 0}, {8, -8, 0}, {8, 8, 0}, {-8, 8, 0}};
  static const graze_vec right[3] = {{0, 0, 0}, {4, -2, 0}, {4, 2, 0}};
  double j[8];
  for (int i = 0; i < 8; i++) j[i] = (rng_below(&dice, 65) - 32) / 64.0;
  const graze_vec left[3] = {{0, 0, 0}, {-4 + j[0], 2 + j[1], 0}, {-4 + j[2], -2 + j[3], 0}};
  const graze_vec high[3] = {{4, 1, 0}, {8, 8, 0}, {5 + j[4], 5 + j[5], 0}}; /* from an edge to a corner */
  const graze_vec low[3] = {{0, -8, 0}, {1 + j[6], -4 + j[7], 0}, {-1 + j[7], -5 + j[6], 0}};
  o->count = 0;
  add_ring(o, outer, 4), add_ring(o, left, 3), add_ring(o, right, 3), add_ring(o, high, 3), add_ring(o, low, 3);
  return split(o, GRAZE_SPLIT_FEW);
}

static void destroy(outline *o) {
  graze_compound_destroy(o->compound);
  graze_decomposition_destroy(&o->pieces);
}

static graze_placed placed(const outline *o, double spread) {
  const graze_shape shape = graze_compound_shape(o->compound);
  return place(&shape, spread > 0 ? random_grid_pose(&dice, 2, spread) : identity);
}

/* On an internal edge, at a multiple of an eighth, its ends included; or on the lattice; or a vertex. */
static graze_vec any_point(const outline *o) {
  graze_vec at = {(rng_below(&dice, 1024) - 512) / 64.0, (rng_below(&dice, 1024) - 512) / 64.0, 0};
  if (o->pieces.internal_edge_count > 0 && rng_below(&dice, 3) == 0) {
    const graze_internal_edge *edge = &o->pieces.internal_edges[rng_below(&dice, (int)o->pieces.internal_edge_count)];
    const int t = rng_below(&dice, 9);
    at.x = edge->from.x + (edge->to.x - edge->from.x) * t / 8;
    at.y = edge->from.y + (edge->to.y - edge->from.y) * t / 8;
  }
  const graze_ring *r = &o->rings[rng_below(&dice, o->count)];
  return rng_below(&dice, 8) == 0 ? r->vertices[rng_below(&dice, (int)r->count)] : at;
}

static graze_relation contains(const graze_placed *placed, graze_vec at) {
  graze_relation relation;
  assert_int_equal(graze_contains(placed, at, &relation), GRAZE_OK);
  return relation;
}

/* A point inside an internal edge is inside no piece. */
static bool on_internal_edge(const graze_placed *whole, graze_vec at) {
  for (size_t i = 0; i < graze_part_count(whole); i++) {
    const graze_placed part = graze_part(whole, i, &(graze_frame){{0}});
    if (contains(&part, at) == GRAZE_OVERLAPPING) return false;
  }
  return true;
}

/* `low`, `high`: numbers per outline of points inside, on the outline, on internal edges. */
static void check_points(uint64_t seed, bool (*make_one)(outline *), int outlines, const int low[3],
                         const int high[3]) {
  long count[5] = {0}, internal_edges = 0, made = 0;
  dice = seed;
  for (int i = 0; i < rounds(outlines); i++) {
    if (!make_one(&first)) continue;
    const graze_placed whole = placed(&first, 0);
    made++;
    for (int k = 0; k < 200; k++) {
      const graze_vec at = any_point(&first);
      const graze_relation relation = contains(&whole, at);
      assert_int_equal(relation, locate_point(first.rings, first.count, at));
      count[relation]++;
      internal_edges += relation == GRAZE_OVERLAPPING && on_internal_edge(&whole, at);
    }
    destroy(&first);
  }
  assert_in_range(made, rounds(outlines) / 2, rounds(outlines));
  assert_in_range(count[GRAZE_OVERLAPPING] / made, low[0], high[0]);
  assert_in_range(count[GRAZE_TOUCHING] / made, low[1], high[1]);
  assert_in_range(internal_edges / made, low[2], high[2]);
}

TEST(test_points) { /* seeds 91, 93, 94 */
  check_points(91, make, 60, (const int[3]){68, 28, 35}, (const int[3]){102, 44, 53});
  check_points(93, make_large, 6, (const int[3]){70, 31, 34}, (const int[3]){105, 46, 51});
  check_points(94, make_touching, 40, (const int[3]){121, 31, 37}, (const int[3]){181, 46, 55});
}

/* A keyhole: a bridge leads from the outline to a hole and back. Inside the bridge is only the polygon; where it is an
 * internal edge, the certificate proves it. */
TEST(test_keyholes) { /* seed 95 */
  static const graze_vec outer[4] = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}};
  dice = 95;
  for (int i = 0; i < rounds(100); i++) {
    const double x = 2 + rng_below(&dice, 129) / 64.0, y = 2 + rng_below(&dice, 129) / 64.0;
    graze_vec keyhole[10] = {outer[0],  outer[1],      outer[2],          outer[3],      outer[0],
                             {x, y, 0}, {x, y + 3, 0}, {x + 3, y + 3, 0}, {x + 3, y, 0}, {x, y, 0}};
    first.count = second.count = 0;
    add_ring(&first, keyhole, 10), add_ring(&second, outer, 4), add_ring(&second, keyhole + 5, 4);
    assert_true(split(&first, GRAZE_SPLIT_FEW));
    const graze_placed whole = placed(&first, 0);
    for (int k = 1; k < 16; k++) {
      const graze_shape shape = graze_point2();
      const graze_placed at = place(&shape, graze_pose_at(k * x / 16, k * y / 16, 0));
      const proved_answer answer = intersect(&whole, &at, NULL);
      assert_true(answer.relation == GRAZE_OVERLAPPING && answer.certificate.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE);
      assert_int_equal(verify_answer(&whole, &at, NULL, &answer), GRAZE_OK);
    }
    for (int k = 0; k < 50; k++) {
      const graze_vec at = {rng_below(&dice, 640) / 64.0, rng_below(&dice, 640) / 64.0, 0};
      assert_int_equal(contains(&whole, at), locate_point(second.rings, second.count, at));
    }
    destroy(&first);
  }
}

typedef struct tally {
  long queries, separated, pairs, tested;
} tally;

static void check(const graze_placed *a, const graze_placed *b, tally *sum) {
  const parts_truth truth = query_all_parts(a, b, 0);
  const proved_answer answer = distance(a, b, NULL);
  assert_int_equal(answer.relation, truth.relation);
  assert_true(answer.lower <= truth.upper && truth.lower <= answer.upper);
  assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper);
  assert_int_equal(intersect(b, a, NULL).relation, truth.relation);
  sum->queries++, sum->separated += answer.relation == GRAZE_SEPARATED;
  sum->pairs += (long)truth.pairs, sum->tested += (long)answer.pairs_tested;
}

TEST(test_bodies) { /* seed 92 */
  tally sum = {0, 0, 0, 0};
  dice = 92;
  for (int i = 0; i < rounds(100); i++) {
    graze_vec vertices[8];
    if (!make(&first)) continue;
    if (make(&second)) {
      const graze_shape shape = random_convex(&dice, 2, false, vertices);
      const graze_placed a = placed(&first, 12), b = placed(&second, 12);
      const graze_placed c = place(&shape, random_grid_pose(&dice, 2, 12));
      check(&a, &b, &sum);
      check(&a, &c, &sum);
      check(&c, &b, &sum);
      destroy(&second);
    }
    destroy(&first);
  }
  assert_in_range(100 * sum.separated / sum.queries, 56, 84);
  assert_in_range(1000 * sum.tested / sum.pairs, 17, 29);
}
