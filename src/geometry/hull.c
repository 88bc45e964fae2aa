/* Convex hulls of affine dimension 0 to 2 (solids: hull_solid.c), and the areas and volumes of all hulls. Polygons:
 * Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions" (monotone chain).
 * Proofs: docs/theory/hull.md. */
#include "core/sort.h"
#include "core/status.h"
#include "geometry/hull_arrays.h"
#include "geometry/measure.h"

#include <string.h>

/* ---- Affine dimension. Rounded distances select points far from each other, which makes later steps fast. Exact
 * predicates decide whether the points are independent. */

/* Is point i outside the affine hull of the first `dim` + 1 points of the span? */
static bool hull_is_independent(const graze_vec *points, const grz_span *span, size_t i) {
  const graze_vec a = points[span->point[0]], b = points[span->point[1]];
  if (span->dim == 1) return !grz_are_collinear(a, b, points[i]);
  return grz_orient3(a, b, points[span->point[2]], points[i]) != 0;
}

static grz_span hull_span(const graze_vec *points, size_t count, int dim) {
  grz_span span = {0, {0, 0, 0, 0}};

  /* The first and the last point in lexicographic order. */
  for (size_t i = 1; i < count; i++) {
    if (vec_before(points[i], points[span.point[0]])) span.point[0] = i;
    if (vec_before(points[span.point[1]], points[i])) span.point[1] = i;
  }
  if (!vec_before(points[span.point[0]], points[span.point[1]])) return span;

  /* Add the farthest point from the line, then from the plane. If it is not independent, try all points. */
  const graze_vec origin = points[span.point[0]];
  for (span.dim = 1; span.dim < dim; span.dim++) {
    graze_vec normal = vec_sub(points[span.point[1]], origin);
    if (span.dim == 2) normal = vec_cross(normal, vec_sub(points[span.point[2]], origin));
    size_t best = 0;
    double farthest = -1;
    for (size_t i = 0; i < count; i++) {
      const graze_vec w = vec_sub(points[i], origin);
      const double distance = span.dim == 1 ? vec_norm_inf(vec_cross(normal, w)) : real_abs(vec_dot(normal, w));
      if (distance > farthest) farthest = distance, best = i;
    }
    for (size_t i = 0; i < count && !hull_is_independent(points, &span, best); i++) best = i;
    if (!hull_is_independent(points, &span, best)) return span;
    span.point[span.dim + 1] = best;
  }
  return span;
}

/* ---- One point or a segment. */

static graze_status hull_segment(const graze_vec *points, const grz_span *span, graze_hull *hull) {
  grz_hull_arrays arrays;
  const size_t count = span->dim == 0 ? 1 : 2, first = span->dim == 1 && span->point[1] < span->point[0];
  const graze_status status = grz_hull_allocate(hull, &arrays, count, 0, 0, count - 1);
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

/* ---- Polygons. */

/* The projection of a point on two coordinate axes. */
static grz_key flat_key(const graze_vec *points, size_t index, const int axes[2]) {
  const graze_vec p = points[index];
  const double coordinate[3] = {p.x, p.y, p.z};
  return (grz_key){coordinate[axes[0]], coordinate[axes[1]], (uint32_t)index};
}

static int flat_orient(grz_key a, grz_key b, grz_key c) {
  return grz_orient2(vec_make(a.first, a.second, 0), vec_make(b.first, b.second, 0), vec_make(c.first, c.second, 0));
}

static graze_status flat_write(const graze_vec *points, const grz_key *chain, size_t count, graze_hull *hull) {
  grz_hull_arrays arrays;
  const size_t faces = hull->dim == 3 ? 2 : 0;
  const graze_status status = grz_hull_allocate(hull, &arrays, count, faces, faces * count, count);
  if (status != GRAZE_OK) return status;
  for (size_t i = 0; i < count; i++) {
    arrays.indices[i] = (size_t)chain[i].index;
    arrays.vertices[i] = points[chain[i].index];
    arrays.start[i] = (int32_t)(2 * i);
    arrays.neighbor[2 * i] = (int32_t)(i > 0 ? i - 1 : count - 1);
    arrays.neighbor[2 * i + 1] = (int32_t)(i + 1 < count ? i + 1 : 0);
  }
  arrays.start[count] = (int32_t)(2 * count);
  arrays.face_start[0] = 0;
  for (size_t f = 1; f <= faces; f++) arrays.face_start[f] = (int32_t)(f * count);
  for (size_t i = 0; faces > 0 && i < count; i++) {
    arrays.face_vertices[i] = (int32_t)i;
    arrays.face_vertices[count + i] = (int32_t)(count - 1 - i);
  }
  grz_hull_fill_seeds(hull, &arrays);
  return GRAZE_OK;
}

static graze_status hull_polygon(const graze_vec *points, size_t count, const grz_span *span, graze_hull *hull) {
  /* Select two axes for which the projection of the plane is one-to-one. It keeps lines and the order on them. */
  static const int choices[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  int choice = 0;
  while (choice < 2 && flat_orient(flat_key(points, span->point[0], choices[choice]),
                                   flat_key(points, span->point[1], choices[choice]),
                                   flat_key(points, span->point[2], choices[choice])) == 0)
    choice++;

  /* Sort by the two coordinates, and keep only the first of equal points. */
  grz_key *sorted = grz_allocate(&hull->allocator, 2 * count + 1, sizeof *sorted);
  if (!sorted) return GRAZE_OUT_OF_MEMORY;
  grz_key *chain = sorted + count;
  size_t distinct = 0, used = 0, fixed = 1;
  for (size_t i = 0; i < count; i++) sorted[i] = flat_key(points, i, choices[choice]);
  grz_sort(sorted, count, chain);
  for (size_t i = 0; i < count; i++) {
    const grz_key key = sorted[i];
    if (distinct > 0 && key.first == sorted[distinct - 1].first && key.second == sorted[distinct - 1].second) continue;
    sorted[distinct++] = key;
  }

  /* Monotone chain: the lower chain from the first point to the last, then the upper chain back to the first. A corner
   * that does not turn left is removed; the first `fixed` corners stay. */
  for (size_t i = 0; i < 2 * distinct - 1; i++) {
    const grz_key next = sorted[i < distinct ? i : 2 * distinct - 2 - i];
    while (used > fixed && flat_orient(chain[used - 2], chain[used - 1], next) <= 0) used--;
    chain[used++] = next;
    if (i == distinct - 1) fixed = used;
  }
  const graze_status status = flat_write(points, chain, used - 1, hull); /* the last corner repeats the first */
  grz_release(&hull->allocator, sorted);
  return status;
}

/* ---- Area and volume: exact sums of cross products and determinants. Only the areas of faces, their square roots and
 * the sum of these roots are rounded. */

/* The area of a plane polygon: half the length of its exact area vector. `corner` NULL: all vertices in order. */
static grz_scaled measure_polygon(const measure_format *format, measure_sum *sum, const int32_t *corner, size_t count) {
  const graze_vec *v = format->vertices;
  const grz_scaled half = {0.5, 0};
  measure_clear(sum);
  for (size_t i = 2; i < count; i++) {
    size_t b = corner ? (size_t)corner[i - 1] : i - 1, c = corner ? (size_t)corner[i] : i;
    measure_add_cross(format, sum, v[corner ? corner[0] : 0], v[b], v[c]);
  }
  grz_scaled square = {0, 0};
  for (int i = 0; i < 3; i++) {
    grz_scaled part = measure_round(format, sum, i, 2);
    square = scaled_add(square, scaled_mul(part, part));
  }
  return scaled_mul(scaled_sqrt(square), half);
}

static double measure_shift(double m, int64_t e) { return e < -1000 ? 0 : m * real_power_of_two((int)e); }

/* The sum of the areas of all faces by compensated summation: (sum + low)·2^e. */
static double measure_surface(const measure_format *format, measure_sum *exact, const graze_hull *hull) {
  double sum = 0, low = 0, error;
  int64_t e = 0;
  for (size_t f = 0; f < hull->face_count; f++) {
    const int32_t *corner = hull->face_vertices + hull->face_start[f];
    const size_t count = (size_t)(hull->face_start[f + 1] - hull->face_start[f]);
    const grz_scaled area = measure_polygon(format, exact, corner, count);
    if (area.m == 0) continue;
    if (sum == 0) {
      e = area.e;
    } else if (area.e > e) {
      sum = measure_shift(sum, e - area.e);
      low = measure_shift(low, e - area.e);
      e = area.e;
    }
    sum = real_two_sum(sum, measure_shift(area.m, area.e - e), &error);
    low += error;
  }
  grz_scaled total = {sum + low, e};
  for (; total.m >= 1; total.m *= 0.5) total.e++;
  return scaled_to_double(total);
}

/* Six times the volume is the sum of determinants of tetrahedra: the first vertex and a triangle of a face. */
static double measure_volume(const measure_format *format, measure_sum *sum, const graze_hull *hull) {
  const graze_vec *v = hull->vertices;
  const grz_scaled six = {0.75, 3};
  measure_clear(sum);
  for (size_t f = 0; f < hull->face_count; f++) {
    const int32_t *corner = hull->face_vertices + hull->face_start[f];
    int32_t count = hull->face_start[f + 1] - hull->face_start[f];
    for (int32_t i = 2; i < count; i++)
      measure_add_det(format, sum, v[0], v[corner[0]], v[corner[i - 1]], v[corner[i]]);
  }
  return scaled_to_double(scaled_div(measure_round(format, sum, 0, 3), six));
}

static void hull_measure(graze_hull *hull) {
  if (hull->affine_dim < 2) return;
  measure_sum sum;
  const measure_format format = measure_format_of(hull->vertices, hull->vertex_count);
  if (hull->affine_dim == 3) {
    hull->area = measure_surface(&format, &sum, hull);
    hull->volume = measure_volume(&format, &sum, hull);
  } else {
    hull->area = scaled_to_double(measure_polygon(&format, &sum, NULL, hull->vertex_count));
  }
}

/* ---- Public functions. */

graze_status graze_hull_create(const graze_vec *points, size_t count, int dim, const graze_allocator *allocator,
                               graze_hull *hull, graze_error *error) {
  graze_shape shape = graze_hull_points(points, count);
  shape.dim = dim;
  graze_status status = graze_check(&shape, NULL, error);
  if (status != GRAZE_OK) return status;
  graze_hull made = {.dim = dim, .allocator = grz_allocator(allocator)};
  const grz_span span = hull_span(points, count, dim);
  made.affine_dim = span.dim;
  if (span.dim < 2)
    status = hull_segment(points, &span, &made);
  else if (span.dim == 2)
    status = hull_polygon(points, count, &span, &made);
  else
    status = grz_hull_solid(points, count, &span, &made);
  if (status == GRAZE_OK) {
    hull_measure(&made);
    *hull = made;
  } else if (error) {
    *error = grz_error(status, "vertices", -1, (double)count);
  }
  return status;
}

void graze_hull_destroy(graze_hull *hull) {
  if (hull->memory) grz_release(&hull->allocator, hull->memory);
  memset(hull, 0, sizeof *hull);
}

graze_shape graze_hull_shape(const graze_hull *hull) {
  const bool climbed = hull->vertex_count >= GRZ_CLIMB_MIN_COUNT;
  if (hull->dim == 2 && hull->affine_dim == 2 && !climbed) return graze_polygon(hull->vertices, hull->vertex_count);
  graze_shape shape = hull->dim == 2 ? graze_hull_points2(hull->vertices, hull->vertex_count)
                                     : graze_hull_points(hull->vertices, hull->vertex_count);
  shape.as.hull.adjacency = hull->adjacency;
  return shape;
}
