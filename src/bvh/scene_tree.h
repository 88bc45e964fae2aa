/* A bounding-volume tree over axis-aligned boxes: the broad phase of a scene.
 *
 * The tree is implicit and eight-wide: every node holds eight boxes, and the parent of node i is node i / 8. The leaves
 * hold the resting items first, then the moving ones, each part sorted by size class and place (sort.c). Boxes
 * are stored in single precision. If rounding leaves a test undecided, the caller's doubles decide, so every result is
 * exact.
 *
 * Items are numbers below a capacity. Only grz_bvh_reserve() allocates. Every change takes effect at once. Queries stay
 * logarithmic after grz_bvh_update() and grz_bvh_remove(), and after grz_bvh_insert() once grz_bvh_rebuild() was
 * called. Margins and costs: docs/theory/bvh.md. */
#ifndef GRAZE_BVH_SCENE_TREE_H
#define GRAZE_BVH_SCENE_TREE_H

#include "shape/tree.h"
#include "simd/isa.h"

#include <graze/graze.h>

/* `capacity`, `count`, `box` and tree.dim may be read; the rest is private. The arrays of `tree` have space for vacated
 * slots.
 */
typedef struct grz_bvh {
  graze_allocator allocator;
  grz_tree tree;
  size_t capacity; /* items are smaller than this */
  size_t count;    /* items in the tree */

  void *memory;                   /* one block for all arrays below */
  graze_aabb *box;                /* by item; the owner may write a box shortly before it inserts the item */
  uint32_t *slot;                 /* by item */
  uint8_t *moving;                /* by leaf: one bit for each slot whose item moves */
  float *sorted_size;             /* by leaf: its size when it was sorted; 0: an item was appended since */
  struct grz_tree_record *record; /* for sorting: records and keys */
  uint64_t *key;

  size_t slots, used; /* all slots; slots before the free end */
  size_t resting;     /* slots of the resting part: the first ones, whole leaves, vacated slots included */
  size_t vacated;     /* slots of the resting part vacated since the last full sort */
  size_t tail;        /* slots from here on were filled after the last sort of everything or of the moving part */
  size_t runs_end;    /* the tail is sorted in runs up to here: grz_bvh_merge_runs() */
  size_t misplaced;   /* resting items in the moving part */
  bool is_current;    /* nothing has changed since the last rebuild */
  bool check_frame;   /* a box was inserted that floats hardly resolve: the frame may need a change */
  size_t imprecise;   /* number of such boxes inserted since the last rebuild */
  double full_debt, part_debt; /* estimated cost of disorder since the last sort of everything; of the moving part */
} grz_bvh;

/* Two items, low < high. */
typedef struct grz_bvh_pair {
  uint32_t low, high;
} grz_bvh_pair;

/* Tests whether two closed boxes have a common point. */
GRZ_TEMPLATE bool grz_aabb_overlap(const graze_aabb *p, const graze_aabb *q) {
  return p->min.x <= q->max.x && q->min.x <= p->max.x && p->min.y <= q->max.y && q->min.y <= p->max.y &&
         p->min.z <= q->max.z && q->min.z <= p->max.z;
}

/* Makes an empty tree without memory. */
void grz_bvh_make(grz_bvh *bvh, int dim, const graze_allocator *allocator);
void grz_bvh_free(grz_bvh *bvh);

/* Provides memory for items below `capacity`. Returns false if the allocation fails; then nothing has changed. */
bool grz_bvh_reserve(grz_bvh *bvh, size_t capacity);

/* Inserts an item, or changes its box and whether it moves. Infinite coordinates are allowed, NaN is not. */
void grz_bvh_insert(grz_bvh *bvh, size_t item, const graze_aabb *box, bool moves);

/* Like grz_bvh_insert(), and keeps queries logarithmic without a rebuild. An insertion, and a change to a box outside
 * the neighbourhood of the old leaf, cost O(log² n) amortised. Other changes cost as much as grz_bvh_insert(). */
void grz_bvh_update(grz_bvh *bvh, size_t item, const graze_aabb *box, bool moves);

/* Prefetches the slot of an item that will be inserted or updated soon. */
void grz_bvh_prefetch(const grz_bvh *bvh, size_t item);

/* Removes an item. Does nothing if the item is not in the tree. */
void grz_bvh_remove(grz_bvh *bvh, size_t item);

/* Refits the boxes, and sorts everything, the moving part or nothing, as the estimated costs require. Call this once a
 * step, after all changes. A rebuild affects the time of queries, never their results. */
void grz_bvh_rebuild(grz_bvh *bvh);

/* Returns the number of chunks of grz_bvh_pairs(), which depends on the items alone, never on threads. */
size_t grz_bvh_chunk_count(const grz_bvh *bvh);

/* Computes pairs of items whose boxes overlap, at least one of them moving. All chunks together give each such pair
 * exactly once. Chunks may be computed in parallel. Writes at most `capacity` pairs and returns their full number. */
size_t grz_bvh_pairs(const grz_bvh *bvh, size_t chunk, grz_bvh_pair *pairs, size_t capacity);

/* Calls visit() for each item whose rounded box overlaps the rounded box, until visit() returns false. */
void grz_tree_overlap(const grz_tree *tree, const graze_aabb *box, bool (*visit)(void *context, uint32_t item),
                      void *context);

/* Casts a box through a tree that does not change; see grz_bvh_cast(). visit() gets the end and returns the new one. */
void grz_tree_cast(const grz_tree *tree, const graze_aabb *box, graze_vec displacement, double end,
                   double (*visit)(void *context, uint32_t item, double end), void *context);

/* Calls visit() for each item whose box overlaps `box`, until visit() returns false. */
void grz_bvh_overlap(const grz_bvh *bvh, const graze_aabb *box, bool (*visit)(void *context, size_t item),
                     void *context);

/* Casts a box that moves by displacement·s, s from 0 to `end`, which may be infinite. `displacement` is finite. Calls
 * visit() roughly in the order of first contact, with a lower bound of the s at which the two boxes touch. visit()
 * returns the new end. Visits every item that is hit before the final end, and few others. */
void grz_bvh_cast(const grz_bvh *bvh, const graze_aabb *box, graze_vec displacement, double end,
                  double (*visit)(void *context, size_t item, double s), void *context);

/* Visits items whose box is at most `within` from `box`, roughly nearest first, with a lower bound of the distance of
 * the two boxes. visit() returns the new limit. */
void grz_bvh_nearest(const grz_bvh *bvh, const graze_aabb *box, double within,
                     double (*visit)(void *context, size_t item, double distance), void *context);

/* ---- Private to src/bvh/. */

/* Up to this number of slots every pair is tested, and the order of the items does not matter. */
enum { GRZ_BVH_SMALL = 64 };

/* Tests whether rounding may change the size of a box by more than 1/64: its largest edge is too short for its largest
 * coordinate. Both numbers are negated, as the sides of a node are. */
static inline bool grz_bvh_is_imprecise(const grz_bvh *b, const float side[6]) {
  float edge = grz_float_min(side[0] + side[3], side[1] + side[4]);
  float largest = grz_float_min(grz_float_min(side[0], side[3]), grz_float_min(side[1], side[4]));
  if (b->tree.dim == 3) {
    edge = grz_float_min(edge, side[2] + side[5]);
    largest = grz_float_min(largest, grz_float_min(side[2], side[5]));
  }
  return edge > largest * 0x1p-18f || edge > -0x1p-100f;
}

/* Bit masks of the eight children of a node. */
typedef struct grz_node_hits {
  unsigned overlap; /* the floats do not separate the boxes */
  unsigned certain; /* the floats prove the overlap: no two of them are equal */
} grz_node_hits;

/* Tests all children of `node` against one child of `other`. Every instruction set returns the same bits. */
typedef grz_node_hits grz_node_test(const grz_node *node, const grz_node *other, size_t child);

/* The sign of a float sum is exact, so x + y <= 0 is equivalent to x <= -y. No side is -infinity. */
GRZ_TEMPLATE grz_node_hits grz_node_overlap(const grz_node *node, const grz_node *other, size_t child) {
  float gap[8]; /* the largest gap along the axes */
  for (int i = 0; i < 8; i++) gap[i] = node->side[0][i] + other->side[grz_opposite_side(0)][child];
  for (int k = 1; k < 6; k++) {
    const float opposite = other->side[grz_opposite_side(k)][child];
    for (int i = 0; i < 8; i++) gap[i] = grz_float_max(gap[i], node->side[k][i] + opposite);
  }
  grz_node_hits hits = {0, 0};
  for (int i = 0; i < 8; i++) {
    hits.overlap |= (unsigned)(gap[i] <= 0) << i;
    hits.certain |= (unsigned)(gap[i] < 0) << i;
  }
  return hits;
}

/* Returns the fastest test of this machine. */
grz_node_test *grz_node_test_select(void);

/* ---- Pairs at a chosen SIMD width, for tests: 1 (portable) or 8 (AVX2). Pairs and their order do not depend on it. */

bool grz_bvh_width_supported(int width);
size_t grz_bvh_pairs_simd(int width, const grz_bvh *bvh, size_t chunk, grz_bvh_pair *pairs, size_t capacity);

/* ---- Slab test (Kay and Kajiya 1986) of a moving box against the eight boxes of a node. The test is conservative;
 * margins and proof: docs/theory/bvh.md, "Rays". */

/* One axis. A lower bound of the entry into a box is (side[in] + to_in)·per. A lower bound of the negated exit is
 * (side[out] + to_out)·per. */
typedef struct grz_slab_axis {
  int in, out; /* indices of grz_node.side */
  float to_in, to_out, per;
} grz_slab_axis;

/* A moving box. The parameter of the motion is 0 where the box passes the centre of the frame along its fastest axis,
 * or at time 0 if that is too far away. grz_slab_time() converts a time to the parameter. */
typedef struct grz_slab {
  int count; /* axes in use */
  grz_slab_axis axis[3];
  float start;        /* of the motion, rounded down */
  bool limited;       /* an axis is not in use; `limit` replaces it */
  float limit[6];     /* a box with a larger side is not hit */
  double shift;       /* parameter of time 0, negated */
  double per_time[2]; /* parameter per unit of time, in two factors: their product may leave the range of doubles */
} grz_slab;

/* Returns a bit mask of the boxes that may be hit up to the parameter `end`, and writes lower bounds of the parameters
 * of first contact. Every instruction set returns the same bits. */
typedef unsigned grz_slab_test(const grz_slab *slab, const grz_node *node, float end, float enter[8]);

/* Prepares the test of `box`, which moves by displacement·t, t >= 0. `displacement` is finite. */
void grz_slab_make(grz_slab *slab, const grz_tree *tree, const graze_aabb *box, graze_vec displacement);

/* Returns the parameter at time t, rounded up; infinite from DBL_MAX on. */
float grz_slab_time(const grz_slab *slab, double t);

/* ---- Distances of a box at rest from the eight boxes of a node. Margins and proof: docs/theory/bvh.md,
 * "Distances". */

/* The box in coordinates of the tree, enlarged by all roundings. */
typedef struct grz_near {
  float low[3], high[3];
} grz_near;

/* Returns a bit mask of the boxes whose squared distance in units of the tree may be up to `end`, and writes lower
 * bounds of the squared distances. Every instruction set returns the same bits. */
typedef unsigned grz_near_test(const grz_near *near, const grz_node *node, float end, float square[8]);

void grz_near_make(grz_near *near, const grz_tree *tree, const graze_aabb *box);

/* Returns the square of a distance in units of the tree, rounded up; infinite if it is too large, and -1 if the
 * distance is negative. */
float grz_near_square(const grz_tree *tree, double distance);

grz_slab_test grz_slab_portable;
grz_near_test grz_near_portable;
#ifdef GRZ_SIMD_X86
grz_slab_test grz_slab_sse2, grz_slab_avx2;
grz_near_test grz_near_sse2, grz_near_avx2;
#endif
#ifdef GRZ_SIMD_NEON
grz_slab_test grz_slab_neon;
grz_near_test grz_near_neon;
#endif

/* ---- Sorting (sort.c) */

/* Sorts the items from slot `from` on: 0 for all, or the first slot of a leaf in the moving part. */
void grz_bvh_sort(grz_bvh *bvh, size_t from);

/* Chooses a new centre and scale if floats hardly resolve more than 1/8 of a sample of the boxes, and rounds all boxes
 * again. Levels above 0 must be refitted afterwards. */
void grz_bvh_fit_frame(grz_bvh *bvh);

/* Returns the sum of the edges of a box, and of the box of a leaf. */
float grz_bvh_box_size(const grz_bvh *bvh, const float side[6]);
float grz_bvh_leaf_size(const grz_bvh *bvh, size_t leaf);

/* Sorts the items appended since the last sort in runs, by the logarithmic method (Bentley and Saxe 1980). When the
 * used slots reach a multiple of 64·4^k, all items after the previous such multiple are sorted. So fewer than 64 items
 * stay unsorted, and each item is sorted at most once for each k. Sorts everything if floats hardly resolve half of the
 * boxes. */
void grz_bvh_merge_runs(grz_bvh *bvh);

/* ---- Bounds of a moving body, rounded outward, as a scene inserts them into the tree (bvh.c) */

/* Computes a box that contains the body, enlarged by `grow`, at all times of [0, time]. The box of a half-space is
 * infinite. `placed` must be valid. */
graze_aabb grz_swept_bounds(const graze_placed *placed, const graze_motion *motion, double time, double grow);

/* Returns false only if the moving half-space, enlarged by `grow`, is disjoint from the box at all times of [0, time].
 */
bool grz_halfspace_overlaps(const graze_placed *halfspace, const graze_motion *motion, double time, double grow,
                            const graze_aabb *box);

#endif
