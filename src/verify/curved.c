/* Exact membership and exact support values of curved cores. Derivations: docs/theory/certificates.md, "Curved cores".
 */
#include "verify/verify.h"

static const uint64_t curved_unit_limb = 1;

static grz_big curved_square(grz_arena *arena, double x) {
  grz_big big = grz_big_of(arena, x);
  return grz_big_mul(arena, big, big);
}

static grz_big curved_product(grz_arena *arena, double factor, grz_big x) {
  return grz_big_mul(arena, grz_big_of(arena, factor), x);
}

/* Sum of (x_i/r_i)² <= 1, multiplied by all r_i² that are not 0. Along an axis of zero radius x_i must be 0. */
static bool curved_in_ellipsoid(grz_arena *arena, graze_vec radii, graze_vec point) {
  const double r[3] = {radii.x, radii.y, radii.z}, x[3] = {point.x, point.y, point.z};
  grz_big sum = grz_big_zero(), one = {&curved_unit_limb, 1, 0, 1}, product = one;
  for (int i = 0; i < 3; i++) {
    if (r[i] == 0) {
      if (x[i] != 0) return false;
      continue;
    }
    grz_big r2 = curved_square(arena, r[i]), x2 = curved_square(arena, x[i]);
    sum = grz_big_add(arena, grz_big_mul(arena, sum, r2), grz_big_mul(arena, x2, product));
    product = grz_big_mul(arena, product, r2);
  }
  return grz_big_compare(sum, product) <= 0;
}

/* Cylinder: x² + y² <= radius². Cone: (2h)² (x² + y²) <= radius² (h - z)². A cone of height 0 is a disk. */
static bool curved_in_round(grz_arena *arena, const graze_shape *shape, graze_vec point) {
  if (point.z < -shape->as.capsule.half_length || point.z > shape->as.capsule.half_length) return false;
  grz_big radial = grz_big_add(arena, curved_square(arena, point.x), curved_square(arena, point.y));
  grz_big limit = curved_square(arena, shape->as.capsule.radius);
  if (shape->kind == GRAZE_CONE && shape->as.capsule.half_length > 0) {
    grz_big h = grz_big_of(arena, shape->as.capsule.half_length),
            below = grz_big_sub(arena, h, grz_big_of(arena, point.z));
    grz_big height = grz_big_add(arena, h, h);
    radial = grz_big_mul(arena, radial, grz_big_mul(arena, height, height));
    limit = grz_big_mul(arena, limit, grz_big_mul(arena, below, below));
  }
  return grz_big_compare(radial, limit) <= 0;
}

bool grz_curved_contains(grz_arena *arena, const graze_shape *shape, graze_vec point) {
  size_t mark = arena->used;
  const bool inside = shape->kind == GRAZE_USER ||
                      (shape->kind == GRAZE_ELLIPSOID ? curved_in_ellipsoid(arena, shape->as.ellipsoid.radii, point)
                                                      : curved_in_round(arena, shape, point));
  arena->used = mark;
  return inside;
}

/* Ellipsoid: sqrt(sum (r_i d_i)²). */
static void curved_ellipsoid(grz_arena *arena, graze_vec radii, grz_bvec d, grz_root *root) {
  grz_bvec stretched = {curved_product(arena, radii.x, d.x), curved_product(arena, radii.y, d.y),
                        curved_product(arena, radii.z, d.z)};
  grz_big one = {&curved_unit_limb, 1, 0, 1};
  root->factor = one;
  root->radicand = grz_bvec_dot(arena, stretched, stretched);
}

/* Cylinder: radius·sqrt(dx² + dy²) + h|dz|. Cone: the larger of h·dz (apex) and radius·sqrt(dx² + dy²) - h·dz (base).
 */
static void curved_round(grz_arena *arena, const graze_shape *shape, grz_bvec d, grz_big *rational, grz_root *root) {
  grz_big up = curved_product(arena, shape->as.capsule.half_length, d.z);
  root->factor = grz_big_of(arena, shape->as.capsule.radius);
  d.z = grz_big_zero();
  root->radicand = grz_bvec_dot(arena, d, d);
  if (shape->kind == GRAZE_CYLINDER) {
    *rational = up.sign < 0 ? grz_big_neg(up) : up;
    return;
  }
  grz_big twice = grz_big_add(arena, up, up);
  bool apex = grz_radical_sign(arena, grz_big_neg(twice), root, 1) <= 0;
  *rational = apex ? up : grz_big_neg(up);
  if (apex) root->factor = grz_big_zero();
}

/* 2^power. */
static grz_big curved_power(grz_arena *arena, int64_t power) {
  const int64_t shift = 1 << 20; /* keeps the dividend positive */
  grz_big r = grz_big_of(arena, (double)(UINT64_C(1) << (power + 64 * shift) % 64));
  r.exponent += (int32_t)((power + 64 * shift) / 64 - shift);
  return r;
}

/* x rounded to a double in units of 2^unit >= |x|. Numbers that are tiny in this unit become 0. */
static double curved_rounded(grz_big x, int64_t unit) {
  int64_t power;
  double rounded = grz_big_to_double(x, &power);
  if (unit - power > 100) return 0;
  for (; power < unit; power++) rounded *= 0.5;
  return rounded;
}

/* An upper bound of |x_axis| over a user shape. */
static bool curved_extent(grz_arena *arena, const graze_shape *shape, int axis, grz_big *bound) {
  *bound = grz_big_zero();
  for (int sign = -1; sign <= 1; sign += 2) {
    graze_vec direction = {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0}, point;
    double slack;
    if (!grz_user_support(shape, direction, &point, &slack)) return false;
    double coordinate = sign * (axis == 0 ? point.x : axis == 1 ? point.y : point.z);
    grz_big extent = grz_big_add(arena, grz_big_of(arena, coordinate), grz_big_of(arena, slack));
    if (grz_big_compare(extent, *bound) > 0) *bound = extent;
  }
  return true;
}

/* A user's support function accepts only a rounded direction u. With local = 2^unit·u + rest,
 * max local·x <= 2^unit (u·point + slack |u|) + sum |rest_i| max |x_i|. */
static bool curved_user(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *rational, grz_root *root) {
  const grz_big part[3] = {local.x, local.y, local.z};
  int64_t unit = INT64_MIN, power;
  for (int i = 0; i < 3; i++) {
    grz_big_to_double(part[i], &power);
    if (part[i].sign != 0 && power > unit) unit = power;
  }
  if (unit == INT64_MIN) return false;
  graze_vec u = {curved_rounded(local.x, unit), curved_rounded(local.y, unit), curved_rounded(local.z, unit)}, point;
  double slack;
  if (!grz_user_support(shape, u, &point, &slack)) return false;

  grz_big size = curved_power(arena, unit);
  grz_bvec rounded = grz_bvec_of(arena, u), rest = grz_bvec_sub(arena, local, grz_bvec_scale(arena, rounded, size));
  *rational = grz_big_mul(arena, size, grz_bvec_dot(arena, rounded, grz_bvec_of(arena, point)));
  root->factor = grz_big_mul(arena, size, grz_big_of(arena, slack));
  root->radicand = grz_bvec_dot(arena, rounded, rounded);
  const grz_big left[3] = {rest.x, rest.y, rest.z};
  for (int i = 0; i < 3; i++) {
    grz_big extent, error = left[i].sign < 0 ? grz_big_neg(left[i]) : left[i];
    if (error.sign == 0) continue;
    if (!curved_extent(arena, shape, i, &extent)) return false;
    *rational = grz_big_add(arena, *rational, grz_big_mul(arena, error, extent));
  }
  return true;
}

bool grz_curved_support(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *rational, grz_root *root) {
  *rational = grz_big_zero();
  switch (shape->kind) {
  case GRAZE_ELLIPSOID: curved_ellipsoid(arena, shape->as.ellipsoid.radii, local, root); return true;
  case GRAZE_CYLINDER:
  case GRAZE_CONE: curved_round(arena, shape, local, rational, root); return true;
  default: return curved_user(arena, shape, local, rational, root);
  }
}
