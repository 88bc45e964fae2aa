/* The trace of an answer: the steps of its search, and the axes that were tested. */
#include "answers.h"

#include <stdlib.h>
#include <string.h>

/* A polytope with more faces or points is not recorded. */
enum { MAX_STEPS = 10000, MAX_FACES = 200, MAX_AXES = 200 };

/* A copy of a polytope, in one block of memory. */
typedef struct trace_polytope {
  graze_surface surface;
  graze_vec points[];
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
  const size_t points = from->point_count * sizeof *from->points, pairs = from->pair_count * sizeof *from->pairs;
  const size_t faces = from->face_count * sizeof *from->faces;
  trace_polytope *copy = malloc(sizeof *copy + points + pairs + faces);
  if (copy == NULL) {
    trace->failed = true;
    return NULL;
  }
  graze_pair *to_pairs = (graze_pair *)(void *)((char *)copy->points + points);
  int32_t(*to_faces)[3] = (int32_t(*)[3])(void *)((char *)to_pairs + pairs);
  copy->surface = *from;
  if (points > 0) copy->surface.points = memcpy(copy->points, from->points, points);
  if (pairs > 0) copy->surface.pairs = memcpy(to_pairs, from->pairs, pairs);
  if (faces > 0) copy->surface.faces = (const int32_t(*)[3])memcpy(to_faces, from->faces, faces);
  return &copy->surface;
}

void cli_trace_step(void *context, const graze_trace_step *step) {
  cli_trace *trace = context;
  trace->total++;
  if (trace->count >= MAX_STEPS || trace->failed) return;
  trace->failed = !cli_grow(&trace->steps, sizeof *trace->steps, &trace->capacity, trace->count + 1);
  if (trace->failed) return;
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
  trace->failed = !cli_grow(&trace->axes, sizeof *trace->axes, &trace->axis_capacity, at + 1);
  if (trace->failed) return false;
  trace->axes[at] = *axis;
  trace->axis_count = at + 1;
  if (best) trace->best_axis = number;
  return true;
}

/* Returns whether a phase refines a result or computes the depth; other phases search for the relation or the gap. */
static bool is_after(graze_phase phase) {
  return phase == GRAZE_PHASE_PORTAL || phase == GRAZE_PHASE_EXACT || phase == GRAZE_PHASE_EPA ||
         phase == GRAZE_PHASE_AXES;
}

/* Prints a list of the steps of the search, or of those after it, unless it is empty. Returns their number. */
static size_t print_steps(cli_text *out, const cli_trace *trace, bool after, int dim) {
  size_t count = 0;
  for (size_t i = 0; i < trace->count; i++) {
    const graze_trace_step *step = &trace->steps[i];
    if (is_after(step->phase) != after) continue;
    emit(out, "%s{\"phase\":%q,\"direction\":%V,\"pair\":%W,\"point\":%V,\"origin_check\":%j,\"simplex\":[",
         count++ > 0 ? ","
         : after     ? ",\"trace_after\":["
                     : ",\"trace\":[",
         graze_phase_text(step->phase), step->direction, dim, &step->support, dim, step->support.point, dim,
         step->origin_check);
    for (int k = 0; k < step->simplex_count; k++) emit(out, "%s%W", comma((size_t)k), &step->simplex[k], dim);
    emit(out, "],\"lower\":%j,\"upper\":%j", step->lower, step->upper);
    if (step->polytope) cli_text_str(out, ",\"polytope\":");
    if (step->polytope) cli_print_surface(out, step->polytope, dim);
    if (after && step->stop != GRAZE_TRACE_CONTINUE) emit(out, ",\"stop\":%q", graze_trace_stop_text(step->stop));
    cli_text_str(out, "}");
  }
  if (count > 0) cli_text_str(out, "]");
  return count;
}

void cli_print_trace(cli_text *out, const cli_trace *trace, int dim) {
  graze_trace_stop stop = GRAZE_TRACE_CONTINUE;
  for (size_t i = 0; i < trace->count; i++)
    if (!is_after(trace->steps[i].phase)) stop = trace->steps[i].stop;
  if (print_steps(out, trace, false, dim) == 0) cli_text_str(out, ",\"trace\":[]");
  emit(out, stop == GRAZE_TRACE_CONTINUE ? ",\"stop\":null" : ",\"stop\":%q", graze_trace_stop_text(stop));
  print_steps(out, trace, true, dim);
  if (trace->failed) out->failed = true;
}
