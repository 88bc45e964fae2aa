/* Rotations at a constant rate, enclosed: sine and cosine from MPFR, rounded far below anything that matters. */
#include "support/oracle/exact.h"

#include <math.h>
#include <mpfr.h>

enum { TURN_BITS = 200, WORK_BITS = 300 };

/* The unit quaternion is off by less than 2^(2 - TURN_BITS), so the rotation by an angle of less than twice that. */
static const double turn_error = 0x1p-190;

static bool is_zero(graze_vec v) { return v.x == 0 && v.y == 0 && v.z == 0; }

/* Bits that leave WORK_BITS of them behind the point of an angle. */
static mpfr_prec_t precision_for(graze_vec angular, double t) {
  double most = fmax(fabs(angular.x), fmax(fabs(angular.y), fabs(angular.z)));
  int e, f;
  (void)frexp(most, &e);
  (void)frexp(t, &f);
  return WORK_BITS + (e + f > 0 ? e + f : 0);
}

static void length_of(mpfr_t out, graze_vec v, mpfr_rnd_t round) {
  const double part[3] = {v.x, v.y, v.z};
  mpfr_t x;
  mpfr_init2(x, mpfr_get_prec(out));
  mpfr_set_zero(out, 1);
  for (int k = 0; k < 3; k++) {
    mpfr_set_d(x, part[k], MPFR_RNDN);
    mpfr_sqr(x, x, round);
    mpfr_add(out, out, x, round);
  }
  mpfr_sqrt(out, out, round);
  mpfr_clear(x);
}

static void put_scaled(mpz_t out, const mpfr_t x) {
  mpfr_t scaled;
  mpfr_init2(scaled, mpfr_get_prec(x));
  mpfr_mul_2ui(scaled, x, TURN_BITS, MPFR_RNDN);
  mpfr_get_z(out, scaled, MPFR_RNDN);
  mpfr_clear(scaled);
}

static void no_turn(mpz_t q[4]) {
  for (int k = 0; k < 4; k++) mpz_set_ui(q[k], k == 0);
}

void orc_turn_none(oracle *o) {
  no_turn(o->turn[0]);
  no_turn(o->turn[1]);
  o->turns = o->only_placed = false;
  o->blur = 0;
}

/* (cos h, sin h·angular/|angular|) with h = |angular|·t/2. */
void orc_turn(mpz_t q[4], graze_vec angular, double t) {
  const double part[3] = {angular.x, angular.y, angular.z};
  no_turn(q);
  if (is_zero(angular) || t == 0) return;
  mpfr_t length, half, sine, cosine;
  mpfr_inits2(precision_for(angular, t), length, half, sine, cosine, (mpfr_ptr)NULL);
  length_of(length, angular, MPFR_RNDN);
  mpfr_mul_d(half, length, t, MPFR_RNDN);
  mpfr_div_2ui(half, half, 1, MPFR_RNDN);
  mpfr_sin_cos(sine, cosine, half, MPFR_RNDN);
  mpfr_div(sine, sine, length, MPFR_RNDN);
  put_scaled(q[0], cosine);
  for (int k = 0; k < 3; k++) {
    mpfr_mul_d(half, sine, part[k], MPFR_RNDN);
    put_scaled(q[1 + k], half);
  }
  mpfr_clears(length, half, sine, cosine, (mpfr_ptr)NULL);
}

double orc_turn_blur(const graze_shape *shape, graze_vec angular) {
  double far = 0;
  if (is_zero(angular)) return 0;
  for (int i = 0; i < oracle_core_count(shape); i++) {
    graze_vec v = oracle_core_vertex(shape, i);
    far = fmax(far, fabs(v.x) + fabs(v.y) + fabs(v.z));
  }
  return far > 0 ? fmax(far * turn_error, 0x1p-1074) : 0;
}

/* ---- how far from a chord */

/* The greatest |angular × w|² over the core points, as they are placed; in units of (2^unit / denominator)². */
static void longest_cross(mpz_t most, oracle *o, const graze_shape *shape, const graze_pose *pose, const zvec *axis) {
  const graze_shape point = {.kind = GRAZE_POINT, .dim = shape->dim};
  zvec cross;
  mpz_t square;
  orc_z_init(&cross);
  mpz_init(square);
  mpz_set_ui(most, 0);
  orc_place_both(o, shape, pose, &point, pose);
  for (int i = 0; i < o->set.a.count; i++) {
    orc_z_cross(&cross, axis, &o->set.a.at[i]);
    orc_z_dot(square, &cross, &cross);
    if (mpz_cmp(square, most) > 0) mpz_set(most, square);
  }
  orc_z_clear(&cross);
  mpz_clear(square);
}

/* 2^unit·sqrt(above) / (below·length) */
static double rounded_lever(const mpz_t above, const mpz_t below, const mpz_t square_of_length, long unit) {
  mpfr_t x, y;
  mpfr_inits2(WORK_BITS, x, y, (mpfr_ptr)NULL);
  mpfr_set_z(x, above, MPFR_RNDU);
  mpfr_set_z(y, square_of_length, MPFR_RNDD);
  mpfr_div(x, x, y, MPFR_RNDU);
  mpfr_sqrt(x, x, MPFR_RNDU);
  mpfr_div_z(x, x, below, MPFR_RNDU);
  mpfr_mul_2si(x, x, unit, MPFR_RNDU);
  double lever = mpfr_get_d(x, MPFR_RNDU);
  mpfr_clears(x, y, (mpfr_ptr)NULL);
  return lever;
}

double oracle_lever(const graze_shape *shape, const graze_pose *pose, graze_vec angular) {
  long unit = 1 << 20;
  zvec axis;
  mpz_t most, square;
  if (is_zero(angular) || oracle_core_count(shape) == 0) return 0;
  oracle *o = oracle_new();
  o->unit = 1 << 20;
  orc_take_shape_unit(&o->unit, shape, pose);
  mpz_inits(most, square, NULL);
  orc_z_init(&axis);
  orc_take_unit_vec(&unit, angular);
  orc_put_vec(&axis, angular, unit);
  orc_z_dot(square, &axis, &axis);
  longest_cross(most, o, shape, pose, &axis);
  double lever = o->unit == 1 << 20 ? 0 : rounded_lever(most, o->denominator, square, o->unit);
  orc_z_clear(&axis);
  mpz_clears(most, square, NULL);
  oracle_free(o);
  return lever;
}

double oracle_sagitta(double lever, graze_vec angular, double from, double to) {
  mpfr_t angle, span;
  if (lever == 0 || is_zero(angular)) return 0;
  mpfr_inits2(WORK_BITS, angle, span, (mpfr_ptr)NULL);
  length_of(angle, angular, MPFR_RNDU);
  mpfr_set_d(span, to, MPFR_RNDU);
  mpfr_sub_d(span, span, from, MPFR_RNDU);
  mpfr_mul(angle, angle, span, MPFR_RNDU);
  mpfr_sqr(angle, angle, MPFR_RNDU);
  mpfr_div_2ui(angle, angle, 3, MPFR_RNDU);
  if (mpfr_cmp_ui(angle, 2) > 0) mpfr_set_ui(angle, 2, MPFR_RNDU);
  mpfr_mul_d(angle, angle, lever, MPFR_RNDU);
  double sagitta = mpfr_get_d(angle, MPFR_RNDU);
  mpfr_clears(angle, span, (mpfr_ptr)NULL);
  return sagitta;
}
