/* The expanding polytope algorithm (EPA, van den Bergen 2001): the penetration depth of two cores.
 *
 * A polytope inside the CSO grows around the origin. Each step inserts the support point along the normal of the
 * nearest face, until that face lies on the boundary of the CSO. The distance of the nearest face is a lower bound
 * of the depth, and the support width along any direction is an upper bound. Theory: docs/theory/depth.md. */
#ifndef GRAZE_NARROW_EPA_H
#define GRAZE_NARROW_EPA_H

#include "geometry/polytope.h"
#include "narrow/exact_hull.h"
#include "narrow/obstacle.h"

typedef enum grz_epa_end {
  GRZ_EPA_CLOSED = 1, /* the bounds met, within the rounding of this arithmetic */
  GRZ_EPA_NO_SPACE,   /* the workspace is full */
  GRZ_EPA_BROKEN      /* rounding: the polytope is not a surface around the origin */
} grz_epa_end;

typedef struct grz_epa {
  const grz_obstacle *c;
  grz_polytope polytope; /* in 2D a face is an edge, vertex[0] to vertex[1] */
  double tolerance;      /* required: high - low */
  double high;           /* least support width so far, rounded, without support_error */
  graze_vec direction;   /* unit direction of that width */
  double low;            /* proved lower bound of the depth; set by grz_epa_low() */
  double seen;           /* the best lower bound of earlier checks; 0: none */
  int steps;
} grz_epa;

/* Runs EPA in doubles from the points of the polytope, of which only the pairs are set. Support points are added until
 * dim + 1 points are independent. */
grz_epa_end grz_epa_run(grz_epa *epa);

/* The face nearest to the origin. */
int grz_epa_nearest(const grz_polytope *polytope);

/* True if `direction` is the normal of the face, up to the rounding of unit vectors. */
bool grz_epa_in_one_plane(const grz_face *face, graze_vec direction);

/* Sets epa->low to the bound that the distances of all faces prove, with all rounding counted. Returns false if a face
 * possibly does not face the origin. For a polytope of grz_epa_run(). */
bool grz_epa_low(grz_epa *epa);

/* Computes witness points of the cores (world axes, without positions): the parents of the projection of the origin on
 * the nearest face. */
void grz_epa_witness(const grz_epa *epa, graze_vec *core_a, graze_vec *core_b);

/* The k-th of six trial directions that are linearly independent of the points flat[0] … flat[rank - 1]: the two
 * normals if the rank determines them, else directions along the axes. The largest coordinate is 1 or -1. Returns false
 * if there is no k-th direction. */
bool grz_epa_independent_direction(const grz_polytope *polytope, const int *flat, int rank, int k, int dim,
                                   graze_vec *d);

/* Appends a point by its parents. Returns its index, or -1 if the workspace is full. */
int grz_epa_point(grz_epa *epa, const grz_cso_point *point);

/* ---- EPA with exact predicates (epa_exact.c) */
typedef struct grz_epa_depth {
  grz_epa_end end;
  int face;                   /* the nearest face */
  graze_vec core_a, core_b;   /* witness points of the cores, without positions */
  grz_scaled excess, divisor; /* if closed, and the cores are polytopes: the depth including r is excess / divisor, with
                               * a relative error of 12 roundings */
} grz_epa_depth;

/* Runs EPA with exact predicates from the hull of the points of the polytope, of which only the pairs are set. Sets
 * epa->low, and for curved cores epa->high and epa->direction. CLOSED with polytopes: the nearest face is a facet of
 * the CSO. BROKEN: the CSO is flat, or the origin is not strictly inside. */
void grz_epa_exactly(grz_epa *epa, double clearance, grz_epa_depth *depth);

#endif
