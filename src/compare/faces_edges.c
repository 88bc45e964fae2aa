/* The faces and edges of placed polytopal cores, which SAT and LCCD need. Whether a core is a point, a segment, a flat
 * polygon or a solid is decided exactly, for any array of vertices. Errors: docs/theory/axes.md, "Faces and edges". */
#include "compare/reference.h"

#include "exact/exact.h"
#include "shape/shape.h"

#include <string.h>

/* Allocates `count` elements of `size` bytes. Returns NULL, and sets `full`, if the buffer is too small. */
static void *workspace_allocate(grz_workspace *workspace, size_t count, size_t size) {
  size_t bytes = (count * size + 15) / 16 * 16;
  if (workspace->full || bytes > workspace->left) {
    workspace->full = true;
    return NULL;
  }
  void *allocated = workspace->at;
  workspace->at += bytes, workspace->left -= bytes;
  return allocated;
}

static graze_vec core_unit(graze_vec v) { return vec_unit(vec_unit_inf(v)); }

static bool faces_edges_allocate(grz_faces_edges *f, const graze_placed *placed, double unit, int normals, int axes,
                                 int edges, grz_workspace *workspace) {
  size_t count = grz_core_count(&placed->shape);
  *f = (grz_faces_edges){.vertex_count = (int)count, .vertex = workspace_allocate(workspace, count, sizeof *f->vertex)};
  f->normal = workspace_allocate(workspace, (size_t)normals, sizeof *f->normal);
  f->axis = workspace_allocate(workspace, (size_t)axes, sizeof *f->axis);
  f->edge = workspace_allocate(workspace, (size_t)edges, GRZ_CORE_EDGE_BYTES);
  if (workspace->full) return false;
  for (size_t i = 0; i < count; i++) {
    graze_vec local = vec_scale(grz_core_vertex(&placed->shape, i), unit);
    f->vertex[i] = vec_rotate(placed->hidden.rotation, local, placed->shape.dim);
  }
  return true;
}

static int faces_edges_normal(grz_faces_edges *f, const graze_placed *placed, graze_vec local) {
  f->normal[f->normal_count] = vec_rotate(placed->hidden.rotation, core_unit(local), placed->shape.dim);
  return f->normal_count++;
}

static void faces_edges_axis(grz_faces_edges *f, int normal) { f->axis[f->axis_count++] = normal; }

static void faces_edges_edge(grz_faces_edges *f, const graze_placed *placed, int from, int to, graze_vec direction,
                             const int normal[2], int id) {
  grz_core_edge *edge = &f->edge[f->edge_count++];
  graze_vec a = f->vertex[from], b = f->vertex[to];
  edge->direction = vec_rotate(placed->hidden.rotation, core_unit(direction), 3);
  edge->length = vec_length(vec_sub(b, a));
  edge->vertex[0] = from, edge->vertex[1] = to;
  edge->normal[0] = normal[0], edge->normal[1] = normal[1];
  edge->id = id;
}

static graze_vec core_axis_of(int i) { return vec_make(i == 0, i == 1, i == 2); }

static bool faces_edges_box(grz_faces_edges *f, const graze_placed *placed, double unit, grz_workspace *workspace) {
  const int dim = placed->shape.dim;
  if (!faces_edges_allocate(f, placed, unit, 6, 3, 12, workspace)) return false;
  f->box = true;
  for (int i = 0; i < dim; i++) { /* normal 2i: the face on the + side; normal 2i + 1: the opposite face */
    faces_edges_axis(f, faces_edges_normal(f, placed, core_axis_of(i)));
    (void)faces_edges_normal(f, placed, vec_neg(core_axis_of(i)));
  }
  for (int edge = 0; dim == 3 && edge < 12; edge++) {
    const int i = edge / 4, k = (i + 1) % 3, l = (i + 2) % 3, k_high = edge & 1, l_high = edge >> 1 & 1;
    const int from = k_high << k | l_high << l, normal[2] = {2 * k + !k_high, 2 * l + !l_high};
    faces_edges_edge(f, placed, from, from | 1 << i, core_axis_of(i), normal, i);
  }
  return true;
}

static graze_vec core_step(const graze_placed *placed, int from, int to) {
  return vec_sub(grz_core_vertex(&placed->shape, (size_t)to), grz_core_vertex(&placed->shape, (size_t)from));
}

static bool faces_edges_segment(grz_faces_edges *f, const graze_placed *placed, double unit, int from, int to,
                                grz_workspace *workspace) {
  static const int none[2] = {-1, -1};
  if (!faces_edges_allocate(f, placed, unit, 1, 1, 1, workspace)) return false;
  graze_vec step = core_step(placed, from, to);
  if (placed->shape.dim == 2)
    faces_edges_axis(f, faces_edges_normal(f, placed, vec_make(step.y, -step.x, 0)));
  else
    faces_edges_edge(f, placed, from, to, step, none, 0);
  return true;
}

/* The normal of the triangle of three corners: the first, the corner farthest from it, and the corner that gives the
 * angle at the first the largest sine. */
static graze_vec core_lamina_normal(grz_faces_edges *f, const graze_placed *placed, const int32_t *ring, int count) {
  int farthest = 1;
  double most = 0;
  for (int i = 1; i < count; i++) {
    double length = vec_norm_inf(core_step(placed, ring[0], ring[i]));
    if (length > most) most = length, farthest = i;
  }
  graze_vec u = vec_unit_inf(core_step(placed, ring[0], ring[farthest])), best = {0, 0, 0};
  double best_sine = 0;
  for (int i = 1; i < count; i++) {
    if (i == farthest) continue;
    graze_vec v = vec_unit_inf(core_step(placed, ring[0], ring[i]));
    graze_vec n = vec_cross(i < farthest ? v : u, i < farthest ? u : v);
    double sine = vec_length(n) / (vec_length(u) * vec_length(v));
    if (sine > best_sine) best = n, best_sine = sine;
  }
  f->tilt = best_sine > 64 * GRZ_U ? 8 * GRZ_U / best_sine : 2;
  return best_sine > 0 ? best : vec_make(0, 0, 1);
}

static bool faces_edges_lamina(grz_faces_edges *f, const graze_placed *placed, double unit, const int32_t *ring,
                               int count, grz_workspace *workspace) {
  if (!faces_edges_allocate(f, placed, unit, 2, 1, count, workspace)) return false;
  graze_vec local = core_lamina_normal(f, placed, ring, count);
  int up = faces_edges_normal(f, placed, local), down = faces_edges_normal(f, placed, vec_neg(local));
  const int normal[2] = {up, down};
  faces_edges_axis(f, up);
  for (int i = 0; i < count; i++) {
    int to = ring[i + 1 < count ? i + 1 : 0];
    faces_edges_edge(f, placed, ring[i], to, core_step(placed, ring[i], to), normal, i);
  }
  return true;
}

static bool faces_edges_ring(grz_faces_edges *f, const graze_placed *placed, double unit, const int32_t *ring,
                             int count, grz_workspace *workspace) {
  if (!faces_edges_allocate(f, placed, unit, count, count, 0, workspace)) return false;
  for (int i = 0; i < count; i++) {
    graze_vec step = core_step(placed, ring[i], ring[i + 1 < count ? i + 1 : 0]);
    faces_edges_axis(f, faces_edges_normal(f, placed, vec_make(step.y, -step.x, 0)));
  }
  return true;
}

/* ---- Kinds of cores. */

typedef struct core_builder {
  grz_faces_edges *f;
  const graze_placed *placed;
  double unit;
  grz_workspace *workspace;
} core_builder;

static graze_vec core_vertex(const core_builder *s, int i) { return grz_core_vertex(&s->placed->shape, (size_t)i); }
static int core_count(const core_builder *s) { return (int)grz_core_count(&s->placed->shape); }

/* Collinear points: the two ends, or one point. */
static bool core_line(core_builder *s) {
  int first = 0, last = 0;
  for (int i = 1; i < core_count(s); i++) {
    if (vec_before(core_vertex(s, i), core_vertex(s, first))) first = i;
    if (vec_before(core_vertex(s, last), core_vertex(s, i))) last = i;
  }
  if (first == last) return faces_edges_allocate(s->f, s->placed, s->unit, 0, 0, 0, s->workspace);
  return faces_edges_segment(s->f, s->placed, s->unit, first, last, s->workspace);
}

/* ---- Polygons in 2D: corners in the caller's order. */

/* The turn at corner i between its distinct neighbours. The turn is 0 for each repetition of a point after the first.
 */
static int core_corner(const core_builder *s, int i) {
  int count = core_count(s), before = i, after = i;
  graze_vec here = core_vertex(s, i);
  for (int n = 1; n < count && vec_equal(core_vertex(s, before), here); n++) before = (i + count - n) % count;
  for (int n = 1; n < count && vec_equal(core_vertex(s, after), here); n++) after = (i + n) % count;
  if (before != (i + count - 1) % count) return 0;
  return grz_orient2(core_vertex(s, before), here, core_vertex(s, after));
}

static bool core_polygon(core_builder *s) {
  int count = core_count(s), corners = 0, winding = 0;
  int32_t *ring = workspace_allocate(s->workspace, (size_t)count, sizeof *ring);
  if (ring == NULL) return false;
  for (int i = 0; i < count; i++) {
    int turn = core_corner(s, i);
    if (turn != 0) ring[corners++] = i, winding = turn;
  }
  if (corners < 3) return core_line(s);
  if (!faces_edges_ring(s->f, s->placed, s->unit, ring, corners, s->workspace)) return false;
  for (int i = 0; i < corners && winding < 0; i++) s->f->normal[i] = vec_neg(s->f->normal[i]);
  return true;
}

/* ---- Hulls. The CSO of a hull in its own frame and a point at the origin is the hull itself. */

typedef struct core_hull {
  const grz_obstacle *c;             /* during the construction */
  const graze_placed *hull;          /* during the construction */
  grz_workspace *workspace, scratch; /* scratch: the free part of the workspace */
  grz_polytope polytope;
  int rank, basis[4];
  bool built;
  bool *smooth; /* smooth[3·face + k]: the neighbour is in the same plane */
} core_hull;

static void core_hull_smooth(core_hull *s, const grz_exact_hull *exact) {
  const grz_polytope *p = &s->polytope;
  for (int face = 0; face < p->face_count; face++) {
    const grz_face *f = &p->face[face];
    for (int k = 0; k < 3 && !grz_face_is_removed(f); k++) {
      int32_t at = f->neighbor[k];
      const grz_face *g = &p->face[at >> 2];
      graze_vec bend = vec_sub(f->normal, g->normal);
      int beyond = g->vertex[polytope_next(polytope_next(at & 3))];
      s->smooth[3 * face + k] = vec_norm_inf(bend) < 0x1p-40 && grz_hull_side(exact, f->vertex, beyond) == 0;
    }
  }
}

static void core_hull_work(grz_exact *x, void *context) {
  core_hull *s = context;
  grz_polytope *p = &s->polytope;
  grz_exact_hull exact = {x, p};
  const graze_vec origin = {0, 0, 0};
  size_t count = grz_core_count(&s->hull->shape);
  grz_polytope_clear(p);
  p->point_count = (int)count;
  for (size_t i = 0; i < count; i++) {
    const grz_pair pair = {(int32_t)i, 0, grz_core_vertex(&s->hull->shape, i), origin, 0};
    grz_polytope_set_pair(p, (int)i, &pair);
    p->w[i] = grz_obstacle_of_pair(s->c, &pair, s->c->dim).w;
  }
  s->rank = grz_hull_basis(&exact, s->basis);
  s->built = s->rank > s->c->dim && grz_hull_build(&exact, s->basis);
  if (s->built && s->c->dim == 3) core_hull_smooth(s, &exact);
}

/* Builds the hull exactly. Returns false if the workspace is too small. */
static bool core_hull_build(core_hull *s, const graze_shape *shape, grz_workspace *workspace) {
  grz_obstacle c;
  graze_shape core = *shape, point = grz_point_shape(shape->dim);
  core.margin = 0;
  graze_placed hull = graze_place(&core, graze_pose_at(0, 0, 0)), origin = graze_place(&point, graze_pose_at(0, 0, 0));
  grz_obstacle_make(&c, &hull, &origin, 0);
  *s = (core_hull){.c = &c, .hull = &hull, .workspace = workspace, .scratch = *workspace};
  size_t bytes = graze_workspace_size(shape->as.hull.count);
  void *buffer = workspace_allocate(&s->scratch, bytes, 1);
  s->smooth = workspace_allocate(&s->scratch, 6 * shape->as.hull.count, sizeof *s->smooth);
  if (s->scratch.full) return false;
  grz_polytope_make(&s->polytope, buffer, bytes);
  bool good = grz_exact_run(&c, core_hull_work, s);
  s->c = NULL, s->hull = NULL;
  return good;
}

/* Moves the corners of a hull in 2D to the front of the workspace, counter-clockwise from the least index. */
static bool core_hull_ring(core_hull *s, int32_t **ring, int *count) {
  const grz_face *face = s->polytope.face;
  int first = -1;
  for (int i = 0; i < s->polytope.face_count; i++)
    if (!grz_face_is_removed(&face[i]) && (first < 0 || face[i].vertex[0] < face[first].vertex[0])) first = i;
  *count = 0;
  for (int at = first; *count == 0 || at != first; at = face[at].neighbor[1])
    s->polytope.stack[(*count)++] = face[at].vertex[0];
  const int32_t *from = s->polytope.stack;
  size_t bytes = (size_t)*count * sizeof **ring;
  *ring = workspace_allocate(s->workspace, (size_t)*count, sizeof **ring);
  if (*ring != NULL) memmove(*ring, from, bytes);
  return *ring != NULL;
}

static bool core_hull2(core_builder *s) {
  core_hull hull;
  int32_t *ring;
  int count;
  if (!core_hull_build(&hull, &s->placed->shape, s->workspace)) return false;
  if (hull.rank < 3) return core_line(s);
  return hull.built && core_hull_ring(&hull, &ring, &count) &&
         faces_edges_ring(s->f, s->placed, s->unit, ring, count, s->workspace);
}

/* ---- Triangles and hulls in 3D. */

static graze_vec project_onto(graze_vec v, int plane) {
  return plane == 0 ? vec_make(v.y, v.z, 0) : plane == 1 ? vec_make(v.z, v.x, 0) : vec_make(v.x, v.y, 0);
}

/* Returns a coordinate plane in which the projected triangle has an area; -1: its corners are collinear. */
static int projection_plane(graze_vec a, graze_vec b, graze_vec c) {
  for (int plane = 0; plane < 3; plane++)
    if (grz_orient2(project_onto(a, plane), project_onto(b, plane), project_onto(c, plane)) != 0) return plane;
  return -1;
}

static bool core_triangle(core_builder *s) {
  static const int32_t ring[3] = {0, 1, 2};
  if (projection_plane(core_vertex(s, 0), core_vertex(s, 1), core_vertex(s, 2)) < 0) return core_line(s);
  return faces_edges_lamina(s->f, s->placed, s->unit, ring, 3, s->workspace);
}

/* Coplanar points: their projection onto a coordinate plane has the same hull vertices. */
static bool core_flat_hull(core_builder *s, const int basis[4]) {
  int plane = projection_plane(core_vertex(s, basis[0]), core_vertex(s, basis[1]), core_vertex(s, basis[2])), corners;
  size_t count = (size_t)core_count(s);
  graze_vec *projected = workspace_allocate(s->workspace, count, sizeof *projected);
  int32_t *ring;
  core_hull hull;
  if (projected == NULL) return false;
  for (size_t i = 0; i < count; i++) projected[i] = project_onto(core_vertex(s, (int)i), plane);
  graze_shape flat = graze_hull_points2(projected, count);
  return core_hull_build(&hull, &flat, s->workspace) && hull.built && core_hull_ring(&hull, &ring, &corners) &&
         faces_edges_lamina(s->f, s->placed, s->unit, ring, corners, s->workspace);
}

/* Coplanar adjacent faces form a group, named by the least index. */
static void core_hull_group(const core_hull *s, int32_t *group) {
  const grz_polytope *p = &s->polytope;
  for (int face = 0; face < p->face_count; face++) group[face] = face;
  for (bool changed = true; changed;) {
    changed = false;
    for (int at = 0; at < 3 * p->face_count; at++) {
      int face = at / 3;
      if (grz_face_is_removed(&p->face[face]) || !s->smooth[at]) continue;
      int other = p->face[face].neighbor[at % 3] >> 2;
      if (group[other] < group[face]) group[face] = group[other], changed = true;
    }
  }
}

static void *core_move(grz_workspace *workspace, const void *from, int count, size_t size) {
  void *to = workspace_allocate(workspace, (size_t)count, size);
  return to == NULL ? NULL : memmove(to, from, (size_t)count * size);
}

/* Moves all arrays to the front of the workspace, over the data of the construction. */
static bool core_compact(grz_faces_edges *f, grz_workspace *workspace) {
  f->vertex = core_move(workspace, f->vertex, f->vertex_count, sizeof *f->vertex);
  f->normal = core_move(workspace, f->normal, f->normal_count, sizeof *f->normal);
  f->axis = core_move(workspace, f->axis, f->axis_count, sizeof *f->axis);
  f->edge = core_move(workspace, f->edge, f->edge_count, GRZ_CORE_EDGE_BYTES);
  return !workspace->full;
}

/* Each face slot has a normal, so a face and its normal have equal indices. */
static bool core_solid(core_builder *s, core_hull *hull) {
  grz_polytope *p = &hull->polytope;
  int32_t *group = p->stack;
  grz_faces_edges *f = s->f;
  core_hull_group(hull, group);
  grz_workspace keep = hull->scratch; /* above the polytope */
  int faces = p->face_count;
  if (!faces_edges_allocate(f, s->placed, s->unit, faces, faces, 3 * faces / 2, &keep)) return false;
  f->tilt = 8 * GRZ_U;
  for (int face = 0; face < faces; face++) {
    const bool removed = grz_face_is_removed(&p->face[face]);
    (void)faces_edges_normal(f, s->placed, removed ? vec_make(1, 0, 0) : p->face[face].normal);
    if (!removed && group[face] == face) faces_edges_axis(f, face);
    for (int k = 0; k < 3 && !removed; k++) {
      int other = p->face[face].neighbor[k] >> 2, from = p->face[face].vertex[k],
          to = p->face[face].vertex[polytope_next(k)];
      const int normal[2] = {face, other};
      if (from > to || hull->smooth[3 * face + k]) continue;
      graze_vec direction = vec_sub(core_vertex(s, to), core_vertex(s, from));
      faces_edges_edge(f, s->placed, from, to, direction, normal, f->edge_count);
    }
  }
  return core_compact(f, s->workspace);
}

static bool core_hull3(core_builder *s) {
  core_hull hull;
  if (!core_hull_build(&hull, &s->placed->shape, s->workspace)) return false;
  if (hull.rank < 3) return core_line(s);
  if (hull.rank == 3) return core_flat_hull(s, hull.basis);
  return hull.built && core_solid(s, &hull);
}

bool grz_faces_edges_make(grz_faces_edges *faces_edges, const graze_placed *placed, double unit,
                          grz_workspace *workspace) {
  core_builder s = {faces_edges, placed, unit, workspace};
  const int dim = placed->shape.dim;
  switch (placed->shape.kind) {
  case GRAZE_BOX: return faces_edges_box(faces_edges, placed, unit, workspace);
  case GRAZE_POLYGON: return core_polygon(&s);
  case GRAZE_TRIANGLE: return dim == 2 ? core_polygon(&s) : core_triangle(&s);
  case GRAZE_HULL: return dim == 2 ? core_hull2(&s) : core_hull3(&s);
  default: return core_line(&s);
  }
}
