/* Solid meshes: whether a body whose faces do not cross those of a solid is inside it, and the depth of an overlap.
 * Theory: docs/theory/meshes.md. */
#include "compound/compound.h"

#include "bvh/bvh.h"
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

/* ---- An interior point of a convex shape */

/* Writes dim + 1 affinely independent vertices of a point set, whose mean is an interior point. Returns the number of
 * points; fewer than dim + 1 if the core is flat. */
static int inner_simplex(const graze_shape *shape, graze_vec local[4]) {
  int count = 0;
  for (size_t i = 0; i < grz_core_count(shape) && count <= shape->dim; i++) {
    const graze_vec v = grz_core_vertex(shape, i);
    bool independent = true;
    if (count == 1) independent = !vec_equal(v, local[0]);
    if (count == 2) {
      const graze_vec *p = local, xy[3] = {p[0], p[1], v};
      const graze_vec yz[3] = {{p[0].y, p[0].z, 0}, {p[1].y, p[1].z, 0}, {v.y, v.z, 0}};
      const graze_vec zx[3] = {{p[0].z, p[0].x, 0}, {p[1].z, p[1].x, 0}, {v.z, v.x, 0}};
      independent = grz_orient2(xy[0], xy[1], xy[2]) != 0 || grz_orient2(yz[0], yz[1], yz[2]) != 0 ||
                    grz_orient2(zx[0], zx[1], zx[2]) != 0;
    }
    if (count == 3) independent = grz_orient3(local[0], local[1], local[2], v) != 0;
    if (independent) local[count++] = v;
  }
  return count;
}

/* Writes points of the core whose mean is an interior point of the shape, and returns their number. Returns 0 if the
 * shape is flat. */
static int inner_points(const graze_placed *body, graze_vec local[4]) {
  const graze_shape *shape = &body->shape;
  double slack;
  local[0] = vec_make(0, 0, 0);
  switch (shape->kind) {
  case GRAZE_SPHERE:
  case GRAZE_CAPSULE: return body->hidden.radius > 0;
  case GRAZE_USER: return grz_user_support(shape, vec_make(1, 0, 0), &local[0], &slack) && body->hidden.radius > 0;
  case GRAZE_BOX: {
    const graze_vec half = shape->as.box.half_extents;
    return body->hidden.radius > 0 || (half.x > 0 && half.y > 0 && (half.z > 0 || shape->dim == 2));
  }
  case GRAZE_ELLIPSOID: {
    const graze_vec radii = shape->as.ellipsoid.radii;
    return body->hidden.radius > 0 || (radii.x > 0 && radii.y > 0 && (radii.z > 0 || shape->dim == 2));
  }
  case GRAZE_CYLINDER:
  case GRAZE_CONE: {
    const bool thick = shape->as.cylinder.radius > 0 && shape->as.cylinder.half_length > 0;
    return body->hidden.radius > 0 || thick;
  }
  default: break;
  }
  if (body->hidden.radius > 0 && grz_core_count(shape) > 0) {
    local[0] = grz_core_vertex(shape, 0);
    return 1;
  }
  const int count = inner_simplex(shape, local);
  return count == shape->dim + 1 ? count : 0;
}

/* ---- Bodies that touch */

typedef struct touch_search {
  const graze_placed *target, *other;
  bool target_is_a;
  int overlaps; /* as grz_touch_overlaps() */
} touch_search;

/* Tests a pair of parts. Convex parts with an interior are tested by an interior point. */
static bool touch_visit(void *context, int32_t target_part, int32_t other_part) {
  touch_search *s = context;
  graze_frame frame_target, frame_other;
  grz_result result;
  graze_vec local[4];
  const graze_placed target = graze_part(s->target, (size_t)target_part, &frame_target);
  const graze_placed other = graze_part(s->other, (size_t)other_part, &frame_other);
  const graze_placed *of_target = s->target->shape.kind == GRAZE_MESH ? s->target : &target;
  const graze_placed *of_other = s->other->shape.kind == GRAZE_MESH ? s->other : &other;
  if (of_target == &target && inner_points(&target, local) > 0) return true;
  if (of_other == &other && inner_points(&other, local) > 0) return true;
  const graze_status status = s->target_is_a ? grz_intersect_pair(&target, &other, &grz_default_options, &result)
                                             : grz_intersect_pair(&other, &target, &grz_default_options, &result);
  if (status != GRAZE_OK || result.answer.relation != GRAZE_TOUCHING) return true;
  const int overlaps = grz_touch_overlaps(of_target, (size_t)target_part, of_other, (size_t)other_part);
  if (overlaps != 0 && s->overlaps <= 0) s->overlaps = overlaps;
  return s->overlaps <= 0;
}

/* ---- Bodies inside */

/* Whether a convex body is inside a solid whose faces do not overlap it: 1, 0, or -1 if it is not decided. A flat body
 * that touches the solid is not tested. */
static int solid_contains_convex(const graze_placed *solid, const graze_placed *body, bool touches) {
  graze_vec local[4];
  int count = inner_points(body, local);
  if (body->shape.kind == GRAZE_HALFSPACE) return 0;
  if (count == 0 && touches) return 0;
  if (count == 0) { /* any point of a body that does not touch the faces */
    double slack;
    count = 1;
    local[0] = vec_make(0, 0, 0);
    if (body->shape.kind == GRAZE_USER) (void)grz_user_support(&body->shape, vec_make(1, 0, 0), &local[0], &slack);
    if (grz_core_count(&body->shape) > 0) local[0] = grz_core_vertex(&body->shape, 0);
  }
  return solid_contains(solid, body, local, count);
}

/* Whether a component of a mesh is inside a solid. If the bodies touch, the vertex that stands for a component may be
 * on the surface of the solid; then the contact decides. */
static int solid_contains_mesh(const graze_placed *solid, const graze_placed *body, bool touches) {
  const graze_mesh *mesh = body->shape.as.mesh;
  bool undecided = false;
  for (size_t i = 0; i < mesh->component_count; i++) {
    const graze_vec vertex = mesh->def.vertices[mesh->component[i]];
    int inside;
    if (touches) {
      const graze_shape point = mesh->def.dim == 2 ? graze_segment2(vertex, vertex) : graze_segment(vertex, vertex);
      const graze_placed placed = graze_place(&point, body->pose);
      grz_compound_query query;
      const graze_status status = grz_compound_query_run(&query, solid, &placed, NULL, false);
      const graze_relation relation = query.best.answer.relation;
      inside = status != GRAZE_OK || relation == GRAZE_UNDECIDED ? -1 : relation == GRAZE_OVERLAPPING;
    } else {
      inside = solid_contains(solid, body, &vertex, 1);
    }
    if (inside > 0) return 1;
    undecided = undecided || inside < 0;
  }
  return undecided ? -1 : 0;
}

/* Whether a body is inside a solid, at least in part: 1, 0, or -1. */
static int solid_contains_body(const graze_placed *solid, const graze_placed *body, bool touches) {
  if (body->shape.kind == GRAZE_MESH) return solid_contains_mesh(solid, body, touches);
  bool undecided = false;
  for (size_t i = 0; i < graze_part_count(body); i++) {
    graze_frame frame;
    const graze_placed part = graze_part(body, i, &frame);
    const int inside = solid_contains_convex(solid, &part, touches);
    if (inside > 0) return 1;
    undecided = undecided || inside < 0;
  }
  return undecided ? -1 : 0;
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
  graze_vec at;
  if (graze_support(a, n, &at, NULL) != GRAZE_OK) return;
  result->answer.lower = result->answer.distance = -path;
  result->answer.normal = n;
  result->answer.point_a = at;
  result->answer.point_b = vec_sub(at, vec_scale(n, path));
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

int grz_solid_overlaps(const graze_placed *a, const graze_placed *b, bool touches) {
  const int in_a = grz_is_solid_mesh(&a->shape) ? solid_contains_body(a, b, touches) : 0;
  if (in_a > 0) return 1;
  const int in_b = grz_is_solid_mesh(&b->shape) ? solid_contains_body(b, a, touches) : 0;
  if (in_b > 0) return 1;
  touch_search touch = {.overlaps = in_a < 0 || in_b < 0 ? -1 : 0};
  if (!touches) return touch.overlaps;
  touch.target_is_a = grz_has_parts(&a->shape);
  touch.target = touch.target_is_a ? a : b, touch.other = touch.target_is_a ? b : a;
  grz_query_shape shape;
  grz_query_shape_make(&shape, touch.target, touch.other, 0);
  grz_search search = {.target = &touch.target->shape, .query = &shape};
  search.visit = touch_visit, search.context = &touch;
  grz_search_run(&search);
  return touch.overlaps;
}
