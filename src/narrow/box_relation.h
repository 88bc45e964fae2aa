/* Do two boxes in space meet? Their difference is a zonotope about p_a - p_b, so every vertex has an opposite one:
 * three vertices and their opposites span an octahedron, which holds the origin or shows where to look next. */
#ifndef GRAZE_NARROW_BOX_RELATION_H
#define GRAZE_NARROW_BOX_RELATION_H

#include "narrow/certify.h"

typedef struct grz_box_relation {
  graze_relation relation; /* undecided: left to others: near touching, of flat boxes, of rounded ones whose cores are
                              apart by less than r */
  graze_vec direction;     /* the last that was looked along; of separated boxes it separates */
  int32_t a[3], b[3];      /* overlapping: corners of three vertices, whose opposites are 7 less these */
  int looks;
} grz_box_relation;

/* The cores are boxes in 3D that do not move. docs/theory/box-relation.md. */
grz_box_relation grz_box_relation_test(const grz_obstacle *obstacle);

/* Fills a decided relation with its certificate. */
void grz_box_relation_fill(const grz_obstacle *obstacle, const grz_box_relation *found, grz_result *result);

#endif
