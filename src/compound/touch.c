/* Whether the interiors of two bodies meet if their faces only touch, and one body is a solid mesh.
 *
 * The contact of two faces is a point, a segment or a polygon. If the interiors meet near the contact, they meet near a
 * vertex of such a contact, its apex. There, both bodies are cones bounded by planes. The planes divide the directions
 * from the apex into cells; each cell is tested by one direction, perturbed symbolically. Everything is exact. Theory
 * and proof: docs/theory/meshes.md, "Touching solids". */
#include "compound/compound.h"

#include "bvh/scene_tree.h"
#include "core/vec.h"
#include "verify/verify.h"

enum { TOUCH_FACES = 96 }; /* of one body at an apex; with more, the relation is undecided */

/* A face, in the frame of the contact; or a triangle, segment or point of a flat convex body. */
typedef struct touch_face {
  uint32_t index;
  int count;       /* of vertices */
  grz_bvec at[3];  /* relative to the apex, times a positive number */
  grz_bvec normal; /* zero unless the face divides space */
} touch_face;

typedef struct touch_body {
  const graze_placed *placed; /* a mesh or a convex body */
  bool solid;                 /* a solid mesh */
  size_t piece;               /* of a flat convex body */
  uint32_t current;           /* the face in contact */
  int count;
  touch_face face[TOUCH_FACES];
  grz_bvec ray;
  bool beyond; /* the parity of the faces that the ray crosses away from the apex */
} touch_body;

typedef struct touch_query {
  touch_body a, b;
  int dim;
  const graze_vec *velocity; /* NULL, or of A and B: then the bodies must overlap at once, not at the start */
  bool overlaps, crowded;    /* crowded: too many faces at an apex */

  /* The current contact. */
  grz_arena *arena;
  grz_placement placement;
  grz_bvec numerator; /* the apex is numerator / denominator */
  grz_big denominator;
} touch_query;

/* ---- Faces of a body */

/* A flat convex body is the union of the triangles of its first vertex and two others; a segment if it has two
 * vertices, a point if it has one. */
static size_t touch_piece_count(const graze_shape *shape) {
  const size_t n = grz_core_count(shape);
  return n < 3 ? 1 : (n - 1) * (n - 2) / 2;
}

static int touch_local(const touch_body *body, size_t index, graze_vec local[3]) {
  const graze_shape *shape = &body->placed->shape;
  const graze_shape face = shape->kind == GRAZE_MESH ? grz_mesh_face(shape->as.mesh, index) : *shape;
  const size_t n = grz_core_count(&face);
  if (n <= 3) {
    for (size_t i = 0; i < n; i++) local[i] = grz_core_vertex(&face, i);
    return (int)n;
  }
  size_t second = 1;
  while (index >= n - 1 - second) index -= n - 1 - second++; /* pairs 1 ≤ second < third ≤ n - 1, row by row */
  local[0] = grz_core_vertex(&face, 0), local[1] = grz_core_vertex(&face, second);
  local[2] = grz_core_vertex(&face, second + 1 + index);
  return 3;
}

/* A local vector of a body in the frame of the contact. */
static grz_bvec touch_turn(const touch_query *q, const touch_body *body, graze_vec local) {
  const grz_bvec *row = body == &q->a ? q->placement.to_world_a : q->placement.to_world_b;
  const grz_bvec v = grz_bvec_of(q->arena, local);
  return (grz_bvec){grz_bvec_dot(q->arena, row[0], v), grz_bvec_dot(q->arena, row[1], v),
                    q->dim == 3 ? grz_bvec_dot(q->arena, row[2], v) : grz_big_zero()};
}

static grz_bvec touch_position(const touch_query *q, const touch_body *body, graze_vec local) {
  const grz_bvec v = touch_turn(q, body, local);
  return body == &q->a ? grz_bvec_add(q->arena, v, q->placement.offset) : v;
}

/* The normal of a triangle, in 2D of an edge. */
static grz_bvec touch_normal(const touch_query *q, const grz_bvec *at) {
  grz_arena *arena = q->arena;
  const grz_bvec u = grz_bvec_sub(arena, at[1], at[0]);
  if (q->dim == 2) return (grz_bvec){u.y, grz_big_neg(u.x), grz_big_zero()};
  return grz_bvec_cross(arena, u, grz_bvec_sub(arena, at[2], at[0]));
}

/* Computes a face relative to the apex. Returns false if it is degenerate. */
static bool touch_make_face(const touch_query *q, const touch_body *body, size_t index, touch_face *face) {
  graze_vec local[3];
  face->index = (uint32_t)index;
  face->count = touch_local(body, index, local);
  for (int i = 0; i < face->count; i++) {
    const grz_bvec p = grz_bvec_scale(q->arena, touch_position(q, body, local[i]), q->denominator);
    face->at[i] = grz_bvec_sub(q->arena, p, q->numerator);
  }
  face->normal = (grz_bvec){grz_big_zero(), grz_big_zero(), grz_big_zero()};
  if (face->count < q->dim) return true;
  face->normal = touch_normal(q, face->at);
  return !grz_bvec_is_zero(face->normal);
}

/* ---- The faces at the apex, and the ray from it */

static const graze_vec touch_axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

typedef struct touch_gathering {
  touch_query *q;
  touch_body *body;
} touch_gathering;

static bool touch_gather(void *context, uint32_t index) {
  const touch_gathering *g = context;
  touch_query *q = g->q;
  touch_body *body = g->body;
  const size_t mark = q->arena->used;
  touch_face face;
  if (!touch_make_face(q, body, index, &face) || !grz_face_contains_origin(q->arena, face.at, face.count)) {
    q->arena->used = mark;
    return !q->arena->full;
  }
  if (body->count == TOUCH_FACES) q->crowded = true;
  if (q->crowded) return false;
  body->face[body->count++] = face;
  return !q->arena->full;
}

static bool touch_count_face(void *context, uint32_t index) {
  const touch_gathering *g = context;
  touch_query *q = g->q;
  const size_t mark = q->arena->used;
  touch_face face;
  if (touch_make_face(q, g->body, index, &face) && !grz_face_contains_origin(q->arena, face.at, face.count)) {
    const grz_bvec basis[3] = {grz_bvec_of(q->arena, touch_axes[0]), grz_bvec_of(q->arena, touch_axes[1]),
                               grz_bvec_of(q->arena, touch_axes[2])};
    g->body->beyond ^= grz_ray_crosses(q->arena, q->dim, face.at, g->body->ray, basis);
  }
  q->arena->used = mark;
  return !q->arena->full;
}

static graze_aabb touch_bounds(const touch_body *body) {
  graze_vec local[3];
  const int count = touch_local(body, body->current, local);
  graze_aabb box = {local[0], local[0]};
  for (int i = 1; i < count; i++) box.min = vec_min(box.min, local[i]), box.max = vec_max(box.max, local[i]);
  return box;
}

/* Collects the faces at the apex. The first of them has the lowest index of all pairs of faces that meet there. */
static void touch_collect(touch_query *q, touch_body *body) {
  touch_gathering g = {q, body};
  body->count = 0;
  if (body->placed->shape.kind == GRAZE_MESH) {
    const graze_aabb box = touch_bounds(body);
    grz_tree_overlap(grz_tree_of(&body->placed->shape), &box, touch_gather, &g);
    return;
  }
  for (size_t i = 0; i < touch_piece_count(&body->placed->shape); i++) {
    if (!touch_gather(&g, (uint32_t)i)) return;
  }
}

static bool touch_is_first(const touch_body *body) {
  for (int i = 0; i < body->count; i++) {
    if (body->face[i].index < body->current) return false;
  }
  return true;
}

/* Chooses a ray that is in no plane of a face at the apex, and counts the other faces that it crosses. The directions
 * (1, s, s²) work: a plane contains at most two of them. */
static void touch_cast_ray(touch_query *q, touch_body *body) {
  graze_vec direction = {1, 0, 0};
  bool parallel = true;
  for (int k = 0; parallel && k <= 2 * TOUCH_FACES; k++) {
    const double slope = k * 0x1p-8;
    direction = vec_make(1, slope, q->dim == 3 ? slope * slope : 0);
    body->ray = touch_turn(q, body, direction);
    parallel = false;
    for (int i = 0; i < body->count && !parallel; i++)
      parallel = grz_bvec_dot(q->arena, body->face[i].normal, body->ray).sign == 0;
  }
  graze_aabb box = touch_bounds(body);
  const double length = (grz_bounds_of_parts(&body->placed->shape)->max.x - box.min.x) * (1 + 8 * GRZ_U);
  box.max = vec_add(box.max, vec_scale(direction, length));
  box.max.x = __builtin_inf();
  touch_gathering g = {q, body};
  body->beyond = false;
  grz_tree_overlap(grz_tree_of(&body->placed->shape), &box, touch_count_face, &g);
}

/* Whether the apex, perturbed by the basis, is inside the solid. */
static bool touch_inside(const touch_query *q, const touch_body *body, const grz_bvec basis[3]) {
  bool inside = body->beyond;
  for (int i = 0; i < body->count; i++) inside ^= grz_ray_crosses(q->arena, q->dim, body->face[i].at, body->ray, basis);
  return inside;
}

/* ---- Cells of directions */

static grz_bvec touch_signed(grz_bvec v, int negative) { return negative ? grz_bvec_neg(v) : v; }

/* The normals of all faces at the apex of both bodies that divide space. */
static int touch_planes(const touch_query *q, const grz_bvec *normal[2 * TOUCH_FACES]) {
  int count = 0;
  for (int of = 0; of < 2; of++) {
    const touch_body *body = of == 0 ? &q->a : &q->b;
    for (int i = 0; body->solid && i < body->count; i++) normal[count++] = &body->face[i].normal;
  }
  return count;
}

/* Whether a plane separates both cones: the faces of each body are on one side, and so is its inside. */
static bool touch_plane_separates(const touch_query *q, grz_bvec normal, int negative) {
  const grz_bvec n = touch_signed(normal, negative);
  for (int of = 0; of < 2; of++) {
    const touch_body *body = of == 0 ? &q->a : &q->b;
    const grz_bvec out = of == 0 ? n : grz_bvec_neg(n);
    for (int i = 0; i < body->count; i++) {
      for (int k = 0; k < body->face[i].count; k++) {
        if (grz_bvec_dot(q->arena, out, body->face[i].at[k]).sign > 0) return false;
      }
    }
    grz_bvec basis[3] = {out, grz_bvec_of(q->arena, touch_axes[0]), grz_bvec_of(q->arena, touch_axes[1])};
    if (out.z.sign == 0) basis[out.y.sign == 0 ? 1 : 2] = grz_bvec_of(q->arena, touch_axes[out.y.sign == 0 ? 1 : 2]);
    if (out.z.sign == 0 && out.y.sign == 0) basis[2] = grz_bvec_of(q->arena, touch_axes[2]);
    if (body->solid && touch_inside(q, body, basis)) return false;
  }
  return true;
}

/* Two solids: whether both contain the apex, perturbed by the basis. */
static bool touch_both(const touch_query *q, const grz_bvec basis[3]) {
  return touch_inside(q, &q->a, basis) && touch_inside(q, &q->b, basis);
}

/* Tests all cells next to the direction v, which is in plane `k`: those on both sides of both halves of the plane. In
 * 2D there is one half. */
static bool touch_any_cell(const touch_query *q, grz_bvec v, grz_bvec normal) {
  const grz_bvec third = grz_bvec_of(q->arena, touch_axes[2]);
  for (int sign = 0; sign < (q->dim == 2 ? 2 : 4); sign++) {
    const grz_bvec n = touch_signed(normal, sign & 1);
    const grz_bvec half = touch_signed(grz_bvec_cross(q->arena, normal, v), sign & 2);
    const grz_bvec basis2[3] = {v, n, third}, basis3[3] = {v, half, n};
    if (touch_both(q, q->dim == 2 ? basis2 : basis3)) return true;
  }
  return false;
}

static bool touch_solids_overlap(touch_query *q) {
  const grz_bvec *normal[2 * TOUCH_FACES];
  const int count = touch_planes(q, normal);
  grz_arena *arena = q->arena;
  for (int i = 0; i < 2 * count; i++) {
    const size_t mark = arena->used;
    const bool separates = touch_plane_separates(q, *normal[i / 2], i % 2);
    arena->used = mark;
    if (separates) return false;
  }
  bool parallel = true;
  for (int i = 0; i < count; i++) {
    for (int j = q->dim == 2 ? i : i + 1; j < count; j++) {
      const size_t mark = arena->used;
      const grz_bvec n = *normal[i], line = q->dim == 2 ? (grz_bvec){n.y, grz_big_neg(n.x), grz_big_zero()}
                                                        : grz_bvec_cross(arena, n, *normal[j]);
      bool found = false;
      if (!grz_bvec_is_zero(line)) {
        parallel = false;
        for (int k = 0; k < count && !found; k++) {
          if (grz_bvec_dot(arena, *normal[k], line).sign != 0) continue;
          found = touch_any_cell(q, line, *normal[k]) || touch_any_cell(q, grz_bvec_neg(line), *normal[k]);
        }
      }
      arena->used = mark;
      if (found || arena->full) return found;
      if (q->dim == 2) break;
    }
  }
  if (!parallel) return false;
  const grz_bvec n = *normal[0]; /* one plane: two cells */
  const grz_bvec unit[3] = {grz_bvec_of(arena, touch_axes[0]), grz_bvec_of(arena, touch_axes[1]),
                            grz_bvec_of(arena, touch_axes[2])};
  const int skip = n.x.sign != 0 ? 0 : n.y.sign != 0 ? 1 : 2;
  for (int sign = 0; sign < 2; sign++) {
    const grz_bvec basis[3] = {touch_signed(n, sign), unit[(skip + 1) % 3], unit[(skip + 2) % 3]};
    if (touch_both(q, basis)) return true;
  }
  return false;
}

/* ---- A flat face in a solid */

/* Whether all points near the apex, in the direction v, are inside the solid. */
static bool touch_direction_inside(const touch_query *q, const touch_body *solid, grz_bvec v) {
  grz_arena *arena = q->arena;
  const grz_bvec third = grz_bvec_of(arena, touch_axes[2]);
  bool in_plane = false;
  for (int i = 0; i < solid->count; i++) {
    const grz_bvec normal = solid->face[i].normal;
    if (grz_bvec_dot(arena, normal, v).sign != 0) continue;
    in_plane = true;
    for (int sign = 0; sign < 4; sign++) {
      const grz_bvec n = touch_signed(normal, sign & 1);
      const grz_bvec basis2[3] = {v, n, third};
      const grz_bvec basis3[3] = {v, touch_signed(grz_bvec_cross(arena, normal, v), sign & 2), n};
      if (!touch_inside(q, solid, q->dim == 2 ? basis2 : basis3)) return false;
    }
  }
  if (in_plane) return true;
  const int skip = v.x.sign != 0 ? 0 : v.y.sign != 0 ? 1 : 2;
  const grz_bvec basis[3] = {v, grz_bvec_of(arena, touch_axes[(skip + 1) % 3]),
                             grz_bvec_of(arena, touch_axes[(skip + 2) % 3])};
  return touch_inside(q, solid, basis);
}

/* Whether the directions v, perturbed by w, point into a triangle at the apex. */
static bool touch_points_into(const touch_query *q, const touch_face *face, grz_bvec v, grz_bvec w) {
  grz_arena *arena = q->arena;
  for (int i = 0; i < 3; i++) {
    const grz_bvec from = face->at[i], to = face->at[(i + 1) % 3];
    if (grz_bvec_dot(arena, face->normal, grz_bvec_cross(arena, from, to)).sign != 0) continue;
    const grz_bvec inward = grz_bvec_cross(arena, face->normal, grz_bvec_sub(arena, to, from));
    const int sign = grz_bvec_dot(arena, inward, v).sign;
    if (sign < 0 || (sign == 0 && grz_bvec_dot(arena, inward, w).sign <= 0)) return false;
  }
  return true;
}

/* Tests the two cells of a triangle next to the direction v in its plane. */
static bool touch_triangle_inside(const touch_query *q, const touch_body *solid, const touch_face *face, grz_bvec v) {
  for (int sign = 0; sign < 2; sign++) {
    const grz_bvec w = touch_signed(grz_bvec_cross(q->arena, face->normal, v), sign);
    const grz_bvec above[3] = {v, w, face->normal}, below[3] = {v, w, grz_bvec_neg(face->normal)};
    if (touch_points_into(q, face, v, w) && touch_inside(q, solid, above) && touch_inside(q, solid, below)) return true;
  }
  return false;
}

static bool touch_face_overlaps(const touch_query *q, const touch_body *solid, const touch_face *face) {
  grz_arena *arena = q->arena;
  bool found = false;
  for (int i = 0; i < face->count && !found; i++) {
    const size_t mark = arena->used;
    if (!grz_bvec_is_zero(face->at[i]))
      found = face->count < 3 ? touch_direction_inside(q, solid, face->at[i])
                              : touch_triangle_inside(q, solid, face, face->at[i]);
    arena->used = mark;
  }
  for (int i = 0; face->count == 3 && i < solid->count && !found; i++) {
    const size_t mark = arena->used;
    const grz_bvec line = grz_bvec_cross(arena, solid->face[i].normal, face->normal);
    found = !grz_bvec_is_zero(line) &&
            (touch_triangle_inside(q, solid, face, line) || touch_triangle_inside(q, solid, face, grz_bvec_neg(line)));
    arena->used = mark;
  }
  return found;
}

/* ---- A face that moves into a solid
 *
 * A face that moves by v meets the interior at once if some direction d + s·v does, where d points into the face and
 * s > 0. These directions are a cone: the wedge of the face and v. */

static bool touch_is_parallel(const touch_query *q, grz_bvec u, grz_bvec v) {
  return grz_bvec_is_zero(grz_bvec_cross(q->arena, u, v));
}

/* Whether the sector between the rays g and v, which are not parallel, meets the interior. */
static bool touch_sector_overlaps(const touch_query *q, const touch_body *solid, grz_bvec g, grz_bvec v) {
  grz_arena *arena = q->arena;
  const grz_bvec normal = grz_bvec_cross(arena, g, v);
  for (int i = -2; i < 2 * solid->count; i++) { /* rays in the plane of the sector */
    const size_t mark = arena->used;
    const grz_bvec line = i < 0 ? g : grz_bvec_cross(arena, solid->face[i / 2].normal, normal);
    const grz_bvec ray = i == -1 ? v : touch_signed(line, i > 0 && i % 2);
    bool found = false;
    for (int sign = 0; sign < 2 && !grz_bvec_is_zero(ray) && !found; sign++) {
      const grz_bvec side = touch_signed(grz_bvec_cross(arena, normal, ray), sign);
      const grz_bvec x[2] = {ray, side};
      int after_g = 0, before_v = 0;
      for (int k = 0; k < 2; k++) {
        if (after_g == 0) after_g = grz_bvec_det(arena, g, x[k], normal).sign;
        if (before_v == 0) before_v = grz_bvec_det(arena, x[k], v, normal).sign;
      }
      if (after_g <= 0 || before_v <= 0) continue;
      const grz_bvec above[3] = {ray, side, normal}, below[3] = {ray, side, grz_bvec_neg(normal)};
      found = touch_inside(q, solid, above) && (q->dim == 2 || touch_inside(q, solid, below));
    }
    arena->used = mark;
    if (found) return true;
  }
  return false;
}

/* Whether the perturbed direction is in the wedge of a triangle and v, which is not in its plane. */
static bool touch_wedge_contains(const touch_query *q, const touch_face *face, grz_bvec v, const grz_bvec basis[3]) {
  grz_arena *arena = q->arena;
  const grz_big rise = grz_bvec_dot(arena, face->normal, v);
  grz_bvec in_plane[3]; /* x - s·v with the s for which it is in the plane, times a positive number */
  int height = 0;
  for (int k = 0; k < 3; k++) {
    const grz_big h = grz_bvec_dot(arena, face->normal, basis[k]);
    if (height == 0) height = h.sign;
    const grz_bvec y = grz_bvec_sub(arena, grz_bvec_scale(arena, basis[k], rise), grz_bvec_scale(arena, v, h));
    in_plane[k] = touch_signed(y, rise.sign < 0);
  }
  if (height != rise.sign) return false;
  for (int i = 0; i < 3; i++) {
    const grz_bvec from = face->at[i], to = face->at[(i + 1) % 3];
    if (grz_bvec_dot(arena, face->normal, grz_bvec_cross(arena, from, to)).sign != 0) continue;
    const grz_bvec inward = grz_bvec_cross(arena, face->normal, grz_bvec_sub(arena, to, from));
    int sign = 0;
    for (int k = 0; k < 3 && sign == 0; k++) sign = grz_bvec_dot(arena, inward, in_plane[k]).sign;
    if (sign <= 0) return false;
  }
  return true;
}

/* Whether the wedge of a triangle and v, which is not in its plane, meets the interior. Its cells have corners on the
 * lines of two planes: of the solid, or of the wedge. */
static bool touch_wedge_overlaps(const touch_query *q, const touch_body *solid, const touch_face *face, grz_bvec v) {
  grz_arena *arena = q->arena;
  const size_t mark = arena->used;
  grz_bvec plane[TOUCH_FACES + 4];
  int count = 0;
  bool found = false;
  for (int i = 0; i < solid->count; i++) plane[count++] = solid->face[i].normal;
  plane[count++] = face->normal;
  for (int i = 0; i < 3; i++) {
    const grz_bvec side = grz_bvec_cross(arena, face->at[i], v);
    if (!grz_bvec_is_zero(side)) plane[count++] = side;
  }
  for (int i = 0; i < count && !found; i++) {
    for (int j = i + 1; j < count && !found; j++) {
      const size_t inner = arena->used;
      const grz_bvec line = grz_bvec_cross(arena, plane[i], plane[j]);
      for (int k = 0; k < count && !found && !grz_bvec_is_zero(line); k++) {
        if (grz_bvec_dot(arena, plane[k], line).sign != 0) continue;
        for (int sign = 0; sign < 8 && !found; sign++) {
          const grz_bvec ray = touch_signed(line, sign & 1);
          const grz_bvec half = touch_signed(grz_bvec_cross(arena, plane[k], line), sign & 2);
          const grz_bvec basis[3] = {ray, half, touch_signed(plane[k], sign & 4)};
          found = touch_wedge_contains(q, face, v, basis) && touch_inside(q, solid, basis);
        }
      }
      arena->used = inner;
    }
  }
  arena->used = mark;
  return found;
}

/* Whether a face at the apex, which moves by v relative to the solid, meets the interior at once. */
static bool touch_face_enters(const touch_query *q, const touch_body *solid, const touch_face *face, grz_bvec v) {
  const bool leaves_plane = face->count == 3 && grz_bvec_dot(q->arena, face->normal, v).sign != 0;
  if (leaves_plane) return touch_wedge_overlaps(q, solid, face, v);
  bool found = touch_direction_inside(q, solid, v);
  for (int i = 0; i < face->count && !found; i++) {
    if (!touch_is_parallel(q, face->at[i], v)) found = touch_sector_overlaps(q, solid, face->at[i], v);
  }
  return found;
}

/* ---- A contact of two faces */

/* Tests one vertex of the contact. */
static void touch_test_apex(touch_query *q) {
  const size_t mark = q->arena->used;
  touch_collect(q, &q->a);
  touch_collect(q, &q->b);
  if (!q->crowded && touch_is_first(&q->a) && touch_is_first(&q->b)) {
    if (q->a.solid) touch_cast_ray(q, &q->a);
    if (q->b.solid) touch_cast_ray(q, &q->b);
    if (q->velocity != NULL) {
      const grz_bvec to = grz_bvec_of(q->arena, q->velocity[1]), from = grz_bvec_of(q->arena, q->velocity[0]);
      const grz_bvec v = grz_bvec_sub(q->arena, to, from);
      for (int i = 0; q->a.solid && i < q->b.count && !q->overlaps; i++)
        q->overlaps = touch_face_enters(q, &q->a, &q->b.face[i], v);
      for (int i = 0; q->b.solid && i < q->a.count && !q->overlaps; i++)
        q->overlaps = touch_face_enters(q, &q->b, &q->a.face[i], grz_bvec_neg(v));
    } else if (q->a.solid && q->b.solid) {
      q->overlaps = q->overlaps || touch_solids_overlap(q);
    } else {
      const touch_body *solid = q->a.solid ? &q->a : &q->b, *flat = q->a.solid ? &q->b : &q->a;
      for (int i = 0; i < flat->count; i++) q->overlaps = q->overlaps || touch_face_overlaps(q, solid, &flat->face[i]);
    }
  }
  q->arena->used = mark;
}

/* Tests the point inside two edges where they intersect, if there is one: p + s·u for 0 < s < 1, where s =
 * numerator/denominator. */
static void touch_test_edges(touch_query *q, grz_bvec p, grz_bvec p_end, grz_bvec r, grz_bvec r_end) {
  grz_arena *arena = q->arena;
  const size_t mark = arena->used;
  const grz_bvec u = grz_bvec_sub(arena, p_end, p), v = grz_bvec_sub(arena, r_end, r), w = grz_bvec_sub(arena, r, p);
  const grz_bvec normal = grz_bvec_cross(arena, u, v);
  const grz_big square = grz_bvec_dot(arena, normal, normal);
  const grz_big s = grz_bvec_dot(arena, grz_bvec_cross(arena, w, v), normal);
  const grz_big t = grz_bvec_dot(arena, grz_bvec_cross(arena, w, u), normal);
  const bool inner = s.sign > 0 && t.sign > 0 && grz_big_compare(s, square) < 0 && grz_big_compare(t, square) < 0;
  if (square.sign > 0 && inner && grz_bvec_dot(arena, w, normal).sign == 0) {
    q->denominator = square;
    q->numerator = grz_bvec_add(arena, grz_bvec_scale(arena, p, square), grz_bvec_scale(arena, u, s));
    touch_test_apex(q);
  }
  arena->used = mark;
}

static graze_status touch_test_contact(grz_arena *arena, void *context) {
  touch_query *q = context;
  graze_vec local_a[3], local_b[3];
  grz_bvec a[3], b[3];
  q->arena = arena;
  q->overlaps = q->crowded = false; /* a run in a full arena leaves invalid results */
  q->placement = grz_placement_make(arena, q->a.placed, q->b.placed);
  q->denominator = grz_big_of(arena, 1);
  const int count_a = touch_local(&q->a, q->a.current, local_a), count_b = touch_local(&q->b, q->b.current, local_b);
  for (int i = 0; i < count_a; i++) a[i] = touch_position(q, &q->a, local_a[i]);
  for (int i = 0; i < count_b; i++) b[i] = touch_position(q, &q->b, local_b[i]);

  for (int i = 0; i < count_a + count_b; i++) { /* vertices of one face in the other */
    const touch_body *other = i < count_a ? &q->b : &q->a;
    const size_t mark = arena->used;
    touch_face face;
    q->numerator = i < count_a ? a[i] : b[i - count_a];
    if (touch_make_face(q, other, other->current, &face) && grz_face_contains_origin(q->arena, face.at, face.count))
      touch_test_apex(q);
    arena->used = mark;
  }
  for (int i = 0; i < (count_a == 3 ? 3 : count_a - 1); i++) {
    for (int k = 0; k < (count_b == 3 ? 3 : count_b - 1); k++)
      touch_test_edges(q, a[i], a[(i + 1) % count_a], b[k], b[(k + 1) % count_b]);
  }
  return GRAZE_OK;
}

int grz_touch_overlaps(const graze_placed *a, size_t face_a, const graze_placed *b, size_t face_b,
                       const graze_vec velocity[2]) {
  if ((a->shape.kind != GRAZE_MESH && grz_core_count(&a->shape) == 0) ||
      (b->shape.kind != GRAZE_MESH && grz_core_count(&b->shape) == 0))
    return -1; /* a flat curved shape */
  const bool flat_a = a->shape.kind != GRAZE_MESH, flat_b = b->shape.kind != GRAZE_MESH;
  touch_query q = {.dim = a->shape.dim, .velocity = velocity};
  bool undecided = false;
  q.a.placed = a, q.a.solid = grz_is_solid_mesh(&a->shape);
  q.b.placed = b, q.b.solid = grz_is_solid_mesh(&b->shape);
  const size_t count_a = flat_a ? touch_piece_count(&a->shape) : 1;
  const size_t count_b = flat_b ? touch_piece_count(&b->shape) : 1;
  for (size_t i = 0; i < count_a && !q.overlaps; i++) {
    for (size_t k = 0; k < count_b && !q.overlaps; k++) {
      q.a.current = (uint32_t)(flat_a ? i : face_a), q.b.current = (uint32_t)(flat_b ? k : face_b);
      undecided = grz_check_in_arena(touch_test_contact, &q) != GRAZE_OK || q.crowded || undecided;
    }
  }
  return q.overlaps ? 1 : undecided ? -1 : 0;
}
