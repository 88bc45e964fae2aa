/* The shoelace formula in exact numbers. */
#include "geometry/area.h"

#include "exact/scaled.h"

static grz_big area_add_product(grz_arena *arena, grz_big sum, double x, double y, bool minus) {
  grz_big product = grz_big_mul(arena, grz_big_of(arena, x), grz_big_of(arena, y));
  return grz_big_keep(arena, 0, grz_big_add(arena, sum, minus ? grz_big_neg(product) : product));
}

grz_big grz_area_add(grz_arena *arena, grz_big sum, graze_ring ring) {
  for (size_t i = 0; i < ring.count; i++) {
    graze_vec from = ring.vertices[i], to = ring.vertices[i + 1 < ring.count ? i + 1 : 0];
    sum = area_add_product(arena, sum, from.x, to.y, false);
    sum = area_add_product(arena, sum, to.x, from.y, true);
  }
  return sum;
}

double grz_area_of(grz_arena *arena, grz_big sum) {
  if (sum.sign < 0) sum = grz_big_neg(sum);
  grz_scaled twice = scaled_of_big(sum);
  if (twice.m == 0 || twice.e > -1021) return 0.5 * scaled_to_double(twice);
  /* A subnormal area: rounded once, as the last bits of a double near 2^-1021 (docs/theory/polygons.md). */
  grz_scaled shifted = scaled_of_big(grz_big_add(arena, sum, grz_big_of(arena, 0x1p-1021)));
  return 0.5 * (scaled_to_double(shifted) - 0x1p-1021);
}
