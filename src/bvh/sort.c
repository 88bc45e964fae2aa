/* Sorting: by size class, and in each class by Morton code (Morton 1966), in time that grows with the number of items.
 * Boxes that differ much in size do not share groups, so that a large one does not make the box around many small ones
 * large. The grid of the codes is fitted to a sample; where it proves too coarse, its cell gets one of its own. */
#include "bvh/sort.h"

#include <string.h>

enum {
  SORT_SAMPLE = 128,
  SORT_CROWD = 32, /* as many in one cell are sorted by a grid of their own */
  SORT_DEPTH = 4,  /* grids in grids */
};

/* Where codes are taken. A class begins above each of three sizes, each 8 times the one before. */
typedef struct broad_grid {
  float low[3], per; /* cells per unit */
  float size[3];
} broad_grid;

/* Shell's, with gaps that are near 3^k. */
void grz_broad_sort_sample(double *sample, size_t count) {
  static const size_t gaps[] = {40, 13, 4, 1};
  for (int g = 0; g < 4; g++) {
    for (size_t i = gaps[g]; i < count; i++) {
      double x = sample[i];
      size_t at = i;
      for (; at >= gaps[g] && sample[at - gaps[g]] > x; at -= gaps[g]) sample[at] = sample[at - gaps[g]];
      sample[at] = x;
    }
  }
}

/* The largest edge. */
static float broad_size(const float side[6], int dim) {
  float x = -(side[0] + side[3]), y = -(side[1] + side[4]), z = dim == 2 ? 0 : -(side[2] + side[5]);
  x = x > y ? x : y;
  return x > z ? x : z;
}

/* The range that is seen and a little more, but not far beyond where most are: `reach` from the median. Those outside
 * go to the cells at the edge. */
static void broad_fit_axis(broad_grid *grid, int axis, double *sample, size_t count, double reach) {
  double low = real_max(sample[0], sample[count / 2] - reach);
  double high = real_min(sample[count - 1], sample[count / 2] + reach);
  double margin = (high - low) / 16, width = high - low + 2 * margin;
  grid->low[axis] = (float)(low - margin);
  if (width > (double)grid->per) grid->per = (float)width;
}

/* False: all are in one point, as far as the sample shows. */
static bool broad_fit(const grz_bvh *b, const uint64_t *key, size_t n, broad_grid *grid) {
  double at[3][SORT_SAMPLE], size[SORT_SAMPLE], reach = 0;
  size_t count = n / 64 + 16 < SORT_SAMPLE ? n / 64 + 16 : SORT_SAMPLE;
  if (count > n) count = n;
  for (size_t i = 0; i < count; i++) {
    const float *side = b->record[(uint32_t)key[i * n / count]].side;
    for (int k = 0; k < 3; k++) at[k][i] = ((double)side[k] - (double)side[k + 3]) / 2;
    size[i] = (double)broad_size(side, b->dim);
  }
  grz_broad_sort_sample(size, count);
  for (int k = 0; k < 3; k++) {
    grz_broad_sort_sample(at[k], count);
    reach = real_max(reach, 4 * (at[k][count * 3 / 4] - at[k][count / 4]));
    grid->size[k] = (float)real_min(size[count / 10] * (double)(8 << 3 * k), (double)FLT_MAX);
  }
  grid->per = 0;
  for (int k = 0; k < 3; k++) broad_fit_axis(grid, k, at[k], count, reach);
  if (!(grid->per > 0)) return false;
  grid->per = grz_float_min((b->dim == 2 ? 32768 : 1024) / grid->per, FLT_MAX);
  return true;
}

static uint32_t broad_cell(const broad_grid *grid, const float side[6], int axis, float most) {
  float at = (side[axis] * 0.5f - side[axis + 3] * 0.5f - grid->low[axis]) * grid->per;
  return at > 0 ? (uint32_t)(at < most ? at : most) : 0;
}

static uint32_t broad_spread3(uint32_t x) {
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}

static uint32_t broad_spread2(uint32_t x) {
  x = (x | x << 8) & 0x00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f;
  x = (x | x << 2) & 0x33333333;
  return (x | x << 1) & 0x55555555;
}

static uint32_t broad_code(const broad_grid *grid, const float side[6], int dim) {
  float size = broad_size(side, dim);
  uint32_t class = (uint32_t)(size > grid->size[0]) + (size > grid->size[1]) + (size > grid->size[2]);
  if (dim == 2) {
    return class << 30 | broad_spread2(broad_cell(grid, side, 0, 32767)) |
           broad_spread2(broad_cell(grid, side, 1, 32767)) << 1;
  }
  return class << 30 | broad_spread3(broad_cell(grid, side, 0, 1023)) |
         broad_spread3(broad_cell(grid, side, 1, 1023)) << 1 | broad_spread3(broad_cell(grid, side, 2, 1023)) << 2;
}

/* By the upper half of each key, stably: digits from the lowest on. A digit that all share is passed over. */
static void broad_radix(uint64_t *key, uint64_t *spare, size_t n) {
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
      uint32_t count = start[p][d];
      start[p][d] = sum;
      sum += count;
    }
    for (size_t i = 0; i < n; i++) to[start[p][from[i] >> (32 + 8 * p) & 0xff]++] = from[i];
    uint64_t *swap = from;
    from = to, to = swap;
  }
  if (from != key) memcpy(key, from, n * sizeof *key);
}

/* Keys hold a code above and a record below. */
static void broad_order(grz_bvh *b, size_t first, size_t n, int depth) {
  broad_grid grid;
  uint64_t *key = b->key + first;
  if (n < 2 || !broad_fit(b, key, n, &grid)) return;
  for (size_t i = 0; i < n; i++) {
    uint32_t record = (uint32_t)key[i];
    key[i] = (uint64_t)broad_code(&grid, b->record[record].side, b->dim) << 32 | record;
  }
  broad_radix(key, b->spare, n);
  if (depth == SORT_DEPTH) return;
  for (size_t i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && (key[next] ^ key[i]) >> 32 == 0;) next++;
    if (next - i > SORT_CROWD) broad_order(b, first + i, next - i, depth + 1);
  }
}

/* Takes all items from a place on out of the tree. Their records stand before the first of two marks, or, if all are
 * taken and they move, behind the second. */
static void broad_collect(grz_bvh *b, size_t from, size_t mark[2]) {
  mark[0] = 0, mark[1] = b->capacity;
  for (size_t place = from; place < b->used; place++) {
    uint32_t item = b->item[place], moves = b->moving[place / 8] >> place % 8 & 1;
    if (item == GRZ_BROAD_NONE) continue;
    grz_broad_record *record = &b->record[from == 0 && moves ? --mark[1] : mark[0]++];
    const grz_eight *group = &b->level[0][place / 8];
    for (int k = 0; k < 6; k++) record->side[k] = group->side[k][place % 8];
    record->item = item, record->moves = moves;
  }
}

/* Records go where `first` is, in the order of their keys; returns the end. */
static size_t broad_lay(grz_bvh *b, size_t first, const uint64_t *key, size_t n) {
  for (size_t i = 0; i < n; i += 8) {
    size_t group = (first + i) / 8, many = n - i < 8 ? n - i : 8;
    grz_eight *eight = &b->level[0][group];
    unsigned moving = 0;
    for (size_t lane = 0; lane < many; lane++) {
      const grz_broad_record *record = &b->record[(uint32_t)key[i + lane]];
      grz_eight_write(eight, lane, record->side);
      b->item[first + i + lane] = record->item;
      b->place[record->item] = (uint32_t)(first + i + lane);
      moving |= record->moves << lane;
    }
    for (size_t lane = many; lane < 8; lane++) {
      grz_eight_clear(eight, lane);
      b->item[first + i + lane] = GRZ_BROAD_NONE;
    }
    b->moving[group] = (uint8_t)moving;
    float side[6];
    grz_eight_join(eight, side);
    b->extent[group] = grz_float_max(grz_broad_extent(b, side), FLT_MIN);
  }
  return first + n;
}

static void broad_empty(grz_bvh *b, size_t first, size_t last) {
  for (size_t group = first; group < last; group++) {
    for (size_t lane = 0; lane < 8; lane++) grz_eight_clear(&b->level[0][group], lane);
    memset(b->item + 8 * group, 0xff, 8 * sizeof *b->item);
    b->moving[group] = 0;
    b->extent[group] = 0;
  }
}

static size_t broad_part(grz_bvh *b, size_t first, size_t record, size_t end) {
  for (size_t i = record; i < end; i++) b->key[i] = i;
  broad_order(b, record, end - record, 0);
  return broad_lay(b, first, b->key + record, end - record);
}

void grz_bvh_sort(grz_bvh *broad, size_t from) {
  size_t mark[2], old = (broad->used + 7) / 8;
  if (from == 0) grz_broad_frame(broad);
  broad_collect(broad, from, mark);
  broad->used = broad_part(broad, from, 0, mark[0]);
  if (from == 0) {
    broad->resting = (broad->used + 7) / 8 * 8;
    broad->used = broad_part(broad, broad->resting, mark[1], broad->capacity);
    broad->left = broad->misplaced = 0;
    broad->full_debt = 0;
  }
  if (from <= broad->resting) broad->part_debt = 0, broad->tail = broad->used;
  broad->kept = broad->used;
  size_t end = (broad->used + 7) / 8;
  broad_empty(broad, end, old);
  grz_broad_raise(broad, from / 8, end > old ? end : old);
}

/* Empty places stay behind the items of a run, so no node is filled twice. */
void grz_broad_keep(grz_bvh *broad) {
  const size_t used = broad->used, kept = broad->kept;
  size_t run = GRZ_BROAD_SMALL;
  if (used <= GRZ_BROAD_SMALL) return;
  if (2 * broad->blurred >= broad->count + GRZ_BROAD_SMALL) {
    broad->blurred = 0;
    grz_bvh_sort(broad, 0);
    return;
  }
  if (kept / run == used / run) return;
  while (kept / (4 * run) != used / (4 * run)) run *= 4;
  const size_t node = kept / run * run, tail = broad->tail / 8 * 8, from = node > tail ? node : tail;
  grz_bvh_sort(broad, from);
  if (from > 0) broad->used = broad->kept = used;
}
