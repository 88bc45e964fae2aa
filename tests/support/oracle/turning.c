/* Rotations at a constant rate, enclosed: sine and cosine from MPFR, rounded far below anything that matters. */
#include "support/oracle/exact.h"

#include <math.h>
#include <mpfr.h>

#include "support/geometry.h"

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

static void length_of(mpfr_t out, graze_vec v) {
  mpfr_t x;
  mpfr_init2(x, mpfr_get_prec(out));
  mpfr_set_d(x, v.x, MPFR_RNDN);
  mpfr_set_d(out, v.y, MPFR_RNDN);
  mpfr_hypot(out, out, x, MPFR_RNDN);
  mpfr_set_d(x, v.z, MPFR_RNDN);
  mpfr_hypot(out, out, x, MPFR_RNDN);
  mpfr_clear(x);
}

static void set_scaled(mpz_t out, const mpfr_t x) {
  mpfr_t whole;
  mpfr_init2(whole, mpfr_get_prec(x));
  mpfr_mul_2ui(whole, x, TURN_BITS, MPFR_RNDN);
  mpfr_get_z(out, whole, MPFR_RNDN);
  mpfr_clear(whole);
}

static void no_turn(mpz_t q[4]) {
  for (int k = 0; k < 4; k++) mpz_set_ui(q[k], k == 0);
}

void orc_turn_none(oracle *o) {
  no_turn(o->turn[0]);
  no_turn(o->turn[1]);
  o->blur = 0;
}

/* (cos h, sin h·angular/|angular|) with h = |angular|·t/2. */
void orc_turn(mpz_t q[4], graze_vec angular, double t) {
  const double part[3] = {angular.x, angular.y, angular.z};
  no_turn(q);
  if (is_zero(angular) || t == 0) return;
  mpfr_t length, half, sine, cosine;
  mpfr_inits2(precision_for(angular, t), length, half, sine, cosine, (mpfr_ptr)NULL);
  length_of(length, angular);
  mpfr_mul_d(half, length, t, MPFR_RNDN);
  mpfr_div_2ui(half, half, 1, MPFR_RNDN);
  mpfr_sin_cos(sine, cosine, half, MPFR_RNDN);
  mpfr_div(sine, sine, length, MPFR_RNDN);
  set_scaled(q[0], cosine);
  for (int k = 0; k < 3; k++) {
    mpfr_mul_d(half, sine, part[k], MPFR_RNDN);
    set_scaled(q[1 + k], half);
  }
  mpfr_clears(length, half, sine, cosine, (mpfr_ptr)NULL);
}

double orc_turn_blur(const graze_shape *shape, graze_vec angular) {
  double extent = 0;
  if (is_zero(angular)) return 0;
  for (int i = 0; i < oracle_core_count(shape); i++) {
    graze_vec v = oracle_core_vertex(shape, i);
    extent = fmax(extent, fabs(v.x) + fabs(v.y) + fabs(v.z));
  }
  return extent > 0 ? fmax(extent * turn_error, 0x1p-1074) : 0;
}

/* ---- how far from a chord: in doubles, rounded up */

static double length(graze_vec v) { return hypot(hypot(v.x, v.y), v.z); }

double oracle_lever(const graze_shape *shape, const graze_pose *pose, graze_vec angular) {
  double lever = 0, extent = 0;
  int e;
  if (is_zero(angular)) return 0;
  (void)frexp(length(angular), &e);
  const graze_vec axis = vec(ldexp(angular.x, -e), ldexp(angular.y, -e), ldexp(angular.z, -e));
  for (int i = 0; i < oracle_core_count(shape); i++) {
    const graze_vec v = rotated(pose, oracle_core_vertex(shape, i));
    lever = fmax(lever, length(cross(axis, v)) / length(axis));
    extent = fmax(extent, length(v));
  }
  return extent > 0 ? lever + 1e-14 * extent + 0x1p-1070 : 0;
}

double oracle_sagitta(double lever, graze_vec angular, double from, double to) {
  const double angle = (to - from) * length(angular) * (1 + 1e-15);
  if (lever == 0 || is_zero(angular)) return 0;
  return nextafter(fmin(lever * angle * angle / 8, 2 * lever) * (1 + 1e-15), INFINITY);
}
