/* A floating-point filter, then exact numbers. */
#include "math/orient.h"

#include "math/big.h"
#include "math/vec.h"

static int orient_sign(double x) { return (x > 0) - (x < 0); }

/* The bits of a coordinate lie between 2^-1074 and 2^133: limbs -17 to 2. So a difference takes at most 21 limbs, a
 * product 42, and all of orient_exact 6·2 + 4·21 + 2·42. */
enum { ORIENT_LIMBS = 180 };

static int orient_exact(graze_vec a, graze_vec b, graze_vec c) {
  uint64_t limbs[ORIENT_LIMBS];
  grz_arena arena = {limbs, 0, ORIENT_LIMBS, false};
  grz_big bx = grz_big_of(&arena, b.x), by = grz_big_of(&arena, b.y);
  grz_big ux = grz_big_sub(&arena, bx, grz_big_of(&arena, a.x)), uy = grz_big_sub(&arena, by, grz_big_of(&arena, a.y));
  grz_big vx = grz_big_sub(&arena, grz_big_of(&arena, c.x), bx), vy = grz_big_sub(&arena, grz_big_of(&arena, c.y), by);
  return grz_big_compare(grz_big_mul(&arena, ux, vy), grz_big_mul(&arena, uy, vx));
}

int grz_turn(graze_vec a, graze_vec b, graze_vec c) {
  double left = (b.x - a.x) * (c.y - b.y), right = (b.y - a.y) * (c.x - b.x), turn = left - right;
  double error = 4 * GRZ_U * (real_abs(left) + real_abs(right)) + 0x1p-1070;
  return real_abs(turn) > error ? orient_sign(turn) : orient_exact(a, b, c);
}
