/* The slab test in registers: SSE2. */
#include "bvh/slab.h"

#ifdef GRZ_SIMD_X86

#include "simd/f64xn_sse2.h"

#include "bvh/slab_kernel.h"

unsigned grz_slab_sse2(const grz_slab *slab, const grz_eight *eight, float end, float enter[8]) {
  return slab_test(slab, eight, end, enter);
}

#endif
