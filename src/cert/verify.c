/* The verifier: a second opinion on an answer. It sees the two shapes, their poses and the certificate, no solver and
 * no rounded number, and decides every claim exactly. Why the certificates prove what they claim:
 * docs/theory/certificates.md. How much room the numbers need: docs/theory/exact.md. */
#include "cert/depth.h"
#include "cert/reading.h"
#include "shape/core.h"

#include <string.h>

/* No signed distance of accepted shapes is larger: the lengths in it add up to less than 13·GRAZE_LARGEST. */
#define VERIFY_FARTHEST (100 * GRAZE_LARGEST)

enum { VERIFY_SMALL = 4096, VERIFY_LARGE = 65536 }; /* limbs */

/* What an answer's certificate shows: a direction, which bounds the signed distance from below, and a point of A - B
 * (the nearest in the hull of some pairs), which bounds it from above. */
typedef struct verify_case {
  grz_reading reading;
  bool plane;   /* a half-space: w[0] is the point, and its height along the direction counts */
  bool has_gap; /* a direction is given, and something is known along it */
  grz_gap gap;
  int count; /* of w, the points of the pairs */
  grz_bvec w[6];
  grz_nearest nearest; /* of their hull; count 0: not computed yet */
} verify_case;

static graze_status verify_holds(bool holds) { return holds ? GRAZE_OK : GRAZE_REFUTED; }

static int verify_gap(verify_case *c, grz_big bound) { return grz_gap_sign(&c->reading, &c->gap, bound); }

/* The sign of |v| - bound, v the nearest point of the hull of the pairs; for a half-space, of the point's height. */
static int verify_point(verify_case *c, grz_big bound) {
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
static graze_status verify_read_plane(verify_case *c, const graze_certificate *certificate) {
  grz_bvec d;
  if (certificate->kind == GRAZE_CERTIFICATE_NONE) return GRAZE_UNPROVEN;
  if (certificate->kind != GRAZE_CERTIFICATE_PLANE) return GRAZE_REFUTED;
  if (!grz_read_plane(&c->reading, certificate, &d, &c->w[0])) return GRAZE_REFUTED;
  c->count = 1;
  c->has_gap = grz_read_gap(&c->reading, d, &c->gap);
  if (certificate->vertex < 0) return GRAZE_OK;
  grz_big height = grz_big_neg(grz_bvec_dot(c->reading.arena, c->w[0], d));
  return verify_holds(grz_big_compare(height, c->gap.rational) <= 0);
}

static graze_status verify_read(verify_case *c, const graze_certificate *certificate) {
  const graze_direction *direction = &certificate->direction;
  if (c->plane) return verify_read_plane(c, certificate);
  if (certificate->kind == GRAZE_CERTIFICATE_PLANE) return GRAZE_REFUTED;
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

static graze_status verify_relation(verify_case *c, const graze_answer *answer) {
  graze_certificate_kind kind = answer->certificate.kind;
  grz_big r = c->reading.radius;
  switch (answer->relation) {
  case GRAZE_SEPARATED:
    if (kind != GRAZE_CERTIFICATE_SEPARATED && !c->plane) break;
    return c->has_gap ? verify_holds(verify_gap(c, r) > 0) : GRAZE_UNPROVEN;
  case GRAZE_TOUCHING:
    if (kind != GRAZE_CERTIFICATE_TOUCH && !c->plane) break;
    if (!c->has_gap || c->count == 0) return GRAZE_UNPROVEN;
    return verify_holds(verify_gap(c, r) >= 0 && verify_point(c, r) <= 0);
  case GRAZE_OVERLAPPING:
    if (kind != GRAZE_CERTIFICATE_INSIDE && kind != GRAZE_CERTIFICATE_NEAR && !c->plane) break;
    if (c->count == 0) return GRAZE_UNPROVEN;
    if (kind == GRAZE_CERTIFICATE_INSIDE)
      return verify_holds(grz_strictly_inside(c->reading.arena, c->w, c->count, c->reading.dim));
    return verify_holds(verify_point(c, r) < 0);
  case GRAZE_UNDECIDED: return GRAZE_OK; /* claims the interval only */
  }
  return kind == GRAZE_CERTIFICATE_NONE ? GRAZE_UNPROVEN : GRAZE_REFUTED;
}

/* Are the three numbers, NaN where not known, in order, and do they agree with the relation? */
static bool verify_consistent(const graze_answer *answer) {
  double lower = answer->lower, distance = answer->distance, upper = answer->upper;
  if (lower > upper || lower > distance || distance > upper) return false;
  switch (answer->relation) {
  case GRAZE_SEPARATED: return !(lower < 0 || distance <= 0 || upper <= 0);
  case GRAZE_TOUCHING: return lower == 0 && distance == 0 && upper == 0;
  case GRAZE_OVERLAPPING: return !(upper > 0 || distance >= 0);
  default: return !(lower > 0 || upper < 0);
  }
}

/* By the point of the pairs; where the cores may meet, by the proof of the depth. */
static graze_status verify_upper(verify_case *c, const graze_answer *answer) {
  grz_arena *arena = c->reading.arena;
  grz_big bound = grz_big_add(arena, grz_big_of(arena, answer->upper), c->reading.radius);
  if (verify_point(c, bound) <= 0) return GRAZE_OK;
  bool apart = c->has_gap && verify_gap(c, grz_big_zero()) > 0;
  if (c->plane || apart || answer->relation != GRAZE_OVERLAPPING) return GRAZE_REFUTED;
  grz_big least = bound.sign < 0 ? grz_big_neg(bound) : grz_big_zero();
  return grz_verify_depth(&c->reading, &answer->certificate, least);
}

/* Do the bounds follow, from the direction and from the point? A bound that is always true needs no proof. */
static graze_status verify_bounds(verify_case *c, const graze_answer *answer) {
  double lower = answer->lower, upper = answer->upper;
  bool known = lower == lower && upper == upper, proven = true;
  grz_arena *arena = c->reading.arena;
  if (!verify_consistent(answer) || lower > VERIFY_FARTHEST || upper < -VERIFY_FARTHEST) return GRAZE_REFUTED;
  if (answer->relation == GRAZE_TOUCHING) return GRAZE_OK;
  if (lower >= -VERIFY_FARTHEST) {
    proven = c->has_gap;
    if (c->has_gap && verify_gap(c, grz_big_add(arena, grz_big_of(arena, lower), c->reading.radius)) < 0)
      return GRAZE_REFUTED;
  }
  if (upper <= VERIFY_FARTHEST && !(answer->relation == GRAZE_OVERLAPPING && upper == 0)) {
    graze_status above = c->count > 0 ? verify_upper(c, answer) : GRAZE_UNPROVEN;
    if (above == GRAZE_REFUTED) return above;
    proven = proven && above == GRAZE_OK;
  }
  bool needed = answer->relation == GRAZE_UNDECIDED || answer->distance == answer->distance;
  return proven && (known || !needed) ? GRAZE_OK : GRAZE_UNPROVEN;
}

/* What is known with this much room; *full: nothing. */
static graze_status verify_within(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance,
                                  const graze_answer *answer) {
  verify_case c = {.plane = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE};
  c.reading = grz_read_shapes(arena, a, b, clearance);
  graze_status read = verify_read(&c, &answer->certificate);
  if (read != GRAZE_OK) return read;
  graze_status relation = verify_relation(&c, answer), bounds = verify_bounds(&c, answer);
  bool refuted = relation == GRAZE_REFUTED || bounds == GRAZE_REFUTED;
  return refuted ? GRAZE_REFUTED : relation != GRAZE_OK ? relation : bounds;
}

/* Apart, so that its large frame is used only when it is needed. */
static __attribute__((noinline)) graze_status verify_with_more(const graze_placed *a, const graze_placed *b,
                                                               double clearance, const graze_answer *answer) {
  uint64_t limbs[VERIFY_LARGE];
  grz_arena arena = {limbs, 0, VERIFY_LARGE, false};
  graze_status status = verify_within(&arena, a, b, clearance, answer);
  return arena.full ? GRAZE_UNPROVEN : status;
}

graze_status graze_verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          const graze_answer *answer) {
  double clearance = options != NULL ? options->clearance : 0;
  if (a->status != GRAZE_OK) return a->status;
  if (b->status != GRAZE_OK) return b->status;
  if (a->shape.dim != b->shape.dim) return GRAZE_DIM_MISMATCH;
  if (!(clearance >= 0 && clearance <= GRAZE_LARGEST)) return GRAZE_BAD_OPTION;
  if (a->shape.kind == GRAZE_HALFSPACE && b->shape.kind == GRAZE_HALFSPACE) return GRAZE_UNSUPPORTED;
  bool user = a->shape.kind == GRAZE_USER || b->shape.kind == GRAZE_USER;
  unsigned char conditional;
  memcpy(&conditional, &answer->conditional, 1); /* a byte may hold anything, a bool may not */
  if (user && conditional == 0) return GRAZE_UNPROVEN;

  uint64_t limbs[VERIFY_SMALL];
  grz_arena arena = {limbs, 0, VERIFY_SMALL, false};
  graze_status status = verify_within(&arena, a, b, clearance, answer);
  return arena.full ? verify_with_more(a, b, clearance, answer) : status;
}
