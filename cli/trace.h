/* The trace of an answer: the steps of its search, and the axes that were tested. */
#ifndef GRAZE_CLI_TRACE_H
#define GRAZE_CLI_TRACE_H

#include "text.h"

#include <graze/compare.h>

/* The trace owns the polytopes of its steps. Steps above a fixed number are only counted, and large polytopes are not
 * recorded, so that the answer line stays bounded. */
typedef struct cli_trace {
  graze_trace_step *steps;
  size_t count, capacity, total;
  graze_axis *axes; /* the first ones in the order of the tests; then the best one, if it came later */
  size_t axis_count, axis_capacity, axis_total;
  size_t best_axis; /* its number among all; the first of equal ones */
  bool failed;      /* out of memory */
} cli_trace;

/* Discards what was recorded. */
void cli_trace_begin(cli_trace *trace);
void cli_trace_free(cli_trace *trace);

/* A graze_trace_function and a graze_axis_function; the context is a cli_trace. */
void cli_trace_step(void *context, const graze_trace_step *step);
bool cli_trace_axis(void *context, const graze_axis *axis);

/* Returns the index of the best axis in trace->axes, which must not be empty. */
size_t cli_trace_best(const cli_trace *trace);

/* Appends `,"trace":[…],"stop":…`, the steps of the search, and `,"trace_after":[…]`, the steps of the phases that
 * refine its result or compute the depth, if any. */
void cli_print_trace(cli_text *out, const cli_trace *trace, int dim);

#endif
