/* The certificate check of one pair of convex shapes, in exact arithmetic: relations, and lower and upper bounds of the
 * signed distance with their depth proofs.
 *
 * The file includes no solver and decides nothing by rounded numbers. Proofs: docs/theory/certificates.md. Sizes of the
 * exact numbers: docs/theory/exact.md. */
#include "verify/verify.h"

graze_status grz_check_parse(grz_check *c, grz_arena *arena, const graze_placed *a, const graze_placed *b,
                             double clearance, const grz_proof *certificate) {
  const grz_direction *direction = &certificate->direction;
  grz_bvec d;
  *c = (grz_check){.certificate = certificate};
  c->is_halfspace = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE;
  c->exact = grz_exact_cso_make(arena, a, b, clearance);

  /* Half-space: the vertex must be the deepest one. A curved core has no vertices; there the gap decides. */
  if (c->is_halfspace) {
    if (certificate->kind == GRAZE_CERTIFICATE_NONE) return GRAZE_UNPROVEN;
    if (certificate->kind != GRAZE_CERTIFICATE_HALFSPACE) return GRAZE_REFUTED;
    if (!grz_parse_halfspace(&c->exact, certificate, &d, &c->w[0])) return GRAZE_REFUTED;
    c->count = 1;
    c->has_gap = grz_gap_make(&c->exact, d, &c->gap);
    if (certificate->vertex < 0) return GRAZE_OK;
    const grz_big height = grz_big_neg(grz_bvec_dot(arena, c->w[0], d));
    return grz_check_result(grz_big_compare(height, c->gap.rational) <= 0);
  }

  if (certificate->kind == GRAZE_CERTIFICATE_HALFSPACE) return GRAZE_REFUTED;
  c->count = certificate->pair_count;
  if (!grz_parse_pairs(&c->exact, certificate->pairs, c->count, 2 * c->exact.dim, c->w)) return GRAZE_REFUTED;
  if (certificate->kind == GRAZE_CERTIFICATE_TOUCH && c->exact.radius.sign > 0) {
    /* The pairs of the direction prove a touch of rounded shapes. */
    c->count = direction->count;
    if (direction->form != GRAZE_DIRECTION_NEAREST) return GRAZE_REFUTED;
    if (!grz_parse_pairs(&c->exact, direction->pairs, c->count, 4, c->w)) return GRAZE_REFUTED;
  }
  if (direction->form == GRAZE_DIRECTION_NONE) return GRAZE_OK;
  if (!grz_parse_direction(&c->exact, direction, &d)) return GRAZE_REFUTED;
  c->has_gap = grz_gap_make(&c->exact, d, &c->gap);
  return GRAZE_OK;
}

/* ---- Relations and lower bounds. */

/* Returns the sign of |v| - bound. For a half-space the height of the named point replaces |v|. */
static int check_point_sign(grz_check *c, grz_big bound) {
  grz_arena *arena = c->exact.arena;
  size_t mark = arena->used;
  if (c->is_halfspace) {
    const grz_root none = {grz_big_zero(), grz_big_zero()};
    const grz_gap height = {
        c->gap.direction, grz_big_neg(grz_bvec_dot(arena, c->w[0], c->gap.direction)), {none, none}};
    const int sign = grz_gap_sign(&c->exact, &height, bound);
    arena->used = mark;
    return sign;
  }
  if (bound.sign < 0) return 1;
  if (c->nearest.count == 0) {
    c->nearest = grz_nearest_of(arena, c->w, c->count, c->exact.dim);
    mark = arena->used;
  }
  /* |v|^2 = square/divisor in scaled units, compared with bound^2. */
  const grz_big scaled = grz_big_mul(arena, bound, c->exact.placement.scale);
  const grz_big square = grz_big_mul(arena, grz_big_mul(arena, scaled, scaled), c->nearest.divisor);
  const int sign = grz_big_compare(c->nearest.square, square);
  arena->used = mark;
  return sign;
}

static int check_gap_sign(grz_check *c, grz_big bound) { return grz_gap_sign(&c->exact, &c->gap, bound); }

int grz_check_kind(grz_check *c) {
  const grz_big r = c->exact.radius;
  switch ((int)c->certificate->kind) {
  case GRAZE_CERTIFICATE_NONE: return GRAZE_UNDECIDED;
  case GRAZE_CERTIFICATE_SEPARATED: return GRAZE_SEPARATED;
  case GRAZE_CERTIFICATE_TOUCH: return GRAZE_TOUCHING;
  case GRAZE_CERTIFICATE_INSIDE:
  case GRAZE_CERTIFICATE_NEAR:
  case GRAZE_CERTIFICATE_AXES: return GRAZE_OVERLAPPING;
  case GRAZE_CERTIFICATE_HALFSPACE:
    if (check_point_sign(c, r) < 0) return GRAZE_OVERLAPPING;
    if (!c->has_gap || check_gap_sign(c, r) < 0) return GRAZE_UNDECIDED;
    if (check_gap_sign(c, r) > 0) return GRAZE_SEPARATED;
    return check_point_sign(c, r) <= 0 ? GRAZE_TOUCHING : GRAZE_UNDECIDED;
  default: return 0;
  }
}

graze_status grz_check_relation(grz_check *c, graze_relation relation) {
  const graze_certificate_kind kind = c->certificate->kind;
  const grz_big r = c->exact.radius;
  switch (relation) {
  case GRAZE_SEPARATED: /* gap(d) > r·|d| */
    if (kind != GRAZE_CERTIFICATE_SEPARATED && !c->is_halfspace) break;
    return c->has_gap ? grz_check_result(check_gap_sign(c, r) > 0) : GRAZE_UNPROVEN;
  case GRAZE_TOUCHING: /* gap(d) >= r·|d| and |v| <= r */
    if (kind != GRAZE_CERTIFICATE_TOUCH && !c->is_halfspace) break;
    if (!c->has_gap || c->count == 0) return GRAZE_UNPROVEN;
    return grz_check_result(check_gap_sign(c, r) >= 0 && check_point_sign(c, r) <= 0);
  case GRAZE_OVERLAPPING: /* the origin is interior to the hull of the points, or |v| < r */
    if (kind == GRAZE_CERTIFICATE_AXES) return grz_check_axes(&c->exact, grz_big_zero(), true);
    if (kind != GRAZE_CERTIFICATE_INSIDE && kind != GRAZE_CERTIFICATE_NEAR && !c->is_halfspace) break;
    if (c->count == 0) return GRAZE_UNPROVEN;
    if (kind == GRAZE_CERTIFICATE_INSIDE)
      return grz_check_result(grz_origin_is_interior(c->exact.arena, c->w, c->count, c->exact.dim));
    return grz_check_result(check_point_sign(c, r) < 0);
  case GRAZE_UNDECIDED: return GRAZE_OK; /* such an answer states only its bounds */
  }
  return kind == GRAZE_CERTIFICATE_NONE ? GRAZE_UNPROVEN : GRAZE_REFUTED;
}

graze_status grz_check_lower(grz_check *c, double lower) {
  if (!(lower >= -GRZ_DISTANCE_MAX)) return GRAZE_OK;
  if (!c->has_gap) return GRAZE_UNPROVEN;
  grz_arena *arena = c->exact.arena;
  return grz_check_result(check_gap_sign(c, grz_big_add(arena, grz_big_of(arena, lower), c->exact.radius)) >= 0);
}

/* ---- Upper bounds. An upper bound below 0 needs a depth proof, which shows that C contains a ball about the origin.
 *
 * By surface: a closed surface whose faces are counter-clockwise as seen from outside covers every direction, so C
 * contains every ball about the origin that its face planes do not cut. Proof: docs/theory/certificates.md,
 * "Depths". By axes: cso.c. */

enum { DEPTH_PAIRS_MAX = 1 << 20 }; /* the index of a pair fits an int32_t */

/* Checks one face: det = N·w > 0, and its plane is at least `depth` from the origin: det >= depth·scale·|N|. */
static bool surface_check_face(grz_exact_cso *exact, const graze_surface *surface, const int32_t *index,
                               grz_big depth) {
  grz_arena *arena = exact->arena;
  const size_t mark = arena->used;
  grz_bvec w[3], normal;
  for (int i = 0; i < exact->dim; i++) {
    grz_pair pair;
    if (index[i] < 0 || (size_t)index[i] >= surface->pair_count) return false;
    if (!grz_pair_read(&surface->pairs[index[i]], surface->points, surface->point_count, &pair)) return false;
    if (!grz_parse_pairs(exact, &pair, 1, 1, &w[i])) return false;
  }
  const grz_bvec edge = grz_bvec_sub(arena, w[1], w[0]);
  if (exact->dim == 2)
    normal = (grz_bvec){edge.y, grz_big_neg(edge.x), grz_big_zero()};
  else
    normal = grz_bvec_cross(arena, edge, grz_bvec_sub(arena, w[2], w[0]));
  const grz_big det = grz_bvec_dot(arena, normal, w[0]), bound = grz_big_mul(arena, depth, exact->placement.scale);
  const grz_big square = grz_big_mul(arena, grz_big_mul(arena, bound, bound), grz_bvec_dot(arena, normal, normal));
  const bool holds = det.sign > 0 && grz_big_compare(grz_big_mul(arena, det, det), square) >= 0;
  arena->used = mark;
  return holds;
}

/* A surface is closed if every directed edge occurs as often as its reverse. */
static bool surface_is_closed(const graze_surface *surface) {
  for (size_t edge = 0; edge < 3 * surface->face_count; edge++) {
    const int32_t *face = surface->faces[edge / 3], from = face[edge % 3], to = face[(edge + 1) % 3];
    int balance = 0;
    for (size_t i = 0; i < surface->face_count; i++) {
      for (int k = 0; k < 3; k++) {
        const int32_t a = surface->faces[i][k], b = surface->faces[i][k < 2 ? k + 1 : 0];
        balance += (a == from && b == to) - (a == to && b == from);
      }
    }
    if (balance != 0) return false;
  }
  return true;
}

static graze_status check_surface(grz_exact_cso *exact, const graze_surface *surface, grz_big depth) {
  if (surface == NULL || surface->pairs == NULL || surface->pair_count < (size_t)exact->dim) return GRAZE_REFUTED;
  if (surface->face_count > GRZ_DEPTH_FACES || surface->pair_count > DEPTH_PAIRS_MAX) return GRAZE_UNPROVEN;
  if (exact->dim == 2) { /* the pairs are a closed polygon */
    for (size_t i = 0; i < surface->pair_count; i++) {
      const int32_t edge[2] = {(int32_t)i, i + 1 < surface->pair_count ? (int32_t)i + 1 : 0};
      if (!surface_check_face(exact, surface, edge, depth)) return GRAZE_REFUTED;
    }
    return GRAZE_OK;
  }
  if (surface->faces == NULL || surface->face_count == 0 || !surface_is_closed(surface)) return GRAZE_REFUTED;
  for (size_t i = 0; i < surface->face_count; i++)
    if (!surface_check_face(exact, surface, surface->faces[i], depth)) return GRAZE_REFUTED;
  return GRAZE_OK;
}

graze_status grz_check_upper(grz_check *c, graze_relation relation, double upper) {
  grz_arena *arena = c->exact.arena;
  const bool by_axes = c->certificate->kind == GRAZE_CERTIFICATE_AXES; /* states overlapping cores, names no points */
  if (!(upper <= GRZ_DISTANCE_MAX) || (relation == GRAZE_OVERLAPPING && upper == 0)) return GRAZE_OK;
  if (c->count == 0 && !by_axes) return GRAZE_UNPROVEN;

  /* |v| <= upper + r. */
  const grz_big bound = grz_big_add(arena, grz_big_of(arena, upper), c->exact.radius);
  if (by_axes && bound.sign >= 0) return grz_check_axes(&c->exact, grz_big_zero(), false);
  if (!by_axes && check_point_sign(c, bound) <= 0) return GRAZE_OK;

  /* Otherwise the cores must overlap, and the depth proof must show that C contains a ball of radius -(upper + r), or
   * at least the origin. */
  const bool separated = c->has_gap && grz_gap_sign(&c->exact, &c->gap, grz_big_zero()) > 0;
  if (c->is_halfspace || separated || relation != GRAZE_OVERLAPPING) return GRAZE_REFUTED;
  const grz_big depth = bound.sign < 0 ? grz_big_neg(bound) : grz_big_zero();
  switch ((int)c->certificate->depth_proof) {
  case GRAZE_DEPTH_BY_PAIRS: return GRAZE_UNPROVEN;
  case GRAZE_DEPTH_BY_AXES: return grz_check_axes(&c->exact, depth, false);
  case GRAZE_DEPTH_BY_SURFACE: return check_surface(&c->exact, c->certificate->surface, depth);
  default: return GRAZE_REFUTED;
  }
}

/* ---- The numbers of an answer, and the arena of a check. */

bool grz_check_is_consistent(const graze_answer *answer, graze_certificate_kind kind) {
  const double lower = answer->lower, distance = answer->distance, upper = answer->upper;
  const bool internal_edge = kind == GRAZE_CERTIFICATE_INTERNAL_EDGE; /* the only overlap with distance 0 */
  if (lower > upper || lower > distance || distance > upper) return false;
  if (lower > GRZ_DISTANCE_MAX || upper < -GRZ_DISTANCE_MAX) return false;
  switch (answer->relation) {
  case GRAZE_SEPARATED: return !(lower < 0 || distance <= 0 || upper <= 0);
  case GRAZE_TOUCHING: return lower == 0 && distance == 0 && upper == 0;
  case GRAZE_OVERLAPPING: return !(upper > 0 || distance > 0 || (distance == 0 && !internal_edge));
  default: return !(lower > 0 || upper < 0);
  }
}

bool grz_check_is_complete(const graze_answer *answer) {
  const bool bounded = answer->lower == answer->lower && answer->upper == answer->upper;
  return bounded || (answer->relation != GRAZE_UNDECIDED && answer->distance != answer->distance);
}

enum { ARENA_SMALL = 4096, ARENA_LARGE = 65536 }; /* limbs */

/* A separate function, so that the large stack frame exists only when it is needed. */
static __attribute__((noinline)) graze_status check_in_large_arena(graze_status (*check)(grz_arena *, void *),
                                                                   void *context) {
  uint64_t limbs[ARENA_LARGE];
  grz_arena arena = {limbs, 0, ARENA_LARGE, false};
  const graze_status status = check(&arena, context);
  return arena.full ? GRAZE_UNPROVEN : status;
}

graze_status grz_check_in_arena(graze_status (*check)(grz_arena *arena, void *context), void *context) {
  uint64_t limbs[ARENA_SMALL];
  grz_arena arena = {limbs, 0, ARENA_SMALL, false};
  const graze_status status = check(&arena, context);
  return arena.full ? check_in_large_arena(check, context) : status;
}
