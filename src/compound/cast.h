/* Questions about motion, of convex shapes and of compounds. */
#ifndef GRAZE_COMPOUND_CAST_H
#define GRAZE_COMPOUND_CAST_H

#include "narrow/result.h"

/* Does what is said hold on the word of a user support function? */
bool grz_is_conditional(const graze_placed *placed);

/* Earlier, or, where both are clear, nearer. */
static inline bool grz_motion_is_better(const grz_cast_result *r, const grz_cast_result *best) {
  bool meets = r->cast.outcome != GRAZE_CLEAR, met = best->cast.outcome != GRAZE_CLEAR;
  if (meets != met) return meets;
  if (!meets) return r->cast.min_lower < best->cast.min_lower;
  if (r->cast.t_lower != best->cast.t_lower) return r->cast.t_lower < best->cast.t_lower;
  return r->cast.outcome == GRAZE_HIT && best->cast.outcome != GRAZE_HIT;
}

/* A pair that may meet, and another that surely does: by then there is a contact. */
static inline void grz_motion_join(grz_cast_result *r, grz_cast_result *best) {
  if (r->cast.outcome == GRAZE_POSSIBLE && best->cast.outcome == GRAZE_HIT) r->cast.t_upper = real_min(r->cast.t_upper, best->cast.t_upper);
  if (r->cast.outcome == GRAZE_HIT && best->cast.outcome == GRAZE_POSSIBLE) best->cast.t_upper = real_min(r->cast.t_upper, best->cast.t_upper);
}

/* Far more time than anything can matter in is cut off, so that boxes stay finite. */
double grz_motion_horizon(const graze_placed *a, const graze_placed *b, graze_vec speed, double clearance,
                          double t_max);

/* By supporting planes: graze_cast(), or where `ray` a ray that B's point runs along. */
graze_status grz_cast_ask(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                          double t_max, bool ray, const graze_cast_options *options, grz_cast_result *result);

/* graze_raycast() from a point that is placed already. */
graze_status grz_raycast(const graze_placed *placed, const graze_placed *point, graze_vec direction, double t_max,
                         const graze_cast_options *options, grz_cast_result *result);

/* Two bodies of which one is a compound, by intervals of time. The input was judged. */
graze_status grz_sweep_whole(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                             const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                             grz_cast_result *result);

/* graze_cast() with valid arguments. */
graze_status grz_cast(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                      const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                      grz_cast_result *result);

/* What is wrong with options and time of a cast. */
graze_error grz_cast_options_error(const graze_cast_options *options, double t_max);

#endif
