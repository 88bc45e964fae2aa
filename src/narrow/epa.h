/* The expanding polytope algorithm (EPA): how deep is the origin in C? A polytope inside C grows around the origin
 * where its surface is nearest, until that face lies on the boundary of C. Its nearest plane bounds the depth from
 * below, the support width along any direction from above. van den Bergen 2001; docs/theory/depth.md. */
#ifndef GRAZE_NARROW_EPA_H
#define GRAZE_NARROW_EPA_H

#include "geometry/polytope.h"
#include "narrow/obstacle.h"

typedef enum grz_epa_end {
  GRZ_EPA_CLOSED = 1, /* the bounds have met, as far as this arithmetic can tell */
  GRZ_EPA_NO_SPACE,   /* the workspace is full */
  GRZ_EPA_BROKEN      /* rounding: the polytope is no surface around the origin any more */
} grz_epa_end;

typedef struct grz_epa {
  const grz_obstacle *c;
  grz_polytope polytope; /* in 2D a face is an edge, vertex[0] to vertex[1] */
  double tolerance;      /* wanted: high - low */
  double high;           /* least support width found, rounded, without support_error */
  graze_vec direction;   /* along this unit vector */
  double low;            /* the depth is surely no less; set by grz_epa_low() */
  double seen;           /* what an earlier stage of the polytope has shown of `low`; 0: nothing */
  int steps;
} grz_epa;

/* In doubles, from the polytope's points (their pairs are enough): dim + 1 that are independent, or any others, to
 * which it adds what it needs. */
grz_epa_end grz_epa_run(grz_epa *epa);

/* The face of least height. */
int grz_epa_nearest(const grz_polytope *polytope);

/* Does the face lie in the plane that `direction` is normal to, as far as unit normals tell? */
bool grz_epa_in_one_plane(const grz_face *face, graze_vec direction);

/* Sets epa->low to what the heights of the faces show with all rounding counted; false when some face may not face the
 * origin. For a polytope of grz_epa_run(). */
bool grz_epa_low(grz_epa *epa);

/* Witness points of the cores (world axes, without their bodies' positions): where the perpendicular from the origin
 * meets the surface, as far as the faces nearest to it know. */
void grz_epa_witness(const grz_epa *epa, graze_vec *core_a, graze_vec *core_b);

/* The k-th direction, of 6 to be tried in turn, out of the flat of the points flat[0] … flat[rank - 1]: both normals
 * where there are no others, else along the axes. Its largest coordinate is 1 or -1. False: there is no k-th. */
bool grz_epa_away(const grz_polytope *polytope, const int *flat, int rank, int k, int dim, graze_vec *d);

/* Adds the core points as parents of a new point; its index, or -1: no room. */
int grz_epa_point(grz_epa *epa, const grz_cso_point *point);

#endif
