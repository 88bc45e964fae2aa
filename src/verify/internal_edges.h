/* The internal_edges of decomposed polygons, exactly: docs/theory/certificates.md, "Seams". */
#ifndef GRAZE_VERIFY_INTERNAL_EDGES_H
#define GRAZE_VERIFY_INTERNAL_EDGES_H

#include "verify/parse.h"

/* Does the certificate show that the two bodies, placed as the caller gave them, overlap on a seam of one of them? */
graze_status grz_verify_internal_edge(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance,
                                      const grz_proof *certificate);

/* Two parts touch, and have no radius. Do they in a point inside a seam of their compounds, so that these overlap?
 * GRAZE_OK: they do not. GRAZE_REFUTED: they do. GRAZE_UNPROVEN: nobody can tell, of a user shape. */
graze_status grz_verify_off_internal_edges(grz_arena *arena, const graze_placed *a, const graze_placed *b,
                                           int32_t part_a, int32_t part_b);

#endif
