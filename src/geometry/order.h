/* Sorting by numbers. */
#ifndef GRAZE_GEOMETRY_ORDER_H
#define GRAZE_GEOMETRY_ORDER_H

#include <stddef.h>
#include <stdint.h>

typedef struct grz_key {
  double first, second;
  uint32_t index;
} grz_key;

/* Sorts by first, then second, then as they stood (the zeros are equal). `spare` has room for as many. Merge sort. */
void grz_order(grz_key *keys, size_t count, grz_key *spare);

#endif
