/* Linear casts of two convex bodies: the interface, the functions that fill a grz_cast_result for all kinds of motion,
 * and the state shared by cast.c and cast_clear.c. */
#ifndef GRAZE_CCD_CAST_H
#define GRAZE_CCD_CAST_H

#include "ccd/facets.h"
#include "narrow/result.h"
#include "shape/motion.h"
#include "shape/placed.h"

/* Computes graze_cast() of convex shapes without rotation. If `ray` is true, B is a point that moves along a ray,
 * and touching at the start is a hit. If `planes` is not NULL, it replaces the GJK ray cast (LCCD). */
graze_status grz_cast_pair(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                           double t_max, bool ray, const graze_cast_options *options, grz_facet_planes *planes,
                           grz_cast_result *result);

/* The options of the static queries within a cast. */
graze_options grz_still_options(const graze_cast_options *options);

/* ---- Results */

/* Initializes a result in which nothing is known. */
static inline void cast_result_clear(grz_cast_result *result, graze_algorithm algorithm, bool conditional) {
  const double nan = __builtin_nan("");
  const graze_vec none = {nan, nan, nan};
  grz_proof *proof = &result->proof;
  result->cast.outcome = GRAZE_POSSIBLE;
  result->cast.start_relation = GRAZE_SEPARATED;
  result->cast.algorithm = algorithm;
  result->cast.stopped = GRAZE_STOP_NONE;
  result->cast.iterations = 0;
  result->cast.exact = false;
  result->cast.conditional = conditional;
  result->cast.part_a = result->cast.part_b = 0;
  proof->kind = GRAZE_CERTIFICATE_NONE;
  proof->direction.form = GRAZE_DIRECTION_NONE;
  proof->direction.count = proof->pair_count = 0;
  proof->vertex = -1;
  proof->depth_proof = GRAZE_DEPTH_BY_PAIRS;
  proof->surface = NULL;
  result->cast.t = result->cast.t_lower = result->cast.t_upper = nan;
  result->cast.min_lower = result->cast.min_upper = result->cast.t_min = nan;
  result->cast.point = result->cast.normal = none;
  result->steps = NULL;
  result->step_count = 0;
}

static inline void cast_result_times(grz_cast_result *result, graze_cast_outcome outcome, double from, double to) {
  result->cast.outcome = outcome;
  result->cast.t = result->cast.t_lower = from;
  result->cast.t_upper = to;
}

/* Sets `stopped` if the bracket of a hit is wider than promised. */
static inline void cast_result_check_width(grz_cast_result *result, double promised) {
  if (result->cast.t_upper - result->cast.t_lower > promised) result->cast.stopped = GRAZE_STOP_PRECISION;
}

/* Reports no contact; point and normal are undefined. */
static inline void cast_result_miss(grz_cast_result *result) {
  const double nan = __builtin_nan("");
  result->cast.outcome = GRAZE_CLEAR;
  result->cast.point = result->cast.normal = vec_make(nan, nan, nan);
}

/* Copies the result of the query at the start, if the bodies are not certainly separated there. Overlapping bodies
 * hit at time 0. */
static inline void cast_result_start(const graze_placed *a, const graze_placed *b, const grz_result *start,
                                     grz_cast_result *result) {
  result->cast.start_relation = start->answer.relation;
  result->cast.stopped = start->answer.stopped;
  result->cast.exact = start->answer.exact;
  result->cast.part_a = start->answer.part_a, result->cast.part_b = start->answer.part_b;
  result->cast.normal = start->answer.normal;
  result->cast.point = vec_scale(vec_add(start->answer.point_a, start->answer.point_b), 0.5);
  result->cast.position_a = placed_reference_point(a), result->cast.position_b = placed_reference_point(b);
  result->proof = start->proof;
  if (start->answer.relation == GRAZE_OVERLAPPING) cast_result_times(result, GRAZE_HIT, 0, 0);
}

/* ---- The state of a linear cast */

enum { CAST_HALVINGS = 60 };

typedef struct grz_linear_cast {
  const graze_placed *at_a, *at_b; /* as given by the caller */
  graze_vec velocity_a, velocity_b;
  bool copied;
  graze_placed a, b; /* copies with velocities; most casts do not need them */
  graze_options options;
  bool plane, ray;
  bool nearest;             /* true: the minimum distance is required if there is no contact */
  grz_facet_planes *planes; /* NULL, or the facet planes that replace the GJK ray cast */
  double t_requested;       /* t_max of the caller */
  double t_max, end;        /* of the motion, and of the time that matters: later the bodies only move apart */
  double scale;             /* a lower bound of the time needed to cross their separation and sizes */
  bool part_at_once;        /* true: they never approach */
  graze_vec speed;          /* of A relative to B, rounded */
  double fast;              /* >= |speed|, with rounding errors within 4u of it */
  double free;              /* certainly no contact in [0, free] */
  grz_direction by;         /* the direction that separates at both ends of [0, free] */
  bool shown;               /* true: `by` also separates at the end of the motion, if there is no contact */
  double doubt;             /* the uncertainty of `free` caused by rounding */
  double blurred; /* the nearest point of the CSO gives a reliable direction if it is farther away than this */
  grz_ray_cast gjk;
  bool hasty;          /* the ray cast stopped because the line of centres does not separate the bodies at the start */
  graze_status status; /* if not GRAZE_OK, there is no result */
  grz_cast_result *result;
} grz_linear_cast;

static inline void cast_between(grz_linear_cast *c, double from, double to) {
  if (!c->copied) {
    c->a = *c->at_a, c->b = *c->at_b;
    c->a.hidden.velocity = c->velocity_a, c->b.hidden.velocity = c->velocity_b;
    c->copied = true;
  }
  moving_between(&c->a, &c->b, from, to);
}

static inline grz_direction cast_vector(graze_vec d) {
  return (grz_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = d};
}

static inline void cast_positions(const grz_linear_cast *c, double t) {
  t = motion_last_time(t);
  c->result->cast.position_a = moving_position(c->at_a, c->velocity_a, t);
  c->result->cast.position_b = moving_position(c->at_b, c->velocity_b, t);
}

/* Fills the result of a cast without contact. The minimum distance is the distance of the CSO, swept over the whole
 * motion, from the origin. */
void grz_cast_clear(grz_linear_cast *c);

#endif
