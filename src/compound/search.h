/* Which pairs of parts are worth asking about: a walk down the trees of both, nearest first. */
#ifndef GRAZE_COMPOUND_SEARCH_H
#define GRAZE_COMPOUND_SEARCH_H

#include "compound/query_shape.h"

typedef struct grz_search {
  const grz_tree_node *host;
  const grz_query_shape *guest;
  double limit;  /* pairs that surely lie beyond are left out: `ask` may lower it */
  double beyond; /* none of those left out lies nearer than this */
  /* False ends the search. `guest_part` is 0 for a convex guest. */
  bool (*ask)(void *context, int32_t host_part, int32_t guest_part);
  void *context;
} grz_search;

/* At least one pair is always asked about. */
void grz_search_run(grz_search *search);

#endif
