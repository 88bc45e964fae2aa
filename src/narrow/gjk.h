/* GJK in doubles: a proposal, with both bounds kept. What it proposes is believed only with a certificate, made by
 * certify.h from bounds that hold with rounding, or by exact.h. */
#ifndef GRAZE_NARROW_GJK_H
#define GRAZE_NARROW_GJK_H

#include "narrow/simplex.h"

#include <graze/trace.h>

/* When to stop early. Distances are between the cores. */
typedef struct grz_goal {
  double enough_lower; /* stop once the cores are surely farther apart than this */
  double enough_upper; /* stop once they are surely nearer than this */
  double width;        /* stop once the raw bounds are this close … */
  double doubt;        /* … or, where they leave open whether the bodies meet, this close */
  bool boolean;        /* stop at the first direction along which C does not pass the origin, as plain GJK does */
} grz_goal;

typedef struct grz_gjk {
  grz_simplex simplex;       /* the best so far; its v is the upper bound */
  bool holds_origin;         /* as far as doubles can tell */
  double lower;              /* largest gap(d)/|d| so far, rounded, without support_error: see grz_gjk_lower() */
  graze_vec lower_direction; /* its d, from A to B */
  int iterations, stalls;
  bool climbs;    /* support points are proposals, found on the edges of a hull … */
  graze_vec last; /* … for the last time along this direction */
  graze_trace_stop stop;
} grz_gjk;

/* Runs from `start` (a direction, not zero) or, when `warm` is not NULL and holds points, from that simplex. */
void grz_gjk_run(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, graze_vec start,
                 const grz_simplex *warm, const graze_options *options);

/* In 2D, of cores that are not climbed, in single steps: the first look, along `start`, … */
void grz_gjk_begin2(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, graze_vec start,
                    const graze_options *options);

/* … a look along the simplex's nearest point, which is not the origin, whoever put it there: is that the end? … */
bool grz_gjk_look2(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal);

/* … and all that is left to do, where gjk->stop is GRAZE_TRACE_CONTINUE. */
void grz_gjk_go_on(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, const graze_options *options);

/* Runs once more, from a direction in no plane of symmetry: where the simplex holds the origin on its border, as it
 * does when the first directions lie in such a plane, the next one may hold it inside. Iterations count on. */
void grz_gjk_again(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, const graze_options *options);

/* The gap of the cores is surely at least this, along gjk->lower_direction. */
static inline double grz_gjk_lower(const grz_gjk *gjk, const grz_obstacle *c) { return gjk->lower - c->support_error; }

#endif
