#include "trace.h"

#include <stdlib.h>
#include <string.h>

/* Polytopes with more faces, or more points, are left out. */
enum { MOST_STEPS = 10000, MOST_FACES = 200 };

/* A polytope in one block of memory. */
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
  trace->total = 0;
  trace->failed = false;
}

void cli_trace_free(cli_trace *trace) {
  free_steps(trace);
  free(trace->steps);
}

static const graze_surface *copy_polytope(cli_trace *trace, const graze_surface *from) {
  if (from == NULL || from->face_count > MOST_FACES || from->pair_count > MOST_FACES) return NULL;
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

static bool make_room(cli_trace *trace) {
  if (trace->count < trace->capacity) return true;
  size_t capacity = trace->capacity ? 2 * trace->capacity : 16;
  graze_trace_step *steps = realloc(trace->steps, capacity * sizeof *steps);
  if (steps == NULL) {
    trace->failed = true;
    return false;
  }
  trace->steps = steps;
  trace->capacity = capacity;
  return true;
}

void cli_trace_step(void *context, const graze_trace_step *step) {
  cli_trace *trace = context;
  trace->total++;
  if (trace->count >= MOST_STEPS || trace->failed || !make_room(trace)) return;
  graze_trace_step *kept = &trace->steps[trace->count++];
  *kept = *step;
  kept->polytope = copy_polytope(trace, step->polytope);
}

graze_trace_stop cli_trace_stop(const cli_trace *trace) {
  graze_trace_stop stop = GRAZE_TRACE_GOES_ON;
  for (size_t i = 0; i < trace->count; i++)
    if (trace->steps[i].phase == GRAZE_PHASE_GJK) stop = trace->steps[i].stop;
  return stop;
}

static void print_step(cli_text *out, const graze_trace_step *step, int dim) {
  cli_text_put(out, "{\"phase\":");
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
  if (step->phase != GRAZE_PHASE_GJK && step->stop != GRAZE_TRACE_GOES_ON)
    cli_print_word(out, "stop", graze_trace_stop_text(step->stop));
  cli_text_put(out, "}");
}

/* GJK's steps, or the others. How many. */
static size_t print_steps(cli_text *out, const cli_trace *trace, bool gjk, int dim) {
  size_t count = 0;
  for (size_t i = 0; i < trace->count; i++) {
    if ((trace->steps[i].phase == GRAZE_PHASE_GJK) != gjk) continue;
    cli_text_put(out, count++ > 0 ? "," : "[");
    print_step(out, &trace->steps[i], dim);
  }
  return count;
}

void cli_print_trace(cli_text *out, const cli_trace *trace, int dim) {
  graze_trace_stop stop = cli_trace_stop(trace);
  cli_print_key(out, "trace");
  cli_text_put(out, print_steps(out, trace, true, dim) > 0 ? "]" : "[]");
  cli_print_key(out, "stop");
  if (stop == GRAZE_TRACE_GOES_ON)
    cli_text_put(out, "null");
  else
    cli_text_quoted(out, graze_trace_stop_text(stop));
  size_t before = out->size;
  cli_print_key(out, "trace_after");
  if (print_steps(out, trace, false, dim) > 0)
    cli_text_put(out, "]");
  else if (!out->failed)
    out->size = before;
  if (trace->failed) out->failed = true;
}
