/* Inside the decomposition of polygons. docs/theory/decompose.md. */
#ifndef GRAZE_GEOMETRY_DECOMPOSE_H
#define GRAZE_GEOMETRY_DECOMPOSE_H

#include "geometry/cdt.h"

#include <graze/build.h>

/* One decomposition while it is made. The numbers of ring vertices run through all rings: those of ring r are
 * start[r] … start[r + 1] - 1, which also number the edges that begin there. */
typedef struct grz_split {
  graze_ring outline;
  const graze_ring *holes;
  size_t ring_count;
  graze_allocator allocator;
  void *memory;
  int32_t *start;
  int32_t *vertex; /* in the mesh, of each ring vertex */
  int8_t *sense;   /* of each ring: 1 or -1, which makes the outline counter-clockwise and holes clockwise */
  grz_mesh mesh;
  int32_t outside; /* a dart of the hull, right after the Delaunay triangulation */
  double area;
  bool simple; /* once triangulated: one outline that does not touch itself */
  graze_outline_error flaw;
} grz_split;

static inline graze_ring split_ring(const grz_split *split, size_t ring) {
  return ring == 0 ? split->outline : split->holes[ring - 1];
}

static inline int32_t split_after(const grz_split *split, size_t ring, int32_t at) {
  return at + 1 < split->start[ring + 1] ? at + 1 : split->start[ring];
}

/* Memory for everything, and the mesh's points: all ring points, each once. */
graze_error grz_split_begin(grz_split *split);

/* Does each of the rings enclose anything? Otherwise *flaw; otherwise their senses and the area. */
graze_status grz_split_measure(grz_split *split);

/* The triangulation of the polygon: darts have a winding of 1 inside it and 0 outside, edges between the two have
 * walks, and every vertex inside lies on one. GRAZE_NOT_SIMPLE: *flaw. */
graze_status grz_split_triangulate(grz_split *split);

/* Winding numbers by all rings; GRAZE_NOT_SIMPLE, *flaw: one is neither 0 nor 1. */
graze_status grz_split_wind(grz_split *split);

/* Removes internal_edges, long ones first, until none can be spared. False: no memory. */
bool grz_split_few(grz_split *split);

/* Counts the faces inside, and numbers them: mesh.stack[e] is the one left of dart e. */
size_t grz_split_number(grz_split *split);

/* What no decomposition without new vertices stays below, from any that has `pieces`. */
size_t grz_split_bound(const grz_split *split, size_t pieces);

/* From the triangulation of a simple polygon to the fewest pieces. False: no memory. */
bool grz_split_fewest(grz_split *split);

#endif
