/* Inside the convex hull: what its parts share. docs/theory/hull.md. */
#ifndef GRAZE_GEOMETRY_HULL_H
#define GRAZE_GEOMETRY_HULL_H

#include <graze/build.h>

/* Where a result is written before it is handed out: the arrays of graze_hull, not const. */
typedef struct grz_hull_arrays {
  graze_vec *vertices;
  size_t *indices;
  int32_t *face_start, *face_vertices, *start, *neighbor, *seed;
} grz_hull_arrays;

/* Makes room for a hull of so many vertices, faces, corners of all faces, and edges, and sets the counts and pointers
 * of `hull`, whose dim, affine_dim and allocator are set. GRAZE_BAD_SHAPE: more than int32_t can number. */
graze_status grz_hull_workspace(graze_hull *hull, grz_hull_arrays *arrays, size_t vertices, size_t faces,
                                size_t corners, size_t edges);

/* Fills the seeds for climbing: a hull that is complete but for them. */
void grz_hull_seed(graze_hull *hull, const grz_hull_arrays *arrays);

/* What the points span: affinely independent ones, dim + 1 of them, by index. */
typedef struct grz_span {
  int dim;
  size_t point[4];
} grz_span;

/* The plane polygon of points that span a plane. */
graze_status grz_hull_flat(const graze_vec *points, size_t count, const grz_span *span, graze_hull *hull);

/* The solid of points that span space. */
graze_status grz_hull_solid(const graze_vec *points, size_t count, const grz_span *span, graze_hull *hull);

/* Area and volume, of a hull that is complete but for them. */
void grz_hull_measure(graze_hull *hull);

#endif
