/* A bounds tree (BVH) over any boxes: which of them can be near, without looking at all. The same boxes in the same
 * order give the same tree. */
#ifndef GRAZE_SHAPE_TREE_H
#define GRAZE_SHAPE_TREE_H

#include <graze/graze.h>

/* No node lies deeper below the root. A walk that keeps the other child of every node on its way down, on a stack,
 * never holds more. */
enum { GRZ_TREE_DEPTH = 64 };

typedef struct grz_tree_node {
  graze_aabb box; /* around everything below */
  int32_t below;  /* >= 0: the number of a pair of nodes; < 0: the item ~below, and nothing else */
} grz_tree_node;

/* node[0] is the root; pair p is node[1 + 2p] and node[2 + 2p]. */
typedef struct grz_tree {
  const grz_tree_node *node;
  size_t count; /* of items */
} grz_tree;

/* How many nodes hold `count` >= 1 items. */
static inline size_t grz_tree_nodes(size_t count) { return 2 * count - 1; }

/* The first of the pair below a node that is no leaf. */
static inline size_t grz_tree_below(const grz_tree_node *node) { return 1 + 2 * (size_t)node->below; }

/* Builds the tree over boxes of finite numbers, 1 <= count <= INT32_MAX, in O(n log n): a binned surface area heuristic
 * (Wald 2007), halves where it would become deep. `node`: room for grz_tree_nodes(count); `order`: room for `count`
 * numbers, used only here. */
void grz_tree_build(grz_tree_node *node, const graze_aabb *box, size_t count, int32_t *order);

#endif
