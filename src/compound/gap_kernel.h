/* The tests of a search through two trees, for one instruction set: eight boxes of a node at once. Included by
 * search.c. Every instruction set returns the same bits. Margins: docs/theory/compounds.md, "Bounds". */
#define gap_turn_node GRZ_ISA_NAME(gap_turn_node)
#define gap_gaps GRZ_ISA_NAME(gap_gaps)
#define gap_keys GRZ_ISA_NAME(gap_keys)
#define gap_extents GRZ_ISA_NAME(gap_extents)
#define gap_exclude GRZ_ISA_NAME(gap_exclude)
#define gap_order GRZ_ISA_NAME(gap_order)

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
 * A bound is the gap to `box`, or offset - extent[i] if that is larger. The key of an empty box is
 * infinite. */
GRZ_TEMPLATE void gap_keys(const grz_node *node, const float box[6], const float extent[8], float offset, float key[8],
                           const int dim) {
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    f32xn largest = f32xn_all(-FLT_MAX), sum = f32xn_all(0);
    for (int k = 0; k < dim && box; k++) {
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
    f32xn result = sum * f32xn_all(1 - 0x1p-20f) + f32xn_min(largest, f32xn_all(0));
    result = f32xn_max(f32xn_min(f32xn_all(FLT_MAX), result), f32xn_all(-FLT_MAX)); /* NaN becomes -FLT_MAX */
    const f32xn low = f32xn_load(node->side[0] + i);
    f32xn_store(key + i, f32xn_select_less(f32xn_all(FLT_MAX), low, low, result));
  }
}

static void gap_gaps(const search_frame *f, const grz_node *node, const float box[6], const float extent[8],
                     float offset, float key[8]) {
  if (f->dim == 3 && box != NULL && extent != NULL)
    gap_keys(node, box, extent, offset, key, 3);
  else if (f->dim == 3 && box != NULL)
    gap_keys(node, box, NULL, 0, key, 3);
  else
    gap_keys(node, box, extent, offset, key, f->dim);
}

/* Returns a mask of the keys up to `limit`, which is at most FLT_MAX. Lowers least[8] to the other keys. */
static unsigned gap_exclude(const float key[8], float limit, float least[8]) {
  unsigned beyond = 0;
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    const f32xn at = f32xn_load(key + i), low = f32xn_load(least + i);
    beyond |= f32xn_less_bits(f32xn_all(limit), at) << i;
    f32xn_store(least + i, f32xn_select_less(f32xn_all(limit), at, f32xn_min(at, low), low));
  }
  return ~beyond & 0xff;
}

/* Writes how many keys are larger than each key, or equal and later: its place in descending order. Both arrays have
 * space for a multiple of eight. */
static void gap_order(const float *key, int count, float *place) {
  static const float index[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const f32xn none = f32xn_all(0), one = f32xn_all(1);
  for (int k = 0; k < count; k += F32XN_WIDTH) {
    const f32xn at = f32xn_load(key + k), indices = f32xn_load(index);
    f32xn larger = none;
    for (int i = 0; i < count; i++) {
      const f32xn other = f32xn_all(key[i]), more = f32xn_select_less(at, other, one, none);
      const f32xn not_less = f32xn_select_less(other, at, none, one);
      larger = larger + f32xn_select_less(indices, f32xn_all((float)(i - k)), not_less, more);
    }
    f32xn_store(place + k, larger);
  }
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
