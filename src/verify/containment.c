/* Whether a point of a body is inside a solid mesh, in exact arithmetic: the parity of the faces that a ray crosses.
 *
 * The ray is parallel to an axis of the mesh. The point is perturbed symbolically, by an infinitesimal vector that is
 * not in any plane of a face, edge and ray. So a ray never meets a vertex or an edge, and no ray is tried again.
 * Source: Edelsbrunner, Mücke 1990 (simulation of simplicity). Theory: docs/theory/meshes.md, "Containment". */
#include "verify/verify.h"

#include "core/vec.h"
#include "shape/placed.h"

/* Errors of the point and of products, in units of u: docs/theory/meshes.md, "Containment". */
#define INNER_POINT_ERROR (256 * GRZ_U)
#define INNER_ROUNDING (32 * GRZ_U)

bool grz_inner_point_make(grz_inner_point *p, const graze_placed *mesh, const graze_placed *body,
                          const graze_vec *local, int count) {
  const int dim = mesh->shape.dim;
  const graze_aabb *bounds = grz_bounds_of_parts(&mesh->shape);
  graze_vec mean = {0, 0, 0};
  double size = mesh->hidden.bounding_radius + body->hidden.bounding_radius;
  p->mesh = mesh, p->body = body, p->count = count;
  for (int i = 0; i < count; i++) {
    p->local[i] = local[i];
    mean = vec_add(mean, vec_scale(local[i], 1.0 / count));
  }
  const graze_vec offset = placed_from(body, mesh->pose.position);
  p->at = vec_unrotate(mesh->hidden.rotation, vec_add(vec_rotate(body->hidden.rotation, mean, dim), offset), dim);
  size += vec_norm1(offset) + vec_norm1(placed_reference_point(body)) * GRZ_U;
  if (placed_is_part(body)) size += vec_norm1(grz_placed_shift(body));
  p->error = INNER_POINT_ERROR * size + 0x1p-1000;

  /* The ray leaves the bounds by the shortest way. */
  double shortest = __builtin_inf();
  for (int k = 0; k < dim; k++) {
    const double at = vec_coordinate(p->at, k);
    const double up = vec_coordinate(bounds->max, k) - at, down = at - vec_coordinate(bounds->min, k);
    if (up < -p->error || down < -p->error) return false;
    if (up < shortest) shortest = up, p->axis = k, p->positive = true;
    if (down < shortest) shortest = down, p->axis = k, p->positive = false;
  }
  return true;
}

graze_aabb grz_inner_point_ray(const grz_inner_point *p) {
  const graze_vec out = vec_make(p->error, p->error, p->mesh->shape.dim == 3 ? p->error : 0);
  graze_aabb ray = {vec_sub(p->at, out), vec_add(p->at, out)};
  graze_vec *const end = p->positive ? &ray.max : &ray.min;
  *(p->axis == 0 ? &end->x : p->axis == 1 ? &end->y : &end->z) = p->positive ? __builtin_inf() : -__builtin_inf();
  return ray;
}

/* ---- In doubles, where the signs are certain */

/* The vector in a frame in which the ray has the direction of the last axis. */
static graze_vec inner_turn(const grz_inner_point *p, graze_vec v) {
  const double at[3] = {v.x, v.y, v.z}, sign = p->positive ? 1 : -1;
  const int k = p->axis;
  if (p->mesh->shape.dim == 2) return vec_make(k == 1 ? at[0] : -at[1], sign * at[k], 0);
  return vec_make(at[(k + 1) % 3], at[(k + 2) % 3], sign * at[k]);
}

static int inner_sign(double x, double error) { return x > error ? 1 : x < -error ? -1 : 0; }

int grz_inner_point_crosses(const grz_inner_point *p, size_t face) {
  const graze_shape shape = grz_mesh_face(p->mesh->shape.as.mesh, face);
  const int dim = shape.dim;
  graze_vec v[3];
  double size = 0;
  for (int i = 0; i < dim; i++) {
    v[i] = inner_turn(p, vec_sub(shape.as.triangle.vertices[i], p->at));
    size = real_max(size, vec_norm_inf(v[i]));
  }
  /* An error of e in each coordinate and a relative error of a few u in each operation. */
  const double e = p->error + 4 * GRZ_U * size, square = 8 * size * e + INNER_ROUNDING * size * size + 0x1p-1000;
  if (dim == 2) {
    const int first = inner_sign(v[0].x, e), second = inner_sign(v[1].x, e);
    if (first == 0 || second == 0) return -1;
    if (first == second) return 0;
    const int side = inner_sign(v[0].x * v[1].y - v[0].y * v[1].x, square);
    return side == 0 ? -1 : side == first;
  }
  int turn[3];
  for (int i = 0; i < 3; i++) {
    const graze_vec a = v[i], b = v[(i + 1) % 3];
    turn[i] = inner_sign(a.x * b.y - a.y * b.x, square);
  }
  const bool left = turn[0] > 0 || turn[1] > 0 || turn[2] > 0, right = turn[0] < 0 || turn[1] < 0 || turn[2] < 0;
  if (left && right) return 0;
  if (turn[0] == 0 || turn[1] == 0 || turn[2] == 0) return -1;
  const int side = inner_sign(vec_dot(v[0], vec_cross(v[1], v[2])), 6 * size * square + 0x1p-1000);
  return side == 0 ? -1 : side == turn[0];
}

/* Returns whether the point may be in the bounds of the face. */
static bool inner_is_near(const grz_inner_point *p, size_t face) {
  const graze_shape shape = grz_mesh_face(p->mesh->shape.as.mesh, face);
  const graze_vec *v = shape.as.triangle.vertices;
  graze_vec low = vec_min(v[0], v[1]), high = vec_max(v[0], v[1]);
  if (shape.dim == 3) low = vec_min(low, v[2]), high = vec_max(high, v[2]);
  const double e = p->error;
  return p->at.x >= low.x - e && p->at.x <= high.x + e && p->at.y >= low.y - e && p->at.y <= high.y + e &&
         p->at.z >= low.z - e && p->at.z <= high.z + e;
}

/* ---- Exactly */

/* The sign of x - d·slope for the infinitesimal displacement d = basis[0]·e + basis[1]·e² + basis[2]·e³. */
static int inner_perturbed(grz_arena *arena, grz_big x, grz_bvec slope, const grz_bvec basis[3]) {
  if (x.sign != 0) return x.sign;
  int sign = 0;
  for (int k = 0; k < 3 && sign == 0; k++) {
    const size_t mark = arena->used;
    sign = -grz_bvec_dot(arena, basis[k], slope).sign;
    arena->used = mark;
  }
  return sign;
}

/* In 2D: the z coordinate of u × v. */
static grz_big inner_cross2(grz_arena *arena, grz_bvec u, grz_bvec v) {
  return grz_big_sub(arena, grz_big_mul(arena, u.x, v.y), grz_big_mul(arena, u.y, v.x));
}

/* v turned by a quarter to the right, so that d·(v turned) = d.x·v.y - d.y·v.x. */
static grz_bvec inner_right(grz_bvec v) { return (grz_bvec){v.y, grz_big_neg(v.x), grz_big_zero()}; }

static bool ray_crosses_edge(grz_arena *arena, const grz_bvec v[2], grz_bvec ray, const grz_bvec basis[3]) {
  const grz_bvec slope = grz_bvec_neg(inner_right(ray)); /* ray × (v - d) = ray × v - d·slope */
  const int first = inner_perturbed(arena, inner_cross2(arena, ray, v[0]), slope, basis);
  const int second = inner_perturbed(arena, inner_cross2(arena, ray, v[1]), slope, basis);
  if (first == second) return false;
  const grz_bvec edge = grz_bvec_sub(arena, v[1], v[0]);
  return inner_perturbed(arena, inner_cross2(arena, v[0], v[1]), inner_right(edge), basis) == second;
}

bool grz_ray_crosses(grz_arena *arena, int dim, const grz_bvec *v, grz_bvec ray, const grz_bvec basis[3]) {
  const size_t mark = arena->used;
  if (dim == 2) {
    const bool crosses = ray_crosses_edge(arena, v, ray, basis);
    arena->used = mark;
    return crosses;
  }
  /* The ray passes all edges on the same side: signs of ray·((v[i] - d) × (v[i + 1] - d)). */
  int turn = 0;
  bool crosses = true;
  for (int i = 0; i < 3 && crosses; i++) {
    const grz_bvec a = v[i], b = v[(i + 1) % 3], slope = grz_bvec_cross(arena, grz_bvec_sub(arena, b, a), ray);
    const int side = inner_perturbed(arena, grz_bvec_det(arena, a, b, ray), slope, basis);
    crosses = side != 0 && (i == 0 || side == turn);
    turn = side;
    arena->used = mark;
  }
  if (crosses) {
    const grz_bvec normal = grz_bvec_cross(arena, grz_bvec_sub(arena, v[1], v[0]), grz_bvec_sub(arena, v[2], v[0]));
    crosses = inner_perturbed(arena, grz_bvec_det(arena, v[0], v[1], v[2]), normal, basis) == turn;
    arena->used = mark;
  }
  return crosses;
}

bool grz_face_contains_origin(grz_arena *arena, const grz_bvec *v, int count) {
  const size_t mark = arena->used;
  bool contains = true;
  if (count == 1) return grz_bvec_is_zero(v[0]);
  if (count == 2) {
    contains = grz_bvec_is_zero(grz_bvec_cross(arena, v[0], v[1])) && grz_bvec_dot(arena, v[0], v[1]).sign <= 0;
  } else {
    const grz_bvec normal = grz_bvec_cross(arena, grz_bvec_sub(arena, v[1], v[0]), grz_bvec_sub(arena, v[2], v[0]));
    contains = !grz_bvec_is_zero(normal) && grz_bvec_dot(arena, normal, v[0]).sign == 0;
    for (int i = 0; i < 3 && contains; i++) {
      const grz_bvec side = grz_bvec_cross(arena, v[i], v[(i + 1) % 3]);
      contains = grz_bvec_dot(arena, normal, side).sign >= 0;
    }
  }
  arena->used = mark;
  return contains;
}

grz_inner_exact grz_inner_exact_make(grz_arena *arena, const grz_inner_point *p) {
  grz_inner_exact x = {.arena = arena, .p = p, .placement = grz_placement_make(arena, p->mesh, p->body)};
  const grz_bvec *row = x.placement.to_world_a;
  x.ray.x = p->axis == 0 ? row[0].x : p->axis == 1 ? row[0].y : row[0].z;
  x.ray.y = p->axis == 0 ? row[1].x : p->axis == 1 ? row[1].y : row[1].z;
  x.ray.z = p->axis == 0 ? row[2].x : p->axis == 1 ? row[2].y : row[2].z;
  if (p->mesh->shape.dim == 2) x.ray.z = grz_big_zero();
  if (!p->positive) x.ray = grz_bvec_neg(x.ray);
  x.basis[0] = grz_bvec_of(arena, vec_make(1, 0, 0));
  x.basis[1] = grz_bvec_of(arena, vec_make(0, 1, 0));
  x.basis[2] = grz_bvec_of(arena, vec_make(0, 0, 1));
  return x;
}

/* Computes the vectors from the point to the vertices of a face, times the number of points of the mean. */
static int inner_face(const grz_inner_exact *x, size_t face, grz_bvec v[3]) {
  const grz_inner_point *p = x->p;
  const graze_shape shape = grz_mesh_face(p->mesh->shape.as.mesh, face);
  for (int i = 0; i < shape.dim; i++) {
    v[i] = grz_placement_point(x->arena, &x->placement, shape.as.triangle.vertices[i], p->local[0]);
    for (int k = 1; k < p->count; k++) {
      const grz_bvec w = grz_placement_point(x->arena, &x->placement, shape.as.triangle.vertices[i], p->local[k]);
      v[i] = grz_bvec_add(x->arena, v[i], w);
    }
  }
  return shape.dim;
}

bool grz_inner_exact_crosses(const grz_inner_exact *x, size_t face) {
  const size_t mark = x->arena->used;
  grz_bvec v[3];
  const int dim = inner_face(x, face, v);
  const bool crosses = grz_ray_crosses(x->arena, dim, v, x->ray, x->basis);
  x->arena->used = mark;
  return crosses;
}

/* ---- The certificates IN_A and IN_B */

/* Whether the mean of the points is an interior point of a convex shape: an interior point of a simplex of vertices,
 * the centre of a curved shape that is not flat, or a core point of a rounded shape. */
static bool inner_is_interior(const graze_placed *body, const graze_vec *local, int count) {
  const graze_shape *shape = &body->shape;
  if (body->hidden.radius > 0) return true;
  if (count == 3 && shape->dim == 2) return grz_orient2(local[0], local[1], local[2]) != 0;
  if (count == 4) return grz_orient3(local[0], local[1], local[2], local[3]) != 0;
  if (count != 1 || vec_norm_inf(local[0]) != 0) return false;
  if (shape->kind == GRAZE_ELLIPSOID) {
    const graze_vec radii = shape->as.ellipsoid.radii;
    return radii.x > 0 && radii.y > 0 && (radii.z > 0 || shape->dim == 2);
  }
  const bool revolved = shape->kind == GRAZE_CYLINDER || shape->kind == GRAZE_CONE;
  return revolved && shape->as.cylinder.radius > 0 && shape->as.cylinder.half_length > 0;
}

/* Reads the points. Returns false for a wrong index, and for a point that is not certainly in the core. */
static bool inner_read(const graze_placed *body, const grz_proof *proof, bool of_b, graze_vec local[4]) {
  const graze_shape *shape = &body->shape;
  const bool mesh = shape->kind == GRAZE_MESH;
  const size_t vertices = mesh ? shape->as.mesh->def.vertex_count : grz_core_count(shape);
  if (proof->pair_count < 1 || proof->pair_count > 4 || (mesh && proof->pair_count > 1)) return false;
  for (int i = 0; i < proof->pair_count; i++) {
    const int32_t index = of_b ? proof->pairs[i].b : proof->pairs[i].a;
    const graze_vec point = of_b ? proof->pairs[i].point_b : proof->pairs[i].point_a;
    if (index >= 0 && (size_t)index >= vertices) return false;
    if (index < 0 && (vertices > 0 || shape->kind == GRAZE_USER || vec_norm_inf(point) != 0)) return false;
    local[i] = index < 0 ? point : mesh ? shape->as.mesh->def.vertices[index] : grz_core_vertex(shape, (size_t)index);
  }
  return true;
}

/* Whether the ray from the point crosses an odd number of faces: 1, 0, or -1 if the point is on a face, which is only
 * tested if it is not `interior` to the body, or if the arena is full. */
static int inner_parity(grz_arena *arena, const grz_inner_point *point, bool interior) {
  const grz_inner_exact exact = grz_inner_exact_make(arena, point);
  bool odd = false;
  for (size_t face = 0; face < point->mesh->shape.as.mesh->def.face_count; face++) {
    const int crosses = grz_inner_point_crosses(point, face);
    if (crosses >= 0 && !inner_is_near(point, face)) {
      odd ^= crosses > 0;
      continue;
    }
    odd ^= grz_inner_exact_crosses(&exact, face);
    const size_t mark = arena->used;
    grz_bvec v[3];
    const int count = inner_face(&exact, face, v);
    const bool on_face = !interior && grz_face_contains_origin(arena, v, count);
    arena->used = mark;
    if (on_face || arena->full) return -1;
  }
  return odd;
}

graze_status grz_verify_containment(grz_arena *arena, const graze_placed *a, int32_t part_a, const graze_placed *b,
                                    int32_t part_b, const grz_proof *proof) {
  const bool in_a = proof->kind == GRAZE_CERTIFICATE_IN_A;
  const graze_placed *solid = in_a ? a : b, *other = in_a ? b : a;
  graze_frame frame;
  graze_vec local[4];
  if (!grz_is_solid_mesh(&solid->shape)) return GRAZE_REFUTED;
  const bool mesh = other->shape.kind == GRAZE_MESH;
  const graze_placed part = mesh ? *other : graze_part(other, (size_t)(in_a ? part_b : part_a), &frame);
  if (part.shape.kind == GRAZE_HALFSPACE || !inner_read(&part, proof, in_a, local)) return GRAZE_REFUTED;

  grz_inner_point point;
  if (!grz_inner_point_make(&point, solid, &part, local, proof->pair_count)) return GRAZE_REFUTED;
  const bool interior = !mesh && inner_is_interior(&part, local, proof->pair_count);
  return grz_check_result(inner_parity(arena, &point, interior) > 0);
}

/* ---- An interior point of a convex shape */

static void inner_add(grz_inner_points *inner, graze_vec local, int32_t vertex) {
  inner->local[inner->count] = local;
  inner->vertex[inner->count++] = vertex;
}

/* Collects dim + 1 affinely independent vertices of the core, whose mean is an interior point. Returns false if the
 * core is flat. */
static bool inner_simplex(const graze_shape *shape, grz_inner_points *inner) {
  const graze_vec *p = inner->local;
  for (size_t i = 0; i < grz_core_count(shape) && inner->count <= shape->dim; i++) {
    const graze_vec v = grz_core_vertex(shape, i);
    const bool independent = inner->count == 0   ? true
                             : inner->count == 1 ? !vec_equal(v, p[0])
                             : inner->count == 2 ? !grz_are_collinear(p[0], p[1], v)
                                                 : grz_orient3(p[0], p[1], p[2], v) != 0;
    if (independent) inner_add(inner, v, (int32_t)i);
  }
  return inner->count == shape->dim + 1;
}

bool grz_inner_find(const graze_placed *body, grz_inner_points *inner) {
  const graze_shape *shape = &body->shape;
  const graze_vec origin = {0, 0, 0};
  const bool round = body->hidden.radius > 0, flat = shape->dim == 2;
  bool thick = round;
  double slack;
  inner->count = 0;
  if (!round && inner_simplex(shape, inner)) return true;
  inner->count = 0;
  if (grz_core_count(shape) > 0) {
    inner_add(inner, grz_core_vertex(shape, 0), 0);
    return round;
  }
  inner_add(inner, origin, -1);
  if (shape->kind == GRAZE_USER) (void)grz_user_support(shape, vec_make(1, 0, 0), &inner->local[0], &slack);
  if (shape->kind == GRAZE_ELLIPSOID) {
    const graze_vec radii = shape->as.ellipsoid.radii;
    thick = thick || (radii.x > 0 && radii.y > 0 && (radii.z > 0 || flat));
  }
  if (shape->kind == GRAZE_CYLINDER || shape->kind == GRAZE_CONE)
    thick = thick || (shape->as.cylinder.radius > 0 && shape->as.cylinder.half_length > 0);
  return thick;
}

/* ---- Bodies outside */

/* Whether the mean of local points of a body, off all faces, is outside a solid. */
static bool inner_is_outside(grz_arena *arena, const graze_placed *solid, const graze_placed *body,
                             const grz_inner_points *inner) {
  grz_inner_point point;
  const size_t mark = arena->used;
  const bool outside =
      !grz_inner_point_make(&point, solid, body, inner->local, inner->count) || inner_parity(arena, &point, true) == 0;
  if (!arena->full) arena->used = mark;
  return outside;
}

graze_status grz_verify_outside(grz_arena *arena, const graze_placed *solid, const graze_placed *body, bool touches) {
  const graze_mesh *mesh = body->shape.kind == GRAZE_MESH ? body->shape.as.mesh : NULL;
  const size_t count = mesh != NULL ? mesh->component_count : graze_part_count(body);
  for (size_t i = 0; i < count && body->shape.kind != GRAZE_HALFSPACE; i++) {
    graze_frame frame;
    grz_inner_points inner = {.count = 0};
    const graze_placed part = mesh != NULL ? *body : graze_part(body, i, &frame);
    if (part.shape.kind == GRAZE_USER) return GRAZE_UNPROVEN;
    if (mesh != NULL) inner_add(&inner, mesh->def.vertices[mesh->component[i]], mesh->component[i]);
    const bool thick = mesh == NULL && grz_inner_find(&part, &inner);
    if (touches && !thick) return GRAZE_UNPROVEN;
    if (!inner_is_outside(arena, solid, &part, &inner)) return GRAZE_REFUTED;
  }
  return GRAZE_OK;
}
