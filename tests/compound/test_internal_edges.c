/* A body inside an internal edge of a decomposed polygon lies inside the polygon; the ends of the edge are on the
 * outline. Exact by construction: coordinates are multiples of 1/512, polygon and body share their pose. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/shapes.h"

enum { PIECES = 12 };

static rng dice;
static polygon_strip strip;
static graze_compound *whole, *loose; /* the decomposition; the same pieces as separate parts */

static int set_up(void **state) {
  (void)state;
  graze_placed parts[PIECES];
  dice = 31;
  random_strip(&dice, PIECES, &strip);
  if (graze_decomposition_compound(&strip.decomposition, NULL, &whole) != GRAZE_OK) return -1;
  for (int i = 0; i < PIECES; i++) parts[i] = placed_at(graze_polygon(strip.corners + 4 * i, 4), 0, 0, 0);
  loose = compound_of(parts, PIECES);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  graze_compound_destroy(whole);
  graze_compound_destroy(loose);
  return 0;
}

/* The point at t/8 of internal edge i, from its lower end; 0 and 8 are its ends. */
static graze_vec on_internal_edge(int i, int t) {
  const graze_vec from = strip.internal_edges[i].from, to = strip.internal_edges[i].to;
  return vec(from.x + (to.x - from.x) * t / 8, from.y + (to.y - from.y) * t / 8, 0);
}

/* Only the proofs of all pairs show that nothing is deeper. */
static void check_proofs(const graze_placed *a, const graze_placed *b, proved_answer answer) {
  static graze_part_proof proofs[4 * PIECES];
  graze_options all = graze_default_options();
  answer.distance = answer.lower = NAN;
  assert_int_equal(verify_answer(a, b, NULL, &answer), GRAZE_OK);
  all.parts = proofs, all.part_capacity = 4 * PIECES;
  assert_int_equal(query_distance(a, b, &all, &answer), GRAZE_OK);
  assert_int_equal(answer.certificate.kind, GRAZE_CERTIFICATE_INTERNAL_EDGE);
  assert_int_equal(verify_answer(a, b, &all, &answer), GRAZE_OK);
  answer.relation = GRAZE_TOUCHING; /* as each pair by itself */
  answer.certificate.kind = GRAZE_CERTIFICATE_TOUCH;
  assert_int_equal(verify_answer(a, b, &all, &answer), GRAZE_REFUTED);
}

static void check_certificate(const graze_placed *a, const graze_placed *b, const proved_answer *answer) {
  const graze_internal_edge_touch *touch = answer->certificate.internal_edge;
  const bool first = a->shape.kind == GRAZE_COMPOUND;
  assert_true(answer->distance == 0 && answer->lower == 0 && answer->upper == 0);
  assert_true(touch[0].sign == -1 && touch[1].sign == 1 && touch[0].pair_count == 2 && touch[1].pair_count == 2);
  assert_int_equal(first ? touch[1].part_a : touch[1].part_b, 1 + (first ? touch[0].part_a : touch[0].part_b));
  assert_int_equal(first ? touch[0].part_b : touch[0].part_a, 0);
  check_proofs(a, b, *answer);
}

static void check_pair(const graze_placed *a, const graze_placed *b, graze_relation relation, bool internal_edge) {
  graze_contact contacts[8];
  size_t count = 99;
  proved_answer answers[3] = {intersect(a, b, NULL), distance(a, b, NULL)};
  graze_manifold_options near = graze_default_manifold_options();
  near.speculative_distance = fmax(answers[1].upper, 0) + 1e-9; /* separated pairs, too */
  assert_int_equal(query_manifold(a, b, &near, &answers[2], contacts, 8, &count), GRAZE_OK);
  assert_in_range(count, 1, 8);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(answers[i].relation, relation);
    if (i == 2) continue; /* a manifold has no certificate */
    assert_int_equal(answers[i].certificate.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE, internal_edge);
  }
  if (internal_edge) check_certificate(a, b, &answers[1]);
}

/* As A and as B, in four poses. */
static void expect(graze_shape body, graze_relation relation, bool internal_edge) {
  const graze_shape polygon = graze_compound_shape(whole);
  for (int i = 0; i < 4; i++) {
    const graze_pose pose = i == 0 ? identity : random_grid_pose(&dice, 2, 100);
    const graze_placed a = place(&polygon, pose), b = place(&body, pose);
    check_pair(&a, &b, relation, internal_edge);
    check_pair(&b, &a, relation, internal_edge);
  }
}

static graze_relation contains(const graze_compound *compound, graze_vec at) {
  const graze_placed placed = placed_at(graze_compound_shape(compound), 0, 0, 0);
  graze_relation relation;
  assert_int_equal(graze_contains(&placed, at, &relation), GRAZE_OK);
  return relation;
}

static graze_shape point_at(graze_vec at) { return graze_segment2(at, at); }

/* Points and segments along each internal edge: inside it, over its ends, beyond them. */
TEST_WITH(test_points_and_segments, set_up, tear_down) {
  static const struct {
    int from, to;
    graze_relation relation;
  } row[] = {
      {1, 1, GRAZE_OVERLAPPING},   {2, 2, GRAZE_OVERLAPPING},  {3, 3, GRAZE_OVERLAPPING},  {4, 4, GRAZE_OVERLAPPING},
      {5, 5, GRAZE_OVERLAPPING},   {6, 6, GRAZE_OVERLAPPING},  {7, 7, GRAZE_OVERLAPPING},  {0, 0, GRAZE_TOUCHING},
      {8, 8, GRAZE_TOUCHING},      {9, 9, GRAZE_SEPARATED},    {2, 3, GRAZE_OVERLAPPING},  {0, 8, GRAZE_OVERLAPPING},
      {-4, 12, GRAZE_OVERLAPPING}, {7, 12, GRAZE_OVERLAPPING}, {-4, 1, GRAZE_OVERLAPPING}, {8, 0, GRAZE_OVERLAPPING},
      {8, 12, GRAZE_TOUCHING},     {-4, 0, GRAZE_TOUCHING},    {9, 12, GRAZE_SEPARATED}};
  for (int i = 0; i + 1 < PIECES; i++) {
    for (size_t k = 0; k < COUNT(row); k++) {
      const graze_vec from = on_internal_edge(i, row[k].from), to = on_internal_edge(i, row[k].to);
      expect(graze_segment2(from, to), row[k].relation, row[k].relation == GRAZE_OVERLAPPING);
      if (row[k].from != row[k].to) continue;
      assert_int_equal(contains(whole, from), row[k].relation);
      if (row[k].relation == GRAZE_OVERLAPPING) assert_int_equal(contains(loose, from), GRAZE_TOUCHING);
    }
    expect(graze_segment2(on_internal_edge(i, 4), vec(100, 3, 0)), GRAZE_OVERLAPPING, false);
  }
}

/* Flat shapes of each kind; shapes with an interior, which overlap a piece. */
TEST_WITH(test_shapes, set_up, tear_down) {
  const graze_vec p = on_internal_edge(3, 2), q = on_internal_edge(3, 4), r = on_internal_edge(3, 7);
  const graze_vec line[4] = {q, p, r, q};
  expect(graze_triangle2(p, r, q), GRAZE_OVERLAPPING, true);
  expect(graze_hull_points2(line, 4), GRAZE_OVERLAPPING, true);
  expect(graze_polygon(line, 3), GRAZE_OVERLAPPING, true);
  expect(graze_triangle2(p, q, vec(q.x + 1, q.y, 0)), GRAZE_OVERLAPPING, false);
  expect(graze_with_margin(point_at(q), 0x1p-60), GRAZE_OVERLAPPING, false);
  graze_options options = graze_default_options();
  options.clearance = 1e-300;
  const graze_placed a = placed_at(graze_compound_shape(whole), 0, 0, 0), b = placed_at(point_at(q), 0, 0, 0);
  const graze_placed rounded = placed_at(graze_with_margin(a.shape, 1e-300), 0, 0, 0);
  const proved_answer answers[2] = {distance(&a, &b, &options), distance(&rounded, &b, NULL)};
  for (int i = 0; i < 2; i++)
    assert_true(answers[i].relation == GRAZE_OVERLAPPING && answers[i].certificate.kind == GRAZE_CERTIFICATE_NEAR);
}

static double user_point(void *context, graze_vec direction, graze_vec *point) {
  (void)context, (void)direction;
  *point = vec(0, 0, 0);
  return 0;
}

/* Shapes without breadth that are placed on a vertical internal edge. A support function leaves it undecided. */
TEST_WITH(test_placed, set_up, tear_down) {
  static const graze_vec corners[8] = {{-1, -1, 0}, {0, -1, 0}, {0, 1, 0}, {-1, 1, 0},
                                       {0, -1, 0},  {1, -1, 0}, {1, 1, 0}, {0, 1, 0}};
  static const size_t start[3] = {0, 4, 8};
  const graze_internal_edge internal_edge = {0, 1, {0, -1, 0}, {0, 1, 0}};
  const graze_decomposition two = {.vertices = corners,
                                   .piece_start = start,
                                   .piece_count = 2,
                                   .internal_edges = &internal_edge,
                                   .internal_edge_count = 1};
  const graze_shape flat[5] = {graze_point2(), graze_box2(0, 0.25), graze_ellipse(0, 0.25), graze_circle(0),
                               graze_ellipse(0, 0)};
  graze_compound *square;
  assert_int_equal(graze_decomposition_compound(&two, NULL, &square), GRAZE_OK);
  const graze_placed a = placed_at(graze_compound_shape(square), 0, 0, 0);
  for (int i = 0; i < 5; i++) {
    const graze_placed in = placed_at(flat[i], 0, 0.5, 0), on = placed_at(flat[i], 1, 0, 0);
    const proved_answer answer = distance(&a, &in, NULL);
    assert_true(answer.relation == GRAZE_OVERLAPPING && answer.certificate.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE);
    check_proofs(&a, &in, answer);
    assert_int_equal(intersect(&on, &a, NULL).relation, GRAZE_TOUCHING);
  }
  const graze_placed user = placed_at(graze_user(2, user_point, NULL), 0, 0.5, 0);
  const proved_answer answer = distance(&a, &user, NULL);
  assert_true(answer.relation == GRAZE_UNDECIDED && answer.conditional && answer.lower <= 0 && answer.upper >= 0);
  graze_compound_destroy(square);
}

/* Against a compound of points: one separated, one on the outline, one on an internal edge. */
TEST_WITH(test_parts, set_up, tear_down) {
  static const graze_relation relation[4] = {0, GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING};
  const graze_vec points[3] = {vec(50, 0, 0), on_internal_edge(2, 0), on_internal_edge(5, 3)};
  const graze_shape polygon = graze_compound_shape(whole);
  graze_placed parts[3];
  for (int i = 0; i < 3; i++) parts[i] = placed_at(point_at(points[i]), 0, 0, 0);
  for (int count = 1; count <= 3; count++) {
    graze_compound *dust = compound_of(parts, (size_t)count);
    const graze_shape shape = graze_compound_shape(dust);
    const graze_pose pose = random_grid_pose(&dice, 2, 10);
    const graze_placed a = place(&polygon, pose), b = place(&shape, pose);
    const proved_answer answer = distance(&a, &b, NULL), exchanged = distance(&b, &a, NULL);
    assert_true(answer.relation == relation[count] && exchanged.relation == relation[count]);
    assert_int_equal(answer.part_b, count - 1);
    if (count == 3) check_proofs(&b, &a, exchanged);
    graze_compound_destroy(dust);
  }
}

/* Points of a lattice, on and off internal edges, by winding numbers. Seed 32. */
TEST_WITH(test_lattice, set_up, tear_down) {
  const int points = tiered(20000, 40000, 200000);
  graze_vec outline[2 * PIECES + 2];
  int count[5] = {0}, on_edges = 0;
  for (int i = 0; i <= PIECES; i++) outline[i] = strip.below[i], outline[PIECES + 1 + i] = strip.above[PIECES - i];
  const graze_ring ring = {outline, 2 * PIECES + 2};
  dice = 32;
  for (int i = 0; i < points; i++) {
    const int internal_edge = rng_below(&dice, PIECES - 1);
    graze_vec at = {rng_below(&dice, 64 * PIECES) / 64.0, (rng_below(&dice, 256) - 128) / 64.0, 0};
    if (rng_below(&dice, 8) == 0) at = on_internal_edge(internal_edge, rng_below(&dice, 11) - 1);
    if (rng_below(&dice, 16) == 0) at = strip.below[1 + internal_edge];
    const graze_relation relation = contains(whole, at);
    assert_int_equal(relation, locate_point(&ring, 1, at));
    on_edges += contains(loose, at) == GRAZE_TOUCHING && relation == GRAZE_OVERLAPPING;
    count[relation]++;
  }
  assert_in_range(100 * count[GRAZE_OVERLAPPING] / points, 38, 75);
  assert_in_range(100 * count[GRAZE_TOUCHING] / points, 5, 15);
  assert_in_range(100 * on_edges / points, 5, 20);
}
