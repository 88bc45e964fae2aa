/* The relation of two boxes in 3D. Their CSO is symmetric about p_a - p_b, so every vertex has an opposite one. Three
 * vertices and their opposites span an octahedron: it contains the origin, or one of its faces gives the next
 * direction.
 */
#ifndef GRAZE_NARROW_BOX_RELATION_H
#define GRAZE_NARROW_BOX_RELATION_H

#include "narrow/certify.h"

typedef struct grz_box_relation {
  graze_relation relation; /* undecided near touching, of flat boxes, and of rounded ones whose cores have a distance
                              below r */
  graze_vec direction;     /* the last support direction; of separated boxes it separates */
  int32_t a[3], b[3];      /* overlapping: corners of three vertices; the opposite of corner i is 7 - i */
  int supports;            /* the number of support points */
} grz_box_relation;

/* The cores must be boxes in 3D that do not move. Theory: docs/theory/box-relation.md. */
grz_box_relation grz_box_relation_test(const grz_obstacle *obstacle);

/* Fills a decided relation with its certificate. */
void grz_box_relation_fill(const grz_obstacle *obstacle, const grz_box_relation *relation, grz_result *result);

#endif
