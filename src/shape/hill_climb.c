/* Hill climbing on the edges of a convex hull. */
#include "shape/support.h"

/* Where a coordinate of [-1, 1] falls among `rank` equal parts; the first for what is no number. */
static size_t climb_part(double x, int32_t rank) {
  double at = (x + 1) * 0.5 * rank;
  if (!(at > 0)) return 0;
  return at < rank ? (size_t)at : (size_t)rank - 1;
}

size_t grz_climb_cell(graze_vec d, int32_t rank, int dim) {
  double x = real_abs(d.x), y = real_abs(d.y), z = real_abs(d.z), most = d.x, u = d.y, v = d.z;
  size_t axis = 0;
  if (y > x && y >= z)
    axis = 1, most = d.y, u = d.z, v = d.x;
  else if (z > x)
    axis = 2, most = d.z, u = d.x, v = d.y;
  if (dim == 2) u = axis == 0 ? d.y : d.x;
  double by = 1 / real_abs(most);
  size_t side = 2 * axis + (most < 0), i = climb_part(u * by, rank);
  if (dim == 2) return side * (size_t)rank + i;
  return (side * (size_t)rank + i) * (size_t)rank + climb_part(v * by, rank);
}

graze_vec grz_climb_direction(size_t cell, int32_t rank, int dim) {
  size_t parts = (size_t)rank, j = dim == 2 ? 0 : cell % parts, i = dim == 2 ? cell % parts : cell / parts % parts;
  size_t side = dim == 2 ? cell / parts : cell / parts / parts;
  double most = side & 1 ? -1 : 1, u = (2 * (double)i + 1) / rank - 1, v = (2 * (double)j + 1) / rank - 1;
  if (dim == 2) return side < 2 ? vec_make(most, u, 0) : vec_make(u, most, 0);
  return side < 2 ? vec_make(most, u, v) : side < 4 ? vec_make(v, most, u) : vec_make(u, v, most);
}

int32_t grz_climb_from(const graze_vec *v, const graze_adjacency *adjacency, graze_vec d, int32_t from, size_t *looks) {
  const int32_t *start = adjacency->start, *neighbor = adjacency->neighbor;
  int32_t at = from, last;
  double most = vec_dot(v[at], d);
  do {
    last = at;
    *looks += (size_t)(start[last + 1] - start[last]);
    for (int32_t i = start[last]; i < start[last + 1]; i++) {
      double score = vec_dot(v[neighbor[i]], d);
      bool higher = score > most; /* no branch: it could not be predicted */
      most = higher ? score : most;
      at = higher ? neighbor[i] : at;
    }
  } while (at != last);
  return at;
}

grz_core_point grz_hill_climb(const graze_shape *hull, graze_vec d) {
  const graze_adjacency *adjacency = &hull->as.hull.adjacency;
  int32_t from = adjacency->seed[grz_climb_cell(d, adjacency->seed_rank, hull->dim)];
  size_t looks = 0;
  int32_t at = grz_climb_from(hull->as.hull.vertices, adjacency, d, from, &looks);
  grz_core_point point = {hull->as.hull.vertices[at], at};
  return point;
}
