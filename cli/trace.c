#include "trace.h"

enum { MOST_STEPS = 10000 };

void cli_trace_begin(cli_trace *trace, int dim) {
  trace->steps.size = 0;
  trace->dim = dim;
  trace->count = 0;
  trace->stop = GRAZE_TRACE_GOES_ON;
}

void cli_trace_step(void *context, const graze_trace_step *step) {
  cli_trace *trace = context;
  cli_text *out = &trace->steps;
  trace->stop = step->stop;
  if (trace->count++ >= MOST_STEPS) return;
  cli_text_put(out, trace->count > 1 ? ",{\"direction\":" : "{\"direction\":");
  cli_print_vec(out, step->direction, trace->dim);
  cli_print_key(out, "pair");
  cli_print_pair(out, &step->pair, trace->dim);
  cli_print_key(out, "point");
  cli_print_vec(out, step->point, trace->dim);
  cli_print_real(out, "origin_check", step->origin_check);
  cli_print_key(out, "simplex");
  cli_print_pairs(out, step->simplex, step->simplex_count, trace->dim);
  cli_print_real(out, "lower", step->lower);
  cli_print_real(out, "upper", step->upper);
  cli_text_put(out, "}");
}

void cli_print_trace(cli_text *out, const cli_trace *trace) {
  cli_print_key(out, "trace");
  cli_text_put(out, "[");
  cli_text_add(out, trace->steps.data, trace->steps.size);
  cli_text_put(out, "]");
  cli_print_key(out, "stop");
  if (trace->stop == GRAZE_TRACE_GOES_ON)
    cli_text_put(out, "null");
  else
    cli_text_quoted(out, graze_trace_stop_text(trace->stop));
  if (trace->steps.failed) out->failed = true;
}
