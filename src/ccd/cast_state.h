/* What the parts of a cast share. */
#ifndef GRAZE_CCD_CAST_STATE_H
#define GRAZE_CCD_CAST_STATE_H

#include "ccd/cast_facets.h"
#include "shape/motion.h"

enum { CAST_HALVINGS = 60 };

typedef struct cast {
  const graze_placed *at_a, *at_b; /* as the caller placed them */
  graze_vec velocity_a, velocity_b;
  bool copied;
  graze_placed a, b; /* the same, moving; most casts do not need them */
  graze_options options;
  bool plane, ray;
  bool nearest;       /* where they do not meet, how near they come is wanted */
  grz_facet_planes *planes; /* NULL, or the planes of facets instead of those that a search finds */
  double asked;       /* t_max as the caller gave it */
  double t_max, end;  /* of the motion, and of what is looked at: later they can only part */
  double scale;       /* so long they take at least for what lies between them and their own sizes */
  bool part_at_once;  /* they never approach */
  graze_vec speed;    /* of A as B sees it, rounded */
  double fast;        /* >= |speed|, and its roundings are within 4u of it */
  double free;        /* surely no contact in [0, free] … */
  grz_direction by; /* … because of this direction, which separates at both ends … */
  bool shown;         /* … and, where they surely do not meet at all, at the end of the motion */
  double doubt;       /* the time that rounding is worth near `free` */
  double blurred;     /* the obstacle's nearest point gives a good direction when it is farther than this */
  grz_ray_cast approach;
  bool hasty;          /* … which gave up where the line of centres does not separate them at first */
  graze_status status; /* not GRAZE_OK: there is no answer */
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

/* No contact: fills the impact by the distance of the obstacle swept over the whole way, which is as near as they ever
 * come. */
void grz_cast_clear(cast *c);

#endif
