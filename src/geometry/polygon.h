/* Shared by polygon validation (outline.c) and decomposition (decompose.c, triangulate.c, fewest.c).
 * Proofs: docs/theory/polygons.md, docs/theory/decompose.md. */
#ifndef GRAZE_GEOMETRY_POLYGON_H
#define GRAZE_GEOMETRY_POLYGON_H

#include "exact/big.h"
#include "geometry/cdt.h"

#include <graze/build.h>

/* ---- Exact areas: outline.c. */

/* A sufficient number of limbs for the arena of grz_area_add(). */
enum { GRZ_AREA_LIMBS = 128 };

/* sum + twice the signed area of the ring (counter-clockwise: positive). The result is the only number in the arena;
 * `sum` is the only one before, or zero. */
grz_big grz_area_add(grz_arena *arena, grz_big sum, graze_ring ring);

/* |sum| / 2, rounded to nearest, subnormal numbers included. */
double grz_area_round(grz_arena *arena, grz_big sum);

/* ---- Decomposition. */

/* The state of a decomposition. Ring vertices are numbered through all rings: ring r has start[r] … start[r + 1] - 1.
 * An edge has the number of the ring vertex where it starts. */
typedef struct grz_split {
  graze_ring outline;
  const graze_ring *holes;
  size_t ring_count;
  graze_allocator allocator;
  void *memory;
  int32_t *start;
  int32_t *vertex;     /* the mesh vertex of each ring vertex */
  int8_t *orientation; /* of each ring: 1 or -1, which makes the outline counter-clockwise and holes clockwise */
  grz_mesh mesh;
  int32_t outside; /* a dart of the hull, valid right after the Delaunay triangulation */
  double area;
  bool simple; /* set by grz_split_triangulate(): one ring that does not touch itself */
  graze_outline_error error;
} grz_split;

static inline int32_t split_next(const grz_split *split, size_t ring, int32_t i) {
  return i + 1 < split->start[ring + 1] ? i + 1 : split->start[ring];
}

/* triangulate.c. Allocates the memory and sets the points of the mesh: the distinct points of all rings. */
graze_error grz_split_begin(grz_split *split);

/* Computes orientations and area. GRAZE_NOT_SIMPLE, split->error: a ring has no area. */
graze_status grz_split_measure(grz_split *split);

/* Triangulates the polygon. Winding numbers are 1 inside and 0 outside. Edges between the two have a multiplicity
 * other than 0; every other vertex inside is removed. GRAZE_NOT_SIMPLE: split->error. */
graze_status grz_split_triangulate(grz_split *split);

/* fewest.c. From the triangulation of a simple polygon to the fewest pieces. False: out of memory. */
bool grz_split_fewest(grz_split *split);

#endif
