/* Brute-force support: all dot products, four (AVX2) or eight (AVX-512) at a time. Vertices are read as they lie in the
 * caller's array, x y z x y z …, and transposed in registers. */
#include "lanes/argmax.h"

#include "math/vec.h"

/* The farthest of vertices[from … count-1] and vertices[best]; best < from, or from = 0. */
static size_t argmax_rest(const graze_vec *vertices, size_t from, size_t count, graze_vec direction, size_t best) {
  double most = vec_dot(vertices[best], direction);
  for (size_t i = from; i < count; i++) {
    double value = vec_dot(vertices[i], direction);
    if (value > most) most = value, best = i;
  }
  return best;
}

#if defined(__GNUC__) && defined(__x86_64__) && !defined(GRAZE_NO_SIMD)
#include <immintrin.h>

/* Lanes hold their own maxima and the first index that reached them; the earliest index wins among equal lanes. */
static size_t argmax_first(const double *value, const double *index, int lanes) {
  int best = 0;
  for (int i = 1; i < lanes; i++) {
    if (value[i] > value[best] || (value[i] == value[best] && index[i] < index[best])) best = i;
  }
  return (size_t)index[best];
}

__attribute__((target("avx2"))) static size_t argmax_avx2(const graze_vec *vertices, size_t count,
                                                          graze_vec direction) {
  const __m256d dx = _mm256_set1_pd(direction.x), dy = _mm256_set1_pd(direction.y), dz = _mm256_set1_pd(direction.z);
  const __m256d four = _mm256_set1_pd(4);
  __m256d index = _mm256_setr_pd(0, 1, 2, 3), best = index, most = _mm256_set1_pd(-__builtin_inf());
  const double *p = &vertices[0].x;
  size_t blocks = count / 4;
  for (size_t k = 0; k < blocks; k++, p += 12) {
    __m256d r0 = _mm256_loadu_pd(p), r1 = _mm256_loadu_pd(p + 4), r2 = _mm256_loadu_pd(p + 8);
    __m256d m0 = _mm256_blend_pd(r0, r1, 12), m1 = _mm256_permute2f128_pd(r0, r2, 0x21),
            m2 = _mm256_blend_pd(r1, r2, 12);
    __m256d x = _mm256_shuffle_pd(m0, m1, 10), y = _mm256_shuffle_pd(m0, m2, 5), z = _mm256_shuffle_pd(m1, m2, 10);
    __m256d sum = _mm256_add_pd(_mm256_mul_pd(x, dx), _mm256_mul_pd(y, dy));
    __m256d value = _mm256_add_pd(sum, _mm256_mul_pd(z, dz));
    best = _mm256_blendv_pd(best, index, _mm256_cmp_pd(value, most, _CMP_GT_OQ));
    most = _mm256_max_pd(value, most);
    index = _mm256_add_pd(index, four);
  }
  double values[4], indices[4];
  _mm256_storeu_pd(values, most);
  _mm256_storeu_pd(indices, best);
  return argmax_rest(vertices, blocks * 4, count, direction, argmax_first(values, indices, 4));
}

__attribute__((target("avx512f"))) static size_t argmax_avx512(const graze_vec *vertices, size_t count,
                                                               graze_vec direction) {
  const __m512d dx = _mm512_set1_pd(direction.x), dy = _mm512_set1_pd(direction.y), dz = _mm512_set1_pd(direction.z);
  /* x0 y0 z0 x1 y1 z1 x2 y2 | z2 x3 y3 z3 x4 y4 z4 x5 | y5 z5 x6 y6 z6 x7 y7 z7 */
  const __m512i x01 = _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0), x2 = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13);
  const __m512i y01 = _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0), y2 = _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14);
  const __m512i z01 = _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0), z2 = _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15);
  const __m512d eight = _mm512_set1_pd(8);
  __m512d index = _mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7), best = index, most = _mm512_set1_pd(-__builtin_inf());
  const double *p = &vertices[0].x;
  size_t blocks = count / 8;
  for (size_t k = 0; k < blocks; k++, p += 24) {
    __m512d r0 = _mm512_loadu_pd(p), r1 = _mm512_loadu_pd(p + 8), r2 = _mm512_loadu_pd(p + 16);
    __m512d x = _mm512_permutex2var_pd(_mm512_permutex2var_pd(r0, x01, r1), x2, r2);
    __m512d y = _mm512_permutex2var_pd(_mm512_permutex2var_pd(r0, y01, r1), y2, r2);
    __m512d z = _mm512_permutex2var_pd(_mm512_permutex2var_pd(r0, z01, r1), z2, r2);
    __m512d sum = _mm512_add_pd(_mm512_mul_pd(x, dx), _mm512_mul_pd(y, dy));
    __m512d value = _mm512_add_pd(sum, _mm512_mul_pd(z, dz));
    best = _mm512_mask_mov_pd(best, _mm512_cmp_pd_mask(value, most, _CMP_GT_OQ), index);
    most = _mm512_max_pd(value, most);
    index = _mm512_add_pd(index, eight);
  }
  double values[8], indices[8];
  _mm512_storeu_pd(values, most);
  _mm512_storeu_pd(indices, best);
  return argmax_rest(vertices, blocks * 8, count, direction, argmax_first(values, indices, 8));
}

bool grz_lanes_supported(int lanes) {
  return lanes == 1 || (lanes == 4 && __builtin_cpu_supports("avx2")) ||
         (lanes == 8 && __builtin_cpu_supports("avx512f"));
}

size_t grz_argmax_lanes(int lanes, const graze_vec *vertices, size_t count, graze_vec direction) {
  if (lanes == 8) return argmax_avx512(vertices, count, direction);
  if (lanes == 4) return argmax_avx2(vertices, count, direction);
  return argmax_rest(vertices, 0, count, direction, 0);
}

#else

bool grz_lanes_supported(int lanes) { return lanes == 1; }

size_t grz_argmax_lanes(int lanes, const graze_vec *vertices, size_t count, graze_vec direction) {
  (void)lanes;
  return argmax_rest(vertices, 0, count, direction, 0);
}

#endif

size_t grz_argmax(const graze_vec *vertices, size_t count, graze_vec direction) {
  int lanes = count >= 24 && grz_lanes_supported(8) ? 8 : count >= 8 && grz_lanes_supported(4) ? 4 : 1;
  return grz_argmax_lanes(lanes, vertices, count, direction);
}
