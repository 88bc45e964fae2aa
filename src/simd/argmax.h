/* The vertex of a point set that is farthest in a direction (its largest dot product), by SIMD. */
#ifndef GRAZE_SIMD_ARGMAX_H
#define GRAZE_SIMD_ARGMAX_H

#include "core/vec.h"
#include "simd/f64x2.h"

/* The first index i < count (count >= 1) of the largest fl(fl(fl(x·dx) + fl(y·dy)) + fl(z·dz)). Every width gives the
 * same index. No number may be NaN. */
size_t grz_argmax(const graze_vec *vertices, size_t count, graze_vec direction);

/* The same at a supported width: 1, 4 (AVX2) or 8 (AVX-512) doubles. */
size_t grz_argmax_simd(int width, const graze_vec *vertices, size_t count, graze_vec direction);

/* True if this processor and this build have registers of that width. */
bool grz_argmax_supported(int width);

/* From this count on, grz_argmax() is faster than grz_argmax_short(). For fewer vertices, callers use
 * grz_argmax_short(). */
enum { GRZ_ARGMAX_SIMD_MIN = 12 };

/* The dot products of two vertices. */
GRZ_TEMPLATE f64x2 argmax_pair(const graze_vec *v, const graze_vec *w, graze_vec d, const int dim) {
  const f64x2 a = f64x2_load(&v->x), b = f64x2_load(&w->x);
  const f64x2 flat = (f64x2){a[0], b[0]} * d.x + (f64x2){a[1], b[1]} * d.y;
  return dim == 2 ? flat : flat + (f64x2){v->z, w->z} * d.z;
}

/* grz_argmax() of fewer than GRZ_ARGMAX_SIMD_MIN vertices, inline. A mask of the values that equal the maximum gives
 * the first index, without an unpredictable branch. The last of an odd number of vertices is counted twice. */
GRZ_TEMPLATE size_t grz_argmax_short(const graze_vec *vertices, size_t count, graze_vec direction, const int dim) {
  f64x2 value[GRZ_ARGMAX_SIMD_MIN / 2], most = {-__builtin_inf(), -__builtin_inf()};
  const size_t pairs = (count + 1) / 2;
  for (size_t k = 0; k < pairs; k++) {
    const graze_vec *v = &vertices[2 * k];
    value[k] = argmax_pair(v, 2 * k + 1 < count ? v + 1 : v, direction, dim);
    most = f64x2_max(value[k], most);
  }
  return (size_t)f64x2_first_equal(value, pairs, real_max(most[0], most[1]));
}

/* The largest dot product of at least one and fewer than GRZ_ARGMAX_SIMD_MIN vertices. */
GRZ_TEMPLATE double grz_max_short(const graze_vec *vertices, size_t count, graze_vec direction, const int dim) {
  const graze_vec *last = &vertices[count - 1];
  f64x2 most = argmax_pair(vertices, last, direction, dim);
  for (const graze_vec *v = vertices + 1; v < last; v += 2)
    most = f64x2_max(argmax_pair(v, v + 1, direction, dim), most);
  return real_max(most[0], most[1]);
}

#endif
