/* The search for pairs of parts: a query shape in the frame of a target compound, and lower bounds of its signed
 * distance from the contents of a box of that frame. The bounds include rounding.
 *
 * Theory: docs/theory/compounds.md, "Bounds". */
#ifndef GRAZE_COMPOUND_SEARCH_H
#define GRAZE_COMPOUND_SEARCH_H

#include "shape/placed.h"
#include "shape/tree.h"

typedef struct grz_query_shape {
  int dim;
  const grz_tree_node *node; /* the tree of the query shape if it is a compound */
  double turn[9];            /* its rotation relative to the target */
  graze_vec shift;
  bool plane; /* a half-space: normal·x <= height in the frame of the target */
  graze_vec normal;
  double height;
  graze_aabb box;  /* of a convex query shape, in the frame of the target */
  graze_vec sweep; /* the displacement of a moving query shape relative to the target; boxes and bounds cover the whole
                      motion */
  double less;     /* the sum of margins and clearance, subtracted from every distance */
  double error;    /* an upper bound of rounding errors */
} grz_query_shape;

/* The bounding radius about the reference point of a placed shape, except half-spaces, within rounding of a few
 * ulps. */
double grz_query_shape_size(const graze_placed *placed);

/* `target` is not a half-space; `placed` has the same dimension. */
void grz_query_shape_make(grz_query_shape *query, const graze_placed *target, const graze_placed *placed,
                          double clearance);

/* Moves the query shape by `displacement`, in world coordinates, relative to the target. */
void grz_query_shape_sweep(grz_query_shape *query, const graze_placed *target, graze_vec displacement);

/* The bounds, in the frame of the target, of the contents of a node of the query shape's tree. For a convex query
 * shape (node NULL), its own bounds. Margins are not included. */
graze_aabb grz_query_shape_box(const grz_query_shape *query, const grz_tree_node *node);

/* A lower bound of the signed distance of the parts in `target`, a box of the target's frame, and the parts of the
 * query shape in `box`. */
double grz_query_shape_bound(const grz_query_shape *query, const graze_aabb *target, const graze_aabb *box);

typedef struct grz_search {
  const grz_tree_node *target;
  const grz_query_shape *query;
  double limit;  /* pairs beyond are excluded; `visit` may reduce it */
  double beyond; /* no excluded pair is nearer than this */
  /* Returns false to end the search. `query_part` is 0 for a convex query shape. */
  bool (*visit)(void *context, int32_t target_part, int32_t query_part);
  void *context;
} grz_search;

/* Visits at least one pair. */
void grz_search_run(grz_search *search);

#endif
