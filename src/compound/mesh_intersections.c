/* Pairs of faces of one mesh that meet outside their common vertices and edges. Exact.
 *
 * Faces without a common vertex must be separated. If triangles with one common vertex have another common point, the
 * segment between both leaves one triangle through the edge opposite to the vertex; there it is still in the other
 * triangle. Triangles with a common edge have no other common point unless they are in one plane, on the same side. */
#include "compound/mesh_intersections.h"

#include "compound/compound.h"
#include "core/status.h"
#include "exact/exact.h"
#include "narrow/query.h"
#include "narrow/stages.h"

typedef struct intersection_search {
  const graze_mesh *mesh;
  const int32_t *welded; /* by corner */
  graze_mesh_error *errors;
  size_t capacity, count;
} intersection_search;

static bool shapes_meet(const graze_shape *a, const graze_shape *b) {
  const graze_placed p = graze_place(a, graze_pose_identity()), q = graze_place(b, graze_pose_identity());
  grz_result result;
  return grz_intersect_pair(&p, &q, &grz_default_options, &result) != GRAZE_OK ||
         result.answer.relation != GRAZE_SEPARATED;
}

/* The edge of a triangle opposite to a corner. */
static graze_shape opposite_edge(const graze_shape *triangle, int corner) {
  const graze_vec *v = triangle->as.triangle.vertices;
  return graze_segment(v[(corner + 1) % 3], v[(corner + 2) % 3]);
}

/* Whether two triangles with the common edge p-q are in one plane, with a and b on the same side of the edge. */
static bool triangles_overlap_at_edge(graze_vec p, graze_vec q, graze_vec a, graze_vec b) {
  if (grz_orient3(p, q, a, b) != 0) return false;
  for (int k = 0; k < 3; k++) { /* a projection in which the triangles are not flat */
    const graze_vec v[4] = {p, q, a, b};
    graze_vec flat[4];
    for (int i = 0; i < 4; i++) flat[i] = vec_make(vec_coordinate(v[i], k), vec_coordinate(v[i], (k + 1) % 3), 0);
    const int of_a = grz_orient2(flat[0], flat[1], flat[2]), of_b = grz_orient2(flat[0], flat[1], flat[3]);
    if (of_a != 0 && of_b != 0) return of_a == of_b;
  }
  return false;
}

/* Whether two edges in the plane with the common end p have the same direction. */
static bool edges_overlap(graze_vec p, graze_vec a, graze_vec b) {
  if (grz_orient2(p, a, b) != 0) return false;
  const double ax = a.x - p.x, ay = a.y - p.y, bx = b.x - p.x, by = b.y - p.y; /* the signs are exact */
  return ax != 0 ? (ax > 0) == (bx > 0) : (ay > 0) == (by > 0);
}

static bool face_is_degenerate(const graze_shape *face) {
  const graze_vec *v = face->as.triangle.vertices;
  return face->dim == 2 ? vec_equal(v[0], v[1]) : grz_are_collinear(v[0], v[1], v[2]);
}

static bool faces_meet(const intersection_search *s, size_t face, size_t other) {
  const size_t dim = (size_t)s->mesh->def.dim;
  const graze_shape a = grz_mesh_face(s->mesh, face), b = grz_mesh_face(s->mesh, other);
  const graze_vec *va = a.as.triangle.vertices, *vb = b.as.triangle.vertices;
  size_t common = 0, at_a[3], at_b[3];
  bool is_common_a[3] = {false}, is_common_b[3] = {false};
  if (face_is_degenerate(&a) || face_is_degenerate(&b)) return false; /* others have no vertex twice */
  for (size_t i = 0; i < dim; i++) {
    for (size_t k = 0; k < dim; k++) {
      if (s->welded[dim * face + i] != s->welded[dim * other + k]) continue;
      at_a[common] = i, at_b[common++] = k;
      is_common_a[i] = is_common_b[k] = true;
    }
  }
  if (common == 0) return shapes_meet(&a, &b);
  if (common >= dim) return false; /* a duplicate */
  if (dim == 2) return edges_overlap(va[at_a[0]], va[1 - at_a[0]], vb[1 - at_b[0]]);
  if (common == 1) {
    const graze_shape edge_a = opposite_edge(&a, (int)at_a[0]), edge_b = opposite_edge(&b, (int)at_b[0]);
    return shapes_meet(&edge_a, &b) || shapes_meet(&a, &edge_b);
  }
  size_t apex_a = 0, apex_b = 0;
  while (is_common_a[apex_a]) apex_a++;
  while (is_common_b[apex_b]) apex_b++;
  return triangles_overlap_at_edge(va[at_a[0]], va[at_a[1]], va[apex_a], vb[apex_b]);
}

static bool intersection_visit(void *context, int32_t face, int32_t other) {
  intersection_search *s = context;
  if (face <= other || !faces_meet(s, (size_t)face, (size_t)other)) return true;
  if (s->count < s->capacity) s->errors[s->count] = (graze_mesh_error){GRAZE_MESH_INTERSECTION, face, 0, other};
  s->count++;
  return true;
}

size_t grz_mesh_intersections(const graze_mesh *mesh, const int32_t *welded, graze_mesh_error *errors,
                              size_t capacity) {
  intersection_search s = {mesh, welded, errors, capacity, 0};
  const graze_shape shape = graze_mesh_shape(mesh);
  const graze_placed placed = graze_place(&shape, graze_pose_identity());
  grz_query_shape query;
  grz_query_shape_make(&query, &placed, &placed, 0);
  grz_search search = {.target = &placed.shape, .query = &query};
  search.visit = intersection_visit, search.context = &s;
  grz_search_run(&search);
  return s.count;
}
