/* Casts of two convex bodies that move and rotate. */
#ifndef GRAZE_CCD_SWEEP_H
#define GRAZE_CCD_SWEEP_H

#include "narrow/result.h"
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

#endif
