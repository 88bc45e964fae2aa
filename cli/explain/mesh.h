/* Meshes of bodies and of Minkowski differences. Each function returns false if memory runs out. A mesh stays NONE if
 * there is nothing to draw. End with mesh_free(). */
#ifndef GRAZE_CLI_MESH_H
#define GRAZE_CLI_MESH_H

#include "explain/story.h"

/* The convex hull of points. */
bool mesh_of_points(const graze_vec *points, size_t count, int dim, bool smooth, story_mesh *mesh);
/* Points whose convex hull draws a body that is not a half-space; *smooth: they are inscribed in a curved body. The
 * caller frees them. NULL: out of memory. */
graze_vec *mesh_points(const story_body *body, size_t *count, bool *smooth);
/* A body in the world. */
bool mesh_of_body(const story_body *body, story_mesh *mesh);
/* The Minkowski difference of the cores, and that of the shapes. The bodies and points of `s` must be set. */
bool mesh_of_difference(const story *s, story_mesh *core, story_mesh *cso);

void mesh_free(story_mesh *mesh);

#endif
