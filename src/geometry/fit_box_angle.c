/* The half-angle pair of a direction. Its two doubles may have any length, so their quotient may be any fraction of
 * whole numbers of 53 bits: the best one is found on the Stern-Brocot tree, with exact comparisons, and where the
 * tangent of half the angle is such a fraction (3-4-5 triangles) it is found exactly. docs/theory/boxes.md,
 * "Rotations". */
#include "geometry/fit_box.h"

enum { ANGLE_LIMBS = 3000, ANGLE_MOST_LIFT = 1000 };
#define ANGLE_LARGEST 0x1p53

/* The fraction z/w, z in units of 2^-lift. */
typedef struct angle_fraction {
  double w, z;
} angle_fraction;

/* A direction at most 45 degrees above the x axis. */
typedef struct angle_search {
  grz_arena *arena;
  grz_big x, y;
  int lift;
} angle_search;

/* The direction's cross product with that of the fraction, (w² - z², 2wz): positive where the fraction turns less. */
static grz_big angle_behind(const angle_search *search, angle_fraction f) {
  grz_arena *arena = search->arena;
  size_t mark = arena->used;
  grz_big w = grz_big_of(arena, f.w), z = grz_big_of(arena, f.z * real_power_of_two(-search->lift));
  grz_big cosine = grz_big_sub(arena, grz_big_mul(arena, w, w), grz_big_mul(arena, z, z));
  grz_big sine = grz_big_mul(arena, w, z);
  sine = grz_big_add(arena, sine, sine);
  grz_big cross = grz_big_sub(arena, grz_big_mul(arena, cosine, search->y), grz_big_mul(arena, sine, search->x));
  return grz_big_keep(arena, mark, cross);
}

static int angle_sign(const angle_search *search, angle_fraction f) {
  size_t mark = search->arena->used;
  int sign = angle_behind(search, f).sign;
  search->arena->used = mark;
  return sign;
}

static angle_fraction angle_step(angle_fraction from, angle_fraction to, double times) {
  return (angle_fraction){from.w + times * to.w, from.z + times * to.z};
}

/* Moves `from` towards `to` by the greatest number of steps that does not pass the direction. */
static bool angle_run(const angle_search *search, angle_fraction *from, angle_fraction to, int side) {
  double most = (double)(int64_t)((ANGLE_LARGEST - from->w) / to.w), low = 0, step = 1;
  while (low + step <= most && side * angle_sign(search, angle_step(*from, to, low + step)) >= 0) {
    low += step;
    step *= 2;
  }
  for (; step >= 1; step = step / 2) {
    if (low + step <= most && side * angle_sign(search, angle_step(*from, to, low + step)) >= 0) low += step;
  }
  *from = angle_step(*from, to, low);
  return low > 0;
}

/* |cross product| of one times the squared length of the other: the sine of its error. */
static grz_big angle_error(const angle_search *search, angle_fraction of, angle_fraction other) {
  grz_arena *arena = search->arena;
  grz_big w = grz_big_of(arena, other.w), z = grz_big_of(arena, other.z * real_power_of_two(-search->lift));
  grz_big square = grz_big_add(arena, grz_big_mul(arena, w, w), grz_big_mul(arena, z, z));
  grz_big cross = angle_behind(search, of);
  return grz_big_mul(arena, cross.sign < 0 ? grz_big_neg(cross) : cross, square);
}

static angle_fraction angle_best(const angle_search *search) {
  angle_fraction low = {1, 0}, high = {1, 1};
  for (bool more = true; more;) {
    more = angle_run(search, &low, high, 1);
    if (angle_sign(search, low) == 0) return low;
    more = angle_run(search, &high, low, -1) || more;
    if (angle_sign(search, high) == 0) return high;
  }
  grz_big of_low = angle_error(search, low, high);
  return grz_big_compare(of_low, angle_error(search, high, low)) <= 0 ? low : high;
}

/* How far the tangent of half the angle can be lifted and stay below 1. */
static int64_t angle_lift(const angle_search *search) {
  grz_scaled ratio = scaled_div(scaled_of_big(search->y), scaled_of_big(search->x));
  double t = scaled_to_double(ratio);
  ratio = scaled_div(ratio, scaled_normal(1 + real_sqrt(1 + t * t), 0));
  return ratio.e < 0 ? -ratio.e : 0;
}

fit_turn grz_fit_angle(graze_vec a, graze_vec b) {
  uint64_t limbs[ANGLE_LIMBS];
  grz_arena arena = {limbs, 0, ANGLE_LIMBS, false};
  grz_big x = grz_big_sub(&arena, grz_big_of(&arena, b.x), grz_big_of(&arena, a.x));
  grz_big y = grz_big_sub(&arena, grz_big_of(&arena, b.y), grz_big_of(&arena, a.y));
  int sign = x.sign * y.sign;
  if (x.sign < 0) x = grz_big_neg(x);
  if (y.sign < 0) y = grz_big_neg(y);
  if (grz_big_compare(y, x) > 0) { /* nearer to the y axis */
    grz_big t = x;
    x = y, y = t, sign = -sign;
  }
  angle_search search = {&arena, x, y, 0};
  if (sign == 0) return fit_turn_of(1, 0, 0, 0);
  int64_t lift = angle_lift(&search);
  if (lift > ANGLE_MOST_LIFT) return fit_turn_of(1, 0, 0, 0);
  search.lift = (int)lift;
  angle_fraction best = angle_best(&search);
  double unit = real_power_of_two(-real_exponent(best.w) - 1);
  return fit_turn_of(best.w * unit, 0, 0, sign * best.z * real_power_of_two(-search.lift) * unit);
}
