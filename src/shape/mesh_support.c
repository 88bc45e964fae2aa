/* The support vertex of a mesh, by a descent through its tree. */
#include "shape/mesh_support.h"

#include "core/vec.h"

/* A node to be opened, and an upper bound of d·x over it, in the unit of the tree and relative to its centre. */
typedef struct support_node {
  double bound;
  size_t index;
  int level;
} support_node;

/* Appends a node in ascending order of the bounds from `first` on. */
static int support_push(support_node *open, int first, int count, support_node node) {
  int at = count;
  for (; at > first && open[at - 1].bound > node.bound; at--) open[at] = open[at - 1];
  open[at] = node;
  return count + 1;
}

/* An upper bound of d·x over a box. */
static double support_bound(const grz_node *node, int child, const double d[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += real_max(d[k] * (double)node->side[k][child], -d[k] * (double)node->side[k + 3][child]);
  return sum;
}

/* Errors of bounds and values, in u and relative to |d| and the largest coordinates. */
#define SUPPORT_ERROR 64

int32_t grz_mesh_support(const graze_mesh *mesh, graze_vec d) {
  const grz_tree *tree = &mesh->tree;
  const graze_mesh_def *def = &mesh->def;
  const double axis[3] = {d.x, d.y, d.z};
  const graze_vec centre = vec_make(tree->centre[0], tree->centre[1], tree->centre[2]);
  const double doubt = SUPPORT_ERROR * GRZ_U * vec_norm1(d) * (vec_norm1(centre) * tree->scale + 8);
  support_node open[8 * GRZ_TREE_LEVELS];
  double most = -__builtin_inf(), least = most; /* the best value, and a bound that is too small */
  int32_t best = 0;
  int count = support_push(open, 0, 0, (support_node){__builtin_inf(), 0, tree->levels - 1});
  while (count > 0) {
    const support_node at = open[--count];
    const grz_node *node = &tree->level[at.level][at.index];
    const int first = count;
    for (int i = 0; i < 8 && at.bound >= least && !(node->side[0][i] > FLT_MAX); i++) {
      const size_t child = 8 * at.index + (size_t)i;
      const double bound = support_bound(node, i, axis);
      if (bound < least) continue;
      if (at.level > 0) {
        count = support_push(open, first, count, (support_node){bound, child, at.level - 1});
        continue;
      }
      for (int k = 0; k < def->dim; k++) {
        const int32_t vertex = def->faces[(size_t)def->dim * tree->item[child] + (size_t)k];
        const double value = vec_dot(def->vertices[vertex], d);
        if (!(value > most || (value == most && vertex < best))) continue;
        most = value, best = vertex;
        least = (most - vec_dot(centre, d)) * tree->scale - doubt;
      }
    }
  }
  return best;
}
