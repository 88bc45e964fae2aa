/* The support vertex of a mesh. */
#ifndef GRAZE_SHAPE_MESH_SUPPORT_H
#define GRAZE_SHAPE_MESH_SUPPORT_H

#include "shape/shape.h"

/* Returns the vertex farthest along d, which is not zero; the first one of equals. */
int32_t grz_mesh_support(const graze_mesh *mesh, graze_vec d);

#endif
