/* Darts, and the Delaunay triangulation by divide and conquer. */
#include "geometry/cdt.h"

#include "exact/predicates.h"
#include "exact/predicates.h"

/* ---- Darts. */

int32_t grz_mesh_edge(grz_mesh *mesh, int32_t from, int32_t to) {
  int32_t e = mesh->free;
  if (e >= 0)
    mesh->free = mesh->dart[e].ccw;
  else
    e = mesh->dart_count, mesh->dart_count += 2;
  mesh->dart[e] = (grz_dart){.from = from, .ccw = e, .cw = e, .fixed = -1};
  mesh->dart[e ^ 1] = (grz_dart){.from = to, .ccw = e ^ 1, .cw = e ^ 1, .fixed = -1};
  mesh->spoke[from] = e;
  mesh->spoke[to] = e ^ 1;
  return e;
}

void grz_mesh_splice(grz_mesh *mesh, int32_t a, int32_t b) {
  grz_dart *dart = mesh->dart;
  int32_t after_a = dart[a].ccw, after_b = dart[b].ccw;
  dart[a].ccw = after_b, dart[b].ccw = after_a;
  dart[after_b].cw = a, dart[after_a].cw = b;
}

int32_t grz_mesh_connect(grz_mesh *mesh, int32_t a, int32_t b) {
  int32_t after = mesh_next(mesh, a), e = grz_mesh_edge(mesh, mesh_to(mesh, a), mesh->dart[b].from);
  grz_mesh_splice(mesh, e, after);
  grz_mesh_splice(mesh, e ^ 1, b);
  mesh->dart[e].winding = mesh->dart[e ^ 1].winding = mesh->dart[a].winding;
  return e;
}

/* Takes the dart out of the ring around its origin. */
static void mesh_detach(grz_mesh *mesh, int32_t e) {
  grz_dart *dart = &mesh->dart[e];
  mesh->spoke[dart->from] = dart->cw != e ? dart->cw : -1;
  grz_mesh_splice(mesh, e, dart->cw);
  dart->from = -1;
}

void grz_mesh_remove(grz_mesh *mesh, int32_t e) {
  mesh_detach(mesh, e);
  mesh_detach(mesh, e ^ 1);
  e &= ~1;
  mesh->dart[e].ccw = mesh->free;
  mesh->free = e;
}

int32_t grz_mesh_flip(grz_mesh *mesh, int32_t e) {
  int32_t a = mesh_next(mesh, e), b = mesh_before(mesh, e ^ 1);
  grz_mesh_remove(mesh, e);
  int32_t turned = grz_mesh_connect(mesh, a, b);
  mesh->dart[turned & ~1].fresh = true;
  return turned;
}

int grz_mesh_turn(const grz_mesh *mesh, int32_t from, int32_t by, int32_t to) {
  return grz_orient2(mesh->at[from], mesh->at[by], mesh->at[to]);
}

/* ---- Delaunay. Names as in the paper: a hull has the dart counter-clockwise out of its leftmost vertex, and the one
 * clockwise out of its rightmost one. */

typedef struct mesh_hull {
  int32_t left, right;
} mesh_hull;

static mesh_hull mesh_of_two(grz_mesh *mesh, int32_t first) {
  int32_t e = grz_mesh_edge(mesh, first, first + 1);
  mesh_hull hull = {e, e ^ 1};
  return hull;
}

static mesh_hull mesh_of_three(grz_mesh *mesh, int32_t first) {
  int32_t a = grz_mesh_edge(mesh, first, first + 1), b = grz_mesh_edge(mesh, first + 1, first + 2);
  grz_mesh_splice(mesh, a ^ 1, b);
  int turn = grz_mesh_turn(mesh, first, first + 1, first + 2);
  int32_t c = turn != 0 ? grz_mesh_connect(mesh, b, a) : -1;
  mesh_hull hull = {turn < 0 ? c ^ 1 : a, turn < 0 ? c : b ^ 1};
  return hull;
}

static bool mesh_in_circle(const grz_mesh *mesh, int32_t a, int32_t b, int32_t c, int32_t d) {
  return grz_in_circle(mesh->at[a], mesh->at[b], mesh->at[c], mesh->at[d]) > 0;
}

/* Does the dart end above the base, which runs from right to left? */
static bool mesh_rises(const grz_mesh *mesh, int32_t e, int32_t base) {
  return grz_mesh_turn(mesh, mesh_to(mesh, e), mesh_to(mesh, base), mesh->dart[base].from) > 0;
}

/* The lower common tangent of two hulls, from right to left. */
static int32_t mesh_tangent(grz_mesh *mesh, mesh_hull *left, mesh_hull *right) {
  int32_t l = left->right, r = right->left;
  for (;;) {
    if (grz_mesh_turn(mesh, mesh->dart[r].from, mesh->dart[l].from, mesh_to(mesh, l)) > 0)
      l = mesh_next(mesh, l);
    else if (grz_mesh_turn(mesh, mesh->dart[l].from, mesh_to(mesh, r), mesh->dart[r].from) > 0)
      r = mesh->dart[r ^ 1].ccw;
    else
      break;
  }
  int32_t base = grz_mesh_connect(mesh, r ^ 1, l);
  if (mesh->dart[l].from == mesh->dart[left->left].from) left->left = base ^ 1;
  if (mesh->dart[r].from == mesh->dart[right->right].from) right->right = base;
  return base;
}

/* The next candidate on one side of the base, those in whose circle a later one lies removed; -1: none. */
static int32_t mesh_candidate(grz_mesh *mesh, int32_t base, bool left) {
  int32_t from = mesh->dart[base].from, to = mesh_to(mesh, base);
  int32_t e = left ? mesh->dart[base ^ 1].ccw : mesh->dart[base].cw;
  if (!mesh_rises(mesh, e, base)) return -1;
  for (;;) {
    int32_t next = left ? mesh->dart[e].ccw : mesh->dart[e].cw;
    if (!mesh_rises(mesh, next, base)) return e;
    if (!mesh_in_circle(mesh, to, from, mesh_to(mesh, e), mesh_to(mesh, next))) return e;
    grz_mesh_remove(mesh, e);
    e = next;
  }
}

static void mesh_merge(grz_mesh *mesh, int32_t base) {
  for (;;) {
    int32_t l = mesh_candidate(mesh, base, true), r = mesh_candidate(mesh, base, false);
    if (l < 0 && r < 0) return;
    bool right = l < 0 || (r >= 0 && mesh_in_circle(mesh, mesh_to(mesh, l), mesh->dart[l].from, mesh->dart[r].from,
                                                    mesh_to(mesh, r)));
    base = right ? grz_mesh_connect(mesh, r, base ^ 1) : grz_mesh_connect(mesh, base ^ 1, l ^ 1);
  }
}

/* Halves: the depth is the logarithm of the count. */
static mesh_hull mesh_divide(grz_mesh *mesh, int32_t first, int32_t count) {
  if (count == 2) return mesh_of_two(mesh, first);
  if (count == 3) return mesh_of_three(mesh, first);
  mesh_hull left = mesh_divide(mesh, first, count / 2);
  mesh_hull right = mesh_divide(mesh, first + count / 2, count - count / 2);
  mesh_merge(mesh, mesh_tangent(mesh, &left, &right));
  mesh_hull hull = {left.left, right.right};
  return hull;
}

int32_t grz_mesh_delaunay(grz_mesh *mesh) {
  mesh->dart_count = 0;
  mesh->free = -1;
  for (int32_t v = 0; v < mesh->count; v++) mesh->spoke[v] = mesh->through[2 * v] = -1;
  return mesh_divide(mesh, 0, mesh->count).left ^ 1;
}
