/* Exact numbers: schoolbook arithmetic on 64-bit limbs.
 *
 * The numbers of collision detection have 2 to 40 limbs. Asymptotically faster algorithms are slower at these lengths.
 * Theory, with bounds on the number of limbs: docs/theory/exact.md. */
#include "exact/exact.h"

#include "core/real.h"

static uint64_t *big_allocate(grz_arena *arena, size_t count) {
  if (arena->full || count > arena->capacity - arena->used) {
    arena->full = true;
    return NULL;
  }
  uint64_t *limb = arena->limbs + arena->used;
  arena->used += count;
  return limb;
}

/* The normal form of the newest allocation. Frees the zero limbs at its top. */
static grz_big big_normal(grz_arena *arena, const uint64_t *limb, size_t size, int32_t exponent, int sign) {
  size_t top = size, bottom = 0;
  while (top > 0 && limb[top - 1] == 0) top--;
  arena->used -= size - top;
  while (bottom < top && limb[bottom] == 0) bottom++;
  if (bottom == top) {
    arena->used -= top;
    return grz_big_zero();
  }
  grz_big r = {limb + bottom, (int32_t)(top - bottom), exponent + (int32_t)bottom, sign};
  return r;
}

grz_big grz_big_of(grz_arena *arena, double value) {
  uint64_t bits = real_bits(value), mantissa = bits & ((UINT64_C(1) << 52) - 1);
  int32_t power = (int32_t)(bits >> 52 & 0x7ff); /* value = mantissa·2^(power - 1075), once adjusted */
  if (power == 0)
    power = 1;
  else
    mantissa |= UINT64_C(1) << 52;
  if (mantissa == 0) return grz_big_zero();

  /* power - 1075 = 64·exponent + shift, 0 <= shift < 64; 1088 = 17·64 keeps the dividend positive. */
  int32_t exponent = (power - 1075 + 1088) / 64 - 17, shift = (power - 1075 + 1088) % 64;
  uint64_t low = mantissa << shift, high = shift > 11 ? mantissa >> (64 - shift) : 0;
  size_t size = low != 0 && high != 0 ? 2 : 1;
  uint64_t *limb = big_allocate(arena, size);
  if (limb == NULL) return grz_big_zero();
  limb[0] = low != 0 ? low : high;
  if (size == 2) limb[1] = high;
  grz_big r = {limb, (int32_t)size, exponent + (low == 0), bits >> 63 ? -1 : 1};
  return r;
}

/* The sign of |x| - |y|; both nonzero. */
static int big_compare_magnitude(grz_big x, grz_big y) {
  int32_t top_x = x.exponent + x.size, top_y = y.exponent + y.size;
  if (top_x != top_y) return top_x < top_y ? -1 : 1;
  int32_t i = x.size, j = y.size;
  while (i > 0 && j > 0) {
    uint64_t u = x.limb[--i], v = y.limb[--j];
    if (u != v) return u < v ? -1 : 1;
  }
  return (i > 0) - (j > 0); /* the bottom limbs are nonzero */
}

int grz_big_compare(grz_big x, grz_big y) {
  if (x.sign != y.sign) return x.sign < y.sign ? -1 : 1;
  return x.sign == 0 ? 0 : x.sign * big_compare_magnitude(x, y);
}

/* A new array of `span` limbs with x at the index `at` and zeros elsewhere. */
static uint64_t *big_copy_padded(grz_arena *arena, grz_big x, size_t at, size_t span) {
  uint64_t *limb = big_allocate(arena, span);
  if (limb == NULL) return NULL;
  size_t size = (size_t)x.size;
  memset(limb, 0, at * sizeof *limb);
  memcpy(limb + at, x.limb, size * sizeof *limb);
  memset(limb + at + size, 0, (span - at - size) * sizeof *limb);
  return limb;
}

static void big_add_at(uint64_t *limb, grz_big y) {
  uint64_t carry = 0;
  int32_t i = 0;
  for (; i < y.size; i++) {
    grz_u128 t = (grz_u128)limb[i] + y.limb[i] + carry;
    limb[i] = (uint64_t)t;
    carry = (uint64_t)(t >> 64);
  }
  for (; carry != 0; i++) carry = ++limb[i] == 0;
}

static void big_sub_at(uint64_t *limb, grz_big y) {
  uint64_t borrow = 0;
  int32_t i = 0;
  for (; i < y.size; i++) {
    grz_u128 t = (grz_u128)limb[i] - y.limb[i] - borrow;
    limb[i] = (uint64_t)t;
    borrow = (uint64_t)(t >> 64) & 1;
  }
  for (; borrow != 0; i++) borrow = limb[i]-- == 0;
}

grz_big grz_big_add(grz_arena *arena, grz_big x, grz_big y) {
  if (arena->full) return grz_big_zero();
  if (x.sign == 0) return y;
  if (y.sign == 0) return x;
  int order = x.sign == y.sign ? 1 : big_compare_magnitude(x, y);
  if (order == 0) return grz_big_zero();
  if (order < 0) {
    grz_big t = x;
    x = y;
    y = t;
  }
  int32_t bottom = x.exponent < y.exponent ? x.exponent : y.exponent;
  int32_t top_x = x.exponent + x.size, top_y = y.exponent + y.size, top = top_x > top_y ? top_x : top_y;
  size_t span = (size_t)(top - bottom) + (x.sign == y.sign); /* one more for the carry */
  uint64_t *limb = big_copy_padded(arena, x, (size_t)(x.exponent - bottom), span);
  if (limb == NULL) return grz_big_zero();
  if (x.sign == y.sign)
    big_add_at(limb + (y.exponent - bottom), y);
  else
    big_sub_at(limb + (y.exponent - bottom), y);
  return big_normal(arena, limb, span, bottom, x.sign);
}

grz_big grz_big_sub(grz_arena *arena, grz_big x, grz_big y) { return grz_big_add(arena, x, grz_big_neg(y)); }

/* limb[0 … n] += x·factor. The old value of limb[n] is ignored. */
static void big_mul_row(uint64_t *limb, const uint64_t *x, size_t n, uint64_t factor) {
  uint64_t carry = 0;
  for (size_t i = 0; i < n; i++) {
    grz_u128 t = (grz_u128)x[i] * factor + limb[i] + carry;
    limb[i] = (uint64_t)t;
    carry = (uint64_t)(t >> 64);
  }
  limb[n] = carry;
}

/* limb[0 … n+1] += x·(low + 2^64 high). The old values of limb[n] and limb[n+1] are ignored. Two rows at once need half
 * the loads and stores of two calls of big_mul_row(). */
static void big_mul_rows(uint64_t *limb, const uint64_t *x, size_t n, uint64_t low, uint64_t high) {
  uint64_t carry_low = 0, carry_high = 0, before = 0;
  for (size_t i = 0; i < n; i++) {
    grz_u128 t = (grz_u128)x[i] * low + limb[i] + carry_low;
    grz_u128 u = (grz_u128)before * high + (uint64_t)t + carry_high;
    limb[i] = (uint64_t)u;
    carry_low = (uint64_t)(t >> 64), carry_high = (uint64_t)(u >> 64);
    before = x[i];
  }
  grz_u128 u = (grz_u128)before * high + carry_low + carry_high;
  limb[n] = (uint64_t)u;
  limb[n + 1] = (uint64_t)(u >> 64);
}

grz_big grz_big_mul(grz_arena *arena, grz_big x, grz_big y) {
  if (x.sign == 0 || y.sign == 0) return grz_big_zero();
  if (x.size < y.size) { /* x, in the inner loop, is the longer one */
    grz_big t = x;
    x = y;
    y = t;
  }
  size_t n = (size_t)x.size, m = (size_t)y.size, j = 0;
  uint64_t *limb = big_allocate(arena, n + m);
  if (limb == NULL) return grz_big_zero();
  memset(limb, 0, n * sizeof *limb);
  for (; j + 2 <= m; j += 2) big_mul_rows(limb + j, x.limb, n, y.limb[j], y.limb[j + 1]);
  if (j < m) big_mul_row(limb + j, x.limb, n, y.limb[j]);
  return big_normal(arena, limb, n + m, x.exponent + y.exponent, x.sign * y.sign);
}

grz_big grz_big_keep(grz_arena *arena, size_t mark, grz_big x) {
  uint64_t *to = arena->limbs + mark;
  uintptr_t at = (uintptr_t)x.limb;
  if (x.sign == 0 || at < (uintptr_t)to || at >= (uintptr_t)(arena->limbs + arena->used)) {
    arena->used = mark; /* x lies outside the freed range */
    return x;
  }
  memmove(to, x.limb, (size_t)x.size * sizeof *to);
  arena->used = mark + (size_t)x.size;
  x.limb = to;
  return x;
}

double grz_big_to_double(grz_big x, int64_t *exponent) {
  *exponent = 0;
  if (x.sign == 0) return 0;
  uint64_t top = x.limb[x.size - 1], next = x.size > 1 ? x.limb[x.size - 2] : 0;
  int zeros = __builtin_clzll(top);
  uint64_t leading = zeros == 0 ? top : top << zeros | next >> (64 - zeros);
  /* Three limbs or more imply a nonzero tail, because the bottom limb is nonzero. */
  bool tail = x.size > 2 || (zeros == 0 ? next : next << zeros) != 0;
  uint64_t mantissa = leading >> 11, rest = leading & 0x7ff;
  if (rest > 0x400 || (rest == 0x400 && (tail || (mantissa & 1) != 0))) mantissa++;
  *exponent = 64 * ((int64_t)x.exponent + x.size) - zeros;
  return x.sign * ((double)mantissa * 0x1p-53);
}

/* ---- Vectors */

grz_bvec grz_bvec_of(grz_arena *arena, graze_vec v) {
  grz_bvec r = {grz_big_of(arena, v.x), grz_big_of(arena, v.y), grz_big_of(arena, v.z)};
  return r;
}

grz_bvec grz_bvec_add(grz_arena *arena, grz_bvec u, grz_bvec v) {
  grz_bvec r = {grz_big_add(arena, u.x, v.x), grz_big_add(arena, u.y, v.y), grz_big_add(arena, u.z, v.z)};
  return r;
}

grz_bvec grz_bvec_sub(grz_arena *arena, grz_bvec u, grz_bvec v) { return grz_bvec_add(arena, u, grz_bvec_neg(v)); }

grz_bvec grz_bvec_scale(grz_arena *arena, grz_bvec v, grz_big factor) {
  grz_bvec r = {grz_big_mul(arena, v.x, factor), grz_big_mul(arena, v.y, factor), grz_big_mul(arena, v.z, factor)};
  return r;
}

/* a·b - c·d. Leaves only its result in the arena. */
static grz_big big_minor(grz_arena *arena, grz_big a, grz_big b, grz_big c, grz_big d) {
  size_t mark = arena->used;
  grz_big ab = grz_big_mul(arena, a, b), cd = grz_big_mul(arena, c, d);
  return grz_big_keep(arena, mark, grz_big_sub(arena, ab, cd));
}

grz_bvec grz_bvec_cross(grz_arena *arena, grz_bvec u, grz_bvec v) {
  grz_bvec r;
  r.x = big_minor(arena, u.y, v.z, u.z, v.y);
  r.y = big_minor(arena, u.z, v.x, u.x, v.z);
  r.z = big_minor(arena, u.x, v.y, u.y, v.x);
  return r;
}

grz_big grz_bvec_dot(grz_arena *arena, grz_bvec u, grz_bvec v) {
  size_t mark = arena->used;
  grz_big x = grz_big_mul(arena, u.x, v.x), y = grz_big_mul(arena, u.y, v.y);
  grz_big sum = grz_big_keep(arena, mark, grz_big_add(arena, x, y));
  grz_big z = grz_big_mul(arena, u.z, v.z);
  return grz_big_keep(arena, mark, grz_big_add(arena, sum, z));
}

grz_big grz_bvec_det(grz_arena *arena, grz_bvec u, grz_bvec v, grz_bvec w) {
  size_t mark = arena->used;
  grz_bvec normal = grz_bvec_cross(arena, u, v);
  return grz_big_keep(arena, mark, grz_bvec_dot(arena, normal, w));
}

grz_bvec grz_bvec_keep(grz_arena *arena, size_t mark, grz_bvec v) {
  /* Move in the order of addresses, so that no move overwrites a component that is not moved yet. */
  grz_big *part[3] = {&v.x, &v.y, &v.z};
  for (int i = 1; i < 3; i++)
    for (int j = i; j > 0 && (uintptr_t)part[j]->limb < (uintptr_t)part[j - 1]->limb; j--) {
      grz_big *t = part[j];
      part[j] = part[j - 1];
      part[j - 1] = t;
    }
  size_t end = arena->used;
  const uint64_t *from = NULL, *to = NULL;
  for (int i = 0; i < 3; i++) {
    if (part[i]->sign != 0 && part[i]->limb == from) { /* components may share limbs */
      part[i]->limb = to;
      continue;
    }
    from = part[i]->limb;
    arena->used = end;
    *part[i] = grz_big_keep(arena, mark, *part[i]);
    mark = arena->used;
    to = part[i]->limb;
  }
  return v;
}

/* ---- Sums of square roots: repeated squaring */

static int radical_root_sign(grz_root root) { return root.radicand.sign == 0 ? 0 : root.factor.sign; }

static grz_big radical_square(grz_arena *arena, grz_root root) {
  size_t mark = arena->used;
  grz_big factor = grz_big_mul(arena, root.factor, root.factor);
  return grz_big_keep(arena, mark, grz_big_mul(arena, factor, root.radicand));
}

/* The sign of rational + root. Equal signs decide; opposite signs are decided by comparing the squares. */
static int radical_sign_rational_root(grz_arena *arena, grz_big rational, grz_root root) {
  int sign = radical_root_sign(root);
  if (sign == 0 || rational.sign == sign) return rational.sign;
  if (rational.sign == 0) return sign;
  grz_big square = grz_big_mul(arena, rational, rational);
  return rational.sign * grz_big_compare(square, radical_square(arena, root));
}

/* The sign of x + y, in the same way. */
static int radical_sign_roots(grz_arena *arena, grz_root x, grz_root y) {
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

/* Split the sum into left = rational + (the first root, if there are three) and right = the last two roots. If their
 * signs are opposite, the sign of the sum is that of left times that of left² - right², which has one root less:
 *   left² - right² = (q² + f0²c0 - f1²c1 - f2²c2) + 2 q f0·sqrt(c0) - 2 f1 f2·sqrt(c1 c2). */
static int radical_sign(grz_arena *arena, grz_big rational, const grz_root *root, int count) {
  if (count == 0) return rational.sign;
  if (count == 1) return radical_sign_rational_root(arena, rational, root[0]);
  const grz_root none = {grz_big_zero(), grz_big_zero()};
  grz_root first = count == 3 ? root[0] : none, x = root[count - 2], y = root[count - 1];
  int left = radical_sign_rational_root(arena, rational, first), right = radical_sign_roots(arena, x, y);
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
