/* Exact areas, and triangulations of polygons: shared by validation (outline.c), triangulation (cdt.c, triangulate.c)
 * and decomposition (decompose.c). Predicates are exact; no point is moved or added. Proofs: docs/theory/polygons.md,
 * docs/theory/decompose.md. */
#ifndef GRAZE_GEOMETRY_POLYGON_H
#define GRAZE_GEOMETRY_POLYGON_H

#include "exact/exact.h"

#include <graze/build.h>

/* ---- Exact areas: outline.c. */

/* A sufficient number of limbs for the arena of grz_area_add(). */
enum { GRZ_AREA_LIMBS = 128 };

/* sum + twice the signed area of the ring (counter-clockwise: positive). `sum` must be zero or the only number in the
 * arena. The result is the only number in the arena afterwards. */
grz_big grz_area_add(grz_arena *arena, grz_big sum, graze_ring ring);

/* |sum| / 2, rounded to nearest, subnormal numbers included. */
double grz_area_round(grz_arena *arena, grz_big sum);

/* ---- Constrained Delaunay triangulation of points in the plane: cdt.c.
 *
 * The mesh is a planar subdivision. Each dart (half of an edge) is linked to its neighbours around its origin. This is
 * the primal half of the quad-edge structure of Guibas and Stolfi 1985. */

/* One direction of an edge; dart ^ 1 is the other. Its face is on its left. */
typedef struct grz_dart {
  int32_t from;         /* vertex; -1: a free slot, and `ccw` is the next free slot */
  int32_t ccw, cw;      /* the next darts around `from` */
  int32_t winding;      /* the winding number of the face */
  int32_t multiplicity; /* the number of ring edges in this direction minus those in the other */
  int32_t constraint;   /* the id of a constraint on this edge, on both darts; -1: none */
  bool pending;         /* on even darts: not yet known to be locally Delaunay */
} grz_dart;

/* A mesh of n points has space for 6n darts, and for as many numbers on the stack. */
typedef struct grz_mesh {
  graze_vec *point; /* distinct, sorted by x, then y */
  int32_t count;
  grz_dart *dart;
  int32_t dart_count; /* slots, free ones included */
  int32_t free;       /* the first free slot; -1: none */
  int32_t *first;     /* for every vertex a dart from it; -1: none */
  int32_t *stack;
  int32_t *through; /* for every vertex two numbers: the id of a constraint that passes through it and a vertex on the
                       line of that constraint; or -1 */
} grz_mesh;

static inline int32_t mesh_to(const grz_mesh *mesh, int32_t e) { return mesh->dart[e ^ 1].from; }
/* The next dart around the face on the left of e, and the previous one. */
static inline int32_t mesh_next(const grz_mesh *mesh, int32_t e) { return mesh->dart[e ^ 1].cw; }
static inline int32_t mesh_previous(const grz_mesh *mesh, int32_t e) { return mesh->dart[e].ccw ^ 1; }

/* Does the interior of the polygon lie on both sides of the edge? */
static inline bool mesh_is_internal(const grz_mesh *mesh, int32_t e) {
  const grz_dart *dart = mesh->dart;
  return dart[e].from >= 0 && dart[e].multiplicity == 0 && dart[e].winding == 1 && dart[e ^ 1].winding == 1;
}

/* The orientation of three vertices: 1 left, -1 right, 0 collinear. */
int grz_mesh_orient(const grz_mesh *mesh, int32_t a, int32_t b, int32_t c);

void grz_mesh_remove_edge(grz_mesh *mesh, int32_t e);

/* The Delaunay triangulation of at least 2 points by divide and conquer, O(n log n). Returns a dart of the hull with
 * the outside on its left. Source: Guibas, Stolfi 1985. */
int32_t grz_mesh_delaunay(grz_mesh *mesh);

/* Finds the first dart on the segment from vertex a to b, or from b to a, whichever search ends first. *on_edge: the
 * dart lies on the segment; otherwise the segment enters the triangle on the left of the dart. Tests at most twice as
 * many darts as the lesser of the degrees of a and b. */
int32_t grz_mesh_locate(const grz_mesh *mesh, int32_t a, int32_t b, bool *on_edge);

/* Inserts the segment from a to b as a constraint, in parts if it passes through vertices. Returns -1, or the id of a
 * constraint that it crosses in an inner point of both: the mesh is then unusable.
 * Source: Anglada 1997; docs/theory/decompose.md, "Edges". */
int32_t grz_mesh_insert_constraint(grz_mesh *mesh, int32_t a, int32_t b, int32_t id);

/* Makes all pending internal edges locally Delaunay by flips. Source: Lawson 1977. */
void grz_mesh_legalize(grz_mesh *mesh);

/* Removes a vertex all of whose edges are internal, and triangulates the hole. */
void grz_mesh_remove_vertex(grz_mesh *mesh, int32_t vertex);

/* ---- The triangulation of a polygon with holes: triangulate.c. */

/* The state of a decomposition (decompose.c). Ring vertices are numbered through all rings: ring r has start[r] …
 * start[r + 1] - 1. An edge has the number of the ring vertex where it starts. */
typedef struct grz_split {
  graze_ring outline;
  const graze_ring *holes;
  size_t ring_count;
  graze_allocator allocator;
  void *memory;
  int32_t *start;
  int32_t *vertex;     /* the mesh vertex of each ring vertex */
  int8_t *orientation; /* of each ring: 1 or -1, which makes the outline counter-clockwise and holes clockwise */
  grz_mesh mesh;
  int32_t outside; /* a dart of the hull, valid right after the Delaunay triangulation */
  double area;
  bool simple; /* set by grz_split_triangulate(): one ring that does not touch itself */
  graze_outline_error error;
} grz_split;

static inline int32_t split_next(const grz_split *split, size_t ring, int32_t i) {
  return i + 1 < split->start[ring + 1] ? i + 1 : split->start[ring];
}

/* Allocates the memory and sets the points of the mesh: the distinct points of all rings. */
graze_error grz_split_begin(grz_split *split);

/* Computes orientations and area. GRAZE_NOT_SIMPLE, split->error: a ring has no area. */
graze_status grz_split_measure(grz_split *split);

/* Triangulates the polygon. Winding numbers are 1 inside and 0 outside. Edges between the two have a multiplicity
 * other than 0; every other vertex inside is removed. GRAZE_NOT_SIMPLE: split->error. */
graze_status grz_split_triangulate(grz_split *split);

#endif
