/* A convex polytope with triangular faces that grows point by point, in a buffer of the caller's: what EPA expands and
 * what hulls are built with. 3D.
 *
 * A point that joins takes the place of the faces it sees: those whose plane it is beyond or on. With exact predicates
 * the surface stays that of the convex hull, and no face is ever degenerate: a face across the horizon is not seen, so
 * the new point is neither on its plane nor in line with the horizon's edge. docs/theory/depth.md, "Growing". */
#ifndef GRAZE_GEOMETRY_POLYTOPE_H
#define GRAZE_GEOMETRY_POLYTOPE_H

#include "shape/proof.h"

#include <stdint.h>

typedef struct grz_face {
  int32_t vertex[3];   /* counter-clockwise from outside; vertex[0] is -1 for a face that is gone */
  int32_t neighbor[3]; /* across vertex[k] -> vertex[k + 1]: 4·face + the number of the edge there */
  graze_vec normal;    /* unit, outward, rounded */
  double tilt;         /* |normal - exact unit normal| is at most this; where the builder keeps it */
} grz_face;

/* A triangulated sphere of n points has 2n - 4 faces. The search for the horizon pushes at most 2 edges for each face
 * that goes. */
enum { GRZ_POLYTOPE_FACES = 2, POLYTOPE_STACK = 2 * GRZ_POLYTOPE_FACES };

/* Workspace for each point, and the smallest useful number of points. The capacity of a workspace decides how far EPA
 * expands, so it must not depend on the size of a struct, which differs between targets. */
enum { GRZ_POLYTOPE_BYTES = 240, GRZ_POLYTOPE_LEAST = 8 };
_Static_assert(3 * sizeof(graze_vec) + sizeof(graze_pair) + GRZ_POLYTOPE_FACES * (sizeof(grz_face) + sizeof(double)) +
                       (POLYTOPE_STACK + GRZ_POLYTOPE_FACES) * sizeof(int32_t) <=
                   GRZ_POLYTOPE_BYTES,
               "the arrays of a polytope fit");

typedef struct grz_polytope {
  int point_count, point_capacity;
  int face_count, face_capacity; /* slots, those of faces gone included */
  int free_face;             /* head of the list of faces gone, linked by neighbor[0]; -1: none */
  graze_vec *w;              /* the points, rounded */
  graze_pair *pair;          /* their parents, as a surface names them: index -1 - k of a curved shape is local[k] */
  graze_vec *local;          /* the parents in their own frames: of point i local[2i] and local[2i + 1] */
  grz_face *face;
  double *height; /* normal·w on the face's plane; infinite for a face that is gone */
  int32_t *stack, *horizon;
} grz_polytope;

/* An empty polytope in `size` bytes, aligned as for malloc(); as many points as fit: graze_workspace_size(). */
void grz_polytope_make(grz_polytope *polytope, void *buffer, size_t size);

/* Forgets the faces (the points stay). */
void grz_polytope_clear(grz_polytope *polytope);

/* Is the point beyond the plane of the face or on it? */
typedef bool (*grz_sees)(void *context, const grz_polytope *polytope, int face, int point);

/* Fills normal, height and tilt of a face from its vertices. False: it is degenerate. */
typedef bool (*grz_plane)(void *context, grz_polytope *polytope, int face);

static inline bool grz_face_is_removed(const grz_face *face) { return face->vertex[0] < 0; }

/* A face that is there; any polytope but an empty one has one. */
static inline int grz_first_face(const grz_polytope *p) {
  int face = 0;
  while (grz_face_is_removed(&p->face[face])) face++;
  return face;
}

/* The parents of a point. */
static inline grz_pair grz_polytope_pair(const grz_polytope *p, int i) {
  const graze_pair *pair = &p->pair[i];
  return (grz_pair){pair->a < 0 ? -1 : pair->a, pair->b < 0 ? -1 : pair->b, p->local[2 * i], p->local[2 * i + 1],
                    pair->end};
}

static inline void grz_polytope_set_pair(grz_polytope *p, int i, const grz_pair *pair) {
  p->pair[i] = (graze_pair){pair->a < 0 ? -1 - 2 * i : pair->a, pair->b < 0 ? -2 - 2 * i : pair->b, pair->end};
  p->local[2 * i] = pair->point_a, p->local[2 * i + 1] = pair->point_b;
}

/* The parents of a vertex of a face. */
static inline grz_pair grz_face_pair(const grz_polytope *p, int face, int corner) {
  return grz_polytope_pair(p, p->face[face].vertex[corner]);
}

static inline int polytope_next(int edge) { return edge == 2 ? 0 : edge + 1; }

static inline void polytope_remove(grz_polytope *p, int face) {
  p->face[face].vertex[0] = -1;
  p->face[face].neighbor[0] = p->free_face;
  p->height[face] = __builtin_inf();
  p->free_face = face;
}

/* The slot of a new face; -1: no room. */
static inline int polytope_take(grz_polytope *p) {
  int face = p->free_face;
  if (face >= 0)
    p->free_face = p->face[face].neighbor[0];
  else if (p->face_count < p->face_capacity)
    face = p->face_count++;
  return face;
}

/* Removes the faces that the point sees, connected to `seed`, and leaves the edges of the hole in p->horizon, in order,
 * seen from the faces that stay. Returns how many. */
GRZ_TEMPLATE int polytope_open(grz_polytope *p, int seed, int point, grz_sees sees, void *context) {
  int depth = 0, edges = 0;
  for (int k = 2; k >= 0; k--) p->stack[depth++] = p->face[seed].neighbor[k];
  polytope_remove(p, seed);
  while (depth > 0) {
    int32_t at = p->stack[--depth];
    int face = at >> 2, edge = at & 3;
    if (grz_face_is_removed(&p->face[face])) continue;
    if (!sees(context, p, face, point)) {
      p->horizon[edges++] = at;
      continue;
    }
    int left = polytope_next(edge), right = polytope_next(left);
    p->stack[depth++] = p->face[face].neighbor[right];
    p->stack[depth++] = p->face[face].neighbor[left];
    polytope_remove(p, face);
  }
  return edges;
}

/* Where the horizon's edge starts, seen from the hole. */
static inline int polytope_start(const grz_polytope *p, int32_t at) {
  return p->face[at >> 2].vertex[polytope_next(at & 3)];
}

/* Closes the hole by a fan of faces about the point. False: the horizon is no closed chain, a face is degenerate, or
 * there is no room. */
GRZ_TEMPLATE bool polytope_close(grz_polytope *p, int point, int edges, grz_plane plane, void *context) {
  int32_t *fresh = p->stack, last = p->horizon[edges - 1];
  int32_t end = p->face[last >> 2].vertex[last & 3];
  bool chain = true;
  for (int i = 0; i < edges; i++) {
    fresh[i] = polytope_take(p);
    if (fresh[i] < 0) return false;
  }
  for (int i = 0; i < edges; i++) {
    int32_t at = p->horizon[i];
    grz_face *face = &p->face[fresh[i]], *outer = &p->face[at >> 2];
    face->vertex[0] = polytope_start(p, at);
    face->vertex[1] = outer->vertex[at & 3];
    face->vertex[2] = point;
    chain &= face->vertex[0] == end;
    end = face->vertex[1];
    face->neighbor[0] = at;
    face->neighbor[1] = fresh[i + 1 < edges ? i + 1 : 0] << 2 | 2;
    face->neighbor[2] = fresh[i > 0 ? i - 1 : edges - 1] << 2 | 1;
    outer->neighbor[at & 3] = fresh[i] << 2;
    if (!plane(context, p, fresh[i])) return false;
  }
  return chain;
}

/* The point, already among p->w, joins; `seed` is a face that it sees. False, and the polytope is spoilt: no room, or
 * rounded predicates contradict each other. */
GRZ_TEMPLATE bool grz_polytope_add(grz_polytope *p, int seed, int point, grz_sees sees, grz_plane plane,
                                   void *context) {
  int edges = polytope_open(p, seed, point, sees, context);
  return edges >= 3 && polytope_close(p, point, edges, plane, context);
}

/* 2D, the same of a polygon: a face is an edge, vertex[0] to vertex[1], neighbor[0] the edge before it, neighbor[1] the
 * one after. */
GRZ_TEMPLATE bool grz_polygon_add(grz_polytope *p, int seed, int point, grz_sees sees, grz_plane plane, void *context) {
  int first = seed, last = seed;
  while (p->face[first].neighbor[0] != last && sees(context, p, p->face[first].neighbor[0], point))
    first = p->face[first].neighbor[0];
  while (p->face[last].neighbor[1] != first && sees(context, p, p->face[last].neighbor[1], point))
    last = p->face[last].neighbor[1];
  int before = p->face[first].neighbor[0], after = p->face[last].neighbor[1];
  int32_t from = p->face[first].vertex[0], to = p->face[last].vertex[1];
  if (before == last) return false; /* it sees all of them */
  for (int face = first;; face = seed) {
    seed = p->face[face].neighbor[1];
    polytope_remove(p, face);
    if (face == last) break;
  }
  int in = polytope_take(p), out = polytope_take(p);
  if (in < 0 || out < 0) return false;
  p->face[in] = (grz_face){.vertex = {from, point, -1}, .neighbor = {before, out, -1}};
  p->face[out] = (grz_face){.vertex = {point, to, -1}, .neighbor = {in, after, -1}};
  p->face[before].neighbor[1] = in;
  p->face[after].neighbor[0] = out;
  return plane(context, p, in) && plane(context, p, out);
}

/* The triangle of three points, counter-clockwise. */
GRZ_TEMPLATE bool grz_polygon_start(grz_polytope *p, const int v[3], grz_plane plane, void *context) {
  bool good = true;
  grz_polytope_clear(p);
  for (int i = 0; i < 3; i++) {
    int next = polytope_next(i), before = polytope_next(next), face = polytope_take(p);
    p->face[face] = (grz_face){.vertex = {v[i], v[next], -1}, .neighbor = {before, next, -1}};
    good = plane(context, p, face) && good;
  }
  return good;
}

/* The first faces: the tetrahedron of four points, of which the last lies on the inner side of (v0, v1, v2) seen
 * counter-clockwise from outside. */
GRZ_TEMPLATE bool grz_polytope_start(grz_polytope *p, const int v[4], grz_plane plane, void *context) {
  static const int8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int8_t across[4][3] = {{1 << 2 | 2, 2 << 2 | 2, 3 << 2 | 2},
                                      {3 << 2 | 1, 2 << 2 | 0, 0 << 2 | 0},
                                      {1 << 2 | 1, 3 << 2 | 0, 0 << 2 | 1},
                                      {2 << 2 | 1, 1 << 2 | 0, 0 << 2 | 2}};
  grz_polytope_clear(p);
  for (int i = 0; i < 4; i++) {
    int face = polytope_take(p);
    for (int k = 0; k < 3; k++) {
      p->face[face].vertex[k] = v[corner[i][k]];
      p->face[face].neighbor[k] = across[i][k];
    }
    if (!plane(context, p, face)) return false;
  }
  return true;
}

#endif
