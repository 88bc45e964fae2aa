/* The union of two pieces of a polygon holds a disc about a point inside an edge of both, if they lie on either side of
 * it. docs/theory/certificates.md, "Internal edges". */
#include "verify/internal_edges.h"

#include "shape/placed.h"
#include "shape/core.h"
#include "shape/placed.h"

static size_t seams_count(const graze_placed *placed) {
  return placed->shape.kind == GRAZE_COMPOUND ? placed->shape.as.compound->internal_edge_count : 0;
}

/* ---- The certificate. */

typedef struct seams_side {
  graze_placed a, b; /* the two parts */
  grz_parser reading;
  const grz_edge_touch *touch;
  grz_bvec w[4], direction; /* of A - B; and from A to B */
} seams_side;

/* Reads one touch and verifies it as such: no point of C lies beyond the line of w0 and w1, and the origin is on it and
 * in the hull. */
static graze_status seams_touches(seams_side *s) {
  grz_parser *r = &s->reading;
  grz_direction facet = {.form = GRAZE_DIRECTION_FACET, .sign = s->touch->sign, .count = 2};
  for (int i = 0; i < 2; i++) facet.pairs[i] = s->touch->pairs[i];
  if (s->touch->pair_count < 2 || !grz_read_pairs(r, s->touch->pairs, s->touch->pair_count, 4, s->w))
    return GRAZE_REFUTED;
  if (!grz_read_direction(r, &facet, &s->direction)) return GRAZE_REFUTED;
  grz_gap gap;
  if (!grz_read_gap(r, s->direction, &gap)) return GRAZE_UNPROVEN;
  bool beside = grz_gap_sign(r, &gap, grz_big_zero()) >= 0;
  bool through = grz_bvec_dot(r->arena, s->direction, s->w[0]).sign == 0;
  bool holds = grz_bvec_is_zero(grz_nearest_of(r->arena, s->w, s->touch->pair_count, 2).direction);
  return beside && through && holds ? GRAZE_OK : GRAZE_REFUTED;
}

/* Does C reach anywhere away from the line? */
static bool seams_has_area(seams_side *s) {
  grz_gap gap;
  return grz_read_gap(&s->reading, grz_bvec_neg(s->direction), &gap) &&
         grz_gap_sign(&s->reading, &gap, grz_big_zero()) < 0;
}

/* Places on the line, along which the first touch leads: ends of two edges of pieces, and points of the other body. */
typedef struct seams_line {
  const seams_side *first;
  bool whole_is_a;
  grz_bvec along;
  graze_vec other; /* all places are seen from this point of the other body, … */
  graze_vec end;   /* … and its points from this vertex of a piece */
} seams_line;

static void seams_points(const seams_side *s, bool whole_is_a, int i, graze_vec *piece, graze_vec *other) {
  const grz_pair *pair = &s->touch->pairs[i];
  const graze_shape *shape[2] = {&s->a.shape, &s->b.shape};
  const graze_vec named[2] = {pair->point_a, pair->point_b};
  const int32_t index[2] = {pair->a, pair->b};
  for (int k = 0; k < 2; k++) {
    graze_vec point = index[k] < 0 ? named[k] : grz_core_vertex(shape[k], (size_t)index[k]);
    *((k == 0) == whole_is_a ? piece : other) = point;
  }
}

/* piece - other, in the world. */
static grz_bvec seams_between(const seams_line *line, graze_vec piece, graze_vec other) {
  const grz_parser *r = &line->first->reading;
  return line->whole_is_a ? grz_placement_point(r->arena, &r->placing, piece, other)
                          : grz_bvec_neg(grz_placement_point(r->arena, &r->placing, other, piece));
}

static grz_big seams_place(const seams_line *line, graze_vec piece) {
  return grz_bvec_dot(line->first->reading.arena, seams_between(line, piece, line->other), line->along);
}

static grz_big seams_place_of_other(const seams_line *line, graze_vec other) {
  grz_arena *arena = line->first->reading.arena;
  grz_big back = grz_bvec_dot(arena, seams_between(line, line->end, other), line->along);
  return grz_big_sub(arena, seams_place(line, line->end), back);
}

static grz_big seams_least(grz_big x, grz_big y) { return grz_big_compare(x, y) <= 0 ? x : y; }
static grz_big seams_most(grz_big x, grz_big y) { return grz_big_compare(x, y) >= 0 ? x : y; }

/* Do both edges, without their ends, and the other body have a point in common? All lie on one line. */
static bool seams_is_common(const seams_line *line, const seams_side *side) {
  grz_big low = grz_big_zero(), high = low, from = low, to = low;
  for (int k = 0; k < 2; k++) {
    grz_big end[2];
    for (int i = 0; i < 2; i++) {
      graze_vec piece, other;
      seams_points(&side[k], line->whole_is_a, i, &piece, &other);
      grz_big at = seams_place_of_other(line, other);
      end[i] = seams_place(line, piece);
      from = k + i == 0 ? at : seams_least(from, at);
      to = k + i == 0 ? at : seams_most(to, at);
    }
    low = k == 0 ? seams_least(end[0], end[1]) : seams_most(low, seams_least(end[0], end[1]));
    high = k == 0 ? seams_most(end[0], end[1]) : seams_least(high, seams_most(end[0], end[1]));
  }
  return grz_big_compare(low, high) < 0 && grz_big_compare(from, high) < 0 && grz_big_compare(low, to) < 0;
}

/* The pieces lie on opposite sides of one line, and the other body on it. */
static bool seams_fits(seams_side *side, bool whole_is_a) {
  grz_arena *arena = side[0].reading.arena;
  seams_line line = {.first = &side[0], .whole_is_a = whole_is_a};
  graze_vec unused, other;
  seams_points(&side[0], whole_is_a, 0, &line.end, &line.other);
  seams_points(&side[1], whole_is_a, 0, &unused, &other);
  grz_bvec d = side[0].direction, e = side[1].direction;
  if (!grz_bvec_is_zero(grz_bvec_cross(arena, d, e)) || grz_bvec_dot(arena, d, e).sign >= 0) return false;
  if (grz_bvec_dot(arena, d, seams_between(&line, line.end, other)).sign != 0) return false;
  line.along = (grz_bvec){grz_big_neg(d.y), d.x, grz_big_zero()};
  return seams_has_area(&side[0]) && seams_has_area(&side[1]) && seams_is_common(&line, side);
}

static bool seams_same_pose(const graze_pose *p, const graze_pose *q) {
  return p->position.x == q->position.x && p->position.y == q->position.y && p->w == q->w && p->z == q->z;
}

/* Two different pieces of one decomposed polygon, with a pose in common, and the same part of the other body. */
static bool seams_named(const graze_placed *a, const graze_placed *b, const grz_edge_touch *touch,
                        bool *whole_is_a) {
  for (int k = 0; k < 2; k++) {
    if (touch[k].part_a < 0 || (size_t)touch[k].part_a >= graze_part_count(a)) return false;
    if (touch[k].part_b < 0 || (size_t)touch[k].part_b >= graze_part_count(b)) return false;
  }
  bool same_a = touch[0].part_a == touch[1].part_a, same_b = touch[0].part_b == touch[1].part_b;
  *whole_is_a = !same_a;
  const graze_placed *whole = same_a ? b : a;
  if (same_a == same_b || seams_count(whole) == 0 || a->shape.dim != 2) return false;
  const graze_placed *parts = whole->shape.as.compound->parts;
  return seams_same_pose(&parts[same_a ? touch[0].part_b : touch[0].part_a].pose,
                         &parts[same_a ? touch[1].part_b : touch[1].part_a].pose);
}

/* ---- The internal_edges themselves. */

/* The sign of max d·(s - x) over the seam s and the other body x. */
static int seams_reach(grz_parser *r, grz_bvec d) {
  grz_gap gap;
  return grz_read_gap(r, d, &gap) ? -grz_gap_sign(r, &gap, grz_big_zero()) : 1;
}

/* Does the body lie on the seam's line, and reach beyond both ends' far sides? */
static bool seams_meets(grz_arena *arena, const graze_placed *piece, const grz_compound_internal_edge *seam, bool left,
                        const graze_placed *other) {
  const int32_t *vertex = left ? seam->vertex_left : seam->vertex_right;
  graze_vec end[2];
  for (int i = 0; i < 2; i++) {
    if (vertex[i] < 0 || (size_t)vertex[i] >= grz_core_count(&piece->shape)) return false;
    end[i] = grz_core_vertex(&piece->shape, (size_t)vertex[i]);
  }
  size_t mark = arena->used;
  graze_shape core = graze_segment2(end[0], end[1]);
  graze_placed segment = grz_place_like(&core, piece);
  grz_parser r = grz_read_shapes(arena, &segment, other, 0);
  graze_vec origin = {0, 0, 0};
  grz_bvec along = grz_bvec_sub(arena, grz_placement_point(arena, &r.placing, end[1], origin),
                                grz_placement_point(arena, &r.placing, end[0], origin));
  grz_bvec across = {grz_big_neg(along.y), along.x, grz_big_zero()};
  bool on_line = seams_reach(&r, across) == 0 && seams_reach(&r, grz_bvec_neg(across)) == 0;
  bool meets = on_line && seams_reach(&r, along) > 0 && seams_reach(&r, grz_bvec_neg(along)) > 0;
  arena->used = mark;
  return meets;
}

/* The compound says so too: then no answer shows an overlap where another shows a touch
 * (grz_verify_off_internal_edges). */
static bool seams_is_one(const seams_side *side, bool whole_is_a, const graze_placed *a, const graze_placed *b) {
  const grz_edge_touch *t = side[0].touch, *u = side[1].touch;
  const graze_placed *whole = whole_is_a ? a : b, *other = whole_is_a ? &side[0].b : &side[0].a;
  int32_t i = whole_is_a ? t->part_a : t->part_b, j = whole_is_a ? u->part_a : u->part_b;
  for (size_t k = 0; k < seams_count(whole); k++) {
    const grz_compound_internal_edge *seam = &whole->shape.as.compound->internal_edges[k];
    bool first = seam->left == i && seam->right == j, second = seam->left == j && seam->right == i;
    if (!first && !second) continue;
    if (seams_meets(side[0].reading.arena, whole_is_a ? &side[0].a : &side[0].b, seam, first, other)) return true;
  }
  return false;
}

graze_status grz_verify_internal_edge(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance,
                                      const grz_proof *certificate) {
  const grz_edge_touch *touch = certificate->internal_edge;
  bool whole_is_a;
  if (!seams_named(a, b, touch, &whole_is_a)) return GRAZE_REFUTED;
  seams_side side[2];
  for (int k = 0; k < 2; k++) {
    side[k].a = graze_part(a, (size_t)touch[k].part_a), side[k].b = graze_part(b, (size_t)touch[k].part_b);
    if (side[k].a.shape.kind == GRAZE_HALFSPACE || side[k].b.shape.kind == GRAZE_HALFSPACE) return GRAZE_REFUTED;
    side[k].touch = &touch[k];
    side[k].reading = grz_read_shapes(arena, &side[k].a, &side[k].b, clearance);
    if (side[k].reading.radius.sign != 0) return GRAZE_REFUTED;
    graze_status status = seams_touches(&side[k]);
    if (status != GRAZE_OK) return status;
  }
  return seams_fits(side, whole_is_a) && seams_is_one(side, whole_is_a, a, b) ? GRAZE_OK : GRAZE_REFUTED;
}

/* ---- The refusal of a touch. */

static graze_status seams_off(grz_arena *arena, const graze_placed *whole, int32_t index, const graze_placed *piece,
                              const graze_placed *other) {
  if (seams_count(whole) > 0 && other->shape.kind == GRAZE_USER) return GRAZE_UNPROVEN;
  for (size_t i = 0; i < seams_count(whole); i++) {
    const grz_compound_internal_edge *seam = &whole->shape.as.compound->internal_edges[i];
    if (seam->left != index && seam->right != index) continue;
    if (seams_meets(arena, piece, seam, seam->left == index, other)) return GRAZE_REFUTED;
  }
  return GRAZE_OK;
}

graze_status grz_verify_off_internal_edges(grz_arena *arena, const graze_placed *a, const graze_placed *b,
                                           int32_t part_a, int32_t part_b) {
  if (a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE) return GRAZE_OK;
  graze_placed of_a = graze_part(a, (size_t)part_a), of_b = graze_part(b, (size_t)part_b);
  graze_status status = seams_off(arena, a, part_a, &of_a, &of_b);
  return status != GRAZE_OK ? status : seams_off(arena, b, part_b, &of_b, &of_a);
}
