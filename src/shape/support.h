/* Support functions of cores, in the local frame. */
#ifndef GRAZE_SHAPE_SUPPORT_H
#define GRAZE_SHAPE_SUPPORT_H

#include <graze/graze.h>

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

/* Boxes are the common case, and too small to call for. */
static inline grz_core_point grz_support_box(const graze_shape *box, graze_vec d) {
  graze_vec h = box->extents;
  int32_t index = (d.x > 0) | (d.y > 0) << 1 | (d.z > 0) << 2;
  grz_core_point point = {{d.x > 0 ? h.x : -h.x, d.y > 0 ? h.y : -h.y, d.z > 0 ? h.z : -h.z}, index};
  return point;
}

static inline grz_core_point grz_support_local(const graze_shape *shape, graze_vec d, double *slack) {
  return shape->kind == GRAZE_BOX ? grz_support_box(shape, d) : grz_support_other(shape, d, slack);
}

/* docs/theory/rounding.md, section "Curved supports". */
#define GRZ_CURVED_SUPPORT_ERROR (40 * 0x1p-53)

#endif
