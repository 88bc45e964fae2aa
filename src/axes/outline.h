/* Convex polygons of few corners by their edges: along which of them is C = A - B least far? docs/theory/axes.md,
 * "Outlines". */
#ifndef GRAZE_AXES_OUTLINE_H
#define GRAZE_AXES_OUTLINE_H

#include "lanes/two.h"

#include <graze/graze.h>

/* So many vertices at most; and how many are looked at together. */
enum { GRZ_OUTLINE_MOST = 16, GRZ_OUTLINE_STEP = 4 };

/* Counter-clockwise, the first corners once more behind the last. */
typedef struct grz_outline {
  int count; /* corners, no two neighbours in one place; a single corner has no edge */
  int32_t vertex[GRZ_OUTLINE_MOST + GRZ_OUTLINE_STEP]; /* which of the core's */
  grz_two at[GRZ_OUTLINE_MOST + GRZ_OUTLINE_STEP];     /* x and y in world axes, without the body's position */
  grz_two normal[GRZ_OUTLINE_MOST + GRZ_OUTLINE_STEP]; /* outward, of the edge that begins there, as long as it */
} grz_outline;

/* The corners of a core in 2D, turned by `rotation`. False: too many, or they do not stand in order around an interior.
 */
bool grz_outline_make(grz_outline *outline, const graze_placed *placed, const double *rotation);

typedef struct grz_outline_axis {
  double height;    /* of C along the unit normal: < 0, the origin is outside */
  graze_vec normal; /* outward of C, as long as the edge */
  int edge;         /* of `own` */
} grz_outline_axis;

/* The least height of C over the edges of `own`; of those within `tie` the last, so that rounding does not choose. All
 * that is said of A, with offset p_a - p_b, holds of B with its outline as `own`, p_b - p_a, and the normal turned
 * around. False: no edge, or lengths beyond telling. */
bool grz_outline_lowest(const grz_outline *own, const grz_outline *other, graze_vec offset, double tie,
                        grz_outline_axis *lowest);

#endif
