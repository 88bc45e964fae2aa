/* A floating-point filter, then exact numbers. */
#include "exact/predicates.h"

#include "exact/big.h"
#include "core/vec.h"

/* A difference of coordinates has at most 21 limbs (see exact/predicates.c) and leaves its two operands of 2 limbs behind:
 * 25 each. One of the three terms, all of it kept: two products of 42 limbs and their difference of 43; two squares of
 * 42 and their sum of 43; the product of both, 86. The sum of the terms: 87 and 88. */
enum { CIRCLE_LIMBS = 6 * 25 + 3 * (4 * 42 + 2 * 43 + 86) + 87 + 88 };

/* p - d as exact numbers. */
static grz_bvec circle_from(grz_arena *arena, graze_vec p, graze_vec d) {
  grz_bvec v = {grz_big_sub(arena, grz_big_of(arena, p.x), grz_big_of(arena, d.x)),
                grz_big_sub(arena, grz_big_of(arena, p.y), grz_big_of(arena, d.y)), grz_big_zero()};
  return v;
}

/* |u|²·(v × w). */
static grz_big circle_term(grz_arena *arena, const grz_bvec *u, const grz_bvec *v, const grz_bvec *w) {
  grz_big cross = grz_big_sub(arena, grz_big_mul(arena, v->x, w->y), grz_big_mul(arena, v->y, w->x));
  grz_big square = grz_big_add(arena, grz_big_mul(arena, u->x, u->x), grz_big_mul(arena, u->y, u->y));
  return grz_big_mul(arena, square, cross);
}

static int circle_exact(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  uint64_t limbs[CIRCLE_LIMBS];
  grz_arena arena = {limbs, 0, CIRCLE_LIMBS, false};
  grz_bvec u = circle_from(&arena, a, d), v = circle_from(&arena, b, d), w = circle_from(&arena, c, d);
  grz_big two = grz_big_add(&arena, circle_term(&arena, &u, &v, &w), circle_term(&arena, &v, &w, &u));
  return grz_big_add(&arena, two, circle_term(&arena, &w, &u, &v)).sign;
}

/* |u|²·(v × w) rounded, and what its error is measured by. */
static inline double circle_rounded(graze_vec u, graze_vec v, graze_vec w, double *size) {
  double left = v.x * w.y, right = v.y * w.x, square = u.x * u.x + u.y * u.y;
  *size += square * (real_abs(left) + real_abs(right));
  return square * (left - right);
}

int grz_in_circle(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  graze_vec u = {a.x - d.x, a.y - d.y, 0}, v = {b.x - d.x, b.y - d.y, 0}, w = {c.x - d.x, c.y - d.y, 0};
  double size = 0;
  double sum = circle_rounded(u, v, w, &size) + circle_rounded(v, w, u, &size) + circle_rounded(w, u, v, &size);
  double error = 16 * GRZ_U * size + 0x1p-780;
  if (real_abs(sum) > error) return sum > 0 ? 1 : -1;
  return circle_exact(a, b, c, d);
}
