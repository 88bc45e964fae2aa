/* The slab test, one lane at a time. */
#include "simd/f64xn_portable.h"

#include "bvh/slab_kernel.h"

unsigned grz_slab_portable(const grz_slab *slab, const grz_eight *eight, float end, float enter[8]) {
  return slab_test(slab, eight, end, enter);
}
