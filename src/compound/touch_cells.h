/* A contact of two faces, and the tests of directions from an apex, for touch.c and touch_cells.c. */
#ifndef GRAZE_COMPOUND_TOUCH_CELLS_H
#define GRAZE_COMPOUND_TOUCH_CELLS_H

#include "verify/verify.h"

enum { TOUCH_FACES = 96 }; /* of one body at an apex; with more, the relation is undecided */

/* A face, in the frame of the contact; or a triangle, segment or point of a flat convex body. */
typedef struct touch_face {
  uint32_t index;
  int count;       /* of vertices */
  grz_bvec at[3];  /* relative to the apex, times a positive number */
  grz_bvec normal; /* zero unless the face divides space */
} touch_face;

typedef struct touch_body {
  const graze_placed *placed; /* a mesh or a convex body */
  bool solid;                 /* a solid mesh */
  size_t piece;               /* of a flat convex body */
  uint32_t current;           /* the face in contact */
  int count;
  touch_face face[TOUCH_FACES];
  grz_bvec ray;
  bool beyond; /* the parity of the faces that the ray crosses away from the apex */
} touch_body;

typedef struct touch_query {
  touch_body a, b;
  int dim;
  const graze_vec *velocity; /* NULL, or of A and B: then the bodies must overlap at once, not at the start */
  bool overlaps, crowded;    /* crowded: too many faces at an apex */

  /* The current contact. */
  grz_arena *arena;
  grz_placement placement;
  grz_bvec numerator; /* the apex is numerator / denominator */
  grz_big denominator;
} touch_query;

static const graze_vec touch_axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* ---- Tests at the apex, whose faces and rays are set (touch_cells.c) */

/* Returns whether the interiors of two solids meet near the apex. */
bool grz_touch_solids_overlap(const touch_query *q);

/* Returns whether a face of a flat body meets the interior of the solid near the apex. */
bool grz_touch_face_overlaps(const touch_query *q, const touch_body *solid, const touch_face *face);

/* Returns whether a face at the apex, which moves by v relative to the solid, meets the interior at once. */
bool grz_touch_face_enters(const touch_query *q, const touch_body *solid, const touch_face *face, grz_bvec v);

#endif
