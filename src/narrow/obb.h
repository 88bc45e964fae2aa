/* Boxes in any rotation that hold a core, in floats: what lanes read of many pairs of them (batch/box_kernel.h) for a
 * yes or no that is beyond doubt. */
#ifndef GRAZE_NARROW_OBB_H
#define GRAZE_NARROW_OBB_H

#include "core/vec.h"

/* A line of cache. In 2D all boxes are slabs about the plane: what meets in it meets in space. */
typedef struct grz_oriented {
  double at[4];  /* where it is, and 0 */
  float turn[4]; /* its quaternion: w, x, y, z */
  float core[4]; /* extents, and how far beyond it others count */
} grz_oriented;

/* The least box about the local origin that holds the core; false: of a half-space there is none. It is the core itself
 * if that is a box. */
bool grz_oriented_make(grz_oriented *box, const graze_placed *placed, double grow);

/* Where the body, not the part of a compound, is now. */
void grz_oriented_place(grz_oriented *box, const graze_placed *placed);

/* Bounds of a body whose core is a box, grown, rounded outward. */
void grz_oriented_bounds(const graze_placed *placed, double grow, graze_aabb *bounds);

/* Many pairs. Where `displacement` is NULL they stand. */
typedef struct grz_oriented_pairs {
  const grz_oriented *const *box[2];
  const double (*displacement)[4]; /* how B moves as A sees it, rounded by three units, and 0; neither turns */
} grz_oriented_pairs;

#endif
