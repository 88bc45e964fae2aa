/* Convex polygons by their edges: along which of them is C = A - B least far? docs/theory/axes.md, "Outlines". */
#ifndef GRAZE_NARROW_POLYGON_AXES_H
#define GRAZE_NARROW_POLYGON_AXES_H

#include "simd/f64x2.h"

#include <graze/graze.h>

/* So many vertices at most. */
enum { GRZ_OUTLINE_MOST = 64 };

/* Counter-clockwise, the first corner once more behind the last. */
typedef struct grz_outline {
  int count;                            /* corners, no two neighbours in one place; a single corner has no edge */
  int32_t vertex[GRZ_OUTLINE_MOST + 1]; /* which of the core's */
  f64x2 at[GRZ_OUTLINE_MOST + 1];       /* x and y in world axes, without the body's position */
  f64x2 normal[GRZ_OUTLINE_MOST + 1];   /* outward, of the edge that begins there, as long as it */
} grz_outline;

/* A single corner has no edge. */
static inline int grz_outline_edges(const grz_outline *outline) { return outline->count > 1 ? outline->count : 0; }

/* The corner farthest along d, the first of equals. */
static inline int grz_outline_farthest(const grz_outline *outline, f64x2 d) {
  double most = f64x2_sum(d * outline->at[0]);
  int farthest = 0;
  for (int k = 1; k < outline->count; k++) {
    const double far = f64x2_sum(d * outline->at[k]);
    farthest = far > most ? k : farthest;
    most = far > most ? far : most;
  }
  return farthest;
}

/* The corners of a core in 2D, turned by `rotation`. False: too many, or they do not stand in order around an interior.
 */
bool grz_outline_make(grz_outline *outline, const graze_placed *placed, const double *rotation);

/* The edge of A or of -B over which C is lowest. */
typedef struct grz_outline_axis {
  double least;     /* no edge of C is surely lower over the origin than that, rounded: < 0, the origin is outside */
  graze_vec normal; /* outward of C, as long as the edge */
  bool of_a;
  int edge; /* of A or B */
} grz_outline_axis;

/* Of A's edges, and of B's, the last within `tie` of the least is taken, and B's must be lower by `tie` than A's: so
 * rounding does not choose. `offset`: p_a - p_b. False: no edge, or lengths beyond telling. */
bool grz_outline_lowest(const grz_outline *a, const grz_outline *b, graze_vec offset, double tie,
                        grz_outline_axis *lowest);

#endif
