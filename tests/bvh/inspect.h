/* A tree together with a plain list of the same items, and checks of one against the other. */
#ifndef TESTS_BVH_INSPECT_H
#define TESTS_BVH_INSPECT_H

#include "bvh/scene_tree.h"
#include "worlds.h"

typedef struct plain_world {
  grz_bvh bvh;
  size_t capacity;
  graze_aabb *box;
  bool *there, *moves;
} plain_world;

/* Makes a world without items. The tree has no memory yet. */
void plain_make(plain_world *world, int dim, size_t capacity, const graze_allocator *allocator);
void plain_free(plain_world *world);

/* Makes a world with `count` items of the given kind; `share` of them move. */
void plain_fill(plain_world *world, int kind, uint64_t *state, size_t count, double share);

/* Change the tree and the list. */
void plain_insert(plain_world *world, size_t item, graze_aabb box, bool moves);
void plain_remove(plain_world *world, size_t item);

/* Checks that every item has one slot, that every box contains those below it (and nothing more after a rebuild), and
 * that all counters are right. */
void inspect_tree(const plain_world *world);

/* Writes the first `capacity` pairs of all chunks and returns the number of all pairs. */
size_t inspect_list(const grz_bvh *bvh, int width, grz_bvh_pair *pairs, size_t capacity);

/* Checks that the pairs are those of the plain list, each once, for every SIMD width and for a small capacity. Returns
 * their number. */
size_t inspect_pairs(const plain_world *world);

#endif
