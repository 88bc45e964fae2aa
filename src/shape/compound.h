/* Construction of compounds, and the tree over their parts.
 *
 * The tree is a binary bounding-volume hierarchy (BVH) over boxes. Equal boxes in equal order give the same tree. */
#ifndef GRAZE_SHAPE_COMPOUND_H
#define GRAZE_SHAPE_COMPOUND_H

#include <graze/graze.h>

/* The largest depth of a node. A traversal that stores one sibling per level needs a stack of this size. */
enum { GRZ_TREE_DEPTH = 64 };

typedef struct grz_tree_node {
  graze_aabb box; /* of all items below */
  int32_t below;  /* >= 0: the index of a pair of nodes; < 0: a leaf with the item ~below */
} grz_tree_node;

/* node[0] is the root; pair p is node[1 + 2p] and node[2 + 2p]. */
typedef struct grz_tree {
  const grz_tree_node *node;
  size_t count; /* of items */
} grz_tree;

/* The number of nodes for `count` >= 1 items. */
static inline size_t grz_tree_nodes(size_t count) { return 2 * count - 1; }

/* The index of the first child of an inner node. */
static inline size_t grz_tree_below(const grz_tree_node *node) { return 1 + 2 * (size_t)node->below; }

/* Builds the tree over boxes of finite numbers, 1 <= count <= INT32_MAX, in O(n log n). A range is split by the binned
 * surface area heuristic, or in halves if the tree would become too deep.
 *
 * node    receives grz_tree_nodes(count) nodes.
 * order   scratch for `count` numbers. */
void grz_tree_build(grz_tree_node *node, const graze_aabb *box, size_t count, int32_t *order);

#endif
