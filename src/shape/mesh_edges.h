/* The connectivity of meshes: validation of the arrays, welding of equal vertices, and the test for closed meshes. */
#ifndef GRAZE_SHAPE_MESH_EDGES_H
#define GRAZE_SHAPE_MESH_EDGES_H

#include "core/status.h"

#include <graze/mesh.h>

/* Validates the dimension, the counts, the vertices and, if `indices` is true, the indices of the faces. Stores the
 * first error if `error` is not NULL, and returns its status. */
graze_status grz_mesh_check_def(const graze_mesh_def *def, bool indices, graze_error *error);

/* The functions below need a valid definition, indices included. */

/* Replaces each of `count` indices of vertices by the first index in the list whose vertex has the same coordinates.
 * -0 equals 0. Takes O(count) expected steps. Returns false if memory is exhausted. */
bool grz_mesh_weld(const graze_vec *vertices, int32_t *index, size_t count, const graze_allocator *allocator);

/* Sets *closed to whether the mesh is closed and consistently oriented: each edge occurs as often in one direction as
 * in the other (2D: each vertex is the start of as many edges as it is the end). Equal vertices count as one.
 * Takes O(vertices + faces) expected steps. Returns GRAZE_OUT_OF_MEMORY, or GRAZE_OK. */
graze_status grz_mesh_is_closed(const graze_mesh_def *def, const graze_allocator *allocator, bool *closed);

#endif
