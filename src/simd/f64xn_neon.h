/* Two lanes: the NEON of 64-bit ARM. What the names mean: wide_portable.h. */
#ifndef GRAZE_SIMD_F64XN_NEON_H
#define GRAZE_SIMD_F64XN_NEON_H

#include "simd/isa.h"
#include "core/vec.h"

#ifdef GRZ_SIMD_NEON

#define LANES 2

typedef float64x2_t lane_d;
typedef uint64x2_t lane_m;

static inline lane_d lane_all(double x) { return vdupq_n_f64(x); }
static inline lane_d lane_gather(const double *const at[LANES]) {
  return vcombine_f64(vld1_f64(at[0]), vld1_f64(at[1]));
}

static inline void lane_rows(const double *const at[LANES], lane_d row[4]) {
  for (int i = 0; i < 4; i += 2) {
    lane_d p = vld1q_f64(at[0] + i), q = vld1q_f64(at[1] + i);
    row[i] = vzip1q_f64(p, q), row[i + 1] = vzip2q_f64(p, q);
  }
}

static inline lane_d lane_load(const double *from) { return vld1q_f64(from); }
static inline void lane_store(double *to, lane_d x) { vst1q_f64(to, x); }

static inline lane_m lane_less(lane_d x, lane_d y) { return vcltq_f64(x, y); }
static inline lane_m lane_same(lane_d x, lane_d y) { return vceqq_f64(x, y); }
static inline lane_m lane_both(lane_m p, lane_m q) { return vandq_u64(p, q); }
static inline lane_m lane_either(lane_m p, lane_m q) { return vorrq_u64(p, q); }
static inline lane_m lane_but(lane_m p, lane_m q) { return vbicq_u64(p, q); }
static inline unsigned lane_bits(lane_m p) {
  return (unsigned)(vgetq_lane_u64(p, 0) & 1) | (unsigned)(vgetq_lane_u64(p, 1) & 2);
}
static inline lane_m lane_mask(unsigned bits) {
  return vcombine_u64(vcreate_u64(0 - (uint64_t)(bits & 1)), vcreate_u64(0 - (uint64_t)(bits >> 1 & 1)));
}

/* Not by vmaxq_f64(), which thinks otherwise of zeros and of what is no number. */
static inline lane_d lane_pick(lane_m p, lane_d yes, lane_d no) { return vbslq_f64(p, yes, no); }
static inline lane_d lane_max(lane_d x, lane_d y) { return vbslq_f64(vcgtq_f64(x, y), x, y); }
static inline lane_d lane_min(lane_d x, lane_d y) { return vbslq_f64(vcltq_f64(x, y), x, y); }
static inline lane_d lane_abs(lane_d x) { return vabsq_f64(x); }
static inline lane_d lane_sqrt(lane_d x) { return vsqrtq_f64(x); }
static inline double lane_most(lane_d x) { return real_max(vgetq_lane_f64(x, 0), vgetq_lane_f64(x, 1)); }

static inline lane_d lane_take(lane_m take, const double from[LANES], const int64_t column[LANES], lane_d rest) {
  const double *at[LANES];
  for (int k = 0; k < LANES; k++) at[k] = from + column[k];
  return lane_pick(take, lane_gather(at), rest);
}

#define FLANES 4

typedef float32x4_t lane_f;
typedef float32x4_t lane_quad;

static inline lane_quad lane_quad_floats(const float *x) { return vld1q_f32(x); }
static inline lane_quad lane_quad_doubles(const double *x) {
  return vcombine_f32(vcvt_f32_f64(vld1q_f64(x)), vcvt_f32_f64(vld1q_f64(x + 2)));
}
static inline lane_quad lane_quad_less(const double *x, const double *y) {
  return vcombine_f32(vcvt_f32_f64(vsubq_f64(vld1q_f64(x), vld1q_f64(y))),
                      vcvt_f32_f64(vsubq_f64(vld1q_f64(x + 2), vld1q_f64(y + 2))));
}

static inline void lane_turn(const lane_quad quad[FLANES], lane_f row[4]) {
  float32x4x2_t even = vzipq_f32(quad[0], quad[2]), odd = vzipq_f32(quad[1], quad[3]);
  float32x4x2_t low = vzipq_f32(even.val[0], odd.val[0]), high = vzipq_f32(even.val[1], odd.val[1]);
  row[0] = low.val[0], row[1] = low.val[1], row[2] = high.val[0], row[3] = high.val[1];
}

static inline lane_f lanef_all(float x) { return vdupq_n_f32(x); }
static inline lane_f lanef_load(const float *from) { return vld1q_f32(from); }
static inline void lanef_store(float *to, lane_f x) { vst1q_f32(to, x); }
static inline lane_f lanef_max(lane_f x, lane_f y) { return vbslq_f32(vcgtq_f32(x, y), x, y); }
static inline lane_f lanef_min(lane_f x, lane_f y) { return vbslq_f32(vcltq_f32(x, y), x, y); }
static inline lane_f lanef_abs(lane_f x) { return vabsq_f32(x); }
static inline unsigned lanef_less(lane_f x, lane_f y) {
  const uint32_t bit[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(vcltq_f32(x, y), vld1q_u32(bit)));
}

#endif

#endif
