/* Only a flat body without a ball can touch the inside of a seam and overlap neither piece beside it, and only along
 * the seam's own line: docs/theory/compounds.md, "Seams". So the question is whether all its vertices lie on that line,
 * and whether they reach beyond one end or the other. */
#include "compound/internal_edge.h"

#include "narrow/exact_search.h"
#include "exact/predicates.h"
#include "core/vec.h"
#include "shape/core.h"

typedef struct seam_question {
  const grz_contact_parts *parts;
  bool whole_is_a; /* the decomposed polygon is A */
  const grz_compound_internal_edge *seam;
  int32_t piece; /* the one that touches */
  const graze_placed *whole, *other;
  int before, after; /* vertices of `other`: with the seam's beginning and its end the two points of C on either side
                        of the origin; -1: none */
} seam_question;

/* A core vertex of the other body; a flat ellipse is the segment between its ends. */
static size_t seam_corners(const graze_shape *other) {
  if (other->kind == GRAZE_ELLIPSOID) return other->as.ellipsoid.radii.x == 0 || other->as.ellipsoid.radii.y == 0 ? 2 : 0;
  return grz_core_count(other);
}

static graze_vec seam_corner(const graze_shape *other, size_t i) {
  if (other->kind != GRAZE_ELLIPSOID) return grz_core_vertex(other, i);
  return i == 0 ? vec_neg(other->as.ellipsoid.radii) : other->as.ellipsoid.radii;
}

/* All corners on one line. */
static bool seam_is_flat(const graze_shape *other, size_t count) {
  const graze_vec first = seam_corner(other, 0);
  graze_vec second = first;
  for (size_t i = 1; i < count; i++) {
    const graze_vec corner = seam_corner(other, i);
    if (vec_norm_inf(vec_sub(second, first)) == 0) second = corner;
    if (grz_orient2(first, second, corner) != 0) return false;
  }
  return true;
}

bool grz_internal_edge_may_hold(const graze_placed *body) {
  const size_t count = seam_corners(&body->shape);
  if (body->shape.kind == GRAZE_USER) return true;
  return !(body->hidden.radius > 0) && count > 0 && seam_is_flat(&body->shape, count);
}

/* End 0 or 1 of the seam, as a vertex of the piece that touches. */
static int32_t seam_end(const seam_question *q, int32_t piece, int end) {
  return piece == q->seam->left ? q->seam->vertex_left[end] : q->seam->vertex_right[end];
}

/* a - b for an end of the seam and a vertex of the other body. */
static grz_bvec seam_point(grz_exact *x, const seam_question *q, int end, size_t vertex) {
  graze_vec from = grz_core_vertex(&q->whole->shape, (size_t)seam_end(q, q->piece, end));
  graze_vec to = seam_corner(&q->other->shape, vertex);
  return q->whole_is_a ? grz_placement_point(x->arena, &x->placing, from, to)
                       : grz_placement_point(x->arena, &x->placing, to, from);
}

/* With p, q the vertex seen from both ends: on the line when p × q = 0; before the seam's end when q·(q - p) > 0,
 * behind its beginning when p·(q - p) < 0. False: not on the line. */
static bool seam_look(grz_exact *x, seam_question *question, size_t vertex) {
  size_t mark = x->arena->used;
  grz_bvec p = seam_point(x, question, 0, vertex), q = seam_point(x, question, 1, vertex);
  bool on_line = grz_bvec_cross(x->arena, p, q).z.sign == 0;
  if (on_line) {
    grz_bvec along = grz_bvec_sub(x->arena, q, p);
    if (grz_bvec_dot(x->arena, p, along).sign < 0) question->before = (int)vertex;
    if (grz_bvec_dot(x->arena, q, along).sign > 0) question->after = (int)vertex;
  }
  x->arena->used = mark;
  return on_line;
}

static void seam_search(grz_exact *x, void *context) {
  seam_question *q = context;
  size_t count = seam_corners(&q->other->shape);
  q->before = q->after = -1;
  for (size_t i = 0; i < count && !x->arena->full; i++) {
    if (seam_look(x, q, i)) continue;
    q->before = -1;
    return;
  }
}

static grz_pair seam_pair(const seam_question *q, int32_t piece, int end, int vertex) {
  const graze_placed *whole = q->whole_is_a ? q->parts->a : q->parts->b;
  int32_t at = seam_end(q, piece, end);
  int32_t index = q->other->shape.kind == GRAZE_ELLIPSOID ? -1 : (int32_t)vertex;
  graze_vec from = grz_core_vertex(&whole->shape.as.compound->parts[piece].shape, (size_t)at);
  graze_vec to = seam_corner(&q->other->shape, (size_t)vertex);
  return q->whole_is_a ? (grz_pair){at, index, from, to, 0} : (grz_pair){index, at, to, from, 0};
}

/* The piece lies to the left of the seam, or to the right; the direction from A to B points to the other side,
 * whichever of the two the piece belongs to. */
static grz_edge_touch seam_touch(const seam_question *q, int32_t piece, int sign) {
  grz_edge_touch touch = {.sign = sign, .pair_count = 2};
  touch.part_a = q->whole_is_a ? piece : q->parts->index_a;
  touch.part_b = q->whole_is_a ? q->parts->index_b : piece;
  touch.pairs[0] = seam_pair(q, piece, 0, q->before);
  touch.pairs[1] = seam_pair(q, piece, 1, q->after);
  return touch;
}

/* Does the body, where it touches this piece of `whole`, touch inside one of its internal_edges? */
static bool seam_crosses(seam_question *q, grz_result *result) {
  const grz_contact_parts *parts = q->parts;
  const graze_compound *compound = (q->whole_is_a ? parts->a : parts->b)->shape.as.compound;
  grz_obstacle c;
  grz_obstacle_make(&c, &parts->part_a, &parts->part_b, 0);
  for (size_t i = 0; i < compound->internal_edge_count; i++) {
    q->seam = &compound->internal_edges[i];
    if (q->seam->left != q->piece && q->seam->right != q->piece) continue;
    if (!grz_exact_run(&c, seam_search, q)) result->answer.relation = GRAZE_UNDECIDED; /* no room to tell */
    if (result->answer.relation == GRAZE_UNDECIDED || q->before < 0 || q->after < 0) continue;
    result->answer.relation = GRAZE_OVERLAPPING;
    result->answer.exact = true;
    result->proof.kind = GRAZE_CERTIFICATE_INTERNAL_EDGE;
    result->proof.internal_edge[0] = seam_touch(q, q->seam->left, -1);
    result->proof.internal_edge[1] = seam_touch(q, q->seam->right, 1);
    return true;
  }
  return false;
}

void grz_internal_edge_test(const grz_contact_parts *parts, double clearance, grz_result *result) {
  if (parts->part_a.hidden.radius > 0 || parts->part_b.hidden.radius > 0 || clearance > 0) return;
  for (int side = 0; side < 2; side++) {
    const graze_placed *whole = side == 0 ? parts->a : parts->b;
    if (whole->shape.kind != GRAZE_COMPOUND || whole->shape.as.compound->internal_edge_count == 0) continue;
    seam_question q = {.parts = parts, .whole_is_a = side == 0};
    q.piece = side == 0 ? parts->index_a : parts->index_b;
    q.whole = side == 0 ? &parts->part_a : &parts->part_b;
    q.other = side == 0 ? &parts->part_b : &parts->part_a;
    if (q.other->shape.kind == GRAZE_USER) result->answer.relation = GRAZE_UNDECIDED;
    if (seam_corners(&q.other->shape) > 0 && seam_crosses(&q, result)) return;
  }
}
