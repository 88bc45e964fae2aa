/* The support vertex by brute force: all dot products, four (AVX2) or eight (AVX-512) at a time.
 *
 * Vertices are loaded from the caller's array, x y z x y z …, and transposed in registers. The values of a chunk stay
 * in registers. A mask of the values that equal the maximum then gives the first index, without an unpredictable
 * branch. */
#include "simd/argmax.h"

/* One vertex after the other. */
static size_t argmax_scalar(const graze_vec *vertices, size_t count, graze_vec direction) {
  size_t best = 0;
  double most = -__builtin_inf();
  for (size_t i = 0; i < count; i++) {
    const double value = vec_dot(vertices[i], direction);
    best ^= (best ^ i) & (0 - (size_t)(value > most)); /* a branch could not be predicted */
    most = real_max(value, most);
  }
  return best;
}

#if defined(__GNUC__) && defined(__x86_64__) && !defined(GRAZE_NO_SIMD)
#include <immintrin.h>

enum { ARGMAX_CHUNK = 64 };

typedef struct argmax_best {
  double most;
  size_t index;
} argmax_best;

/* Pads the last vertices to a full register with copies of the last one. A copy comes after its original, so it never
 * is the first maximum. */
static const graze_vec *argmax_fill(graze_vec *filled, const graze_vec *vertices, size_t count, size_t width) {
  for (size_t i = 0; i < width; i++) filled[i] = vertices[i < count ? i : count - 1];
  return filled;
}

__attribute__((target("avx2"))) static inline __m256d argmax_values4(const double *p, __m256d dx, __m256d dy,
                                                                     __m256d dz) {
  __m256d r0 = _mm256_loadu_pd(p), r1 = _mm256_loadu_pd(p + 4), r2 = _mm256_loadu_pd(p + 8);
  __m256d m0 = _mm256_blend_pd(r0, r1, 12), m1 = _mm256_permute2f128_pd(r0, r2, 0x21), m2 = _mm256_blend_pd(r1, r2, 12);
  __m256d x = _mm256_shuffle_pd(m0, m1, 10), y = _mm256_shuffle_pd(m0, m2, 5), z = _mm256_shuffle_pd(m1, m2, 10);
  return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, dx), _mm256_mul_pd(y, dy)), _mm256_mul_pd(z, dz));
}

__attribute__((target("avx2"))) static argmax_best argmax_chunk4(const graze_vec *v, size_t count, graze_vec d) {
  const __m256d dx = _mm256_set1_pd(d.x), dy = _mm256_set1_pd(d.y), dz = _mm256_set1_pd(d.z);
  __m256d value[ARGMAX_CHUNK / 4], most = _mm256_set1_pd(-__builtin_inf());
  graze_vec filled[4];
  size_t blocks = (count + 3) / 4;
  for (size_t k = 0; k < blocks; k++) {
    const graze_vec *from = 4 * k + 4 <= count ? v + 4 * k : argmax_fill(filled, v + 4 * k, count - 4 * k, 4);
    value[k] = argmax_values4(&from->x, dx, dy, dz);
    most = _mm256_max_pd(value[k], most);
  }
  most = _mm256_max_pd(most, _mm256_permute2f128_pd(most, most, 1));
  most = _mm256_max_pd(most, _mm256_permute_pd(most, 5));
  uint64_t at = 0;
  for (size_t k = 0; k < blocks; k++) {
    at |= (uint64_t)_mm256_movemask_pd(_mm256_cmp_pd(value[k], most, _CMP_EQ_OQ)) << 4 * k;
  }
  argmax_best best = {_mm256_cvtsd_f64(most), (size_t)__builtin_ctzll(at)};
  return best;
}

__attribute__((target("avx512f"))) static inline __m512d argmax_values8(const double *p, __m512d dx, __m512d dy,
                                                                        __m512d dz) {
  /* x0 y0 z0 x1 y1 z1 x2 y2 | z2 x3 y3 z3 x4 y4 z4 x5 | y5 z5 x6 y6 z6 x7 y7 z7 */
  const __m512i x01 = _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0), x2 = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13);
  const __m512i y01 = _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0), y2 = _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14);
  const __m512i z01 = _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0), z2 = _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15);
  __m512d r0 = _mm512_loadu_pd(p), r1 = _mm512_loadu_pd(p + 8), r2 = _mm512_loadu_pd(p + 16);
  __m512d x = _mm512_permutex2var_pd(_mm512_permutex2var_pd(r0, x01, r1), x2, r2);
  __m512d y = _mm512_permutex2var_pd(_mm512_permutex2var_pd(r0, y01, r1), y2, r2);
  __m512d z = _mm512_permutex2var_pd(_mm512_permutex2var_pd(r0, z01, r1), z2, r2);
  return _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(x, dx), _mm512_mul_pd(y, dy)), _mm512_mul_pd(z, dz));
}

__attribute__((target("avx512f"))) static argmax_best argmax_chunk8(const graze_vec *v, size_t count, graze_vec d) {
  const __m512d dx = _mm512_set1_pd(d.x), dy = _mm512_set1_pd(d.y), dz = _mm512_set1_pd(d.z);
  __m512d value[ARGMAX_CHUNK / 8], most = _mm512_set1_pd(-__builtin_inf());
  graze_vec filled[8];
  size_t blocks = (count + 7) / 8;
  for (size_t k = 0; k < blocks; k++) {
    const graze_vec *from = 8 * k + 8 <= count ? v + 8 * k : argmax_fill(filled, v + 8 * k, count - 8 * k, 8);
    value[k] = argmax_values8(&from->x, dx, dy, dz);
    most = _mm512_max_pd(value[k], most);
  }
  most = _mm512_max_pd(most, _mm512_shuffle_f64x2(most, most, 0x4E));
  most = _mm512_max_pd(most, _mm512_shuffle_f64x2(most, most, 0xB1));
  most = _mm512_max_pd(most, _mm512_permute_pd(most, 0x55));
  uint64_t at = 0;
  for (size_t k = 0; k < blocks; k++) { at |= (uint64_t)_mm512_cmp_pd_mask(value[k], most, _CMP_EQ_OQ) << 8 * k; }
  argmax_best best = {_mm512_cvtsd_f64(most), (size_t)__builtin_ctzll(at)};
  return best;
}

bool grz_argmax_supported(int width) {
  return width == 1 || (width == 4 && __builtin_cpu_supports("avx2")) ||
         (width == 8 && __builtin_cpu_supports("avx512f"));
}

size_t grz_argmax_simd(int width, const graze_vec *vertices, size_t count, graze_vec direction) {
  if (width == 1) return argmax_scalar(vertices, count, direction);
  argmax_best best = {-__builtin_inf(), 0};
  for (size_t from = 0; from < count; from += ARGMAX_CHUNK) {
    size_t some = count - from < ARGMAX_CHUNK ? count - from : ARGMAX_CHUNK;
    argmax_best next =
        width == 8 ? argmax_chunk8(vertices + from, some, direction) : argmax_chunk4(vertices + from, some, direction);
    if (next.most > best.most) best.most = next.most, best.index = from + next.index;
  }
  return best.index;
}

#else

bool grz_argmax_supported(int width) { return width == 1; }

size_t grz_argmax_simd(int width, const graze_vec *vertices, size_t count, graze_vec direction) {
  (void)width;
  return argmax_scalar(vertices, count, direction);
}

#endif

size_t grz_argmax(const graze_vec *vertices, size_t count, graze_vec direction) {
  int width = count < GRZ_ARGMAX_SIMD_MIN ? 1 : grz_argmax_supported(8) ? 8 : grz_argmax_supported(4) ? 4 : 1;
  return grz_argmax_simd(width, vertices, count, direction);
}
