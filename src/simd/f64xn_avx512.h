/* The SIMD type f64xn for AVX-512 (F and DQ), with 8 doubles or 16 floats. The functions are documented in
 * f64xn_portable.h. Loads and stores of floats are missing: only the tree uses them, and its nodes have eight children.
 */
#ifndef GRAZE_SIMD_F64XN_AVX512_H
#define GRAZE_SIMD_F64XN_AVX512_H

#include "simd/isa.h"
#include "core/vec.h"

#ifdef GRZ_SIMD_X86

enum { F64XN_WIDTH = 8 };

typedef __m512d f64xn;
typedef __mmask8 f64xn_mask;

static inline f64xn f64xn_all(double x) { return _mm512_set1_pd(x); }
static inline f64xn f64xn_gather(const double *const from[F64XN_WIDTH]) {
  return _mm512_setr_pd(*from[0], *from[1], *from[2], *from[3], *from[4], *from[5], *from[6], *from[7]);
}

/* p[0 … 3], then q[0 … 3]. */
static inline f64xn f64xn_join(const double *p, const double *q) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p)), _mm256_loadu_pd(q), 1);
}

static inline void f64xn_load_pairs(const double *const from[F64XN_WIDTH], f64xn *x, f64xn *y) {
  f64xn half[2]; /* half[i]: the pairs of from[i], from[i + 2], from[i + 4] and from[i + 6] */
  for (int i = 0; i < 2; i++) {
    half[i] = _mm512_castpd128_pd512(_mm_loadu_pd(from[i]));
    half[i] = _mm512_insertf64x2(half[i], _mm_loadu_pd(from[i + 2]), 1);
    half[i] = _mm512_insertf64x2(half[i], _mm_loadu_pd(from[i + 4]), 2);
    half[i] = _mm512_insertf64x2(half[i], _mm_loadu_pd(from[i + 6]), 3);
  }
  *x = _mm512_unpacklo_pd(half[0], half[1]), *y = _mm512_unpackhi_pd(half[0], half[1]);
}

static inline void f64xn_load_columns(const double *const from[F64XN_WIDTH], f64xn row[4]) {
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  f64xn p0 = f64xn_join(from[0], from[4]), p1 = f64xn_join(from[1], from[5]), p2 = f64xn_join(from[2], from[6]),
        p3 = f64xn_join(from[3], from[7]);
  f64xn x01 = _mm512_unpacklo_pd(p0, p1), y01 = _mm512_unpackhi_pd(p0, p1); /* x0 x1 z0 z1 x4 x5 z4 z5; y and w alike */
  f64xn x23 = _mm512_unpacklo_pd(p2, p3), y23 = _mm512_unpackhi_pd(p2, p3);
  row[0] = _mm512_permutex2var_pd(x01, low, x23), row[1] = _mm512_permutex2var_pd(y01, low, y23);
  row[2] = _mm512_permutex2var_pd(x01, high, x23), row[3] = _mm512_permutex2var_pd(y01, high, y23);
}

static inline f64xn f64xn_load(const double *from) { return _mm512_loadu_pd(from); }
static inline void f64xn_store(double *to, f64xn x) { _mm512_storeu_pd(to, x); }

static inline f64xn_mask f64xn_less(f64xn x, f64xn y) { return _mm512_cmp_pd_mask(x, y, _CMP_LT_OQ); }
static inline f64xn_mask f64xn_equal(f64xn x, f64xn y) { return _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ); }
static inline f64xn_mask f64xn_and(f64xn_mask p, f64xn_mask q) { return _kand_mask8(p, q); }
static inline f64xn_mask f64xn_or(f64xn_mask p, f64xn_mask q) { return _kor_mask8(p, q); }
static inline f64xn_mask f64xn_and_not(f64xn_mask p, f64xn_mask q) { return _kandn_mask8(q, p); }
static inline unsigned f64xn_mask_bits(f64xn_mask p) { return _cvtmask8_u32(p); }
static inline f64xn_mask f64xn_mask_of_bits(unsigned bits) { return _cvtu32_mask8(bits); }

static inline f64xn f64xn_select(f64xn_mask p, f64xn yes, f64xn no) { return _mm512_mask_blend_pd(p, no, yes); }
static inline f64xn f64xn_max(f64xn x, f64xn y) { return _mm512_max_pd(x, y); }
static inline f64xn f64xn_min(f64xn x, f64xn y) { return _mm512_min_pd(x, y); }
static inline f64xn f64xn_abs(f64xn x) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), x); }
static inline f64xn f64xn_sqrt(f64xn x) { return _mm512_sqrt_pd(x); }
static inline double f64xn_reduce_max(f64xn x) {
  x = _mm512_max_pd(x, _mm512_shuffle_f64x2(x, x, 0x4e));
  x = _mm512_max_pd(x, _mm512_shuffle_f64x2(x, x, 0xb1));
  return _mm512_cvtsd_f64(_mm512_max_pd(x, _mm512_permute_pd(x, 0x55)));
}

static inline f64xn f64xn_permute_masked(f64xn_mask mask, const double from[F64XN_WIDTH],
                                         const int64_t index[F64XN_WIDTH], f64xn rest) {
  return _mm512_mask_permutexvar_pd(rest, mask, _mm512_loadu_si512(index), _mm512_loadu_pd(from));
}

enum { F32XN_WIDTH = 16 };

typedef __m512 f32xn;
typedef __m128 f32x4;

static inline f32x4 f32x4_load(const float *x) { return _mm_loadu_ps(x); }
static inline f32x4 f32x4_of_doubles(const double *x) { return _mm256_cvtpd_ps(_mm256_loadu_pd(x)); }
static inline f32x4 f32x4_of_difference(const double *x, const double *y) {
  return _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(y)));
}

/* quad[i], quad[i + 4], quad[i + 8], quad[i + 12]. */
static inline f32xn f32xn_join(const f32x4 quad[F32XN_WIDTH], int i) {
  __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(quad[i]), quad[i + 4], 1);
  __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(quad[i + 8]), quad[i + 12], 1);
  return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

static inline void f32xn_transpose(const f32x4 quad[F32XN_WIDTH], f32xn row[4]) {
  f32xn p[4];
  for (int i = 0; i < 4; i++) p[i] = f32xn_join(quad, i);
  f32xn low01 = _mm512_unpacklo_ps(p[0], p[1]), low23 = _mm512_unpacklo_ps(p[2], p[3]);
  f32xn high01 = _mm512_unpackhi_ps(p[0], p[1]), high23 = _mm512_unpackhi_ps(p[2], p[3]);
  row[0] = _mm512_shuffle_ps(low01, low23, 0x44), row[1] = _mm512_shuffle_ps(low01, low23, 0xee);
  row[2] = _mm512_shuffle_ps(high01, high23, 0x44), row[3] = _mm512_shuffle_ps(high01, high23, 0xee);
}

static inline f32xn f32xn_all(float x) { return _mm512_set1_ps(x); }
static inline f32xn f32xn_max(f32xn x, f32xn y) { return _mm512_max_ps(x, y); }
static inline f32xn f32xn_abs(f32xn x) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), x); }
static inline unsigned f32xn_less_bits(f32xn x, f32xn y) { return _mm512_cmp_ps_mask(x, y, _CMP_LT_OQ); }

#endif

#endif
