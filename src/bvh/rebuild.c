/* What keeps the tree good: where it is rounded, how loose its groups are, when it is sorted. */
#include "bvh/sort.h"
#include "core/vec.h"

enum { TIDY_SAMPLE = 63 };

void grz_broad_raise(grz_bvh *broad, size_t first, size_t last) {
  for (int k = 1; k < broad->levels; k++) {
    for (size_t i = first; i < last; i++) {
      float side[6];
      grz_eight_join(&broad->level[k - 1][i], side);
      grz_eight_write(&broad->level[k][i / 8], i % 8, side);
    }
    first = first / 8, last = (last + 7) / 8;
  }
}

float grz_broad_extent(const grz_bvh *broad, const float side[6]) {
  float x = -(side[0] + side[3]), y = -(side[1] + side[4]), z = broad->dim == 2 ? 0 : -(side[2] + side[5]);
  float sum = (x + y) + z;
  return sum < FLT_MAX ? sum : FLT_MAX;
}

float grz_broad_group_extent(const grz_bvh *broad, size_t group) {
  float side[6];
  for (int k = 0; k < 6; k++) side[k] = broad->level[1][group / 8].side[k][group % 8];
  return grz_broad_extent(broad, side);
}

typedef struct broad_sample {
  double at[3][TIDY_SAMPLE], size[TIDY_SAMPLE];
  size_t count, blurred;
} broad_sample;

/* Finite boxes, from places that lie equally far apart. */
static void broad_take(const grz_bvh *b, broad_sample *sample) {
  size_t step = b->used / TIDY_SAMPLE + 1;
  sample->count = sample->blurred = 0;
  for (size_t place = 0; place < b->used; place += step) {
    if (b->item[place] == GRZ_BROAD_NONE) continue;
    graze_aabb box = b->box[b->item[place]];
    float side[6];
    grz_broad_sides(b, &box, side);
    double size = vec_norm_inf(vec_sub(box.max, box.min));
    if (!(size < 0x1p900)) continue;
    sample->blurred += grz_broad_is_blurred(b, side);
    sample->at[0][sample->count] = box.min.x / 2 + box.max.x / 2;
    sample->at[1][sample->count] = box.min.y / 2 + box.max.y / 2;
    sample->at[2][sample->count] = box.min.z / 2 + box.max.z / 2;
    sample->size[sample->count++] = size;
  }
}

static double broad_median(double *sample, size_t count) {
  grz_broad_sort_sample(sample, count);
  return sample[count / 2];
}

/* Medians, as a few that are far away must not blur all others. */
void grz_broad_frame(grz_bvh *broad) {
  broad_sample sample;
  if (!broad->blurry) return;
  broad->blurry = false;
  broad_take(broad, &sample);
  if (sample.blurred * 8 <= sample.count) return;
  double size = broad_median(sample.size, sample.count);
  for (int k = 0; k < 3; k++) {
    broad->centre[k] = broad_median(sample.at[k], sample.count);
    for (size_t i = 0; i < sample.count; i++) sample.at[k][i] = real_abs(sample.at[k][i] - broad->centre[k]);
    size = real_max(size, broad_median(sample.at[k], sample.count));
  }
  int exponent = size > 0x1p-1000 ? real_exponent(size) : -1000;
  broad->scale = size > 0 ? real_power_of_two(-exponent) : 1;
  for (size_t place = 0; place < broad->used; place++) {
    float side[6];
    if (broad->item[place] == GRZ_BROAD_NONE) continue;
    grz_broad_sides(broad, &broad->box[broad->item[place]], side);
    grz_eight_write(&broad->level[0][place / 8], place % 8, side);
  }
}

/* By how much the groups that move have grown since they were sorted, in groups. A group that came later counts as 8,
 * and none for more, as one item that flies away spoils one group, not the tree. */
static double broad_looseness(const grz_bvh *b) {
  const size_t late = b->used > b->tail ? b->tail / 8 : b->used;
  double sum = 0;
  for (size_t group = b->resting / 8; group < (b->used + 7) / 8; group++) {
    const float extent = grz_broad_group_extent(b, group), sorted = group < late ? b->extent[group] : 0;
    if (!(extent > sorted)) continue;
    sum += extent > 9 * sorted ? 8 : (double)(extent / sorted) - 1;
  }
  return sum;
}

/* What disorder costs is added up from one tidying to the next, and when it has cost as much as sorting, it is time to
 * sort: at worst twice what is best, whatever comes. Of bench/broad.c's measurements: an item that rests among those
 * that move, or whose box is blurred, costs about half of sorting one item; a group grown by its own size four times
 * what sorting a group does. */
void grz_bvh_rebuild(grz_bvh *broad) {
  size_t first = broad->resting / 8, last = (broad->used + 7) / 8;
  bool is_small = broad->used <= GRZ_BROAD_SMALL;
  broad->full_debt += (double)(broad->misplaced + broad->blurred);
  broad->blurred = 0;
  if (!is_small && (2 * broad->full_debt >= (double)broad->count || 2 * broad->left > broad->resting)) {
    grz_bvh_sort(broad, 0);
  } else if (!broad->is_tidy) {
    if (is_small) grz_broad_frame(broad);
    grz_broad_raise(broad, is_small ? 0 : first, last);
    broad->part_debt += broad_looseness(broad);
    if (!is_small && 4 * broad->part_debt >= (double)(last - first)) grz_bvh_sort(broad, broad->resting);
    grz_broad_keep(broad);
  }
  broad->is_tidy = true;
}
