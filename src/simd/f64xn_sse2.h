/* The SIMD type f64xn for SSE2, the baseline of x86-64, with 2 doubles or 4 floats. The functions are documented in
 * f64xn_portable.h. */
#ifndef GRAZE_SIMD_F64XN_SSE2_H
#define GRAZE_SIMD_F64XN_SSE2_H

#include "simd/isa.h"
#include "core/vec.h"

#ifdef GRZ_SIMD_X86

enum { F64XN_WIDTH = 2 };

typedef __m128d f64xn;
typedef __m128d f64xn_mask;

static inline f64xn f64xn_all(double x) { return _mm_set1_pd(x); }
static inline f64xn f64xn_gather(const double *const from[F64XN_WIDTH]) { return _mm_setr_pd(*from[0], *from[1]); }

static inline void f64xn_load_pairs(const double *const from[F64XN_WIDTH], f64xn *x, f64xn *y) {
  const f64xn p = _mm_loadu_pd(from[0]), q = _mm_loadu_pd(from[1]);
  *x = _mm_unpacklo_pd(p, q), *y = _mm_unpackhi_pd(p, q);
}

static inline void f64xn_load_columns(const double *const from[F64XN_WIDTH], f64xn row[4]) {
  for (int i = 0; i < 4; i += 2) {
    f64xn p = _mm_loadu_pd(from[0] + i), q = _mm_loadu_pd(from[1] + i);
    row[i] = _mm_unpacklo_pd(p, q), row[i + 1] = _mm_unpackhi_pd(p, q);
  }
}

static inline f64xn f64xn_load(const double *from) { return _mm_loadu_pd(from); }
static inline void f64xn_store(double *to, f64xn x) { _mm_storeu_pd(to, x); }

static inline f64xn_mask f64xn_less(f64xn x, f64xn y) { return _mm_cmplt_pd(x, y); }
static inline f64xn_mask f64xn_equal(f64xn x, f64xn y) { return _mm_cmpeq_pd(x, y); }
static inline f64xn_mask f64xn_and(f64xn_mask p, f64xn_mask q) { return _mm_and_pd(p, q); }
static inline f64xn_mask f64xn_or(f64xn_mask p, f64xn_mask q) { return _mm_or_pd(p, q); }
static inline f64xn_mask f64xn_and_not(f64xn_mask p, f64xn_mask q) { return _mm_andnot_pd(q, p); }
static inline unsigned f64xn_mask_bits(f64xn_mask p) { return (unsigned)_mm_movemask_pd(p); }
static inline f64xn_mask f64xn_mask_of_bits(unsigned bits) {
  return _mm_castsi128_pd(_mm_set_epi64x(-(int64_t)(bits >> 1 & 1), -(int64_t)(bits & 1)));
}

static inline f64xn f64xn_select(f64xn_mask p, f64xn yes, f64xn no) {
  return _mm_or_pd(_mm_and_pd(p, yes), _mm_andnot_pd(p, no));
}
static inline f64xn f64xn_max(f64xn x, f64xn y) { return _mm_max_pd(x, y); }
static inline f64xn f64xn_min(f64xn x, f64xn y) { return _mm_min_pd(x, y); }
static inline f64xn f64xn_abs(f64xn x) { return _mm_andnot_pd(_mm_set1_pd(-0.0), x); }
static inline f64xn f64xn_sqrt(f64xn x) { return _mm_sqrt_pd(x); }
static inline double f64xn_reduce_max(f64xn x) { return _mm_cvtsd_f64(_mm_max_pd(x, _mm_unpackhi_pd(x, x))); }

static inline f64xn f64xn_permute_masked(f64xn_mask mask, const double from[F64XN_WIDTH],
                                         const int64_t index[F64XN_WIDTH], f64xn rest) {
  const double *source[F64XN_WIDTH];
  for (int k = 0; k < F64XN_WIDTH; k++) source[k] = from + index[k];
  return f64xn_select(mask, f64xn_gather(source), rest);
}

enum { F32XN_WIDTH = 4 };

typedef __m128 f32xn;
typedef __m128 f32x4;

static inline f32x4 f32x4_load(const float *x) { return _mm_loadu_ps(x); }
static inline f32x4 f32x4_of_doubles(const double *x) {
  return _mm_movelh_ps(_mm_cvtpd_ps(_mm_loadu_pd(x)), _mm_cvtpd_ps(_mm_loadu_pd(x + 2)));
}
static inline f32x4 f32x4_of_difference(const double *x, const double *y) {
  return _mm_movelh_ps(_mm_cvtpd_ps(_mm_sub_pd(_mm_loadu_pd(x), _mm_loadu_pd(y))),
                       _mm_cvtpd_ps(_mm_sub_pd(_mm_loadu_pd(x + 2), _mm_loadu_pd(y + 2))));
}

static inline void f32xn_transpose(const f32x4 quad[F32XN_WIDTH], f32xn row[4]) {
  f32xn low01 = _mm_unpacklo_ps(quad[0], quad[1]), low23 = _mm_unpacklo_ps(quad[2], quad[3]);
  f32xn high01 = _mm_unpackhi_ps(quad[0], quad[1]), high23 = _mm_unpackhi_ps(quad[2], quad[3]);
  row[0] = _mm_movelh_ps(low01, low23), row[1] = _mm_movehl_ps(low23, low01);
  row[2] = _mm_movelh_ps(high01, high23), row[3] = _mm_movehl_ps(high23, high01);
}

static inline f32xn f32xn_all(float x) { return _mm_set1_ps(x); }
static inline f32xn f32xn_load(const float *from) { return _mm_loadu_ps(from); }
static inline void f32xn_store(float *to, f32xn x) { _mm_storeu_ps(to, x); }
static inline f32xn f32xn_max(f32xn x, f32xn y) { return _mm_max_ps(x, y); }
static inline f32xn f32xn_min(f32xn x, f32xn y) { return _mm_min_ps(x, y); }
static inline f32xn f32xn_abs(f32xn x) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), x); }
static inline f32xn f32xn_sqrt(f32xn x) { return _mm_sqrt_ps(x); }
static inline f32xn f32xn_select_less(f32xn x, f32xn y, f32xn yes, f32xn no) {
  const f32xn less = _mm_cmplt_ps(x, y);
  return _mm_or_ps(_mm_and_ps(less, yes), _mm_andnot_ps(less, no));
}
static inline unsigned f32xn_less_bits(f32xn x, f32xn y) { return (unsigned)_mm_movemask_ps(_mm_cmplt_ps(x, y)); }

#endif

#endif
