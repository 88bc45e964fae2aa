/* The point nearest the origin in the hull of a few points, exactly: by minors, over all subsets, with the optimality
 * conditions (KKT) as the only judge. docs/theory/exact.md. */
#ifndef GRAZE_EXACT_NEAREST_H
#define GRAZE_EXACT_NEAREST_H

#include "exact/big.h"

enum { GRZ_NEAREST_MAX = 6 };

/* v lies in the relative interior of the hull of the carrier, which is affinely independent (1 to dim + 1 points). */
typedef struct grz_nearest {
  int count;          /* points in the carrier; 0 only when the arena is full */
  int carrier[4];     /* their indices, ascending */
  grz_big weight[4];  /* positive: v = (sum weight_i w_i) / (sum weight_i) */
  grz_bvec direction; /* a positive multiple of v; zero when v is */
  grz_big square;     /* |v|^2 = square / divisor, divisor > 0 */
  grz_big divisor;
} grz_nearest;

/* The nearest point of the hull of w[0 … count-1], 1 <= count <= GRZ_NEAREST_MAX; dim is 2 or 3. */
grz_nearest grz_nearest_of(grz_arena *arena, const grz_bvec *w, int count, int dim);

/* The same. `guess` is a bit mask: the carrier that somebody expects. It is tried first and saves the search when
 * right. */
grz_nearest grz_nearest_guessed(grz_arena *arena, const grz_bvec *w, int count, int dim, unsigned guess);

/* Is the origin strictly inside the hull of w[0 … count-1], 1 <= count <= GRZ_NEAREST_MAX? False when the arena is
 * full. */
bool grz_origin_is_interior(grz_arena *arena, const grz_bvec *w, int count, int dim);

/* Does their hull hold the ball of this radius about the origin? A radius below 0 counts as 0. False when the arena is
 * full. */
bool grz_contains_ball(grz_arena *arena, const grz_bvec *w, int count, int dim, grz_big radius);

#endif
