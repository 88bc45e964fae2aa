/* A floating-point filter, then exact numbers: whole ones of fixed size, or, where magnitudes differ too much for
 * those, of any size. */
#include "exact/predicates.h"

#include "exact/big.h"
#include "core/vec.h"
#include "exact/fixed.h"

static int orient_sign(double x) { return (x > 0) - (x < 0); }

/* The bits of a coordinate lie between 2^-1074 and 2^133: limbs -17 to 2. So a difference takes at most 21 limbs, a
 * product 42, and all of orient_turn_big 6·2 + 4·21 + 2·42. */
enum { ORIENT_TURN_LIMBS = 180 };

static int orient_turn_big(graze_vec a, graze_vec b, graze_vec c) {
  uint64_t limbs[ORIENT_TURN_LIMBS];
  grz_arena arena = {limbs, 0, ORIENT_TURN_LIMBS, false};
  grz_big bx = grz_big_of(&arena, b.x), by = grz_big_of(&arena, b.y);
  grz_big ux = grz_big_sub(&arena, bx, grz_big_of(&arena, a.x)), uy = grz_big_sub(&arena, by, grz_big_of(&arena, a.y));
  grz_big vx = grz_big_sub(&arena, grz_big_of(&arena, c.x), bx), vy = grz_big_sub(&arena, grz_big_of(&arena, c.y), by);
  return grz_big_compare(grz_big_mul(&arena, ux, vy), grz_big_mul(&arena, uy, vx));
}

static int orient_turn_exact(graze_vec a, graze_vec b, graze_vec c) {
  a.z = b.z = c.z = 0;
  fixed_range range = fixed_range_empty();
  fixed_range_add(&range, a), fixed_range_add(&range, b), fixed_range_add(&range, c);
  if (!fixed_fits(range)) return orient_turn_big(a, b, c);
  fixed_vec middle = fixed_of(range, b), u = fixed_sub(middle, fixed_of(range, a)), v = fixed_sub(fixed_of(range, c), middle);
  fixed_sum turn = {{0}};
  fixed_add_cross(&turn, u.x, u.y, v.x, v.y);
  return fixed_sign(&turn);
}

int grz_orient2(graze_vec a, graze_vec b, graze_vec c) {
  double left = (b.x - a.x) * (c.y - b.y), right = (b.y - a.y) * (c.x - b.x), turn = left - right;
  double error = 4 * GRZ_U * (real_abs(left) + real_abs(right)) + 0x1p-1070;
  return real_abs(turn) > error ? orient_sign(turn) : orient_turn_exact(a, b, c);
}

/* Points take 4·6 limbs, differences 9·21, their cross product 3·43, and the dot product while its parts are summed
 * 3·66.
 */
enum { ORIENT_SPACE_LIMBS = 540 };

static int orient_space_big(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  uint64_t limbs[ORIENT_SPACE_LIMBS];
  grz_arena arena = {limbs, 0, ORIENT_SPACE_LIMBS, false};
  grz_bvec from = grz_bvec_of(&arena, a), u = grz_bvec_sub(&arena, grz_bvec_of(&arena, b), from);
  grz_bvec v = grz_bvec_sub(&arena, grz_bvec_of(&arena, c), from),
           w = grz_bvec_sub(&arena, grz_bvec_of(&arena, d), from);
  return grz_bvec_det(&arena, u, v, w).sign;
}

static int orient_space_exact(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  fixed_range range = fixed_range_empty();
  fixed_range_add(&range, a), fixed_range_add(&range, b), fixed_range_add(&range, c), fixed_range_add(&range, d);
  if (!fixed_fits(range)) return orient_space_big(a, b, c, d);
  fixed_vec from = fixed_of(range, a), u = fixed_sub(fixed_of(range, b), from), v = fixed_sub(fixed_of(range, c), from);
  fixed_sum det = {{0}};
  fixed_add_det(&det, u, v, fixed_sub(fixed_of(range, d), from));
  return fixed_sign(&det);
}

/* The cross product with the absolute values of its terms. */
static inline graze_vec orient_terms(graze_vec u, graze_vec v) {
  return vec_make(real_abs(u.y * v.z) + real_abs(u.z * v.y), real_abs(u.z * v.x) + real_abs(u.x * v.z),
                  real_abs(u.x * v.y) + real_abs(u.y * v.x));
}

static inline double orient_error(graze_vec u, graze_vec v, graze_vec reach) {
  return 10 * GRZ_U * vec_dot(orient_terms(u, v), reach) + (0x1p-1072 * (reach.x + reach.y + reach.z) + 0x1p-1070);
}

grz_plane_filter grz_orient3_filter(graze_vec a, graze_vec b, graze_vec c, graze_vec reach) {
  graze_vec u = vec_sub(b, a), v = vec_sub(c, a);
  grz_plane_filter filter = {vec_cross(u, v), orient_error(u, v, reach)};
  return filter;
}

int grz_orient3(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  graze_vec w = vec_sub(d, a);
  grz_plane_filter filter = grz_orient3_filter(a, b, c, vec_make(real_abs(w.x), real_abs(w.y), real_abs(w.z)));
  double det = vec_dot(filter.normal, w);
  return real_abs(det) > filter.error ? orient_sign(det) : orient_space_exact(a, b, c, d);
}
