/* Support points of hulls that know their edges, by climbing from vertex to vertex: proposals. On a flat place rounding
 * may end the climb too low, so whoever claims something looks at all vertices.
 *
 * A climb begins at the seed of the direction's cell: the directions are those to the faces of a cube (2D: the sides of
 * a square), each divided into rank² (rank) cells. */
#ifndef GRAZE_SHAPE_HILL_CLIMB_H
#define GRAZE_SHAPE_HILL_CLIMB_H

#include "core/vec.h"
#include "shape/support.h"

/* With fewer vertices, looking at all of them is as fast: docs/decisions/climbing.md. */
enum { GRZ_CLIMB_MIN_COUNT = 1024 };

static inline bool grz_hill_climbs(const graze_shape *shape) {
  return shape->kind == GRAZE_HULL && shape->as.hull.adjacency.seed && shape->as.hull.count >= GRZ_CLIMB_MIN_COUNT;
}

/* For so many vertices; 0: none are needed. A cell for every four vertices or so. */
static inline int32_t grz_climb_rank(size_t vertices, int dim) {
  size_t rank = 1;
  if (vertices < GRZ_CLIMB_MIN_COUNT) return 0;
  if (dim == 2) return (int32_t)(vertices / 16);
  while (24 * rank * rank < vertices) rank++;
  return (int32_t)rank;
}

static inline size_t grz_climb_cells(int32_t rank, int dim) {
  return dim == 2 ? 4 * (size_t)rank : 6 * (size_t)rank * (size_t)rank;
}

/* The cell of a direction that is not zero. */
size_t grz_climb_cell(graze_vec d, int32_t rank, int dim);

/* Some direction in a cell. */
graze_vec grz_climb_direction(size_t cell, int32_t rank, int dim);

/* A vertex, reached from vertex `from`, none of whose neighbours scores higher along the local direction d. *looks
 * grows by how many neighbours were looked at. */
int32_t grz_climb_from(const graze_vec *vertices, const graze_adjacency *adjacency, graze_vec d, int32_t from,
                       size_t *looks);

/* The same, from the seed of the direction's cell. */
grz_core_point grz_hill_climb(const graze_shape *hull, graze_vec d);

#endif
