#include "geometry/fit_box_truth.h"

#include <math.h>
#include <stdlib.h>

#include "support/oracle/exact.h"
#include "support/rational.h"

/* extent = the largest |axis·(point - centre)|. The axis is column i of the map. */
static void extent_of_axis(mpq_t extent, const rational_map *map, int i, const graze_vec *points, size_t count) {
  mpq_t sum, t, x;
  mpq_inits(sum, t, x, NULL);
  mpq_set_ui(extent, 0, 1);
  for (size_t n = 0; n < count; n++) {
    const double at[3] = {points[n].x, points[n].y, points[n].z};
    mpq_set_ui(sum, 0, 1);
    for (int k = 0; k < 3; k++) {
      mpq_set_d(x, at[k]);
      mpq_sub(t, x, map->p[k]);
      mpq_mul(t, t, map->m[3 * k + i]);
      mpq_add(sum, sum, t);
    }
    mpq_abs(sum, sum);
    if (mpq_cmp(sum, extent) > 0) mpq_set(extent, sum);
  }
  mpq_clears(sum, t, x, NULL);
}

static fit_fault extent_fault(const mpq_t extent, double half) {
  mpq_t h;
  mpq_init(h);
  mpq_set_d(h, half);
  fit_fault fault = mpq_cmp(extent, h) > 0 ? FIT_OUTSIDE : FIT_GOOD;
  if (fault == FIT_GOOD && half > 0) {
    mpq_set_d(h, nextafter(half, 0));
    if (mpq_cmp(extent, h) <= 0) fault = FIT_TOO_LARGE;
  }
  mpq_clear(h);
  return fault;
}

fit_fault fit_box_fault(const graze_vec *points, size_t count, const graze_fitted_box *fitted) {
  const double half[3] = {fitted->box.as.box.half_extents.x, fitted->box.as.box.half_extents.y, fitted->box.as.box.half_extents.z};
  const graze_placed placed = graze_place(&fitted->box, fitted->pose);
  if (fitted->box.kind != GRAZE_BOX || placed.status != GRAZE_OK) return FIT_REJECTED;
  long double measure = fitted->box.dim == 2 ? 4 : 8;
  fit_fault fault = FIT_GOOD;
  rational_map map;
  mpq_t extent;
  rational_map_init(&map), mpq_init(extent);
  rational_map_set(&map, &placed);
  for (int i = 0; i < 3 && fault == FIT_GOOD; i++) {
    extent_of_axis(extent, &map, i, points, count);
    fault = extent_fault(extent, half[i]);
    if (i < fitted->box.dim) measure *= half[i];
  }
  if (fault == FIT_GOOD && fabsl(measure - (long double)fitted->measure) > 1e-15L * measure + 0x1p-1074L)
    fault = FIT_MEASURE;
  rational_map_clear(&map), mpq_clear(extent);
  return fault;
}

/* ---- The smallest rectangle. */

/* The area of the rectangle on the line from point i to point j. False if a point is on the right of that line. */
static bool rectangle_area(mpq_t area, const zvec *at, size_t count, size_t i, size_t j) {
  zvec d, w;
  mpz_t x, height, low, high;
  orc_z_init(&d), orc_z_init(&w), mpz_inits(x, height, low, high, NULL);
  orc_z_sub(&d, &at[j], &at[i]);
  bool edge = !orc_z_zero(&d);
  for (size_t k = 0; k < count && edge; k++) {
    orc_z_sub(&w, &at[k], &at[i]);
    mpz_mul(x, d.at[0], w.at[1]), mpz_submul(x, d.at[1], w.at[0]);
    edge = mpz_sgn(x) >= 0;
    if (mpz_cmp(x, height) > 0) mpz_set(height, x);
    orc_z_dot(x, &d, &w);
    if (mpz_cmp(x, low) < 0) mpz_set(low, x);
    if (mpz_cmp(x, high) > 0) mpz_set(high, x);
  }
  if (edge) {
    mpz_sub(high, high, low);
    mpz_mul(mpq_numref(area), height, high);
    orc_z_dot(mpq_denref(area), &d, &d);
    mpq_canonicalize(area);
  }
  orc_z_clear(&d), orc_z_clear(&w), mpz_clears(x, height, low, high, NULL);
  return edge;
}

double fit_box_excess(const graze_vec *points, size_t count, const graze_fitted_box *fitted) {
  zvec *at = orc_resize(NULL, count, sizeof *at);
  const double sides[2] = {2 * fitted->box.as.box.half_extents.x, 2 * fitted->box.as.box.half_extents.y};
  long unit = 0;
  for (size_t i = 0; i < count; i++) orc_refine_unit_vec(&unit, points[i]);
  for (size_t i = 0; i < count; i++) orc_z_init(&at[i]), orc_z_set_vec(&at[i], points[i], unit);
  mpq_t least, area;
  bool any = false;
  mpq_inits(least, area, NULL);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      if (!rectangle_area(area, at, count, i, j) || (any && mpq_cmp(area, least) >= 0)) continue;
      mpq_set(least, area);
      any = true;
    }
  mpq_div_2exp(least, least, (mp_bitcnt_t)(-2 * unit));
  mpq_t x;
  mpq_init(x);
  mpq_set_d(area, sides[0]), mpq_set_d(x, sides[1]);
  mpq_mul(area, area, x);
  double excess = mpq_sgn(area) == 0 ? 0 : NAN;
  if (mpq_sgn(least) > 0)
    mpq_div(area, area, least), mpq_set_ui(x, 1, 1), mpq_sub(area, area, x), excess = mpq_get_d(area);
  for (size_t i = 0; i < count; i++) orc_z_clear(&at[i]);
  free(at);
  mpq_clears(least, area, x, NULL);
  return excess;
}
