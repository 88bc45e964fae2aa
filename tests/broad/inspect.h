/* A broad phase against a plain list of its items. */
#ifndef TESTS_BROAD_INSPECT_H
#define TESTS_BROAD_INSPECT_H

#include "broad/broad.h"

typedef struct plain_world {
  size_t capacity;
  graze_aabb *box;
  bool *there, *moves;
} plain_world;

plain_world plain_make(size_t capacity);
void plain_free(plain_world *world);

/* Changes both. */
void plain_put(plain_world *world, grz_broad *broad, size_t item, graze_aabb box, bool moves);
void plain_drop(plain_world *world, grz_broad *broad, size_t item);

/* Every item has one place, every box holds what is below it, and, after tidying, no more; all counts are right. */
void inspect_tree(const grz_broad *broad, const plain_world *world);

/* The pairs are those of the plain list, each once, by every width, and the same where fewer are asked for. Returns how
 * many they are. */
size_t inspect_pairs(const grz_broad *broad, const plain_world *world);

#endif
