/* The planes of the facets of C = A - B against the straight path of A as B sees it (Cyrus and Beck 1978): the origin
 * comes into C when it passes the last of them inward, unless it has passed another outward before. Rounded proposals:
 * docs/theory/cast.md, "LCCD". */
#ifndef GRAZE_CCD_FACETS_H
#define GRAZE_CCD_FACETS_H

#include "core/vec.h"

#include <stdint.h>

/* Lengths in units of `unit` (src/narrow/obstacle.h). */
typedef struct grz_facet_path {
  graze_vec offset, speed; /* p_a - p_b at time 0, and how fast it changes */
  /* What comes out: */
  double enter, leave; /* when the last plane is passed inward, and the first one outward */
  graze_vec in, out;   /* unit, from A to B: the normals of these planes. Where no time is known, any */
  double gap;          /* of the cores along `in` at time 0, within support_error of the true one */
  int planes;
  int corners; /* pairs of vertices in the first plane, around where it is passed; 0: none found */
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

/* Finds the corners: dim of the points a - b + offset, in a plane across n, whose hull holds the origin. */
void grz_facet_path_pick(grz_facet_path *path, const grz_facet_path_face *a, const grz_facet_path_face *b, graze_vec n,
                         graze_vec offset, int dim);

#endif
