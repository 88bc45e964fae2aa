/* Exact arithmetic: numbers, vectors of them, signs of sums of square roots (big.c), predicates of points
 * (predicates.c), the nearest point of a hull (nearest.c), and the relative placement of two bodies (placement.c).
 * Theory: docs/theory/exact.md. */
#ifndef GRAZE_EXACT_EXACT_H
#define GRAZE_EXACT_EXACT_H

#include <graze/graze.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Numbers: big.c.
 *
 * A number is a signed integer of any length times a power of 2^64, in a caller's arena. Operations are exact +, -, ×
 * and sign; there is no division, rounding or allocation. A double becomes at most two limbs, whatever its exponent.
 * Sums align by whole limbs. The length of a number is the distance from its highest to its lowest nonzero limb. */

/* A bump allocator. When it is exhausted, `full` is set and every later result is zero. The results of a computation
 * are valid only if `full` is false at its end. */
typedef struct grz_arena {
  uint64_t *limbs;
  size_t used, capacity;
  bool full;
} grz_arena;

/* value = sign · (limb[0] + limb[1]·2^64 + …) · 2^(64·exponent). Normal form: sign 0 means size 0; the top and bottom
 * limbs are nonzero. Limbs are immutable, so copies may share them. */
typedef struct grz_big {
  const uint64_t *limb;
  int32_t size, exponent;
  int sign;
} grz_big;

/* The exact value of a finite double. */
grz_big grz_big_of(grz_arena *arena, double value);

/* Exact sum, difference, product. */
grz_big grz_big_add(grz_arena *arena, grz_big x, grz_big y);
grz_big grz_big_sub(grz_arena *arena, grz_big x, grz_big y);
grz_big grz_big_mul(grz_arena *arena, grz_big x, grz_big y);

/* The sign of x - y. Allocates nothing. */
int grz_big_compare(grz_big x, grz_big y);

/* Frees everything allocated since `mark` (an earlier arena->used) except x, which moves there. */
grz_big grz_big_keep(grz_arena *arena, size_t mark, grz_big x);

/* x = m·2^*exponent·(1 + e) with 0.5 <= |m| <= 1 and |e| <= 2^-53 (round to nearest, ties to even); 0 for 0. */
double grz_big_to_double(grz_big x, int64_t *exponent);

static inline grz_big grz_big_zero(void) {
  grz_big zero = {NULL, 0, 0, 0};
  return zero;
}

static inline grz_big grz_big_neg(grz_big x) {
  x.sign = -x.sign;
  return x;
}

/* ---- Vectors. Every function leaves only its result in the arena. In 2D, z is zero and costs nothing. */

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

/* As grz_big_keep(): frees everything since `mark` except v. */
grz_bvec grz_bvec_keep(grz_arena *arena, size_t mark, grz_bvec v);

static inline grz_bvec grz_bvec_neg(grz_bvec v) {
  grz_bvec r = {grz_big_neg(v.x), grz_big_neg(v.y), grz_big_neg(v.z)};
  return r;
}

static inline bool grz_bvec_is_zero(grz_bvec v) { return v.x.sign == 0 && v.y.sign == 0 && v.z.sign == 0; }

/* ---- Sums of square roots */

/* factor·sqrt(radicand), radicand >= 0. */
typedef struct grz_root {
  grz_big factor, radicand;
} grz_root;

enum { GRZ_ROOTS_MAX = 3 };

/* The sign of rational + root[0] + … + root[count-1], 0 <= count <= GRZ_ROOTS_MAX. Leaves nothing in the arena. */
int grz_radical_sign(grz_arena *arena, grz_big rational, const grz_root *root, int count);

/* ---- Orientation and in-circle predicates of points in doubles: predicates.c.
 *
 * Each predicate is a floating-point filter. If the filter fails, exact arithmetic decides. Coordinates may be up
 * to GRAZE_LARGEST in magnitude.
 * Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997 (the
 * filters). Theory: docs/theory/rounding.md, "Orientation" and "In circle". */

/* The sign of (b - a) × (c - b) in the xy plane: 1 if a, b, c turn left, -1 if right, 0 if they lie on one line. */
int grz_orient2(graze_vec a, graze_vec b, graze_vec c);

/* Returns whether three points in space lie on one line. */
bool grz_are_collinear(graze_vec a, graze_vec b, graze_vec c);

/* The sign of ((b - a) × (c - a))·(d - a): 1 if d lies on the side of the plane from which a, b, c appear
 * counter-clockwise, -1 on the other side, 0 on the plane, or if a, b, c lie on one line. */
int grz_orient3(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

/* The filter of grz_orient3() for one plane and many points d. */
typedef struct grz_plane_filter {
  graze_vec normal; /* (b - a) × (c - a), rounded */
  double error;     /* bounds the error of the rounded normal·(d - a) */
} grz_plane_filter;

/* The filter for all d whose rounded difference d - a is at most `extent` in magnitude, coordinate by coordinate. */
grz_plane_filter grz_orient3_filter(graze_vec a, graze_vec b, graze_vec c, graze_vec extent);

/* In the xy plane, for a, b, c that turn left: 1 if d lies inside their circle, -1 outside, 0 on it. If a, b, c turn
 * right, the sign is reversed. If they lie on one line, points d on opposite sides of that line get opposite signs. */
int grz_in_circle(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

/* ---- The point of the hull of up to six points that is nearest to the origin: nearest.c.
 *
 * The subproblem of GJK, solved by enumeration: each subset has a nearest point in closed form, by determinants (as in
 * Johnson's subalgorithm, 1987). The first subset that satisfies the optimality conditions (KKT) gives the result.
 * Theory: docs/theory/exact.md, "The nearest point". */

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

/* ---- The relative placement of two exactly rigid bodies: placement.c.
 *
 * It is scaled so that no number has a denominator. With R(q) = M(q)/(q·q):
 *
 *   scale · w = to_world_a · va - to_world_b · vb + offset,   w = (R_a va + p_a) - (R_b vb + p_b),
 *
 * scale = (q_a·q_a)(q_b·q_b) > 0, to_world_a = (q_b·q_b) M(q_a), to_world_b = (q_a·q_a) M(q_b),
 * offset = scale·(p_a - p_b). Every predicate about w is the sign of a polynomial in these numbers.
 *
 * A part of a compound in the frame (q_c, p_c) has R_a = R(q_c) R(q_a) = R(q_c q_a) and the position R(q_c) p_a + p_c.
 * The same formulas hold with the exact product for q_a. No product is formed if the part or its frame is not rotated.
 * A part that is neither rotated nor moved has the numbers of a shape with the pose of the frame.
 *
 * Bodies in linear motion: p_a - p_b + from·(velocity_a - velocity_b) replaces p_a - p_b, and
 * sweep = scale·(to - from)·(velocity_a - velocity_b).
 * Theory: docs/theory/exact.md, "Placements". */

typedef struct grz_placement {
  grz_bvec to_world_a[3], to_world_b[3]; /* rows */
  grz_big scale;
  grz_bvec offset;
  grz_bvec sweep; /* zero for bodies at rest */
} grz_placement;

/* The placement by the poses of a and b, and for parts also by their frames. */
grz_placement grz_placement_make(grz_arena *arena, const graze_placed *a, const graze_placed *b);

/* scale·w for one local point of each body. */
grz_bvec grz_placement_point(grz_arena *arena, const grz_placement *placement, graze_vec va, graze_vec vb);

/* The same at time a->from (end 0) or a->to (end 1). */
grz_bvec grz_placement_point_at(grz_arena *arena, const grz_placement *placement, graze_vec va, graze_vec vb, int end);

/* A world direction in local coordinates of A (B): to_world^T d. So (scale·w)·d = local_a(d)·va - local_b(d)·vb +
 * offset·d. */
grz_bvec grz_placement_local_a(grz_arena *arena, const grz_placement *placement, grz_bvec d);
grz_bvec grz_placement_local_b(grz_arena *arena, const grz_placement *placement, grz_bvec d);

#endif
