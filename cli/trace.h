/* What the searches did, step by step, and which axes were tested. `"trace"` is made of the steps. */
#ifndef GRAZE_CLI_TRACE_H
#define GRAZE_CLI_TRACE_H

#include "print.h"

/* The steps as they came; step.polytope, where there is one, is the trace's own. Those beyond a fixed number are
 * counted only, and large polytopes left out, so that a line stays bounded. */
typedef struct cli_trace {
  graze_trace_step *steps;
  size_t count, capacity, total;
  graze_axis *axes; /* the first ones in the order tested; and last the best one, where it came later */
  size_t axis_count, axis_capacity, axis_total;
  size_t best_axis; /* its number among all, the first of equal ones */
  bool failed;      /* memory ran out */
} cli_trace;

/* Forgets what was recorded. */
void cli_trace_begin(cli_trace *trace);

/* A graze_trace_function; the context is a cli_trace. */
void cli_trace_step(void *context, const graze_trace_step *step);

/* A graze_axis_function; the context is a cli_trace. */
bool cli_trace_axis(void *context, const graze_axis *axis);

/* Where the best axis stands in trace->axes; there is one. */
size_t cli_trace_best(const cli_trace *trace);

/* Why GJK stopped; GRAZE_TRACE_CONTINUE where it did not run. */
graze_trace_stop cli_trace_stop(const cli_trace *trace);

/* `,"trace":[…],"stop":…,"trace_after":[…]`: GJK's steps; those of what followed it, where there are any. */
void cli_print_trace(cli_text *out, const cli_trace *trace, int dim);

void cli_trace_free(cli_trace *trace);

#endif
