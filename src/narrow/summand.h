/* An ellipsoid is a smaller body rounded by a ball: the largest is as large as its least radius of curvature,
 * min²/max of the radii (Blaschke's rolling theorem). Taken into r, it leaves least depths isolated that were reached
 * along a ring or in all directions. docs/theory/depth.md, "Balls". */
#ifndef GRAZE_NARROW_SUMMAND_H
#define GRAZE_NARROW_SUMMAND_H

#include <graze/graze.h>

typedef struct grz_summand {
  graze_placed placed; /* the same body: what is left as a user shape, the ball in its margin */
  graze_shape ellipsoid;
  double ball, error;
} grz_summand;

/* `summand` must stay where it is. False: not an ellipsoid, or a flat one, and summand->placed is a plain copy. */
bool grz_summand_take(const graze_placed *body, grz_summand *summand);

#endif
