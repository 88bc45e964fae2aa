/* The slab test for SSE2. */
#include "bvh/tree.h"

#ifdef GRZ_SIMD_X86

#include "simd/f64xn_sse2.h"

#include "bvh/slab_kernel.h"

unsigned grz_slab_sse2(const grz_slab *slab, const grz_bvh_node *node, float end, float enter[8]) {
  return slab_test(slab, node, end, enter);
}

#endif
