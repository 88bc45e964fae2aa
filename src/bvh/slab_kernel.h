/* The slab test of a moving box against the eight boxes of a node, for one instruction set. Included by slab_*.c after
 * one of simd/f64xn_*.h. Source: Kay and Kajiya 1986; margins: docs/theory/bvh.md, "Rays". */
#include "bvh/node.h"

/* Subtracts the margin of all roundings after the sum: 2^-21, where 6.1·2^-24 are needed. Values above 2^120 are
 * replaced by 2^120, which avoids inf - inf. */
GRZ_TEMPLATE lane_f slab_lower(lane_f x) {
  x = lanef_min(x, lanef_all(0x1p120f));
  return x - lanef_abs(x) * lanef_all(0x1p-21f);
}

GRZ_TEMPLATE unsigned slab_test(const grz_slab *slab, const grz_bvh_node *node, float end, float enter[8]) {
  unsigned missed = 0;
  for (int i = 0; i < 8; i += FLANES) {
    lane_f in = lanef_all(slab->start), out = lanef_all(-0x1p120f);
    for (int k = 0; k < slab->count; k++) {
      const grz_slab_axis *axis = &slab->axis[k];
      const lane_f per = lanef_all(axis->per);
      in = lanef_max(in, (lanef_load(node->side[axis->in] + i) + lanef_all(axis->to_in)) * per);
      out = lanef_max(out, (lanef_load(node->side[axis->out] + i) + lanef_all(axis->to_out)) * per);
    }
    in = slab_lower(in), out = slab_lower(out);
    lanef_store(enter + i, in);
    missed |= (lanef_less(lanef_all(0), in + out) | lanef_less(lanef_all(end), in)) << i;
    for (int k = 0; slab->limited && k < 6; k++)
      missed |= lanef_less(lanef_all(slab->limit[k]), lanef_load(node->side[k] + i)) << i;
  }
  return ~missed & 0xff;
}
