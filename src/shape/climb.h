/* Support points of hulls that know their edges, by climbing from vertex to vertex: proposals. On a flat place rounding
 * may end the climb too low, so whoever claims something looks at all vertices. */
#ifndef GRAZE_SHAPE_CLIMB_H
#define GRAZE_SHAPE_CLIMB_H

#include "shape/support.h"

/* With fewer vertices, looking at all of them is as fast. */
enum { GRZ_CLIMB_LEAST = 64 };

static inline bool grz_climbs(const graze_shape *shape) {
  return shape->kind == GRAZE_HULL && shape->adjacency.start && shape->vertex_count >= GRZ_CLIMB_LEAST;
}

/* A vertex, reached from vertex `from`, none of whose neighbours scores higher along the local direction d. */
grz_core_point grz_climb(const graze_shape *hull, graze_vec d, int32_t from);

#endif
