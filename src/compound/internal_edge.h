/* Internal edges of a decomposed polygon are interior: a body that touches two pieces inside their common edge
 * overlaps the polygon. */
#ifndef GRAZE_COMPOUND_INTERNAL_EDGE_H
#define GRAZE_COMPOUND_INTERNAL_EDGE_H

#include "narrow/result.h"
#include "shape/placed.h"

/* Two bodies, at least one of them a compound, and their touching parts. */
typedef struct grz_contact_parts {
  const graze_placed *a, *b; /* as given by the caller */
  int32_t index_a, index_b;
  graze_placed part_a, part_b; /* placed */
} grz_contact_parts;

/* Call it if the parts touch. If they touch inside an internal edge, the relation becomes GRAZE_OVERLAPPING with the
 * certificate INTERNAL_EDGE; the numbers remain 0. For a flat user shape it becomes GRAZE_UNDECIDED. */
void grz_internal_edge_test(const grz_contact_parts *parts, double clearance, grz_result *result);

/* True if this convex body can be inside an internal edge without overlapping a piece: flat bodies without margin,
 * and all user shapes. */
bool grz_internal_edge_may_hold(const graze_placed *body);

#endif
