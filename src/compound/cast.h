/* Casts of convex shapes and compounds. */
#ifndef GRAZE_COMPOUND_CAST_H
#define GRAZE_COMPOUND_CAST_H

#include "narrow/result.h"

/* True if the result depends on a user support function. */
bool grz_is_conditional(const graze_placed *placed);

/* True if r is earlier, or nearer if both are clear. */
static inline bool grz_motion_is_better(const grz_cast_result *r, const grz_cast_result *best) {
  bool meets = r->cast.outcome != GRAZE_CLEAR, met = best->cast.outcome != GRAZE_CLEAR;
  if (meets != met) return meets;
  if (!meets) return r->cast.min_lower < best->cast.min_lower;
  if (r->cast.t_lower != best->cast.t_lower) return r->cast.t_lower < best->cast.t_lower;
  return r->cast.outcome == GRAZE_HIT && best->cast.outcome != GRAZE_HIT;
}

/* A certain hit of one pair bounds t_upper of a possible contact of the other. */
static inline void grz_motion_join(grz_cast_result *r, grz_cast_result *best) {
  if (r->cast.outcome == GRAZE_POSSIBLE && best->cast.outcome == GRAZE_HIT)
    r->cast.t_upper = real_min(r->cast.t_upper, best->cast.t_upper);
  if (r->cast.outcome == GRAZE_HIT && best->cast.outcome == GRAZE_POSSIBLE)
    best->cast.t_upper = real_min(r->cast.t_upper, best->cast.t_upper);
}

/* Limits t_max to the time that matters, so that bounds stay finite. */
double grz_motion_horizon(const graze_placed *a, const graze_placed *b, graze_vec speed, double clearance,
                          double t_max);

/* Computes graze_cast() without rotation. If `ray` is true, B is a point that moves along a ray. */
graze_status grz_cast_linear(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                             double t_max, bool ray, const graze_cast_options *options, grz_cast_result *result);

/* Computes graze_raycast() from a placed point. */
graze_status grz_raycast(const graze_placed *placed, const graze_placed *point, graze_vec direction, double t_max,
                         const graze_cast_options *options, grz_cast_result *result);

/* Computes a cast with rotation if one body is a compound. The input is valid. */
graze_status grz_sweep_compound(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                                grz_cast_result *result);

/* Computes graze_cast() with valid arguments. */
graze_status grz_cast(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                      const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                      grz_cast_result *result);

/* Validates the options and the time of a cast. */
graze_error grz_cast_options_error(const graze_cast_options *options, double t_max);

#endif
