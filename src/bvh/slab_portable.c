/* The slab test for portable C. */
#include "simd/f64xn_portable.h"

#include "bvh/slab_kernel.h"

unsigned grz_slab_portable(const grz_slab *slab, const grz_bvh_node *node, float end, float enter[8]) {
  return slab_test(slab, node, end, enter);
}
