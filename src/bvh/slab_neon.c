/* The slab test for NEON. */
#include "bvh/tree.h"

#ifdef GRZ_SIMD_NEON

#include "simd/f64xn_neon.h"

#include "bvh/slab_kernel.h"

unsigned grz_slab_neon(const grz_slab *slab, const grz_bvh_node *node, float end, float enter[8]) {
  return slab_test(slab, node, end, enter);
}

#endif
