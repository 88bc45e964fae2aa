/* Contacts on internal edges of decomposed polygons, in exact arithmetic. */
#ifndef GRAZE_VERIFY_INTERNAL_EDGES_H
#define GRAZE_VERIFY_INTERNAL_EDGES_H

#include "verify/polytope.h"

/* Checks that the certificate proves an overlap of two bodies on an internal edge of one of them. */
graze_status grz_verify_internal_edge(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance,
                                      const grz_proof *certificate);

/* Checks that two touching parts without radius do not touch inside an internal edge, where their compounds overlap.
 * Returns GRAZE_REFUTED if they do, and GRAZE_UNPROVEN for a user shape, which may be flat. */
graze_status grz_verify_off_internal_edges(grz_arena *arena, const graze_placed *a, const graze_placed *b,
                                           int32_t part_a, int32_t part_b);

#endif
