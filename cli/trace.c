#include "trace.h"

/* Polytopes with more faces, or more points, are left out. */
enum { MOST_STEPS = 10000, MOST_FACES = 200 };

void cli_trace_begin(cli_trace *trace, int dim) {
  trace->steps.size = trace->after.size = 0;
  trace->dim = dim;
  trace->count = 0;
  trace->stop = GRAZE_TRACE_GOES_ON;
}

static void print_polytope(cli_text *out, const graze_surface *polytope, int dim) {
  if (polytope == NULL || polytope->face_count > MOST_FACES || polytope->pair_count > MOST_FACES) return;
  cli_print_key(out, "polytope");
  cli_print_surface(out, polytope, dim);
}

void cli_trace_step(void *context, const graze_trace_step *step) {
  cli_trace *trace = context;
  bool gjk = step->phase == GRAZE_PHASE_GJK;
  cli_text *out = gjk ? &trace->steps : &trace->after;
  if (gjk) trace->stop = step->stop;
  if (trace->count++ >= MOST_STEPS) return;
  cli_text_put(out, out->size > 0 ? ",{\"phase\":" : "{\"phase\":");
  cli_text_quoted(out, graze_phase_text(step->phase));
  cli_print_key(out, "direction");
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
  print_polytope(out, step->polytope, trace->dim);
  if (!gjk && step->stop != GRAZE_TRACE_GOES_ON) cli_print_word(out, "stop", graze_trace_stop_text(step->stop));
  cli_text_put(out, "}");
}

static void print_steps(cli_text *out, const char *key, const cli_text *steps) {
  cli_print_key(out, key);
  cli_text_put(out, "[");
  cli_text_add(out, steps->data, steps->size);
  cli_text_put(out, "]");
  if (steps->failed) out->failed = true;
}

void cli_print_trace(cli_text *out, const cli_trace *trace) {
  print_steps(out, "trace", &trace->steps);
  cli_print_key(out, "stop");
  if (trace->stop == GRAZE_TRACE_GOES_ON)
    cli_text_put(out, "null");
  else
    cli_text_quoted(out, graze_trace_stop_text(trace->stop));
  if (trace->after.size > 0 || trace->after.failed) print_steps(out, "trace_after", &trace->after);
}

void cli_trace_free(cli_trace *trace) {
  cli_text_free(&trace->steps);
  cli_text_free(&trace->after);
}
