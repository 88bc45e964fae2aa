/* Relation and signed distance of compounds, from queries of pairs of parts. */
#ifndef GRAZE_COMPOUND_DISTANCE_H
#define GRAZE_COMPOUND_DISTANCE_H

#include "narrow/result.h"
#include "compound/search.h"
#include "compound/internal_edge.h"

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
