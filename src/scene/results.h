/* The first `capacity` of what is found, in the caller's array, whatever the order in which it comes: a heap, the last
 * one on top, and sorted in the end. */
#ifndef GRAZE_SCENE_RESULTS_H
#define GRAZE_SCENE_RESULTS_H

#include <graze/scene.h>

/* Of two that differ one comes before the other. */
typedef bool scene_before(const void *p, const void *q);

typedef struct scene_found {
  void *at;
  size_t size, capacity;
  scene_before *before;
  size_t kept, count;
} scene_found;

void grz_scene_found_put(scene_found *found, const void *element);

/* The last of them. */
static inline const void *scene_found_last(const scene_found *found) { return found->at; }

static inline bool scene_found_is_full(const scene_found *found) { return found->kept == found->capacity; }

/* Sorts what was found. */
void grz_scene_found_end(scene_found *found);

/* Sorts an array by heap: no bad cases, no memory. */
void grz_scene_sort(void *at, size_t count, size_t size, scene_before *before);

/* Sorts what was found, and says how many there are: GRAZE_NO_SPACE where not all of them were kept. */
graze_status grz_scene_found_all(scene_found *found, size_t *count);

#endif
