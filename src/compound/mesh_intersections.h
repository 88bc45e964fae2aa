/* Pairs of faces of one mesh that meet. */
#ifndef GRAZE_COMPOUND_MESH_INTERSECTIONS_H
#define GRAZE_COMPOUND_MESH_INTERSECTIONS_H

#include <graze/mesh.h>

/* Writes an error for each pair of faces that meet outside their common vertices and edges, at most `capacity`, in any
 * order. Returns their number.
 *
 * welded  for each corner of each face a vertex; equal vertices have the same number
 *
 * Degenerate faces, and faces with the same vertices, are not reported. */
size_t grz_mesh_intersections(const graze_mesh *mesh, const int32_t *welded, graze_mesh_error *errors, size_t capacity);

#endif
