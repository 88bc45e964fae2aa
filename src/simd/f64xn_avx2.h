/* Four lanes: AVX2. What the names mean: wide_portable.h. */
#ifndef GRAZE_SIMD_F64XN_AVX2_H
#define GRAZE_SIMD_F64XN_AVX2_H

#include "simd/isa.h"
#include "core/vec.h"

#ifdef GRZ_SIMD_X86

#define LANES 4

typedef __m256d lane_d;
typedef __m256d lane_m;

static inline lane_d lane_all(double x) { return _mm256_set1_pd(x); }
static inline lane_d lane_gather(const double *const at[LANES]) {
  return _mm256_setr_pd(*at[0], *at[1], *at[2], *at[3]);
}

static inline void lane_rows(const double *const at[LANES], lane_d row[4]) {
  lane_d low[2], high[2]; /* of places 0 and 2, of places 1 and 3: numbers 0 and 1, and 2 and 3 */
  for (int i = 0; i < 2; i++) {
    const double *p = at[i], *q = at[i + 2];
    low[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(q), 1);
    high[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p + 2)), _mm_loadu_pd(q + 2), 1);
  }
  row[0] = _mm256_unpacklo_pd(low[0], low[1]), row[1] = _mm256_unpackhi_pd(low[0], low[1]);
  row[2] = _mm256_unpacklo_pd(high[0], high[1]), row[3] = _mm256_unpackhi_pd(high[0], high[1]);
}

static inline lane_d lane_load(const double *from) { return _mm256_loadu_pd(from); }
static inline void lane_store(double *to, lane_d x) { _mm256_storeu_pd(to, x); }

static inline lane_m lane_less(lane_d x, lane_d y) { return _mm256_cmp_pd(x, y, _CMP_LT_OQ); }
static inline lane_m lane_same(lane_d x, lane_d y) { return _mm256_cmp_pd(x, y, _CMP_EQ_OQ); }
static inline lane_m lane_both(lane_m p, lane_m q) { return _mm256_and_pd(p, q); }
static inline lane_m lane_either(lane_m p, lane_m q) { return _mm256_or_pd(p, q); }
static inline lane_m lane_but(lane_m p, lane_m q) { return _mm256_andnot_pd(q, p); }
static inline unsigned lane_bits(lane_m p) { return (unsigned)_mm256_movemask_pd(p); }
static inline lane_m lane_mask(unsigned bits) {
  const __m256i one = _mm256_setr_epi64x(1, 2, 4, 8), all = _mm256_set1_epi64x((int64_t)bits);
  return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, one), one));
}

static inline lane_d lane_pick(lane_m p, lane_d yes, lane_d no) { return _mm256_blendv_pd(no, yes, p); }
static inline lane_d lane_max(lane_d x, lane_d y) { return _mm256_max_pd(x, y); }
static inline lane_d lane_min(lane_d x, lane_d y) { return _mm256_min_pd(x, y); }
static inline lane_d lane_abs(lane_d x) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }
static inline lane_d lane_sqrt(lane_d x) { return _mm256_sqrt_pd(x); }
static inline double lane_most(lane_d x) {
  x = _mm256_max_pd(x, _mm256_permute2f128_pd(x, x, 1));
  return _mm256_cvtsd_f64(_mm256_max_pd(x, _mm256_permute_pd(x, 5)));
}

static inline lane_d lane_take(lane_m take, const double from[LANES], const int64_t column[LANES], lane_d rest) {
  const double *at[LANES];
  for (int k = 0; k < LANES; k++) at[k] = from + column[k];
  return lane_pick(take, lane_gather(at), rest);
}

#define FLANES 8

typedef __m256 lane_f;
typedef __m128 lane_quad;

static inline lane_quad lane_quad_floats(const float *x) { return _mm_loadu_ps(x); }
static inline lane_quad lane_quad_doubles(const double *x) { return _mm256_cvtpd_ps(_mm256_loadu_pd(x)); }
static inline lane_quad lane_quad_less(const double *x, const double *y) {
  return _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(y)));
}

static inline void lane_turn(const lane_quad quad[FLANES], lane_f row[4]) {
  lane_f p[4]; /* of lanes i and i + 4 */
  for (int i = 0; i < 4; i++) p[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(quad[i]), quad[i + 4], 1);
  lane_f low01 = _mm256_unpacklo_ps(p[0], p[1]), low23 = _mm256_unpacklo_ps(p[2], p[3]);
  lane_f high01 = _mm256_unpackhi_ps(p[0], p[1]), high23 = _mm256_unpackhi_ps(p[2], p[3]);
  row[0] = _mm256_shuffle_ps(low01, low23, 0x44), row[1] = _mm256_shuffle_ps(low01, low23, 0xee);
  row[2] = _mm256_shuffle_ps(high01, high23, 0x44), row[3] = _mm256_shuffle_ps(high01, high23, 0xee);
}

static inline lane_f lanef_all(float x) { return _mm256_set1_ps(x); }
static inline lane_f lanef_load(const float *from) { return _mm256_loadu_ps(from); }
static inline void lanef_store(float *to, lane_f x) { _mm256_storeu_ps(to, x); }
static inline lane_f lanef_max(lane_f x, lane_f y) { return _mm256_max_ps(x, y); }
static inline lane_f lanef_min(lane_f x, lane_f y) { return _mm256_min_ps(x, y); }
static inline lane_f lanef_abs(lane_f x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
static inline unsigned lanef_less(lane_f x, lane_f y) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_LT_OQ));
}

#endif

#endif
