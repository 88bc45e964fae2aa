/* A ray against one face of a mesh in 3D, in doubles with error bounds. */
#ifndef GRAZE_COMPOUND_RAY_FACE_H
#define GRAZE_COMPOUND_RAY_FACE_H

#include "ccd/ccd.h"
#include "compound/compound.h"

/* A ray in the frame of a mesh. Coordinates are relative to its origin. */
typedef struct grz_mesh_ray {
  const graze_placed *placed; /* of the mesh; NULL: no mesh in 3D, or with a margin */
  graze_vec origin, direction;
  double size, length; /* upper bounds of the distance of a vertex from the origin, and of |direction| */
} grz_mesh_ray;

/* `query`: the origin of the ray as the query shape of `placed`. */
void grz_mesh_ray_make(grz_mesh_ray *ray, const graze_placed *placed, const grz_query_shape *query, graze_vec direction,
                       double clearance);

/* The time at which the ray enters a face is in [lower, upper]. */
typedef struct grz_ray_face {
  double lower, upper;
  graze_vec normal; /* of the face, to the side of the origin; in the frame of the mesh, not of unit length */
} grz_ray_face;

/* Returns MISS if the ray certainly misses the face until `end`; HIT if it certainly passes its interior, after the
 * start, in a narrow interval of time before `end`. */
grz_ray_cast_end grz_ray_meets_face(const grz_mesh_ray *ray, uint32_t face, double end, grz_ray_face *hit);

/* The result of that hit, for the ray as a moving point. */
void grz_ray_face_result(const grz_mesh_ray *ray, const graze_placed *point, graze_vec direction, uint32_t face,
                         const grz_ray_face *hit, grz_cast_result *result);

#endif
