/* Random meshes, and pairs of bodies of which one is a mesh. Coordinates are multiples of 1/8 unless stated otherwise,
 * so exact contacts are frequent. */
#ifndef TESTS_SUPPORT_MESHES_H
#define TESTS_SUPPORT_MESHES_H

#include <graze/mesh.h>

#include "support/oracle/validate_mesh.h"

enum { MESH_VERTICES = 256, MESH_FACES = 128 };

/* The kinds of bodies of each dimension: solid meshes, surfaces, and convex shapes. */
typedef enum mesh_kind {
  MESH_TETRAHEDRON,
  MESH_BOX,
  MESH_OCTAHEDRON,
  MESH_L,
  MESH_RING,
  MESH_ICOSAHEDRON,
  MESH_GEAR,
  MESH_HOLLOW,  /* a box with a cavity */
  MESH_NESTED,  /* the same, with an octahedron in the cavity */
  MESH_CROSSED, /* two boxes; points in both are outside */
  MESH_NEEDLE,  /* a tetrahedron of aspect 1e8 */
  MESH_SOUP,
  MESH_SHEET,
  MESH_OPEN_BOX,
  MESH_SHELL, /* the faces of a box, as a surface */
  MESH_AS_POINT,
  MESH_AS_SEGMENT,
  MESH_AS_TRIANGLE,
  MESH_AS_SPHERE,
  MESH_AS_BOX,
  MESH_AS_TETRAHEDRON,
  MESH_AS_OCTAHEDRON
} mesh_kind;

typedef enum outline_kind {
  OUTLINE_TRIANGLE,
  OUTLINE_BOX,
  OUTLINE_L,
  OUTLINE_STAR,
  OUTLINE_HOLE,
  OUTLINE_NESTED,
  OUTLINE_CROSSED,
  OUTLINE_NEEDLE,
  OUTLINE_SOUP,
  OUTLINE_POLYLINE,
  OUTLINE_SHELL,
  OUTLINE_AS_POINT,
  OUTLINE_AS_SEGMENT,
  OUTLINE_AS_CIRCLE,
  OUTLINE_AS_TRIANGLE,
  OUTLINE_AS_BOX
} outline_kind;

/* A point whose coordinates are at most half/8. */
graze_vec mesh_lattice_point(rng *random, int dim, int half);

/* A body that owns its arrays; `mesh` is NULL for a convex shape. */
typedef struct mesh_fixture {
  graze_vec vertices[MESH_VERTICES];
  int32_t faces[3 * MESH_FACES];
  mesh_member member;
  graze_mesh *mesh;
} mesh_fixture;

/* Makes a body of one of the kinds of its dimension, with the identity as pose. The faces of a mesh are in random
 * order; some meshes have vertices for each face alone, faces of zero area along edges, or are inside out. */
void mesh_fixture_make(rng *random, int dim, int kind, mesh_fixture *out);

/* Starts a body without faces; adds the faces of a box, an outline of `count` vertices, or single faces. `inward`: the
 * inside of the box or outline is outside of the body. */
void mesh_fixture_begin(int dim, mesh_fixture *out);
void mesh_add_box(mesh_fixture *out, graze_vec low, graze_vec high, bool inward);
void mesh_add_outline(mesh_fixture *out, const graze_vec *outline, int count, bool inward);
void mesh_add_face(mesh_fixture *out, const graze_vec *corners);

/* Adds a square ring about the z-axis, between half-widths `inner` and `outer` and from -z to z. */
void mesh_add_square_ring(mesh_fixture *out, double outer, double inner, double z);

/* Creates the mesh, or makes a convex shape of the vertices. */
void mesh_fixture_create(mesh_fixture *out, bool surface);
void mesh_fixture_convex(mesh_fixture *out);
void mesh_fixture_free(mesh_fixture *out);

/* How two bodies are placed. */
typedef enum mesh_placement {
  PLACE_LATTICE,   /* without rotation */
  PLACE_QUARTERS,  /* rotations that take axes to axes */
  PLACE_SAME_POSE, /* one pose of small integers for both, far from the origin in one case of four */
  PLACE_TURNED,    /* quaternions of small integers */
  PLACE_ANYWHERE,
  PLACE_ONE_ULP, /* on the lattice, and one unit in the last place off */
  PLACE_SCALED,  /* on the lattice, times 2^-60, 2^60 or 2^100 */
  PLACEMENTS
} mesh_placement;

/* Moves vertices and poses of both, before the meshes are created. */
void mesh_place_pair(rng *random, mesh_placement placement, mesh_fixture *a, mesh_fixture *b);

/* Makes and places two bodies, and creates their meshes. A placement of -1 is a random one. */
typedef struct mesh_pair {
  mesh_fixture a, b;
  mesh_query query;
  graze_placed placed_a, placed_b;
} mesh_pair;
void mesh_pair_make(rng *random, int dim, int kind_a, int kind_b, int placement, mesh_pair *out);

/* Creates the shapes of two bodies that have been placed. */
void mesh_pair_create(mesh_pair *pair);
void mesh_pair_free(mesh_pair *pair);

#endif
