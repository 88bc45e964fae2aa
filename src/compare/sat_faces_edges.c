/* What a core really is: a point, a segment, a flat polygon or a solid, whatever list of vertices it was given by.
 * Decided exactly. */
#include "compare/sat_faces_edges.h"

#include "narrow/exact_hull.h"
#include "exact/predicates.h"
#include "shape/core.h"

#include <string.h>

typedef struct sat_builder {
  grz_features *f;
  const graze_placed *placed;
  double unit;
  grz_workspace *room;
} sat_builder;

static graze_vec sat_vertex(const sat_builder *s, int i) { return grz_core_vertex(&s->placed->shape, (size_t)i); }
static int sat_count(const sat_builder *s) { return (int)grz_core_count(&s->placed->shape); }

static bool sat_before(graze_vec p, graze_vec q) {
  if (p.x != q.x) return p.x < q.x;
  return p.y != q.y ? p.y < q.y : p.z < q.z;
}

static bool sat_equal(graze_vec p, graze_vec q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

/* Points in line: the two ends, or one point. */
static bool sat_line(sat_builder *s) {
  int first = 0, last = 0;
  for (int i = 1; i < sat_count(s); i++) {
    if (sat_before(sat_vertex(s, i), sat_vertex(s, first))) first = i;
    if (sat_before(sat_vertex(s, last), sat_vertex(s, i))) last = i;
  }
  if (first == last) return grz_features_make(s->f, s->placed, s->unit, 0, 0, 0, s->room);
  return grz_features_segment(s->f, s->placed, s->unit, first, last, s->room);
}

/* ---- 2D: corners in the caller's order. */

/* The turn at corner i of a closed list, seen from its distinct neighbours; 0 too for a repeated point but the first.
 */
static int sat_corner(const sat_builder *s, int i) {
  int count = sat_count(s), before = i, after = i;
  graze_vec here = sat_vertex(s, i);
  for (int n = 1; n < count && sat_equal(sat_vertex(s, before), here); n++) before = (i + count - n) % count;
  for (int n = 1; n < count && sat_equal(sat_vertex(s, after), here); n++) after = (i + n) % count;
  if (before != (i + count - 1) % count) return 0;
  return grz_orient2(sat_vertex(s, before), here, sat_vertex(s, after));
}

static bool sat_polygon(sat_builder *s) {
  int count = sat_count(s), corners = 0, winding = 0;
  int32_t *ring = grz_workspace_take(s->room, (size_t)count, sizeof *ring);
  if (ring == NULL) return false;
  for (int i = 0; i < count; i++) {
    int turn = sat_corner(s, i);
    if (turn != 0) ring[corners++] = i, winding = turn;
  }
  if (corners < 3) return sat_line(s);
  if (!grz_features_ring(s->f, s->placed, s->unit, ring, corners, s->room)) return false;
  for (int i = 0; i < corners && winding < 0; i++) s->f->normal[i] = vec_neg(s->f->normal[i]);
  return true;
}

/* ---- Hulls: the obstacle of the hull in its own frame and a point at the origin is the hull itself. */

typedef struct sat_hull {
  const grz_obstacle *c;        /* while it is built */
  const graze_placed *hull;     /* likewise */
  grz_workspace *room, scratch; /* scratch: the rest of the room, above what is taken */
  grz_polytope polytope;
  int rank, basis[4];
  bool built;
  bool *smooth; /* smooth[3·face + k]: no edge there, the neighbour lies in the same plane */
} sat_hull;

static void sat_hull_smooth(sat_hull *s, const grz_exact_hull *exact) {
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

static void sat_hull_work(grz_exact *x, void *context) {
  sat_hull *s = context;
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
  if (s->built && s->c->dim == 3) sat_hull_smooth(s, &exact);
}

/* False: no room. */
static bool sat_hull_build(sat_hull *s, const graze_shape *shape, grz_workspace *room) {
  grz_obstacle c;
  graze_shape core = *shape, point = shape->dim == 2 ? graze_point2() : graze_point();
  core.margin = 0;
  graze_placed hull = graze_place(&core, graze_pose_at(0, 0, 0)), origin = graze_place(&point, graze_pose_at(0, 0, 0));
  grz_obstacle_make(&c, &hull, &origin, 0);
  *s = (sat_hull){.c = &c, .hull = &hull, .room = room, .scratch = *room};
  size_t bytes = graze_workspace_size(shape->as.hull.count);
  void *buffer = grz_workspace_take(&s->scratch, bytes, 1);
  s->smooth = grz_workspace_take(&s->scratch, 6 * shape->as.hull.count, sizeof *s->smooth);
  if (s->scratch.full) return false;
  grz_polytope_make(&s->polytope, buffer, bytes);
  bool good = grz_exact_run(&c, sat_hull_work, s);
  s->c = NULL, s->hull = NULL;
  return good;
}

/* The corners of a hull in 2D, counter-clockwise from that of the least index; they take the front of the room. */
static bool sat_hull_ring(sat_hull *s, int32_t **ring, int *count) {
  const grz_face *face = s->polytope.face;
  int first = -1;
  for (int i = 0; i < s->polytope.face_count; i++)
    if (!grz_face_is_removed(&face[i]) && (first < 0 || face[i].vertex[0] < face[first].vertex[0])) first = i;
  *count = 0;
  for (int at = first; *count == 0 || at != first; at = face[at].neighbor[1])
    s->polytope.stack[(*count)++] = face[at].vertex[0];
  const int32_t *from = s->polytope.stack;
  size_t bytes = (size_t)*count * sizeof **ring;
  *ring = grz_workspace_take(s->room, (size_t)*count, sizeof **ring);
  if (*ring != NULL) memmove(*ring, from, bytes);
  return *ring != NULL;
}

static bool sat_hull2(sat_builder *s) {
  sat_hull hull;
  int32_t *ring;
  int count;
  if (!sat_hull_build(&hull, &s->placed->shape, s->room)) return false;
  if (hull.rank < 3) return sat_line(s);
  return hull.built && sat_hull_ring(&hull, &ring, &count) &&
         grz_features_ring(s->f, s->placed, s->unit, ring, count, s->room);
}

/* ---- 3D. */

static graze_vec sat_onto(graze_vec v, int plane) {
  return plane == 0 ? vec_make(v.y, v.z, 0) : plane == 1 ? vec_make(v.z, v.x, 0) : vec_make(v.x, v.y, 0);
}

/* A coordinate plane onto which the triangle falls as a triangle; -1: its corners are in line. */
static int sat_plane(graze_vec a, graze_vec b, graze_vec c) {
  for (int plane = 0; plane < 3; plane++)
    if (grz_orient2(sat_onto(a, plane), sat_onto(b, plane), sat_onto(c, plane)) != 0) return plane;
  return -1;
}

static bool sat_triangle(sat_builder *s) {
  static const int32_t ring[3] = {0, 1, 2};
  if (sat_plane(sat_vertex(s, 0), sat_vertex(s, 1), sat_vertex(s, 2)) < 0) return sat_line(s);
  return grz_features_lamina(s->f, s->placed, s->unit, ring, 3, s->room);
}

/* Points in one plane: their shadow on a coordinate plane is as convex as they are. */
static bool sat_flat_hull(sat_builder *s, const int basis[4]) {
  int plane = sat_plane(sat_vertex(s, basis[0]), sat_vertex(s, basis[1]), sat_vertex(s, basis[2])), corners;
  size_t count = (size_t)sat_count(s);
  graze_vec *shadow = grz_workspace_take(s->room, count, sizeof *shadow);
  int32_t *ring;
  sat_hull hull;
  if (shadow == NULL) return false;
  for (size_t i = 0; i < count; i++) shadow[i] = sat_onto(sat_vertex(s, (int)i), plane);
  graze_shape flat = graze_hull_points2(shadow, count);
  return sat_hull_build(&hull, &flat, s->room) && hull.built && sat_hull_ring(&hull, &ring, &corners) &&
         grz_features_lamina(s->f, s->placed, s->unit, ring, corners, s->room);
}

/* Faces in one plane are one: the least of their indices stands for all. */
static void sat_hull_group(const sat_hull *s, int32_t *group) {
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

static void *sat_move(grz_workspace *room, const void *from, int count, size_t size) {
  void *to = grz_workspace_take(room, (size_t)count, size);
  return to == NULL ? NULL : memmove(to, from, (size_t)count * size);
}

/* Takes the features down to the front of the room, over what they were made from. */
static bool sat_settle(grz_features *f, grz_workspace *room) {
  f->vertex = sat_move(room, f->vertex, f->vertex_count, sizeof *f->vertex);
  f->normal = sat_move(room, f->normal, f->normal_count, sizeof *f->normal);
  f->axis = sat_move(room, f->axis, f->axis_count, sizeof *f->axis);
  f->edge = sat_move(room, f->edge, f->edge_count, GRZ_FEATURE_EDGE_BYTES);
  return !room->full;
}

/* The normals as many as face slots, so that a face's place is that of its normal. */
static bool sat_solid(sat_builder *s, sat_hull *hull) {
  grz_polytope *p = &hull->polytope;
  int32_t *group = p->stack;
  grz_features *f = s->f;
  sat_hull_group(hull, group);
  grz_workspace keep = hull->scratch; /* beyond the polytope */
  int faces = p->face_count;
  if (!grz_features_make(f, s->placed, s->unit, faces, faces, 3 * faces / 2, &keep)) return false;
  f->tilt = 8 * GRZ_U;
  for (int face = 0; face < faces; face++) {
    bool gone = grz_face_is_removed(&p->face[face]);
    (void)grz_features_normal(f, s->placed, gone ? vec_make(1, 0, 0) : p->face[face].normal);
    if (!gone && group[face] == face) grz_features_axis(f, face);
    for (int k = 0; k < 3 && !gone; k++) {
      int other = p->face[face].neighbor[k] >> 2, from = p->face[face].vertex[k],
          to = p->face[face].vertex[polytope_next(k)];
      const int normal[2] = {face, other};
      if (from > to || hull->smooth[3 * face + k]) continue;
      graze_vec along = vec_sub(sat_vertex(s, to), sat_vertex(s, from));
      grz_features_edge(f, s->placed, from, to, along, normal, f->edge_count);
    }
  }
  return sat_settle(f, s->room);
}

static bool sat_hull3(sat_builder *s) {
  sat_hull hull;
  if (!sat_hull_build(&hull, &s->placed->shape, s->room)) return false;
  if (hull.rank < 3) return sat_line(s);
  if (hull.rank == 3) return sat_flat_hull(s, hull.basis);
  return hull.built && sat_solid(s, &hull);
}

bool grz_sat_features(grz_features *features, const graze_placed *placed, double unit, grz_workspace *room) {
  sat_builder s = {features, placed, unit, room};
  const int dim = placed->shape.dim;
  switch (placed->shape.kind) {
  case GRAZE_BOX: return grz_features_box(features, placed, unit, room);
  case GRAZE_POLYGON: return sat_polygon(&s);
  case GRAZE_TRIANGLE: return dim == 2 ? sat_polygon(&s) : sat_triangle(&s);
  case GRAZE_HULL: return dim == 2 ? sat_hull2(&s) : sat_hull3(&s);
  default: return sat_line(&s);
  }
}
