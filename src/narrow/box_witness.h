/* Two overlapping boxes in the frame of one of them, and the points of both that witness their depth. */
#ifndef GRAZE_NARROW_BOX_WITNESS_H
#define GRAZE_NARROW_BOX_WITNESS_H

#include "core/vec.h"

/* The origin and the axes are those of A. In 2D the third extents are 0. */
typedef struct box_pair {
  double a[3], b[3]; /* half extents */
  double m[3][3];    /* m[j]: axis j of B */
  double t[3];       /* the centre of B */
} box_pair;

/* Smaller entries of the relative rotation are noise: zero, they leave no edge axis that is nearly zero. */
#define BOX_NOISE 0x1p-54

static inline double box_without_noise(double x) { return real_abs(x) < BOX_NOISE ? 0 : x; }

/* offset: p_a - p_b, rounded, times `unit`. */
static inline void box_pair_make(const graze_placed *a, const graze_placed *b, graze_vec o, double unit, box_pair *p) {
  const double *r = a->hidden.rotation, *s = b->hidden.rotation;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      p->m[j][i] = box_without_noise((r[i] * s[j] + r[3 + i] * s[3 + j]) + r[6 + i] * s[6 + j]);
  for (int i = 0; i < 3; i++) p->t[i] = -((r[i] * o.x + r[3 + i] * o.y) + r[6 + i] * o.z);
  p->a[0] = a->shape.as.box.half_extents.x * unit, p->a[1] = a->shape.as.box.half_extents.y * unit, p->a[2] = a->shape.as.box.half_extents.z * unit;
  p->b[0] = b->shape.as.box.half_extents.x * unit, p->b[1] = b->shape.as.box.half_extents.y * unit, p->b[2] = b->shape.as.box.half_extents.z * unit;
}

/* The same in the frame of B, whose part B plays A's. */
static inline void box_pair_swap(const box_pair *p, box_pair *swapped) {
  for (int i = 0; i < 3; i++) {
    swapped->a[i] = p->b[i], swapped->b[i] = p->a[i];
    for (int j = 0; j < 3; j++) swapped->m[i][j] = p->m[j][i];
    swapped->t[i] = -((p->t[0] * p->m[i][0] + p->t[1] * p->m[i][1]) + p->t[2] * p->m[i][2]);
  }
}

/* The least overlap is along sign·axis i of A: a point on_b of B as deep as any within tie, over that face of A, and
 * on_a right above it. Where more than a point of B is that deep, on_b is the mean of the corners of what lies over the
 * face. */
void grz_box_face_points(const box_pair *pair, int i, double sign, double tie, double on_a[3], double on_b[3]);

/* The least overlap `depth` is along n = ±e_i × m_j, unit, from A to B: where the two edges cross. */
void grz_box_edge_points(const box_pair *pair, int i, int j, const double n[3], double depth, double tie,
                         double on_a[3], double on_b[3]);

#endif
