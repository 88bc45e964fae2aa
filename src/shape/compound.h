/* What a compound is made of. Its parts are judged when it is made (src/shape/compound_create.c); here it is only read.
 */
#ifndef GRAZE_SHAPE_COMPOUND_H
#define GRAZE_SHAPE_COMPOUND_H

#include <graze/graze.h>

/* An inner edge of a decomposed polygon: vertex_left[0] of the piece `left` is the edge's beginning, vertex_left[1] its
 * end; the same of the piece on its right. */
typedef struct grz_compound_internal_edge {
  int32_t left, right;
  int32_t vertex_left[2], vertex_right[2];
} grz_compound_internal_edge;

struct grz_tree;

struct graze_compound {
  int dim;
  size_t count;
  graze_placed *parts;         /* convex, in the compound's frame */
  const struct grz_tree *tree; /* bounds of the parts, in the compound's frame */
  const grz_compound_internal_edge *internal_edges;
  size_t internal_edge_count;
  double reach;     /* no core point of a part lies farther than this from the frame's origin … */
  double radius;    /* … and no part's radius is larger than this */
  bool conditional; /* some part is a user shape */
  graze_allocator allocator;
};

#endif
