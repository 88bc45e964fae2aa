/* Penetration depth of curved shapes whose least depth is reached along a ring or in all directions.
 *
 * EPA then needs too many points for the workspace. Two reductions give the same depth: the profile curves of two
 * coaxial solids of revolution, and an ellipsoid as the sum of a smaller body and a sphere. Theory:
 * docs/theory/depth.md, "Balls" and "Rings". */
#ifndef GRAZE_NARROW_CURVED_DEPTH_H
#define GRAZE_NARROW_CURVED_DEPTH_H

#include "narrow/obstacle.h"
#include "narrow/query.h"

#include <graze/graze.h>

/* Computes the depth of two coaxial solids of revolution from their profiles in 2D, and fills what grz_penetrate()
 * fills. Returns false for other shapes, and near touching. */
bool grz_depth_by_profiles(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* Repeats a filled answer for the ellipsoids without their inner spheres, and keeps the depth of that query if its
 * interval is narrower. */
void grz_depth_without_spheres(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* ---- An ellipsoid as the sum of a smaller body and a sphere
 *
 * The largest such sphere has the least radius of curvature, min²/max of the radii (Blaschke's rolling theorem). With
 * the sphere moved into r, a least depth along a ring becomes a single point. */
typedef struct grz_summand {
  graze_placed placed; /* the same body: the remainder as a user shape, the sphere as its margin */
  graze_shape ellipsoid;
  double ball, error;
} grz_summand;

/* Splits the sphere off. `summand` must not move in memory. Returns false, with a plain copy in summand->placed, if the
 * shape is no ellipsoid or a flat one. */
bool grz_summand_make(const graze_placed *body, grz_summand *summand);

/* ---- Two solids of revolution about one axis
 *
 * The CSO is then a solid of revolution, and the origin lies on its axis. Its depth is that of the profiles in 2D,
 * where a ring of least depths is one point. */
typedef struct grz_coaxial {
  graze_placed a, b;    /* the profiles: x is the distance from the axis, y the coordinate along the axis */
  graze_vec axial, out; /* unit vectors of the world: y and x */
  double error;         /* bound of the difference of the depths, in the caller's units */
} grz_coaxial;

/* Returns false for other shapes, or if their axes differ by more than `most` (in the caller's units). */
bool grz_coaxial_make(const grz_obstacle *obstacle, double most, grz_coaxial *coaxial);

#endif
