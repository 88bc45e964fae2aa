/* The slab test of a moving box against the eight boxes of a node (Kay and Kajiya 1986), and distances from them: their
 * preparation, and the tests (slab_kernel.h) for each instruction set. Margins and proofs: docs/theory/bvh.md, "Rays"
 * and "Distances". */
#include "bvh/tree.h"
#include "simd/f64xn_names.h"

/* ---- Preparation */

/* Returns a lower bound of sign·((x - centre)·scale + move) that stays below it when rounded to a float. */
static double slab_below(const grz_bvh *b, int axis, double x, double move, double sign) {
  const double at = (x - b->centre[axis]) * b->scale, sum = sign * (at + move);
  return sum - real_abs(sum) * 0x1p-22 - (real_abs(at) + real_abs(move)) * 0x1p-50 - 0x1p-120;
}

void grz_slab_make(grz_slab *slab, const grz_bvh *bvh, const graze_aabb *box, graze_vec displacement) {
  const double low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
  const double given[3] = {displacement.x, displacement.y, displacement.z};

  /* Scale the direction: its largest component is from 1 to 2, a normal number. */
  const int largest = real_exponent(vec_norm_inf(displacement)), exponent = largest < 1022 ? largest : 1022;
  const int both = exponent + real_exponent(bvh->scale), half = both / 2;
  const double scale = real_power_of_two(-exponent);
  const double unit[3] = {displacement.x * scale, displacement.y * scale, displacement.z * scale};
  slab->per_time[0] = real_power_of_two(half), slab->per_time[1] = real_power_of_two(both - half);

  /* Shift the start to the time at which the box passes the centre of the frame along the fastest axis: floats are
   * finest there. */
  int fastest = 0;
  for (int k = 1; k < bvh->dim; k++) fastest = real_abs(unit[k]) > real_abs(unit[fastest]) ? k : fastest;
  const double middle = low[fastest] / 2 + high[fastest] / 2;
  const double shift = (bvh->centre[fastest] - middle) * bvh->scale / unit[fastest];
  slab->shift = real_abs(shift) <= 0x1p100 ? shift : 0;
  slab->start = (float)(-slab->shift - real_abs(slab->shift) * 0x1p-22 - 0x1p-120);

  /* An axis is in use if its division is precise enough. Any other axis compares sides without arithmetic. */
  float side[6];
  grz_bvh_round_box(bvh, box, side);
  slab->count = 0, slab->limited = false;
  for (int k = 0; k < 6; k++) slab->limit[k] = FLT_MAX;
  for (int k = 0; k < bvh->dim; k++) {
    const double to_min = slab_below(bvh, k, high[k], slab->shift * unit[k], -1);
    const double to_max = slab_below(bvh, k, low[k], slab->shift * unit[k], 1);
    if (real_abs(unit[k]) >= 0x1p-64 && real_abs(to_min) <= 0x1p119 && real_abs(to_max) <= 0x1p119) {
      const bool up = unit[k] > 0;
      slab->axis[slab->count++] = (grz_slab_axis){up ? k : k + 3, up ? k + 3 : k, (float)(up ? to_min : to_max),
                                                  (float)(up ? to_max : to_min), (float)(1 / real_abs(unit[k]))};
      continue;
    }
    slab->limited = true;
    if (given[k] <= 0) slab->limit[k] = -side[k + 3];
    if (given[k] >= 0) slab->limit[k + 3] = -side[k];
  }
}

float grz_slab_time(const grz_slab *slab, double t) {
  const double at = t * slab->per_time[0] * slab->per_time[1], sum = at - slab->shift;
  if (t >= DBL_MAX) return __builtin_inff();
  return (float)(sum + real_abs(sum) * 0x1p-22 + (real_abs(at) + real_abs(slab->shift)) * 0x1p-50 + 0x1p-120);
}

void grz_near_make(grz_near *near, const grz_bvh *bvh, const graze_aabb *box) {
  const double low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
  for (int k = 0; k < 3; k++) {
    const double from = (low[k] - bvh->centre[k]) * bvh->scale, to = (high[k] - bvh->centre[k]) * bvh->scale;
    const double down = from - real_abs(from) * 0x1p-21 - 0x1p-120, up = to + real_abs(to) * 0x1p-21 + 0x1p-120;
    near->low[k] = (float)real_max(real_min(down, (double)FLT_MAX), -(double)FLT_MAX);
    near->high[k] = (float)real_max(real_min(up, (double)FLT_MAX), -(double)FLT_MAX);
  }
  if (bvh->dim == 2) near->low[2] = -1, near->high[2] = 1;
}

float grz_near_square(const grz_bvh *bvh, double distance) {
  const double scaled = distance * bvh->scale, square = scaled * scaled * (1 + 0x1p-20) + 0x1p-120;
  if (distance < 0) return -1; /* ends the search: no bound is that small */
  return square < (double)FLT_MAX / 2 ? (float)square : __builtin_inff();
}

/* ---- Instruction sets */

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "bvh/slab_kernel.h"
#undef GRZ_ISA

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "bvh/slab_kernel.h"
#undef GRZ_ISA

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "bvh/slab_kernel.h"
#undef GRZ_ISA
GRZ_TARGET_END

grz_slab_test *grz_slab_select(void) { return __builtin_cpu_supports("avx2") ? grz_slab_avx2 : grz_slab_sse2; }
grz_near_test *grz_near_select(void) { return __builtin_cpu_supports("avx2") ? grz_near_avx2 : grz_near_sse2; }

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "bvh/slab_kernel.h"
#undef GRZ_ISA

grz_slab_test *grz_slab_select(void) { return grz_slab_neon; }
grz_near_test *grz_near_select(void) { return grz_near_neon; }

#else

grz_slab_test *grz_slab_select(void) { return grz_slab_portable; }
grz_near_test *grz_near_select(void) { return grz_near_portable; }

#endif
