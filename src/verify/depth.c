/* Depth proofs in exact arithmetic: proofs that C = A - B contains the ball of radius `depth` about the origin.
 *
 * By surface: a closed surface whose faces are counter-clockwise as seen from outside covers every direction, so C
 * contains every ball about the origin that its face planes do not cut. Proof: docs/theory/certificates.md,
 * "Depths". By axes: cso.c. */
#include "verify/verify.h"

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
  if (!by_axes && grz_check_point_sign(c, bound) <= 0) return GRAZE_OK;

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
