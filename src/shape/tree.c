/* Building of a tree: items are sorted by size class and place.
 *
 * Boxes of very different sizes do not share leaves, so a large box does not enlarge the leaf of many small ones. The
 * items of a class are split again and again: near the middle, along the longest axis of their centres, at the boundary
 * of nodes. So a node holds neighbours, as in a k-d tree (Bentley 1975). */
#include "shape/tree.h"

#include "core/parallel.h"
#include "core/sort.h"

#include <string.h>

void grz_tree_refit(grz_tree *tree, size_t first, size_t last) {
  for (int k = 1; k < tree->levels; k++) {
    for (size_t i = first; i < last; i++) {
      float side[6];
      grz_node_union(&tree->level[k - 1][i], side);
      grz_node_write(&tree->level[k][i / 8], i % 8, side);
    }
    first = first / 8, last = (last + 7) / 8;
  }
}

/* ---- Sorting: size classes, and in each class halves */

enum {
  SORT_SAMPLE = 128,
  SORT_RANGES = 64,     /* that threads share */
  SORT_LEAST = 1 << 13, /* keys: fewer are sorted by one thread */
};

typedef struct tree_sorter {
  int dim;
  const grz_tree_record *record;
  uint64_t *key;
} tree_sorter;

static float sort_largest_edge(const float side[6], int dim) {
  float x = -(side[0] + side[3]), y = -(side[1] + side[4]), z = dim == 2 ? 0 : -(side[2] + side[5]);
  x = x > y ? x : y;
  return x > z ? x : z;
}

/* Computes the limits of the size classes from a sample of the records: the first is 8 times a small edge, and each is
 * 8 times the one before. */
static void sort_class_limits(const tree_sorter *b, size_t first, size_t n, float limit[3]) {
  double edge[SORT_SAMPLE];
  size_t count = n / 64 + 16 < SORT_SAMPLE ? n / 64 + 16 : SORT_SAMPLE;
  if (count > n) count = n;
  for (size_t i = 0; i < count; i++) edge[i] = (double)sort_largest_edge(b->record[first + i * n / count].side, b->dim);
  sort_doubles(edge, count);
  for (int k = 0; k < 3; k++) limit[k] = (float)real_min(edge[count / 10] * (double)(8 << 3 * k), (double)FLT_MAX);
}

/* A key holds the centre of a record along an axis, as an integer in the same order, and the index of the record. */
static inline uint64_t sort_key(const tree_sorter *b, uint32_t record, int axis) {
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

static sort_cell sort_cell_of(const tree_sorter *b, const uint64_t *key, size_t n) {
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

/* n keys, whose records are in the cell and will fill the slots from `slot` on. */
typedef struct sort_range {
  uint64_t *key;
  size_t slot, n;
  sort_cell cell;
} sort_range;

/* Splits a range near the middle along the longest axis of the cell. Whole nodes are on both sides of the split.
 * Returns false if one leaf holds all keys. */
static bool sort_halve(const tree_sorter *b, const sort_range *range, sort_range half[2]) {
  uint64_t *key = range->key;
  const size_t slot = range->slot, n = range->n;
  const sort_cell *cell = &range->cell;
  float edge[3];
  size_t span = 8; /* slots of the largest nodes of which none holds all keys */
  if (slot / 8 == (slot + n - 1) / 8) return false;
  while (slot / (8 * span) != (slot + n - 1) / (8 * span)) span *= 8;
  for (int k = 0; k < 3; k++) edge[k] = cell->high[k] - cell->low[k];
  int axis = edge[1] > edge[0];
  if (b->dim == 3 && edge[2] > edge[axis]) axis = 2;

  const size_t first = slot / span + 1, last = (slot + n - 1) / span, middle = (slot + n / 2 + span / 2) / span;
  const size_t left = (middle < first ? first : middle > last ? last : middle) * span - slot;
  for (size_t i = 0; i < n; i++) key[i] = sort_key(b, (uint32_t)key[i], axis);
  sort_select(key, n, left);
  const float *side = b->record[(uint32_t)key[left]].side;
  half[0] = (sort_range){key, slot, left, *cell};
  half[1] = (sort_range){key + left, slot + left, n - left, *cell};
  half[0].cell.high[axis] = half[1].cell.low[axis] = side[axis] - side[axis + 3];
  return true;
}

static void sort_split(const tree_sorter *b, const sort_range *range) {
  sort_range half[2];
  if (!sort_halve(b, range, half)) return;
  sort_split(b, &half[0]);
  sort_split(b, &half[1]);
}

/* Ranges that threads split at the same time, each into two. */
typedef struct sort_job {
  const tree_sorter *sorter;
  sort_range range[SORT_RANGES], half[SORT_RANGES];
  size_t count;
} sort_job;

static void sort_halve_task(void *data, size_t i) {
  sort_job *job = data;
  if (job->range[i].n >= SORT_LEAST && sort_halve(job->sorter, &job->range[i], &job->half[2 * i])) return;
  job->half[2 * i] = job->range[i];
  job->half[2 * i + 1].n = 0;
}

static void sort_split_task(void *data, size_t i) {
  sort_job *job = data;
  sort_split(job->sorter, &job->range[i]);
}

/* Every range is split in the same manner, whatever thread does it. */
static void sort_ranges(sort_job *job, const graze_parallel *parallel) {
  bool shared = parallel != NULL;
  while (shared && 2 * job->count <= SORT_RANGES) {
    const size_t before = job->count;
    grz_parallel_run(parallel, job->count, sort_halve_task, job);
    job->count = 0;
    for (size_t i = 0; i < 2 * before; i++) {
      if (job->half[i].n > 0) job->range[job->count++] = job->half[i];
    }
    shared = job->count > before;
  }
  grz_parallel_run(parallel, job->count, sort_split_task, job);
}

void grz_tree_sort(int dim, const grz_tree_record *record, uint64_t *key, size_t slot, size_t first, size_t last,
                   const graze_parallel *parallel) {
  const tree_sorter sorter = {dim, record, key}, *b = &sorter;
  sort_job job = {.sorter = b};
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
    uint64_t *of_class = b->key + first + from;
    if (n > 0) job.range[job.count++] = (sort_range){of_class, slot + from, n, sort_cell_of(b, of_class, n)};
  }
  sort_ranges(&job, parallel);
}

/* ---- Building */

size_t grz_tree_bytes(size_t count) {
  size_t nodes = (count + 7) / 8, all = nodes;
  for (; nodes > 1; all += nodes) nodes = (nodes + 7) / 8;
  return all * sizeof(grz_node) + count * sizeof(uint32_t);
}

void grz_tree_make(grz_tree *tree, int dim, const graze_aabb *bounds, size_t count, void *memory) {
  const graze_vec half = vec_sub(vec_scale(bounds->max, 0.5), vec_scale(bounds->min, 0.5));
  const graze_vec centre = vec_add(bounds->min, half);
  const double extent = vec_norm_inf(half);
  grz_node *node = memory;
  size_t nodes = (count + 7) / 8;
  tree->dim = dim;
  tree->centre[0] = centre.x, tree->centre[1] = centre.y, tree->centre[2] = centre.z;
  tree->scale = extent > 0 ? real_power_of_two(-real_exponent(extent)) : 1; /* extents are below 2 in the frame */
  for (tree->levels = 0;; nodes = (nodes + 7) / 8) {
    tree->level[tree->levels++] = node;
    node += nodes;
    if (nodes == 1) break;
  }
  tree->item = (uint32_t *)(void *)node;
}

typedef struct tree_fill {
  grz_tree *tree;
  const grz_tree_record *record;
  const uint64_t *key;
  size_t count;
} tree_fill;

enum { FILL_SLOTS = 1 << 14 }; /* of a task */

static void tree_fill_task(void *data, size_t i) {
  const tree_fill *fill = data;
  const size_t from = i * FILL_SLOTS, all = (fill->count + 7) / 8 * 8;
  const size_t to = all - from < FILL_SLOTS ? all : from + FILL_SLOTS;
  for (size_t slot = from; slot < to; slot++) {
    grz_node *leaf = &fill->tree->level[0][slot / 8];
    if (slot >= fill->count) {
      grz_node_clear(leaf, slot % 8);
      continue;
    }
    const grz_tree_record *sorted = &fill->record[(uint32_t)fill->key[slot]];
    grz_node_write(leaf, slot % 8, sorted->side);
    fill->tree->item[slot] = sorted->item;
  }
}

void grz_tree_build(grz_tree *tree, const grz_tree_record *record, uint64_t *key, size_t count,
                    const graze_parallel *parallel) {
  const size_t leaves = (count + 7) / 8;
  tree_fill fill = {tree, record, key, count};
  grz_tree_sort(tree->dim, record, key, 0, 0, count, parallel);
  grz_parallel_run(parallel, (count + FILL_SLOTS - 1) / FILL_SLOTS, tree_fill_task, &fill);
  for (size_t k = 1, nodes = leaves; k < (size_t)tree->levels; k++) {
    const size_t above = (nodes + 7) / 8;
    for (size_t child = nodes % 8; child > 0 && child < 8; child++) grz_node_clear(&tree->level[k][above - 1], child);
    nodes = above;
  }
  grz_tree_refit(tree, 0, leaves);
}
