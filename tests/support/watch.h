/* Validates every step of a trace as it is reported, and compares answers with and without a trace. */
#ifndef TESTS_SUPPORT_WATCH_H
#define TESTS_SUPPORT_WATCH_H

#include "support/proved.h"
#include "support/families.h"

/* The largest polytope of a query without a workspace. */
enum { WATCH_POINTS = 288 };

/* Results of the steps so far. */
typedef struct watch {
  const shape_pair *pair;
  int dim;
  bool polytopes;     /* both cores have vertices */
  double up;          /* scales lengths of the steps */
  double shape_scale; /* scales lengths of the pair */
  double size;        /* of the scaled pair */
  double slack;       /* tolerance of points */
  int count, phase[GRAZE_PHASE_NEWTON + 1];
  graze_trace_step last;
  double lower, upper;  /* the best bounds of all phases; EPA's, while it holds the origin, of the signed distance */
  double width, height; /* EPA: the last bounds */
  bool fell;            /* EPA: the height, in the last search */
  const char *wrong;
  unsigned char edge[WATCH_POINTS][WATCH_POINTS];
} watch;

/* Queries `pair` with and without a trace; w->wrong is the first error, or NULL. `queried` is `pair` with all lengths
 * divided by `up`; NULL: `pair` itself. */
proved_answer watch_query(watch *w, const shape_pair *pair, const shape_pair *queried, double up, bool distance,
                          graze_options options);

#endif
