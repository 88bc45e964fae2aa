/* What all queries of a scene share: who counts, and what bounds tell. Nothing here changes the scene or allocates. */
#ifndef GRAZE_SCENE_QUERY_H
#define GRAZE_SCENE_QUERY_H

#include "scene/world.h"

/* Does the body in a slot count? The caller's function is asked last. */
bool grz_scene_counts(const graze_scene *scene, const graze_filter *filter, size_t slot);

/* GRAZE_OK, or why bodies cannot be asked about this shape. */
graze_status grz_scene_may_ask(const graze_scene *scene, const graze_placed *placed);

/* Surely holds the shape where it is; of a half-space everything. */
graze_aabb grz_scene_box_of(const graze_placed *placed);

/* May a shape, in its box, be as near to a body as `within`? Bounds tell; between half-spaces nothing is asked. */
bool grz_scene_may_be_near(const graze_placed *placed, const graze_aabb *box, const graze_placed *body, double within);

/* For distances up to `within`: what is not cut off by these is not surely farther. */
graze_options grz_scene_near_options(double within);

#endif
