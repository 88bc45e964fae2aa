/* Bodies on the internal edge of two pieces. Inside the edge they overlap; on the outline they touch. All tests use a
 * rotated frame far from the origin, with the polygon as A and as B. */

#include <graze/build.h>

#include "verify/attacks.h"

static const graze_pose turned = {{1000.25, -77, 0}, 3, 0, 0, 1};

enum { LEFT, RIGHT, RIGHTMOST, LOWER, FLAT, SAME_SIDE };
static const graze_vec piece[][4] = {[LEFT] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                                     [RIGHT] = {{1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}},
                                     [RIGHTMOST] = {{2, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0}},
                                     [LOWER] = {{5, -1, 0}, {6, -1, 0}, {6, 0, 0}, {5, 0, 0}},
                                     [FLAT] = {{1, 0, 0}, {1, 0.5, 0}, {1, 0.5, 0}, {1, 1, 0}},
                                     [SAME_SIDE] = {{1, 0, 0}, {0.5, 0, 0}, {0.5, 1, 0}, {1, 1, 0}}};

/* With one internal edge, from (x, 0) to (x, 1), or none. */
static graze_status join(int count, const int *pieces, size_t internal_edges, int32_t left, int32_t right, double x,
                         graze_compound **out) {
  const graze_internal_edge edge = {left, right, {x, 0, 0}, {x, 1, 0}};
  graze_vec corners[12];
  for (int i = 0; i < count; i++) memcpy(corners + 4 * i, piece[pieces[i]], sizeof *piece);
  const graze_decomposition made = {.vertices = corners,
                                    .piece_start = (const size_t[]){0, 4, 8, 12},
                                    .piece_count = (size_t)count,
                                    .internal_edges = &edge,
                                    .internal_edge_count = internal_edges};
  *out = NULL;
  return graze_decomposition_compound(&made, NULL, out);
}

static graze_compound *polygon_of(int count, const int *pieces, size_t internal_edges, int32_t left, int32_t right,
                                  double x) {
  graze_compound *out;
  assert_int_equal(join(count, pieces, internal_edges, left, right, x, &out), GRAZE_OK);
  return out;
}

static graze_compound *make_square(void) { return polygon_of(2, (const int[]){LEFT, RIGHT}, 1, 0, 1, 1); }

static editable_pair pair_of(bool swapped, int corner, int other) {
  return swapped ? vertices(other, corner) : vertices(corner, other);
}

/* Overlap at the internal edge of pieces 0 and 1, by the ends of their edges and two vertices of the other body. */
static verify_case at_internal_edge(verify_case c, bool swapped, int first, int second) {
  const int edge[2][2] = {{1, 2}, {0, 3}};
  c = with_relation(c, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_INTERNAL_EDGE);
  c.answer.part_a = c.answer.part_b = 0;
  c.answer.parts = NULL, c.answer.part_count = 0;
  for (int k = 0; k < 2; k++) {
    editable_touch *touch = &c.answer.certificate.internal_edge[k];
    touch->part_a = swapped ? 0 : k, touch->part_b = swapped ? k : 0;
    touch->sign = k == 0 ? -1 : 1;
    touch->pair_count = 2;
    touch->pairs[0] = pair_of(swapped, edge[k][0], first);
    touch->pairs[1] = pair_of(swapped, edge[k][1], second);
  }
  return c;
}

static void attack(verify_case c, bool swapped) {
  const editable_touch good[2] = {c.answer.certificate.internal_edge[0], c.answer.certificate.internal_edge[1]};
  for (int k = 0; k < 2; k++) {
    editable_touch *touch = &c.answer.certificate.internal_edge[k];
    REFUTE_EACH(&c, int32_t, touch->part_a, -1, 2, INT32_MAX, INT32_MIN);
    REFUTE_EACH(&c, int32_t, touch->part_b, -1, 2, INT32_MAX, INT32_MIN);
    REFUTE_EACH(&c, int32_t, touch->pair_count, -1, 1, 5, INT32_MAX, INT32_MIN);
    for (int i = 0; i < 2; i++) {
      REFUTE_EACH(&c, int32_t, touch->pairs[i].a, -1, 4, INT32_MAX, INT32_MIN);
      REFUTE_EACH(&c, int32_t, touch->pairs[i].b, -1, 4, INT32_MAX, INT32_MIN);
    }
    REFUTE_EACH(&c, int, touch->sign, 0, -good[k].sign, 2, INT32_MIN);
    *touch = good[1 - k];
    expect(c, GRAZE_REFUTED); /* one piece twice */
    *touch = good[k];
    int32_t *end[2] = {swapped ? &touch->pairs[0].b : &touch->pairs[0].a,
                       swapped ? &touch->pairs[1].b : &touch->pairs[1].a};
    const int32_t from = *end[0], to = *end[1];
    for (int32_t i = 0; i < 16; i++) { /* every other edge or diagonal of the piece */
      *end[0] = i / 4, *end[1] = i % 4;
      const bool same = (*end[0] == from && *end[1] == to) || (*end[0] == to && *end[1] == from);
      if (!same) expect(c, GRAZE_REFUTED);
    }
    *touch = good[k];
  }
  REFUTE_EACH(&c, int, c.answer.relation, GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_UNDECIDED);
  expect(with_clearance(c, 0x1p-1074), GRAZE_REFUTED);
  expect(with_interval(c, -INFINITY, 0, 0), GRAZE_OK);
  expect(with_interval(c, 0, 0, 0), GRAZE_UNPROVEN); /* other pairs may be deeper */
  expect(with_interval(c, -INFINITY, -0x1p-1074, -0x1p-1074), GRAZE_UNPROVEN);
  expect(with_interval(c, -INFINITY, 0, 0x1p-1074), GRAZE_REFUTED);
}

static graze_shape segment(double ax, double ay, double bx, double by) {
  return graze_segment2(vec(ax, ay, 0), vec(bx, by, 0));
}

static verify_case case_in_order(const graze_placed *polygon, const graze_placed *other, bool swapped,
                                 editable_part_proof *proofs) {
  return swapped ? case_of_parts(other, polygon, proofs) : case_of_parts(polygon, other, proofs);
}

TEST(body_inside_the_internal_edge_overlaps) {
  const struct {
    graze_shape shape;
    int first, second;
  } cases[] = {{segment(1, 0.25, 1, 0.75), 0, 1}, {segment(1, 0.25, 1, 0.25), 0, 0}, /* a point */
               {segment(1, 0.3, 1, 0.3), 1, 1},   {segment(1, 0.5, 1, 5), 0, 0},     /* out at the top */
               {segment(1, -3, 1, 5), 1, 0},                                         /* along the whole edge */
               {segment(1, -3, 1, 0.125), 1, 0}};
  editable_part_proof proofs[CASE_PROOFS];
  graze_compound *square = make_square(), *without_edge = polygon_of(2, (const int[]){LEFT, RIGHT}, 0, 0, 0, 0);
  graze_compound *other_edge = polygon_of(3, (const int[]){LEFT, RIGHT, RIGHTMOST}, 1, 1, 2, 2);
  const graze_placed polygon = posed(graze_compound_shape(square), turned);
  const graze_placed wrong[3] = {posed(graze_compound_shape(without_edge), turned),
                                 posed(graze_compound_shape(other_edge), turned),
                                 posed(graze_with_margin(graze_compound_shape(square), 0x1p-1074), turned)};
  for (size_t i = 0; i < 2 * COUNT(cases); i++) {
    const bool swapped = i % 2;
    const graze_placed other = place(&cases[i / 2].shape, turned);
    verify_case parts = case_in_order(&polygon, &other, swapped, proofs), c = parts;
    assert_int_equal(parts.answer.relation, GRAZE_TOUCHING); /* each part by itself */
    expect(parts, GRAZE_REFUTED);
    c.answer.parts = NULL, c.answer.part_count = 0;
    expect(c, GRAZE_UNPROVEN);
    c = at_internal_edge(c, swapped, cases[i / 2].first, cases[i / 2].second);
    expect(c, GRAZE_OK);
    attack(c, swapped);
    for (int k = 0; k < 3; k++) { /* no internal edge, one of other pieces, a margin */
      *(swapped ? &c.b : &c.a) = wrong[k];
      expect(c, GRAZE_REFUTED);
    }
    *(swapped ? &c.b : &c.a) = polygon;
    /* With the proofs of all pairs, the bounds are 0. */
    c.answer.parts = proofs, c.answer.part_count = parts.answer.part_count;
    expect(with_interval(c, 0, 0, 0), GRAZE_OK);
  }
  graze_compound_destroy(square);
  graze_compound_destroy(without_edge);
  graze_compound_destroy(other_edge);
}

TEST(body_outside_the_internal_edge_does_not_overlap_there) {
  const struct {
    graze_shape shape;
    graze_relation relation;
  } cases[] = {{segment(1, 1, 1, 2), GRAZE_TOUCHING}, /* the end of the internal edge is on the outline */
               {segment(1, 0, 1, 0), GRAZE_TOUCHING},
               {segment(1, 0, 2, 0), GRAZE_TOUCHING},  /* along the outline */
               {segment(2, -1, 2, 2), GRAZE_TOUCHING}, /* on an edge parallel to the internal edge */
               {segment(1, 1.25, 1, 2), GRAZE_SEPARATED},
               {segment(0.5, 0.5, 1, 0.5), GRAZE_OVERLAPPING}, /* across: one piece is enough */
               {segment(0.5, 0.5, 1.5, 0.5), GRAZE_OVERLAPPING}};
  editable_part_proof proofs[CASE_PROOFS];
  graze_compound *square = make_square();
  const graze_placed polygon = posed(graze_compound_shape(square), turned);
  for (size_t i = 0; i < 2 * COUNT(cases); i++) {
    const graze_placed other = place(&cases[i / 2].shape, turned);
    verify_case c = case_in_order(&polygon, &other, i % 2, proofs);
    assert_int_equal(c.answer.relation, cases[i / 2].relation);
    if (c.answer.relation != GRAZE_OVERLAPPING) expect(c, GRAZE_OK);
    for (int k = 0; k < 4; k++) expect(at_internal_edge(c, i % 2, k % 2, k / 2), GRAZE_REFUTED);
  }
  graze_compound_destroy(square);
}

/* Pieces on either side of one line, far apart on it: a long segment between them touches both. */
TEST(distant_pieces_have_no_internal_edge) {
  graze_compound *polygon = polygon_of(3, (const int[]){LEFT, LOWER, RIGHT}, 1, 0, 2, 1);
  verify_case c = separated(segment(0.5, 0, 5.5, 0), turned, graze_point2(), identity);
  c.b = c.a, c.a = posed(graze_compound_shape(polygon), turned);
  c = at_internal_edge(c, false, 0, 1);
  editable_touch *touch = c.answer.certificate.internal_edge;
  touch[0].pairs[0] = vertices(0, 1), touch[0].pairs[1] = vertices(1, 0);
  touch[1].pairs[0] = vertices(3, 1), touch[1].pairs[1] = vertices(2, 0);
  for (int i = 0; i < 4; i++) {
    touch[0].sign = i % 2 ? 1 : -1, touch[1].sign = i / 2 ? 1 : -1;
    expect(c, GRAZE_REFUTED);
  }
  graze_compound_destroy(polygon);
}

/* Pieces without an interior, and two pieces on one side of the edge, are rejected. */
TEST(false_internal_edges_are_rejected) {
  graze_compound *out;
  assert_int_not_equal(join(2, (const int[]){LEFT, FLAT}, 1, 0, 1, 1, &out), GRAZE_OK);
  assert_int_not_equal(join(2, (const int[]){LEFT, SAME_SIDE}, 1, 0, 1, 1, &out), GRAZE_OK);
  assert_int_not_equal(join(2, (const int[]){LEFT, LOWER}, 1, 0, 1, 1, &out), GRAZE_OK);
  assert_null(out);
}

/* A flat ellipse, which names its points by coordinates. */
TEST(flat_ellipse_in_the_internal_edge) {
  graze_compound *square = make_square();
  verify_case c = separated(graze_point2(), identity, graze_ellipse(0, 0.25), graze_pose_at(1, 0.5, 0));
  c.a = posed(graze_compound_shape(square), identity);
  c = at_internal_edge(c, false, -1, -1);
  editable_touch *touch = c.answer.certificate.internal_edge;
  for (int k = 0; k < 2; k++) {
    touch[k].pairs[0].point_b = vec(0, -0.25, 0);
    touch[k].pairs[1].point_b = vec(0, 0.25, 0);
  }
  expect(c, GRAZE_OK);
  REFUTE_EACH(&c, double, touch[1].pairs[1].point_b.y, 0.5);           /* outside */
  REFUTE_EACH(&c, double, c.b.shape.as.box.half_extents.x, 0x1p-1074); /* an ellipse with an interior */
  graze_compound_destroy(square);
}
