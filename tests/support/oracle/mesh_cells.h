/* Inside the oracle of meshes: faces by their planes, and convex cells of faces, with rational vertices. */
#ifndef ORACLE_MESH_CELLS_H
#define ORACLE_MESH_CELLS_H

#include "support/oracle/exact.h"

/* The point at / weight; weight > 0. */
typedef struct ratio_point {
  zvec at;
  mpz_t weight;
} ratio_point;

/* A convex polygon, a segment or a point: vertices in cyclic order, repetitions allowed. */
typedef struct cell {
  ratio_point *at;
  int count, capacity;
} cell;

typedef struct cell_list {
  cell *at;
  int count, capacity;
} cell_list;

/* The points x with normal·x = offset (equal), or normal·x >= offset. */
typedef struct boundary_plane {
  zvec normal;
  mpz_t offset;
  bool equal;
} boundary_plane;

enum { FACE_PLANES = 4 };

typedef struct exact_face {
  int corner[3], corners;
  boundary_plane plane[FACE_PLANES]; /* the face is the set of points that satisfy all; equalities first */
  int planes, equalities;
  double low[3], high[3]; /* bounds, rounded outward */
} exact_face;

#define LOCAL_CELL(c) __attribute__((cleanup(orc_cell_clear))) cell c = {0}
#define LOCAL_CELLS(c) __attribute__((cleanup(orc_cells_clear))) cell_list c = {0}

ratio_point *orc_cell_append(cell *c);
void orc_cell_clear(cell *c);
cell *orc_cells_append(cell_list *list);
void orc_cells_clear(cell_list *list);

/* out = the part of c on the side of the plane with this sign, the plane included. Returns whether some vertex is
 * strictly on this side. */
bool orc_cell_side(cell *out, const cell *c, const boundary_plane *plane, int sign);

/* Cuts all cells at the plane. */
void orc_cells_cut(cell_list *list, const boundary_plane *plane);

/* out, which is 0, becomes a point in the relative interior. */
void orc_cell_middle(ratio_point *out, const cell *c);

/* Sets planes and bounds of a face with corners. `rounded`: the vertices in doubles. Faces of zero area become segments
 * or points. */
void orc_face_make(const zlist *vertices, double (*rounded)[3], exact_face *f);
void orc_face_clear(exact_face *f);

/* out = the whole face. */
void orc_face_cell(cell *out, const zlist *vertices, const exact_face *f);

bool orc_bounds_meet(const double low[3], const double high[3], const double other_low[3], const double other_high[3]);

/* Whether the cell and the face, or two faces, have a common point. */
bool orc_cell_meets(const cell *c, const exact_face *f);
bool orc_faces_meet(const zlist *vertices, const exact_face *f, const exact_face *g);

#endif
