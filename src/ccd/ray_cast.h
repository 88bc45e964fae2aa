/* GJK against an obstacle that moves: every direction that separates tells until when at least, and time moves on. */
#ifndef GRAZE_CCD_RAY_CAST_H
#define GRAZE_CCD_RAY_CAST_H

#include "narrow/simplex.h"

typedef enum grz_ray_cast_end {
  GRZ_RAY_CAST_UNKNOWN = 0, /* nothing is known beyond `free` */
  GRZ_RAY_CAST_MISS,        /* they surely do not meet until the end */
  GRZ_RAY_CAST_HIT          /* they surely meet in [free, late] */
} grz_ray_cast_end;

/* Times count from the moment for which the obstacle was made. Lengths and the speed are in its unit. */
typedef struct grz_ray_cast {
  graze_vec speed; /* of A as B sees it, rounded */
  double fast;     /* >= |speed| */
  double end;
  /* What comes out: */
  double free;         /* surely no contact in [0, free]; 0: perhaps at once … */
  graze_vec direction; /* … since this separates at both ends; NEVER: at the end too, where `shown` … */
  bool known, shown;   /* … and where any direction is known */
  double doubt;        /* the time that rounding is worth near `free`; 0 where not known */
  double late;
  grz_simplex simplex; /* at time `free`, as far as doubles tell nearest the origin */
  int iterations;
} grz_ray_cast;

/* The obstacle's errors must be those of the whole way: made for moving bodies, its offset for the beginning. The first
 * direction is `start`; who is not patient gives up where that does not separate them at first. */
grz_ray_cast_end grz_ray_cast_run(grz_ray_cast *approach, const grz_obstacle *obstacle, graze_vec start, bool patient);

/* The same in single steps, for those who find directions by other means: nothing is known yet, … */
void grz_ray_cast_start(grz_ray_cast *approach);

/* … time moves on as far as the direction d tells, which is about unit; NEVER, or UNKNOWN, … */
grz_ray_cast_end grz_ray_cast_by(grz_ray_cast *approach, const grz_obstacle *obstacle, graze_vec d);

/* … the same where the gap of the cores along d at time 0 is known, within support_error, and `free` is 0, … */
grz_ray_cast_end grz_ray_cast_across(grz_ray_cast *approach, const grz_obstacle *obstacle, graze_vec d, double gap);

/* … and do they surely meet soon? The simplex, here where it is at time 0, has dim points: MEETS, or UNKNOWN. Of cores
 * that are not rounded. */
grz_ray_cast_end grz_ray_cast_soon(grz_ray_cast *approach, const grz_obstacle *obstacle);

#endif
