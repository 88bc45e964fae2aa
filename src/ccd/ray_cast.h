/* GJK ray cast: each separating direction gives a time until which the bodies are disjoint, and time advances to it. */
#ifndef GRAZE_CCD_RAY_CAST_H
#define GRAZE_CCD_RAY_CAST_H

#include "narrow/simplex.h"

typedef enum grz_ray_cast_end {
  GRZ_RAY_CAST_UNKNOWN = 0, /* nothing is known beyond `free` */
  GRZ_RAY_CAST_MISS,        /* certainly no contact until the end */
  GRZ_RAY_CAST_HIT          /* certainly a contact in [free, late] */
} grz_ray_cast_end;

/* Times start at the moment for which the obstacle was made. Lengths and the speed are in its unit. */
typedef struct grz_ray_cast {
  graze_vec speed; /* of A relative to B, rounded */
  double fast;     /* >= |speed| */
  double end;
  /* Results: */
  double free;         /* certainly no contact in [0, free]; 0: possibly an immediate contact */
  graze_vec direction; /* separates at both ends of [0, free]; for MISS, if `shown`, also at the end */
  bool known, shown;   /* known: a direction is known */
  double doubt;        /* the uncertainty of `free` caused by rounding; 0: unknown */
  double late;
  grz_simplex simplex; /* the nearest simplex at time `free` */
  int iterations;
} grz_ray_cast;

/* Runs the ray cast with the first direction `start`. The errors of the obstacle must cover the whole motion, its
 * offset is that of time 0. If `patient` is false, the run stops if the first direction does not separate. */
grz_ray_cast_end grz_ray_cast_run(grz_ray_cast *cast, const grz_obstacle *obstacle, graze_vec start, bool patient);

/* Single steps, for other sources of directions. Initializes the result. */
void grz_ray_cast_start(grz_ray_cast *cast);

/* Advances time along the direction d of about unit length. Returns MISS or UNKNOWN. */
grz_ray_cast_end grz_ray_cast_by(grz_ray_cast *cast, const grz_obstacle *obstacle, graze_vec d);

/* As grz_ray_cast_by(), if the gap of the cores along d at time 0 is known within support_error, and `free` is 0. */
grz_ray_cast_end grz_ray_cast_across(grz_ray_cast *cast, const grz_obstacle *obstacle, graze_vec d, double gap);

/* Tests for a certain hit soon after `free`. The simplex has dim points at time 0, of cores without margins. Returns
 * HIT or UNKNOWN. */
grz_ray_cast_end grz_ray_cast_soon(grz_ray_cast *cast, const grz_obstacle *obstacle);

#endif
