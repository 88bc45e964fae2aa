/* Contacts on internal edges of decomposed polygons, in exact arithmetic.
 *
 * Two pieces on opposite sides of a common edge contain together a disc about each inner point of that edge. So a body
 * that touches both pieces in such a point overlaps the polygon. Proofs: docs/theory/certificates.md, "Internal edges".
 * Below, `whole` is the compound with internal edges and `other` the other body. */
#include "verify/verify.h"

static size_t internal_edge_count(const graze_placed *placed) {
  return placed->shape.kind == GRAZE_COMPOUND ? placed->shape.as.compound->internal_edge_count : 0;
}

/* ---- The certificate: two touches. */

typedef struct edge_touch {
  graze_placed a, b; /* the two parts */
  graze_frame frame_a, frame_b;
  grz_exact_cso exact;
  const grz_edge_touch *touch;
  grz_bvec w[4], direction; /* points of C = A - B; the normal from A to B */
} edge_touch;

/* Checks one touch: no point of C is beyond the line of w0 and w1, and the origin is on the line and in the hull. */
static graze_status touch_check(edge_touch *s) {
  grz_exact_cso *r = &s->exact;
  grz_direction facet = {.form = GRAZE_DIRECTION_FACET, .sign = s->touch->sign, .count = 2};
  for (int i = 0; i < 2; i++) facet.pairs[i] = s->touch->pairs[i];
  if (s->touch->pair_count < 2 || !grz_parse_pairs(r, s->touch->pairs, s->touch->pair_count, 4, s->w))
    return GRAZE_REFUTED;
  if (!grz_parse_direction(r, &facet, &s->direction)) return GRAZE_REFUTED;
  grz_gap gap;
  if (!grz_gap_make(r, s->direction, &gap)) return GRAZE_UNPROVEN;
  bool supporting = grz_gap_sign(r, &gap, grz_big_zero()) >= 0;
  bool on_line = grz_bvec_dot(r->arena, s->direction, s->w[0]).sign == 0;
  bool in_hull = grz_bvec_is_zero(grz_nearest_of(r->arena, s->w, s->touch->pair_count, 2).direction);
  return supporting && on_line && in_hull ? GRAZE_OK : GRAZE_REFUTED;
}

/* Returns whether C has a point off the line. */
static bool touch_has_area(edge_touch *s) {
  grz_gap gap;
  return grz_gap_make(&s->exact, grz_bvec_neg(s->direction), &gap) && grz_gap_sign(&s->exact, &gap, grz_big_zero()) < 0;
}

/* The line of the first touch. Ends of edges and points of the other body have positions on it. */
typedef struct edge_line {
  const edge_touch *first;
  bool compound_is_a;
  grz_bvec axis;
  graze_vec other; /* position 0: this point of the other body */
  graze_vec end;   /* a vertex of a piece, the reference for points of the other body */
} edge_line;

static void touch_points(const edge_touch *s, bool compound_is_a, int i, graze_vec *piece, graze_vec *other) {
  const grz_pair *pair = &s->touch->pairs[i];
  const graze_shape *shape[2] = {&s->a.shape, &s->b.shape};
  const graze_vec named[2] = {pair->point_a, pair->point_b};
  const int32_t index[2] = {pair->a, pair->b};
  for (int k = 0; k < 2; k++) {
    graze_vec point = index[k] < 0 ? named[k] : grz_core_vertex(shape[k], (size_t)index[k]);
    *((k == 0) == compound_is_a ? piece : other) = point;
  }
}

/* piece - other, in the world frame. */
static grz_bvec line_difference(const edge_line *line, graze_vec piece, graze_vec other) {
  const grz_exact_cso *r = &line->first->exact;
  return line->compound_is_a ? grz_placement_point(r->arena, &r->placement, piece, other)
                             : grz_bvec_neg(grz_placement_point(r->arena, &r->placement, other, piece));
}

static grz_big line_position(const edge_line *line, graze_vec piece) {
  return grz_bvec_dot(line->first->exact.arena, line_difference(line, piece, line->other), line->axis);
}

static grz_big line_position_of_other(const edge_line *line, graze_vec other) {
  grz_arena *arena = line->first->exact.arena;
  grz_big back = grz_bvec_dot(arena, line_difference(line, line->end, other), line->axis);
  return grz_big_sub(arena, line_position(line, line->end), back);
}

static grz_big big_min(grz_big x, grz_big y) { return grz_big_compare(x, y) <= 0 ? x : y; }
static grz_big big_max(grz_big x, grz_big y) { return grz_big_compare(x, y) >= 0 ? x : y; }

/* Returns whether the open edges and the other body have a common point. All are on one line. */
static bool touches_share_point(const edge_line *line, const edge_touch *side) {
  grz_big low = grz_big_zero(), high = low, from = low, to = low;
  for (int k = 0; k < 2; k++) {
    grz_big end[2];
    for (int i = 0; i < 2; i++) {
      graze_vec piece, other;
      touch_points(&side[k], line->compound_is_a, i, &piece, &other);
      grz_big position = line_position_of_other(line, other);
      end[i] = line_position(line, piece);
      from = k + i == 0 ? position : big_min(from, position);
      to = k + i == 0 ? position : big_max(to, position);
    }
    low = k == 0 ? big_min(end[0], end[1]) : big_max(low, big_min(end[0], end[1]));
    high = k == 0 ? big_max(end[0], end[1]) : big_min(high, big_max(end[0], end[1]));
  }
  return grz_big_compare(low, high) < 0 && grz_big_compare(from, high) < 0 && grz_big_compare(low, to) < 0;
}

/* Returns whether the pieces are on opposite sides of one line, and the other body is on it. */
static bool touches_are_opposite(edge_touch *side, bool compound_is_a) {
  grz_arena *arena = side[0].exact.arena;
  edge_line line = {.first = &side[0], .compound_is_a = compound_is_a};
  graze_vec unused, other;
  touch_points(&side[0], compound_is_a, 0, &line.end, &line.other);
  touch_points(&side[1], compound_is_a, 0, &unused, &other);
  grz_bvec d = side[0].direction, e = side[1].direction;
  if (!grz_bvec_is_zero(grz_bvec_cross(arena, d, e)) || grz_bvec_dot(arena, d, e).sign >= 0) return false;
  if (grz_bvec_dot(arena, d, line_difference(&line, line.end, other)).sign != 0) return false;
  line.axis = (grz_bvec){grz_big_neg(d.y), d.x, grz_big_zero()};
  return touch_has_area(&side[0]) && touch_has_area(&side[1]) && touches_share_point(&line, side);
}

static bool pose_is_equal(const graze_pose *p, const graze_pose *q) {
  return p->position.x == q->position.x && p->position.y == q->position.y && p->w == q->w && p->z == q->z;
}

/* Returns whether the touches name two pieces of one decomposed polygon with one pose, and one part of the other body.
 */
static bool touches_name_pieces(const graze_placed *a, const graze_placed *b, const grz_edge_touch *touch,
                                bool *compound_is_a) {
  for (int k = 0; k < 2; k++) {
    if (touch[k].part_a < 0 || (size_t)touch[k].part_a >= graze_part_count(a)) return false;
    if (touch[k].part_b < 0 || (size_t)touch[k].part_b >= graze_part_count(b)) return false;
  }
  bool same_a = touch[0].part_a == touch[1].part_a, same_b = touch[0].part_b == touch[1].part_b;
  *compound_is_a = !same_a;
  const graze_placed *whole = same_a ? b : a;
  if (same_a == same_b || internal_edge_count(whole) == 0 || a->shape.dim != 2) return false;
  const graze_placed *parts = whole->shape.as.compound->parts;
  return pose_is_equal(&parts[same_a ? touch[0].part_b : touch[0].part_a].pose,
                       &parts[same_a ? touch[1].part_b : touch[1].part_a].pose);
}

/* ---- The internal edges of the compound. */

/* The sign of max d·(s - x) over points s of the internal edge and x of the other body. */
static int difference_sign(grz_exact_cso *r, grz_bvec d) {
  grz_gap gap;
  return grz_gap_make(r, d, &gap) ? -grz_gap_sign(r, &gap, grz_big_zero()) : 1;
}

/* Returns whether the other body is on the line of the internal edge and has a point inside it. */
static bool internal_edge_contains_contact(grz_arena *arena, const graze_placed *piece,
                                           const grz_compound_internal_edge *edge, bool left,
                                           const graze_placed *other) {
  const int32_t *vertex = left ? edge->vertex_left : edge->vertex_right;
  graze_vec end[2];
  for (int i = 0; i < 2; i++) {
    if (vertex[i] < 0 || (size_t)vertex[i] >= grz_core_count(&piece->shape)) return false;
    end[i] = grz_core_vertex(&piece->shape, (size_t)vertex[i]);
  }
  size_t mark = arena->used;
  graze_shape core = graze_segment2(end[0], end[1]);
  graze_placed segment = grz_place_like(&core, piece);
  grz_exact_cso r = grz_exact_cso_make(arena, &segment, other, 0);
  graze_vec origin = {0, 0, 0};
  grz_bvec axis = grz_bvec_sub(arena, grz_placement_point(arena, &r.placement, end[1], origin),
                               grz_placement_point(arena, &r.placement, end[0], origin));
  grz_bvec normal = {grz_big_neg(axis.y), axis.x, grz_big_zero()};
  bool on_line = difference_sign(&r, normal) == 0 && difference_sign(&r, grz_bvec_neg(normal)) == 0;
  bool contact = on_line && difference_sign(&r, axis) > 0 && difference_sign(&r, grz_bvec_neg(axis)) > 0;
  arena->used = mark;
  return contact;
}

/* Returns whether the compound lists this internal edge. The check keeps certificates consistent: on a listed edge none
 * proves a touch, because grz_verify_off_internal_edges() rejects it. */
static bool touches_name_internal_edge(const edge_touch *side, bool compound_is_a, const graze_placed *a,
                                       const graze_placed *b) {
  const grz_edge_touch *t = side[0].touch, *u = side[1].touch;
  const graze_placed *whole = compound_is_a ? a : b, *other = compound_is_a ? &side[0].b : &side[0].a;
  int32_t i = compound_is_a ? t->part_a : t->part_b, j = compound_is_a ? u->part_a : u->part_b;
  for (size_t k = 0; k < internal_edge_count(whole); k++) {
    const grz_compound_internal_edge *edge = &whole->shape.as.compound->internal_edges[k];
    bool first = edge->left == i && edge->right == j, second = edge->left == j && edge->right == i;
    if (!first && !second) continue;
    if (internal_edge_contains_contact(side[0].exact.arena, compound_is_a ? &side[0].a : &side[0].b, edge, first,
                                       other))
      return true;
  }
  return false;
}

graze_status grz_verify_internal_edge(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance,
                                      const grz_proof *certificate) {
  const grz_edge_touch *touch = certificate->internal_edge;
  bool compound_is_a;
  if (!touches_name_pieces(a, b, touch, &compound_is_a)) return GRAZE_REFUTED;
  edge_touch side[2];
  for (int k = 0; k < 2; k++) {
    side[k].a = graze_part(a, (size_t)touch[k].part_a, &side[k].frame_a);
    side[k].b = graze_part(b, (size_t)touch[k].part_b, &side[k].frame_b);
    if (side[k].a.shape.kind == GRAZE_HALFSPACE || side[k].b.shape.kind == GRAZE_HALFSPACE) return GRAZE_REFUTED;
    side[k].touch = &touch[k];
    side[k].exact = grz_exact_cso_make(arena, &side[k].a, &side[k].b, clearance);
    if (side[k].exact.radius.sign != 0) return GRAZE_REFUTED;
    graze_status status = touch_check(&side[k]);
    if (status != GRAZE_OK) return status;
  }
  return touches_are_opposite(side, compound_is_a) && touches_name_internal_edge(side, compound_is_a, a, b)
             ? GRAZE_OK
             : GRAZE_REFUTED;
}

/* ---- A touch off all internal edges. */

static graze_status check_off_internal_edges(grz_arena *arena, const graze_placed *whole, int32_t index,
                                             const graze_placed *piece, const graze_placed *other) {
  if (internal_edge_count(whole) > 0 && other->shape.kind == GRAZE_USER) return GRAZE_UNPROVEN;
  for (size_t i = 0; i < internal_edge_count(whole); i++) {
    const grz_compound_internal_edge *edge = &whole->shape.as.compound->internal_edges[i];
    if (edge->left != index && edge->right != index) continue;
    if (internal_edge_contains_contact(arena, piece, edge, edge->left == index, other)) return GRAZE_REFUTED;
  }
  return GRAZE_OK;
}

graze_status grz_verify_off_internal_edges(grz_arena *arena, const graze_placed *a, const graze_placed *b,
                                           int32_t part_a, int32_t part_b) {
  if (a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE) return GRAZE_OK;
  graze_frame frame_a, frame_b;
  const graze_placed of_a = graze_part(a, (size_t)part_a, &frame_a), of_b = graze_part(b, (size_t)part_b, &frame_b);
  graze_status status = check_off_internal_edges(arena, a, part_a, &of_a, &of_b);
  return status != GRAZE_OK ? status : check_off_internal_edges(arena, b, part_b, &of_b, &of_a);
}
