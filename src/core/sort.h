/* Stable sort of keys of two numbers. Insertion sort on runs of 16, then bottom-up merge sort. The standard qsort() is
 * not stable, and its result for equal keys depends on the platform. */
#ifndef GRAZE_CORE_SORT_H
#define GRAZE_CORE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct grz_key {
  double first, second;
  uint32_t index;
} grz_key;

enum { SORT_RUN = 16 };

static inline bool sort_is_less(const grz_key *a, const grz_key *b) {
  return a->first < b->first || (a->first == b->first && a->second < b->second);
}

static inline size_t sort_min(size_t a, size_t b) { return a < b ? a : b; }

/* Sorts by `first`, then by `second`. 0 and -0 are equal. `spare` has space for `count` keys. */
static inline void grz_sort(grz_key *keys, size_t count, grz_key *spare) {
  for (size_t start = 0; start < count; start += SORT_RUN) {
    const size_t end = start + sort_min(SORT_RUN, count - start);
    for (size_t i = start + 1; i < end; i++) {
      const grz_key key = keys[i];
      size_t k = i;
      for (; k > start && sort_is_less(&key, &keys[k - 1]); k--) keys[k] = keys[k - 1];
      keys[k] = key;
    }
  }
  grz_key *from = keys, *to = spare;
  for (size_t run = SORT_RUN; run < count; run *= 2) {
    for (size_t start = 0; start < count; start += 2 * run) {
      const size_t middle = start + sort_min(run, count - start), end = start + sort_min(2 * run, count - start);
      for (size_t i = start, j = middle, k = start; k < end; k++) {
        const bool right = i == middle || (j < end && sort_is_less(&from[j], &from[i]));
        to[k] = from[right ? j++ : i++];
      }
    }
    grz_key *swap = from;
    from = to, to = swap;
  }
  if (from != keys) memcpy(keys, from, count * sizeof *keys);
}

/* Shellsort in ascending order with the gaps (3^k - 1)/2, for short arrays. */
static inline void sort_doubles(double *x, size_t count) {
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

#endif
