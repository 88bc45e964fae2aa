/* The slab test in registers: NEON. */
#include "broad/slab.h"

#ifdef GRZ_LANES_NEON

#include "lanes/wide_neon.h"

#include "broad/slab_kernel.h"

unsigned grz_slab_neon(const grz_slab *slab, const grz_eight *eight, float end, float enter[8]) {
  return slab_test(slab, eight, end, enter);
}

#endif
