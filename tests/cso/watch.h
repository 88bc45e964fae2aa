/* Looks at every step of a trace while it is told, and compares answers with and without a trace. */
#ifndef TESTS_CSO_WATCH_H
#define TESTS_CSO_WATCH_H

#include "support/families.h"

/* A polytope in the room that a query has on its stack. */
enum { WATCH_POINTS = 288 };

/* What is known of the steps so far. */
typedef struct watch {
  const shape_pair *pair;
  int dim;
  double up;    /* what lengths of the steps are multiplied by before anything is done with them … */
  double far;   /* … and those of the pair */
  double size;  /* of the pair, so multiplied */
  double slack; /* what points may be off by */
  int count, phase[GRAZE_PHASE_EPA + 1];
  graze_trace_step last;
  double lower, upper;  /* the best bounds of all phases; EPA's, while it holds the origin, of the signed distance */
  double width, height; /* EPA: the last bounds */
  bool fell;            /* EPA: the height, in the last search */
  const char *wrong;
  unsigned char edge[WATCH_POINTS][WATCH_POINTS];
} watch;

/* Asks twice, with and without a trace: `wrong` says what was wrong first, or is NULL. `pair` is placed as it stands;
 * `asked`, NULL for the same, is that pair with all lengths divided by `up`. */
graze_answer watch_ask(watch *w, const shape_pair *pair, const shape_pair *asked, double up, bool distance,
                       graze_options options);

#endif
