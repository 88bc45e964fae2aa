/* Casts of two convex bodies that move and rotate: the interface, and the state shared by sweep.c and sweep_state.c.
 * Theory: docs/theory/sweep.md. */
#ifndef GRAZE_CCD_SWEEP_H
#define GRAZE_CCD_SWEEP_H

#include "narrow/query.h"
#include "narrow/result.h"
#include "shape/motion.h"
#include <graze/graze.h>

/* The remaining work of a sweep, shared by all pairs of parts. The cost is counted, not measured in time, so it is
 * equal on all machines. graze/motion.h lists what counts. */
typedef struct grz_sweep_budget {
  int steps;    /* steps of time */
  int64_t cost; /* <= 0: exhausted */
} grz_sweep_budget;

/* A cast of two bodies that move and rotate. */
typedef struct grz_cast_query {
  const graze_placed *a, *b;
  const graze_motion *motion_a, *motion_b;
  double from;              /* certainly free until this time; 0: unknown */
  double to;                /* the search ends here */
  double last;              /* the latest time of an overlap that proves an earlier contact */
  grz_sweep_budget *budget; /* starts with GRZ_SWEEP_STEPS and GRZ_SWEEP_COST; each query uses one step at least */
} grz_cast_query;

enum { GRZ_SWEEP_STEPS = 1 << 16, GRZ_SWEEP_COST = 1 << 22 };

/* Computes graze_cast() by the methods AUTO, SWEEP (intervals of time) and CA (conservative advancement). The input
 * is valid. */
graze_status grz_sweep_pair(const grz_cast_query *query, const graze_cast_options *options, grz_cast_result *result);

/* ---- The state of a sweep: two bodies in time, and lower bounds of their gap */

typedef struct grz_sweep {
  grz_moving_body a, b;
  graze_placed at_a, at_b; /* at the last evaluated time; core points are within `error` of the exact positions */
  double error;
  double noise; /* the rounding error of a gap there, including `error` */
  double size;  /* a bound of the distance of core points from each other, and from the position of the rotating body */
  graze_options options; /* of the static queries */
  graze_cache cache;
  bool plane;
  double end, last; /* of the query, at most the time after which the bodies only move apart */
  graze_vec speed;  /* of A relative to B, rounded */
  double fast;      /* at least the length of `speed` */
  double fastest;   /* the maximum closing speed of any two points */
  double free;      /* certainly no contact until then */
  grz_result seen;  /* at the last evaluated time */
  graze_vec by;     /* a unit direction that separates there */
  double gap;       /* a lower bound of the gap along `by`; <= 0: unknown */
  double doubt;     /* `noise` of that evaluation */
  int evaluations;
  grz_sweep_budget *budget;
  int64_t cost[2]; /* of an iteration in doubles, and of one in exact arithmetic */
  grz_cast_result *result;
} grz_sweep;

void grz_sweep_make(grz_sweep *sweep, const grz_cast_query *query, const graze_cast_options *options);

/* Counts the iterations of a query and their cost. */
void grz_sweep_charge(grz_sweep *sweep, const grz_result *inner);

/* True if the budget is not exhausted. */
static inline bool grz_sweep_can_go_on(const grz_sweep *sweep) { return sweep->budget->cost > 0; }

/* Places both bodies at time t. */
void grz_sweep_place(grz_sweep *sweep, double t);

/* A lower bound of the gap along the unit direction at the current poses, for the exact motion. It is negative if
 * the bodies overlap along it. */
double grz_sweep_gap(grz_sweep *sweep, graze_vec d);

/* Evaluates the relation at time t and the best separating direction. */
void grz_sweep_evaluate(grz_sweep *sweep, double t);

/* True if the bodies overlap at time t despite all rounding errors of their poses. */
bool grz_sweep_overlaps(grz_sweep *sweep, double t, grz_result *inner);

/* An upper bound of the closing speed along the unit direction, at any time. */
double grz_sweep_rate(const grz_sweep *sweep, graze_vec d);

/* A direction that is fixed, or that rotates with one body, as the normal of its face does. */
typedef struct grz_rotating_direction {
  const grz_moving_body *on, *other; /* NULL: fixed */
  const graze_placed *now;           /* the body `on` at its current pose */
  graze_vec world, local;            /* at the start, and in the frame of `on` */
  double error;                      /* of the rounded pose at the start */
} grz_rotating_direction;

/* The direction of the last evaluation, from the current poses on; `on` is NULL or one of the bodies. */
grz_rotating_direction grz_sweep_rotating_direction(const grz_sweep *sweep, const grz_moving_body *on);

/* The body whose face or edge is nearest, and NULL if neither rotates with the normal. */
const grz_moving_body *grz_sweep_rotating_body(const grz_sweep *sweep);

/* As grz_sweep_gap() along `direction`, at the current poses and the time t. */
double grz_sweep_gap_rotating(grz_sweep *sweep, const grz_rotating_direction *direction, double t);

/* The sagittas of both bodies: no difference of core points deviates from its chord by more in an interval of this
 * length. */
double grz_sweep_bend(const grz_sweep *sweep, const grz_rotating_direction *direction, double time);

/* True if bounding balls about the positions stay disjoint until the end. */
bool grz_sweep_balls_miss(const grz_sweep *sweep);

#endif
