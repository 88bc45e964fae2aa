/* The first `capacity` of what is found, in the caller's array, whatever the order in which it comes: a heap, the last
 * one on top, and sorted in the end. */
#ifndef GRAZE_SCENE_FOUND_H
#define GRAZE_SCENE_FOUND_H

#include <graze/scene.h>

typedef struct scene_found {
  void *at;
  size_t size, capacity;
  bool (*before)(const void *p, const void *q); /* of two that differ one is */
  size_t kept, count;
} scene_found;

void grz_scene_found_put(scene_found *found, const void *element);

/* The last of them. */
static inline const void *scene_found_last(const scene_found *found) { return found->at; }

static inline bool scene_found_is_full(const scene_found *found) { return found->kept == found->capacity; }

/* Sorts them. */
void grz_scene_found_end(scene_found *found);

/* The same, and says how many there are: GRAZE_NO_ROOM where not all of them were kept. */
graze_status grz_scene_found_all(scene_found *found, size_t *count);

#endif
