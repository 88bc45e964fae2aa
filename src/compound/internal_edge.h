/* The internal_edges of a decomposed polygon are interior: what touches two pieces inside their common edge overlaps
 * the whole.
 */
#ifndef GRAZE_COMPOUND_INTERNAL_EDGE_H
#define GRAZE_COMPOUND_INTERNAL_EDGE_H

#include "narrow/result.h"
#include "shape/placed.h"

/* Two bodies, at least one of them a compound, and the parts of them that touch. */
typedef struct grz_contact_parts {
  const graze_placed *a, *b; /* as the caller gave them */
  int32_t index_a, index_b;
  graze_placed part_a, part_b; /* in their places */
} grz_contact_parts;

/* `answer` says that the parts touch. Where they do so inside a seam, it becomes GRAZE_OVERLAPPING with the certificate
 * SEAM; its numbers stay 0. A flat user shape, of which nobody can tell, makes it GRAZE_UNDECIDED. */
void grz_internal_edge_test(const grz_contact_parts *parts, double clearance, grz_result *result);

/* Could this convex body lie inside a seam and overlap no piece? Only what is flat and has no ball; of user shapes
 * nobody can tell. */
bool grz_internal_edge_may_hold(const graze_placed *body);

#endif
