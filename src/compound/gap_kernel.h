/* The tests of a search through two trees, for one instruction set: eight boxes of a node at once. Included by
 * search.c. Every instruction set returns the same bits. Margins: docs/theory/compounds.md, "Bounds". */
#define gap_turn_node GRZ_ISA_NAME(gap_turn_node)
#define gap_gaps GRZ_ISA_NAME(gap_gaps)
#define gap_extents GRZ_ISA_NAME(gap_extents)

/* Writes boxes of the frame of the target that contain the eight boxes of a node of the query shape, at all times of
 * its motion. */
static void gap_turn_node(const search_frame *f, const grz_node *node, grz_node *out) {
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    f32xn centre[3], half[3]; /* both times 2 */
    for (int k = 0; k < f->dim; k++) {
      const f32xn low = f32xn_load(node->side[k] + i), minus_high = f32xn_load(node->side[k + 3] + i);
      centre[k] = low - minus_high, half[k] = f32xn_all(0) - (low + minus_high);
    }
    for (int r = 0; r < 3; r++) {
      f32xn at = f32xn_all(0), out_to = f32xn_all(0);
      for (int k = 0; k < f->dim && r < f->dim; k++) {
        at = at + f32xn_all(f->turn[3 * r + k]) * centre[k];
        out_to = out_to + f32xn_all(f->turn_abs[3 * r + k]) * half[k];
      }
      at = at * f32xn_all(0.5f) + f32xn_all(f->shift[r]), out_to = out_to * f32xn_all(0.5f) + f32xn_all(f->error);
      f32xn_store(out->side[r] + i, (at - out_to) + f32xn_all(f->sweep_low[r]));
      f32xn_store(out->side[r + 3] + i, (f32xn_all(0) - (at + out_to)) - f32xn_all(f->sweep_high[r]));
    }
  }
}

/* Writes lower bounds of the signed distances from the eight boxes of a node, as keys. `box` and `extent` may be NULL.
 * A bound is the gap to `box`, or offset - extent[i] if that is larger. Returns a bit mask of the boxes in use whose
 * key is at most `limit`, and in the next eight bits a mask of all others in use. */
static unsigned gap_gaps(const search_frame *f, const grz_node *node, const float box[6], const float extent[8],
                         float offset, float limit, float key[8]) {
  unsigned beyond = 0, empty = 0;
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    f32xn largest = f32xn_all(-FLT_MAX), sum = f32xn_all(0);
    for (int k = 0; k < f->dim && box; k++) {
      const f32xn above = f32xn_load(node->side[k] + i) + f32xn_all(box[k + 3]);
      const f32xn below = f32xn_load(node->side[k + 3] + i) + f32xn_all(box[k]);
      const f32xn gap = f32xn_max(above, below), outside = f32xn_max(gap, f32xn_all(0));
      largest = f32xn_max(largest, gap), sum = sum + outside * outside;
    }
    if (extent) {
      const f32xn gap = f32xn_all(offset) - f32xn_load(extent + i), outside = f32xn_max(gap, f32xn_all(0));
      largest = f32xn_max(largest, gap), sum = f32xn_max(sum, outside * outside);
    }
    /* One of both terms is 0. */
    const f32xn result = sum * f32xn_all(1 - 0x1p-20f) + f32xn_min(largest, f32xn_all(0));
    f32xn_store(key + i, result);
    beyond |= f32xn_less_bits(f32xn_all(limit), result) << i;
    empty |= f32xn_less_bits(f32xn_all(FLT_MAX), f32xn_load(node->side[0] + i)) << i;
  }
  return (~(beyond | empty) & 0xff) | (beyond & ~empty) << 8;
}

/* Writes upper bounds of axis·x over the eight boxes of a node. */
static void gap_extents(const search_frame *f, const float axis[3], const grz_node *node, float extent[8]) {
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    f32xn sum = f32xn_all(f->error);
    for (int k = 0; k < f->dim; k++) {
      const f32xn low = f32xn_all(axis[k]) * f32xn_load(node->side[k] + i);
      const f32xn high = f32xn_all(-axis[k]) * f32xn_load(node->side[k + 3] + i);
      sum = sum + f32xn_max(low, high);
    }
    f32xn_store(extent + i, sum);
  }
}
