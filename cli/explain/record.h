/* The steps of recording a story: meshes, the evaluated certificate, and the motion of a cast. */
#ifndef GRAZE_CLI_RECORD_H
#define GRAZE_CLI_RECORD_H

#include "explain/story.h"

/* ---- mesh.c. Each function returns false if memory runs out; a mesh stays NONE if there is nothing to draw. */

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

/* ---- evidence.c. Bounds are those that the verifier accepts; all other numbers are rounded. */

/* The certificate of the relation and of its bounds; none for minkowski. */
story_evidence evidence_of_answer(const story *s);
/* The certificate of a cast. */
story_evidence evidence_of_cast(const story *s);
/* Replaces the evidence of a separated start by the direction of the cast. */
void evidence_merge_start(story *s);

/* ---- motion.c */

/* Runs the cast, and records its result and the relation at t = 0. */
bool motion_query(story *s, cli_buffer *buffer, cli_error *error);
/* Records the times, the moments and their meshes. The bodies, points and meshes of `s` must be set. */
void motion_record(story *s);
void motion_free(story *s);

#endif
