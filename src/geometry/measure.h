/* Exact sums of cross products and determinants, for the areas and volumes of hulls and meshes. */
#ifndef GRAZE_GEOMETRY_MEASURE_H
#define GRAZE_GEOMETRY_MEASURE_H

#include "exact/exact.h"
#include "exact/fixed.h"

/* Sums are fixed-point integers if all coordinates fit, otherwise numbers of any length. */
typedef struct measure_format {
  const graze_vec *vertices;
  bool fits;
  fixed_range range;
} measure_format;

static inline measure_format measure_format_of(const graze_vec *vertices, size_t count) {
  measure_format format = {vertices, false, fixed_range_empty()};
  for (size_t i = 0; i < count; i++) fixed_range_add(&format.range, vertices[i]);
  format.fits = fixed_fits(format.range);
  return format;
}

/* Three exact sums. A volume uses the first. */
typedef struct measure_sum {
  fixed_sum fixed[3];
  grz_bvec big;
  grz_arena arena;
  uint64_t limbs[1024];
} measure_sum;

static inline void measure_clear(measure_sum *sum) {
  for (int i = 0; i < 3; i++) sum->fixed[i] = (fixed_sum){{0}};
  sum->big = (grz_bvec){grz_big_zero(), grz_big_zero(), grz_big_zero()};
  sum->arena = (grz_arena){sum->limbs, 0, sizeof sum->limbs / sizeof *sum->limbs, false};
}

/* sum += (b - a) × (c - a) */
static inline void measure_add_cross(const measure_format *format, measure_sum *sum, graze_vec a, graze_vec b,
                                     graze_vec c) {
  if (format->fits) {
    fixed_vec from = fixed_of(format->range, a), u = fixed_sub(fixed_of(format->range, b), from);
    fixed_vec v = fixed_sub(fixed_of(format->range, c), from);
    fixed_add_cross(&sum->fixed[0], u.y, u.z, v.y, v.z);
    fixed_add_cross(&sum->fixed[1], u.z, u.x, v.z, v.x);
    fixed_add_cross(&sum->fixed[2], u.x, u.y, v.x, v.y);
    return;
  }
  grz_arena *arena = &sum->arena;
  grz_bvec from = grz_bvec_of(arena, a), u = grz_bvec_sub(arena, grz_bvec_of(arena, b), from);
  grz_bvec cross = grz_bvec_cross(arena, u, grz_bvec_sub(arena, grz_bvec_of(arena, c), from));
  sum->big = grz_bvec_keep(arena, 0, grz_bvec_add(arena, sum->big, cross));
}

/* sum += det[b - a, c - a, d - a] */
static inline void measure_add_det(const measure_format *format, measure_sum *sum, graze_vec a, graze_vec b,
                                   graze_vec c, graze_vec d) {
  if (format->fits) {
    const fixed_range range = format->range;
    fixed_vec from = fixed_of(range, a), u = fixed_sub(fixed_of(range, b), from);
    fixed_add_det(&sum->fixed[0], u, fixed_sub(fixed_of(range, c), from), fixed_sub(fixed_of(range, d), from));
    return;
  }
  grz_arena *arena = &sum->arena;
  grz_bvec from = grz_bvec_of(arena, a), u = grz_bvec_sub(arena, grz_bvec_of(arena, b), from);
  grz_bvec v = grz_bvec_sub(arena, grz_bvec_of(arena, c), from), w = grz_bvec_sub(arena, grz_bvec_of(arena, d), from);
  grz_big det = grz_big_add(arena, sum->big.x, grz_bvec_det(arena, u, v, w));
  sum->big.x = grz_big_keep(arena, 0, det);
}

static inline grz_scaled measure_round(const measure_format *format, const measure_sum *sum, int part, int degree) {
  const grz_big big[3] = {sum->big.x, sum->big.y, sum->big.z};
  return format->fits ? fixed_to_scaled(sum->fixed[part], format->range, degree) : scaled_of_big(big[part]);
}

#endif
