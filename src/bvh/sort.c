/* Sorting of the items by size class and place, and refitting of the tree.
 *
 * Boxes of very different sizes do not share leaves, so a large box does not enlarge the leaf of many small ones. The
 * items of a class are split again and again: near the middle, along the longest axis of their centres, at the boundary
 * of nodes. So a node holds neighbours, as in a k-d tree (Bentley 1975). */
#include "bvh/tree.h"
#include "core/vec.h"

#include <string.h>

enum { FRAME_SAMPLE = 63, SORT_SAMPLE = 128 };

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

/* ---- Sorting: size classes, and in each class halves */

static float sort_largest_edge(const float side[6], int dim) {
  float x = -(side[0] + side[3]), y = -(side[1] + side[4]), z = dim == 2 ? 0 : -(side[2] + side[5]);
  x = x > y ? x : y;
  return x > z ? x : z;
}

/* Computes the limits of the size classes from a sample of the records: the first is 8 times a small edge, and each is
 * 8 times the one before. */
static void sort_class_limits(const grz_bvh *b, size_t first, size_t n, float limit[3]) {
  double edge[SORT_SAMPLE];
  size_t count = n / 64 + 16 < SORT_SAMPLE ? n / 64 + 16 : SORT_SAMPLE;
  if (count > n) count = n;
  for (size_t i = 0; i < count; i++) edge[i] = (double)sort_largest_edge(b->record[first + i * n / count].side, b->dim);
  sort_doubles(edge, count);
  for (int k = 0; k < 3; k++) limit[k] = (float)real_min(edge[count / 10] * (double)(8 << 3 * k), (double)FLT_MAX);
}

/* A key holds the centre of a record along an axis, as an integer in the same order, and the index of the record. */
static inline uint64_t sort_key(const grz_bvh *b, uint32_t record, int axis) {
  const float *side = b->record[record].side, centre = side[axis] - side[axis + 3];
  uint32_t bits;
  memcpy(&bits, &centre, sizeof bits);
  bits ^= bits >> 31 ? UINT32_MAX : UINT32_C(1) << 31;
  return (uint64_t)bits << 32 | record;
}

/* Moves the keys below the pivot to the front and returns their number. Without branches, which would be
 * mispredicted (Lomuto's partition). */
static size_t sort_partition(uint64_t *key, size_t n, uint64_t pivot) {
  size_t low = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t x = key[i];
    key[i] = key[low], key[low] = x;
    low += x < pivot;
  }
  return low;
}

/* Quickselect (Hoare 1961): moves the `count` least of n different keys to the front. Pivots come from scattered
 * positions, so that no order of the items is slow. */
static void sort_select(uint64_t *key, size_t n, size_t count) {
  uint32_t random = 0x9e3779b9u;
  while (count > 0 && count < n) {
    uint64_t at[3];
    for (int i = 0; i < 3; i++) {
      random = random * 1664525u + 1013904223u;
      at[i] = key[(size_t)((uint64_t)random * n >> 32)];
    }
    const uint64_t least = at[0] < at[1] ? at[0] : at[1], most = at[0] < at[1] ? at[1] : at[0];
    const uint64_t pivot = at[2] < least ? least : at[2] > most ? most : at[2];
    size_t low = sort_partition(key, n, pivot);
    if (low == 0) low = sort_partition(key, n, pivot + 1); /* the pivot is the least key */
    if (count <= low) {
      n = low;
    } else {
      key += low, n -= low, count -= low;
    }
  }
}

/* A box around the centres of records, times two. It only chooses the axis of a split, so it may be inexact. */
typedef struct sort_cell {
  float low[3], high[3];
} sort_cell;

static sort_cell sort_cell_of(const grz_bvh *b, const uint64_t *key, size_t n) {
  sort_cell cell = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
  for (size_t i = 0; i < n; i++) {
    const float *side = b->record[(uint32_t)key[i]].side;
    for (int k = 0; k < 3; k++) {
      const float centre = side[k] - side[k + 3];
      cell.low[k] = grz_float_min(cell.low[k], centre), cell.high[k] = grz_float_max(cell.high[k], centre);
    }
  }
  return cell;
}

/* Sorts n keys, whose records are in the cell and will fill the slots from `slot` on: splits them near the middle along
 * the longest axis of the cell. Whole nodes are on both sides of a split. */
static void sort_split(const grz_bvh *b, uint64_t *key, size_t slot, size_t n, const sort_cell *cell) {
  float edge[3];
  size_t span = 8; /* slots of the largest nodes of which none holds all keys */
  if (slot / 8 == (slot + n - 1) / 8) return;
  while (slot / (8 * span) != (slot + n - 1) / (8 * span)) span *= 8;
  for (int k = 0; k < 3; k++) edge[k] = cell->high[k] - cell->low[k];
  int axis = edge[1] > edge[0];
  if (b->dim == 3 && edge[2] > edge[axis]) axis = 2;

  const size_t first = slot / span + 1, last = (slot + n - 1) / span, middle = (slot + n / 2 + span / 2) / span;
  const size_t left = (middle < first ? first : middle > last ? last : middle) * span - slot;
  for (size_t i = 0; i < n; i++) key[i] = sort_key(b, (uint32_t)key[i], axis);
  sort_select(key, n, left);
  sort_cell below = *cell, above = *cell;
  const float *side = b->record[(uint32_t)key[left]].side;
  below.high[axis] = above.low[axis] = side[axis] - side[axis + 3];
  sort_split(b, key, slot, left, &below);
  sort_split(b, key + left, slot + left, n - left, &above);
}

/* Sorts the keys of the records first … last - 1 for the slots from `slot` on: by size class, and splits each class. */
static void sort_keys(grz_bvh *b, size_t slot, size_t first, size_t last) {
  float limit[3];
  size_t start[5] = {0, 0, 0, 0, 0};
  if (first == last) return;
  sort_class_limits(b, first, last - first, limit);
  for (int pass = 0; pass < 2; pass++) { /* count, then place */
    for (size_t i = first; i < last; i++) {
      const float edge = sort_largest_edge(b->record[i].side, b->dim);
      const int class = (edge > limit[0]) + (edge > limit[1]) + (edge > limit[2]);
      if (pass == 0)
        start[class + 1]++;
      else
        b->key[first + start[class]++] = i;
    }
    for (int k = 1; k < 5 && pass == 0; k++) start[k] += start[k - 1];
  }
  for (int k = 0; k < 4; k++) { /* start[k] is now the end of class k */
    const size_t from = k > 0 ? start[k - 1] : 0, n = start[k] - from;
    const sort_cell cell = sort_cell_of(b, b->key + first + from, n);
    if (n > 0) sort_split(b, b->key + first + from, slot + from, n, &cell);
  }
}

/* Sorts the records first … last - 1 and writes them to the slots from `slot` on. Returns the end of these slots. */
static size_t sort_part(grz_bvh *b, size_t slot, size_t first, size_t last) {
  const size_t n = last - first;
  const uint64_t *key = b->key + first;
  sort_keys(b, slot, first, last);
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
