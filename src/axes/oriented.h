/* Boxes in any rotation that hold a core: for many pairs of them a yes or no that is beyond doubt, and a shrug in the
 * rare other case. */
#ifndef GRAZE_AXES_ORIENTED_H
#define GRAZE_AXES_ORIENTED_H

#include "math/vec.h"

/* Two lines of cache, read as 16 numbers one after the other. In 2D all boxes are slabs about the plane: what meets in
 * it meets in space. */
typedef struct grz_oriented {
  double at[3], rotation[9], extents[3];
  double grow; /* how far beyond it others count */
} grz_oriented;

/* The least box about the local origin that holds the core; false: of a half-space there is none. It is the core itself
 * if that is a box. */
bool grz_oriented_make(grz_oriented *box, const graze_placed *placed, double grow);

/* Where the body, not the part of a compound, is now. */
void grz_oriented_place(grz_oriented *box, const graze_placed *placed);

/* Bounds of the box grown, rounded outward. */
graze_aabb grz_oriented_bounds(const grz_oriented *box, int dim);

typedef enum grz_oriented_verdict {
  GRZ_ORIENTED_UNKNOWN,
  GRZ_ORIENTED_APART,  /* at all times by more than grow of both */
  GRZ_ORIENTED_OVERLAP /* the interiors of the boxes meet; said of boxes that stand only */
} grz_oriented_verdict;

/* So many pairs at once. */
enum { GRZ_ORIENTED_LANES = 8 };

typedef struct grz_oriented_pair {
  const grz_oriented *a, *b;
  graze_vec way; /* how B moves as A sees it, rounded by three units; neither turns */
} grz_oriented_pair;

/* They stand (`way` has no meaning), or they move. docs/theory/axes.md, "Yes or no". */
void grz_oriented_judge(const grz_oriented_pair pair[GRZ_ORIENTED_LANES], bool moves,
                        grz_oriented_verdict verdict[GRZ_ORIENTED_LANES]);

/* The same by one of the ways that this machine may have, for tests: 1, portable; 4, AVX2; 8, AVX-512. */
void grz_oriented_judge_lanes(int lanes, const grz_oriented_pair pair[GRZ_ORIENTED_LANES], bool moves,
                              grz_oriented_verdict verdict[GRZ_ORIENTED_LANES]);

#endif
