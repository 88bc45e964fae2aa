/* Vectors of exact numbers. Every function leaves only its result in the arena. In 2D, z is zero and costs nothing. */
#ifndef GRAZE_EXACT_BIGVEC_H
#define GRAZE_EXACT_BIGVEC_H

#include "exact/big.h"

#include <graze/graze.h>

typedef struct grz_bvec {
  grz_big x, y, z;
} grz_bvec;

grz_bvec grz_bvec_of(grz_arena *arena, graze_vec v);
grz_bvec grz_bvec_add(grz_arena *arena, grz_bvec u, grz_bvec v);
grz_bvec grz_bvec_sub(grz_arena *arena, grz_bvec u, grz_bvec v);
grz_bvec grz_bvec_scale(grz_arena *arena, grz_bvec v, grz_big factor);
grz_bvec grz_bvec_cross(grz_arena *arena, grz_bvec u, grz_bvec v);
grz_big grz_bvec_dot(grz_arena *arena, grz_bvec u, grz_bvec v);

/* det[u, v, w] = (u × v)·w. */
grz_big grz_bvec_det(grz_arena *arena, grz_bvec u, grz_bvec v, grz_bvec w);

/* As grz_big_keep(): gives back everything since `mark` except v. */
grz_bvec grz_bvec_keep(grz_arena *arena, size_t mark, grz_bvec v);

static inline grz_bvec grz_bvec_neg(grz_bvec v) {
  grz_bvec r = {grz_big_neg(v.x), grz_big_neg(v.y), grz_big_neg(v.z)};
  return r;
}

static inline bool grz_bvec_is_zero(grz_bvec v) { return v.x.sign == 0 && v.y.sign == 0 && v.z.sign == 0; }

#endif
