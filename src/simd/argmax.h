/* The vertex of a point set that is farthest in a direction (its largest dot product), by SIMD. */
#ifndef GRAZE_SIMD_ARGMAX_H
#define GRAZE_SIMD_ARGMAX_H

#include "core/vec.h"

/* The first index i < count (count >= 1) of the largest fl(fl(fl(x·dx) + fl(y·dy)) + fl(z·dz)). Every width gives the
 * same index. No number may be NaN. */
size_t grz_argmax(const graze_vec *vertices, size_t count, graze_vec direction);

/* The same at a supported width: 1, 4 (AVX2) or 8 (AVX-512) doubles. */
size_t grz_argmax_simd(int width, const graze_vec *vertices, size_t count, graze_vec direction);

/* True if this processor and this build have registers of that width. */
bool grz_argmax_supported(int width);

/* From this count on, grz_argmax() is faster than grz_argmax_scalar(). For fewer vertices, callers use
 * grz_argmax_scalar(). */
enum { GRZ_ARGMAX_SIMD_MIN = 12 };

GRZ_TEMPLATE size_t grz_argmax_scalar(const graze_vec *vertices, size_t count, graze_vec direction, const int dim) {
  size_t best = 0;
  double most = -__builtin_inf();
  for (size_t i = 0; i < count; i++) {
    const graze_vec v = vertices[i];
    const double flat = v.x * direction.x + v.y * direction.y, value = dim == 2 ? flat : flat + v.z * direction.z;
    best ^= (best ^ i) & (0 - (size_t)(value > most)); /* a branch could not be predicted */
    most = real_max(value, most);
  }
  return best;
}

#endif
