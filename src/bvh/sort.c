/* Sorting of the items of a tree that changes, and its frame. */
#include "bvh/scene_tree.h"

#include "core/sort.h"
#include "core/vec.h"

#include <string.h>

enum { FRAME_SAMPLE = 63 };

static double sort_median(double *sample, size_t count) {
  sort_doubles(sample, count);
  return sample[count / 2];
}

/* ---- Sizes and the frame */

float grz_bvh_box_size(const grz_bvh *bvh, const float side[6]) {
  float x = -(side[0] + side[3]), y = -(side[1] + side[4]), z = bvh->tree.dim == 2 ? 0 : -(side[2] + side[5]);
  float sum = (x + y) + z;
  return sum < FLT_MAX ? sum : FLT_MAX;
}

float grz_bvh_leaf_size(const grz_bvh *bvh, size_t leaf) {
  float side[6];
  for (int k = 0; k < 6; k++) side[k] = bvh->tree.level[1][leaf / 8].side[k][leaf % 8];
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
    if (bvh->tree.item[slot] == GRZ_TREE_NONE) continue;
    const graze_aabb box = bvh->box[bvh->tree.item[slot]];
    float side[6];
    grz_tree_round(&bvh->tree, &box, side);
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
    bvh->tree.centre[k] = sort_median(centre[k], count);
    for (size_t i = 0; i < count; i++) centre[k][i] = real_abs(centre[k][i] - bvh->tree.centre[k]);
    size = real_max(size, sort_median(centre[k], count));
  }
  const int exponent = size > 0x1p-1000 ? real_exponent(size) : -1000;
  bvh->tree.scale = size > 0 ? real_power_of_two(-exponent) : 1;

  /* Round all boxes again. */
  for (size_t slot = 0; slot < bvh->used; slot++) {
    float side[6];
    if (bvh->tree.item[slot] == GRZ_TREE_NONE) continue;
    grz_tree_round(&bvh->tree, &bvh->box[bvh->tree.item[slot]], side);
    grz_node_write(&bvh->tree.level[0][slot / 8], slot % 8, side);
  }
}

/* ---- Sorting */

/* Sorts the records first … last - 1 and writes them to the slots from `slot` on. Returns the end of these slots. */
static size_t sort_part(grz_bvh *b, size_t slot, size_t first, size_t last) {
  const size_t n = last - first;
  const uint64_t *key = b->key + first;
  grz_tree_sort(b->tree.dim, b->record, b->key, slot, first, last, NULL);
  for (size_t i = 0; i < n; i += 8) {
    const size_t leaf = (slot + i) / 8, filled = n - i < 8 ? n - i : 8;
    grz_node *node = &b->tree.level[0][leaf];
    unsigned moving = 0;
    for (size_t child = 0; child < filled; child++) {
      const grz_tree_record *record = &b->record[(uint32_t)key[i + child]];
      grz_node_write(node, child, record->side);
      b->tree.item[slot + i + child] = record->item;
      b->slot[record->item] = (uint32_t)(slot + i + child);
      moving |= record->moves << child;
    }
    for (size_t child = filled; child < 8; child++) {
      grz_node_clear(node, child);
      b->tree.item[slot + i + child] = GRZ_TREE_NONE;
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
    const uint32_t item = bvh->tree.item[slot], moves = bvh->moving[slot / 8] >> slot % 8 & 1;
    if (item == GRZ_TREE_NONE) continue;
    grz_tree_record *record = &bvh->record[from == 0 && moves ? --back : front++];
    const grz_node *node = &bvh->tree.level[0][slot / 8];
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
    for (size_t child = 0; child < 8; child++) grz_node_clear(&bvh->tree.level[0][leaf], child);
    memset(bvh->tree.item + 8 * leaf, 0xff, 8 * sizeof *bvh->tree.item);
    bvh->moving[leaf] = 0;
    bvh->sorted_size[leaf] = 0;
  }
  grz_tree_refit(&bvh->tree, from / 8, end > old_end ? end : old_end);
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
