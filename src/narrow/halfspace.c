/* Half-spaces. With n the normal, the signed distance is min over the other core of (n·x)/|n| - offset - r, x in the
 * half-space's frame: at the support point along -n. Below, everything is turned and scaled: N = (other q·q) M(q) n and
 * W = scale·(x - p), so that n·x/|n| = N·W/(scale·|N|), |N| = scale·|n|. */
#include "narrow/halfspace.h"

#include "narrow/exact_search.h"
#include "exact/big.h"
#include "core/vec.h"
#include "shape/core.h"
#include "shape/placed.h"

typedef struct plane_question {
  const grz_query *query;
  graze_answer *answer;
} plane_question;

static bool plane_is_a(const grz_obstacle *c) { return c->a->shape.kind == GRAZE_HALFSPACE; }

/* Signed distance = (reach - offset·root)/(root·scale), reach = N·W, root = |N|, offset in W's scale; the sign is
 * decided exactly and the difference formed without cancellation. */
static void plane_interval(grz_exact *x, grz_big reach, grz_big offset, grz_big square, graze_answer *answer) {
  grz_root root = {grz_big_neg(offset), square};
  int sign = grz_radical_sign(x->arena, reach, &root, 1);
  answer->relation = sign > 0 ? GRAZE_SEPARATED : sign == 0 ? GRAZE_TOUCHING : GRAZE_OVERLAPPING;
  answer->distance = answer->lower = answer->upper = 0;
  if (sign == 0) return;
  grz_scaled length = scaled_sqrt(scaled_of_big(square));
  grz_scaled divisor = scaled_mul(length, scaled_of_big(x->placing.scale)), excess;
  grz_scaled plus = scaled_of_big(reach), minus = scaled_mul(scaled_of_big(grz_big_neg(offset)), length);
  if (reach.sign * -offset.sign >= 0) {
    excess = scaled_add(plus, minus);
  } else {
    grz_big squares = grz_big_sub(x->arena, grz_big_mul(x->arena, reach, reach),
                                  grz_big_mul(x->arena, grz_big_mul(x->arena, offset, offset), square));
    minus.m = -minus.m;
    excess = scaled_div(scaled_of_big(squares), scaled_add(plus, minus));
  }
  excess.m = sign * real_abs(excess.m);
  grz_exact_interval(excess, divisor, answer);
}

/* N. */
static grz_bvec plane_normal(grz_exact *x) {
  const bool plane_a = plane_is_a(x->c);
  const graze_placed *plane = plane_a ? x->c->a : x->c->b;
  const grz_bvec *rows = plane_a ? x->placing.to_world_a : x->placing.to_world_b;
  grz_bvec n = grz_bvec_of(x->arena, plane->shape.extents), normal;
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

int grz_plane_approaches(const grz_obstacle *c) {
  int approaches = -1;
  return grz_exact_run(c, plane_rate, &approaches) ? approaches : -1;
}

static void plane_exact(grz_exact *x, void *context) {
  const plane_question *question = context;
  graze_answer *answer = question->answer;
  const grz_obstacle *c = x->c;
  const bool plane_a = plane_is_a(c);
  const graze_placed *plane = plane_a ? c->a : c->b, *other = plane_a ? c->b : c->a;
  const grz_bvec normal = plane_normal(x), down = grz_bvec_neg(normal);
  grz_bvec local =
      plane_a ? grz_placement_local_b(x->arena, &x->placing, down) : grz_placement_local_a(x->arena, &x->placing, down);
  grz_core_point at = grz_exact_support(x, other, local);
  graze_vec origin = {0, 0, 0};
  const int end = grz_bvec_dot(x->arena, plane_a ? normal : down, x->placing.sweep).sign > 0; /* the lower one */
  grz_bvec w = plane_a ? grz_bvec_neg(grz_placement_point_at(x->arena, &x->placing, origin, at.local, end))
                       : grz_placement_point_at(x->arena, &x->placing, at.local, origin, end);
  grz_big offset = grz_big_of(x->arena, plane->shape.offset);
  offset = grz_big_add(x->arena, grz_big_mul(x->arena, offset, x->placing.scale),
                       grz_exact_radius(x, question->query->options->clearance));
  grz_big reach = grz_bvec_dot(x->arena, normal, w), square = grz_bvec_dot(x->arena, normal, normal);
  if (x->arena->full) return; /* what is zero then means nothing, least of all as a divisor */
  plane_interval(x, reach, offset, square, answer);
  if (x->arena->full) return;
  answer->normal = vec_unit(scaled_direction(plane_a ? normal : down));
  answer->certificate.vertex = at.index;
  answer->certificate.vertex_point = at.local;
  answer->exact = true;
}

/* From the half-space to the other body; of moving ones where that is lowest. */
static graze_vec plane_apart(const graze_placed *other, const graze_placed *plane, graze_vec normal) {
  graze_vec apart = placed_offset(other, plane), speed = placed_relative(other, plane);
  if (!other->moving) return apart;
  return vec_add(apart, vec_scale(speed, vec_dot(normal, speed) < 0 ? other->to : other->from));
}

/* Are all other corners of the box surely less far along d than that at h, or in the same place? */
static bool plane_is_farthest_of_box(graze_vec h, graze_vec d, double doubt) {
  const double x = 2 * real_abs(d.x * h.x), y = 2 * real_abs(d.y * h.y), z = 2 * real_abs(d.z * h.z);
  return (x > doubt || h.x == 0) && (y > doubt || h.y == 0) && (z > doubt || h.z == 0);
}

/* Is this surely the farthest vertex along d, which is unit, or one in its place? docs/theory/rounding.md, "Half-spaces
 * in doubles". */
static bool plane_is_farthest(const graze_placed *other, const grz_core_point *at, graze_vec d) {
  const graze_shape *shape = &other->shape;
  const graze_vec *list = shape->vertices;
  const double doubt = 256 * GRZ_U * other->reach + 0x1p-1060;
  if (shape->kind == GRAZE_BOX) return plane_is_farthest_of_box(shape->extents, d, doubt);
  const double enough = vec_dot(d, at->local) - doubt;
  for (size_t i = 0, count = grz_core_count(shape); i < count; i++) {
    const graze_vec v = list ? list[i] : grz_core_vertex(shape, i);
    if (vec_dot(d, v) >= enough && !vec_equal(v, at->local)) return false;
  }
  return true;
}

/* The support value in doubles, the error bounds of docs/theory/rounding.md around it. False: of a polytope it is not
 * sure that the vertex is the deepest. */
static bool plane_in_doubles(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  const bool plane_a = plane_is_a(c);
  const graze_placed *plane = plane_a ? c->a : c->b, *other = plane_a ? c->b : c->a;
  graze_vec n = vec_unit_inf(plane->shape.extents);
  graze_vec normal = vec_rotate(plane->rotation, vec_unit(n), c->dim);
  double slack = 0;
  const graze_vec down = vec_unrotate(other->rotation, vec_neg(normal), c->dim);
  grz_core_point at = grz_support_local(&other->shape, down, &slack);
  if (!c->curved && !plane_is_farthest(other, &at, down)) return false;
  graze_vec offset = plane_apart(other, plane, normal);
  double height = vec_dot(normal, vec_add(vec_rotate(other->rotation, at.local, c->dim), offset));
  double beyond = ((plane->shape.offset + plane->radius) + other->radius) + query->options->clearance;
  double travel = other->moving ? vec_length_up(vec_scale(placed_relative(other, plane), other->to)) : 0;
  double error = 256 * GRZ_U * (other->reach + vec_length_up(offset) + 2 * travel) +
                 8 * GRZ_U * real_abs(plane->shape.offset) +
                 8 * GRZ_U * (real_abs(beyond) + plane->radius + other->radius) + 0x1p-1060;
  answer->distance = height - beyond;
  answer->lower = (answer->distance - error) - 2 * slack; /* as grz_obstacle_support() */
  answer->upper = answer->distance + error;
  answer->relation = answer->lower > 0 ? GRAZE_SEPARATED : answer->upper < 0 ? GRAZE_OVERLAPPING : GRAZE_UNDECIDED;
  answer->normal = plane_a ? normal : vec_neg(normal);
  answer->certificate.vertex = at.index;
  answer->certificate.vertex_point = at.local;
  return true;
}

/* Polytopes: in doubles where these suffice, else exactly. */
static void plane_polytope(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  plane_question question = {query, answer};
  if (query->options->method != GRAZE_METHOD_EXACT && plane_in_doubles(query, c, answer) &&
      answer->relation != GRAZE_UNDECIDED && grz_query_is_narrow(query, c, answer))
    return;
  grz_query_forget_numbers(answer);
  answer->relation = GRAZE_UNDECIDED;
  if (!grz_exact_run(c, plane_exact, &question)) grz_exact_fail(c, answer);
}

/* Undecided, but the support point may lie exactly on the plane: the verifier says so or not. */
static void plane_try_touch(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  graze_answer touch = *answer;
  touch.relation = GRAZE_TOUCHING;
  touch.distance = touch.lower = touch.upper = 0;
  if (graze_verify(c->a, c->b, query->options, &touch) != GRAZE_OK) return;
  *answer = touch;
  answer->exact = true;
}

void grz_plane_answer(const grz_query *query, const grz_obstacle *c, graze_answer *answer) {
  answer->certificate.kind = GRAZE_CERTIFICATE_HALFSPACE;
  if (c->curved)
    (void)plane_in_doubles(query, c, answer);
  else
    plane_polytope(query, c, answer);
  if (answer->relation == GRAZE_UNDECIDED) plane_try_touch(query, c, answer);
  if (c->curved) grz_query_check_width(query, c, false, answer);
  answer->algorithm = GRAZE_ALGORITHM_HALFSPACE;
  answer->iterations = 1;
  const graze_placed *other = plane_is_a(c) ? c->b : c->a;
  graze_vec core = vec_rotate(other->rotation, answer->certificate.vertex_point, c->dim);
  graze_vec step = vec_scale(answer->normal, answer->distance);
  if (plane_is_a(c)) {
    answer->point_b = vec_add(vec_sub(core, vec_scale(answer->normal, other->radius)), placed_origin(other));
    answer->point_a = vec_sub(answer->point_b, step);
  } else {
    double out = other->radius + query->options->clearance;
    answer->point_a = vec_add(vec_add(core, vec_scale(answer->normal, out)), placed_origin(other));
    answer->point_b = vec_add(answer->point_a, step);
  }
}
