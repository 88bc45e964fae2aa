/* An eight-wide bounding-volume tree over axis-aligned boxes, in floats. Compounds and meshes have one over their
 * parts; a scene has one that changes (bvh/scene_tree.h).
 *
 * The tree is implicit: every node holds eight boxes, and the parent of node i is node i / 8. A slot is a position in
 * the order of the leaves; a leaf is a group of eight slots. */
#ifndef GRAZE_SHAPE_TREE_H
#define GRAZE_SHAPE_TREE_H

#include "core/vec.h"
#include "simd/isa.h"

#include <float.h>
#include <graze/parallel.h>

/* Largest number of levels: 8^11 slots are more than can be numbered. */
enum { GRZ_TREE_LEVELS = 12 };

/* An empty slot, or an item outside the tree. */
#define GRZ_TREE_NONE UINT32_MAX

/* A node: eight boxes in floats.
 *
 * A coordinate x becomes f(x) = (x - centre)·scale, rounded and clamped to ±FLT_MAX. f is monotone, and all coordinates
 * of an axis use the same f. So f(x) < f(y) proves x < y; only f(x) = f(y) leaves the order open. Comparing floats
 * therefore never misses an overlap, at any scale and without directed rounding. A reported overlap is certain unless
 * two of the floats are equal.
 *
 * A node stores min and -max. So a union is a minimum. Two boxes overlap if and only if each side of one plus the
 * opposite side of the other is at most 0. */
typedef struct grz_node {
  float side[6][8]; /* min x, y, z, -max x, y, z; infinite in empty slots, which therefore overlap nothing */
} grz_node;

typedef struct grz_tree {
  int dim, levels;
  double centre[3], scale;          /* the frame: floats store (x - centre)·scale */
  uint32_t *item;                   /* by slot */
  grz_node *level[GRZ_TREE_LEVELS]; /* [0]: boxes of items, [1]: boxes of leaves, [2]: boxes of [1], … */
} grz_tree;

static inline int grz_opposite_side(int k) { return k < 3 ? k + 3 : k - 3; }

static inline float grz_float_min(float x, float y) { return x < y ? x : y; }
static inline float grz_float_max(float x, float y) { return x > y ? x : y; }

static inline unsigned grz_first_bit(unsigned bits) { return (unsigned)__builtin_ctz(bits); }
static inline unsigned grz_first_bit64(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

/* ---- Rounding */

/* Computes f of three coordinates. out[3] is written too. */
#ifdef GRZ_SIMD_X86

static inline void grz_tree_round_point(const grz_tree *tree, const graze_vec *v, float out[4]) {
  const __m128d scale = _mm_set1_pd(tree->scale), z_only = _mm_load_sd(&v->z);
  const __m128d xy = _mm_mul_pd(_mm_sub_pd(_mm_loadu_pd(&v->x), _mm_loadu_pd(tree->centre)), scale);
  const __m128d z = _mm_mul_pd(_mm_sub_pd(z_only, _mm_load_sd(&tree->centre[2])), scale);
  const __m128 all = _mm_movelh_ps(_mm_cvtpd_ps(xy), _mm_cvtpd_ps(z)), most = _mm_set1_ps(FLT_MAX);
  _mm_storeu_ps(out, _mm_max_ps(_mm_min_ps(all, most), _mm_set1_ps(-FLT_MAX)));
}

#else

static inline void grz_tree_round_point(const grz_tree *tree, const graze_vec *v, float out[4]) {
  const double in[3] = {v->x, v->y, v->z};
  for (int k = 0; k < 3; k++) {
    const float x = (float)((in[k] - tree->centre[k]) * tree->scale);
    out[k] = grz_float_max(grz_float_min(x, FLT_MAX), -FLT_MAX);
  }
}

#endif

/* Rounds a box to the six sides of a node. In 2D all boxes get the same z interval, so z never leaves a test open. */
static inline void grz_tree_round(const grz_tree *tree, const graze_aabb *box, float side[6]) {
  float low[4], high[4];
  grz_tree_round_point(tree, &box->min, low);
  grz_tree_round_point(tree, &box->max, high);
  for (int k = 0; k < 3; k++) side[k] = low[k], side[k + 3] = -high[k];
  if (tree->dim == 2) side[2] = side[5] = -1;
}

/* ---- Boxes of a node */

static inline void grz_node_write(grz_node *node, size_t child, const float side[6]) {
  for (int k = 0; k < 6; k++) node->side[k][child] = side[k];
}

static inline void grz_node_clear(grz_node *node, size_t child) {
  for (int k = 0; k < 6; k++) node->side[k][child] = __builtin_inff();
}

/* Computes the box around all eight boxes. The order of the minima lets compilers use SIMD. */
static inline void grz_node_union(const grz_node *node, float side[6]) {
  float half[6][4];
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 4; i++) half[k][i] = grz_float_min(node->side[k][i], node->side[k][i + 4]);
  }
  for (int k = 0; k < 6; k++) {
    side[k] = grz_float_min(grz_float_min(half[k][0], half[k][2]), grz_float_min(half[k][1], half[k][3]));
  }
}

/* Recomputes the boxes above the leaves first … last - 1. */
void grz_tree_refit(grz_tree *tree, size_t first, size_t last);

/* ---- Sorting and building (tree.c) */

/* An item that is being sorted. */
typedef struct grz_tree_record {
  float side[6];
  uint32_t item, moves;
} grz_tree_record;

/* Sorts the records first … last - 1 by size class and place, for the slots from `slot` on. Writes the order of the
 * records to key[first] … key[last - 1]: the low 32 bits of a key are the index of a record. */
void grz_tree_sort(int dim, const grz_tree_record *record, uint64_t *key, size_t slot, size_t first, size_t last,
                   const graze_parallel *parallel);

/* The bytes of the arrays of a tree over `count` >= 1 items. */
size_t grz_tree_bytes(size_t count);

/* Makes a tree over boxes inside `bounds`, without its items.
 * @param memory  grz_tree_bytes(count) bytes, aligned to 64 bytes, which the tree uses. */
void grz_tree_make(grz_tree *tree, int dim, const graze_aabb *bounds, size_t count, void *memory);

/* Fills the tree, in O(n log n). Equal boxes in equal order give the same tree.
 * @param record    `count` records, the boxes rounded by grz_tree_round().
 * @param key       scratch for `count` numbers.
 * @param parallel  NULL, or threads that share the work; the tree is the same. */
void grz_tree_build(grz_tree *tree, const grz_tree_record *record, uint64_t *key, size_t count,
                    const graze_parallel *parallel);

#endif
