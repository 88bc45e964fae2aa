/* Eight boxes side by side, in single precision, and how a box gets there.
 *
 * A coordinate x becomes f(x): (x - centre)·scale, rounded, and cut off at the largest float. f never decreases, and
 * all coordinates of an axis go through the same f; so f(x) < f(y) shows x < y, and only f(x) = f(y) leaves open which
 * is less. Hence comparing floats misses nothing, wherever and however large the boxes are, and decides by itself
 * unless two of them are equal. Directed rounding is not needed.
 *
 * Kept are min and -max: the minimum joins boxes, and P meets Q if the sums of P's six numbers and Q's opposite ones
 * are at most 0. */
#ifndef GRAZE_BVH_EIGHT_H
#define GRAZE_BVH_EIGHT_H

#include "bvh/bvh.h"
#include "simd/isa.h"
#include "core/vec.h"

#include <float.h>

/* No place, no item. */
#define GRZ_BROAD_NONE UINT32_MAX

/* As few places need no order: each is compared with all others. */
enum { GRZ_BROAD_SMALL = 64 };

typedef struct grz_eight {
  float side[6][8]; /* min x, y, z, -max x, y, z; infinite where there is no box: such a one meets nothing */
} grz_eight;

/* The opposite side. */
static inline int grz_eight_across(int k) { return k < 3 ? k + 3 : k - 3; }

static inline float grz_float_min(float x, float y) { return x < y ? x : y; }
static inline float grz_float_max(float x, float y) { return x > y ? x : y; }

#ifdef GRZ_SIMD_X86

/* f of the three coordinates, and one number more. */
static inline void broad_round(const grz_bvh *b, const graze_vec *v, float out[4]) {
  const __m128d scale = _mm_set1_pd(b->scale), last = _mm_load_sd(&v->z);
  const __m128d xy = _mm_mul_pd(_mm_sub_pd(_mm_loadu_pd(&v->x), _mm_loadu_pd(b->centre)), scale);
  const __m128d z = _mm_mul_pd(_mm_sub_pd(last, _mm_load_sd(&b->centre[2])), scale);
  const __m128 all = _mm_movelh_ps(_mm_cvtpd_ps(xy), _mm_cvtpd_ps(z)), most = _mm_set1_ps(FLT_MAX);
  _mm_storeu_ps(out, _mm_max_ps(_mm_min_ps(all, most), _mm_set1_ps(-FLT_MAX)));
}

#else

static inline void broad_round(const grz_bvh *b, const graze_vec *v, float out[4]) {
  const double at[3] = {v->x, v->y, v->z};
  for (int k = 0; k < 3; k++) {
    const float x = (float)((at[k] - b->centre[k]) * b->scale);
    out[k] = grz_float_max(grz_float_min(x, FLT_MAX), -FLT_MAX);
  }
}

#endif

/* In 2D all boxes get the same depth, so that z never leaves anything open. */
static inline void grz_broad_sides(const grz_bvh *b, const graze_aabb *box, float side[6]) {
  float low[4], high[4];
  broad_round(b, &box->min, low);
  broad_round(b, &box->max, high);
  for (int k = 0; k < 3; k++) side[k] = low[k], side[k + 3] = -high[k];
  if (b->dim == 2) side[2] = side[5] = -1;
}

/* Single precision hardly resolves it: rounding may change its extent by a part in 64. Of a largest edge and a largest
 * coordinate, both negated, as sides are. */
static inline bool grz_broad_is_blurred(const grz_bvh *b, const float side[6]) {
  float edge = grz_float_min(side[0] + side[3], side[1] + side[4]);
  float far = grz_float_min(grz_float_min(side[0], side[3]), grz_float_min(side[1], side[4]));
  if (b->dim == 3) {
    edge = grz_float_min(edge, side[2] + side[5]);
    far = grz_float_min(far, grz_float_min(side[2], side[5]));
  }
  return edge > far * 0x1p-18f || edge > -0x1p-100f;
}

static inline void grz_eight_write(grz_eight *eight, size_t lane, const float side[6]) {
  for (int k = 0; k < 6; k++) eight->side[k][lane] = side[k];
}

static inline void grz_eight_clear(grz_eight *eight, size_t lane) {
  for (int k = 0; k < 6; k++) eight->side[k][lane] = __builtin_inff();
}

/* Three lines of cache. */
static inline void grz_eight_fetch(const grz_eight *eight) {
  for (int k = 0; k < 6; k += 2) __builtin_prefetch(eight->side[k]);
}

/* The box around all eight. */
static inline void grz_eight_join(const grz_eight *eight, float side[6]) {
  float half[6][4]; /* as a compiler likes it */
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 4; i++) half[k][i] = grz_float_min(eight->side[k][i], eight->side[k][i + 4]);
  }
  for (int k = 0; k < 6; k++) {
    side[k] = grz_float_min(grz_float_min(half[k][0], half[k][2]), grz_float_min(half[k][1], half[k][3]));
  }
}

/* Bits: those of the eight that the other's box in `lane` meets, and those that it meets without two equal numbers. */
typedef struct grz_eight_met {
  unsigned met, sure;
} grz_eight_met;

typedef grz_eight_met grz_eight_test(const grz_eight *eight, const grz_eight *other, size_t lane);

/* The sum of two numbers has the sign of what it stands for, so x + y <= 0 says x <= -y. No side is -infinite. */
GRZ_TEMPLATE grz_eight_met grz_eight_meet(const grz_eight *eight, const grz_eight *other, size_t lane) {
  float gap[8]; /* the largest along the axes */
  for (int i = 0; i < 8; i++) gap[i] = eight->side[0][i] + other->side[grz_eight_across(0)][lane];
  for (int k = 1; k < 6; k++) {
    const float across = other->side[grz_eight_across(k)][lane];
    for (int i = 0; i < 8; i++) gap[i] = grz_float_max(gap[i], eight->side[k][i] + across);
  }
  grz_eight_met bits = {0, 0};
  for (int i = 0; i < 8; i++) bits.met |= (unsigned)(gap[i] <= 0) << i, bits.sure |= (unsigned)(gap[i] < 0) << i;
  return bits;
}

static inline unsigned grz_bit_first(unsigned bits) { return (unsigned)__builtin_ctz(bits); }
static inline unsigned grz_bit_first64(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

#endif
