/* Who meets a compound, seen from the compound's frame: how near can it come to what lies in a box of that frame?
 *
 * Bounds are of the signed distance, from below, rounding included: docs/theory/compounds.md, "Bounds". */
#ifndef GRAZE_COMPOUND_QUERY_SHAPE_H
#define GRAZE_COMPOUND_QUERY_SHAPE_H

#include "shape/placed.h"
#include "shape/tree.h"

typedef struct grz_query_shape {
  int dim;
  const grz_tree_node *node; /* the guest's own tree, where it is a compound, … */
  double turn[9];            /* … and its frame seen from the host's */
  graze_vec shift;
  bool plane; /* a half-space: normal·x <= height in the host's frame */
  graze_vec normal;
  double height;
  graze_aabb box; /* of a convex guest, in the host's frame */
  graze_vec
      sweep;    /* a moving guest: how far it moves, as the host sees it; boxes cover the way, and bounds hold on it */
  double less;  /* what margins and clearance take from every distance, … */
  double error; /* … and rounding, at most */
} grz_query_shape;

/* No point of a placed shape that is no half-space lies farther than this from its anchor, but for rounding by a few
 * ulps. */
double grz_query_shape_size(const graze_placed *placed);

/* `host` is anything but a half-space, `placed` anything of the same dimension. */
void grz_query_shape_make(grz_query_shape *guest, const graze_placed *host, const graze_placed *placed,
                          double clearance);

/* The guest moves on by `way`, a way in the world, as the host sees it. */
void grz_query_shape_sweep(grz_query_shape *guest, const graze_placed *host, graze_vec way);

/* The bounds, in the host's frame, of what lies below a node of the guest's tree; of a convex guest (node NULL), its
 * own. Margins are not in them. */
graze_aabb grz_query_shape_box(const grz_query_shape *guest, const grz_tree_node *node);

/* No part in `host`, a box of the host's frame, and no part of the guest in `box` have a smaller signed distance. */
double grz_query_shape_bound(const grz_query_shape *guest, const graze_aabb *host, const graze_aabb *box);

#endif
