/* Convex hulls: what the points span, and the hulls of one point and of a line. */
#include "geometry/hull.h"

#include "core/memory.h"
#include "exact/predicates.h"
#include "core/vec.h"
#include "shape/hill_climb.h"

#include <string.h>

graze_status grz_hull_workspace(graze_hull *hull, grz_hull_arrays *arrays, size_t vertices, size_t faces,
                                size_t corners, size_t edges) {
  size_t each = sizeof(graze_vec) + sizeof(size_t) + sizeof(int32_t);
  if (corners > INT32_MAX || edges > INT32_MAX / 2) return GRAZE_BAD_SHAPE; /* they are numbered by int32_t */
  int32_t rank = grz_climb_rank(vertices, hull->dim);
  size_t words = faces + 1 + corners + 1 + 2 * edges + grz_climb_cells(rank, hull->dim);
  char *at = grz_allocate(&hull->allocator, 1, vertices * each + words * sizeof(int32_t));
  if (!at) return GRAZE_OUT_OF_MEMORY;
  hull->memory = at;
  arrays->vertices = (graze_vec *)(void *)at, at += vertices * sizeof(graze_vec);
  arrays->indices = (size_t *)(void *)at, at += vertices * sizeof(size_t);
  arrays->start = (int32_t *)(void *)at, at += (vertices + 1) * sizeof(int32_t);
  arrays->face_start = (int32_t *)(void *)at, at += (faces + 1) * sizeof(int32_t);
  arrays->face_vertices = (int32_t *)(void *)at, at += corners * sizeof(int32_t);
  arrays->neighbor = (int32_t *)(void *)at, at += 2 * edges * sizeof(int32_t);
  arrays->seed = (int32_t *)(void *)at;
  hull->vertices = arrays->vertices, hull->vertex_count = vertices;
  hull->indices = arrays->indices;
  hull->face_start = arrays->face_start, hull->face_count = faces;
  hull->face_vertices = arrays->face_vertices;
  hull->adjacency.start = arrays->start;
  hull->adjacency.neighbor = arrays->neighbor;
  hull->adjacency.seed = rank > 0 ? arrays->seed : NULL;
  hull->adjacency.seed_rank = rank;
  return GRAZE_OK;
}

void grz_hull_seed(graze_hull *hull, const grz_hull_arrays *arrays) {
  int32_t rank = hull->adjacency.seed_rank, at = 0;
  size_t cells = grz_climb_cells(rank, hull->dim), looks = 0, most = 32 * hull->vertex_count;
  for (size_t cell = 0; cell < cells && looks <= most; cell++) {
    graze_vec d = grz_climb_direction(cell, rank, hull->dim);
    arrays->seed[cell] = at = grz_climb_from(hull->vertices, &hull->adjacency, d, at, &looks);
  }
  /* Long rims and vertices of many edges, where a climb may look at as many vertices as there are: not climbed. */
  if (looks > most) hull->adjacency.seed = NULL, hull->adjacency.seed_rank = 0;
}

/* ---- What the points span. Rounded sizes choose points that lie far apart, which is good for speed; whether points
 * are independent is decided exactly. */

static bool hull_before(graze_vec a, graze_vec b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

static bool hull_is_on_line(graze_vec a, graze_vec b, graze_vec c) {
  return grz_orient2(a, b, c) == 0 && grz_orient2(vec_make(a.y, a.z, 0), vec_make(b.y, b.z, 0), vec_make(c.y, c.z, 0)) == 0 &&
         grz_orient2(vec_make(a.z, a.x, 0), vec_make(b.z, b.x, 0), vec_make(c.z, c.x, 0)) == 0;
}

/* Is the point outside the span of the first `dim` + 1? */
static bool hull_is_new(const graze_vec *points, const grz_span *span, size_t i) {
  const graze_vec a = points[span->point[0]], b = points[span->point[1]];
  if (span->dim == 1) return !hull_is_on_line(a, b, points[i]);
  return grz_orient3(a, b, points[span->point[2]], points[i]) != 0;
}

/* How far a point lies outside the span, rounded. */
static double hull_distance(const graze_vec *points, const grz_span *span, graze_vec normal, size_t i) {
  graze_vec w = vec_sub(points[i], points[span->point[0]]);
  return span->dim == 1 ? vec_norm_inf(vec_cross(normal, w)) : real_abs(vec_dot(normal, w));
}

/* One dimension more, if there is a point outside. */
static bool hull_widen(const graze_vec *points, size_t count, grz_span *span) {
  graze_vec normal = vec_sub(points[span->point[1]], points[span->point[0]]);
  if (span->dim == 2) normal = vec_cross(normal, vec_sub(points[span->point[2]], points[span->point[0]]));
  size_t best = 0;
  double farthest = -1;
  for (size_t i = 0; i < count; i++) {
    double distance = hull_distance(points, span, normal, i);
    if (distance > farthest) farthest = distance, best = i;
  }
  for (size_t i = 0; i < count && !hull_is_new(points, span, best); i++) best = i;
  if (!hull_is_new(points, span, best)) return false;
  span->point[++span->dim] = best;
  return true;
}

static grz_span hull_span(const graze_vec *points, size_t count, int dim) {
  grz_span span = {0, {0, 0, 0, 0}};
  for (size_t i = 1; i < count; i++) {
    if (hull_before(points[i], points[span.point[0]])) span.point[0] = i;
    if (hull_before(points[span.point[1]], points[i])) span.point[1] = i;
  }
  if (!hull_before(points[span.point[0]], points[span.point[1]])) return span;
  span.dim = 1;
  while (span.dim < dim && hull_widen(points, count, &span)) continue;
  return span;
}

/* ---- Up to one dimension: the first and the last point are the hull. */

static graze_status hull_line(const graze_vec *points, const grz_span *span, graze_hull *hull) {
  grz_hull_arrays arrays;
  size_t count = span->dim == 0 ? 1 : 2, first = span->dim == 1 && span->point[1] < span->point[0];
  graze_status status = grz_hull_workspace(hull, &arrays, count, 0, 0, count - 1);
  if (status != GRAZE_OK) return status;
  for (size_t i = 0; i < count; i++) {
    arrays.indices[i] = span->point[i ^ first];
    arrays.vertices[i] = points[arrays.indices[i]];
    arrays.start[i] = (int32_t)i;
    if (count == 2) arrays.neighbor[i] = i == 0;
  }
  arrays.start[count] = count == 2 ? 2 : 0;
  arrays.face_start[0] = 0;
  return GRAZE_OK;
}

static graze_status hull_make(const graze_vec *points, size_t count, graze_hull *hull) {
  grz_span span = hull_span(points, count, hull->dim);
  hull->affine_dim = span.dim;
  if (span.dim < 2) return hull_line(points, &span, hull);
  return span.dim == 2 ? grz_hull_flat(points, count, &span, hull) : grz_hull_solid(points, count, &span, hull);
}

graze_status graze_hull_create(const graze_vec *points, size_t count, int dim, const graze_allocator *allocator,
                               graze_hull *hull, graze_error *error) {
  graze_shape shape = graze_hull_points(points, count);
  shape.dim = dim;
  graze_status status = graze_check(&shape, NULL, error);
  if (status != GRAZE_OK) return status;
  graze_hull made = {.dim = dim, .allocator = grz_allocator(allocator)};
  status = hull_make(points, count, &made);
  if (status == GRAZE_OK) {
    grz_hull_measure(&made);
    *hull = made;
  } else if (error) {
    *error = (graze_error){status, "vertices", -1, (double)count};
  }
  return status;
}

void graze_hull_destroy(graze_hull *hull) {
  if (hull->memory) grz_release(&hull->allocator, hull->memory);
  memset(hull, 0, sizeof *hull);
}

graze_shape graze_hull_shape(const graze_hull *hull) {
  graze_shape shape = hull->dim == 2 ? graze_hull_points2(hull->vertices, hull->vertex_count)
                                     : graze_hull_points(hull->vertices, hull->vertex_count);
  shape.adjacency = hull->adjacency;
  return shape;
}
