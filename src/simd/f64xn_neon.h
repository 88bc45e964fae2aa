/* The SIMD type f64xn for NEON of 64-bit ARM, with 2 doubles or 4 floats. The functions are documented in
 * f64xn_portable.h. */
#ifndef GRAZE_SIMD_F64XN_NEON_H
#define GRAZE_SIMD_F64XN_NEON_H

#include "simd/isa.h"
#include "core/vec.h"

#ifdef GRZ_SIMD_NEON

enum { F64XN_WIDTH = 2 };

typedef float64x2_t f64xn;
typedef uint64x2_t f64xn_mask;

static inline f64xn f64xn_all(double x) { return vdupq_n_f64(x); }
static inline f64xn f64xn_gather(const double *const from[F64XN_WIDTH]) {
  return vcombine_f64(vld1_f64(from[0]), vld1_f64(from[1]));
}

static inline void f64xn_load_pairs(const double *const from[F64XN_WIDTH], f64xn *x, f64xn *y) {
  const f64xn p = vld1q_f64(from[0]), q = vld1q_f64(from[1]);
  *x = vzip1q_f64(p, q), *y = vzip2q_f64(p, q);
}

static inline void f64xn_load_columns(const double *const from[F64XN_WIDTH], f64xn row[4]) {
  for (int i = 0; i < 4; i += 2) {
    f64xn p = vld1q_f64(from[0] + i), q = vld1q_f64(from[1] + i);
    row[i] = vzip1q_f64(p, q), row[i + 1] = vzip2q_f64(p, q);
  }
}

static inline f64xn f64xn_load(const double *from) { return vld1q_f64(from); }
static inline void f64xn_store(double *to, f64xn x) { vst1q_f64(to, x); }

static inline f64xn_mask f64xn_less(f64xn x, f64xn y) { return vcltq_f64(x, y); }
static inline f64xn_mask f64xn_equal(f64xn x, f64xn y) { return vceqq_f64(x, y); }
static inline f64xn_mask f64xn_and(f64xn_mask p, f64xn_mask q) { return vandq_u64(p, q); }
static inline f64xn_mask f64xn_or(f64xn_mask p, f64xn_mask q) { return vorrq_u64(p, q); }
static inline f64xn_mask f64xn_and_not(f64xn_mask p, f64xn_mask q) { return vbicq_u64(p, q); }
static inline unsigned f64xn_mask_bits(f64xn_mask p) {
  return (unsigned)(vgetq_lane_u64(p, 0) & 1) | (unsigned)(vgetq_lane_u64(p, 1) & 2);
}
static inline f64xn_mask f64xn_mask_of_bits(unsigned bits) {
  return vcombine_u64(vcreate_u64(0 - (uint64_t)(bits & 1)), vcreate_u64(0 - (uint64_t)(bits >> 1 & 1)));
}

/* vmaxq_f64() treats signed zeros and NaN differently from x86, so maximum and minimum are compare and select. */
static inline f64xn f64xn_select(f64xn_mask p, f64xn yes, f64xn no) { return vbslq_f64(p, yes, no); }
static inline f64xn f64xn_max(f64xn x, f64xn y) { return vbslq_f64(vcgtq_f64(x, y), x, y); }
static inline f64xn f64xn_min(f64xn x, f64xn y) { return vbslq_f64(vcltq_f64(x, y), x, y); }
static inline f64xn f64xn_abs(f64xn x) { return vabsq_f64(x); }
static inline f64xn f64xn_sqrt(f64xn x) { return vsqrtq_f64(x); }
static inline double f64xn_reduce_max(f64xn x) { return real_max(vgetq_lane_f64(x, 0), vgetq_lane_f64(x, 1)); }

static inline f64xn f64xn_permute_masked(f64xn_mask mask, const double from[F64XN_WIDTH],
                                         const int64_t index[F64XN_WIDTH], f64xn rest) {
  const double *source[F64XN_WIDTH];
  for (int k = 0; k < F64XN_WIDTH; k++) source[k] = from + index[k];
  return f64xn_select(mask, f64xn_gather(source), rest);
}

enum { F32XN_WIDTH = 4 };

typedef float32x4_t f32xn;
typedef float32x4_t f32x4;

static inline f32x4 f32x4_load(const float *x) { return vld1q_f32(x); }
static inline f32x4 f32x4_of_doubles(const double *x) {
  return vcombine_f32(vcvt_f32_f64(vld1q_f64(x)), vcvt_f32_f64(vld1q_f64(x + 2)));
}
static inline f32x4 f32x4_of_difference(const double *x, const double *y) {
  return vcombine_f32(vcvt_f32_f64(vsubq_f64(vld1q_f64(x), vld1q_f64(y))),
                      vcvt_f32_f64(vsubq_f64(vld1q_f64(x + 2), vld1q_f64(y + 2))));
}

static inline void f32xn_transpose(const f32x4 quad[F32XN_WIDTH], f32xn row[4]) {
  float32x4x2_t even = vzipq_f32(quad[0], quad[2]), odd = vzipq_f32(quad[1], quad[3]);
  float32x4x2_t low = vzipq_f32(even.val[0], odd.val[0]), high = vzipq_f32(even.val[1], odd.val[1]);
  row[0] = low.val[0], row[1] = low.val[1], row[2] = high.val[0], row[3] = high.val[1];
}

static inline f32xn f32xn_all(float x) { return vdupq_n_f32(x); }
static inline f32xn f32xn_load(const float *from) { return vld1q_f32(from); }
static inline void f32xn_store(float *to, f32xn x) { vst1q_f32(to, x); }
static inline f32xn f32xn_max(f32xn x, f32xn y) { return vbslq_f32(vcgtq_f32(x, y), x, y); }
static inline f32xn f32xn_min(f32xn x, f32xn y) { return vbslq_f32(vcltq_f32(x, y), x, y); }
static inline f32xn f32xn_abs(f32xn x) { return vabsq_f32(x); }
static inline f32xn f32xn_sqrt(f32xn x) { return vsqrtq_f32(x); }
static inline f32xn f32xn_select_less(f32xn x, f32xn y, f32xn yes, f32xn no) {
  return vbslq_f32(vcltq_f32(x, y), yes, no);
}
static inline unsigned f32xn_less_bits(f32xn x, f32xn y) {
  const uint32_t bit[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(vcltq_f32(x, y), vld1q_u32(bit)));
}

#endif

#endif
