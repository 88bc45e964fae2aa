/* Area and volume of a hull: sums of determinants and cross products, exact; what is rounded are the areas of faces,
 * their roots, and the sum of these. docs/theory/hull.md. */
#include "geometry/hull.h"
#include "exact/big.h"
#include "exact/fixed.h"

/* Whole numbers where they fit, otherwise of any length. */
typedef struct measure_unit {
  const graze_vec *vertices;
  bool fits;
  fixed_range range;
} measure_unit;

/* Corners a, b, c of a fan; the sums go into three exact numbers, of which volumes need one. */
typedef struct measure_exact {
  fixed_sum wide[3];
  grz_bvec big;
  grz_arena arena;
  uint64_t limbs[1024];
} measure_exact;

static void measure_clear(measure_exact *sum) {
  for (int i = 0; i < 3; i++) sum->wide[i] = (fixed_sum){{0}};
  sum->big = (grz_bvec){grz_big_zero(), grz_big_zero(), grz_big_zero()};
  sum->arena = (grz_arena){sum->limbs, 0, sizeof sum->limbs / sizeof *sum->limbs, false};
}

/* sum += (b - a) × (c - a) */
static void measure_add_cross(const measure_unit *unit, measure_exact *sum, graze_vec a, graze_vec b, graze_vec c) {
  if (unit->fits) {
    fixed_vec from = fixed_of(unit->range, a), u = fixed_sub(fixed_of(unit->range, b), from);
    fixed_vec v = fixed_sub(fixed_of(unit->range, c), from);
    fixed_add_cross(&sum->wide[0], u.y, u.z, v.y, v.z);
    fixed_add_cross(&sum->wide[1], u.z, u.x, v.z, v.x);
    fixed_add_cross(&sum->wide[2], u.x, u.y, v.x, v.y);
    return;
  }
  grz_arena *arena = &sum->arena;
  grz_bvec from = grz_bvec_of(arena, a), u = grz_bvec_sub(arena, grz_bvec_of(arena, b), from);
  grz_bvec cross = grz_bvec_cross(arena, u, grz_bvec_sub(arena, grz_bvec_of(arena, c), from));
  sum->big = grz_bvec_keep(arena, 0, grz_bvec_add(arena, sum->big, cross));
}

/* sum += det[b - a, c - a, d - a] */
static void measure_add_det(const measure_unit *unit, measure_exact *sum, graze_vec a, graze_vec b, graze_vec c,
                            graze_vec d) {
  if (unit->fits) {
    fixed_vec from = fixed_of(unit->range, a), u = fixed_sub(fixed_of(unit->range, b), from);
    fixed_add_det(&sum->wide[0], u, fixed_sub(fixed_of(unit->range, c), from), fixed_sub(fixed_of(unit->range, d), from));
    return;
  }
  grz_arena *arena = &sum->arena;
  grz_bvec from = grz_bvec_of(arena, a), u = grz_bvec_sub(arena, grz_bvec_of(arena, b), from);
  grz_bvec v = grz_bvec_sub(arena, grz_bvec_of(arena, c), from), w = grz_bvec_sub(arena, grz_bvec_of(arena, d), from);
  grz_big det = grz_big_add(arena, sum->big.x, grz_bvec_det(arena, u, v, w));
  sum->big.x = grz_big_keep(arena, 0, det);
}

static grz_scaled measure_round(const measure_unit *unit, const measure_exact *sum, int part, int degree) {
  const grz_big big[3] = {sum->big.x, sum->big.y, sum->big.z};
  return unit->fits ? fixed_to_scaled(sum->wide[part], unit->range, degree) : scaled_of_big(big[part]);
}

static const grz_scaled measure_half = {0.5, 0};

/* The area of a plane polygon: half the length of its area vector, which is exact before it is rounded. */
static grz_scaled measure_polygon(const measure_unit *unit, measure_exact *sum, const int32_t *corner, size_t count) {
  const graze_vec *v = unit->vertices;
  measure_clear(sum);
  for (size_t i = 2; i < count; i++) {
    size_t b = corner ? (size_t)corner[i - 1] : i - 1, c = corner ? (size_t)corner[i] : i;
    measure_add_cross(unit, sum, v[corner ? corner[0] : 0], v[b], v[c]);
  }
  grz_scaled square = {0, 0};
  for (int i = 0; i < 3; i++) {
    grz_scaled part = measure_round(unit, sum, i, 2);
    square = scaled_add(square, scaled_mul(part, part));
  }
  return scaled_mul(scaled_sqrt(square), measure_half);
}

/* A sum of positive numbers in units of 2^e, with what rounding took from it. */
typedef struct measure_total {
  double sum, low;
  int64_t e;
} measure_total;

static double measure_shift(double m, int64_t e) { return e < -1000 ? 0 : m * real_power_of_two((int)e); }

static void measure_add(measure_total *total, grz_scaled x) {
  if (x.m == 0) return;
  if (total->sum == 0) {
    total->e = x.e;
  } else if (x.e > total->e) {
    total->sum = measure_shift(total->sum, total->e - x.e);
    total->low = measure_shift(total->low, total->e - x.e);
    total->e = x.e;
  }
  double error;
  total->sum = real_two_sum(total->sum, measure_shift(x.m, x.e - total->e), &error);
  total->low += error;
}

/* A multiple of 2^e, to nearest; for numbers below 2^1023. */
static double measure_double(double m, int64_t e) {
  grz_scaled x;
  int binary = 0;
  for (; m >= 1; m *= 0.5) binary++;
  x.m = m, x.e = e + binary;
  return scaled_to_double(x);
}

static double measure_surface(const measure_unit *unit, measure_exact *sum, const graze_hull *hull) {
  measure_total total = {0, 0, 0};
  for (size_t f = 0; f < hull->face_count; f++) {
    const int32_t *corner = hull->face_vertices + hull->face_start[f];
    measure_add(&total, measure_polygon(unit, sum, corner, (size_t)(hull->face_start[f + 1] - hull->face_start[f])));
  }
  return measure_double(total.sum + total.low, total.e);
}

/* Six times the volume is the sum of the determinants of tetrahedra from the first vertex to all triangles of faces. */
static double measure_volume(const measure_unit *unit, measure_exact *sum, const graze_hull *hull) {
  const graze_vec *v = hull->vertices;
  measure_clear(sum);
  for (size_t f = 0; f < hull->face_count; f++) {
    const int32_t *corner = hull->face_vertices + hull->face_start[f];
    int32_t count = hull->face_start[f + 1] - hull->face_start[f];
    for (int32_t i = 2; i < count; i++) measure_add_det(unit, sum, v[0], v[corner[0]], v[corner[i - 1]], v[corner[i]]);
  }
  const grz_scaled six = {0.75, 3};
  return scaled_to_double(scaled_div(measure_round(unit, sum, 0, 3), six));
}

void grz_hull_measure(graze_hull *hull) {
  if (hull->affine_dim < 2) return;
  measure_exact sum;
  measure_unit unit = {hull->vertices, false, fixed_range_empty()};
  for (size_t i = 0; i < hull->vertex_count; i++) fixed_range_add(&unit.range, hull->vertices[i]);
  unit.fits = fixed_fits(unit.range);
  if (hull->affine_dim == 3) {
    hull->area = measure_surface(&unit, &sum, hull);
    hull->volume = measure_volume(&unit, &sum, hull);
  } else {
    hull->area = scaled_to_double(measure_polygon(&unit, &sum, NULL, hull->vertex_count));
  }
}
