/* GJK in doubles, with a lower and an upper bound. Its result is a proposal: certify.h proves it with bounds that
 * include rounding, or exact_search.h continues. */
#ifndef GRAZE_NARROW_GJK_H
#define GRAZE_NARROW_GJK_H

#include "narrow/simplex.h"

#include <graze/trace.h>

/* When the search may stop. Distances are between the cores. */
typedef struct grz_goal {
  double enough_lower; /* the cores are certainly farther apart than this */
  double enough_upper; /* the cores are certainly nearer than this */
  double width;        /* the raw bounds are this close … */
  double doubt;        /* … or, if they leave the relation open, this close */
  bool boolean;        /* as plain GJK: at the first support point that does not pass the origin */
} grz_goal;

typedef struct grz_gjk {
  grz_simplex simplex;       /* the best so far; its v is the upper bound */
  bool holds_origin;         /* up to rounding */
  double lower;              /* the largest gap(d)/|d|, rounded, without support_error: see grz_gjk_lower() */
  graze_vec lower_direction; /* its d, from A to B */
  int iterations, stalls;
  bool climbs;    /* support points are proposals of hill climbing … */
  graze_vec last; /* … the last one in this direction */
  graze_trace_stop stop;
} grz_gjk;

/* Runs from the direction `start` (not zero) or, if `warm` is not NULL and has points, from that simplex. */
void grz_gjk_run(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, graze_vec start,
                 const grz_simplex *warm, const graze_options *options);

/* Runs once more, from a direction in no plane of symmetry. If the simplex contains the origin on its boundary, as it
 * does when the first directions lie in such a plane, the next simplex may contain it inside. Iterations continue. */
void grz_gjk_run_again(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, const graze_options *options);

/* In 2D, without hill climbing, in single steps: the first step, along `start`. */
void grz_gjk_first_step2(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, graze_vec start,
                         const graze_options *options);

/* Tests the simplex that the caller has set, whose nearest point is not the origin: returns whether the search ends. */
bool grz_gjk_test_nearest2(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal);

/* Continues the loop if gjk->stop is GRAZE_TRACE_CONTINUE. */
void grz_gjk_continue(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, const graze_options *options);

/* The gap of the cores is certainly at least this, along gjk->lower_direction. */
static inline double grz_gjk_lower(const grz_gjk *gjk, const grz_obstacle *c) { return gjk->lower - c->support_error; }

#endif
