/* The faces and edges of a placed polytopal core, which define the candidate axes of SAT. */
#ifndef GRAZE_COMPARE_FACES_EDGES_H
#define GRAZE_COMPARE_FACES_EDGES_H

#include "core/vec.h"

#include <stdint.h>

/* A normal to test, in both directions. */
typedef struct grz_face_axis {
  int32_t normal;
} grz_face_axis;

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

/* In world axes without the position of the body. Lengths are in units of `unit` (narrow/obstacle.h). In 2D the edges
 * of a polygon are its faces, and there are no edges. */
typedef struct grz_faces_edges {
  bool box;
  int vertex_count, normal_count, axis_count, edge_count;
  graze_vec *vertex; /* all core vertices, by their indices */
  graze_vec *normal; /* unit, outward */
  double tilt;       /* the error of every normal is at most tilt + 64u */
  grz_face_axis *axis;
  grz_core_edge *edge;
} grz_faces_edges;

/* A buffer of the caller. Memory is allocated from its front. */
typedef struct grz_workspace {
  char *at;
  size_t left;
  bool full;
} grz_workspace;

/* Allocates `count` elements of `size` bytes. Returns NULL, and sets `full`, if the buffer is too small. */
void *grz_workspace_allocate(grz_workspace *workspace, size_t count, size_t size);

/* Finds the faces and edges of any polytopal core, also of degenerate ones. The result uses memory of the workspace.
 * Returns false if the workspace is too small, or if the exact numbers of a hull outgrow their arena. */
bool grz_faces_edges_make(grz_faces_edges *faces_edges, const graze_placed *placed, double unit,
                          grz_workspace *workspace);

#endif
