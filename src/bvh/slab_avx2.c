/* The slab test for AVX2. */
#include "bvh/tree.h"

#ifdef GRZ_SIMD_X86
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#include "simd/f64xn_avx2.h"

#include "bvh/slab_kernel.h"

unsigned grz_slab_avx2(const grz_slab *slab, const grz_bvh_node *node, float end, float enter[8]) {
  return slab_test(slab, node, end, enter);
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
