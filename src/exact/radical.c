/* The sign of a sum of square roots: two parts of opposite signs are compared by their squares, which have one root
 * less between them. */
#include "exact/big.h"

static int radical_root_sign(grz_root root) { return root.radicand.sign == 0 ? 0 : root.factor.sign; }

static grz_big radical_square(grz_arena *arena, grz_root root) {
  size_t mark = arena->used;
  grz_big factor = grz_big_mul(arena, root.factor, root.factor);
  return grz_big_keep(arena, mark, grz_big_mul(arena, factor, root.radicand));
}

/* The sign of x + y from the signs of x and y and, where these are opposite, of |x| - |y|. */
static int radical_one(grz_arena *arena, grz_big rational, grz_root root) {
  int sign = radical_root_sign(root);
  if (sign == 0 || rational.sign == sign) return rational.sign;
  if (rational.sign == 0) return sign;
  grz_big square = grz_big_mul(arena, rational, rational);
  return rational.sign * grz_big_compare(square, radical_square(arena, root));
}

static int radical_two(grz_arena *arena, grz_root x, grz_root y) {
  int sign_x = radical_root_sign(x), sign_y = radical_root_sign(y);
  if (sign_x == 0 || sign_x == sign_y) return sign_y;
  if (sign_y == 0) return sign_x;
  grz_big square = radical_square(arena, x);
  return sign_x * grz_big_compare(square, radical_square(arena, y));
}

/* 2·x·y. */
static grz_big radical_twice(grz_arena *arena, grz_big x, grz_big y) {
  grz_big product = grz_big_mul(arena, x, y);
  return grz_big_add(arena, product, product);
}

/* left = rational + (first root, if there are three), right = the last two roots:
 *   left² - right² = (q² + f0²c0 - f1²c1 - f2²c2) + 2 q f0·sqrt(c0) - 2 f1 f2·sqrt(c1 c2). */
static int radical_sign(grz_arena *arena, grz_big rational, const grz_root *root, int count) {
  if (count == 0) return rational.sign;
  if (count == 1) return radical_one(arena, rational, root[0]);
  const grz_root none = {grz_big_zero(), grz_big_zero()};
  grz_root first = count == 3 ? root[0] : none, x = root[count - 2], y = root[count - 1];
  int left = radical_one(arena, rational, first), right = radical_two(arena, x, y);
  if (right == 0) return left;
  if (left == 0 || left == right) return right;

  size_t mark = arena->used;
  grz_big q = grz_big_add(arena, grz_big_mul(arena, rational, rational), radical_square(arena, first));
  q = grz_big_sub(arena, q, radical_square(arena, x));
  q = grz_big_keep(arena, mark, grz_big_sub(arena, q, radical_square(arena, y)));
  grz_root next[2];
  next[0].factor = grz_big_neg(radical_twice(arena, x.factor, y.factor));
  next[0].radicand = grz_big_mul(arena, x.radicand, y.radicand);
  next[1].factor = radical_twice(arena, rational, first.factor);
  next[1].radicand = first.radicand;
  return left * radical_sign(arena, q, next, count - 1);
}

int grz_radical_sign(grz_arena *arena, grz_big rational, const grz_root *root, int count) {
  size_t mark = arena->used;
  grz_root present[GRZ_ROOTS_MAX];
  int n = 0;
  for (int i = 0; i < count; i++)
    if (radical_root_sign(root[i]) != 0) present[n++] = root[i];
  int sign = radical_sign(arena, rational, present, n);
  arena->used = mark;
  return sign;
}
