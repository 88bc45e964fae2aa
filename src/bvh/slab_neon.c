/* The slab test in registers: NEON. */
#include "bvh/slab.h"

#ifdef GRZ_SIMD_NEON

#include "simd/f64xn_neon.h"

#include "bvh/slab_kernel.h"

unsigned grz_slab_neon(const grz_slab *slab, const grz_eight *eight, float end, float enter[8]) {
  return slab_test(slab, eight, end, enter);
}

#endif
