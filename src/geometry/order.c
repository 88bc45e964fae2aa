/* Merge sort from the bottom up: no recursion, and the same steps everywhere, which qsort() does not promise. */
#include "geometry/order.h"

#include <stdbool.h>
#include <string.h>

enum { ORDER_RUN = 16 };

static bool order_before(const grz_key *a, const grz_key *b) {
  return a->first < b->first || (a->first == b->first && a->second < b->second);
}

/* By insertion. */
static void order_run(grz_key *keys, size_t count) {
  for (size_t i = 1; i < count; i++) {
    grz_key key = keys[i];
    size_t at = i;
    for (; at > 0 && order_before(&key, &keys[at - 1]); at--) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

static void order_merge(const grz_key *from, size_t middle, size_t count, grz_key *to) {
  size_t i = 0, j = middle;
  for (size_t k = 0; k < count; k++) {
    bool right = i == middle || (j < count && order_before(&from[j], &from[i]));
    to[k] = from[right ? j++ : i++];
  }
}

static size_t order_min(size_t a, size_t b) { return a < b ? a : b; }

void grz_order(grz_key *keys, size_t count, grz_key *spare) {
  for (size_t i = 0; i < count; i += ORDER_RUN) order_run(keys + i, order_min(ORDER_RUN, count - i));
  grz_key *from = keys, *to = spare;
  for (size_t run = ORDER_RUN; run < count; run *= 2) {
    for (size_t i = 0; i < count; i += 2 * run) {
      size_t left = count - i;
      order_merge(from + i, order_min(run, left), order_min(2 * run, left), to + i);
    }
    grz_key *swap = from;
    from = to, to = swap;
  }
  if (from != keys) memcpy(keys, from, count * sizeof *keys);
}
