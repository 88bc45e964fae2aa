/* The candidate axes of two polytopes: the face normals, and the products of edges whose arcs on the Gauss map may
 * cross. */
#ifndef GRAZE_COMPARE_AXIS_SEARCH_H
#define GRAZE_COMPARE_AXIS_SEARCH_H

#include "compare/faces_edges.h"

#include <graze/compare.h>

/* Lengths are in units of `unit`. Projections do not include the positions of the bodies. */
typedef struct grz_axis_candidate {
  graze_axis_kind kind;
  int feature_a, feature_b;
  graze_vec direction; /* unit, rounded: the direction with the larger separation of the two */
  double separation;   /* of the cores, along it */
  double low;          /* a lower bound of the depth, if this axis has the least depth */
  graze_interval a, b;
} grz_axis_candidate;

typedef struct grz_axis_search {
  const grz_faces_edges *a, *b;
  graze_vec offset; /* p_a - p_b */
  double size;      /* as in grz_obstacle */
  double limit;     /* larger overlaps need no test; the visitor may lower it */
  double slivers;   /* for omitted, nearly parallel edges: the least `low` minus this is a bound for them too */
  bool whole;       /* false: an edge of a segment was omitted, for which this bound does not hold */
} grz_axis_search;

/* Returns false to end the search. */
typedef bool (*grz_axis_visit)(void *context, const grz_axis_candidate *candidate);

/* Visits the faces of A, the faces of B, then the edges. Returns false if `visit` ended the search. */
bool grz_axes_search(grz_axis_search *search, grz_axis_visit visit, void *context);

#endif
