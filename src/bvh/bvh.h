/* A bounding-volume tree over axis-aligned boxes: the broad phase of a scene.
 *
 * The tree is implicit and eight-wide: every node holds eight boxes, and the parent of node i is node i / 8. Its leaves
 * hold the resting items first, then the moving ones, each part sorted by size class and Morton code (sort.c). Boxes
 * are stored in single precision (node.h). If rounding leaves a test undecided, the caller's doubles decide, so
 * every result is exact.
 *
 * Items are numbers below a capacity. Only grz_bvh_reserve() allocates. Every change takes effect at once. Queries stay
 * logarithmic after grz_bvh_update() and grz_bvh_remove(), and after grz_bvh_insert() once grz_bvh_rebuild() was
 * called. Margins and costs: docs/theory/bvh.md. */
#ifndef GRAZE_BVH_BVH_H
#define GRAZE_BVH_BVH_H

#include "core/vec.h"

/* Largest number of levels: 8^11 slots are more than can be numbered. */
enum { GRZ_BVH_LEVELS = 12 };

/* `dim`, `capacity` and `count` may be read; the rest is private. A slot is a position in the order of the leaves; a
 * leaf is a group of eight slots. */
typedef struct grz_bvh {
  graze_allocator allocator;
  int dim;
  size_t capacity; /* items are smaller than this */
  size_t count;    /* items in the tree */

  void *memory;                               /* one block for all arrays below */
  graze_aabb *box;                            /* by item: the box as inserted */
  uint32_t *slot;                             /* by item */
  uint32_t *item;                             /* by slot */
  uint8_t *moving;                            /* by leaf: one bit for each slot whose item moves */
  float *sorted_size;                         /* by leaf: its size when it was sorted; 0: an item was appended since */
  struct grz_bvh_node *level[GRZ_BVH_LEVELS]; /* [0]: boxes of items, [1]: boxes of leaves, [2]: boxes of [1], … */
  int levels;
  struct grz_bvh_record *record; /* for sorting: records, keys, and a second array of keys */
  uint64_t *key, *spare_key;

  size_t slots, used; /* all slots; slots before the free end */
  size_t resting;     /* slots of the resting part: the first ones, whole leaves, vacated slots included */
  size_t vacated;     /* slots of the resting part vacated since the last full sort */
  size_t tail;        /* slots from here on were used since the last sort of everything or of the moving part */
  size_t runs_end;    /* the tail is sorted in runs up to here: grz_bvh_merge_runs() */
  size_t misplaced;   /* resting items in the moving part */
  bool is_current;    /* nothing has changed since the last rebuild */
  bool check_frame;   /* a box was inserted that floats hardly resolve: the frame may need a change */
  size_t imprecise;   /* number of such boxes inserted since the last rebuild */
  double full_debt, part_debt; /* estimated cost of disorder since the last sort of everything; of the moving part */
  double centre[3], scale;     /* the frame: floats store (x - centre)·scale */
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

/* Like grz_bvh_insert(), and keeps queries logarithmic without a rebuild. An insertion, and a box that leaves the
 * neighbourhood of its old leaf, cost O(log² n) amortised. Other changes cost as much as grz_bvh_insert(). */
void grz_bvh_update(grz_bvh *bvh, size_t item, const graze_aabb *box, bool moves);

/* Prefetches the slot of an item that will be inserted or updated soon. */
void grz_bvh_prefetch(const grz_bvh *bvh, size_t item);

/* Removes an item. Does nothing if the item is not in the tree. */
void grz_bvh_remove(grz_bvh *bvh, size_t item);

/* Refits all boxes and sorts again what is worth sorting: everything, the moving part, or nothing. Call it once a step,
 * after all changes. It affects the time of queries, never their results. */
void grz_bvh_rebuild(grz_bvh *bvh);

/* Returns the number of chunks of grz_bvh_pairs(). It depends on the items alone, never on threads. */
size_t grz_bvh_chunk_count(const grz_bvh *bvh);

/* Computes pairs of items whose boxes overlap, at least one of them moving. All chunks together give each such pair
 * exactly once. Chunks may be computed in parallel. Writes at most `capacity` pairs and returns their full number. */
size_t grz_bvh_pairs(const grz_bvh *bvh, size_t chunk, grz_bvh_pair *pairs, size_t capacity);

/* Calls visit() for each item whose box overlaps `box`, until visit() returns false. */
void grz_bvh_overlap(const grz_bvh *bvh, const graze_aabb *box, bool (*visit)(void *context, size_t item),
                     void *context);

/* Casts a box that moves by displacement·s, s from 0 to `end`, which may be infinite. `displacement` is finite. Calls
 * visit() roughly in the order of first contact, with a lower bound of the s at which the two boxes touch. visit()
 * returns the new end. Every item hit by then is visited, and few others. */
void grz_bvh_cast(const grz_bvh *bvh, const graze_aabb *box, graze_vec displacement, double end,
                  double (*visit)(void *context, size_t item, double s), void *context);

/* Visits items whose box is at most `within` from `box`, roughly nearest first, with a lower bound of the distance of
 * the two boxes. visit() returns the new limit. */
void grz_bvh_nearest(const grz_bvh *bvh, const graze_aabb *box, double within,
                     double (*visit)(void *context, size_t item, double distance), void *context);

#endif
