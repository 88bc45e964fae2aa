/* The slab test of a moving box against the eight boxes of a node, and the distances of a box at rest from them, for
 * one instruction set. Included by traverse.c.
 * Source: Kay and Kajiya 1986; margins: docs/theory/bvh.md, "Rays" and "Distances". */
#define slab_lower GRZ_ISA_NAME(slab_lower)

/* Subtracts the margin of all roundings after the sum: 2^-21, where 6.1·2^-24 are needed. Values above 2^120 are
 * replaced by 2^120, which avoids inf - inf. */
GRZ_TEMPLATE f32xn slab_lower(f32xn x) {
  x = f32xn_min(x, f32xn_all(0x1p120f));
  return x - f32xn_abs(x) * f32xn_all(0x1p-21f);
}

unsigned GRZ_ISA_NAME(grz_slab)(const grz_slab *slab, const grz_node *node, float end, float enter[8]) {
  unsigned missed = 0;
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    f32xn in = f32xn_all(slab->start), out = f32xn_all(-0x1p120f);
    for (int k = 0; k < slab->count; k++) {
      const grz_slab_axis *axis = &slab->axis[k];
      const f32xn per = f32xn_all(axis->per);
      in = f32xn_max(in, (f32xn_load(node->side[axis->in] + i) + f32xn_all(axis->to_in)) * per);
      out = f32xn_max(out, (f32xn_load(node->side[axis->out] + i) + f32xn_all(axis->to_out)) * per);
    }
    in = slab_lower(in), out = slab_lower(out);
    f32xn_store(enter + i, in);
    missed |= (f32xn_less_bits(f32xn_all(0), in + out) | f32xn_less_bits(f32xn_all(end), in)) << i;
    for (int k = 0; slab->limited && k < 6; k++)
      missed |= f32xn_less_bits(f32xn_all(slab->limit[k]), f32xn_load(node->side[k] + i)) << i;
  }
  return ~missed & 0xff;
}

unsigned GRZ_ISA_NAME(grz_near)(const grz_near *near, const grz_node *node, float end, float square[8]) {
  unsigned missed = 0;
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    f32xn sum = f32xn_all(0);
    for (int k = 0; k < 3; k++) {
      const f32xn above = f32xn_load(node->side[k] + i) - f32xn_all(near->high[k]);
      const f32xn below = f32xn_load(node->side[k + 3] + i) + f32xn_all(near->low[k]);
      const f32xn gap = f32xn_max(f32xn_max(above, below), f32xn_all(0));
      sum = sum + gap * gap;
    }
    sum = sum * f32xn_all(1 - 0x1p-20f) - f32xn_all(0x1p-120f);
    f32xn_store(square + i, sum);
    missed |=
        (f32xn_less_bits(f32xn_all(end), sum) | f32xn_less_bits(f32xn_all(FLT_MAX), f32xn_load(node->side[0] + i)))
        << i;
  }
  return ~missed & 0xff;
}
