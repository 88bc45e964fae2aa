/* The search for the pairs of parts that need an exact query. */
#ifndef GRAZE_COMPOUND_SEARCH_H
#define GRAZE_COMPOUND_SEARCH_H

#include "compound/query_shape.h"

typedef struct grz_search {
  const grz_tree_node *target;
  const grz_query_shape *query;
  double limit;  /* pairs beyond are excluded; `visit` may reduce it */
  double beyond; /* no excluded pair is nearer than this */
  /* Returns false to end the search. `query_part` is 0 for a convex query shape. */
  bool (*visit)(void *context, int32_t target_part, int32_t query_part);
  void *context;
} grz_search;

/* Visits at least one pair. */
void grz_search_run(grz_search *search);

#endif
