/* The state of a linear cast, shared by cast.c and cast_clear.c. */
#ifndef GRAZE_CCD_CAST_STATE_H
#define GRAZE_CCD_CAST_STATE_H

#include "ccd/cast_facets.h"
#include "shape/motion.h"

enum { CAST_HALVINGS = 60 };

typedef struct cast {
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
} cast;

static inline void cast_between(cast *c, double from, double to) {
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

static inline void cast_positions(const cast *c, double t) {
  t = motion_last_time(t);
  c->result->cast.position_a = moving_position(c->at_a, c->velocity_a, t);
  c->result->cast.position_b = moving_position(c->at_b, c->velocity_b, t);
}

/* Fills the result of a cast without contact. The minimum distance is the distance of the CSO, swept over the whole
 * motion, from the origin. */
void grz_cast_clear(cast *c);

#endif
