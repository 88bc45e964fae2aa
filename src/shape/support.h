/* Support functions of cores in the local frame, and hill climbing on hulls. */
#ifndef GRAZE_SHAPE_SUPPORT_H
#define GRAZE_SHAPE_SUPPORT_H

#include "shape/shape.h"
#include "simd/argmax.h"
#include "simd/f64x2.h"

/* A point of a core: a vertex with its index, or (index -1) a point exactly in a closed curved core. */
typedef struct grz_core_point {
  graze_vec local;
  int32_t index;
} grz_core_point;

/* Returns the support point of the core in the local direction d, which is not zero and at most 2^1020 long. For a user
 * shape the error bound of its support function is added to *slack; otherwise *slack does not change.
 *
 * Vertices: the first of equal scores fl(d·v). Boxes: bit k of the index is set if d_k > 0. Curved cores: the closed
 * form, scaled inward by a few ulps: h(d) <= d·local + |d|·(GRZ_CURVED_SUPPORT_ERROR·bounding radius + 2^-1070).
 * Precondition: no half-space. */
static inline grz_core_point grz_support_local(const graze_shape *shape, graze_vec d, double *slack);

grz_core_point grz_support_other(const graze_shape *shape, graze_vec d, double *slack);

/* Boxes are the most common shape, so this function is inline. The signs of d are not predictable, so it has no branch.
 */
static inline grz_core_point grz_support_box(const graze_shape *box, graze_vec d) {
  const graze_vec h = box->as.box.half_extents;
  const u64x2 minus = f64x2_signs((f64x2){d.x, d.y}), minus_z = f64x2_signs((f64x2){d.z, 0});
  const f64x2 at = f64x2_negate_by((f64x2){h.x, h.y}, minus), z = f64x2_negate_by((f64x2){h.z, 0}, minus_z);
  return (grz_core_point){{at[0], at[1], z[0]}, (f64x2_sign_mask(minus) | (f64x2_sign_mask(minus_z) & 1) << 2) ^ 7};
}

/* Returns max d·x over the core for |d| >= 2^-200, with an error of at most 8u·|d| times the bounding radius. For a
 * user shape it returns d·x of the support point, and adds the error bound to *slack. */
static inline double grz_support_value(const graze_shape *shape, graze_vec d, double *slack);

double grz_support_value_other(const graze_shape *shape, graze_vec d, double *slack);

static inline double grz_support_value(const graze_shape *shape, graze_vec d, double *slack) {
  const graze_vec h = shape->as.box.half_extents;
  if (shape->kind != GRAZE_BOX) return grz_support_value_other(shape, d, slack);
  return (real_abs(d.x) * h.x + real_abs(d.y) * h.y) + real_abs(d.z) * h.z;
}

static inline grz_core_point grz_support_local(const graze_shape *shape, graze_vec d, double *slack) {
  return shape->kind == GRAZE_BOX ? grz_support_box(shape, d) : grz_support_other(shape, d, slack);
}

/* The same, with polygons in 2D, hulls in 3D and single points inline: they are common, and a call costs more than a
 * search of few vertices. */
GRZ_TEMPLATE grz_core_point grz_support_short(const graze_shape *shape, graze_vec d, double *slack, const int dim) {
  const graze_shape_kind point_set = dim == 2 ? GRAZE_POLYGON : GRAZE_HULL;
  if (grz_core_is_point(shape)) return (grz_core_point){{0, 0, 0}, 0};
  if (shape->kind != point_set) return grz_support_local(shape, d, slack);
  const size_t best = shape->as.hull.count < GRZ_ARGMAX_SIMD_MIN
                          ? grz_argmax_short(shape->as.hull.vertices, shape->as.hull.count, d, dim)
                          : grz_argmax(shape->as.hull.vertices, shape->as.hull.count, d);
  return (grz_core_point){shape->as.hull.vertices[best], (int32_t)best};
}

/* Computes a point certainly in the core of a cylinder or cone, and within a few ulps of its size the nearest to the
 * local point p. Returns false if p is not outside. Precondition: a cylinder or cone. */
bool grz_nearest_in_core(const graze_shape *shape, graze_vec p, graze_vec *nearest);

/* docs/theory/rounding.md, section "Curved supports". */
#define GRZ_CURVED_SUPPORT_ERROR (40 * 0x1p-53)

/* ---- Hill climbing on the edges of a convex hull. */

/* Hill climbing moves along edges from vertex to vertex. Its result is only a proposal: in a flat region rounding can
 * end the climb too low, so certified bounds use all vertices.
 *
 * A climb starts at the seed of the direction's cell. Directions are mapped to the faces of a cube (2D: the sides of a
 * square), each of which has rank² (2D: rank) cells. Below GRZ_CLIMB_MIN_COUNT vertices a linear search is as fast:
 * docs/decisions/climbing.md. */
enum { GRZ_CLIMB_MIN_COUNT = 1024 };

static inline bool grz_hill_climbs(const graze_shape *shape) {
  return shape->kind == GRAZE_HULL && shape->as.hull.adjacency.seed && shape->as.hull.count >= GRZ_CLIMB_MIN_COUNT;
}

/* Returns the rank for a number of vertices, which gives about one cell per four vertices; 0 if no seeds are needed. */
static inline int32_t grz_climb_rank(size_t vertices, int dim) {
  size_t rank = 1;
  if (vertices < GRZ_CLIMB_MIN_COUNT) return 0;
  if (dim == 2) return (int32_t)(vertices / 16);
  while (24 * rank * rank < vertices) rank++;
  return (int32_t)rank;
}

static inline size_t grz_climb_cells(int32_t rank, int dim) {
  return dim == 2 ? 4 * (size_t)rank : 6 * (size_t)rank * (size_t)rank;
}

/* The cell of a direction that is not zero. */
size_t grz_climb_cell(graze_vec d, int32_t rank, int dim);

/* A direction in a cell. */
graze_vec grz_climb_direction(size_t cell, int32_t rank, int dim);

/* Climbs from vertex `from` to a vertex without a neighbour that is farther in the local direction d. *tested grows by
 * the number of neighbours tested. */
int32_t grz_climb_from(const graze_vec *vertices, const graze_adjacency *adjacency, graze_vec d, int32_t from,
                       size_t *tested);

/* Climbs from the seed of the direction's cell. */
grz_core_point grz_hill_climb(const graze_shape *hull, graze_vec d);

#endif
