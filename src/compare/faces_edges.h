/* The faces and edges of a placed polytopal core: what separating axes are made of. */
#ifndef GRAZE_COMPARE_FACES_EDGES_H
#define GRAZE_COMPARE_FACES_EDGES_H

#include "core/vec.h"

#include <stdint.h>

/* A normal to test, in both directions. */
typedef struct grz_feature_axis {
  int32_t normal;
} grz_feature_axis;

typedef struct grz_feature_edge {
  graze_vec along; /* unit, within 40u of the true one */
  double length;
  int32_t vertex[2];
  int32_t normal[2]; /* of the faces that meet there; -1: none, it is a segment */
  int32_t id;        /* boxes: the local axis; otherwise its place in the list */
} grz_feature_edge;

/* Workspace for an edge. The capacity of a workspace must not depend on the size of a struct, which differs between
 * targets. */
enum { GRZ_FEATURE_EDGE_BYTES = 56 };
_Static_assert(sizeof(grz_feature_edge) <= GRZ_FEATURE_EDGE_BYTES, "an edge fits");

/* World axes, without the body's position, lengths in units of `unit` (src/narrow/obstacle.h). In 2D the sides of a
 * polygon are its faces, and there are no edges. */
typedef struct grz_features {
  bool box;
  int vertex_count, normal_count, axis_count, edge_count;
  graze_vec *vertex; /* all core vertices, by their indices */
  graze_vec *normal; /* unit, outward */
  double tilt;       /* every normal is within tilt + 64u of the true unit normal */
  grz_feature_axis *axis;
  grz_feature_edge *edge;
} grz_features;

/* Room of the caller's, given away from the front. */
typedef struct grz_workspace {
  char *at;
  size_t left;
  bool full;
} grz_workspace;

/* count elements of `size` bytes; NULL: no room, and from then on room->full. */
void *grz_workspace_take(grz_workspace *room, size_t count, size_t size);

/* Places the core vertices, and makes room for so many features, of which there are none yet. False: no room. */
bool grz_features_make(grz_features *f, const graze_placed *placed, double unit, int normals, int axes, int edges,
                       grz_workspace *room);

/* A normal by its local direction (of any length, within `tilt` of the true direction); returns its index. */
int grz_features_normal(grz_features *f, const graze_placed *placed, graze_vec local);

void grz_features_axis(grz_features *f, int normal);

/* The edge from one core vertex to another; `along` is its local direction, of any length. */
void grz_features_edge(grz_features *f, const graze_placed *placed, int from, int to, graze_vec along,
                       const int normal[2], int id);

bool grz_features_box(grz_features *f, const graze_placed *placed, double unit, grz_workspace *room);

/* A segment between two core vertices; 2D: its two sides; 3D: an edge. */
bool grz_features_segment(grz_features *f, const graze_placed *placed, double unit, int from, int to,
                          grz_workspace *room);

/* A flat polygon in 3D, by the indices of its corners in order. */
bool grz_features_lamina(grz_features *f, const graze_placed *placed, double unit, const int32_t *ring, int count,
                         grz_workspace *room);

/* A polygon in 2D, no three corners in line. */
bool grz_features_ring(grz_features *f, const graze_placed *placed, double unit, const int32_t *ring, int count,
                       grz_workspace *room);

#endif
