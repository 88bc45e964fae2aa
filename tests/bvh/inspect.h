/* A broad phase against a plain list of its items. */
#ifndef TESTS_BVH_INSPECT_H
#define TESTS_BVH_INSPECT_H

#include "bvh/pairs.h"
#include "worlds.h"

typedef struct plain_world {
  grz_bvh broad;
  size_t capacity;
  graze_aabb *box;
  bool *there, *moves;
} plain_world;

/* No items, and no room in the broad phase yet. */
void plain_make(plain_world *world, int dim, size_t capacity, const graze_allocator *allocator);
void plain_free(plain_world *world);

/* Makes a world with `count` items of its kind, of which `share` move. */
void plain_fill(plain_world *world, int kind, uint64_t *state, size_t count, double share);

/* Changes both. */
void plain_put(plain_world *world, size_t item, graze_aabb box, bool moves);
void plain_drop(plain_world *world, size_t item);

/* Every item has one place, every box holds what is below it, and, after tidying, no more; all counts are right. */
void inspect_tree(const plain_world *world);

/* The number of all pairs; the first ones in `pairs`. */
size_t inspect_list(const grz_bvh *broad, int lanes, grz_bvh_pair *pairs, size_t room);

/* The pairs are those of the plain list, each once, by every width, and the same where fewer are asked for. Returns how
 * many they are. */
size_t inspect_pairs(const plain_world *world);

#endif
