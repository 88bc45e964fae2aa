/* The SIMD type f64xn for AVX2, with 4 doubles or 8 floats. The functions are documented in f64xn_portable.h. */
#ifndef GRAZE_SIMD_F64XN_AVX2_H
#define GRAZE_SIMD_F64XN_AVX2_H

#include "simd/isa.h"
#include "core/vec.h"

#ifdef GRZ_SIMD_X86

enum { F64XN_WIDTH = 4 };

typedef __m256d f64xn;
typedef __m256d f64xn_mask;

static inline f64xn f64xn_all(double x) { return _mm256_set1_pd(x); }
static inline f64xn f64xn_gather(const double *const from[F64XN_WIDTH]) {
  return _mm256_setr_pd(*from[0], *from[1], *from[2], *from[3]);
}

static inline void f64xn_load_pairs(const double *const from[F64XN_WIDTH], f64xn *x, f64xn *y) {
  f64xn half[2]; /* half[i]: the pairs of from[i] and from[i + 2] */
  for (int i = 0; i < 2; i++)
    half[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from[i])), _mm_loadu_pd(from[i + 2]), 1);
  *x = _mm256_unpacklo_pd(half[0], half[1]), *y = _mm256_unpackhi_pd(half[0], half[1]);
}

static inline void f64xn_load_columns(const double *const from[F64XN_WIDTH], f64xn row[4]) {
  f64xn low[2], high[2]; /* low[i]: numbers 0 and 1 of from[i] and from[i + 2]; high[i]: numbers 2 and 3 */
  for (int i = 0; i < 2; i++) {
    const double *p = from[i], *q = from[i + 2];
    low[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(q), 1);
    high[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p + 2)), _mm_loadu_pd(q + 2), 1);
  }
  row[0] = _mm256_unpacklo_pd(low[0], low[1]), row[1] = _mm256_unpackhi_pd(low[0], low[1]);
  row[2] = _mm256_unpacklo_pd(high[0], high[1]), row[3] = _mm256_unpackhi_pd(high[0], high[1]);
}

static inline f64xn f64xn_load(const double *from) { return _mm256_loadu_pd(from); }
static inline void f64xn_store(double *to, f64xn x) { _mm256_storeu_pd(to, x); }

static inline f64xn_mask f64xn_less(f64xn x, f64xn y) { return _mm256_cmp_pd(x, y, _CMP_LT_OQ); }
static inline f64xn_mask f64xn_equal(f64xn x, f64xn y) { return _mm256_cmp_pd(x, y, _CMP_EQ_OQ); }
static inline f64xn_mask f64xn_and(f64xn_mask p, f64xn_mask q) { return _mm256_and_pd(p, q); }
static inline f64xn_mask f64xn_or(f64xn_mask p, f64xn_mask q) { return _mm256_or_pd(p, q); }
static inline f64xn_mask f64xn_and_not(f64xn_mask p, f64xn_mask q) { return _mm256_andnot_pd(q, p); }
static inline unsigned f64xn_mask_bits(f64xn_mask p) { return (unsigned)_mm256_movemask_pd(p); }
static inline f64xn_mask f64xn_mask_of_bits(unsigned bits) {
  const __m256i one = _mm256_setr_epi64x(1, 2, 4, 8), all = _mm256_set1_epi64x((int64_t)bits);
  return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, one), one));
}

static inline f64xn f64xn_select(f64xn_mask p, f64xn yes, f64xn no) { return _mm256_blendv_pd(no, yes, p); }
static inline f64xn f64xn_max(f64xn x, f64xn y) { return _mm256_max_pd(x, y); }
static inline f64xn f64xn_min(f64xn x, f64xn y) { return _mm256_min_pd(x, y); }
static inline f64xn f64xn_abs(f64xn x) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }
static inline f64xn f64xn_sqrt(f64xn x) { return _mm256_sqrt_pd(x); }
static inline double f64xn_reduce_max(f64xn x) {
  x = _mm256_max_pd(x, _mm256_permute2f128_pd(x, x, 1));
  return _mm256_cvtsd_f64(_mm256_max_pd(x, _mm256_permute_pd(x, 5)));
}

static inline f64xn f64xn_permute_masked(f64xn_mask mask, const double from[F64XN_WIDTH],
                                         const int64_t index[F64XN_WIDTH], f64xn rest) {
  const double *source[F64XN_WIDTH];
  for (int k = 0; k < F64XN_WIDTH; k++) source[k] = from + index[k];
  return f64xn_select(mask, f64xn_gather(source), rest);
}

enum { F32XN_WIDTH = 8 };

typedef __m256 f32xn;
typedef __m128 f32x4;

static inline f32x4 f32x4_load(const float *x) { return _mm_loadu_ps(x); }
static inline f32x4 f32x4_of_doubles(const double *x) { return _mm256_cvtpd_ps(_mm256_loadu_pd(x)); }
static inline f32x4 f32x4_of_difference(const double *x, const double *y) {
  return _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(y)));
}

static inline void f32xn_transpose(const f32x4 quad[F32XN_WIDTH], f32xn row[4]) {
  f32xn p[4]; /* p[i]: quad[i] and quad[i + 4] */
  for (int i = 0; i < 4; i++) p[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(quad[i]), quad[i + 4], 1);
  f32xn low01 = _mm256_unpacklo_ps(p[0], p[1]), low23 = _mm256_unpacklo_ps(p[2], p[3]);
  f32xn high01 = _mm256_unpackhi_ps(p[0], p[1]), high23 = _mm256_unpackhi_ps(p[2], p[3]);
  row[0] = _mm256_shuffle_ps(low01, low23, 0x44), row[1] = _mm256_shuffle_ps(low01, low23, 0xee);
  row[2] = _mm256_shuffle_ps(high01, high23, 0x44), row[3] = _mm256_shuffle_ps(high01, high23, 0xee);
}

static inline f32xn f32xn_all(float x) { return _mm256_set1_ps(x); }
static inline f32xn f32xn_load(const float *from) { return _mm256_loadu_ps(from); }
static inline void f32xn_store(float *to, f32xn x) { _mm256_storeu_ps(to, x); }
static inline f32xn f32xn_max(f32xn x, f32xn y) { return _mm256_max_ps(x, y); }
static inline f32xn f32xn_min(f32xn x, f32xn y) { return _mm256_min_ps(x, y); }
static inline f32xn f32xn_abs(f32xn x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
static inline f32xn f32xn_sqrt(f32xn x) { return _mm256_sqrt_ps(x); }
static inline f32xn f32xn_select_less(f32xn x, f32xn y, f32xn yes, f32xn no) {
  return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(x, y, _CMP_LT_OQ));
}
static inline unsigned f32xn_less_bits(f32xn x, f32xn y) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_LT_OQ));
}

#endif

#endif
