/* A solid that grows by points: the exact face lattice of the hull of the points so far. Faces are polygons of any
 * number of corners, no two of them coplanar; corners are extreme points. Not geometry/polytope.h: that keeps coplanar
 * triangles apart and takes them all away with every point of their plane, which is quadratic for large flat faces.
 * docs/theory/hull.md. */
#ifndef GRAZE_GEOMETRY_HULL_SOLID_H
#define GRAZE_GEOMETRY_HULL_SOLID_H

#include "geometry/hull.h"
#include "exact/predicates.h"

/* Half an edge: from `origin` to the origin of `next`, with `face` on its left. */
typedef struct solid_edge {
  int32_t origin, twin, next, prev, face;
} solid_edge;

typedef struct solid_face {
  grz_plane_filter plane;
  int32_t corner[3]; /* three points that define its plane, counter-clockwise from outside */
  int32_t edge;      /* one of its edges; SOLID_NONE: a free slot */
  int32_t outside;   /* the first of the list of points that see it and wait there; or the next free slot */
  int32_t seen;      /* the last point that was tried … */
  int32_t side;      /* … and on which side it lies */
} solid_face;

enum { SOLID_NONE = -1, SOLID_RIM = -2 };

/* What grew: slots, of which some are free. */
typedef struct solid_list {
  void *at;
  int32_t used, room;
} solid_list;

/* One of the faces around a new point, in order: its first corner on the rim, and its edges that lead to the point and
 * away from it. */
typedef struct solid_spoke {
  int32_t rim, face, in, out;
} solid_spoke;

typedef struct grz_solid {
  graze_allocator allocator;
  int32_t count;
  graze_vec *point; /* in the order in which they join */
  int32_t *index;   /* where they stand in the input: the first of equal ones … */
  int32_t *where;   /* the face where each of them waits; SOLID_NONE: it has joined, or lies inside or on the hull */
  int32_t *next;    /* the next one that waits there */
  graze_vec reach;  /* how far points lie apart */
  solid_edge *edge; /* = edges.at */
  solid_face *face; /* = faces.at */
  solid_list edges, faces, gone, rim, spokes;
  int32_t free_edge, free_face;
  graze_status failure; /* GRAZE_OUT_OF_MEMORY; GRAZE_BAD_SHAPE: more than int32_t can number */
} grz_solid;

static inline int32_t *solid_gone(const grz_solid *s) { return s->gone.at; }
static inline int32_t *solid_rim(const grz_solid *s) { return s->rim.at; }
static inline solid_spoke *solid_spokes(const grz_solid *s) { return s->spokes.at; }

static inline int32_t solid_end(const grz_solid *s, int32_t edge) { return s->edge[s->edge[edge].next].origin; }

/* 1: the point lies beyond the face's plane, -1 below it, 0 on it. */
static inline int solid_side(const grz_solid *s, const solid_face *face, graze_vec q) {
  graze_vec a = s->point[face->corner[0]], n = face->plane.normal;
  double height = (n.x * (q.x - a.x) + n.y * (q.y - a.y)) + n.z * (q.z - a.z);
  if (height > face->plane.error) return 1;
  if (height < -face->plane.error) return -1;
  return grz_orient3(a, s->point[face->corner[1]], s->point[face->corner[2]], q);
}

/* hull_slots.c. Room for so many more; false: s->failure. */
bool grz_solid_reserve(grz_solid *s, solid_list *list, size_t size, int64_t more);

/* A free slot; reserved before. */
int32_t grz_solid_take_edge(grz_solid *s);
int32_t grz_solid_take_face(grz_solid *s);
void grz_solid_free_edge(grz_solid *s, int32_t edge);
void grz_solid_free_face(grz_solid *s, int32_t face);

/* Sets the plane of a face. */
void grz_solid_plane(grz_solid *s, int32_t face, int32_t a, int32_t b, int32_t c);

/* hull_grow.c. The first tetrahedron, of points[0 … 3], the last of which lies below the plane of the others. */
bool grz_solid_start(grz_solid *s);

/* Point p, which waits at a face, joins. False: s->failure. */
bool grz_solid_join(grz_solid *s, int32_t p);

#endif
