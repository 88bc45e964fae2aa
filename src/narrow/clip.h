/* Where two features lie over one another. */
#ifndef GRAZE_NARROW_CLIP_H
#define GRAZE_NARROW_CLIP_H

#include "narrow/contact_frame.h"

#include <stdint.h>

/* Corners of A over B, of B over A, and crossings: an edge crosses the other outline at most twice. Two for a witness.
 * What is left when they are merged is a convex polygon with at most 64 + 64 corners; of a disk, 16 rim points and two
 * crossings of each of 64 edges. With a witness 145. */
enum { GRZ_TOUCHES = 4 * GRZ_FEATURE_CORNERS + 2 };

/* A place where features meet. In the frame: high, the height of A's core there; low, that of B's. */
typedef struct grz_touch {
  graze_vec at; /* z is 0 */
  double high, low, depth;
  uint64_t feature;
} grz_touch;

typedef struct grz_touches {
  int count;
  grz_touch at[GRZ_TOUCHES];
} grz_touches;

/* Ids, from the most significant bit: what meets (3 bits), which corner, edge or face of A (25), and of B (25): less
 * than 2^53, so that readers of JSON keep them. Indices beyond 2^25, of edges beyond 4096, are folded: two of them may
 * then be equal. */
enum { GRZ_CORNER_OF_A = 1, GRZ_CORNER_OF_B, GRZ_CROSSING, GRZ_WITNESS };
#define GRZ_WITNESS_FEATURE ((uint64_t)GRZ_WITNESS << 50)

/* The id of corner k of a feature, of A or of B, over the other. */
uint64_t grz_corner_feature(const grz_feature *feature, int k, const grz_feature *other, bool is_a);

/* Every corner of the common part of two outlines, as grz_frame_outline() leaves them; not in order. One at most is a
 * disk, and then the frame is made for it. */
void grz_clip(const grz_frame *frame, const grz_feature *a, const grz_feature *b, grz_touches *out);

#endif
