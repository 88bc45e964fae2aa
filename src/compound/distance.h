/* A question about compounds: asked about pairs of parts, and put together. */
#ifndef GRAZE_COMPOUND_DISTANCE_H
#define GRAZE_COMPOUND_DISTANCE_H

#include "narrow/result.h"
#include "compound/search.h"
#include "compound/internal_edge.h"

typedef struct grz_whole {
  graze_options options;  /* of the caller's … */
  graze_options inner;    /* … and for a pair of parts */
  bool measure;           /* the signed distance is asked for, not only the relation */
  grz_contact_parts pair; /* the last one asked about */
  grz_query_shape guest;
  grz_search search;
  grz_result best;   /* of the pair that decides */
  double lower, upper; /* of all pairs so far */
  graze_stop stopped;  /* why `lower` is no greater */
  size_t tested;
  int iterations;
  bool exact;
  graze_status status;
} grz_whole;

/* Asks; where the status is GRAZE_OK, the answer stands in whole->best. Also for convex shapes that want `parts`. */
graze_status grz_whole_ask(grz_whole *whole, const graze_placed *a, const graze_placed *b, const graze_options *options,
                           bool measure);

/* Makes whole->pair the pair that decides. */
void grz_whole_decider(grz_whole *whole);

/* Puts another answer about the deciding pair in the place of the first. */
void grz_whole_settle(grz_whole *whole, const grz_result *again);

#endif
