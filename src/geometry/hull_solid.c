/* Convex hulls of points that span space: incremental construction with conflict lists (Clarkson, Shor 1989,
 * "Applications of random sampling in computational geometry II") and exact predicates.
 *
 * A half-edge structure holds the exact face lattice of the hull of the points inserted so far. No two faces are
 * coplanar, and every corner is an extreme point. Each point outside the hull is in the conflict list of one face that
 * is visible from it. grz_polytope of polytope.h is unsuitable: it keeps coplanar triangles separate, which makes large
 * flat faces quadratic. The insertion order is a biased random one (Amenta, Choi, Rote 2003, "Incremental constructions
 * con BRIO"). Proofs: docs/theory/hull.md. */
#include "exact/exact.h"
#include "geometry/hull_arrays.h"

#include <string.h>

/* A half-edge from `origin` to the origin of `next`, with `face` on its left. */
typedef struct solid_edge {
  int32_t origin, twin, next, prev, face;
} solid_edge;

typedef struct solid_face {
  grz_plane_filter plane;
  int32_t corner[3]; /* three points that define the plane, counter-clockwise from outside */
  int32_t edge;      /* one of its edges; SOLID_NONE: a free slot */
  int32_t conflict;  /* the first point of the conflict list; for a free slot: the next free slot */
  int32_t tested;    /* the last point whose side was computed */
  int32_t side;      /* the side of that point: 1 outside, 0 on the plane, -1 inside */
} solid_face;

enum { SOLID_NONE = -1, SOLID_HORIZON = -2 };

/* A growing array. */
typedef struct solid_array {
  void *at;
  int32_t used, capacity;
} solid_array;

/* A face of the cone around a new point: its first vertex on the horizon, its edges to the point and from it. */
typedef struct solid_cone_face {
  int32_t base, face, in, out;
} solid_cone_face;

typedef struct solid_hull {
  graze_allocator allocator;
  int32_t count;
  graze_vec *point;       /* in the order of insertion */
  int32_t *index;         /* the index of each point in the input; of equal points, the first */
  int32_t *conflict;      /* the face whose conflict list holds the point; SOLID_NONE: inserted, or not outside */
  int32_t *next_conflict; /* the next point of the same list */
  graze_vec extent;       /* of the bounds of all points */
  solid_edge *edge;       /* = edges.at */
  solid_face *face;       /* = faces.at */
  solid_array edges, faces, visible, horizon, cone;
  int32_t free_edge, free_face;
  graze_status failure; /* GRAZE_OUT_OF_MEMORY; GRAZE_BAD_SHAPE: more than int32_t can number */
} solid_hull;

static inline int32_t *solid_visible(const solid_hull *s) { return s->visible.at; }
static inline int32_t *solid_horizon(const solid_hull *s) { return s->horizon.at; }

/* ---- Storage: arrays that double, and slots that are used again. */

enum { SOLID_CAPACITY_MIN = 64 };

/* Makes space for `more` further elements. False: s->failure. */
static bool solid_reserve(solid_hull *s, solid_array *array, size_t size, int64_t more) {
  if (more <= array->capacity - array->used) return true;
  int64_t wanted = array->used + more, capacity = 2 * (int64_t)array->capacity;
  if (capacity < wanted) capacity = wanted;
  if (capacity < SOLID_CAPACITY_MIN) capacity = SOLID_CAPACITY_MIN;
  if (capacity > INT32_MAX) capacity = INT32_MAX;
  s->failure = capacity < wanted ? GRAZE_BAD_SHAPE : GRAZE_OUT_OF_MEMORY;
  void *at = capacity < wanted ? NULL : grz_allocate(&s->allocator, (size_t)capacity, size);
  if (!at) return false;
  if (array->used > 0) memcpy(at, array->at, (size_t)array->used * size);
  grz_release(&s->allocator, array->at);
  array->at = at;
  array->capacity = (int32_t)capacity;
  s->edge = s->edges.at;
  s->face = s->faces.at;
  return true;
}

/* A new edge or face; the caller has reserved its space. */
static int32_t solid_new_edge(solid_hull *s) {
  const int32_t edge = s->free_edge;
  if (edge == SOLID_NONE) return s->edges.used++;
  s->free_edge = s->edge[edge].twin;
  return edge;
}

/* A new face through the corners a, b, c, counter-clockwise from outside. */
static int32_t solid_new_face(solid_hull *s, int32_t a, int32_t b, int32_t c) {
  int32_t face = s->free_face;
  if (face == SOLID_NONE)
    face = s->faces.used++;
  else
    s->free_face = s->face[face].conflict;
  const grz_plane_filter plane = grz_orient3_filter(s->point[a], s->point[b], s->point[c], s->extent);
  s->face[face] = (solid_face){plane, {a, b, c}, SOLID_NONE, SOLID_NONE, SOLID_NONE, -1};
  return face;
}

static void solid_free_edge(solid_hull *s, int32_t edge) {
  s->edge[edge].face = SOLID_NONE;
  s->edge[edge].twin = s->free_edge;
  s->free_edge = edge;
}

/* ---- Predicates. */

/* 1: the point lies outside the plane of the face, -1: inside, 0: on it. */
static inline int solid_side(const solid_hull *s, const solid_face *face, graze_vec q) {
  const graze_vec a = s->point[face->corner[0]], n = face->plane.normal;
  const double height = (n.x * (q.x - a.x) + n.y * (q.y - a.y)) + n.z * (q.z - a.z);
  if (height > face->plane.error) return 1;
  if (height < -face->plane.error) return -1;
  return grz_orient3(a, s->point[face->corner[1]], s->point[face->corner[2]], q);
}

/* Is the face visible from point p? Computes the side once per point and appends the face to the visible ones. */
static bool solid_test_visible(solid_hull *s, int32_t face, int32_t p) {
  solid_face *f = &s->face[face];
  if (f->tested != p) {
    f->tested = p;
    f->side = solid_side(s, f, s->point[p]);
    if (f->side > 0) solid_visible(s)[s->visible.used++] = face;
  }
  return f->side > 0;
}

/* The face across an edge. */
static int32_t solid_across(const solid_hull *s, int32_t edge) { return s->edge[s->edge[edge].twin].face; }

/* The face across an edge of the horizon if the new point is coplanar with it, otherwise SOLID_NONE. */
static int32_t solid_coplanar(const solid_hull *s, int32_t edge) {
  const int32_t face = solid_across(s, edge);
  return s->face[face].side == 0 ? face : SOLID_NONE;
}

/* The next edge of the horizon, counter-clockwise around the visible faces. */
static int32_t solid_next_horizon(const solid_hull *s, int32_t edge) {
  edge = s->edge[edge].next;
  while (s->face[solid_across(s, edge)].side > 0) edge = s->edge[s->edge[edge].twin].next;
  return edge;
}

/* ---- Conflict lists. */

/* A face of the cone around the point p that is visible from q; SOLID_NONE: q is not outside. */
static int32_t solid_find_conflict(const solid_hull *s, graze_vec p, graze_vec q) {
  enum { BISECT_MIN = 16 };
  const solid_cone_face *cone = s->cone.at;
  const int32_t last = s->cone.used - 1;
  if (last + 1 < BISECT_MIN) {
    for (int32_t i = 0; i <= last; i++) {
      if (solid_side(s, &s->face[cone[i].face], q) > 0) return cone[i].face;
    }
    return SOLID_NONE;
  }
  /* Planes through the first edge of the cone divide it into one wedge per face. Bisection finds the wedge of q; if q
   * is outside the cone, the face of its wedge is visible. */
  if (solid_side(s, &s->face[cone[0].face], q) > 0) return cone[0].face;
  if (solid_side(s, &s->face[cone[last].face], q) > 0) return cone[last].face;
  int32_t low = 1, high = last;
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    if (grz_orient3(s->point[cone[0].base], s->point[cone[middle].base], p, q) > 0)
      high = middle;
    else
      low = middle;
  }
  return solid_side(s, &s->face[cone[low].face], q) > 0 ? cone[low].face : SOLID_NONE;
}

static void solid_set_conflict(solid_hull *s, int32_t q, int32_t face) {
  s->conflict[q] = face;
  if (face == SOLID_NONE) return;
  s->next_conflict[q] = s->face[face].conflict;
  s->face[face].conflict = q;
}

/* ---- The cone of new faces around point p. */

static void solid_link(solid_hull *s, int32_t edge, int32_t next) {
  s->edge[edge].next = next;
  s->edge[next].prev = edge;
}

/* Inserts the two edges of a face that meet at p: from vertex `from`, where `before` ends, to the start of `after`. */
static void solid_insert_corner(solid_hull *s, solid_cone_face *cone, int32_t before, int32_t after, int32_t from,
                                int32_t p) {
  cone->in = solid_new_edge(s);
  cone->out = solid_new_edge(s);
  s->edge[cone->in].origin = from;
  s->edge[cone->out].origin = p;
  s->edge[cone->in].face = s->edge[cone->out].face = cone->face;
  solid_link(s, before, cone->in);
  solid_link(s, cone->in, cone->out);
  solid_link(s, cone->out, after);
  s->face[cone->face].edge = cone->in;
}

/* ---- Incremental construction. */

/* The tetrahedron of points 0 … 3, the last of which is inside the plane of the others. Fills the conflict lists. */
static bool solid_start(solid_hull *s) {
  static const int8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int8_t twin[12] = {5, 8, 11, 10, 6, 0, 4, 9, 1, 7, 3, 2};
  if (!solid_reserve(s, &s->edges, sizeof(solid_edge), 12) || !solid_reserve(s, &s->faces, sizeof(solid_face), 4))
    return false;
  for (int32_t i = 0; i < 4; i++) {
    const int8_t *c = corner[i];
    const int32_t face = solid_new_face(s, c[0], c[1], c[2]);
    s->face[face].edge = 3 * i;
    for (int32_t k = 0; k < 3; k++) {
      const int32_t next = 3 * i + (k + 1) % 3, prev = 3 * i + (k + 2) % 3;
      s->edge[solid_new_edge(s)] = (solid_edge){c[k], twin[3 * i + k], next, prev, face};
    }
  }
  for (int32_t q = 0; q < s->count; q++) {
    int32_t face = SOLID_NONE;
    for (int32_t k = 0; k < 4; k++) {
      if (vec_equal(s->point[q], s->point[k]) && s->index[q] < s->index[k]) s->index[k] = s->index[q];
    }
    for (int32_t k = 0; k < 4 && face == SOLID_NONE; k++) {
      if (solid_side(s, &s->face[k], s->point[q]) > 0) face = k;
    }
    solid_set_conflict(s, q, face);
  }
  return true;
}

/* Inserts point p, which is in a conflict list. False: s->failure. */
static bool solid_insert(solid_hull *s, int32_t p) {
  /* The visible faces, by breadth-first search from the face of the conflict list. */
  int32_t edge = SOLID_NONE;
  s->visible.used = 0;
  if (!solid_reserve(s, &s->visible, sizeof(int32_t), s->faces.used)) return false;
  solid_test_visible(s, s->conflict[p], p);
  for (int32_t i = 0; i < s->visible.used; i++) {
    const int32_t first = s->face[solid_visible(s)[i]].edge;
    int32_t e = first;
    do {
      if (!solid_test_visible(s, solid_across(s, e), p)) edge = e;
      e = s->edge[e].next;
    } while (e != first);
  }

  /* The horizon: the edges between visible and other faces. The list starts at the first edge of a coplanar face
   * across; no face is adjacent to the whole horizon. */
  int32_t previous;
  do {
    previous = edge;
    edge = solid_next_horizon(s, edge);
  } while (solid_coplanar(s, previous) != SOLID_NONE && solid_coplanar(s, previous) == solid_coplanar(s, edge));
  s->horizon.used = 0;
  const int32_t start = edge;
  do {
    if (!solid_reserve(s, &s->horizon, sizeof(int32_t), 1)) return false;
    solid_horizon(s)[s->horizon.used++] = edge;
    edge = solid_next_horizon(s, edge);
  } while (edge != start);

  /* Free the edges between visible faces. */
  for (int32_t i = 0; i < s->horizon.used; i++) s->edge[solid_horizon(s)[i]].face = SOLID_HORIZON;
  for (int32_t i = 0; i < s->visible.used; i++) {
    const int32_t first = s->face[solid_visible(s)[i]].edge;
    int32_t e = first;
    do {
      const int32_t next = s->edge[e].next;
      if (s->edge[e].face != SOLID_HORIZON) solid_free_edge(s, e);
      e = next;
    } while (e != first);
  }

  /* The cone of new faces, one or more edges of the horizon each, replaces the visible faces. */
  const int32_t sides = s->horizon.used;
  s->cone.used = 0;
  if (!solid_reserve(s, &s->edges, sizeof(solid_edge), 2 * (int64_t)sides) ||
      !solid_reserve(s, &s->faces, sizeof(solid_face), sides) ||
      !solid_reserve(s, &s->cone, sizeof(solid_cone_face), sides))
    return false;
  const int32_t *horizon = solid_horizon(s);
  solid_cone_face *cone = s->cone.at;
  for (int32_t first = 0, last = 0; first < sides; first = last + 1) {
    solid_cone_face *made = &cone[s->cone.used++];
    const int32_t coplanar = solid_coplanar(s, horizon[first]);
    last = first;
    while (coplanar != SOLID_NONE && last + 1 < sides && solid_coplanar(s, horizon[last + 1]) == coplanar) last++;
    made->base = s->edge[horizon[first]].origin;
    const int32_t end = s->edge[s->edge[horizon[last]].twin].origin;
    if (coplanar == SOLID_NONE) {
      /* p is inside the plane of the face across: the edge and p form a triangle. */
      made->face = solid_new_face(s, made->base, end, p);
      s->edge[horizon[first]].face = made->face;
      solid_insert_corner(s, made, horizon[first], horizon[first], end, p);
    } else {
      /* p is coplanar with the face across: that face grows, and p replaces its edges first … last on the horizon. */
      const int32_t before = s->edge[s->edge[horizon[last]].twin].prev;
      const int32_t after = s->edge[s->edge[horizon[first]].twin].next;
      made->face = coplanar;
      for (int32_t i = first; i <= last; i++) {
        solid_free_edge(s, s->edge[horizon[i]].twin);
        solid_free_edge(s, horizon[i]);
      }
      solid_insert_corner(s, made, before, after, end, p);
    }
  }

  /* Join neighbouring faces of the cone. */
  const int32_t count = s->cone.used;
  for (int32_t i = 0; i < count; i++) {
    const solid_cone_face *right = &cone[i > 0 ? i - 1 : count - 1], *left = &cone[i];
    s->edge[right->in].twin = left->out;
    s->edge[left->out].twin = right->in;
  }
  /* Two grown faces that shared an edge: remove its end on the horizon, which now lies inside a longer edge. */
  for (int32_t i = 0; i < count; i++) {
    const solid_cone_face *right = &cone[i > 0 ? i - 1 : count - 1], *left = &cone[i];
    if (s->face[right->face].side != 0 || s->face[left->face].side != 0) continue;
    const int32_t before = s->edge[right->in].prev, after = s->edge[left->out].next;
    if (s->edge[before].twin != after) continue;
    s->edge[after].origin = s->edge[left->out].origin;
    solid_link(s, before, s->edge[right->in].next);
    solid_link(s, s->edge[left->out].prev, after);
    s->face[right->face].edge = before;
    s->face[left->face].edge = after;
    solid_free_edge(s, right->in);
    solid_free_edge(s, left->out);
  }

  /* Move the points of the conflict lists of visible faces to faces of the cone, and free the visible faces. A point
   * equal to p is in one of the lists; the least index in the input is kept. */
  for (int32_t i = 0; i < s->visible.used; i++) {
    solid_face *face = &s->face[solid_visible(s)[i]];
    for (int32_t q = face->conflict, next; q != SOLID_NONE; q = next) {
      next = s->next_conflict[q];
      const bool same = vec_equal(s->point[q], s->point[p]);
      if (same && s->index[q] < s->index[p]) s->index[p] = s->index[q];
      solid_set_conflict(s, q, same ? SOLID_NONE : solid_find_conflict(s, s->point[p], s->point[q]));
    }
    face->edge = SOLID_NONE, face->conflict = s->free_face;
    s->free_face = solid_visible(s)[i];
  }
  return true;
}

/* ---- The order of insertion. */

/* Rounds: the last half of the shuffled points, the last half of the rest, and so on. Each round is sorted by Morton
 * codes of 3·10 bits, so that successive insertions use the same memory. */
enum { ORDER_BITS = 10, ORDER_CELLS = 1 << ORDER_BITS, ORDER_ROUND_MIN = 2048 };

typedef struct order_key {
  uint32_t cell;
  int32_t index;
} order_key;

static void order_swap(int32_t *index, size_t i, size_t j) {
  const int32_t t = index[i];
  index[i] = index[j], index[j] = t;
}

/* The bits of 0 <= t <= 1 with two free bits between any two. */
static uint32_t order_spread_bits(double t) {
  uint32_t x = (uint32_t)(t * (ORDER_CELLS - 1));
  x = (x | x << 16) & UINT32_C(0x030000ff);
  x = (x | x << 8) & UINT32_C(0x0300f00f);
  x = (x | x << 4) & UINT32_C(0x030c30c3);
  return (x | x << 2) & UINT32_C(0x09249249);
}

/* Radix sort by Morton codes. `keys` has space for twice as many keys as there are points. */
static void order_sort(int32_t *index, size_t count, const graze_vec *points, graze_vec low, graze_vec extent,
                       order_key *keys) {
  order_key *from = keys, *to = keys + count;
  for (size_t i = 0; i < count; i++) {
    const graze_vec p = points[index[i]];
    from[i].cell = order_spread_bits((p.x - low.x) / extent.x) | order_spread_bits((p.y - low.y) / extent.y) << 1 |
                   order_spread_bits((p.z - low.z) / extent.z) << 2;
    from[i].index = index[i];
  }
  for (int shift = 0; shift < 3 * ORDER_BITS; shift += ORDER_BITS) {
    size_t start[ORDER_CELLS + 1] = {0};
    for (size_t i = 0; i < count; i++) start[(from[i].cell >> shift) % ORDER_CELLS + 1]++;
    for (size_t i = 0; i < ORDER_CELLS; i++) start[i + 1] += start[i];
    for (size_t i = 0; i < count; i++) to[start[(from[i].cell >> shift) % ORDER_CELLS]++] = from[i];
    order_key *swap = from;
    from = to, to = swap;
  }
  for (size_t i = 0; i < count; i++) index[i] = from[i].index;
}

/* Fills s->index and s->point in the order of insertion: the points of the span first. */
static void solid_order(solid_hull *s, const graze_vec *points, const grz_span *span) {
  const size_t count = (size_t)s->count;
  for (size_t i = 0; i < count; i++) s->index[i] = (int32_t)i;
  for (size_t k = 0; k < 4; k++) {
    size_t at = span->point[k];
    while ((size_t)s->index[at] != span->point[k]) at = (size_t)s->index[at]; /* follow earlier swaps */
    order_swap(s->index, k, at);
  }
  if (grz_orient3(points[s->index[0]], points[s->index[1]], points[s->index[2]], points[s->index[3]]) > 0)
    order_swap(s->index, 0, 1);

  /* Shuffle the others (Fisher, Yates), with xorshift64*: no order of the input is a bad case. */
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = count; i-- > 5;) {
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    const uint64_t random = (state * UINT64_C(0x2545f4914f6cdd1d)) >> 32;
    order_swap(s->index, i, 4 + (size_t)((random * (i - 3)) >> 32));
  }

  graze_vec low = points[0], high = low;
  for (size_t i = 1; i < count; i++) low = vec_min(low, points[i]), high = vec_max(high, points[i]);
  s->extent = vec_sub(high, low);
  order_key *keys = (order_key *)(void *)s->point; /* not yet in use, and large enough */
  for (size_t end = count; end / 2 >= ORDER_ROUND_MIN; end /= 2)
    order_sort(s->index + end / 2, end - end / 2, points, low, s->extent, keys);
  for (size_t i = 0; i < count; i++) s->point[i] = points[s->index[i]];
}

/* ---- The result. */

/* The number of the vertex where an edge starts. `next_conflict` numbers the input points: see solid_write(). */
static int32_t solid_vertex(const solid_hull *s, int32_t edge) {
  return s->next_conflict[s->index[s->edge[edge].origin]];
}

static graze_status solid_write(const solid_hull *s, const graze_vec *points, graze_hull *hull) {
  /* Number the vertices in the order of the input. */
  size_t faces = 0, corners = 0, vertices = 0;
  for (int32_t i = 0; i < s->count; i++) s->next_conflict[i] = SOLID_NONE;
  for (int32_t e = 0; e < s->edges.used; e++) {
    if (s->edge[e].face == SOLID_NONE) continue;
    s->next_conflict[s->index[s->edge[e].origin]] = 0;
    corners++;
  }
  for (int32_t i = 0; i < s->count; i++) {
    if (s->next_conflict[i] != SOLID_NONE) s->next_conflict[i] = (int32_t)vertices++;
  }
  for (int32_t f = 0; f < s->faces.used; f++) faces += s->face[f].edge != SOLID_NONE;

  grz_hull_arrays arrays;
  const graze_status status = grz_hull_allocate(hull, &arrays, vertices, faces, corners, corners / 2);
  if (status != GRAZE_OK) return status;
  for (int32_t i = 0; i < s->count; i++) {
    const int32_t vertex = s->next_conflict[i];
    if (vertex != SOLID_NONE) arrays.vertices[vertex] = points[i], arrays.indices[vertex] = (size_t)i;
  }

  /* Every face starts with its least vertex. */
  int32_t at = 0, face = 0;
  for (int32_t f = 0; f < s->faces.used; f++) {
    if (s->face[f].edge == SOLID_NONE) continue;
    arrays.face_start[face++] = at;
    int32_t first = s->face[f].edge;
    for (int32_t e = s->edge[first].next; e != s->face[f].edge; e = s->edge[e].next) {
      if (solid_vertex(s, e) < solid_vertex(s, first)) first = e;
    }
    int32_t e = first;
    do {
      arrays.face_vertices[at++] = solid_vertex(s, e);
      e = s->edge[e].next;
    } while (e != first);
  }
  arrays.face_start[face] = at;

  /* Adjacency by counting sort of the half-edges. */
  int32_t *start = arrays.start;
  for (size_t i = 0; i <= vertices; i++) start[i] = 0;
  for (int32_t e = 0; e < s->edges.used; e++) {
    if (s->edge[e].face != SOLID_NONE) start[solid_vertex(s, e) + 1]++;
  }
  for (size_t i = 0; i < vertices; i++) start[i + 1] += start[i];
  for (int32_t e = 0; e < s->edges.used; e++) {
    if (s->edge[e].face != SOLID_NONE) arrays.neighbor[start[solid_vertex(s, e)]++] = solid_vertex(s, s->edge[e].next);
  }
  for (size_t i = vertices; i > 0; i--) start[i] = start[i - 1]; /* the loop above moved each start to the next */
  start[0] = 0;
  grz_hull_fill_seeds(hull, &arrays);
  return GRAZE_OK;
}

graze_status grz_hull_solid(const graze_vec *points, size_t count, const grz_span *span, graze_hull *hull) {
  solid_hull s = {
      .allocator = hull->allocator, .count = (int32_t)count, .free_edge = SOLID_NONE, .free_face = SOLID_NONE};
  s.point = grz_allocate(&s.allocator, count, sizeof *s.point + 3 * sizeof(int32_t));
  if (!s.point) return GRAZE_OUT_OF_MEMORY;
  s.index = (int32_t *)(void *)(s.point + count), s.conflict = s.index + count, s.next_conflict = s.conflict + count;
  solid_order(&s, points, span);
  bool grown = solid_start(&s);
  for (int32_t p = 4; grown && p < s.count; p++) {
    if (s.conflict[p] != SOLID_NONE) grown = solid_insert(&s, p);
  }
  const graze_status status = grown ? solid_write(&s, points, hull) : s.failure;
  solid_array *const arrays[] = {&s.edges, &s.faces, &s.visible, &s.horizon, &s.cone};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) grz_release(&s.allocator, arrays[i]->at);
  grz_release(&s.allocator, s.point);
  return status;
}
