/* How much room the numbers need: docs/theory/exact.md. */
#include "verify/compound.h"

#include "verify/depth.h"

enum { CLAIM_SMALL = 4096, CLAIM_LARGE = 65536 }; /* limbs */

static graze_status claim_holds(bool holds) { return holds ? GRAZE_OK : GRAZE_REFUTED; }

static int claim_gap(grz_check *c, grz_big bound) { return grz_gap_sign(&c->reading, &c->gap, bound); }

/* The sign of |v| - bound, v the nearest point of the hull of the pairs; for a half-space, of the point's height. */
static int claim_point(grz_check *c, grz_big bound) {
  grz_arena *arena = c->reading.arena;
  size_t mark = arena->used;
  if (c->plane) {
    grz_big height = grz_big_neg(grz_bvec_dot(arena, c->w[0], c->gap.direction));
    int sign = grz_along_sign(&c->reading, c->gap.direction, height, NULL, 0, bound);
    arena->used = mark;
    return sign;
  }
  if (bound.sign < 0) return 1;
  if (c->nearest.count == 0) {
    c->nearest = grz_nearest_of(arena, c->w, c->count, c->reading.dim);
    mark = arena->used;
  }
  grz_big scaled = grz_big_mul(arena, bound, c->reading.placing.scale);
  grz_big square = grz_big_mul(arena, grz_big_mul(arena, scaled, scaled), c->nearest.divisor);
  int sign = grz_big_compare(c->nearest.square, square);
  arena->used = mark;
  return sign;
}

/* PLANE: the vertex must be the deepest one. A curved core has no vertices: there the point and the gap decide. */
static graze_status claim_read_plane(grz_check *c, const grz_proof *certificate) {
  grz_bvec d;
  if (certificate->kind == GRAZE_CERTIFICATE_NONE) return GRAZE_UNPROVEN;
  if (certificate->kind != GRAZE_CERTIFICATE_HALFSPACE) return GRAZE_REFUTED;
  if (!grz_read_plane(&c->reading, certificate, &d, &c->w[0])) return GRAZE_REFUTED;
  c->count = 1;
  c->has_gap = grz_read_gap(&c->reading, d, &c->gap);
  if (certificate->vertex < 0) return GRAZE_OK;
  grz_big height = grz_big_neg(grz_bvec_dot(c->reading.arena, c->w[0], d));
  return claim_holds(grz_big_compare(height, c->gap.rational) <= 0);
}

static graze_status claim_read_pairs(grz_check *c, const grz_proof *certificate) {
  const grz_direction *direction = &certificate->direction;
  c->count = certificate->pair_count;
  if (!grz_read_pairs(&c->reading, certificate->pairs, c->count, 2 * c->reading.dim, c->w)) return GRAZE_REFUTED;
  if (certificate->kind == GRAZE_CERTIFICATE_TOUCH && c->reading.radius.sign > 0) {
    /* A touch of rounded shapes is shown by the pairs of its direction. */
    c->count = direction->count;
    if (direction->form != GRAZE_DIRECTION_NEAREST) return GRAZE_REFUTED;
    if (!grz_read_pairs(&c->reading, direction->pairs, c->count, 4, c->w)) return GRAZE_REFUTED;
  }
  if (direction->form == GRAZE_DIRECTION_NONE) return GRAZE_OK;
  grz_bvec d;
  if (!grz_read_direction(&c->reading, direction, &d)) return GRAZE_REFUTED;
  c->has_gap = grz_read_gap(&c->reading, d, &c->gap);
  return GRAZE_OK;
}

graze_status grz_check_parse(grz_check *c, grz_arena *arena, const graze_placed *a, const graze_placed *b,
                             double clearance, const grz_proof *certificate) {
  *c = (grz_check){.certificate = certificate};
  c->plane = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE;
  c->reading = grz_read_shapes(arena, a, b, clearance);
  if (c->plane) return claim_read_plane(c, certificate);
  return certificate->kind == GRAZE_CERTIFICATE_HALFSPACE ? GRAZE_REFUTED : claim_read_pairs(c, certificate);
}

static int claim_plane_kind(grz_check *c) {
  grz_big r = c->reading.radius;
  if (claim_point(c, r) < 0) return GRAZE_OVERLAPPING;
  if (!c->has_gap || claim_gap(c, r) < 0) return GRAZE_UNDECIDED;
  if (claim_gap(c, r) > 0) return GRAZE_SEPARATED;
  return claim_point(c, r) <= 0 ? GRAZE_TOUCHING : GRAZE_UNDECIDED;
}

int grz_check_kind(grz_check *c) {
  switch ((int)c->certificate->kind) {
  case GRAZE_CERTIFICATE_NONE: return GRAZE_UNDECIDED;
  case GRAZE_CERTIFICATE_SEPARATED: return GRAZE_SEPARATED;
  case GRAZE_CERTIFICATE_TOUCH: return GRAZE_TOUCHING;
  case GRAZE_CERTIFICATE_INSIDE:
  case GRAZE_CERTIFICATE_NEAR: return GRAZE_OVERLAPPING;
  case GRAZE_CERTIFICATE_HALFSPACE: return claim_plane_kind(c);
  default: return 0;
  }
}

graze_status grz_check_relation(grz_check *c, graze_relation relation) {
  graze_certificate_kind kind = c->certificate->kind;
  grz_big r = c->reading.radius;
  switch (relation) {
  case GRAZE_SEPARATED:
    if (kind != GRAZE_CERTIFICATE_SEPARATED && !c->plane) break;
    return c->has_gap ? claim_holds(claim_gap(c, r) > 0) : GRAZE_UNPROVEN;
  case GRAZE_TOUCHING:
    if (kind != GRAZE_CERTIFICATE_TOUCH && !c->plane) break;
    if (!c->has_gap || c->count == 0) return GRAZE_UNPROVEN;
    return claim_holds(claim_gap(c, r) >= 0 && claim_point(c, r) <= 0);
  case GRAZE_OVERLAPPING:
    if (kind != GRAZE_CERTIFICATE_INSIDE && kind != GRAZE_CERTIFICATE_NEAR && !c->plane) break;
    if (c->count == 0) return GRAZE_UNPROVEN;
    if (kind == GRAZE_CERTIFICATE_INSIDE)
      return claim_holds(grz_origin_is_interior(c->reading.arena, c->w, c->count, c->reading.dim));
    return claim_holds(claim_point(c, r) < 0);
  case GRAZE_UNDECIDED: return GRAZE_OK; /* claims the interval only */
  }
  return kind == GRAZE_CERTIFICATE_NONE ? GRAZE_UNPROVEN : GRAZE_REFUTED;
}

graze_status grz_check_lower(grz_check *c, double lower) {
  if (!(lower >= -GRZ_FARTHEST)) return GRAZE_OK;
  if (!c->has_gap) return GRAZE_UNPROVEN;
  grz_arena *arena = c->reading.arena;
  return claim_holds(claim_gap(c, grz_big_add(arena, grz_big_of(arena, lower), c->reading.radius)) >= 0);
}

/* By the point of the pairs; where the cores may meet, by the proof of the depth. */
graze_status grz_check_upper(grz_check *c, graze_relation relation, double upper) {
  grz_arena *arena = c->reading.arena;
  if (!(upper <= GRZ_FARTHEST) || (relation == GRAZE_OVERLAPPING && upper == 0)) return GRAZE_OK;
  if (c->count == 0) return GRAZE_UNPROVEN;
  grz_big bound = grz_big_add(arena, grz_big_of(arena, upper), c->reading.radius);
  if (claim_point(c, bound) <= 0) return GRAZE_OK;
  bool apart = c->has_gap && claim_gap(c, grz_big_zero()) > 0;
  if (c->plane || apart || relation != GRAZE_OVERLAPPING) return GRAZE_REFUTED;
  grz_big least = bound.sign < 0 ? grz_big_neg(bound) : grz_big_zero();
  return grz_verify_depth(&c->reading, c->certificate, least);
}

bool grz_check_is_consistent(const graze_answer *answer, graze_certificate_kind kind) {
  double lower = answer->lower, distance = answer->distance, upper = answer->upper;
  if (lower > upper || lower > distance || distance > upper) return false;
  if (lower > GRZ_FARTHEST || upper < -GRZ_FARTHEST) return false;
  bool seam = kind == GRAZE_CERTIFICATE_INTERNAL_EDGE;
  switch (answer->relation) {
  case GRAZE_SEPARATED: return !(lower < 0 || distance <= 0 || upper <= 0);
  case GRAZE_TOUCHING: return lower == 0 && distance == 0 && upper == 0;
  case GRAZE_OVERLAPPING: return !(upper > 0 || distance > 0 || (distance == 0 && !seam));
  default: return !(lower > 0 || upper < 0);
  }
}

bool grz_check_is_complete(const graze_answer *answer) {
  bool known = answer->lower == answer->lower && answer->upper == answer->upper;
  return known || (answer->relation != GRAZE_UNDECIDED && answer->distance != answer->distance);
}

/* Apart, so that its large frame is used only when it is needed. */
static __attribute__((noinline)) graze_status claim_with_more(graze_status (*work)(grz_arena *, void *),
                                                              void *context) {
  uint64_t limbs[CLAIM_LARGE];
  grz_arena arena = {limbs, 0, CLAIM_LARGE, false};
  graze_status status = work(&arena, context);
  return arena.full ? GRAZE_UNPROVEN : status;
}

graze_status grz_check_in_arena(graze_status (*work)(grz_arena *arena, void *context), void *context) {
  uint64_t limbs[CLAIM_SMALL];
  grz_arena arena = {limbs, 0, CLAIM_SMALL, false};
  graze_status status = work(&arena, context);
  return arena.full ? claim_with_more(work, context) : status;
}
