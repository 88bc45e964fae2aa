/* The facet planes of C = A - B against the relative path of A (Cyrus and Beck 1978). The origin enters C when it
 * passes the last plane inward, unless it has passed another plane outward before. The proposals are rounded.
 * Theory: docs/theory/cast.md, "LCCD". */
#ifndef GRAZE_CCD_FACETS_H
#define GRAZE_CCD_FACETS_H

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

#endif
