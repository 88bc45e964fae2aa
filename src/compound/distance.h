/* Relation and signed distance of compounds, from queries of pairs of parts, and internal edges of polygons. */
#ifndef GRAZE_COMPOUND_DISTANCE_H
#define GRAZE_COMPOUND_DISTANCE_H

#include "compound/search.h"
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

typedef struct grz_compound_query {
  graze_options options;  /* of the caller */
  graze_options inner;    /* of a pair of parts */
  bool measure;           /* true: the signed distance is required; false: only the relation */
  grz_contact_parts pair; /* the last pair tested */
  grz_query_shape shape;
  grz_search search;
  grz_result best;     /* of the deciding pair */
  double lower, upper; /* of all pairs so far */
  graze_stop stopped;  /* the reason why `lower` is not greater */
  size_t tested;
  int iterations;
  bool exact;
  graze_status status;
} grz_compound_query;

/* Runs the query; if the status is GRAZE_OK, compound->best has the answer. Also for convex shapes with `parts`. */
graze_status grz_compound_query_run(grz_compound_query *compound, const graze_placed *a, const graze_placed *b,
                                    const graze_options *options, bool measure);

/* Places the parts of the deciding pair in compound->pair. */
void grz_compound_query_place_best(grz_compound_query *compound);

/* Replaces the answer of the deciding pair. */
void grz_compound_query_replace(grz_compound_query *compound, const grz_result *again);

#endif
