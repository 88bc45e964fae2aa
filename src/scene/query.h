/* Parts that all queries of a scene share. Queries neither change the scene nor allocate. */
#ifndef GRAZE_SCENE_QUERY_H
#define GRAZE_SCENE_QUERY_H

#include "scene/store.h"

/* ---- Result lists */

/* A strict order of different elements. */
typedef bool scene_before(const void *p, const void *q);

/* The first `capacity` results in an order, in the caller's array. A binary heap with the last one on top, until the
 * list is sorted. */
typedef struct result_list {
  void *first;
  size_t size, capacity; /* size: of an element */
  scene_before *before;
  size_t kept, count; /* count: of all results, kept or not */
} result_list;

void grz_results_add(result_list *results, const void *element);

static inline bool results_are_full(const result_list *results) { return results->kept == results->capacity; }

/* The last one of the kept results. */
static inline const void *results_last(const result_list *results) { return results->first; }

void grz_results_sort(result_list *results);

/* Sorts the results and writes their number. GRAZE_NO_SPACE: some were not kept. */
graze_status grz_results_finish(result_list *results, size_t *count);

/* Heapsort: no bad cases, no memory. */
void grz_scene_sort(void *first, size_t count, size_t size, scene_before *before);

/* ---- Filters and bounds */

/* Returns whether the filter accepts the body in a slot. The caller's function is called last. */
bool grz_query_accepts(const graze_scene *scene, const graze_filter *filter, size_t slot);

/* The error of a query shape, or GRAZE_OK. */
graze_status grz_query_check_shape(const graze_scene *scene, const graze_placed *placed);

/* Bounds of the shape where it is; of a half-space everything. */
graze_aabb grz_query_bounds(const graze_placed *placed);

#endif
