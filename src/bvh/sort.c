/* Sorting of the items by size class and Morton code, and refitting of the tree.
 *
 * Items are sorted by size class, and in each class by Morton code (Morton 1966), with a radix sort. Boxes of very
 * different sizes do not share leaves, so a large box does not enlarge the leaf of many small ones. The grid of the
 * codes is fitted to a sample of the items. A crowded cell gets a finer grid of its own. */
#include "bvh/tree.h"
#include "core/vec.h"

#include <string.h>

enum {
  FRAME_SAMPLE = 63,
  SORT_SAMPLE = 128,
  SORT_CROWD = 32, /* a cell with more items is sorted again by its own grid */
  SORT_DEPTH = 4,  /* nested grids */
};

/* Shellsort in ascending order with the gaps (3^k - 1)/2, for short arrays. */
static void sort_doubles(double *x, size_t count) {
  static const size_t gaps[] = {40, 13, 4, 1};
  for (int g = 0; g < 4; g++) {
    for (size_t i = gaps[g]; i < count; i++) {
      const double inserted = x[i];
      size_t k = i;
      for (; k >= gaps[g] && x[k - gaps[g]] > inserted; k -= gaps[g]) x[k] = x[k - gaps[g]];
      x[k] = inserted;
    }
  }
}

static double sort_median(double *sample, size_t count) {
  sort_doubles(sample, count);
  return sample[count / 2];
}

/* ---- Refitting */

void grz_bvh_refit(grz_bvh *bvh, size_t first, size_t last) {
  for (int k = 1; k < bvh->levels; k++) {
    for (size_t i = first; i < last; i++) {
      float side[6];
      grz_node_union(&bvh->level[k - 1][i], side);
      grz_node_write(&bvh->level[k][i / 8], i % 8, side);
    }
    first = first / 8, last = (last + 7) / 8;
  }
}

float grz_bvh_box_size(const grz_bvh *bvh, const float side[6]) {
  float x = -(side[0] + side[3]), y = -(side[1] + side[4]), z = bvh->dim == 2 ? 0 : -(side[2] + side[5]);
  float sum = (x + y) + z;
  return sum < FLT_MAX ? sum : FLT_MAX;
}

float grz_bvh_leaf_size(const grz_bvh *bvh, size_t leaf) {
  float side[6];
  for (int k = 0; k < 6; k++) side[k] = bvh->level[1][leaf / 8].side[k][leaf % 8];
  return grz_bvh_box_size(bvh, side);
}

/* The centre is the median of the boxes' centres. The scale fits the larger of two medians: that of the sizes, and that
 * of the distances from the centre. Medians keep a few distant boxes from spoiling the precision of all others. */
void grz_bvh_fit_frame(grz_bvh *bvh) {
  double centre[3][FRAME_SAMPLE], edge[FRAME_SAMPLE];
  size_t count = 0, imprecise = 0;
  if (!bvh->check_frame) return;
  bvh->check_frame = false;

  /* Sample finite boxes at equal steps of the slots. */
  for (size_t slot = 0, step = bvh->used / FRAME_SAMPLE + 1; slot < bvh->used; slot += step) {
    if (bvh->item[slot] == GRZ_BVH_NONE) continue;
    const graze_aabb box = bvh->box[bvh->item[slot]];
    float side[6];
    grz_bvh_round_box(bvh, &box, side);
    const double largest = vec_norm_inf(vec_sub(box.max, box.min));
    if (!(largest < 0x1p900)) continue;
    imprecise += grz_bvh_is_imprecise(bvh, side);
    centre[0][count] = box.min.x / 2 + box.max.x / 2;
    centre[1][count] = box.min.y / 2 + box.max.y / 2;
    centre[2][count] = box.min.z / 2 + box.max.z / 2;
    edge[count++] = largest;
  }
  if (imprecise * 8 <= count) return;

  double size = sort_median(edge, count);
  for (int k = 0; k < 3; k++) {
    bvh->centre[k] = sort_median(centre[k], count);
    for (size_t i = 0; i < count; i++) centre[k][i] = real_abs(centre[k][i] - bvh->centre[k]);
    size = real_max(size, sort_median(centre[k], count));
  }
  const int exponent = size > 0x1p-1000 ? real_exponent(size) : -1000;
  bvh->scale = size > 0 ? real_power_of_two(-exponent) : 1;

  /* Round all boxes again. */
  for (size_t slot = 0; slot < bvh->used; slot++) {
    float side[6];
    if (bvh->item[slot] == GRZ_BVH_NONE) continue;
    grz_bvh_round_box(bvh, &bvh->box[bvh->item[slot]], side);
    grz_node_write(&bvh->level[0][slot / 8], slot % 8, side);
  }
}

/* ---- Keys */

/* The grid of the Morton codes, and three limits of the size classes, each 8 times the one before. */
typedef struct sort_grid {
  float low[3], cells_per_unit;
  float class_limit[3];
} sort_grid;

static float sort_largest_edge(const float side[6], int dim) {
  float x = -(side[0] + side[3]), y = -(side[1] + side[4]), z = dim == 2 ? 0 : -(side[2] + side[5]);
  x = x > y ? x : y;
  return x > z ? x : z;
}

/* Fits a grid to a sample of the keys' records. Returns false if all sampled centres coincide. */
static bool sort_fit_grid(const grz_bvh *b, const uint64_t *key, size_t n, sort_grid *grid) {
  double centre[3][SORT_SAMPLE], edge[SORT_SAMPLE], spread = 0;
  float width = 0;
  size_t count = n / 64 + 16 < SORT_SAMPLE ? n / 64 + 16 : SORT_SAMPLE;
  if (count > n) count = n;
  for (size_t i = 0; i < count; i++) {
    const float *side = b->record[(uint32_t)key[i * n / count]].side;
    for (int k = 0; k < 3; k++) centre[k][i] = ((double)side[k] - (double)side[k + 3]) / 2;
    edge[i] = (double)sort_largest_edge(side, b->dim);
  }
  sort_doubles(edge, count);
  for (int k = 0; k < 3; k++) {
    sort_doubles(centre[k], count);
    spread = real_max(spread, 4 * (centre[k][count * 3 / 4] - centre[k][count / 4]));
    grid->class_limit[k] = (float)real_min(edge[count / 10] * (double)(8 << 3 * k), (double)FLT_MAX);
  }

  /* The grid covers the sampled range and a margin, up to `spread` from the median. Items outside go to its outermost
   * cells. */
  for (int k = 0; k < 3; k++) {
    const double low = real_max(centre[k][0], centre[k][count / 2] - spread);
    const double high = real_min(centre[k][count - 1], centre[k][count / 2] + spread);
    const double margin = (high - low) / 16, range = high - low + 2 * margin;
    grid->low[k] = (float)(low - margin);
    if (range > (double)width) width = (float)range;
  }
  if (!(width > 0)) return false;
  grid->cells_per_unit = grz_float_min((b->dim == 2 ? 32768 : 1024) / width, FLT_MAX);
  return true;
}

static uint32_t sort_cell(const sort_grid *grid, const float side[6], int axis, float last) {
  float cell = (side[axis] * 0.5f - side[axis + 3] * 0.5f - grid->low[axis]) * grid->cells_per_unit;
  return cell > 0 ? (uint32_t)(cell < last ? cell : last) : 0;
}

/* Spread 10 bits to every third bit, and 15 bits to every second bit. */
static uint32_t spread_bits3(uint32_t x) {
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}

static uint32_t spread_bits2(uint32_t x) {
  x = (x | x << 8) & 0x00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f;
  x = (x | x << 2) & 0x33333333;
  return (x | x << 1) & 0x55555555;
}

/* Returns the size class in the two highest bits, and the Morton code of the centre below them. */
static uint32_t sort_code(const sort_grid *grid, const float side[6], int dim) {
  const float edge = sort_largest_edge(side, dim), *limit = grid->class_limit;
  const uint32_t class = (uint32_t)(edge > limit[0]) + (edge > limit[1]) + (edge > limit[2]);
  if (dim == 2)
    return class << 30 | spread_bits2(sort_cell(grid, side, 0, 32767)) |
           spread_bits2(sort_cell(grid, side, 1, 32767)) << 1;
  return class << 30 | spread_bits3(sort_cell(grid, side, 0, 1023)) |
         spread_bits3(sort_cell(grid, side, 1, 1023)) << 1 | spread_bits3(sort_cell(grid, side, 2, 1023)) << 2;
}

/* ---- Sorting */

/* Stable radix sort by the upper half of each key, lowest digit first. A digit that all keys share is skipped. */
static void sort_radix(uint64_t *key, uint64_t *spare, size_t n) {
  uint32_t start[4][256];
  uint64_t *from = key, *to = spare;
  memset(start, 0, sizeof start);
  for (size_t i = 0; i < n; i++) {
    for (int p = 0; p < 4; p++) start[p][key[i] >> (32 + 8 * p) & 0xff]++;
  }
  for (int p = 0; p < 4; p++) {
    uint32_t sum = 0;
    if (start[p][from[0] >> (32 + 8 * p) & 0xff] == n) continue;
    for (int d = 0; d < 256; d++) {
      const uint32_t count = start[p][d];
      start[p][d] = sum;
      sum += count;
    }
    for (size_t i = 0; i < n; i++) to[start[p][from[i] >> (32 + 8 * p) & 0xff]++] = from[i];
    uint64_t *swap = from;
    from = to, to = swap;
  }
  if (from != key) memcpy(key, from, n * sizeof *key);
}

/* Sorts n keys. A key holds a code in its upper half and the index of a record in its lower half. */
static void sort_keys(grz_bvh *b, size_t first, size_t n, int depth) {
  sort_grid grid;
  uint64_t *key = b->key + first;
  if (n < 2 || !sort_fit_grid(b, key, n, &grid)) return;
  for (size_t i = 0; i < n; i++) {
    const uint32_t record = (uint32_t)key[i];
    key[i] = (uint64_t)sort_code(&grid, b->record[record].side, b->dim) << 32 | record;
  }
  sort_radix(key, b->spare_key, n);
  if (depth == SORT_DEPTH) return;
  for (size_t i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && (key[next] ^ key[i]) >> 32 == 0;) next++;
    if (next - i > SORT_CROWD) sort_keys(b, first + i, next - i, depth + 1);
  }
}

/* Sorts the records first … last - 1 and writes them to the slots from `slot` on. Returns the end of these slots. */
static size_t sort_part(grz_bvh *b, size_t slot, size_t first, size_t last) {
  const size_t n = last - first;
  const uint64_t *key = b->key + first;
  for (size_t i = first; i < last; i++) b->key[i] = i;
  sort_keys(b, first, n, 0);
  for (size_t i = 0; i < n; i += 8) {
    const size_t leaf = (slot + i) / 8, filled = n - i < 8 ? n - i : 8;
    grz_bvh_node *node = &b->level[0][leaf];
    unsigned moving = 0;
    for (size_t child = 0; child < filled; child++) {
      const grz_bvh_record *record = &b->record[(uint32_t)key[i + child]];
      grz_node_write(node, child, record->side);
      b->item[slot + i + child] = record->item;
      b->slot[record->item] = (uint32_t)(slot + i + child);
      moving |= record->moves << child;
    }
    for (size_t child = filled; child < 8; child++) {
      grz_node_clear(node, child);
      b->item[slot + i + child] = GRZ_BVH_NONE;
    }
    b->moving[leaf] = (uint8_t)moving;
    float side[6];
    grz_node_union(node, side);
    b->sorted_size[leaf] = grz_float_max(grz_bvh_box_size(b, side), FLT_MIN);
  }
  return slot + n;
}

void grz_bvh_sort(grz_bvh *bvh, size_t from) {
  const size_t old_end = (bvh->used + 7) / 8;
  if (from == 0) grz_bvh_fit_frame(bvh);

  /* Move the items to records. In a full sort moving items go to the end of the array of records. */
  size_t front = 0, back = bvh->capacity;
  for (size_t slot = from; slot < bvh->used; slot++) {
    const uint32_t item = bvh->item[slot], moves = bvh->moving[slot / 8] >> slot % 8 & 1;
    if (item == GRZ_BVH_NONE) continue;
    grz_bvh_record *record = &bvh->record[from == 0 && moves ? --back : front++];
    const grz_bvh_node *node = &bvh->level[0][slot / 8];
    for (int k = 0; k < 6; k++) record->side[k] = node->side[k][slot % 8];
    record->item = item, record->moves = moves;
  }

  /* Write the items back in their new order. The moving part begins with a new leaf. */
  bvh->used = sort_part(bvh, from, 0, front);
  if (from == 0) {
    bvh->resting = (bvh->used + 7) / 8 * 8;
    bvh->used = sort_part(bvh, bvh->resting, back, bvh->capacity);
    bvh->vacated = bvh->misplaced = 0;
    bvh->full_debt = 0;
  }
  if (from <= bvh->resting) bvh->part_debt = 0, bvh->tail = bvh->used;
  bvh->runs_end = bvh->used;

  /* Clear the leaves that became empty. */
  const size_t end = (bvh->used + 7) / 8;
  for (size_t leaf = end; leaf < old_end; leaf++) {
    for (size_t child = 0; child < 8; child++) grz_node_clear(&bvh->level[0][leaf], child);
    memset(bvh->item + 8 * leaf, 0xff, 8 * sizeof *bvh->item);
    bvh->moving[leaf] = 0;
    bvh->sorted_size[leaf] = 0;
  }
  grz_bvh_refit(bvh, from / 8, end > old_end ? end : old_end);
}

void grz_bvh_merge_runs(grz_bvh *bvh) {
  const size_t used = bvh->used, sorted = bvh->runs_end;
  size_t run = GRZ_BVH_SMALL;
  if (used <= GRZ_BVH_SMALL) return;
  if (2 * bvh->imprecise >= bvh->count + GRZ_BVH_SMALL) {
    bvh->imprecise = 0;
    grz_bvh_sort(bvh, 0);
    return;
  }
  if (sorted / run == used / run) return;
  while (sorted / (4 * run) != used / (4 * run)) run *= 4;
  const size_t node = sorted / run * run, tail = bvh->tail / 8 * 8, from = node > tail ? node : tail;
  grz_bvh_sort(bvh, from);
  /* Slots that this sort empties stay unused at the end of their run, so each slot is filled only once. */
  if (from > 0) bvh->used = bvh->runs_end = used;
}
