/* What the parts of a sweep share: two bodies in time, and how far they surely are apart. docs/theory/sweep.md. */
#ifndef GRAZE_CCD_SWEEP_STATE_H
#define GRAZE_CCD_SWEEP_STATE_H

#include "narrow/query.h"
#include "ccd/sweep.h"
#include "shape/motion.h"

typedef struct grz_sweep {
  grz_moving_body a, b;
  graze_placed at_a, at_b; /* at the moment last looked at; core points are at most `error` from where they truly are */
  double error;
  double noise; /* what rounding may take of a gap there, `error` included */
  double size;  /* no core point is farther from one of the other body, or from the position that one turns about */
  graze_options options; /* for looking at a moment */
  graze_cache cache;
  bool plane;
  double end, last;  /* of the course, but no later than when they only part */
  graze_vec speed;   /* of A's position as B sees it, rounded … */
  double fast;       /* … at least its length … */
  double fastest;    /* … and how fast any two points approach each other, at most */
  double free;       /* surely no contact until then */
  grz_result seen; /* at the moment of the last look */
  graze_vec by;      /* a unit direction that separates there … */
  double gap;        /* … surely by this much; not positive: nothing is known */
  double doubt;      /* the noise of that look */
  int looks;
  grz_sweep_budget *budget;
  int64_t cost[2]; /* of an iteration in doubles, and of one in exact arithmetic */
  grz_cast_result *result;
} grz_sweep;

void grz_sweep_make(grz_sweep *sweep, const grz_cast_query *course, const graze_cast_options *options);

/* Counts the iterations of a query, and what they cost. */
void grz_sweep_charge(grz_sweep *sweep, const grz_result *inner);

/* Is there work left? */
static inline bool grz_sweep_can_go_on(const grz_sweep *sweep) { return sweep->budget->cost > 0; }

/* Both bodies at time t. */
void grz_sweep_place(grz_sweep *sweep, double t);

/* How far they surely are apart along the unit direction where they are placed: true of the turned bodies themselves,
 * with all rounding; negative where they are not. */
double grz_sweep_gap(grz_sweep *sweep, graze_vec d);

/* The relation at time t, and the direction that separates best. */
void grz_sweep_evaluate(grz_sweep *sweep, double t);

/* Do they surely overlap at time t, whatever rounding did to their poses? */
bool grz_sweep_overlaps(grz_sweep *sweep, double t, grz_result *inner);

/* At most how fast a gap along the unit direction closes, at any time. */
double grz_sweep_rate(const grz_sweep *sweep, graze_vec d);

/* A direction that stays as it is, or rides on one of the bodies and turns with it: then the normal of its face stays
 * one. */
typedef struct grz_rotating_direction {
  const grz_moving_body *on, *other; /* NULL: it stays */
  const graze_placed *now;       /* the body that it rides on, where it was placed last */
  graze_vec world, local;        /* at first, and in that body's frame */
  double error;                  /* of the rounded pose at first */
} grz_rotating_direction;

/* The direction found by the last look, from the moment on where the bodies are placed; `on` is NULL or one of them. */
grz_rotating_direction grz_sweep_rotating_direction(const grz_sweep *sweep, const grz_moving_body *on);

/* The body whose face or edge is the nearest, to ride on; NULL: neither. */
const grz_moving_body *grz_sweep_rotating_body(const grz_sweep *sweep);

/* As grz_sweep_gap() along it, where they are placed now, at time t. */
double grz_sweep_gap_along(grz_sweep *sweep, const grz_rotating_direction *ride, double t);

/* No difference of core points leaves its chord by more than this along it, in an interval of this length: the sagittas
 * of both bodies. */
double grz_sweep_bend(const grz_sweep *sweep, const grz_rotating_direction *ride, double time);

/* Balls about the positions that hold the bodies do not meet until the end. */
bool grz_sweep_balls_miss(const grz_sweep *sweep);

#endif
