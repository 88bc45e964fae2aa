/* Traces: see trace.h. */
#include "trace.h"

#include "answer_writer.h"

#include <stdlib.h>
#include <string.h>

/* A polytope with more faces or points is not recorded. */
enum { MAX_STEPS = 10000, MAX_FACES = 200, MAX_AXES = 200 };

/* A copy of a polytope, in one block of memory. */
typedef struct trace_polytope {
  graze_surface surface;
  graze_pair pairs[];
} trace_polytope;

static void free_steps(cli_trace *trace) {
  for (size_t i = 0; i < trace->count; i++) free((void *)(uintptr_t)trace->steps[i].polytope);
  trace->count = 0;
}

void cli_trace_begin(cli_trace *trace) {
  free_steps(trace);
  trace->total = trace->axis_count = trace->axis_total = trace->best_axis = 0;
  trace->failed = false;
}

void cli_trace_free(cli_trace *trace) {
  free_steps(trace);
  free(trace->steps);
  free(trace->axes);
}

static const graze_surface *copy_polytope(cli_trace *trace, const graze_surface *from) {
  if (from == NULL || from->face_count > MAX_FACES || from->pair_count > MAX_FACES) return NULL;
  size_t pairs = from->pair_count * sizeof *from->pairs, faces = from->face_count * sizeof *from->faces;
  trace_polytope *copy = malloc(sizeof *copy + pairs + faces);
  if (copy == NULL) {
    trace->failed = true;
    return NULL;
  }
  void *to = (char *)copy->pairs + pairs;
  memcpy(copy->pairs, from->pairs, pairs);
  if (faces > 0) memcpy(to, from->faces, faces);
  copy->surface = (graze_surface){from->pair_count, from->face_count, copy->pairs, faces > 0 ? to : NULL};
  return &copy->surface;
}

void cli_trace_step(void *context, const graze_trace_step *step) {
  cli_trace *trace = context;
  trace->total++;
  if (trace->count >= MAX_STEPS || trace->failed) return;
  void *steps = cli_grow(trace->steps, sizeof *trace->steps, &trace->capacity, trace->count + 1);
  trace->failed = steps == NULL;
  if (trace->failed) return;
  trace->steps = steps;
  graze_trace_step *copy = &trace->steps[trace->count++];
  *copy = *step;
  copy->polytope = copy_polytope(trace, step->polytope);
}

size_t cli_trace_best(const cli_trace *trace) {
  return trace->best_axis < MAX_AXES ? trace->best_axis : trace->axis_count - 1;
}

bool cli_trace_axis(void *context, const graze_axis *axis) {
  cli_trace *trace = context;
  size_t number = trace->axis_total++;
  bool best = number == 0 || axis->separation > trace->axes[cli_trace_best(trace)].separation;
  if (number >= MAX_AXES && !best) return true;
  size_t at = number < MAX_AXES ? number : MAX_AXES;
  void *axes = cli_grow(trace->axes, sizeof *trace->axes, &trace->axis_capacity, at + 1);
  trace->failed = axes == NULL;
  if (trace->failed) return false;
  trace->axes = axes;
  trace->axes[at] = *axis;
  trace->axis_count = at + 1;
  if (best) trace->best_axis = number;
  return true;
}

static void print_step(cli_text *out, const graze_trace_step *step, int dim) {
  cli_text_str(out, "{\"phase\":");
  cli_text_quoted(out, graze_phase_text(step->phase));
  cli_print_key(out, "direction");
  cli_print_vec(out, step->direction, dim);
  cli_print_key(out, "pair");
  cli_print_pair(out, &step->pair, dim);
  cli_print_key(out, "point");
  cli_print_vec(out, step->point, dim);
  cli_print_real(out, "origin_check", step->origin_check);
  cli_print_key(out, "simplex");
  cli_print_pairs(out, step->simplex, step->simplex_count, dim);
  cli_print_real(out, "lower", step->lower);
  cli_print_real(out, "upper", step->upper);
  if (step->polytope) {
    cli_print_key(out, "polytope");
    cli_print_surface(out, step->polytope, dim);
  }
  if (step->phase != GRAZE_PHASE_GJK && step->stop != GRAZE_TRACE_CONTINUE)
    cli_print_word(out, "stop", graze_trace_stop_text(step->stop));
  cli_text_str(out, "}");
}

/* Prints the steps of GJK, or those of the other phases. Returns their number. */
static size_t print_steps(cli_text *out, const cli_trace *trace, bool gjk, int dim) {
  size_t count = 0;
  for (size_t i = 0; i < trace->count; i++) {
    if ((trace->steps[i].phase == GRAZE_PHASE_GJK) != gjk) continue;
    cli_text_str(out, count++ > 0 ? "," : "[");
    print_step(out, &trace->steps[i], dim);
  }
  return count;
}

void cli_print_trace(cli_text *out, const cli_trace *trace, int dim) {
  graze_trace_stop stop = GRAZE_TRACE_CONTINUE;
  for (size_t i = 0; i < trace->count; i++)
    if (trace->steps[i].phase == GRAZE_PHASE_GJK) stop = trace->steps[i].stop;
  cli_print_key(out, "trace");
  cli_text_str(out, print_steps(out, trace, true, dim) > 0 ? "]" : "[]");
  cli_print_key(out, "stop");
  if (stop == GRAZE_TRACE_CONTINUE)
    cli_text_str(out, "null");
  else
    cli_text_quoted(out, graze_trace_stop_text(stop));
  size_t before = out->size;
  cli_print_key(out, "trace_after");
  if (print_steps(out, trace, false, dim) > 0)
    cli_text_str(out, "]");
  else if (!out->failed)
    out->size = before;
  if (trace->failed) out->failed = true;
}
