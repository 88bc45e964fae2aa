/* What the searches tell the caller's trace function. An obstacle without a tracer is searched in silence: that is the
 * only thing that a search without a trace looks at. Nothing here changes what a search finds. */
#ifndef GRAZE_NARROW_TRACE_H
#define GRAZE_NARROW_TRACE_H

#include "narrow/epa.h"
#include "narrow/exact_search.h"
#include "narrow/gjk.h"

#include <graze/trace.h>

typedef struct grz_tracer {
  graze_trace_function function;
  void *context;
  bool curved_a, curved_b; /* points of these cores have no index, whatever the search took in their place */
  int iteration;           /* of the next step */
  int known;               /* exact searches: so many steps to come were told before the arena was full */
  double lower, upper;     /* exact searches: the bounds so far */
  double width;            /* EPA: the least support width so far */
  bool waits;              /* a step that is not told yet: only the next one, or the end, shows why it ends */
  graze_trace_step step;
} grz_tracer;

void grz_trace_begin(grz_tracer *tracer, const graze_options *options, const graze_placed *a, const graze_placed *b);

/* The step as it stands, but for its number. */
void grz_trace_report(grz_tracer *tracer, graze_trace_step *step);

/* Tells the step that waited, if any, with this reason. */
void grz_trace_flush(grz_tracer *tracer, graze_trace_stop stop);

/* A step in doubles: phase, direction, the new point and the simplex, in the caller's units; no bounds yet. */
graze_trace_step grz_trace_make(const grz_obstacle *obstacle, graze_phase phase, graze_vec d,
                                const grz_cso_point *point, const grz_cso_point *simplex, int simplex_count);

/* Such a step with the bounds that GJK keeps, and told once it is known whether the phase goes on. */
void grz_trace_defer(const grz_obstacle *obstacle, const grz_gjk *gjk, const graze_trace_step *step);

/* Exact search: begins. */
void grz_trace_exact_begin(const grz_exact *x);

/* … it knows the nearest point of x's points. */
void grz_trace_exact_nearest(const grz_exact *x, const grz_nearest *nearest);

/* … x's last point is new, the farthest along d; d·w is `product`. */
void grz_trace_exact_point(const grz_exact *x, grz_bvec d, grz_big product);

/* … and it has ended. Where it met no new point, a step without direction shows the simplex that decides. */
void grz_trace_exact_end(const grz_exact *x, const grz_result *result);

/* EPA looked beyond `face` and found `point` at the width `high`; the polytope has its first `points` points yet. */
typedef struct grz_expansion {
  int face, points;
  const grz_cso_point *point;
  double high;
} grz_expansion;

void grz_trace_epa(const grz_epa *epa, const grz_expansion *expansion, graze_trace_stop stop);

/* The step told last could not be made: rounding has spoilt the polytope. Told as a step of its own. */
void grz_trace_epa_broken(const grz_epa *epa);

/* A candidate axis of the separating-axis test: the support point along the unit direction, and the signed separation
 * of the cores along it as both bounds. */
void grz_trace_axis(const grz_obstacle *obstacle, graze_vec direction, graze_trace_stop stop);

#endif
