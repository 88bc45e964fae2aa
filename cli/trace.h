/* `"trace"`: what the searches did, step by step. */
#ifndef GRAZE_CLI_TRACE_H
#define GRAZE_CLI_TRACE_H

#include "print.h"

/* The steps so far, as JSON. Longer traces are cut off, so that a line stays bounded. `stop` is that of GJK's last
 * step; the others carry their own. */
typedef struct cli_trace {
  cli_text steps, after; /* GJK's; those of what followed it */
  int dim, count;
  graze_trace_stop stop;
} cli_trace;

/* Begins a trace, and forgets an earlier one. */
void cli_trace_begin(cli_trace *trace, int dim);

/* A graze_trace_function; the context is a cli_trace. */
void cli_trace_step(void *context, const graze_trace_step *step);

/* `,"trace":[…],"stop":…,"trace_after":[…]`, the last only where there are such steps. */
void cli_print_trace(cli_text *out, const cli_trace *trace);

void cli_trace_free(cli_trace *trace);

#endif
