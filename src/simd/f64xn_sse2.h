/* Two lanes: SSE2, which every x86-64 has. What the names mean: wide_portable.h. */
#ifndef GRAZE_SIMD_F64XN_SSE2_H
#define GRAZE_SIMD_F64XN_SSE2_H

#include "simd/isa.h"
#include "core/vec.h"

#ifdef GRZ_SIMD_X86

#define LANES 2

typedef __m128d lane_d;
typedef __m128d lane_m;

static inline lane_d lane_all(double x) { return _mm_set1_pd(x); }
static inline lane_d lane_gather(const double *const at[LANES]) { return _mm_setr_pd(*at[0], *at[1]); }

static inline void lane_rows(const double *const at[LANES], lane_d row[4]) {
  for (int i = 0; i < 4; i += 2) {
    lane_d p = _mm_loadu_pd(at[0] + i), q = _mm_loadu_pd(at[1] + i);
    row[i] = _mm_unpacklo_pd(p, q), row[i + 1] = _mm_unpackhi_pd(p, q);
  }
}

static inline lane_d lane_load(const double *from) { return _mm_loadu_pd(from); }
static inline void lane_store(double *to, lane_d x) { _mm_storeu_pd(to, x); }

static inline lane_m lane_less(lane_d x, lane_d y) { return _mm_cmplt_pd(x, y); }
static inline lane_m lane_same(lane_d x, lane_d y) { return _mm_cmpeq_pd(x, y); }
static inline lane_m lane_both(lane_m p, lane_m q) { return _mm_and_pd(p, q); }
static inline lane_m lane_either(lane_m p, lane_m q) { return _mm_or_pd(p, q); }
static inline lane_m lane_but(lane_m p, lane_m q) { return _mm_andnot_pd(q, p); }
static inline unsigned lane_bits(lane_m p) { return (unsigned)_mm_movemask_pd(p); }
static inline lane_m lane_mask(unsigned bits) {
  return _mm_castsi128_pd(_mm_set_epi64x(-(int64_t)(bits >> 1 & 1), -(int64_t)(bits & 1)));
}

static inline lane_d lane_pick(lane_m p, lane_d yes, lane_d no) {
  return _mm_or_pd(_mm_and_pd(p, yes), _mm_andnot_pd(p, no));
}
static inline lane_d lane_max(lane_d x, lane_d y) { return _mm_max_pd(x, y); }
static inline lane_d lane_min(lane_d x, lane_d y) { return _mm_min_pd(x, y); }
static inline lane_d lane_abs(lane_d x) { return _mm_andnot_pd(_mm_set1_pd(-0.0), x); }
static inline lane_d lane_sqrt(lane_d x) { return _mm_sqrt_pd(x); }
static inline double lane_most(lane_d x) { return _mm_cvtsd_f64(_mm_max_pd(x, _mm_unpackhi_pd(x, x))); }

static inline lane_d lane_take(lane_m take, const double from[LANES], const int64_t column[LANES], lane_d rest) {
  const double *at[LANES];
  for (int k = 0; k < LANES; k++) at[k] = from + column[k];
  return lane_pick(take, lane_gather(at), rest);
}

#define FLANES 4

typedef __m128 lane_f;
typedef __m128 lane_quad;

static inline lane_quad lane_quad_floats(const float *x) { return _mm_loadu_ps(x); }
static inline lane_quad lane_quad_doubles(const double *x) {
  return _mm_movelh_ps(_mm_cvtpd_ps(_mm_loadu_pd(x)), _mm_cvtpd_ps(_mm_loadu_pd(x + 2)));
}
static inline lane_quad lane_quad_less(const double *x, const double *y) {
  return _mm_movelh_ps(_mm_cvtpd_ps(_mm_sub_pd(_mm_loadu_pd(x), _mm_loadu_pd(y))),
                       _mm_cvtpd_ps(_mm_sub_pd(_mm_loadu_pd(x + 2), _mm_loadu_pd(y + 2))));
}

static inline void lane_turn(const lane_quad quad[FLANES], lane_f row[4]) {
  lane_f low01 = _mm_unpacklo_ps(quad[0], quad[1]), low23 = _mm_unpacklo_ps(quad[2], quad[3]);
  lane_f high01 = _mm_unpackhi_ps(quad[0], quad[1]), high23 = _mm_unpackhi_ps(quad[2], quad[3]);
  row[0] = _mm_movelh_ps(low01, low23), row[1] = _mm_movehl_ps(low23, low01);
  row[2] = _mm_movelh_ps(high01, high23), row[3] = _mm_movehl_ps(high23, high01);
}

static inline lane_f lanef_all(float x) { return _mm_set1_ps(x); }
static inline lane_f lanef_load(const float *from) { return _mm_loadu_ps(from); }
static inline void lanef_store(float *to, lane_f x) { _mm_storeu_ps(to, x); }
static inline lane_f lanef_max(lane_f x, lane_f y) { return _mm_max_ps(x, y); }
static inline lane_f lanef_min(lane_f x, lane_f y) { return _mm_min_ps(x, y); }
static inline lane_f lanef_abs(lane_f x) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), x); }
static inline unsigned lanef_less(lane_f x, lane_f y) { return (unsigned)_mm_movemask_ps(_mm_cmplt_ps(x, y)); }

#endif

#endif
