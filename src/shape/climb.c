/* Hill climbing on the edges of a convex hull. */
#include "shape/climb.h"

#include "math/vec.h"

grz_core_point grz_climb(const graze_shape *hull, graze_vec d, int32_t from) {
  const graze_vec *v = hull->vertices;
  const int32_t *start = hull->adjacency.start, *neighbor = hull->adjacency.neighbor;
  int32_t at = from, last;
  double most = vec_dot(v[at], d);
  do {
    last = at;
    for (int32_t i = start[last]; i < start[last + 1]; i++) {
      double score = vec_dot(v[neighbor[i]], d);
      if (score > most) most = score, at = neighbor[i];
    }
  } while (at != last);
  grz_core_point point = {v[at], at};
  return point;
}
