/* Top-down construction of a bounding-volume hierarchy (BVH) with the binned surface area heuristic (Wald 2007). */
#include "core/vec.h"
#include "shape/tree.h"

enum { TREE_BINS = 16 };

/* A range of `order` that becomes `node`. Below it `levels` levels are left: 2^levels >= count. */
typedef struct tree_range {
  size_t node, first, count;
  int levels;
} tree_range;

typedef struct tree_builder {
  const graze_aabb *box;
  int32_t *order;
  int axis;          /* of the split: the axis along which the centres have the largest extent */
  double low, width; /* the interval of the centres on it */
} tree_builder;

typedef struct tree_bin {
  graze_aabb box;
  size_t count;
} tree_bin;

static graze_aabb tree_join(graze_aabb p, graze_aabb q) {
  return (graze_aabb){vec_min(p.min, q.min), vec_max(p.max, q.max)};
}

/* Half the perimeter instead of the area: it never underflows and also grades flat boxes. */
static double tree_size(graze_aabb box) {
  return ((box.max.x - box.min.x) + (box.max.y - box.min.y)) + (box.max.z - box.min.z);
}

/* Twice the centre. */
static graze_vec tree_centre(const graze_aabb *box) { return vec_add(box->min, box->max); }

static double tree_coordinate(graze_vec v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static double tree_key(const tree_builder *b, int32_t item) {
  return tree_coordinate(tree_centre(&b->box[item]), b->axis);
}

static void tree_choose_axis(tree_builder *b, const tree_range *range) {
  graze_vec first = tree_centre(&b->box[b->order[range->first]]);
  graze_aabb centres = {first, first};
  for (size_t i = 1; i < range->count; i++) {
    graze_vec centre = tree_centre(&b->box[b->order[range->first + i]]);
    graze_aabb point = {centre, centre};
    centres = tree_join(centres, point);
  }
  graze_vec extent = vec_sub(centres.max, centres.min);
  b->axis = extent.x >= extent.y ? (extent.x >= extent.z ? 0 : 2) : (extent.y >= extent.z ? 1 : 2);
  b->low = tree_coordinate(centres.min, b->axis);
  b->width = tree_coordinate(extent, b->axis);
}

static int tree_bin_of(const tree_builder *b, int32_t item) {
  int bin = (int)((tree_key(b, item) - b->low) / b->width * TREE_BINS);
  return bin < TREE_BINS ? bin : TREE_BINS - 1;
}

static void tree_fill(const tree_builder *b, const tree_range *range, tree_bin bin[TREE_BINS]) {
  for (int i = 0; i < TREE_BINS; i++) bin[i].count = 0;
  for (size_t i = 0; i < range->count; i++) {
    int32_t item = b->order[range->first + i];
    tree_bin *into = &bin[tree_bin_of(b, item)];
    into->box = into->count > 0 ? tree_join(into->box, b->box[item]) : b->box[item];
    into->count++;
  }
}

/* Computes cost[i], the size times the count of the bins from the first to i, in the given order. */
static void tree_sweep(const tree_bin bin[TREE_BINS], int from, int step, double cost[TREE_BINS]) {
  tree_bin sum = {.count = 0};
  for (int i = from; i >= 0 && i < TREE_BINS; i += step) {
    if (bin[i].count > 0) sum.box = sum.count > 0 ? tree_join(sum.box, bin[i].box) : bin[i].box;
    sum.count += bin[i].count;
    cost[i] = sum.count > 0 ? tree_size(sum.box) * (double)sum.count : 0;
  }
}

/* Returns the last bin of the left side of the cheapest split. The first and the last bin are never empty. */
static int tree_cheapest(const tree_bin bin[TREE_BINS]) {
  double left[TREE_BINS], right[TREE_BINS];
  tree_sweep(bin, 0, 1, left);
  tree_sweep(bin, TREE_BINS - 1, -1, right);
  int best = 0;
  for (int i = 1; i < TREE_BINS - 1; i++) {
    if (left[i] + right[i + 1] < left[best] + right[best + 1]) best = i;
  }
  return best;
}

/* Moves the items of the bins up to `last` to the front and returns their number. */
static size_t tree_partition(tree_builder *b, const tree_range *range, int last) {
  int32_t *order = b->order + range->first;
  size_t low = 0, high = range->count;
  while (low < high) {
    if (tree_bin_of(b, order[low]) <= last) {
      low++;
      continue;
    }
    int32_t item = order[--high];
    order[high] = order[low];
    order[low] = item;
  }
  return low;
}

static bool tree_before(const tree_builder *b, int32_t p, int32_t q) {
  double at_p = tree_key(b, p), at_q = tree_key(b, q);
  return at_p < at_q || (at_p == at_q && p < q);
}

static void tree_sift(const tree_builder *b, int32_t *heap, size_t at, size_t count) {
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= count) return;
    if (child + 1 < count && tree_before(b, heap[child], heap[child + 1])) child++;
    if (!tree_before(b, heap[at], heap[child])) return;
    int32_t item = heap[at];
    heap[at] = heap[child];
    heap[child] = item;
    at = child;
  }
}

/* Heapsort: O(n log n) in the worst case. */
static void tree_sort(tree_builder *b, const tree_range *range) {
  int32_t *heap = b->order + range->first;
  for (size_t i = range->count / 2; i-- > 0;) tree_sift(b, heap, i, range->count);
  for (size_t last = range->count - 1; last > 0; last--) {
    int32_t item = heap[0];
    heap[0] = heap[last];
    heap[last] = item;
    tree_sift(b, heap, 0, last);
  }
}

static bool tree_fits(size_t count, int levels) { return levels >= 32 || count <= (size_t)1 << levels; }

/* Returns the number of items on the left side. Halves always fit, because 2^levels >= count. */
static size_t tree_split(tree_builder *b, const tree_range *range) {
  size_t half = range->count - range->count / 2;
  tree_choose_axis(b, range);
  if (!(b->width > 0)) return half;
  tree_bin bin[TREE_BINS];
  tree_fill(b, range, bin);
  size_t left = tree_partition(b, range, tree_cheapest(bin));
  if (tree_fits(left, range->levels - 1) && tree_fits(range->count - left, range->levels - 1)) return left;
  tree_sort(b, range);
  return half;
}

static graze_aabb tree_around(const tree_builder *b, const tree_range *range) {
  graze_aabb box = b->box[b->order[range->first]];
  for (size_t i = 1; i < range->count; i++) box = tree_join(box, b->box[b->order[range->first + i]]);
  return box;
}

void grz_tree_build(grz_tree_node *node, const graze_aabb *box, size_t count, int32_t *order) {
  tree_builder b = {.box = box, .order = order};
  tree_range stack[GRZ_TREE_DEPTH + 1];
  int pending = 0;
  int32_t pairs = 0;
  for (size_t i = 0; i < count; i++) order[i] = (int32_t)i;
  stack[pending++] = (tree_range){0, 0, count, GRZ_TREE_DEPTH};
  while (pending > 0) {
    tree_range range = stack[--pending];
    grz_tree_node *at = &node[range.node];
    at->box = tree_around(&b, &range);
    at->below = ~order[range.first];
    if (range.count == 1) continue;
    at->below = pairs++;
    size_t left = tree_split(&b, &range), below = grz_tree_below(at);
    stack[pending++] = (tree_range){below + 1, range.first + left, range.count - left, range.levels - 1};
    stack[pending++] = (tree_range){below, range.first, left, range.levels - 1};
  }
}
