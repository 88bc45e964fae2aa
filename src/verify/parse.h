/* What the verifier reads: two placed shapes and the words of a certificate, turned into exact numbers. */
#ifndef GRAZE_VERIFY_PARSE_H
#define GRAZE_VERIFY_PARSE_H

#include "exact/nearest.h"
#include "exact/placement.h"
#include "exact/big.h"
#include "shape/proof.h"

/* A - B, every w = a - b scaled by placing.scale > 0.
 *
 * A half-space is read as a core of one point, its local origin, with its offset as radius: its signed distance from a
 * point x is (normal·x)/|normal| - offset, a gap along one direction that is known beforehand. */
typedef struct grz_parser {
  grz_arena *arena;
  const graze_shape *a, *b;
  int dim;
  grz_placement placing;
  grz_big radius; /* r: both radii, both margins, the clearance; the offset of a half-space */
} grz_parser;

/* scale·gap(d) = rational + root[0] + root[1]; with a user shape, a lower bound of it. */
typedef struct grz_gap {
  grz_bvec direction; /* d */
  grz_big rational;
  grz_root root[2];
} grz_gap;

grz_parser grz_read_shapes(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance);

/* The points w of at most `most` pairs. False: malformed, or a point outside its core. */
bool grz_read_pairs(grz_parser *reading, const grz_pair *pair, int count, int most, grz_bvec *w);

/* The direction d of any form but NONE. False: malformed, or zero. */
bool grz_read_direction(grz_parser *reading, const grz_direction *direction, grz_bvec *d);

/* The outward normal of the half-space among the two shapes, turned so that it points from A to B, and the w of a core
 * point of the other shape. False: malformed. */
bool grz_read_plane(grz_parser *reading, const grz_proof *certificate, grz_bvec *d, grz_bvec *w);

/* False where a user's support function proves nothing. */
bool grz_read_gap(grz_parser *reading, grz_bvec d, grz_gap *gap);

/* The sign of (rational + root[0] + … )/scale - bound·|d|. */
int grz_along_sign(grz_parser *reading, grz_bvec d, grz_big rational, const grz_root *root, int count, grz_big bound);

/* The sign of gap(d) - bound·|d|: nothing in A - B is nearer than gap(d)/|d|. */
static inline int grz_gap_sign(grz_parser *reading, const grz_gap *gap, grz_big bound) {
  return grz_along_sign(reading, gap->direction, gap->rational, gap->root, 2, bound);
}

#endif
