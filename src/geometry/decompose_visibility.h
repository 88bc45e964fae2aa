/* What the vertices of a simple polygon see of each other. */
#ifndef GRAZE_GEOMETRY_DECOMPOSE_VISIBILITY_H
#define GRAZE_GEOMETRY_DECOMPOSE_VISIBILITY_H

#include "geometry/decompose.h"

/* Vertices are numbered as they follow each other around the polygon, counter-clockwise. Those that i sees are
 * seen[start[i]] … seen[start[i + 1] - 1], ascending. "Sees": the segment between them is an edge, or lies but for its
 * ends strictly inside, and one of its ends is a reflex corner. After the last one stands `count`. */
typedef struct split_sight {
  int32_t count;
  int32_t *vertex; /* in the mesh */
  size_t *start;
  int32_t *seen;
  size_t *mirror; /* of a pair seen from its greater vertex: where it stands as seen from the lesser one */
  void *memory[2];
} split_sight;

/* From the triangulation of a simple polygon. False: no memory, and nothing to release. */
bool grz_split_sight(grz_split *split, split_sight *sight);

void grz_split_sight_release(const grz_split *split, split_sight *sight);

#endif
