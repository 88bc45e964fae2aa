/* Records the steps of the searches for graze_options::tracer. A search without a tracer only tests that
 * grz_obstacle::tracer is NULL. Tracing never changes a result. */
#ifndef GRAZE_NARROW_TRACE_H
#define GRAZE_NARROW_TRACE_H

#include "narrow/search.h"

#include <graze/trace.h>

typedef struct grz_tracer {
  graze_trace_function function;
  void *context;
  bool curved_a, curved_b; /* points of these cores have no index, even if the search uses an inscribed polytope */
  int iteration;           /* of the next step */
  int reported; /* exact search: how many of the next steps were already reported before the small arena was full */
  double lower, upper; /* exact search: the best bounds so far */
  double width;        /* EPA: the least support width so far */
  bool pending;        /* `step` is not reported yet: the next step, or the end, determines its stop reason */
  graze_trace_step step;
} grz_tracer;

void grz_trace_begin(grz_tracer *tracer, const graze_options *options, const graze_placed *a, const graze_placed *b);

/* Reports the step with the next number. */
void grz_trace_report(grz_tracer *tracer, graze_trace_step *step);

/* Reports the pending step, if any, with this stop reason. */
void grz_trace_flush(grz_tracer *tracer, graze_trace_stop stop);

/* Makes a step of a search in doubles, in the caller's units and without bounds. */
graze_trace_step grz_trace_make(const grz_obstacle *obstacle, graze_phase phase, graze_vec d,
                                const grz_cso_point *point, const grz_cso_point *simplex, int simplex_count);

/* Adds the bounds of GJK to the step and makes it the pending one. */
void grz_trace_defer(const grz_obstacle *obstacle, const grz_gjk *gjk, const graze_trace_step *step);

/* The exact search begins. */
void grz_trace_exact_begin(const grz_exact *x);

/* The exact search has computed the nearest point of its points. */
void grz_trace_exact_nearest(const grz_exact *x, const grz_nearest *nearest);

/* The last point of the exact search is new: the support point along d; `product` is d·w. */
void grz_trace_exact_point(const grz_exact *x, grz_bvec d, grz_big product);

/* The exact search has ended. If it needed no new point, a step without direction shows the simplex. */
void grz_trace_exact_end(const grz_exact *x, const grz_result *result);

/* EPA computed the support point of `face` at the width `high`; the polytope still has its first `points` points. */
typedef struct grz_expansion {
  int face, points;
  const grz_cso_point *point;
  double high;
} grz_expansion;

void grz_trace_epa(const grz_epa *epa, const grz_expansion *expansion, graze_trace_stop stop);

/* Reports the last step once more as failed: rounding made the polytope invalid. */
void grz_trace_epa_broken(const grz_epa *epa);

/* Makes the test of one direction the pending step: its support point is the simplex. The signed separation of the
 * cores along the direction is the lower bound, and the length of the support point the upper one. A zero direction
 * makes no step. */
void grz_trace_direction(const grz_obstacle *obstacle, graze_phase phase, graze_vec direction);

#endif
