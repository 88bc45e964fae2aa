/* Constructors and validation of shapes, their cores, and the data of compounds and meshes.
 *
 * The core is the shape without its ball, whose radius is the radius of a sphere or capsule plus the margin.
 * Polytopal cores have vertices. Curved cores (ellipsoid, cylinder, cone, user) have none. */
#ifndef GRAZE_SHAPE_SHAPE_H
#define GRAZE_SHAPE_SHAPE_H

#include "core/status.h"
#include "core/vec.h"
#include "shape/tree.h"

#include <graze/mesh.h>

/* ---- Cores. */

static inline bool grz_is_curved(const graze_shape *shape) {
  return shape->kind == GRAZE_ELLIPSOID || shape->kind == GRAZE_CYLINDER || shape->kind == GRAZE_CONE ||
         shape->kind == GRAZE_USER;
}

/* Returns whether the core is an array of vertices. Polygons and hulls use the same members of the union. */
static inline bool grz_is_point_set(const graze_shape *shape) {
  return shape->kind == GRAZE_POLYGON || shape->kind == GRAZE_HULL;
}

/* Returns whether the core is a point: of a point or sphere. */
static inline bool grz_core_is_point(const graze_shape *shape) {
  return shape->kind == GRAZE_POINT || shape->kind == GRAZE_SPHERE;
}

static inline bool grz_are_boxes(const graze_shape *a, const graze_shape *b) {
  return a->kind == GRAZE_BOX && b->kind == GRAZE_BOX;
}

/* Returns whether a proof by axes knows the axes of the shape: the face normals of a box, or the edge normals of an
 * outline in 2D. */
static inline bool grz_has_axes(const graze_shape *shape) {
  return shape->kind == GRAZE_BOX ||
         (shape->dim == 2 && (shape->kind == GRAZE_POLYGON || shape->kind == GRAZE_TRIANGLE));
}

/* The number of core vertices; 0 for a curved core and for a half-space. */
static inline size_t grz_core_count(const graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: return 1;
  case GRAZE_SEGMENT:
  case GRAZE_CAPSULE: return 2;
  case GRAZE_TRIANGLE: return 3;
  case GRAZE_BOX: return shape->dim == 2 ? 4 : 8;
  case GRAZE_POLYGON:
  case GRAZE_HULL: return shape->as.hull.count;
  default: return 0;
  }
}

/* Core vertex i < grz_core_count(), in the local frame, exactly. */
static inline graze_vec grz_core_vertex(const graze_shape *shape, size_t i) {
  graze_vec v = {0, 0, 0};
  switch (shape->kind) {
  case GRAZE_SEGMENT:
  case GRAZE_TRIANGLE: return shape->as.triangle.vertices[i];
  case GRAZE_CAPSULE: {
    double end = i == 0 ? -shape->as.capsule.half_length : shape->as.capsule.half_length;
    *(shape->dim == 2 ? &v.x : &v.z) = end;
    return v;
  }
  case GRAZE_BOX:
    v.x = real_negate_unless(shape->as.box.half_extents.x, i & 1);
    v.y = real_negate_unless(shape->as.box.half_extents.y, i & 2);
    if (shape->dim == 3) v.z = real_negate_unless(shape->as.box.half_extents.z, i & 4);
    return v;
  case GRAZE_POLYGON:
  case GRAZE_HULL: return shape->as.hull.vertices[i];
  default: return v;
  }
}

static inline graze_shape grz_point_shape(int dim) { return dim == 2 ? graze_point2() : graze_point(); }

/* The parameter `radius` of a kind that has one; otherwise 0. Capsules, cylinders and cones have the same members, so
 * as.capsule may be read for all three. In the same way as.hull, without its adjacency, may be read for a polygon. */
static inline double grz_radius_parameter(const graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_SPHERE:
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE: return shape->as.capsule.radius;
  default: return 0;
  }
}

/* The radius of the ball without the margin. */
static inline double grz_core_radius(const graze_shape *shape) {
  return shape->kind == GRAZE_SPHERE || shape->kind == GRAZE_CAPSULE ? shape->as.sphere.radius : 0;
}

/* Calls the support function of a user shape and, in 2D, sets the z of the point to 0. Returns false for an invalid
 * point or bound. */
static inline bool grz_user_support(const graze_shape *user, graze_vec d, graze_vec *point, double *slack) {
  *point = vec_make(0, 0, 0);
  *slack = user->as.user.support(user->as.user.context, d, point);
  if (user->dim == 2) point->z = 0;
  return vec_is_legal(*point) && *slack >= 0 && *slack <= GRAZE_LARGEST;
}

/* ---- Compounds. */

/* An internal edge of a decomposed polygon, by its start and end as vertices of the piece on its left and of the piece
 * on its right. */
typedef struct grz_compound_internal_edge {
  int32_t left, right;
  int32_t vertex_left[2], vertex_right[2];
} grz_compound_internal_edge;

struct graze_compound {
  int dim;
  size_t count;
  graze_placed *parts; /* convex, in the compound's frame */
  grz_tree tree;       /* over the parts, in the compound's frame */
  graze_aabb bounds;   /* of all parts */
  const grz_compound_internal_edge *internal_edges;
  size_t internal_edge_count;
  double bounding_radius; /* of all cores of parts, about the origin of the frame */
  double radius;          /* the largest radius of a part */
  bool conditional;       /* some part is a user shape */
  graze_allocator allocator;
};

/* ---- Meshes. The parts of a mesh are its faces, made when they are needed: grz_mesh_face(). */

struct graze_mesh {
  graze_mesh_def def; /* with own arrays */
  grz_tree tree;      /* over the faces */
  graze_aabb bounds;
  double bounding_radius;
  bool solid;
  const int32_t *component; /* a vertex of each connected component */
  size_t component_count;
  const int32_t *component_of; /* one number for all vertices of a component; NULL: there is one component */
  graze_allocator allocator;
};

/* Face `index` as a triangle, in 2D as a segment, with the margin 0. */
graze_shape grz_mesh_face(const graze_mesh *mesh, size_t index);

/* Returns whether the shape has parts: of a compound, or the faces of a mesh. */
static inline bool grz_has_parts(const graze_shape *shape) {
  return shape->kind == GRAZE_COMPOUND || shape->kind == GRAZE_MESH;
}

static inline bool grz_is_solid_mesh(const graze_shape *shape) {
  return shape->kind == GRAZE_MESH && shape->as.mesh->solid;
}

/* The tree over the parts. Precondition: grz_has_parts(). */
static inline const grz_tree *grz_tree_of(const graze_shape *shape) {
  return shape->kind == GRAZE_MESH ? &shape->as.mesh->tree : &shape->as.compound->tree;
}

/* The bounds of the parts in the local frame, without the margin of the shape. Precondition: grz_has_parts(). */
static inline const graze_aabb *grz_bounds_of_parts(const graze_shape *shape) {
  return shape->kind == GRAZE_MESH ? &shape->as.mesh->bounds : &shape->as.compound->bounds;
}

/* ---- Validation. */

/* Validates an array of vertices: from `min_count` to INT32_MAX legal points, z = 0 in 2D. */
graze_error grz_check_vertices(const graze_vec *vertices, size_t count, size_t min_count, int dim);

/* Returns a vertex at which an outline is not convex, or -1 if it is convex. Points on one line are convex, and set
 * *flat. */
ptrdiff_t grz_convex_fault(const graze_vec *vertices, size_t count, bool *flat);

/* Returns the reason why two placed shapes are an invalid pair: an error of A, of B, or of their dimensions. */
graze_error grz_pair_error(const graze_placed *a, const graze_placed *b);

/* Returns the error behind the status with which a motion was rejected. */
graze_error grz_motion_error(graze_status status, const char *owner, const graze_placed *placed,
                             const graze_motion *motion);

/* Validates a pose of a shape of this dimension. */
graze_status grz_check_pose(const graze_pose *pose, int dim);

/* Does what graze_check() does, without the reason: the common shapes first. */
graze_status grz_check_placing(const graze_shape *shape, const graze_pose *pose);

#endif
