/* LCCD: the facet planes of the CSO against the relative path (Zhang). The planes propose; grz_ray_cast_by() and
 * grz_ray_cast_soon() prove. Theory: docs/theory/cast.md, "LCCD". */
#ifndef GRAZE_CCD_CAST_FACETS_H
#define GRAZE_CCD_CAST_FACETS_H

#include "ccd/facets.h"
#include "ccd/ray_cast.h"

/* As grz_ray_cast_run(), for polytopes without margins; *end receives the outcome. Returns GRAZE_NO_SPACE if the
 * workspace is too small for the faces and edges of the shapes. */
typedef graze_status grz_facet_planes(grz_ray_cast *out, const grz_obstacle *obstacle, const graze_options *options,
                                      grz_ray_cast_end *end);

/* For two boxes. */
graze_status grz_cast_box_planes(grz_ray_cast *out, const grz_obstacle *obstacle, const graze_options *options,
                                 grz_ray_cast_end *end);

/* Culling: true if the direction of the nearest point of the path separates the bodies at all times. The test needs
 * a distance of more than `share` of the sizes. */
bool grz_facets_cull(grz_ray_cast *out, const grz_obstacle *obstacle, double share);

/* Proves the proposal of the planes. */
grz_ray_cast_end grz_facets_settle(grz_ray_cast *out, const grz_obstacle *obstacle, const grz_facet_path *path);

#endif
