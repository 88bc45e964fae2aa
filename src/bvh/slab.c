/* What the slab test needs of a moving box: docs/theory/bvh.md, "Rays", has the margins and their proof. */
#include "bvh/slab.h"

#include "core/vec.h"

/* A little less than (x - centre)·scale + move, times `sign`. */
static double slab_below(const grz_bvh *b, int axis, double x, double move, double sign) {
  const double at = (x - b->centre[axis]) * b->scale, sum = sign * (at + move);
  return sum - real_abs(sum) * 0x1p-22 - (real_abs(at) + real_abs(move)) * 0x1p-50 - 0x1p-120;
}

void grz_slab_make(grz_slab *slab, const grz_bvh *broad, const graze_aabb *box, graze_vec way) {
  const double low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
  const double given[3] = {way.x, way.y, way.z};
  /* Scale the direction: its largest component is from 1 to 2, a normal number. */
  const int largest = real_exponent(vec_norm_inf(way)), exponent = largest < 1022 ? largest : 1022;
  const int both = exponent + real_exponent(broad->scale), half = both / 2;
  const double scale = real_power_of_two(-exponent), unit[3] = {way.x * scale, way.y * scale, way.z * scale};
  slab->unit[0] = real_power_of_two(half), slab->unit[1] = real_power_of_two(both - half);
  /* Shift the start to where the box passes the centre of the tree along its fastest axis: floats are finest there. */
  int most = 0;
  for (int k = 1; k < broad->dim; k++) most = real_abs(unit[k]) > real_abs(unit[most]) ? k : most;
  const double middle = low[most] / 2 + high[most] / 2;
  const double shift = (broad->centre[most] - middle) * broad->scale / unit[most];
  slab->shift = real_abs(shift) <= 0x1p100 ? shift : 0;
  float side[6];
  grz_broad_sides(broad, box, side);
  slab->count = 0, slab->limited = false;
  slab->start = (float)(-slab->shift - real_abs(slab->shift) * 0x1p-22 - 0x1p-120);
  for (int k = 0; k < 6; k++) slab->limit[k] = FLT_MAX;
  for (int k = 0; k < broad->dim; k++) {
    const double to_min = slab_below(broad, k, high[k], slab->shift * unit[k], -1);
    const double to_max = slab_below(broad, k, low[k], slab->shift * unit[k], 1);
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
  const double at = t * slab->unit[0] * slab->unit[1], sum = at - slab->shift;
  if (t >= DBL_MAX) return __builtin_inff();
  return (float)(sum + real_abs(sum) * 0x1p-22 + (real_abs(at) + real_abs(slab->shift)) * 0x1p-50 + 0x1p-120);
}

grz_slab_test *grz_slab_widest(void) {
#ifdef GRZ_SIMD_X86
  return __builtin_cpu_supports("avx2") ? grz_slab_avx2 : grz_slab_sse2;
#elif defined(GRZ_SIMD_NEON)
  return grz_slab_neon;
#else
  return grz_slab_portable;
#endif
}
