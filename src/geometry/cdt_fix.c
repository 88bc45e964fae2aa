/* Edges that the triangulation must contain. */
#include "geometry/cdt.h"

/* Does p, on the line through a and b, lie on b's side of a? */
static bool fix_ahead(graze_vec a, graze_vec b, graze_vec p) {
  return a.x != b.x ? (a.x < b.x) == (a.x < p.x) : (a.y < b.y) == (a.y < p.y);
}

/* Looking around `from`, dart by dart, for the way to vertex `to`. */
typedef struct fix_search {
  int32_t from, to, dart;
  int side; /* of the way: where the dart ends */
} fix_search;

static fix_search fix_look(const grz_mesh *mesh, int32_t from, int32_t to) {
  int32_t dart = mesh->spoke[from];
  return (fix_search){from, to, dart, grz_mesh_turn(mesh, from, to, mesh_to(mesh, dart))};
}

/* Is it this dart? If not, on to the next one. */
static bool fix_is_found(const grz_mesh *mesh, fix_search *search, bool *along) {
  const graze_vec *at = mesh->at;
  int32_t next = mesh->dart[search->dart].ccw;
  *along = search->side == 0 && fix_ahead(at[search->from], at[search->to], at[mesh_to(mesh, search->dart)]);
  if (*along) return true;
  int side = grz_mesh_turn(mesh, search->from, search->to, mesh_to(mesh, next));
  if (search->side < 0 && side > 0) return true;
  search->dart = next, search->side = side;
  return false;
}

int32_t grz_mesh_toward(const grz_mesh *mesh, int32_t a, int32_t b, bool *along) {
  fix_search there = fix_look(mesh, a, b), back = fix_look(mesh, b, a);
  for (;;) {
    if (fix_is_found(mesh, &there, along)) return there.dart;
    if (fix_is_found(mesh, &back, along)) return back.dart;
  }
}

static void fix_name(grz_mesh *mesh, int32_t e, int32_t name) {
  if (mesh->dart[e].fixed < 0) mesh->dart[e].fixed = mesh->dart[e ^ 1].fixed = name;
}

/* The edges that the way from a to b crosses, up to the next vertex on it, onto the stack. Returns that vertex, or
 * -1 when the last of these edges is fixed. */
static int32_t fix_crossed(grz_mesh *mesh, int32_t a, int32_t b, int32_t first, int32_t *count) {
  int32_t e = mesh_next(mesh, first); /* from the right of the way to the left, where we come from on its left */
  for (*count = 0;;) {
    mesh->stack[(*count)++] = e;
    if (mesh->dart[e].fixed >= 0) return -1;
    int32_t right = mesh_next(mesh, e ^ 1), apex = mesh_to(mesh, right);
    int side = grz_mesh_turn(mesh, a, b, apex);
    if (side == 0) return apex;
    e = side > 0 ? right : mesh_next(mesh, right);
  }
}

/* Triangulates the face left of the base, all of whose vertices see some inner point of the base: wherever the chain
 * turns left, a triangle may be cut off. docs/theory/decompose.md, "Edges". The stack holds the chain so far. */
static void fix_fill(grz_mesh *mesh, int32_t base) {
  int32_t start = mesh_to(mesh, base), end = mesh->dart[base].from, depth = 0;
  for (int32_t e = mesh_next(mesh, base);; e = mesh_next(mesh, e)) {
    while (depth > 0) {
      int32_t top = mesh->stack[depth - 1];
      if (grz_mesh_turn(mesh, mesh->dart[top].from, mesh->dart[e].from, mesh_to(mesh, e)) <= 0) break;
      if (mesh->dart[top].from == start && mesh_to(mesh, e) == end) return;
      e = grz_mesh_connect(mesh, e, top) ^ 1;
      mesh->dart[e & ~1].fresh = true;
      depth--;
    }
    mesh->stack[depth++] = e;
  }
}

/* Replaces the edges on the stack by one from the start of `first` to the vertex `to`. */
static int32_t fix_across(grz_mesh *mesh, int32_t first, int32_t to, int32_t count) {
  for (int32_t i = 0; i < count; i++) grz_mesh_remove(mesh, mesh->stack[i]);
  int32_t last = first;
  while (mesh_to(mesh, last) != to) last = mesh_next(mesh, last);
  int32_t base = grz_mesh_connect(mesh, last, first);
  fix_fill(mesh, base);
  fix_fill(mesh, base ^ 1);
  return base ^ 1;
}

/* The segment passes through the vertex, toward vertex `to`. Returns the name of another that does so in another
 * direction, or -1. */
static int32_t fix_through(grz_mesh *mesh, int32_t vertex, int32_t to, int32_t name) {
  int32_t *through = mesh->through + 2 * (size_t)vertex;
  if (through[0] >= 0) return grz_mesh_turn(mesh, through[1], vertex, to) != 0 ? through[0] : -1;
  through[0] = name, through[1] = to;
  return -1;
}

int32_t grz_mesh_fix(grz_mesh *mesh, int32_t a, int32_t b, int32_t name) {
  while (a != b) {
    bool along;
    int32_t e = grz_mesh_toward(mesh, a, b, &along), from = mesh->dart[e].from, to = from == a ? b : a;
    if (!along) {
      int32_t count, next = fix_crossed(mesh, from, to, e, &count);
      if (next < 0) return mesh->dart[mesh->stack[count - 1]].fixed;
      e = fix_across(mesh, e, next, count);
    }
    fix_name(mesh, e, name);
    a = mesh_to(mesh, e), b = to;
    int32_t crossed = a != b ? fix_through(mesh, a, b, name) : -1;
    if (crossed >= 0) return crossed;
  }
  return -1;
}
