/* A triangulation of points in the plane, first Delaunay, then with edges that it must contain: planar subdivisions as
 * rotations of darts around their origins (the primal half of Guibas and Stolfi's quad-edges). Predicates are exact, no
 * point is moved or added. docs/theory/decompose.md. */
#ifndef GRAZE_GEOMETRY_CDT_H
#define GRAZE_GEOMETRY_CDT_H

#include <graze/graze.h>

/* One side of an edge: dart ^ 1 is the other. What lies left of it is its face. */
typedef struct grz_dart {
  int32_t from;    /* vertex; -1: a free slot, and `ccw` links to the next one */
  int32_t ccw, cw; /* the next darts around `from` */
  int32_t winding; /* of the face, once flooded */
  int32_t walks;   /* how often rings walk along here, minus those that come against it */
  int32_t fixed;   /* the number of a ring's edge that lies on this edge, on both darts; -1: none */
  bool fresh;      /* on even darts: not known to be locally Delaunay */
} grz_dart;

/* Room for `count` points is room for 6·count darts and as many numbers on the stack. */
typedef struct grz_mesh {
  graze_vec *at; /* distinct, sorted by x, then y */
  int32_t count;
  grz_dart *dart;
  int32_t dart_count; /* slots, free ones included */
  int32_t free;       /* -1: no free slot */
  int32_t *spoke;     /* for every vertex a dart from it; -1: none */
  int32_t *stack;
  int32_t *through; /* for every vertex the name of a fixed segment that passes through it, and a vertex ahead; or -1 */
} grz_mesh;

static inline int32_t mesh_to(const grz_mesh *mesh, int32_t e) { return mesh->dart[e ^ 1].from; }
/* The next dart around the face left of e, and the one before. */
static inline int32_t mesh_next(const grz_mesh *mesh, int32_t e) { return mesh->dart[e ^ 1].cw; }
static inline int32_t mesh_before(const grz_mesh *mesh, int32_t e) { return mesh->dart[e].ccw ^ 1; }

/* Does the polygon lie on both sides of the edge? */
static inline bool mesh_is_seam(const grz_mesh *mesh, int32_t e) {
  const grz_dart *dart = mesh->dart;
  return dart[e].from >= 0 && dart[e].walks == 0 && dart[e].winding == 1 && dart[e ^ 1].winding == 1;
}

/* A new edge; the return value is its dart from -> to, alone around both ends. */
int32_t grz_mesh_edge(grz_mesh *mesh, int32_t from, int32_t to);

/* A new edge from the end of a to the start of b, which have the same face on the left. Both darts get the winding of
 * a. */
int32_t grz_mesh_connect(grz_mesh *mesh, int32_t a, int32_t b);

/* For darts of the same origin: exchanges what follows them around it. */
void grz_mesh_splice(grz_mesh *mesh, int32_t a, int32_t b);

void grz_mesh_remove(grz_mesh *mesh, int32_t e);

/* Turns the edge to the other diagonal of the two triangles beside it; returns its dart, which is fresh. */
int32_t grz_mesh_flip(grz_mesh *mesh, int32_t e);

/* How the way from -> by -> to turns; vertices. */
int grz_mesh_turn(const grz_mesh *mesh, int32_t from, int32_t by, int32_t to);

/* The Delaunay triangulation of at least 2 points, in O(n log n) steps. Returns a dart of the hull with the outside on
 * its left. Source: Guibas, Stolfi 1985. */
int32_t grz_mesh_delaunay(grz_mesh *mesh);

/* The dart that begins the way from vertex a straight to b, or from b to a, whichever is found sooner: along it if
 * `along`, else across the triangle left of it. Looks at no more darts than twice the lesser of their degrees. */
int32_t grz_mesh_toward(const grz_mesh *mesh, int32_t a, int32_t b, bool *along);

/* Brings the segment into the triangulation, in pieces where it passes through vertices, and fixes it under the name.
 * Returns -1, or the name of a segment that it crosses in an inner point of both: then the mesh is of no more use.
 * Source: Anglada 1997; docs/theory/decompose.md, "Edges". */
int32_t grz_mesh_fix(grz_mesh *mesh, int32_t a, int32_t b, int32_t name);

/* Makes fresh edges with no walks and a winding of 1 on both sides locally Delaunay, and all that follows from it.
 * Source: Lawson 1977. */
void grz_mesh_legalize(grz_mesh *mesh);

/* Takes a vertex inside out, around which no edge is walked. */
void grz_mesh_remove_vertex(grz_mesh *mesh, int32_t vertex);

#endif
