/* Boxes around points, in rationals. */
#include "build/fit_box_truth.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

typedef struct truth_vec {
  mpq_t at[3];
} truth_vec;

static void truth_init(truth_vec *v) {
  for (int i = 0; i < 3; i++) mpq_init(v->at[i]);
}

static void truth_clear(truth_vec *v) {
  for (int i = 0; i < 3; i++) mpq_clear(v->at[i]);
}

static void truth_set(truth_vec *v, graze_vec from) {
  mpq_set_d(v->at[0], from.x), mpq_set_d(v->at[1], from.y), mpq_set_d(v->at[2], from.z);
}

static void truth_sub(truth_vec *out, const truth_vec *u, const truth_vec *v) {
  for (int i = 0; i < 3; i++) mpq_sub(out->at[i], u->at[i], v->at[i]);
}

static void truth_dot(mpq_t out, const truth_vec *u, const truth_vec *v) {
  mpq_t t;
  mpq_init(t);
  mpq_set_ui(out, 0, 1);
  for (int i = 0; i < 3; i++) {
    mpq_mul(t, u->at[i], v->at[i]);
    mpq_add(out, out, t);
  }
  mpq_clear(t);
}

/* out += sign·a·b·factor */
static void truth_add(mpq_t out, double a, double b, long factor) {
  mpq_t x, y;
  mpq_inits(x, y, NULL);
  mpq_set_d(x, a), mpq_set_d(y, b);
  mpq_mul(x, x, y);
  mpq_set_si(y, factor, 1);
  mpq_mul(x, x, y);
  mpq_add(out, out, x);
  mpq_clears(x, y, NULL);
}

/* The local axes of the pose, times q·q, and q·q. By the rule v -> q v q*. */
static void truth_axes(truth_vec axis[3], mpq_t norm, const graze_pose *pose) {
  const double q[4] = {pose->w, pose->x, pose->y, pose->z};
  mpq_set_ui(norm, 0, 1);
  for (int i = 0; i < 4; i++) truth_add(norm, q[i], q[i], 1);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    truth_init(&axis[i]);
    for (int part = 0; part < 4; part++)
      truth_add(axis[i].at[i], q[part], q[part], part == 0 || part == i + 1 ? 1 : -1);
    truth_add(axis[i].at[j], q[i + 1], q[j + 1], 2);
    truth_add(axis[i].at[j], q[0], q[k + 1], 2);
    truth_add(axis[i].at[k], q[i + 1], q[k + 1], 2);
    truth_add(axis[i].at[k], q[0], q[j + 1], -2);
  }
}

/* The most by which a point is off the centre along the axis, times q·q. */
static void truth_reach(mpq_t reach, const truth_vec *axis, const graze_vec *points, size_t count, graze_vec centre) {
  truth_vec c, p;
  mpq_t along;
  mpq_init(along);
  truth_init(&c), truth_init(&p);
  truth_set(&c, centre);
  mpq_set_ui(reach, 0, 1);
  for (size_t i = 0; i < count; i++) {
    truth_set(&p, points[i]);
    truth_sub(&p, &p, &c);
    truth_dot(along, axis, &p);
    mpq_abs(along, along);
    if (mpq_cmp(along, reach) > 0) mpq_set(reach, along);
  }
  truth_clear(&c), truth_clear(&p);
  mpq_clear(along);
}

static fit_fault truth_extent(const mpq_t reach, const mpq_t norm, double half) {
  mpq_t h;
  mpq_init(h);
  mpq_set_d(h, half);
  mpq_mul(h, h, norm);
  fit_fault fault = mpq_cmp(reach, h) > 0 ? FIT_OUTSIDE : FIT_GOOD;
  if (fault == FIT_GOOD && half > 0) {
    mpq_set_d(h, nextafter(half, 0));
    mpq_mul(h, h, norm);
    if (mpq_cmp(reach, h) <= 0) fault = FIT_TOO_LARGE;
  }
  mpq_clear(h);
  return fault;
}

fit_fault fit_box_fault(const graze_vec *points, size_t count, const graze_fitted_box *fitted) {
  truth_vec axis[3];
  mpq_t norm, reach;
  const double half[3] = {fitted->box.extents.x, fitted->box.extents.y, fitted->box.extents.z};
  long double measure = fitted->box.dim == 2 ? 4 : 8;
  fit_fault fault = FIT_GOOD;
  if (fitted->box.kind != GRAZE_BOX || graze_check(&fitted->box, &fitted->pose, NULL) != GRAZE_OK) return FIT_REFUSED;
  mpq_inits(norm, reach, NULL);
  truth_axes(axis, norm, &fitted->pose);
  for (int i = 0; i < 3; i++) {
    truth_reach(reach, &axis[i], points, count, fitted->pose.position);
    fit_fault of_axis = truth_extent(reach, norm, half[i]);
    if (fault == FIT_GOOD) fault = of_axis;
    if (i < fitted->box.dim) measure *= half[i];
    truth_clear(&axis[i]);
  }
  if (fault == FIT_GOOD && fabsl(measure - (long double)fitted->measure) > 1e-15L * measure + 0x1p-1074L)
    fault = FIT_MEASURE;
  mpq_clears(norm, reach, NULL);
  return fault;
}

/* ---- The smallest rectangle */

typedef struct truth_flat {
  truth_vec *at;
  size_t count;
} truth_flat;

/* The spread of all points along d. */
static void rng_magnitude(mpq_t spread, const truth_flat *flat, const truth_vec *d) {
  mpq_t value, low, high;
  mpq_inits(value, low, high, NULL);
  for (size_t i = 0; i < flat->count; i++) {
    truth_dot(value, d, &flat->at[i]);
    if (i == 0 || mpq_cmp(value, low) < 0) mpq_set(low, value);
    if (i == 0 || mpq_cmp(value, high) > 0) mpq_set(high, value);
  }
  mpq_sub(spread, high, low);
  mpq_clears(value, low, high, NULL);
}

/* Do all points lie on the side of from + (d turned right), or on the line? */
static bool truth_supports(const truth_flat *flat, size_t from, const truth_vec *normal) {
  bool all = true;
  truth_vec off;
  mpq_t value;
  truth_init(&off);
  mpq_init(value);
  for (size_t i = 0; i < flat->count && all; i++) {
    truth_sub(&off, &flat->at[i], &flat->at[from]);
    truth_dot(value, normal, &off);
    all = mpq_sgn(value) >= 0;
  }
  mpq_clear(value);
  truth_clear(&off);
  return all;
}

/* The area of the rectangle on the line from point i to point j; false: other points lie on both sides. */
static bool truth_rectangle(mpq_t area, const truth_flat *flat, size_t i, size_t j) {
  truth_vec along, across;
  mpq_t other;
  truth_init(&along), truth_init(&across);
  mpq_init(other);
  truth_sub(&along, &flat->at[j], &flat->at[i]);
  mpq_neg(across.at[0], along.at[1]);
  mpq_set(across.at[1], along.at[0]);
  truth_dot(other, &along, &along);
  bool edge = mpq_sgn(other) > 0 && truth_supports(flat, i, &across);
  if (edge) {
    rng_magnitude(area, flat, &along);
    mpq_div(area, area, other);
    rng_magnitude(other, flat, &across);
    mpq_mul(area, area, other);
  }
  mpq_clear(other);
  truth_clear(&along), truth_clear(&across);
  return edge;
}

static double truth_ratio(const graze_fitted_box *fitted, const mpq_t least) {
  mpq_t area;
  mpq_init(area);
  truth_add(area, fitted->box.extents.x, fitted->box.extents.y, 4);
  double excess = mpq_sgn(area) == 0 ? 0 : NAN;
  if (mpq_sgn(least) > 0) {
    mpq_sub(area, area, least);
    mpq_div(area, area, least);
    excess = mpq_get_d(area);
  }
  mpq_clear(area);
  return excess;
}

double fit_box_excess(const graze_vec *points, size_t count, const graze_fitted_box *fitted) {
  truth_flat flat = {malloc(count * sizeof *flat.at), count};
  mpq_t least, area;
  bool any = false;
  mpq_inits(least, area, NULL);
  for (size_t i = 0; i < count; i++) {
    truth_init(&flat.at[i]);
    truth_set(&flat.at[i], points[i]);
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) {
      if (!truth_rectangle(area, &flat, i, j) || (any && mpq_cmp(area, least) >= 0)) continue;
      mpq_set(least, area);
      any = true;
    }
  }
  double excess = truth_ratio(fitted, least);
  for (size_t i = 0; i < count; i++) truth_clear(&flat.at[i]);
  free(flat.at);
  mpq_clears(least, area, NULL);
  return excess;
}
