/* Shared by the reference methods: the vertices of the CSO (all differences of core vertices), the faces and edges of
 * polytopal cores, and the candidate axes of SAT.
 *
 * Candidates are the face normals, and the products of edges whose arcs on the Gauss map may cross. */
#ifndef GRAZE_COMPARE_REFERENCE_H
#define GRAZE_COMPARE_REFERENCE_H

#include "narrow/search.h"
#include "narrow/query.h"

#include <graze/compare.h>

/* ---- All differences of core vertices: brute.c. */

/* Validates a query about two polytopes and makes their CSO. Returns GRAZE_UNSUPPORTED for other shapes and methods. */
graze_status grz_compare_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                               const graze_options *options, grz_result *result);

/* ---- Faces and edges: faces_edges.c. */

typedef struct grz_core_edge {
  graze_vec direction; /* unit, within 40u of the exact one */
  double length;
  int32_t vertex[2];
  int32_t normal[2]; /* of the two adjacent faces; -1: none, the core is a segment */
  int32_t id;        /* boxes: the local axis; otherwise its index */
} grz_core_edge;

/* Workspace for an edge. The capacity of a workspace must not depend on the size of a struct, which differs between
 * targets. */
enum { GRZ_CORE_EDGE_BYTES = 56 };
_Static_assert(sizeof(grz_core_edge) <= GRZ_CORE_EDGE_BYTES, "an edge fits");

/* Coordinates are in world axes, without the position of the body, and multiplied by `unit` (narrow/obstacle.h). In 2D
 * the sides of a polygon count as faces, and there are no edges. */
typedef struct grz_faces_edges {
  bool box;
  int vertex_count, normal_count, axis_count, edge_count;
  graze_vec *vertex; /* all core vertices, by their indices */
  graze_vec *normal; /* unit, outward */
  double tilt;       /* the error of every normal is at most tilt + 64u */
  int32_t *axis;     /* indices of the normals to test, in both directions */
  grz_core_edge *edge;
} grz_faces_edges;

/* A buffer of the caller. Memory is allocated from its front. */
typedef struct grz_workspace {
  char *at;
  size_t left;
  bool full;
} grz_workspace;

/* Finds the faces and edges of any polytopal core, also of degenerate ones. The result uses memory of the workspace.
 * Returns false if the workspace is too small, or if the exact numbers of a hull outgrow their arena. */
bool grz_faces_edges_make(grz_faces_edges *faces_edges, const graze_placed *placed, double unit,
                          grz_workspace *workspace);

/* ---- Candidate axes: sat.c. */

/* Lengths are multiplied by `unit`. Projections do not include the positions of the bodies. */
typedef struct grz_axis_candidate {
  graze_axis_kind kind;
  int feature_a, feature_b;
  graze_vec direction; /* unit, rounded: of both directions of the axis, the one with the larger separation */
  double separation;   /* of the cores, along `direction` */
  double low;          /* a lower bound of the depth, if this axis has the least depth */
  graze_interval a, b;
} grz_axis_candidate;

typedef struct grz_axis_search {
  const grz_faces_edges *a, *b;
  graze_vec offset; /* p_a - p_b */
  double size;      /* as in grz_obstacle */
  double limit;     /* larger overlaps need no test; the visitor may lower it */
  double slivers;   /* for omitted, nearly parallel edges: the least `low` minus this number bounds their depth too */
  bool whole;       /* false: an edge of a segment was omitted, for which this bound does not hold */
} grz_axis_search;

/* Returns false to end the search. */
typedef bool (*grz_axis_visit)(void *context, const grz_axis_candidate *candidate);

/* Visits the faces of A, the faces of B, then the edges. Returns false if `visit` ended the search. */
bool grz_axes_search(grz_axis_search *search, grz_axis_visit visit, void *context);

#endif
