/* Constrained Delaunay triangulation of points in the plane. Triangulation by divide and conquer: Guibas, Stolfi 1985,
 * "Primitives for the manipulation of general subdivisions". Constraints: Anglada 1997, "An improved incremental
 * algorithm for constructing restricted Delaunay triangulations". Flips: Lawson 1977. docs/theory/decompose.md. */
#include "geometry/polygon.h"

#include "exact/exact.h"

/* ---- Topology. */

/* A new edge, not connected to others; returns its dart from -> to. */
static int32_t mesh_add_edge(grz_mesh *mesh, int32_t from, int32_t to) {
  int32_t e = mesh->free;
  if (e >= 0)
    mesh->free = mesh->dart[e].ccw;
  else
    e = mesh->dart_count, mesh->dart_count += 2;
  mesh->dart[e] = (grz_dart){.from = from, .ccw = e, .cw = e, .constraint = -1};
  mesh->dart[e ^ 1] = (grz_dart){.from = to, .ccw = e ^ 1, .cw = e ^ 1, .constraint = -1};
  mesh->first[from] = e;
  mesh->first[to] = e ^ 1;
  return e;
}

/* Splice of Guibas and Stolfi: for darts with the same origin, exchanges their successors around it. */
static void mesh_splice(grz_mesh *mesh, int32_t a, int32_t b) {
  grz_dart *dart = mesh->dart;
  const int32_t after_a = dart[a].ccw, after_b = dart[b].ccw;
  dart[a].ccw = after_b, dart[b].ccw = after_a;
  dart[after_b].cw = a, dart[after_a].cw = b;
}

/* Connect of Guibas and Stolfi: a new edge from the end of a to the start of b, which have the same face on the left.
 * Both darts get the winding number of a. */
static int32_t mesh_connect(grz_mesh *mesh, int32_t a, int32_t b) {
  const int32_t after = mesh_next(mesh, a), e = mesh_add_edge(mesh, mesh_to(mesh, a), mesh->dart[b].from);
  mesh_splice(mesh, e, after);
  mesh_splice(mesh, e ^ 1, b);
  mesh->dart[e].winding = mesh->dart[e ^ 1].winding = mesh->dart[a].winding;
  return e;
}

void grz_mesh_remove_edge(grz_mesh *mesh, int32_t e) {
  for (int side = 0; side < 2; side++, e ^= 1) {
    grz_dart *dart = &mesh->dart[e];
    mesh->first[dart->from] = dart->cw != e ? dart->cw : -1;
    mesh_splice(mesh, e, dart->cw);
    dart->from = -1;
  }
  e &= ~1;
  mesh->dart[e].ccw = mesh->free;
  mesh->free = e;
}

/* Replaces an edge by the other diagonal of its two triangles. Returns its dart, which is pending. */
static int32_t mesh_flip(grz_mesh *mesh, int32_t e) {
  const int32_t a = mesh_next(mesh, e), b = mesh_previous(mesh, e ^ 1);
  grz_mesh_remove_edge(mesh, e);
  const int32_t flipped = mesh_connect(mesh, a, b);
  mesh->dart[flipped & ~1].pending = true;
  return flipped;
}

/* ---- Predicates. */

int grz_mesh_orient(const grz_mesh *mesh, int32_t a, int32_t b, int32_t c) {
  return grz_orient2(mesh->point[a], mesh->point[b], mesh->point[c]);
}

static bool mesh_in_circle(const grz_mesh *mesh, int32_t a, int32_t b, int32_t c, int32_t d) {
  return grz_in_circle(mesh->point[a], mesh->point[b], mesh->point[c], mesh->point[d]) > 0;
}

/* ---- Delaunay triangulation. */

/* Two darts of the hull of a part: counter-clockwise from its leftmost vertex, clockwise from its rightmost vertex. */
typedef struct mesh_hull {
  int32_t left, right;
} mesh_hull;

/* Does the dart end above the base, which runs from right to left? */
static bool mesh_is_valid(const grz_mesh *mesh, int32_t e, int32_t base) {
  return grz_mesh_orient(mesh, mesh_to(mesh, e), mesh_to(mesh, base), mesh->dart[base].from) > 0;
}

/* The next candidate on one side of the base; -1: none. Removes candidates whose circle contains a later one. */
static int32_t mesh_candidate(grz_mesh *mesh, int32_t base, bool left) {
  const int32_t from = mesh->dart[base].from, to = mesh_to(mesh, base);
  int32_t e = left ? mesh->dart[base ^ 1].ccw : mesh->dart[base].cw;
  if (!mesh_is_valid(mesh, e, base)) return -1;
  for (;;) {
    const int32_t next = left ? mesh->dart[e].ccw : mesh->dart[e].cw;
    if (!mesh_is_valid(mesh, next, base)) return e;
    if (!mesh_in_circle(mesh, to, from, mesh_to(mesh, e), mesh_to(mesh, next))) return e;
    grz_mesh_remove_edge(mesh, e);
    e = next;
  }
}

/* Triangulates `count` >= 2 points. The depth of the recursion is the logarithm of the count. */
static mesh_hull mesh_divide(grz_mesh *mesh, int32_t first, int32_t count) {
  if (count == 2) {
    const int32_t e = mesh_add_edge(mesh, first, first + 1);
    return (mesh_hull){e, e ^ 1};
  }
  if (count == 3) {
    const int32_t a = mesh_add_edge(mesh, first, first + 1), b = mesh_add_edge(mesh, first + 1, first + 2);
    mesh_splice(mesh, a ^ 1, b);
    const int turn = grz_mesh_orient(mesh, first, first + 1, first + 2);
    const int32_t c = turn != 0 ? mesh_connect(mesh, b, a) : -1;
    return (mesh_hull){turn < 0 ? c ^ 1 : a, turn < 0 ? c : b ^ 1};
  }
  mesh_hull left = mesh_divide(mesh, first, count / 2);
  mesh_hull right = mesh_divide(mesh, first + count / 2, count - count / 2);

  /* The lower common tangent of the two hulls, from right to left. */
  int32_t l = left.right, r = right.left;
  for (;;) {
    if (grz_mesh_orient(mesh, mesh->dart[r].from, mesh->dart[l].from, mesh_to(mesh, l)) > 0)
      l = mesh_next(mesh, l);
    else if (grz_mesh_orient(mesh, mesh->dart[l].from, mesh_to(mesh, r), mesh->dart[r].from) > 0)
      r = mesh->dart[r ^ 1].ccw;
    else
      break;
  }
  int32_t base = mesh_connect(mesh, r ^ 1, l);
  if (mesh->dart[l].from == mesh->dart[left.left].from) left.left = base ^ 1;
  if (mesh->dart[r].from == mesh->dart[right.right].from) right.right = base;

  /* Merge: connect the base to the candidate whose circle contains no other one, and go up. */
  for (;;) {
    l = mesh_candidate(mesh, base, true), r = mesh_candidate(mesh, base, false);
    if (l < 0 && r < 0) return (mesh_hull){left.left, right.right};
    const bool use_right = l < 0 || (r >= 0 && mesh_in_circle(mesh, mesh_to(mesh, l), mesh->dart[l].from,
                                                              mesh->dart[r].from, mesh_to(mesh, r)));
    base = use_right ? mesh_connect(mesh, r, base ^ 1) : mesh_connect(mesh, base ^ 1, l ^ 1);
  }
}

int32_t grz_mesh_delaunay(grz_mesh *mesh) {
  mesh->dart_count = 0;
  mesh->free = -1;
  for (int32_t v = 0; v < mesh->count; v++) mesh->first[v] = mesh->through[2 * v] = -1;
  return mesh_divide(mesh, 0, mesh->count).left ^ 1;
}

/* ---- Point location along a segment. */

/* A search around the vertex `from`, dart by dart, for the segment to the vertex `to`. */
typedef struct mesh_search {
  int32_t from, to, dart;
  int side; /* of the segment on which the dart ends */
} mesh_search;

static mesh_search mesh_search_start(const grz_mesh *mesh, int32_t from, int32_t to) {
  const int32_t dart = mesh->first[from];
  return (mesh_search){from, to, dart, grz_mesh_orient(mesh, from, to, mesh_to(mesh, dart))};
}

/* Tests the current dart. If the segment does not start there, moves to the next dart and returns false. */
static bool mesh_search_step(const grz_mesh *mesh, mesh_search *search, bool *on_edge) {
  const int32_t next = mesh->dart[search->dart].ccw;
  const graze_vec a = mesh->point[search->from], b = mesh->point[search->to];
  const graze_vec p = mesh->point[mesh_to(mesh, search->dart)];
  *on_edge = search->side == 0 && (a.x != b.x ? (a.x < b.x) == (a.x < p.x) : (a.y < b.y) == (a.y < p.y));
  if (*on_edge) return true;
  const int side = grz_mesh_orient(mesh, search->from, search->to, mesh_to(mesh, next));
  if (search->side < 0 && side > 0) return true;
  search->dart = next, search->side = side;
  return false;
}

int32_t grz_mesh_locate(const grz_mesh *mesh, int32_t a, int32_t b, bool *on_edge) {
  mesh_search forward = mesh_search_start(mesh, a, b), backward = mesh_search_start(mesh, b, a);
  for (;;) {
    if (mesh_search_step(mesh, &forward, on_edge)) return forward.dart;
    if (mesh_search_step(mesh, &backward, on_edge)) return backward.dart;
  }
}

/* ---- Constraints. */

/* Triangulates the face on the left of the base. Every vertex of the face sees an inner point of the base, so a
 * triangle can be cut off wherever the boundary turns left: docs/theory/decompose.md, "Edges". The stack holds the
 * boundary so far. */
static void mesh_fill(grz_mesh *mesh, int32_t base) {
  const int32_t start = mesh_to(mesh, base), end = mesh->dart[base].from;
  int32_t depth = 0;
  for (int32_t e = mesh_next(mesh, base);; e = mesh_next(mesh, e)) {
    while (depth > 0) {
      const int32_t top = mesh->stack[depth - 1];
      if (grz_mesh_orient(mesh, mesh->dart[top].from, mesh->dart[e].from, mesh_to(mesh, e)) <= 0) break;
      if (mesh->dart[top].from == start && mesh_to(mesh, e) == end) return;
      e = mesh_connect(mesh, e, top) ^ 1;
      mesh->dart[e & ~1].pending = true;
      depth--;
    }
    mesh->stack[depth++] = e;
  }
}

int32_t grz_mesh_insert_constraint(grz_mesh *mesh, int32_t a, int32_t b, int32_t id) {
  while (a != b) {
    bool on_edge;
    int32_t e = grz_mesh_locate(mesh, a, b, &on_edge);
    const int32_t from = mesh->dart[e].from, to = from == a ? b : a;
    if (!on_edge) {
      /* Collect the edges that the segment crosses, up to the next vertex on it. */
      int32_t count = 0, vertex = -1;
      for (int32_t cut = mesh_next(mesh, e); vertex < 0;) { /* from the right side of the segment to the left */
        mesh->stack[count++] = cut;
        if (mesh->dart[cut].constraint >= 0) return mesh->dart[cut].constraint;
        const int32_t right = mesh_next(mesh, cut ^ 1), apex = mesh_to(mesh, right);
        const int side = grz_mesh_orient(mesh, from, to, apex);
        if (side == 0) vertex = apex;
        cut = side > 0 ? right : mesh_next(mesh, right);
      }
      /* Replace them by one edge to that vertex, and triangulate both sides of it. */
      for (int32_t i = 0; i < count; i++) grz_mesh_remove_edge(mesh, mesh->stack[i]);
      int32_t last = e;
      while (mesh_to(mesh, last) != vertex) last = mesh_next(mesh, last);
      e = mesh_connect(mesh, last, e) ^ 1;
      mesh_fill(mesh, e ^ 1);
      mesh_fill(mesh, e);
    }
    if (mesh->dart[e].constraint < 0) mesh->dart[e].constraint = mesh->dart[e ^ 1].constraint = id;

    /* Continue from the end of the edge. Two constraints that pass through a vertex in different directions cross. */
    a = mesh_to(mesh, e), b = to;
    if (a == b) break;
    int32_t *through = mesh->through + 2 * (size_t)a;
    if (through[0] < 0)
      through[0] = id, through[1] = b;
    else if (grz_mesh_orient(mesh, through[1], a, b) != 0)
      return through[0];
  }
  return -1;
}

/* ---- Flips. */

void grz_mesh_legalize(grz_mesh *mesh) {
  int32_t depth = 0;
  for (int32_t e = 0; e < mesh->dart_count; e += 2) {
    if (mesh->dart[e].pending && mesh_is_internal(mesh, e)) mesh->stack[depth++] = e;
  }
  while (depth > 0) {
    const int32_t e = mesh->stack[--depth];
    mesh->dart[e].pending = false;
    const int32_t around[4] = {mesh_next(mesh, e), mesh_previous(mesh, e), mesh_next(mesh, e ^ 1),
                               mesh_previous(mesh, e ^ 1)};
    const int32_t left = mesh_to(mesh, around[0]), right = mesh_to(mesh, around[2]);
    if (!mesh_in_circle(mesh, mesh->dart[e].from, mesh_to(mesh, e), left, right)) continue;
    mesh->dart[mesh_flip(mesh, e) & ~1].pending = false;
    for (int i = 0; i < 4; i++) {
      const int32_t edge = around[i] & ~1;
      if (mesh->dart[edge].pending || !mesh_is_internal(mesh, edge)) continue;
      mesh->dart[edge].pending = true;
      mesh->stack[depth++] = edge;
    }
  }
}

void grz_mesh_remove_vertex(grz_mesh *mesh, int32_t vertex) {
  int32_t e = mesh->first[vertex], degree = 1;
  for (int32_t s = mesh->dart[e].ccw; s != e; s = mesh->dart[s].ccw) degree++;
  /* Flip edges to ears of the surrounding polygon until three are left. An ear must not contain the vertex in its
   * interior. */
  for (int32_t next; degree > 3; e = next) {
    next = mesh->dart[e].ccw;
    const int32_t before = mesh_to(mesh, mesh->dart[e].cw), after = mesh_to(mesh, next);
    if (grz_mesh_orient(mesh, before, mesh_to(mesh, e), after) <= 0 || grz_mesh_orient(mesh, before, after, vertex) < 0)
      continue;
    mesh_flip(mesh, e);
    degree--;
  }
  while (mesh->first[vertex] >= 0) grz_mesh_remove_edge(mesh, mesh->first[vertex]);
}
