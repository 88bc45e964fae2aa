/* The point of the hull of up to six points that is nearest to the origin, exactly.
 *
 * The subproblem of GJK, solved by enumeration: each subset has a nearest point in closed form, by determinants (as in
 * Johnson's subalgorithm, 1987). The first subset that satisfies the optimality conditions (KKT) gives the result.
 * Theory: docs/theory/exact.md, "The nearest point". */
#ifndef GRAZE_EXACT_NEAREST_H
#define GRAZE_EXACT_NEAREST_H

#include "exact/big.h"

enum { GRZ_NEAREST_MAX = 6 };

/* The nearest point v and its carrier: the 1 to dim + 1 affinely independent points whose hull contains v in its
 * relative interior. */
typedef struct grz_nearest {
  int count;          /* points of the carrier; 0 only if the arena is full */
  int carrier[4];     /* their indices, ascending */
  grz_big weight[4];  /* positive: v = (sum weight_i w_i) / (sum weight_i) */
  grz_bvec direction; /* a positive multiple of v; zero if v is zero */
  grz_big square;     /* |v|^2 = square / divisor, divisor > 0 */
  grz_big divisor;
} grz_nearest;

/* The nearest point of the hull of w[0 … count-1], 1 <= count <= GRZ_NEAREST_MAX; dim is 2 or 3. */
grz_nearest grz_nearest_of(grz_arena *arena, const grz_bvec *w, int count, int dim);

/* The same. `guess` is the expected carrier, as a bit mask. It is tested first; a right guess avoids the search. */
grz_nearest grz_nearest_guessed(grz_arena *arena, const grz_bvec *w, int count, int dim, unsigned guess);

/* True if the origin is an interior point of the hull of w[0 … count-1], 1 <= count <= GRZ_NEAREST_MAX. False if the
 * arena is full. */
bool grz_origin_is_interior(grz_arena *arena, const grz_bvec *w, int count, int dim);

/* True if the origin is an interior point of that hull, and the hull contains the ball of this radius about the origin.
 * A negative radius counts as 0. False if the arena is full. */
bool grz_contains_ball(grz_arena *arena, const grz_bvec *w, int count, int dim, grz_big radius);

#endif
