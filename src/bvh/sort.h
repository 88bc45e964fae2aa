/* The order of the items in the tree. */
#ifndef GRAZE_BVH_SORT_H
#define GRAZE_BVH_SORT_H

#include "bvh/eight.h"

/* An item while it has no place. */
typedef struct grz_broad_record {
  float side[6];
  uint32_t item, moves;
} grz_broad_record;

/* Sorts anew what stands from the place `from` on: 0 for all, or a group's first place among those that move. */
void grz_bvh_sort(grz_bvh *broad, size_t from);

/* Chooses another centre and scale, if single precision hardly resolves many of the boxes, and rounds all of them anew.
 * Boxes of groups are then still to be raised. */
void grz_broad_frame(grz_bvh *broad);

/* Mends the boxes above the groups first … last - 1. */
void grz_broad_raise(grz_bvh *broad, size_t first, size_t last);

/* The sum of the edges of a box, and of the box of a group. */
float grz_broad_extent(const grz_bvh *broad, const float side[6]);
float grz_broad_group_extent(const grz_bvh *broad, size_t group);

/* Sorts what came since the last sorting in runs, by the logarithmic method (Bentley and Saxe 1980): when the places in
 * use fill a node of the tree, all items below that node are sorted. Fewer than 64 items stay unsorted, and each item
 * is sorted once a level. Sorts everything if single precision hardly resolves half of the boxes. */
void grz_broad_keep(grz_bvh *broad);

/* Ascending; for a few numbers. */
void grz_broad_sort_sample(double *sample, size_t count);

#endif
