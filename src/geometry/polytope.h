/* A convex polytope with triangular faces that grows by points, in a buffer of the caller: the polytope of EPA and of
 * hulls of configuration-space obstacles. Source: the expansion step of van den Bergen 2001, "Proximity queries and
 * penetration depth computation on 3D game objects" (EPA).
 *
 * A new point replaces the faces visible from it. A face is visible if the point is on or beyond its plane. With exact
 * predicates the surface stays that of the convex hull, and no face is degenerate. A face across the horizon is not
 * visible, so the point is neither on the plane of that face nor collinear with the edge of the horizon.
 * docs/theory/depth.md, "Growing". */
#ifndef GRAZE_GEOMETRY_POLYTOPE_H
#define GRAZE_GEOMETRY_POLYTOPE_H

#include "core/memory.h"
#include "shape/proof.h"

#include <stdint.h>

typedef struct grz_face {
  int32_t vertex[3];   /* counter-clockwise from outside; vertex[0] is -1 for a removed face */
  int32_t neighbor[3]; /* across vertex[k] -> vertex[k + 1]: 4·face + the number of the edge in that face */
  graze_vec normal;    /* unit, outward, rounded */
  double tilt; /* for the caller; exact EPA: a bound of |normal - exact unit normal|; EPA in doubles: the length before
                  normalization */
} grz_face;

/* A closed surface of triangles with n points has 2n - 4 faces. The search for the horizon pushes at most 2 edges for
 * each removed face. */
enum { GRZ_POLYTOPE_FACES = 2, POLYTOPE_STACK = 2 * GRZ_POLYTOPE_FACES };

_Static_assert(3 * sizeof(graze_vec) + sizeof(graze_pair) + GRZ_POLYTOPE_FACES * (sizeof(grz_face) + sizeof(double)) +
                       (POLYTOPE_STACK + GRZ_POLYTOPE_FACES) * sizeof(int32_t) <=
                   GRZ_POLYTOPE_BYTES,
               "the arrays of a polytope fit");

typedef struct grz_polytope {
  int point_count, point_capacity;
  int face_count, face_capacity; /* slots, removed faces included */
  int free_face;                 /* the first removed face, linked by neighbor[0]; -1: none */
  graze_vec *w;                  /* the points, rounded */
  graze_pair *pair;              /* the parents of each point; index -1 - k is local[k] */
  graze_vec *local;              /* the parents in the frames of A and B: of point i local[2i] and local[2i + 1] */
  grz_face *face;
  double *height; /* normal·w on the plane of each face; infinite for a removed face */
  int32_t *stack, *horizon;
} grz_polytope;

/* Removes all faces; the points stay. */
static inline void grz_polytope_clear(grz_polytope *p) {
  p->face_count = 0;
  p->free_face = -1;
}

/* An empty polytope in `size` bytes, aligned as by malloc(). Capacity: graze_workspace_size(). */
static inline void grz_polytope_make(grz_polytope *p, void *buffer, size_t size) {
  size_t points = size / GRZ_POLYTOPE_BYTES;
  if (points > INT32_MAX / 16) points = INT32_MAX / 16;
  char *at = buffer;
  p->point_capacity = (int)points;
  p->face_capacity = GRZ_POLYTOPE_FACES * p->point_capacity;
  p->point_count = 0;
  p->w = (graze_vec *)(void *)at, at += points * sizeof *p->w;
  p->local = (graze_vec *)(void *)at, at += 2 * points * sizeof *p->local;
  p->height = (double *)(void *)at, at += (size_t)p->face_capacity * sizeof *p->height;
  p->face = (grz_face *)(void *)at, at += (size_t)p->face_capacity * sizeof *p->face;
  p->pair = (graze_pair *)(void *)at, at += points * sizeof *p->pair;
  p->stack = (int32_t *)(void *)at, at += POLYTOPE_STACK * points * sizeof *p->stack;
  p->horizon = (int32_t *)(void *)at;
  grz_polytope_clear(p);
}

/* Is the face visible from the point: is the point on or beyond the plane of the face? */
typedef bool (*grz_face_visible)(void *context, const grz_polytope *polytope, int face, int point);

/* Sets normal, height and tilt of a face from its vertices. False: it is degenerate. */
typedef bool (*grz_face_plane)(void *context, grz_polytope *polytope, int face);

static inline bool grz_face_is_removed(const grz_face *face) { return face->vertex[0] < 0; }

/* The first face that is not removed, of a polytope that has one. */
static inline int grz_first_face(const grz_polytope *p) {
  int face = 0;
  while (grz_face_is_removed(&p->face[face])) face++;
  return face;
}

/* The parents of point i. */
static inline grz_pair grz_polytope_pair(const grz_polytope *p, int i) {
  const graze_pair *pair = &p->pair[i];
  return (grz_pair){pair->a < 0 ? -1 : pair->a, pair->b < 0 ? -1 : pair->b, p->local[2 * i], p->local[2 * i + 1],
                    pair->end};
}

static inline void grz_polytope_set_pair(grz_polytope *p, int i, const grz_pair *pair) {
  p->pair[i] = (graze_pair){pair->a < 0 ? -1 - 2 * i : pair->a, pair->b < 0 ? -2 - 2 * i : pair->b, pair->end};
  p->local[2 * i] = pair->point_a, p->local[2 * i + 1] = pair->point_b;
}

/* The same for a corner of a face. */
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

/* The slot of a new face; -1: the buffer is full. */
static inline int polytope_new_face(grz_polytope *p) {
  int face = p->free_face;
  if (face >= 0)
    p->free_face = p->face[face].neighbor[0];
  else if (p->face_count < p->face_capacity)
    face = p->face_count++;
  return face;
}

/* Removes the faces that are visible from the point and connected to `seed`. Stores the horizon, the edges of the hole
 * in order, as edges of the faces that stay. Returns their number. */
GRZ_TEMPLATE int polytope_remove_visible(grz_polytope *p, int seed, int point, grz_face_visible visible,
                                         void *context) {
  int depth = 0, edges = 0;
  for (int k = 2; k >= 0; k--) p->stack[depth++] = p->face[seed].neighbor[k];
  polytope_remove(p, seed);
  while (depth > 0) {
    int32_t at = p->stack[--depth];
    int face = at >> 2, edge = at & 3;
    if (grz_face_is_removed(&p->face[face])) continue;
    if (!visible(context, p, face, point)) {
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

/* Closes the hole by a fan of faces around the point. False: the horizon is not a closed chain, a face is degenerate,
 * or the buffer is full. */
GRZ_TEMPLATE bool polytope_add_fan(grz_polytope *p, int point, int edges, grz_face_plane plane, void *context) {
  int32_t *fan = p->stack, last = p->horizon[edges - 1];
  int32_t end = p->face[last >> 2].vertex[last & 3];
  bool chain = true;
  for (int i = 0; i < edges; i++) {
    fan[i] = polytope_new_face(p);
    if (fan[i] < 0) return false;
  }
  for (int i = 0; i < edges; i++) {
    int32_t at = p->horizon[i];
    grz_face *face = &p->face[fan[i]], *outer = &p->face[at >> 2];
    face->vertex[0] = outer->vertex[polytope_next(at & 3)];
    face->vertex[1] = outer->vertex[at & 3];
    face->vertex[2] = point;
    chain &= face->vertex[0] == end;
    end = face->vertex[1];
    face->neighbor[0] = at;
    face->neighbor[1] = fan[i + 1 < edges ? i + 1 : 0] << 2 | 2;
    face->neighbor[2] = fan[i > 0 ? i - 1 : edges - 1] << 2 | 1;
    outer->neighbor[at & 3] = fan[i] << 2;
    if (!plane(context, p, fan[i])) return false;
  }
  return chain;
}

/* Adds a point that is already in p->w. `seed` is a face visible from it. False, and the polytope is unusable: the
 * buffer is full, or rounded predicates contradict each other. */
GRZ_TEMPLATE bool grz_polytope_add(grz_polytope *p, int seed, int point, grz_face_visible visible, grz_face_plane plane,
                                   void *context) {
  int edges = polytope_remove_visible(p, seed, point, visible, context);
  return edges >= 3 && polytope_add_fan(p, point, edges, plane, context);
}

/* The same in 2D, for a polygon. A face is an edge from vertex[0] to vertex[1]; neighbor[0] is the previous edge,
 * neighbor[1] the next. */
GRZ_TEMPLATE bool grz_polygon_add(grz_polytope *p, int seed, int point, grz_face_visible visible, grz_face_plane plane,
                                  void *context) {
  int first = seed, last = seed;
  while (p->face[first].neighbor[0] != last && visible(context, p, p->face[first].neighbor[0], point))
    first = p->face[first].neighbor[0];
  while (p->face[last].neighbor[1] != first && visible(context, p, p->face[last].neighbor[1], point))
    last = p->face[last].neighbor[1];
  int before = p->face[first].neighbor[0], after = p->face[last].neighbor[1];
  int32_t from = p->face[first].vertex[0], to = p->face[last].vertex[1];
  if (before == last) return false; /* all edges are visible */
  for (int face = first;; face = seed) {
    seed = p->face[face].neighbor[1];
    polytope_remove(p, face);
    if (face == last) break;
  }
  int in = polytope_new_face(p), out = polytope_new_face(p);
  if (in < 0 || out < 0) return false;
  p->face[in] = (grz_face){.vertex = {from, point, -1}, .neighbor = {before, out, -1}};
  p->face[out] = (grz_face){.vertex = {point, to, -1}, .neighbor = {in, after, -1}};
  p->face[before].neighbor[1] = in;
  p->face[after].neighbor[0] = out;
  return plane(context, p, in) && plane(context, p, out);
}

/* The first polygon: the triangle of three points, counter-clockwise. */
GRZ_TEMPLATE bool grz_polygon_start(grz_polytope *p, const int v[3], grz_face_plane plane, void *context) {
  bool good = true;
  grz_polytope_clear(p);
  for (int i = 0; i < 3; i++) {
    int next = polytope_next(i), before = polytope_next(next), face = polytope_new_face(p);
    p->face[face] = (grz_face){.vertex = {v[i], v[next], -1}, .neighbor = {before, next, -1}};
    good = plane(context, p, face) && good;
  }
  return good;
}

/* The first polytope: the tetrahedron of four points. The triangle v[0], v[1], v[2] is counter-clockwise from outside.
 */
GRZ_TEMPLATE bool grz_polytope_start(grz_polytope *p, const int v[4], grz_face_plane plane, void *context) {
  static const int8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int8_t across[4][3] = {{1 << 2 | 2, 2 << 2 | 2, 3 << 2 | 2},
                                      {3 << 2 | 1, 2 << 2 | 0, 0 << 2 | 0},
                                      {1 << 2 | 1, 3 << 2 | 0, 0 << 2 | 1},
                                      {2 << 2 | 1, 1 << 2 | 0, 0 << 2 | 2}};
  grz_polytope_clear(p);
  for (int i = 0; i < 4; i++) {
    int face = polytope_new_face(p);
    for (int k = 0; k < 3; k++) {
      p->face[face].vertex[k] = v[corner[i][k]];
      p->face[face].neighbor[k] = across[i][k];
    }
    if (!plane(context, p, face)) return false;
  }
  return true;
}

#endif
