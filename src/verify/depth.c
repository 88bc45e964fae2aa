/* Depth proofs, exactly. A surface whose faces all turn counter-clockwise about the origin, each edge met by its
 * reverse, covers every direction: a ball inside the planes of its faces lies in A - B. Of two boxes, the facets of
 * A - B are faces of one or products of edges of both. docs/theory/certificates.md. */
#include "verify/depth.h"

/* A pair's indices fit an int32_t. */
enum { DEPTH_PAIRS = 1 << 20 };

/* The w of the corners of a face. */
static bool depth_corners(grz_parser *r, const graze_surface *surface, const int32_t *index, grz_bvec *w) {
  for (int i = 0; i < r->dim; i++) {
    if (index[i] < 0 || (size_t)index[i] >= surface->pair_count) return false;
    grz_pair pair;
    if (!grz_pair_read(&surface->pairs[index[i]], surface->points, surface->point_count, &pair)) return false;
    if (!grz_read_pairs(r, &pair, 1, 1, &w[i])) return false;
  }
  return true;
}

/* det > 0, and the plane is no nearer than `least`: det >= least·scale·|N|, N the normal. */
static bool depth_face(grz_parser *r, const graze_surface *surface, const int32_t *index, grz_big least) {
  grz_arena *arena = r->arena;
  size_t mark = arena->used;
  grz_bvec w[3], u, normal;
  if (!depth_corners(r, surface, index, w)) return false;
  u = grz_bvec_sub(arena, w[1], w[0]);
  if (r->dim == 2)
    normal = (grz_bvec){u.y, grz_big_neg(u.x), grz_big_zero()};
  else
    normal = grz_bvec_cross(arena, u, grz_bvec_sub(arena, w[2], w[0]));
  grz_big det = grz_bvec_dot(arena, normal, w[0]), bound = grz_big_mul(arena, least, r->placing.scale);
  grz_big square = grz_big_mul(arena, grz_big_mul(arena, bound, bound), grz_bvec_dot(arena, normal, normal));
  bool holds = det.sign > 0 && grz_big_compare(grz_big_mul(arena, det, det), square) >= 0;
  arena->used = mark;
  return holds;
}

/* How often the directed edge occurs, its reverse counted as -1. */
static int depth_edge_balance(const graze_surface *surface, int32_t from, int32_t to) {
  int balance = 0;
  for (size_t i = 0; i < surface->face_count; i++) {
    for (int k = 0; k < 3; k++) {
      int32_t a = surface->faces[i][k], b = surface->faces[i][k < 2 ? k + 1 : 0];
      balance += (a == from && b == to) - (a == to && b == from);
    }
  }
  return balance;
}

static bool depth_is_closed(const graze_surface *surface) {
  for (size_t i = 0; i < surface->face_count; i++) {
    for (int k = 0; k < 3; k++) {
      if (depth_edge_balance(surface, surface->faces[i][k], surface->faces[i][k < 2 ? k + 1 : 0]) != 0) return false;
    }
  }
  return true;
}

static graze_status depth_by_surface(grz_parser *r, const graze_surface *surface, grz_big least) {
  if (surface == NULL || surface->pairs == NULL || surface->pair_count < (size_t)r->dim) return GRAZE_REFUTED;
  if (surface->face_count > GRZ_DEPTH_FACES || surface->pair_count > DEPTH_PAIRS) return GRAZE_UNPROVEN;
  if (r->dim == 2) {
    for (size_t i = 0; i < surface->pair_count; i++) {
      const int32_t edge[2] = {(int32_t)i, i + 1 < surface->pair_count ? (int32_t)i + 1 : 0};
      if (!depth_face(r, surface, edge, least)) return GRAZE_REFUTED;
    }
    return GRAZE_OK;
  }
  if (surface->faces == NULL || surface->face_count == 0 || !depth_is_closed(surface)) return GRAZE_REFUTED;
  for (size_t i = 0; i < surface->face_count; i++) {
    if (!depth_face(r, surface, surface->faces[i], least)) return GRAZE_REFUTED;
  }
  return GRAZE_OK;
}

/* Does A - B reach as far as `least` along d and -d? Any direction but zero must. */
static bool depth_along(grz_parser *r, grz_bvec d, grz_big least) {
  grz_arena *arena = r->arena;
  size_t mark = arena->used;
  bool holds = true;
  for (int sign = 0; sign < 2 && !grz_bvec_is_zero(d); sign++) {
    grz_gap gap;
    holds = holds && grz_read_gap(r, d, &gap) && grz_gap_sign(r, &gap, grz_big_neg(least)) <= 0;
    d = grz_bvec_neg(d);
  }
  arena->used = mark;
  return holds;
}

/* Local axis i of a body in the world, times a positive number. */
static grz_bvec depth_axis(const grz_bvec *rows, int i) {
  grz_bvec x = {rows[0].x, rows[1].x, rows[2].x}, y = {rows[0].y, rows[1].y, rows[2].y};
  grz_bvec z = {rows[0].z, rows[1].z, rows[2].z};
  return i == 0 ? x : i == 1 ? y : z;
}

static graze_status depth_by_box_axes(grz_parser *r, grz_big least) {
  if (r->a->kind != GRAZE_BOX || r->b->kind != GRAZE_BOX) return GRAZE_REFUTED;
  for (int i = 0; i < r->dim; i++) {
    grz_bvec a = depth_axis(r->placing.to_world_a, i), b = depth_axis(r->placing.to_world_b, i);
    if (!depth_along(r, a, least) || !depth_along(r, b, least)) return GRAZE_REFUTED;
    for (int j = 0; j < 3 && r->dim == 3; j++) {
      size_t mark = r->arena->used;
      grz_bvec product = grz_bvec_cross(r->arena, a, depth_axis(r->placing.to_world_b, j));
      bool holds = depth_along(r, product, least);
      r->arena->used = mark;
      if (!holds) return GRAZE_REFUTED;
    }
  }
  return GRAZE_OK;
}

graze_status grz_verify_depth(grz_parser *r, const grz_proof *certificate, grz_big least) {
  switch ((int)certificate->depth_proof) {
  case GRAZE_DEPTH_BY_PAIRS: return GRAZE_UNPROVEN;
  case GRAZE_DEPTH_BY_BOX_AXES: return depth_by_box_axes(r, least);
  case GRAZE_DEPTH_BY_SURFACE: return depth_by_surface(r, certificate->surface, least);
  default: return GRAZE_REFUTED;
  }
}
