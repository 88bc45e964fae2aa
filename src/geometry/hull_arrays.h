/* The arrays of a convex hull while it is built, for hull.c (points, segments, polygons) and hull_solid.c (solids). */
#ifndef GRAZE_GEOMETRY_HULL_ARRAYS_H
#define GRAZE_GEOMETRY_HULL_ARRAYS_H

#include "core/memory.h"
#include "shape/support.h"

#include <graze/build.h>

/* The arrays of a graze_hull, writable while it is built. */
typedef struct grz_hull_arrays {
  graze_vec *vertices;
  size_t *indices;
  int32_t *face_start, *face_vertices, *start, *neighbor, *seed;
} grz_hull_arrays;

/* The affine hull of the input: `dim` + 1 affinely independent points, by index. */
typedef struct grz_span {
  int dim;
  size_t point[4];
} grz_span;

/* Allocates the arrays and sets the counts and pointers of `hull`. dim, affine_dim and allocator must be set before.
 * `corners` is the number of vertices of all faces together. GRAZE_BAD_SHAPE: more elements than int32_t can number. */
static inline graze_status grz_hull_allocate(graze_hull *hull, grz_hull_arrays *arrays, size_t vertices, size_t faces,
                                             size_t corners, size_t edges) {
  const size_t vertex_size = sizeof(graze_vec) + sizeof(size_t) + sizeof(int32_t);
  if (corners > INT32_MAX || edges > INT32_MAX / 2) return GRAZE_BAD_SHAPE; /* int32_t numbers them */
  const int32_t rank = grz_climb_rank(vertices, hull->dim);
  const size_t words = faces + 1 + corners + 1 + 2 * edges + grz_climb_cells(rank, hull->dim);
  char *at = grz_allocate(&hull->allocator, 1, vertices * vertex_size + words * sizeof(int32_t));
  if (!at) return GRAZE_OUT_OF_MEMORY;
  hull->memory = at;
  arrays->vertices = (graze_vec *)(void *)at, at += vertices * sizeof(graze_vec);
  arrays->indices = (size_t *)(void *)at, at += vertices * sizeof(size_t);
  arrays->start = (int32_t *)(void *)at, at += (vertices + 1) * sizeof(int32_t);
  arrays->face_start = (int32_t *)(void *)at, at += (faces + 1) * sizeof(int32_t);
  arrays->face_vertices = (int32_t *)(void *)at, at += corners * sizeof(int32_t);
  arrays->neighbor = (int32_t *)(void *)at, at += 2 * edges * sizeof(int32_t);
  arrays->seed = (int32_t *)(void *)at;
  hull->vertices = arrays->vertices, hull->vertex_count = vertices;
  hull->indices = arrays->indices;
  hull->face_start = arrays->face_start, hull->face_count = faces;
  hull->face_vertices = arrays->face_vertices;
  hull->adjacency.start = arrays->start;
  hull->adjacency.neighbor = arrays->neighbor;
  hull->adjacency.seed = rank > 0 ? arrays->seed : NULL;
  hull->adjacency.seed_rank = rank;
  return GRAZE_OK;
}

/* Computes the start vertices for hill climbing: the last step in building a hull. */
static inline void grz_hull_fill_seeds(graze_hull *hull, const grz_hull_arrays *arrays) {
  const int32_t rank = hull->adjacency.seed_rank;
  const size_t cells = grz_climb_cells(rank, hull->dim), limit = 32 * hull->vertex_count;
  size_t tests = 0;
  int32_t vertex = 0;
  for (size_t cell = 0; cell < cells && tests <= limit; cell++) {
    const graze_vec direction = grz_climb_direction(cell, rank, hull->dim);
    arrays->seed[cell] = vertex = grz_climb_from(hull->vertices, &hull->adjacency, direction, vertex, &tests);
  }
  /* On long polygons and at vertices of high degree a climb may test as many vertices as a full scan: no seeds. */
  if (tests > limit) hull->adjacency.seed = NULL, hull->adjacency.seed_rank = 0;
}

/* Builds the hull of points that span space: hull_solid.c. */
graze_status grz_hull_solid(const graze_vec *points, size_t count, const grz_span *span, graze_hull *hull);

#endif
