/* The candidate axes of two polytopes: face normals, and the products of those edges whose arcs on the Gauss map may
 * cross. */
#ifndef GRAZE_COMPARE_AXIS_SEARCH_H
#define GRAZE_COMPARE_AXIS_SEARCH_H

#include "compare/faces_edges.h"

#include <graze/compare.h>

/* Lengths in units of `unit`; the projections without the bodies' positions. */
typedef struct grz_axis_candidate {
  graze_axis_kind kind;
  int feature_a, feature_b;
  graze_vec direction; /* unit, rounded: of both directions the one with the greater separation */
  double separation;   /* of the cores, along it */
  double low;          /* if the least depth is reached here, it is surely no less */
  graze_interval a, b;
} grz_axis_candidate;

typedef struct grz_axis_search {
  const grz_features *a, *b;
  graze_vec offset; /* p_a - p_b */
  double size;      /* as in grz_obstacle */
  double limit;     /* overlaps beyond this do not matter; the visitor may lower it */
  double slivers;   /* edges all but parallel are left out: `low` of all the others minus this holds for them too */
  bool whole;       /* false: a sliver of a segment was left out, for which that does not hold */
} grz_axis_search;

/* False ends the search. */
typedef bool (*grz_axis_visit)(void *context, const grz_axis_candidate *found);

/* Faces of A, faces of B, edges. False: `visit` ended it. docs/theory/axes.md, "Search". */
bool grz_axes_search(grz_axis_search *search, grz_axis_visit visit, void *context);

#endif
