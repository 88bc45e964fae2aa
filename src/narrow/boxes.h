/* Two boxes: penetration depth by separating axes (Gottschalk, Lin, Manocha 1996) and its witness points. Oriented
 * boxes for SIMD.
 *
 * Theory: docs/theory/axes.md, "Boxes". */
#ifndef GRAZE_NARROW_BOXES_H
#define GRAZE_NARROW_BOXES_H

#include "core/vec.h"

#include <graze/graze.h>

/* ---- Depth by separating axes */
/* In u·size: an axis must beat earlier axes by this much, so that rounding does not choose between tied axes. */
#define GRZ_AXIS_TIE 16

/* All lengths are in units of `unit` (src/narrow/obstacle.h). */
typedef struct grz_axis_depth {
  double low, high;    /* proved bounds of the depth of the cores; high: the rounded h(direction)/|direction| plus its
                        * error */
  double best;         /* the rounded overlap itself */
  graze_vec direction; /* unit, rounded, from A to B: the direction of least overlap */
  graze_vec core_a, core_b; /* witness points in world axes, without positions: (core_a + p_a) - (core_b + p_b) is
                             * direction times the depth, rounded */
  int axes;                 /* number of axes tested */
} grz_axis_depth;

/* Computes the depth of two overlapping box cores. offset: p_a - p_b, rounded, times `unit`. size >= bounding radii +
 * |offset|, times `unit`. Both as in grz_obstacle. high - low <= 2^-44·size. */
void grz_box_depth(const graze_placed *a, const graze_placed *b, graze_vec offset, double unit, double size,
                   grz_axis_depth *out);

/* The unit directions, from A to B, of the axes that grz_box_depth() tests, for traces. Returns their number. */
int grz_box_axes(const graze_placed *a, const graze_placed *b, graze_vec offset, graze_vec axis[15]);

/* ---- Witness points */
/* Two boxes in the frame of A. In 2D the third extents are 0. */
typedef struct box_pair {
  double a[3], b[3]; /* half extents */
  double m[3][3];    /* m[j]: axis j of B */
  double t[3];       /* the centre of B */
} box_pair;

/* Smaller entries of the relative rotation are rounding errors. As zeros they leave no edge axis that is nearly
 * zero. */
#define BOX_NOISE 0x1p-54

static inline double box_without_noise(double x) { return real_abs(x) < BOX_NOISE ? 0 : x; }

/* offset: p_a - p_b, rounded, times `unit`. */
static inline void box_pair_make(const graze_placed *a, const graze_placed *b, graze_vec o, double unit, box_pair *p) {
  const double *r = a->hidden.rotation, *s = b->hidden.rotation;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      p->m[j][i] = box_without_noise((r[i] * s[j] + r[3 + i] * s[3 + j]) + r[6 + i] * s[6 + j]);
  for (int i = 0; i < 3; i++) p->t[i] = -((r[i] * o.x + r[3 + i] * o.y) + r[6 + i] * o.z);
  p->a[0] = a->shape.as.box.half_extents.x * unit, p->a[1] = a->shape.as.box.half_extents.y * unit,
  p->a[2] = a->shape.as.box.half_extents.z * unit;
  p->b[0] = b->shape.as.box.half_extents.x * unit, p->b[1] = b->shape.as.box.half_extents.y * unit,
  p->b[2] = b->shape.as.box.half_extents.z * unit;
}

/* The same pair in the frame of B, with A and B exchanged. */
static inline void box_pair_swap(const box_pair *p, box_pair *swapped) {
  for (int i = 0; i < 3; i++) {
    swapped->a[i] = p->b[i], swapped->b[i] = p->a[i];
    for (int j = 0; j < 3; j++) swapped->m[i][j] = p->m[j][i];
    swapped->t[i] = -((p->t[0] * p->m[i][0] + p->t[1] * p->m[i][1]) + p->t[2] * p->m[i][2]);
  }
}

/* The least overlap is along sign·axis i of A. Computes a deepest point on_b of B (within tie) over that face of A, and
 * the point on_a of the face above it. If B has several deepest points, on_b is the mean of their clipped corners. */
void grz_box_face_points(const box_pair *pair, int i, double sign, double tie, double on_a[3], double on_b[3]);

/* The least overlap `depth` is along n = ±e_i × m_j, unit, from A to B. Computes the intersection of the two edges. */
void grz_box_edge_points(const box_pair *pair, int i, int j, const double n[3], double depth, double tie,
                         double on_a[3], double on_b[3]);

/* ---- Oriented boxes in float, for conservative SIMD tests of many pairs (batch/box_kernel.h) */
/* One cache line. In 2D all boxes have a thickness, so that boxes that overlap in the plane overlap in space. */
typedef struct grz_oriented {
  double at[4];  /* position, and 0 */
  float turn[4]; /* quaternion: w, x, y, z */
  float core[4]; /* half extents, and the radius added to them */
} grz_oriented;

/* Computes the least box about the local origin that contains the core; a box core is its own. Returns false for half-
 * spaces. */
bool grz_oriented_make(grz_oriented *box, const graze_placed *placed, double grow);

/* Updates the pose, which is that of the body, not of a part of a compound. */
void grz_oriented_place(grz_oriented *box, const graze_placed *placed);

/* Bounds of a body with a box core, grown by `grow`, rounded outward. */
void grz_oriented_bounds(const graze_placed *placed, double grow, graze_aabb *bounds);

/* Arrays of pairs. `displacement` NULL: bodies at rest. */
typedef struct grz_oriented_pairs {
  const grz_oriented *const *box[2];
  const double (*displacement)[4]; /* motion of B relative to A, within three roundings, and 0; the bodies do not
                                    * rotate */
} grz_oriented_pairs;

#endif
