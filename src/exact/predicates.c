/* Orientation and in-circle predicates. A floating-point filter comes first. Orientation then uses integers of fixed
 * size (exact/fixed.h). Integers of any length decide if the magnitudes differ too much for these, and for the
 * in-circle predicate. */
#include "exact/exact.h"

#include "core/vec.h"
#include "exact/fixed.h"

static int predicate_sign(double x) { return (x > 0) - (x < 0); }

/* The bits of a coordinate lie between 2^-1074 and 2^133, in limbs -17 to 2. So a difference has at most 21 limbs and a
 * product 42; grz_orient2() allocates 6·2 + 4·21 + 2·42. */
enum { ORIENT2_LIMBS = 180 };

static int orient2_big(graze_vec a, graze_vec b, graze_vec c) {
  uint64_t limbs[ORIENT2_LIMBS];
  grz_arena arena = {limbs, 0, ORIENT2_LIMBS, false};
  grz_big bx = grz_big_of(&arena, b.x), by = grz_big_of(&arena, b.y);
  grz_big ux = grz_big_sub(&arena, bx, grz_big_of(&arena, a.x)), uy = grz_big_sub(&arena, by, grz_big_of(&arena, a.y));
  grz_big vx = grz_big_sub(&arena, grz_big_of(&arena, c.x), bx), vy = grz_big_sub(&arena, grz_big_of(&arena, c.y), by);
  return grz_big_compare(grz_big_mul(&arena, ux, vy), grz_big_mul(&arena, uy, vx));
}

static int orient2_exact(graze_vec a, graze_vec b, graze_vec c) {
  a.z = b.z = c.z = 0;
  fixed_range range = fixed_range_empty();
  fixed_range_add(&range, a), fixed_range_add(&range, b), fixed_range_add(&range, c);
  if (!fixed_fits(range)) return orient2_big(a, b, c);
  fixed_vec middle = fixed_of(range, b), u = fixed_sub(middle, fixed_of(range, a)),
            v = fixed_sub(fixed_of(range, c), middle);
  fixed_sum turn = {{0}};
  fixed_add_cross(&turn, u.x, u.y, v.x, v.y);
  return fixed_sign(&turn);
}

int grz_orient2(graze_vec a, graze_vec b, graze_vec c) {
  double left = (b.x - a.x) * (c.y - b.y), right = (b.y - a.y) * (c.x - b.x), turn = left - right;
  double error = 4 * GRZ_U * (real_abs(left) + real_abs(right)) + 0x1p-1070;
  return real_abs(turn) > error ? predicate_sign(turn) : orient2_exact(a, b, c);
}

bool grz_are_collinear(graze_vec a, graze_vec b, graze_vec c) {
  return grz_orient2(a, b, c) == 0 &&
         grz_orient2(vec_make(a.y, a.z, 0), vec_make(b.y, b.z, 0), vec_make(c.y, c.z, 0)) == 0 &&
         grz_orient2(vec_make(a.z, a.x, 0), vec_make(b.z, b.x, 0), vec_make(c.z, c.x, 0)) == 0;
}

/* Limbs that grz_orient3() allocates: points 4·6, differences 9·21, their cross product 3·43, the terms of the dot
 * product 3·66. */
enum { ORIENT3_LIMBS = 540 };

static int orient3_big(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  uint64_t limbs[ORIENT3_LIMBS];
  grz_arena arena = {limbs, 0, ORIENT3_LIMBS, false};
  grz_bvec from = grz_bvec_of(&arena, a), u = grz_bvec_sub(&arena, grz_bvec_of(&arena, b), from);
  grz_bvec v = grz_bvec_sub(&arena, grz_bvec_of(&arena, c), from),
           w = grz_bvec_sub(&arena, grz_bvec_of(&arena, d), from);
  return grz_bvec_det(&arena, u, v, w).sign;
}

static int orient3_exact(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  /* Points in one plane perpendicular to an axis are common, for instance of a floor. */
  if ((a.x == b.x && a.x == c.x && a.x == d.x) || (a.y == b.y && a.y == c.y && a.y == d.y) ||
      (a.z == b.z && a.z == c.z && a.z == d.z))
    return 0;
  fixed_range range = fixed_range_empty();
  fixed_range_add(&range, a), fixed_range_add(&range, b), fixed_range_add(&range, c), fixed_range_add(&range, d);
  if (!fixed_fits(range)) return orient3_big(a, b, c, d);
  fixed_vec from = fixed_of(range, a), u = fixed_sub(fixed_of(range, b), from), v = fixed_sub(fixed_of(range, c), from);
  fixed_sum det = {{0}};
  fixed_add_det(&det, u, v, fixed_sub(fixed_of(range, d), from));
  return fixed_sign(&det);
}

grz_plane_filter grz_orient3_filter(graze_vec a, graze_vec b, graze_vec c, graze_vec extent) {
  const graze_vec u = vec_sub(b, a), v = vec_sub(c, a);
  /* The terms of the cross product, with their absolute values. */
  const graze_vec terms = vec_make(real_abs(u.y * v.z) + real_abs(u.z * v.y), real_abs(u.z * v.x) + real_abs(u.x * v.z),
                                   real_abs(u.x * v.y) + real_abs(u.y * v.x));
  const double underflow = 0x1p-1072 * (extent.x + extent.y + extent.z) + 0x1p-1070;
  grz_plane_filter filter = {vec_cross(u, v), 10 * GRZ_U * vec_dot(terms, extent) + underflow};
  return filter;
}

int grz_orient3(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  graze_vec w = vec_sub(d, a);
  grz_plane_filter filter = grz_orient3_filter(a, b, c, vec_make(real_abs(w.x), real_abs(w.y), real_abs(w.z)));
  double det = vec_dot(filter.normal, w);
  return real_abs(det) > filter.error ? predicate_sign(det) : orient3_exact(a, b, c, d);
}

/* ---- In circle */

/* Limbs that grz_in_circle() allocates. Each of 6 differences: 21, and 2 for each operand. Each of the three terms: two
 * products of 42 and their difference of 43; two squares of 42 and their sum of 43; the product of both, 86. The sums
 * of the terms: 87 and 88. */
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
  grz_big sum = grz_big_add(&arena, circle_term(&arena, &u, &v, &w), circle_term(&arena, &v, &w, &u));
  return grz_big_add(&arena, sum, circle_term(&arena, &w, &u, &v)).sign;
}

/* |u|²·(v × w), rounded. Adds the sum of the absolute values of its terms to *size. */
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
