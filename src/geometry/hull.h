/* Shared by the parts of graze_hull_create(): hull.c (points, segments, polygons) and hull_solid.c (solids).
 * Proofs: docs/theory/hull.md. */
#ifndef GRAZE_GEOMETRY_HULL_H
#define GRAZE_GEOMETRY_HULL_H

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

/* Allocates the arrays and sets the counts and pointers of `hull`. dim, affine_dim and allocator are set before.
 * `corners` is the number of vertices of all faces together. GRAZE_BAD_SHAPE: more than int32_t can number. */
graze_status grz_hull_allocate(graze_hull *hull, grz_hull_arrays *arrays, size_t vertices, size_t faces, size_t corners,
                               size_t edges);

/* Computes the start vertices for hill climbing: the last step in building a hull. */
void grz_hull_fill_seeds(graze_hull *hull, const grz_hull_arrays *arrays);

/* Builds the hull of points that span space: hull_solid.c. */
graze_status grz_hull_solid(const graze_vec *points, size_t count, const grz_span *span, graze_hull *hull);

#endif
