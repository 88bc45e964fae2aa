/* What is drawn: outlines in the plane, triangles and edges in space. */
#ifndef GRAZE_CLI_MESH_H
#define GRAZE_CLI_MESH_H

#include "explain/story.h"

/* Each makes a mesh, or leaves it NONE where there is nothing to draw. False: memory ran out. End with mesh_free(). */

/* The hull of points. */
bool mesh_of_points(const graze_vec *points, size_t count, int dim, bool smooth, story_mesh *mesh);
/* Points in the world of which the hull is drawn for a body that is no half-space, to be freed; *smooth: they are
 * inscribed in something curved. NULL: memory ran out. */
graze_vec *mesh_points(const story_body *body, size_t *count, bool *smooth);
/* A body in the world. */
bool mesh_of_body(const story_body *body, story_mesh *mesh);
/* A - B, of the cores, and with all radii; `s` has its bodies and points by now. */
bool mesh_of_difference(const story *s, story_mesh *core, story_mesh *cso);

void mesh_free(story_mesh *mesh);

#endif
