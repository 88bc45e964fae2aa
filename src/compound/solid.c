/* Solid meshes: whether a body whose faces do not cross those of a solid is inside it, and the depth of an overlap.
 * Theory: docs/theory/meshes.md. */
#include "compound/compound.h"

#include "bvh/scene_tree.h"
#include "core/vec.h"
#include "core/status.h"
#include "exact/exact.h"
#include "narrow/query.h"
#include "narrow/stages.h"
#include "verify/verify.h"

/* ---- Points inside */

typedef struct inside_query {
  grz_inner_point point;
  grz_inner_exact exact;
  bool odd;       /* the number of crossed faces */
  bool undecided; /* doubles do not decide for a face */
} inside_query;

static bool inside_visit(void *context, uint32_t face) {
  inside_query *q = context;
  const int crosses = grz_inner_point_crosses(&q->point, face);
  q->undecided = crosses < 0;
  q->odd ^= crosses > 0;
  return !q->undecided;
}

static bool inside_visit_exactly(void *context, uint32_t face) {
  inside_query *q = context;
  q->odd ^= grz_inner_exact_crosses(&q->exact, face);
  return true;
}

static graze_status inside_exactly(grz_arena *arena, void *context) {
  inside_query *q = context;
  const graze_aabb ray = grz_inner_point_ray(&q->point);
  q->odd = false;
  q->exact = grz_inner_exact_make(arena, &q->point);
  grz_tree_overlap(grz_tree_of(&q->point.mesh->shape), &ray, inside_visit_exactly, q);
  return GRAZE_OK;
}

/* Returns 1 if the perturbed mean of the local points of a body is inside the solid, 0 if it is not, and -1 if the
 * arena is too small to decide. */
static int solid_contains(const graze_placed *solid, const graze_placed *body, const graze_vec *local, int count) {
  inside_query q = {.odd = false, .undecided = false};
  if (!grz_inner_point_make(&q.point, solid, body, local, count)) return 0;
  const graze_aabb ray = grz_inner_point_ray(&q.point);
  grz_tree_overlap(grz_tree_of(&solid->shape), &ray, inside_visit, &q);
  if (q.undecided && grz_check_in_arena(inside_exactly, &q) != GRAZE_OK) return -1;
  return q.odd;
}

/* ---- A plane between the bodies */

/* The farthest vertices of a body along a direction, exactly. */
typedef struct plane_side {
  const graze_placed *body;
  graze_vec direction; /* rounded, in the frame of the body */
} plane_side;

static size_t plane_vertex_count(const graze_placed *body) {
  if (body->shape.kind == GRAZE_MESH) return body->shape.as.mesh->def.vertex_count;
  return body->shape.kind == GRAZE_COMPOUND ? 0 : grz_core_count(&body->shape);
}

static graze_vec plane_vertex(const graze_placed *body, size_t i) {
  return body->shape.kind == GRAZE_MESH ? body->shape.as.mesh->def.vertices[i] : grz_core_vertex(&body->shape, i);
}

/* The largest d·v of all vertices. Only those that are farthest within rounding are computed exactly. */
static grz_big plane_farthest(grz_arena *arena, const plane_side *s, grz_bvec d) {
  const size_t count = plane_vertex_count(s->body);
  const double error = 64 * GRZ_U * vec_norm1(s->direction) * s->body->hidden.bounding_radius;
  double most = -__builtin_inf();
  for (size_t i = 0; i < count; i++) most = real_max(most, vec_dot(s->direction, plane_vertex(s->body, i)));
  grz_big best = grz_big_zero();
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    if (vec_dot(s->direction, plane_vertex(s->body, i)) < most - 2 * error) continue;
    const size_t mark = arena->used;
    const grz_big height = grz_bvec_dot(arena, d, grz_bvec_of(arena, plane_vertex(s->body, i)));
    const bool better = !any || grz_big_compare(height, best) > 0;
    if (better)
      best = height, any = true;
    else
      arena->used = mark;
  }
  return best;
}

typedef struct plane_check {
  plane_side a, b;
  graze_vec normal; /* from A to B */
  bool separates;
} plane_check;

static graze_status plane_run(grz_arena *arena, void *context) {
  plane_check *q = context;
  const grz_placement placement = grz_placement_make(arena, q->a.body, q->b.body);
  const grz_bvec d = grz_bvec_of(arena, q->normal);
  const grz_big of_a = plane_farthest(arena, &q->a, grz_placement_local_a(arena, &placement, d));
  const grz_big of_b = plane_farthest(arena, &q->b, grz_bvec_neg(grz_placement_local_b(arena, &placement, d)));
  const grz_big sum = grz_big_add(arena, grz_big_add(arena, of_a, of_b), grz_bvec_dot(arena, placement.offset, d));
  q->separates = sum.sign <= 0;
  return GRAZE_OK;
}

/* Whether a plane with this normal certainly separates two bodies of vertices, which may touch it. */
static bool plane_separates(const graze_placed *a, const graze_placed *b, graze_vec normal) {
  const int dim = a->shape.dim;
  if (!(vec_norm_inf(normal) > 0) || plane_vertex_count(a) == 0 || plane_vertex_count(b) == 0) return false;
  plane_check q = {.a = {a, vec_unrotate(a->hidden.rotation, normal, dim)},
                   .b = {b, vec_neg(vec_unrotate(b->hidden.rotation, normal, dim))},
                   .normal = normal};
  return grz_check_in_arena(plane_run, &q) == GRAZE_OK && q.separates;
}

/* ---- Bodies that touch */

typedef struct touch_search {
  const graze_placed *target, *other;
  bool target_is_a;
  const graze_vec *velocity; /* as of grz_touch_overlaps() */
  int overlaps;              /* as grz_touch_overlaps() */
} touch_search;

/* Tests a pair of parts. Convex parts with an interior are tested by an interior point. */
static bool touch_visit(void *context, int32_t target_part, int32_t other_part) {
  touch_search *s = context;
  graze_frame frame_target, frame_other;
  grz_result result;
  grz_inner_points inner;
  const graze_placed target = graze_part(s->target, (size_t)target_part, &frame_target);
  const graze_placed other = graze_part(s->other, (size_t)other_part, &frame_other);
  const graze_placed *of_target = s->target->shape.kind == GRAZE_MESH ? s->target : &target;
  const graze_placed *of_other = s->other->shape.kind == GRAZE_MESH ? s->other : &other;
  if (of_target == &target && grz_inner_find(&target, &inner)) return true;
  if (of_other == &other && grz_inner_find(&other, &inner)) return true;
  const graze_status status = s->target_is_a ? grz_intersect_pair(&target, &other, &grz_default_options, &result)
                                             : grz_intersect_pair(&other, &target, &grz_default_options, &result);
  if (status != GRAZE_OK || result.answer.relation != GRAZE_TOUCHING) return true;
  const int overlaps =
      s->target_is_a ? grz_touch_overlaps(of_target, (size_t)target_part, of_other, (size_t)other_part, s->velocity)
                     : grz_touch_overlaps(of_other, (size_t)other_part, of_target, (size_t)target_part, s->velocity);
  if (overlaps != 0 && s->overlaps <= 0) s->overlaps = overlaps;
  return s->overlaps <= 0;
}

/* Tests all pairs of parts that touch. */
static void touch_run(touch_search *s, const graze_placed *a, const graze_placed *b) {
  s->target_is_a = grz_has_parts(&a->shape);
  s->target = s->target_is_a ? a : b, s->other = s->target_is_a ? b : a;
  grz_query_shape shape;
  grz_query_shape_make(&shape, s->target, s->other, 0);
  grz_search search = {.target = &s->target->shape, .query = &shape};
  search.visit = touch_visit, search.context = s;
  grz_search_run(&search);
}

int grz_solid_enters(const graze_placed *a, const graze_placed *b, const graze_vec velocity[2]) {
  touch_search touch = {.velocity = velocity};
  touch_run(&touch, a, b);
  return touch.overlaps;
}

/* ---- Bodies inside */

/* A solid, and the body that may be inside it. */
typedef struct containment {
  const graze_placed *solid, *body;
  bool solid_is_a;
  bool touches;
  grz_result *result;
} containment;

/* Stores the point that is inside, as a certificate. */
static void contained_prove(const containment *c, int32_t part, const grz_inner_points *inner) {
  grz_proof *proof = &c->result->proof;
  grz_proof_clear(proof);
  proof->kind = c->solid_is_a ? GRAZE_CERTIFICATE_IN_A : GRAZE_CERTIFICATE_IN_B;
  proof->pair_count = inner->count;
  for (int i = 0; i < inner->count; i++) {
    const grz_pair in_a = {0, inner->vertex[i], {0, 0, 0}, inner->local[i], 0};
    const grz_pair in_b = {inner->vertex[i], 0, inner->local[i], {0, 0, 0}, 0};
    proof->pairs[i] = c->solid_is_a ? in_a : in_b;
  }
  if (c->body->shape.kind != GRAZE_MESH)
    *(c->solid_is_a ? &c->result->answer.part_b : &c->result->answer.part_a) = part;
}

typedef struct surface_search {
  const graze_placed *solid, *part;
  bool on_surface;
} surface_search;

static bool surface_visit(void *context, int32_t face, int32_t part) {
  surface_search *s = context;
  graze_frame frame;
  grz_result result;
  (void)part;
  const graze_placed placed = graze_part(s->solid, (size_t)face, &frame);
  const graze_status status = grz_intersect_pair(&placed, s->part, &grz_default_options, &result);
  s->on_surface = status != GRAZE_OK || result.answer.relation != GRAZE_SEPARATED;
  return !s->on_surface;
}

/* Whether a convex part has a point on a face of the solid. */
static bool is_on_surface(const graze_placed *solid, const graze_placed *part) {
  surface_search s = {solid, part, false};
  grz_query_shape query;
  grz_query_shape_make(&query, solid, part, 0);
  grz_search search = {.target = &solid->shape, .query = &query};
  search.visit = surface_visit, search.context = &s;
  grz_search_run(&search);
  return s.on_surface;
}

/* Whether a convex part is inside a solid whose faces do not overlap it: 1, 0, or -1 if it is not decided. The contact
 * decides about a flat part that touches the solid. */
static int contained_part(const containment *c, const graze_placed *part, int32_t index) {
  grz_inner_points inner;
  if (part->shape.kind == GRAZE_HALFSPACE) return 0;
  if (!grz_inner_find(part, &inner) && c->touches && is_on_surface(c->solid, part)) return 0;
  const int inside = solid_contains(c->solid, part, inner.local, inner.count);
  if (inside > 0) contained_prove(c, index, &inner);
  return inside;
}

/* Whether a vertex of a mesh is inside a solid: 1, 0, or -1 if it is not decided. *on_surface: the vertex is on a face,
 * and does not decide. */
static int contained_vertex(const containment *c, int32_t vertex, bool *on_surface) {
  const graze_vec at = c->body->shape.as.mesh->def.vertices[vertex];
  const graze_shape shape = c->body->shape.dim == 2 ? graze_segment2(at, at) : graze_segment(at, at);
  const graze_placed point = graze_place(&shape, c->body->pose);
  *on_surface = c->touches && is_on_surface(c->solid, &point);
  if (*on_surface) return 0;
  const int inside = solid_contains(c->solid, c->body, &at, 1);
  const grz_inner_points inner = {.count = 1, .local = {at}, .vertex = {vertex}};
  if (inside > 0) contained_prove(c, 0, &inner);
  return inside;
}

/* Whether a component of a mesh is inside a solid, by a vertex that is not on the surface of the solid. If all of them
 * are, the contacts decide. */
static int contained_component(const containment *c, size_t component) {
  const graze_mesh *mesh = c->body->shape.as.mesh;
  const size_t corners = (size_t)mesh->def.dim * mesh->def.face_count;
  const int32_t first = mesh->component[component];
  bool on_surface;
  int inside = contained_vertex(c, first, &on_surface);
  for (size_t i = 0; i < corners && on_surface; i++) {
    const int32_t vertex = mesh->def.faces[i];
    if (mesh->component_of == NULL || mesh->component_of[vertex] == mesh->component_of[first])
      inside = contained_vertex(c, vertex, &on_surface);
  }
  return inside;
}

/* Whether a body is inside a solid, at least in part: 1, 0, or -1. */
static int contained_body(const containment *c) {
  const bool of_mesh = c->body->shape.kind == GRAZE_MESH;
  const size_t count = of_mesh ? c->body->shape.as.mesh->component_count : graze_part_count(c->body);
  bool undecided = false;
  for (size_t i = 0; i < count; i++) {
    int inside;
    if (of_mesh) {
      inside = contained_component(c, i);
    } else {
      graze_frame frame;
      const graze_placed part = graze_part(c->body, i, &frame);
      inside = contained_part(c, &part, (int32_t)i);
    }
    if (inside > 0) return 1;
    undecided = undecided || inside < 0;
  }
  return undecided ? -1 : 0;
}

int grz_solid_overlaps(const graze_placed *a, const graze_placed *b, bool touches, grz_result *result) {
  const containment in_a = {a, b, true, touches, result}, in_b = {b, a, false, touches, result};
  if (touches && plane_separates(a, b, result->answer.normal)) return 0;
  const int of_a = grz_is_solid_mesh(&a->shape) ? contained_body(&in_a) : 0;
  if (of_a > 0) return 1;
  const int of_b = grz_is_solid_mesh(&b->shape) ? contained_body(&in_b) : 0;
  if (of_b > 0) return 1;
  touch_search touch = {.overlaps = of_a < 0 || of_b < 0 ? -1 : 0};
  if (!touches) return touch.overlaps;
  touch_run(&touch, a, b);
  if (touch.overlaps > 0) grz_proof_clear(&result->proof); /* no certificate for these overlaps */
  return touch.overlaps;
}

/* ---- The depth of an overlap */

/* Replaces the direction of the result if moving B along `n` until it is beyond A is shorter. */
static void depth_try(const graze_placed *a, const graze_placed *b, double clearance, graze_vec n, grz_result *result) {
  graze_interval of_a, of_b;
  const double error = 64 * GRZ_U;
  if (!(vec_norm_inf(n) > 0)) return;
  n = vec_unit(vec_unit_inf(n));
  if (graze_project(a, n, &of_a) != GRAZE_OK || graze_project(b, n, &of_b) != GRAZE_OK) return;
  const double size = a->hidden.bounding_radius + b->hidden.bounding_radius + vec_norm1(a->pose.position) +
                      vec_norm1(placed_reference_point(b)) + a->hidden.radius + b->hidden.radius + clearance;
  const double path = ((of_a.max - of_b.min) + clearance) * (1 + error) + error * size;
  if (!(path < -result->answer.lower)) return;
  const bool from_a = grz_query_shape_size(a) <= grz_query_shape_size(b); /* the smaller body: its point is nearer */
  graze_vec at;
  if (graze_support(from_a ? a : b, from_a ? n : vec_neg(n), &at, NULL) != GRAZE_OK) return;
  result->answer.lower = result->answer.distance = -path;
  result->answer.normal = n;
  result->answer.point_a = from_a ? at : vec_add(at, vec_scale(n, path));
  result->answer.point_b = from_a ? vec_sub(at, vec_scale(n, path)) : at;
  result->proof.direction = (grz_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = n};
}

void grz_solid_depth(const graze_placed *a, const graze_placed *b, double clearance, grz_result *result) {
  const graze_vec normal = result->answer.normal;
  result->answer.lower = -__builtin_inf();
  for (int of = 0; of < 2; of++) {
    const graze_placed *body = of == 0 ? a : b;
    for (int k = 0; k < body->shape.dim; k++) {
      const graze_vec axis = vec_column(body->hidden.rotation, k);
      depth_try(a, b, clearance, axis, result);
      depth_try(a, b, clearance, vec_neg(axis), result);
    }
  }
  if (normal.x == normal.x) depth_try(a, b, clearance, normal, result);
  result->answer.stopped = GRAZE_STOP_NONCONVEX;
}
