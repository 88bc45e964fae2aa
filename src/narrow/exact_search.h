/* Exact refinement: GJK (Gilbert, Johnson, Keerthi 1988) in exact arithmetic, for polytopes. It starts from the simplex
 * of the doubles and decides the relation without tolerances. Termination: docs/theory/termination.md. */
#ifndef GRAZE_NARROW_EXACT_SEARCH_H
#define GRAZE_NARROW_EXACT_SEARCH_H

#include "narrow/simplex.h"
#include "exact/nearest.h"
#include "exact/placement.h"
#include "exact/scaled.h"

/* Clears the answer except its iterations, decides the relation and fills certificate, distance, interval, normal and
 * witness points. For overlapping cores, only the relation and its pairs are filled: their hull contains the origin
 * strictly inside, and the caller computes the depth. `candidate` can be NULL or empty. If the large arena were full,
 * which docs/theory/exact.md excludes, the result would be UNDECIDED with GRAZE_STOP_PRECISION. */
void grz_exact_answer(const grz_obstacle *obstacle, double clearance, const grz_simplex *candidate, grz_result *result);

/* ---- The state of the search, shared with EPA and half-spaces */

/* Up to 2·dim + 1 points of the CSO, exactly: scale·w. */
enum { EXACT_MOST = 7 };

typedef struct grz_exact {
  grz_arena *arena;
  const grz_obstacle *c;
  grz_placement placing;
  size_t mark; /* above it: points and temporaries of the current step */
  int steps;
  int count;
  grz_core_point a[EXACT_MOST], b[EXACT_MOST];
  int32_t end[EXACT_MOST]; /* end of the time interval, for moving bodies */
  grz_bvec w[EXACT_MOST];
} grz_exact;

/* Runs `work` on a new grz_exact in a small arena, and again in a large one if the small one is full. Returns false if
 * both are full; the results of `work` are then invalid. */
bool grz_exact_run(const grz_obstacle *obstacle, void (*work)(grz_exact *x, void *context), void *context);

/* Fills the answer after such a failure. */
void grz_exact_fail(const grz_obstacle *obstacle, grz_result *result);

/* The farthest vertex of one core along a local direction. */
grz_core_point grz_exact_support(grz_exact *x, const graze_placed *placed, grz_bvec local);

/* scale·r: both radii, margins and the clearance, exactly. */
grz_big grz_exact_radius(grz_exact *x, double clearance);

/* Fills distance, lower and upper around excess/divisor, whose relative error is 12 roundings. */
void grz_exact_interval(grz_scaled excess, grz_scaled divisor, grz_result *result);

/* Resets the arena to `mark` and recomputes the points. */
void grz_exact_refresh(grz_exact *x);

/* Replaces the points of x by up to EXACT_MOST pairs, and returns the nearest point of their hull. */
grz_nearest grz_exact_nearest(grz_exact *x, const grz_pair *pairs, int count);

/* Predicts the carrier of the nearest point in doubles, as a bit mask. */
unsigned grz_exact_guess(const grz_exact *x);

/* Keeps only the points of the carrier. */
void grz_exact_keep(grz_exact *x, const grz_nearest *nearest);

/* Computes witness points of the cores (world axes, without positions) from x's points, which are the carrier of the
 * nearest point. Call it before later steps overwrite the weights in the arena. */
void grz_exact_core_points(const grz_exact *x, const grz_nearest *nearest, graze_vec *core_a, graze_vec *core_b);

/* Appends the farthest point of the CSO along the exact world direction d, and returns the sign of d·w. */
int grz_exact_extend(grz_exact *x, grz_bvec d);

/* The public form of point i. */
grz_pair grz_exact_pair(const grz_exact *x, int i);

#endif
