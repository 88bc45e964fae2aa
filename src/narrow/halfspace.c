/* A half-space against any shape: the support point of the other core along -n decides.
 *
 * With normal n, the signed distance is min (n·x)/|n| - offset - r over the points x of the other core, in the frame of
 * the half-space. Below, all vectors are rotated and scaled: N = (other q·q) M(q) n and W = scale·(x - p), with p the
 * position of the half-space. Then n·x/|n| = N·W/(scale·|N|), |N| = scale·|n|. Theory: docs/theory/rounding.md,
 * "Half-spaces in doubles". */
#include "narrow/stages.h"

#include "verify/verify.h"

#include "narrow/search.h"
#include "exact/exact.h"
#include "core/vec.h"
#include "shape/shape.h"
#include "shape/placed.h"

typedef struct plane_task {
  const grz_query *query;
  grz_result *result;
} plane_task;

static bool plane_is_a(const grz_obstacle *c) { return c->a->shape.kind == GRAZE_HALFSPACE; }

/* Signed distance = (height - offset·root)/(root·scale), height = N·W, root = |N|, offset scaled as W. The sign is
 * exact, and the difference is computed without cancellation. */
static void plane_interval(grz_exact *x, grz_big height, grz_big offset, grz_big square, grz_result *result) {
  grz_root root = {grz_big_neg(offset), square};
  int sign = grz_radical_sign(x->arena, height, &root, 1);
  result->answer.relation = sign > 0 ? GRAZE_SEPARATED : sign == 0 ? GRAZE_TOUCHING : GRAZE_OVERLAPPING;
  result->answer.distance = result->answer.lower = result->answer.upper = 0;
  if (sign == 0) return;
  grz_scaled length = scaled_sqrt(scaled_of_big(square));
  grz_scaled divisor = scaled_mul(length, scaled_of_big(x->placing.scale)), excess;
  grz_scaled plus = scaled_of_big(height), minus = scaled_mul(scaled_of_big(grz_big_neg(offset)), length);
  if (height.sign * -offset.sign >= 0) {
    excess = scaled_add(plus, minus);
  } else {
    grz_big squares = grz_big_sub(x->arena, grz_big_mul(x->arena, height, height),
                                  grz_big_mul(x->arena, grz_big_mul(x->arena, offset, offset), square));
    minus.m = -minus.m;
    excess = scaled_div(scaled_of_big(squares), scaled_add(plus, minus));
  }
  excess.m = sign * real_abs(excess.m);
  grz_exact_interval(excess, divisor, result);
}

/* Computes N. */
static grz_bvec plane_normal(grz_exact *x) {
  const bool plane_a = plane_is_a(x->c);
  const graze_placed *plane = plane_a ? x->c->a : x->c->b;
  const grz_bvec *rows = plane_a ? x->placing.to_world_a : x->placing.to_world_b;
  grz_bvec n = grz_bvec_of(x->arena, plane->shape.as.halfspace.normal), normal;
  normal.x = grz_bvec_dot(x->arena, rows[0], n);
  normal.y = grz_bvec_dot(x->arena, rows[1], n);
  normal.z = grz_bvec_dot(x->arena, rows[2], n);
  return normal;
}

static void plane_rate(grz_exact *x, void *context) {
  int *approaches = context;
  const grz_bvec normal = plane_normal(x);
  *approaches = grz_bvec_dot(x->arena, plane_is_a(x->c) ? normal : grz_bvec_neg(normal), x->placing.sweep).sign > 0;
}

int grz_halfspace_approaches(const grz_obstacle *c) {
  int approaches = -1;
  return grz_exact_run(c, plane_rate, &approaches) ? approaches : -1;
}

static void plane_exact(grz_exact *x, void *context) {
  const plane_task *task = context;
  grz_result *result = task->result;
  const grz_obstacle *c = x->c;
  const bool plane_a = plane_is_a(c);
  const graze_placed *plane = plane_a ? c->a : c->b, *other = plane_a ? c->b : c->a;
  const grz_bvec normal = plane_normal(x), down = grz_bvec_neg(normal);
  grz_bvec local =
      plane_a ? grz_placement_local_b(x->arena, &x->placing, down) : grz_placement_local_a(x->arena, &x->placing, down);
  grz_core_point at = grz_exact_support(x, other, local);
  graze_vec origin = {0, 0, 0};
  const int end = grz_bvec_dot(x->arena, plane_a ? normal : down, x->placing.sweep).sign > 0; /* the lower end */
  grz_bvec w = plane_a ? grz_bvec_neg(grz_placement_point_at(x->arena, &x->placing, origin, at.local, end))
                       : grz_placement_point_at(x->arena, &x->placing, at.local, origin, end);
  grz_big offset = grz_big_of(x->arena, plane->shape.as.halfspace.offset);
  offset = grz_big_add(x->arena, grz_big_mul(x->arena, offset, x->placing.scale),
                       grz_exact_radius(x, task->query->options->clearance));
  grz_big height = grz_bvec_dot(x->arena, normal, w), square = grz_bvec_dot(x->arena, normal, normal);
  if (x->arena->full) return; /* results of a full arena are invalid, and zero would be a divisor */
  plane_interval(x, height, offset, square, result);
  if (x->arena->full) return;
  result->answer.normal = vec_unit(scaled_direction(plane_a ? normal : down));
  result->proof.vertex = at.index;
  result->proof.vertex_point = at.local;
  result->answer.exact = true;
}

/* The offset from the half-space to the other body; for moving bodies, at the end of the interval with the lower
 * position. */
static inline graze_vec plane_offset(const graze_placed *other, const graze_placed *plane, graze_vec normal) {
  const graze_vec offset = placed_offset(other, plane);
  if (!placed_is_moving(other)) return offset;
  const graze_frame *frame = other->hidden.frame;
  const graze_vec speed = placed_relative(other, plane);
  return vec_add(offset, vec_scale(speed, vec_dot(normal, speed) < 0 ? frame->hidden.to : frame->hidden.from));
}

/* True if all other vertices of the box with half extents h are certainly lower along d than the farthest vertex, or
 * coincide with it. */
static bool plane_is_farthest_of_box(graze_vec h, graze_vec d, double doubt) {
  const double x = 2 * real_abs(d.x * h.x), y = 2 * real_abs(d.y * h.y), z = 2 * real_abs(d.z * h.z);
  return (x > doubt || h.x == 0) && (y > doubt || h.y == 0) && (z > doubt || h.z == 0);
}

/* True if `at` is surely the farthest vertex along d, or coincides with it. docs/theory/rounding.md, "Half-spaces in
 * doubles". */
static bool plane_is_farthest(const graze_placed *other, grz_core_point at, graze_vec d, double length) {
  const graze_shape *shape = &other->shape;
  const double doubt = 256 * GRZ_U * other->hidden.bounding_radius * length + 0x1p-1060;
  if (shape->kind == GRAZE_BOX) return plane_is_farthest_of_box(shape->as.box.half_extents, d, doubt);
  if (shape->kind == GRAZE_CAPSULE) return plane_is_farthest_of_box(grz_core_vertex(shape, 1), d, doubt);
  const size_t count = grz_core_count(shape);
  const graze_vec *vertices = grz_is_point_set(shape) ? shape->as.hull.vertices : shape->as.triangle.vertices;
  const double enough = vec_dot(d, at.local) - doubt;
  size_t high = 0; /* counted without branches, because few vertices in any order are common */
  for (size_t i = 0; i < count; i++) high += vec_dot(d, vertices[i]) >= enough;
  for (size_t i = 0; i < count && high > 1; i++)
    if (vec_dot(d, vertices[i]) >= enough && !vec_equal(vertices[i], at.local)) return false;
  return true;
}

/* The height of the other shape above the plane in doubles. */
typedef struct plane_height {
  graze_vec normal, down; /* in the world; its opposite in the frame of the other shape */
  double height, error; /* times the length of the normal. The lower bound has this error and the slack, the upper bound
                         * the error */
  double slack;         /* of user shapes, as for obstacle_support() */
  grz_core_point at;    /* the support point; index -1 and the origin if only its height was computed */
} plane_height;

/* Computes the height with the error bounds of docs/theory/rounding.md. `measure`: the normal has length 1, and the
 * error is tight. Returns false for a polytope whose lowest vertex is uncertain. */
GRZ_TEMPLATE bool plane_measure(const graze_placed *plane, const graze_placed *other, double clearance,
                                const bool measure, plane_height *h) {
  const graze_shape *shape = &other->shape;
  const bool curved = grz_is_curved(shape);
  const int dim = shape->dim;
  graze_vec n = plane->shape.as.halfspace.normal;
  const double largest = vec_norm_inf(n);
  if (!(largest > 0x1p-60 && largest < 0x1p60)) n = vec_unit_inf(n);
  const double normal_length = measure ? 1 : vec_length(n);
  const graze_vec normal = vec_rotate(plane->hidden.rotation, measure ? vec_unit(n) : n, dim);
  const graze_vec down = vec_unrotate(other->hidden.rotation, vec_neg(normal), dim);
  grz_core_point at = {{0, 0, 0}, -1};
  double slack = 0, value;
  if (grz_core_is_point(shape)) {
    at.index = 0, value = 0;
  } else if (!measure && curved && shape->kind != GRAZE_USER) {
    value = grz_support_value(shape, down, &slack);
  } else {
    at = grz_support_short(shape, down, &slack, 3);
    if (!curved && !plane_is_farthest(other, at, down, normal_length)) return false;
    value = vec_dot(down, at.local);
  }
  const graze_vec offset = plane_offset(other, plane, normal);
  const double margins = plane->hidden.radius + other->hidden.radius;
  const double beyond = ((plane->shape.as.halfspace.offset + plane->hidden.radius) + other->hidden.radius) + clearance;
  const double motion = placed_is_moving(other)
                            ? vec_length_above(vec_scale(placed_relative(other, plane), other->hidden.frame->hidden.to))
                            : 0;
  const double length = measure ? vec_length_above(offset) : vec_norm1(offset);
  const double error = 256 * GRZ_U * (other->hidden.bounding_radius + length + 2 * motion) +
                       8 * GRZ_U * real_abs(plane->shape.as.halfspace.offset) +
                       8 * GRZ_U * (real_abs(beyond) + margins);
  h->normal = normal, h->down = down, h->at = at;
  h->height = (vec_dot(normal, offset) - value) - beyond * normal_length;
  h->error = error * normal_length + (measure ? 0x1p-1060 : 0x1p-998);
  h->slack = 2 * slack * normal_length;
  return true;
}

static void plane_set_relation(const plane_height *h, grz_result *result) {
  const bool above = (h->height - h->error) - h->slack > 0, below = h->height + h->error < 0;
  result->answer.relation = above ? GRAZE_SEPARATED : below ? GRAZE_OVERLAPPING : GRAZE_UNDECIDED;
  result->proof.vertex = h->at.index;
  result->proof.vertex_point = h->at.local;
}

static bool plane_in_doubles(const grz_query *query, const graze_placed *a, const graze_placed *b, grz_result *result) {
  const bool plane_a = a->shape.kind == GRAZE_HALFSPACE;
  plane_height h;
  if (!plane_measure(plane_a ? a : b, plane_a ? b : a, query->options->clearance, true, &h)) return false;
  plane_set_relation(&h, result);
  result->answer.distance = h.height;
  result->answer.lower = (h.height - h.error) - h.slack;
  result->answer.upper = h.height + h.error;
  result->answer.normal = plane_a ? h.normal : vec_neg(h.normal);
  return true;
}

static void plane_finish(grz_result *result) {
  result->proof.kind = GRAZE_CERTIFICATE_HALFSPACE;
  result->answer.algorithm = GRAZE_ALGORITHM_HALFSPACE;
  result->answer.iterations = 1;
}

bool grz_halfspace_relation(const graze_placed *a, const graze_placed *b, const graze_options *options,
                            grz_result *result) {
  const bool plane_a = a->shape.kind == GRAZE_HALFSPACE;
  const graze_placed *other = plane_a ? b : a;
  plane_height h;
  if (options->method == GRAZE_METHOD_EXACT) return false;
  if (!plane_measure(plane_a ? a : b, other, options->clearance, false, &h)) return false;
  plane_set_relation(&h, result);
  if (result->answer.relation == GRAZE_OVERLAPPING && grz_is_curved(&other->shape) && other->shape.kind != GRAZE_USER)
    result->proof.vertex_point = grz_support_local(&other->shape, h.down, &h.slack).local;
  plane_finish(result);
  return result->answer.relation != GRAZE_UNDECIDED;
}

static bool plane_is_narrow(const grz_query *query, const graze_placed *a, const graze_placed *b,
                            const grz_result *result) {
  const bool curved = grz_is_curved(&a->shape) || grz_is_curved(&b->shape);
  return grz_query_is_narrow_for(query->options, curved, placed_scale(a, b), result);
}

/* Polytopes: in doubles if these suffice, else exactly. */
static void plane_polytope(grz_query *query, const graze_placed *a, const graze_placed *b, grz_result *result) {
  plane_task task = {query, result};
  grz_obstacle c;
  if (query->options->method != GRAZE_METHOD_EXACT && plane_in_doubles(query, a, b, result) &&
      result->answer.relation != GRAZE_UNDECIDED && plane_is_narrow(query, a, b, result))
    return;
  grz_query_clear_numbers(result);
  result->answer.relation = GRAZE_UNDECIDED;
  grz_query_place(query, &c, a, b);
  if (!grz_exact_run(&c, plane_exact, &task)) grz_exact_fail(&c, result);
}

/* Undecided: the support point can lie exactly on the plane. The verifier decides. */
static void plane_try_touch(const grz_query *query, const graze_placed *a, const graze_placed *b, grz_result *result) {
  grz_result touch = *result;
  touch.answer.relation = GRAZE_TOUCHING;
  touch.answer.distance = touch.answer.lower = touch.answer.upper = 0;
  if (grz_verify_pair(a, b, query->options->clearance, &touch.answer, &touch.proof) != GRAZE_OK) return;
  *result = touch;
  result->answer.exact = true;
}

void grz_halfspace_answer(grz_query *query, const graze_placed *a, const graze_placed *b, grz_result *result) {
  const bool plane_a = a->shape.kind == GRAZE_HALFSPACE;
  const graze_placed *other = plane_a ? b : a;
  const bool curved = grz_is_curved(&other->shape);
  plane_finish(result);
  if (curved)
    (void)plane_in_doubles(query, a, b, result);
  else
    plane_polytope(query, a, b, result);
  if (result->answer.relation == GRAZE_UNDECIDED) plane_try_touch(query, a, b, result);
  if (curved && !plane_is_narrow(query, a, b, result)) result->answer.stopped = GRAZE_STOP_PRECISION;
  graze_vec core = vec_rotate(other->hidden.rotation, result->proof.vertex_point, other->shape.dim);
  graze_vec step = vec_scale(result->answer.normal, result->answer.distance);
  if (plane_a) {
    result->answer.point_b =
        vec_add(vec_sub(core, vec_scale(result->answer.normal, other->hidden.radius)), placed_origin(other));
    result->answer.point_a = vec_sub(result->answer.point_b, step);
  } else {
    double out = other->hidden.radius + query->options->clearance;
    result->answer.point_a = vec_add(vec_add(core, vec_scale(result->answer.normal, out)), placed_origin(other));
    result->answer.point_b = vec_add(result->answer.point_a, step);
  }
}
