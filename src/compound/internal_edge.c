/* The test for contacts on internal edges of a decomposed polygon: a body that touches two pieces inside their common
 * edge overlaps the polygon.
 *
 * Only a flat body without a margin can touch the interior of an internal edge without overlapping an adjacent piece.
 * It must lie on the line of the edge. The test decides exactly whether all vertices of the body are on that line, and
 * on which sides of the ends they are. Theory: docs/theory/compounds.md, "Internal edges". */
#include "compound/compound.h"

#include "narrow/search.h"
#include "exact/exact.h"
#include "core/vec.h"
#include "shape/shape.h"

typedef struct edge_query {
  const grz_contact_parts *parts;
  bool whole_is_a; /* true: the decomposed polygon is A */
  const grz_compound_internal_edge *edge;
  int32_t piece; /* the piece that touches */
  const graze_placed *whole, *other;
  int before, after; /* vertices of `other`; -1: none. `before` with end 0 of the edge, and `after` with end 1, give the
                        points of C on either side of the origin */
} edge_query;

/* The number of core vertices of the other body. A flat ellipse is the segment between its ends. */
static size_t edge_vertex_count(const graze_shape *other) {
  if (other->kind == GRAZE_ELLIPSOID)
    return other->as.ellipsoid.radii.x == 0 || other->as.ellipsoid.radii.y == 0 ? 2 : 0;
  return grz_core_count(other);
}

static graze_vec edge_vertex(const graze_shape *other, size_t i) {
  if (other->kind != GRAZE_ELLIPSOID) return grz_core_vertex(other, i);
  return i == 0 ? vec_neg(other->as.ellipsoid.radii) : other->as.ellipsoid.radii;
}

/* True if all vertices are on one line. */
static bool edge_is_collinear(const graze_shape *other, size_t count) {
  const graze_vec first = edge_vertex(other, 0);
  graze_vec second = first;
  for (size_t i = 1; i < count; i++) {
    const graze_vec corner = edge_vertex(other, i);
    if (vec_norm_inf(vec_sub(second, first)) == 0) second = corner;
    if (grz_orient2(first, second, corner) != 0) return false;
  }
  return true;
}

bool grz_internal_edge_may_hold(const graze_placed *body) {
  const size_t count = edge_vertex_count(&body->shape);
  if (body->shape.kind == GRAZE_USER) return true;
  return !(body->hidden.radius > 0) && count > 0 && edge_is_collinear(&body->shape, count);
}

/* End 0 or 1 of the edge, as a vertex of the given piece. */
static int32_t edge_end(const edge_query *q, int32_t piece, int end) {
  return piece == q->edge->left ? q->edge->vertex_left[end] : q->edge->vertex_right[end];
}

/* a - b for an end of the edge and a vertex of the other body. */
static grz_bvec edge_point(grz_exact *x, const edge_query *q, int end, size_t vertex) {
  graze_vec from = grz_core_vertex(&q->whole->shape, (size_t)edge_end(q, q->piece, end));
  graze_vec to = edge_vertex(&q->other->shape, vertex);
  return q->whole_is_a ? grz_placement_point(x->arena, &x->placing, from, to)
                       : grz_placement_point(x->arena, &x->placing, to, from);
}

/* Let p and q be the vertex relative to both ends. The vertex is on the line if p × q = 0. It is before the last end if
 * q·(q - p) > 0, and behind the first end if p·(q - p) < 0. Returns false if the vertex is not on the line. */
static bool edge_test_vertex(grz_exact *x, edge_query *query, size_t vertex) {
  size_t mark = x->arena->used;
  grz_bvec p = edge_point(x, query, 0, vertex), q = edge_point(x, query, 1, vertex);
  bool on_line = grz_bvec_cross(x->arena, p, q).z.sign == 0;
  if (on_line) {
    grz_bvec edge = grz_bvec_sub(x->arena, q, p);
    if (grz_bvec_dot(x->arena, p, edge).sign < 0) query->before = (int)vertex;
    if (grz_bvec_dot(x->arena, q, edge).sign > 0) query->after = (int)vertex;
  }
  x->arena->used = mark;
  return on_line;
}

static void edge_test_all(grz_exact *x, void *context) {
  edge_query *q = context;
  size_t count = edge_vertex_count(&q->other->shape);
  q->before = q->after = -1;
  for (size_t i = 0; i < count && !x->arena->full; i++) {
    if (edge_test_vertex(x, q, i)) continue;
    q->before = -1;
    return;
  }
}

static grz_pair edge_pair(const edge_query *q, int32_t piece, int end, int vertex) {
  const graze_placed *whole = q->whole_is_a ? q->parts->a : q->parts->b;
  int32_t at = edge_end(q, piece, end);
  int32_t index = q->other->shape.kind == GRAZE_ELLIPSOID ? -1 : (int32_t)vertex;
  graze_vec from = grz_core_vertex(&whole->shape.as.compound->parts[piece].shape, (size_t)at);
  graze_vec to = edge_vertex(&q->other->shape, (size_t)vertex);
  return q->whole_is_a ? (grz_pair){at, index, from, to, 0} : (grz_pair){index, at, to, from, 0};
}

/* The piece is on the left or on the right of the edge. The direction from A to B points to the other side, whether the
 * piece belongs to A or to B. */
static grz_edge_touch edge_make_touch(const edge_query *q, int32_t piece, int sign) {
  grz_edge_touch touch = {.sign = sign, .pair_count = 2};
  touch.part_a = q->whole_is_a ? piece : q->parts->index_a;
  touch.part_b = q->whole_is_a ? q->parts->index_b : piece;
  touch.pairs[0] = edge_pair(q, piece, 0, q->before);
  touch.pairs[1] = edge_pair(q, piece, 1, q->after);
  return touch;
}

/* True if the body touches this piece of the compound in the interior of one of its internal edges. */
static bool edge_is_crossed(edge_query *q, grz_result *result) {
  const grz_contact_parts *parts = q->parts;
  const graze_compound *compound = (q->whole_is_a ? parts->a : parts->b)->shape.as.compound;
  grz_obstacle c;
  grz_obstacle_make(&c, &parts->part_a, &parts->part_b, 0);
  for (size_t i = 0; i < compound->internal_edge_count; i++) {
    q->edge = &compound->internal_edges[i];
    if (q->edge->left != q->piece && q->edge->right != q->piece) continue;
    if (!grz_exact_run(&c, edge_test_all, q))
      result->answer.relation = GRAZE_UNDECIDED; /* the workspace is too small to decide */
    if (result->answer.relation == GRAZE_UNDECIDED || q->before < 0 || q->after < 0) continue;
    result->answer.relation = GRAZE_OVERLAPPING;
    result->answer.exact = true;
    result->proof.kind = GRAZE_CERTIFICATE_INTERNAL_EDGE;
    result->proof.internal_edge[0] = edge_make_touch(q, q->edge->left, -1);
    result->proof.internal_edge[1] = edge_make_touch(q, q->edge->right, 1);
    return true;
  }
  return false;
}

void grz_internal_edge_test(const grz_contact_parts *parts, double clearance, grz_result *result) {
  if (parts->part_a.hidden.radius > 0 || parts->part_b.hidden.radius > 0 || clearance > 0) return;
  for (int side = 0; side < 2; side++) {
    const graze_placed *whole = side == 0 ? parts->a : parts->b;
    if (whole->shape.kind != GRAZE_COMPOUND || whole->shape.as.compound->internal_edge_count == 0) continue;
    edge_query q = {.parts = parts, .whole_is_a = side == 0};
    q.piece = side == 0 ? parts->index_a : parts->index_b;
    q.whole = side == 0 ? &parts->part_a : &parts->part_b;
    q.other = side == 0 ? &parts->part_b : &parts->part_a;
    if (q.other->shape.kind == GRAZE_USER) result->answer.relation = GRAZE_UNDECIDED;
    if (edge_vertex_count(&q.other->shape) > 0 && edge_is_crossed(&q, result)) return;
  }
}
