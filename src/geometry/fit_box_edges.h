/* The edges of a solid hull, for boxes that lie flush with them. */
#ifndef GRAZE_GEOMETRY_FIT_BOX_EDGES_H
#define GRAZE_GEOMETRY_FIT_BOX_EDGES_H

#include "geometry/fit_box.h"

/* An edge, of length 1, and the outward normals between which a plane through it supports the hull: from `left` over
 * `middle` to `right`, about it. A vector n across the edge is such a normal if n·wing <= 0 for both wings, which lead
 * from the edge into its faces. */
typedef struct fit_edge {
  graze_vec along, left, middle, right, wing[2];
  double length;
  int32_t vertex;
} fit_edge;

/* Fills up to `room` edges, the longest ones where there are more, those of equal length in the order of the vertices.
 * Returns how many; 0: no memory. */
size_t grz_fit_edges(const graze_hull *hull, const fit_cloud *cloud, const graze_allocator *allocator, fit_edge *edges,
                     size_t room);

#endif
