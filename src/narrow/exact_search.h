/* The exact search: GJK in exact arithmetic, for obstacles of polytopal cores. It starts from whatever doubles
 * proposed, decides the relation without any tolerance, and always ends: docs/theory/termination.md. */
#ifndef GRAZE_NARROW_EXACT_SEARCH_H
#define GRAZE_NARROW_EXACT_SEARCH_H

#include "narrow/simplex.h"
#include "exact/nearest.h"
#include "exact/placement.h"
#include "exact/scaled.h"

/* Blanks the answer but for its iterations, decides the relation and fills everything: certificate, distance, interval,
 * normal, witness points. Where the cores overlap, it fills only the relation and its pairs, whose hull holds the
 * origin strictly inside: the depth is for the caller to add. `candidate` may be NULL or empty. Were the large arena
 * ever full, which docs/theory/exact.md excludes, the answer would be `undecided`, stopped by GRAZE_STOP_PRECISION. */
void grz_exact_answer(const grz_obstacle *obstacle, double clearance, const grz_simplex *candidate,
                      grz_result *result);

/* -- shared between exact.c, interior.c and exact_support.c -- */

/* Up to 2·dim + 1 points of C, exactly: scale·w. */
enum { EXACT_MOST = 7 };

typedef struct grz_exact {
  grz_arena *arena;
  const grz_obstacle *c;
  grz_placement placing;
  size_t mark; /* above it: points and temporaries of the current step */
  int steps;
  int count;
  grz_core_point a[EXACT_MOST], b[EXACT_MOST];
  int32_t end[EXACT_MOST]; /* of the interval, where the bodies move */
  grz_bvec w[EXACT_MOST];
} grz_exact;

/* Runs `work` on a fresh grz_exact for the obstacle, in a small arena, and again in a large one if that was full. False
 * when both were: what `work` did is worth nothing. */
bool grz_exact_run(const grz_obstacle *obstacle, void (*work)(grz_exact *x, void *context), void *context);

/* The answer after such a failure. */
void grz_exact_fail(const grz_obstacle *obstacle, grz_result *result);

/* The farthest vertex of one core along a local direction. */
grz_core_point grz_exact_support(grz_exact *x, const graze_placed *placed, grz_bvec local);

/* scale·r: both radii, margins and the clearance, exactly. */
grz_big grz_exact_radius(grz_exact *x, double clearance);

/* Fills distance, lower and upper around excess/divisor, the quotient of two numbers known to 12 roundings together. */
void grz_exact_interval(grz_scaled excess, grz_scaled divisor, grz_result *result);

/* Clears the arena down to `mark` and computes the points anew. */
void grz_exact_refresh(grz_exact *x);

/* Takes up to EXACT_MOST pairs for x's points: the nearest point of their hull. */
grz_nearest grz_exact_nearest(grz_exact *x, const grz_pair *pairs, int count);

/* The carrier of the nearest point, as doubles see it: a bit mask. */
unsigned grz_exact_guess(const grz_exact *x);

/* Keeps the points of the carrier only. */
void grz_exact_keep(grz_exact *x, const grz_nearest *nearest);

/* Witness points of the cores (world axes, without their bodies' positions), from x's points, which are the carrier of
 * the nearest point. To be made at once: later steps reuse the arena that holds the weights. */
void grz_exact_core_points(const grz_exact *x, const grz_nearest *nearest, graze_vec *core_a, graze_vec *core_b);

/* Appends the farthest point of C along the exact world direction d, and returns the sign of d·w. */
int grz_exact_extend(grz_exact *x, grz_bvec d);

/* The origin lies in the relative interior of the hull of x's points, which are affinely independent. Is it interior to
 * C? Fills relation and certificate; *direction receives the exact direction when touching. */
void grz_exact_interior(grz_exact *x, grz_result *result, grz_bvec *direction);

/* The public form of point i. */
grz_pair grz_exact_pair(const grz_exact *x, int i);

#endif
