/* Many boxes: which of them meet, which lie in a box, along a path, or near. Every answer about boxes is exact: single
 * precision proposes, the caller's doubles decide where it cannot. Items are numbers below a capacity that only
 * grz_bvh_reserve() changes; nothing else allocates.
 *
 * One implicit tree of eight children a node over the items in an order of their own: those that rest, then those that
 * move, each sorted by size class and Morton code (src/bvh/eight.h has the boxes, src/bvh/sort.c the order). What
 * changes is right at once. Queries stay logarithmic after grz_bvh_update() and grz_bvh_remove(), and after
 * grz_bvh_insert() once grz_bvh_rebuild() was called. */
#ifndef GRAZE_BVH_BVH_H
#define GRAZE_BVH_BVH_H

#include "core/vec.h"

/* Levels of the tree, at most: 8^11 places are more than can be numbered. */
enum { GRZ_BROAD_LEVELS = 12 };

/* Read `dim`, `capacity` and `count`; the rest is private. */
typedef struct grz_bvh {
  graze_allocator allocator;
  int dim;
  size_t capacity; /* items are below it */
  size_t count;    /* items that are there */

  void *memory;    /* one block, for all that follows */
  graze_aabb *box; /* by item: as the caller gave it */
  uint32_t *place; /* by item */
  uint32_t *item;  /* by place */
  uint8_t *moving; /* by group of eight places: those that move */
  float *extent;   /* by group: its size when it was sorted; 0: not sorted since an item came */
  struct grz_eight *level[GRZ_BROAD_LEVELS]; /* boxes of places, of groups, of groups of groups … */
  int levels;
  struct grz_broad_record *record; /* for sorting: records, keys, and as many keys again */
  uint64_t *key, *spare;

  size_t places, used;         /* all of them; those before the free end */
  size_t resting;              /* places of items that rest, in whole groups, first of all; empty ones among them */
  size_t left;                 /* places there that were left since */
  size_t tail;                 /* places from here on were used since the last sorting of all, or of what moves … */
  size_t kept;                 /* … and before this one they are sorted in runs: grz_broad_keep() */
  size_t misplaced;            /* items that rest, but stand among those that move */
  bool is_tidy;                /* nothing has changed since */
  bool blurry;                 /* some box was put that single precision hardly resolves, since that was looked into */
  size_t blurred;              /* boxes put since the last tidying that single precision hardly resolves */
  double full_debt, part_debt; /* what disorder has cost since the last sorting of all, and of what moves */
  double centre[3], scale;     /* single precision holds (x - centre)·scale */
} grz_bvh;

/* Two items, low < high. */
typedef struct grz_bvh_pair {
  uint32_t low, high;
} grz_bvh_pair;

/* Have they a common point? */
GRZ_TEMPLATE bool grz_aabb_overlap(const graze_aabb *p, const graze_aabb *q) {
  return p->min.x <= q->max.x && q->min.x <= p->max.x && p->min.y <= q->max.y && q->min.y <= p->max.y &&
         p->min.z <= q->max.z && q->min.z <= p->max.z;
}

/* Empty, without memory. */
void grz_bvh_make(grz_bvh *broad, int dim, const graze_allocator *allocator);
void grz_bvh_free(grz_bvh *broad);

/* Room for items below `capacity`. False: no memory, and nothing has changed. */
bool grz_bvh_reserve(grz_bvh *broad, size_t capacity);

/* Adds an item, or changes its box and whether it moves. Infinite boxes are allowed, NaN is not. */
void grz_bvh_insert(grz_bvh *broad, size_t item, const graze_aabb *box, bool moves);

/* The same, and keeps queries logarithmic. An insertion, and a box that leaves the neighbourhood of the old one, costs
 * O(log² n) amortised. Other changes cost as much as grz_bvh_insert(). */
void grz_bvh_update(grz_bvh *broad, size_t item, const graze_aabb *box, bool moves);

/* It will be put soon: fetches where it stands. */
void grz_bvh_prefetch(const grz_bvh *broad, size_t item);

/* An item that is not there may be dropped. */
void grz_bvh_remove(grz_bvh *broad, size_t item);

/* To be called once a step, after the changes; nothing but time depends on it. Makes the boxes of the tree fit, and
 * sorts anew what pays to be sorted: all, what moves, or nothing (the rule stands in src/bvh/rebuild.c). */
void grz_bvh_rebuild(grz_bvh *broad);

/* Pairs of items of which one moves at least, and of which the boxes meet, come in chunks, whose number depends on the
 * items alone; chunks may be asked for side by side. No pair comes twice, and none of one item: the pairs of all chunks
 * are exactly those whose boxes have a common point. Writes up to `capacity` of them; returns how many there are. */
size_t grz_bvh_chunk_count(const grz_bvh *broad);
size_t grz_bvh_pairs(const grz_bvh *broad, size_t chunk, grz_bvh_pair *pairs, size_t capacity);

/* Calls visit() for exactly the items whose box meets this one, until it returns false. */
void grz_bvh_overlap(const grz_bvh *broad, const graze_aabb *box, bool (*visit)(void *context, size_t item),
                      void *context);

/* The same for a box that moves by way·s, from s = 0 on, roughly in the order in which boxes are met. visit() gets a
 * lower bound of the s at which they meet, and returns up to where is still of interest: `end` at first, which may be
 * infinite. Holds all that are met by then, and next to nothing else. `way` is finite. */
void grz_bvh_cast(const grz_bvh *broad, const graze_aabb *box, graze_vec way, double end,
                  double (*visit)(void *context, size_t item, double s), void *context);

/* The same for boxes not farther than `within`, roughly nearest first. visit() gets a lower bound of the distance of
 * the boxes, and returns up to where is still of interest. */
void grz_bvh_nearest(const grz_bvh *broad, const graze_aabb *box, double within,
                    double (*visit)(void *context, size_t item, double distance), void *context);

#endif
