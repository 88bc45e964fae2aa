/* The order of the items in the tree. */
#ifndef GRAZE_BROAD_SORT_H
#define GRAZE_BROAD_SORT_H

#include "broad/eight.h"

/* An item while it has no place. */
typedef struct grz_broad_record {
  float side[6];
  uint32_t item, moves;
} grz_broad_record;

/* Sorts anew what stands from the place `from` on: 0 for all, or where those that move begin. */
void grz_broad_sort(grz_broad *broad, size_t from);

/* Chooses another centre and scale, if single precision hardly resolves many of the boxes, and rounds all of them anew.
 * Boxes of groups are then still to be raised. */
void grz_broad_frame(grz_broad *broad);

/* Mends the boxes above the groups first … last - 1. */
void grz_broad_raise(grz_broad *broad, size_t first, size_t last);

/* The sum of the edges of a group's box. */
float grz_broad_extent(const grz_broad *broad, const float side[6]);

/* Ascending; for a few numbers. */
void grz_broad_sort_sample(double *sample, size_t count);

#endif
