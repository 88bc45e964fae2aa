/* Whether the interiors of two bodies meet if their faces only touch, and one body is a solid mesh.
 *
 * The contact of two faces is a point, a segment or a polygon. If the interiors meet near the contact, they meet near a
 * vertex of such a contact, its apex. There, both bodies are cones bounded by planes. The planes divide the directions
 * from the apex into cells; each cell is tested by one direction, perturbed symbolically. Everything is exact. Theory
 * and proof: docs/theory/meshes.md, "Touching solids". */
#include "compound/compound.h"
#include "compound/touch_cells.h"

#include "bvh/scene_tree.h"
#include "core/vec.h"

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

/* Replaces three collinear points by the two ends. */
static void touch_collapse(const touch_query *q, touch_face *face) {
  for (int i = 0; i < 3; i++) { /* the segment between two vertices contains the third */
    const grz_bvec v = face->at[i], to = face->at[(i + 1) % 3], from = face->at[(i + 2) % 3];
    if (grz_bvec_dot(q->arena, grz_bvec_sub(q->arena, to, v), grz_bvec_sub(q->arena, from, v)).sign > 0) continue;
    face->at[0] = to, face->at[1] = from;
    break;
  }
  face->count = 2;
}

/* Computes a face relative to the apex. Returns false for a degenerate face of a solid. */
static bool touch_make_face(const touch_query *q, const touch_body *body, size_t index, touch_face *face) {
  graze_vec local[3];
  face->index = (uint32_t)index;
  face->count = touch_local(body, index, local);
  for (int i = 0; i < face->count; i++) {
    const grz_bvec p = grz_bvec_scale(q->arena, touch_position(q, body, local[i]), q->denominator);
    face->at[i] = grz_bvec_sub(q->arena, p, q->numerator);
  }
  face->normal = (grz_bvec){grz_big_zero(), grz_big_zero(), grz_big_zero()};
  if (face->count == 3) {
    face->normal = grz_bvec_cross(q->arena, grz_bvec_sub(q->arena, face->at[1], face->at[0]),
                                  grz_bvec_sub(q->arena, face->at[2], face->at[0]));
    if (!grz_bvec_is_zero(face->normal)) return true;
    if (body->solid) return false;
    touch_collapse(q, face);
  }
  if (face->count < q->dim) return true;
  const grz_bvec edge = grz_bvec_sub(q->arena, face->at[1], face->at[0]);
  face->normal = (grz_bvec){edge.y, grz_big_neg(edge.x), grz_big_zero()};
  return !body->solid || !grz_bvec_is_zero(face->normal);
}

/* ---- The faces at the apex, and the ray from it */

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

/* Collects the faces at the apex. */
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

/* How an apex lies in a face. */
typedef struct touch_place {
  bool at_vertex;
  grz_bvec edge; /* of an edge that contains the apex, if there is one; otherwise zero */
} touch_place;

static touch_place touch_place_of(const touch_query *q, const touch_face *face) {
  touch_place place = {false, {grz_big_zero(), grz_big_zero(), grz_big_zero()}};
  for (int i = 0; i < face->count; i++) {
    const grz_bvec from = face->at[i], to = face->at[(i + 1) % face->count];
    place.at_vertex = place.at_vertex || grz_bvec_is_zero(from);
    if (grz_bvec_is_zero(grz_bvec_cross(q->arena, from, to))) place.edge = grz_bvec_sub(q->arena, to, from);
  }
  return place;
}

/* Whether the apex is a vertex of the contact of no pair of faces with lower indices. */
static bool touch_is_first(const touch_query *q) {
  touch_place place[TOUCH_FACES];
  for (int i = 0; i < q->a.count; i++) place[i] = touch_place_of(q, &q->a.face[i]);
  for (int k = 0; k < q->b.count; k++) {
    const touch_place of_b = touch_place_of(q, &q->b.face[k]);
    for (int i = 0; i < q->a.count; i++) {
      const uint32_t a = q->a.face[i].index, b = q->b.face[k].index;
      if (a > q->a.current || (a == q->a.current && b >= q->b.current)) continue;
      if (place[i].at_vertex || of_b.at_vertex) return false;
      if (!grz_bvec_is_zero(grz_bvec_cross(q->arena, place[i].edge, of_b.edge))) return false;
    }
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

/* ---- A contact of two faces */

/* Tests one vertex of the contact. */
static void touch_test_apex(touch_query *q) {
  const size_t mark = q->arena->used;
  touch_collect(q, &q->a);
  touch_collect(q, &q->b);
  if (!q->crowded && touch_is_first(q)) {
    if (q->a.solid) touch_cast_ray(q, &q->a);
    if (q->b.solid) touch_cast_ray(q, &q->b);
    if (q->velocity != NULL) {
      const grz_bvec to = grz_bvec_of(q->arena, q->velocity[1]), from = grz_bvec_of(q->arena, q->velocity[0]);
      const grz_bvec v = grz_bvec_sub(q->arena, to, from);
      for (int i = 0; q->a.solid && i < q->b.count && !q->overlaps; i++)
        q->overlaps = grz_touch_face_enters(q, &q->a, &q->b.face[i], v);
      for (int i = 0; q->b.solid && i < q->a.count && !q->overlaps; i++)
        q->overlaps = grz_touch_face_enters(q, &q->b, &q->a.face[i], grz_bvec_neg(v));
    } else if (q->a.solid && q->b.solid) {
      q->overlaps = q->overlaps || grz_touch_solids_overlap(q);
    } else {
      const touch_body *solid = q->a.solid ? &q->a : &q->b, *flat = q->a.solid ? &q->b : &q->a;
      for (int i = 0; i < flat->count; i++)
        q->overlaps = q->overlaps || grz_touch_face_overlaps(q, solid, &flat->face[i]);
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
