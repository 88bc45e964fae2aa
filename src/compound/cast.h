/* Questions about motion, of convex shapes and of compounds. */
#ifndef GRAZE_COMPOUND_CAST_H
#define GRAZE_COMPOUND_CAST_H

#include "core/vec.h"

/* What no motion takes: results would be those of whichever search came last. */
static inline bool grz_motion_fits(const graze_options *o) {
  return o == NULL || !(o->cache || o->trace || o->surface || o->parts);
}

/* Does what is said hold on the word of a user support function? */
bool grz_is_conditional(const graze_placed *placed);

/* Earlier, or, where both are clear, nearer. */
static inline bool grz_motion_is_better(const graze_cast_result *r, const graze_cast_result *best) {
  bool meets = r->result != GRAZE_CLEAR, met = best->result != GRAZE_CLEAR;
  if (meets != met) return meets;
  if (!meets) return r->min_lower < best->min_lower;
  if (r->t_lower != best->t_lower) return r->t_lower < best->t_lower;
  return r->result == GRAZE_HIT && best->result != GRAZE_HIT;
}

/* A pair that may meet, and another that surely does: by then there is a contact. */
static inline void grz_motion_join(graze_cast_result *r, graze_cast_result *best) {
  if (r->result == GRAZE_POSSIBLE && best->result == GRAZE_HIT) r->t_upper = real_min(r->t_upper, best->t_upper);
  if (r->result == GRAZE_HIT && best->result == GRAZE_POSSIBLE) best->t_upper = real_min(r->t_upper, best->t_upper);
}

/* Far more time than anything can matter in is cut off, so that boxes stay finite. */
double grz_motion_horizon(const graze_placed *a, const graze_placed *b, graze_vec speed, double clearance,
                          double t_max);

/* By supporting planes: graze_cast(), or where `ray` a ray that B's point runs along. */
graze_status grz_cast_ask(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                          double t_max, bool ray, const graze_options *options, graze_cast_result *impact);

/* graze_raycast() from a point that is placed already. */
graze_status grz_raycast(const graze_placed *placed, const graze_placed *point, graze_vec direction, double t_max,
                         const graze_options *options, graze_cast_result *impact);

/* Two bodies of which one is a compound, by intervals of time. The input was judged. */
graze_status grz_sweep_whole(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                             const graze_motion *motion_b, double t_max, const graze_options *options,
                             graze_cast_result *impact);

/* By looking at some moments. The input was judged. */
graze_status grz_sample(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                        const graze_motion *motion_b, double t_max, const graze_options *options,
                        graze_cast_result *impact);

#endif
