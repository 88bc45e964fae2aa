/* Lists of vertices that came with snapshots. Whoever asks for a body sees where its vertices stand, and may make
 * others of them: so they stay until the scene is destroyed. Each list stands there once, however often it is restored.
 */
#ifndef GRAZE_SCENE_OWNED_H
#define GRAZE_SCENE_OWNED_H

#include <graze/graze.h>

/* The head of a block that goes on with the vertices and their edges. */
typedef struct scene_list {
  struct scene_list *next; /* of the same head in the table */
  uint64_t sum;            /* of what it is in bytes */
  graze_shape_kind kind;
  int dim;
  size_t count; /* of vertices, which stand behind it */
  graze_adjacency adjacency;
} scene_list;

/* A table, open to as many as there are heads. Start from zeros. */
typedef struct scene_owned {
  scene_list **head;
  size_t heads, count; /* heads: a power of 2, or 0 */
} scene_owned;

static inline graze_vec *scene_list_vertices(scene_list *list) { return (graze_vec *)(void *)(list + 1); }

/* As a shape of no size but its vertices. */
graze_shape grz_owned_shape(scene_list *list);

/* Lists of the same sum, the newest one first: of more than a few, which would be a forgery, those that were there
 * first are not found any more. NULL: there is none, or no further one. */
typedef struct scene_owned_walk {
  scene_list *at;
  int left;
} scene_owned_walk;
scene_owned_walk grz_owned_walk(const scene_owned *owned, uint64_t sum);
scene_list *grz_owned_next(scene_owned_walk *walk, uint64_t sum);

/* Room for so many in all; false: no memory, and nothing has changed. */
bool grz_owned_reserve(scene_owned *owned, size_t count, const graze_allocator *allocator);

/* There is room for it. */
void grz_owned_put(scene_owned *owned, scene_list *list);

/* Takes over all of another table, of which nothing is left. There is room for them. */
void grz_owned_take(scene_owned *owned, scene_owned *from, const graze_allocator *allocator);

/* Gives back all of it. */
void grz_owned_free(scene_owned *owned, const graze_allocator *allocator);

#endif
