/* LCCD: the facet planes of C = A - B against the relative path of A.
 *
 * Sources: Cyrus and Beck 1978 (clipping), Zhang (LCCD). Theory: docs/theory/cast.md, "LCCD".
 * The origin enters C when it passes the last plane inward, unless it has passed another plane outward before. These
 * times are rounded proposals; grz_ray_cast_by() and grz_ray_cast_soon() prove them. */
#ifndef GRAZE_CCD_FACETS_H
#define GRAZE_CCD_FACETS_H

#include "ccd/ray_cast.h"
#include "core/vec.h"

#include <stdint.h>

/* Lengths are in units of `unit` (narrow/obstacle.h). */
typedef struct grz_facet_path {
  graze_vec offset, speed; /* p_a - p_b at time 0, and its rate */
  /* Results: */
  double enter, leave; /* the times at which the last plane is passed inward, and the first one outward */
  graze_vec in, out;   /* the unit normals of these planes, from A to B; arbitrary if there is no such time */
  double gap;          /* of the cores along `in` at time 0, within support_error of the exact gap */
  int planes;
  int corners; /* the number of pairs of vertices in the entered plane that surround the path; 0: none */
  int32_t a[3], b[3];
  double weight[3];
} grz_facet_path;

/* A vertex of A or B, in any frame. */
typedef struct grz_facet_path_vertex {
  graze_vec at;
  int32_t index;
} grz_facet_path_vertex;

enum { GRZ_FACET_VERTICES = 16 };

typedef struct grz_facet_path_face {
  grz_facet_path_vertex vertex[GRZ_FACET_VERTICES];
  int count;
} grz_facet_path_face;

/* Selects dim of the points a - b + offset, in a plane with normal n, whose hull contains the origin. */
void grz_facet_path_pick(grz_facet_path *path, const grz_facet_path_face *a, const grz_facet_path_face *b, graze_vec n,
                         graze_vec offset, int dim);

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
