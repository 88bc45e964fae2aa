/* Support functions of cores, in the local frame. */
#ifndef GRAZE_SHAPE_SUPPORT_H
#define GRAZE_SHAPE_SUPPORT_H

#include "simd/argmax.h"
#include "simd/f64x2.h"
#include "core/vec.h"

/* A point of a core: a vertex by its index, or (index -1) a point that lies exactly in a closed curved core. */
typedef struct grz_core_point {
  graze_vec local;
  int32_t index;
} grz_core_point;

/* A core point farthest along the local direction d (not zero, of any length up to 2^1020), and in *slack the error
 * bound of the caller's own support function (GRAZE_USER; otherwise *slack is left alone).
 *
 * Vertex lists: the first of equal scores fl(d·v). Boxes: bit k of the index is set when d_k > 0. Curved cores: the
 * closed form, drawn inward by a few ulps: h(d) <= d·local + |d|·(GRZ_CURVED_SUPPORT_ERROR·reach + 2^-1070). Not for
 * half-spaces. */
static inline grz_core_point grz_support_local(const graze_shape *shape, graze_vec d, double *slack);

grz_core_point grz_support_other(const graze_shape *shape, graze_vec d, double *slack);

/* Boxes are the common case, and too small to call for; their signs are nobody's to predict. */
static inline grz_core_point grz_support_box(const graze_shape *box, graze_vec d) {
  const graze_vec h = box->as.box.half_extents;
  const u64x2 minus = f64x2_signs((f64x2){d.x, d.y}), minus_z = f64x2_signs((f64x2){d.z, 0});
  const f64x2 at = f64x2_negate_by((f64x2){h.x, h.y}, minus), z = f64x2_negate_by((f64x2){h.z, 0}, minus_z);
  return (grz_core_point){{at[0], at[1], z[0]}, (f64x2_sign_mask(minus) | (f64x2_sign_mask(minus_z) & 1) << 2) ^ 7};
}

/* max d·x over the points x of the core, |d| >= 2^-200, rounded: off by at most 8u·|d|·reach. Of user shapes d·x of the
 * support point: none lies farther than that and what *slack, as above, says. */
static inline double grz_support_value(const graze_shape *shape, graze_vec d, double *slack);

double grz_support_value_other(const graze_shape *shape, graze_vec d, double *slack);

static inline double grz_support_value(const graze_shape *shape, graze_vec d, double *slack) {
  const graze_vec h = shape->as.box.half_extents;
  if (shape->kind != GRAZE_BOX) return grz_support_value_other(shape, d, slack);
  return (real_abs(d.x) * h.x + real_abs(d.y) * h.y) + real_abs(d.z) * h.z;
}

static inline grz_core_point grz_support_local(const graze_shape *shape, graze_vec d, double *slack) {
  return shape->kind == GRAZE_BOX ? grz_support_box(shape, d) : grz_support_other(shape, d, slack);
}

/* The same, told apart here where it is a list of vertices, polygons in 2D and hulls in 3D, or a single one: these are
 * too common, and when they are short too small, to call for. */
GRZ_TEMPLATE grz_core_point grz_support_short(const graze_shape *shape, graze_vec d, double *slack, const int dim) {
  const graze_shape_kind listed = dim == 2 ? GRAZE_POLYGON : GRAZE_HULL;
  if (shape->kind == GRAZE_SPHERE || shape->kind == GRAZE_POINT) return (grz_core_point){{0, 0, 0}, 0};
  if (shape->kind != listed) return grz_support_local(shape, d, slack);
  const size_t best = shape->as.hull.count < GRZ_ARGMAX_SIMD_MIN
                          ? grz_argmax_scalar(shape->as.hull.vertices, shape->as.hull.count, d, dim)
                          : grz_argmax(shape->as.hull.vertices, shape->as.hull.count, d);
  return (grz_core_point){shape->as.hull.vertices[best], (int32_t)best};
}

/* docs/theory/rounding.md, section "Curved supports". */
#define GRZ_CURVED_SUPPORT_ERROR (40 * 0x1p-53)

#endif
