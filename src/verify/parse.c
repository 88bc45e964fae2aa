/* Shapes and certificates into exact numbers. Nothing in an answer is trusted: every count and index is checked. */
#include "verify/parse.h"

#include "verify/curved.h"
#include "shape/core.h"
#include "shape/placed.h"

static bool reading_number(double x) { return x >= -GRAZE_LARGEST && x <= GRAZE_LARGEST; }
static bool reading_finite(double x) { return x - x == 0; }

static grz_big reading_radius(grz_arena *arena, grz_big sum, const graze_placed *placed) {
  const graze_shape *shape = &placed->shape;
  sum = grz_big_add(arena, sum, grz_big_of(arena, grz_core_radius(shape)));
  sum = grz_big_add(arena, sum, grz_big_of(arena, shape->margin));
  sum = grz_big_add(arena, sum, grz_big_of(arena, placed_frame_margin(placed)));
  return shape->kind == GRAZE_HALFSPACE ? grz_big_add(arena, sum, grz_big_of(arena, shape->as.halfspace.offset)) : sum;
}

grz_parser grz_read_shapes(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance) {
  grz_parser r = {.arena = arena, .a = &a->shape, .b = &b->shape, .dim = a->shape.dim};
  r.placing = grz_placement_make(arena, a, b);
  r.radius = reading_radius(arena, grz_big_of(arena, clearance), a);
  r.radius = reading_radius(arena, r.radius, b);
  return r;
}

/* The local point that a certificate names. */
static bool reading_point(grz_parser *r, const graze_shape *shape, int32_t index, graze_vec named, graze_vec *point) {
  if (!grz_is_curved(shape)) {
    if (index < 0 || (size_t)index >= grz_core_count(shape)) return false;
    *point = grz_core_vertex(shape, (size_t)index);
    return true;
  }
  *point = named;
  return index == -1 && reading_number(named.x) && reading_number(named.y) && reading_number(named.z) &&
         (r->dim == 3 || named.z == 0) && grz_curved_holds(r->arena, shape, named);
}

bool grz_read_pairs(grz_parser *r, const grz_pair *pair, int count, int most, grz_bvec *w) {
  if (count < 0 || count > most) return false;
  for (int i = 0; i < count; i++) {
    graze_vec va, vb;
    if (!reading_point(r, r->a, pair[i].a, pair[i].point_a, &va)) return false;
    if (!reading_point(r, r->b, pair[i].b, pair[i].point_b, &vb)) return false;
    if (pair[i].end != 0 && pair[i].end != 1) return false;
    w[i] = grz_placement_point_at(r->arena, &r->placing, va, vb, pair[i].end);
  }
  return true;
}

/* FACET and EDGE: sign·(w1-w0) × (w2-w0) or × e_axis; in 2D, the left perpendicular of e is -(e × z). */
static bool reading_product(grz_parser *r, const grz_direction *direction, const grz_bvec *w, grz_bvec *d) {
  bool facet = direction->form == GRAZE_DIRECTION_FACET;
  int sign = direction->sign, axis = direction->axis;
  if ((sign != 1 && sign != -1) || direction->count != (facet ? r->dim : 2)) return false;
  if (!facet && (direction->form != GRAZE_DIRECTION_EDGE || r->dim == 2 || axis < 0 || axis > 2)) return false;
  if (r->dim == 2) {
    axis = 2;
    sign = -sign;
  }
  graze_vec unit = {axis == 0, axis == 1, axis == 2};
  bool third = facet && r->dim == 3;
  grz_bvec edge = grz_bvec_sub(r->arena, w[1], w[0]);
  grz_bvec other = third ? grz_bvec_sub(r->arena, w[2], w[0]) : grz_bvec_of(r->arena, unit);
  grz_bvec product = grz_bvec_cross(r->arena, edge, other);
  *d = sign > 0 ? product : grz_bvec_neg(product);
  return !grz_bvec_is_zero(*d);
}

bool grz_read_direction(grz_parser *r, const grz_direction *direction, grz_bvec *d) {
  grz_bvec w[4];
  graze_vec v = direction->vector;
  if (direction->form == GRAZE_DIRECTION_VECTOR) {
    if (!reading_finite(v.x) || !reading_finite(v.y) || !reading_finite(v.z) || (r->dim == 2 && v.z != 0)) return false;
    *d = grz_bvec_of(r->arena, v);
    return !grz_bvec_is_zero(*d);
  }
  if (direction->count < 1 || !grz_read_pairs(r, direction->pairs, direction->count, 4, w)) return false;
  if (direction->form != GRAZE_DIRECTION_NEAREST) return reading_product(r, direction, w, d);
  *d = grz_bvec_neg(grz_nearest_of(r->arena, w, direction->count, r->dim).direction);
  return !grz_bvec_is_zero(*d);
}

bool grz_read_plane(grz_parser *r, const grz_proof *certificate, grz_bvec *d, grz_bvec *w) {
  bool first = r->a->kind == GRAZE_HALFSPACE;
  graze_vec origin = {0, 0, 0}, point;
  if (!reading_point(r, first ? r->b : r->a, certificate->vertex, certificate->vertex_point, &point)) return false;
  grz_bvec normal = grz_bvec_of(r->arena, first ? r->a->as.halfspace.normal : r->b->as.halfspace.normal);
  const grz_bvec *turn = first ? r->placing.to_world_a : r->placing.to_world_b;
  d->x = grz_bvec_dot(r->arena, turn[0], normal);
  d->y = grz_bvec_dot(r->arena, turn[1], normal);
  d->z = grz_bvec_dot(r->arena, turn[2], normal);
  if (!first) *d = grz_bvec_neg(*d);
  const int end = grz_bvec_dot(r->arena, *d, r->placing.sweep).sign > 0; /* of moving bodies, where they are nearest */
  *w = grz_placement_point_at(r->arena, &r->placing, first ? origin : point, first ? point : origin, end);
  return true;
}

/* max local·x over a core. */
static bool reading_support(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *value,
                            grz_root *root) {
  *value = root->factor = root->radicand = grz_big_zero();
  if (grz_is_curved(shape)) return grz_curved_support(arena, shape, local, value, root);
  size_t mark = arena->used, count = grz_core_count(shape);
  for (size_t i = 0; i < count; i++) { /* keeps the best only: the room does not grow with the count */
    size_t start = arena->used;
    grz_big score = grz_bvec_dot(arena, local, grz_bvec_of(arena, grz_core_vertex(shape, i)));
    if (i == 0 || grz_big_compare(score, *value) > 0)
      *value = grz_big_keep(arena, mark, score);
    else
      arena->used = start;
  }
  return true;
}

/* gap(d) = -(max d·a + max -d·b). */
bool grz_read_gap(grz_parser *r, grz_bvec d, grz_gap *gap) {
  grz_arena *arena = r->arena;
  grz_bvec local_a = grz_placement_local_a(arena, &r->placing, d);
  grz_bvec local_b = grz_bvec_neg(grz_placement_local_b(arena, &r->placing, d));
  grz_big from_a, from_b;
  gap->direction = d;
  if (!reading_support(arena, r->a, local_a, &from_a, &gap->root[0])) return false;
  if (!reading_support(arena, r->b, local_b, &from_b, &gap->root[1])) return false;
  grz_big sum = grz_big_add(arena, from_a, from_b), swept = grz_bvec_dot(arena, r->placing.sweep, d);
  if (swept.sign > 0) sum = grz_big_add(arena, sum, swept);
  gap->rational = grz_big_neg(grz_big_add(arena, sum, grz_bvec_dot(arena, r->placing.offset, d)));
  for (int i = 0; i < 2; i++) gap->root[i].factor = grz_big_neg(gap->root[i].factor);
  return true;
}

int grz_along_sign(grz_parser *r, grz_bvec d, grz_big rational, const grz_root *root, int count, grz_big bound) {
  grz_arena *arena = r->arena;
  size_t mark = arena->used;
  grz_root sum[GRZ_ROOTS_MAX];
  for (int i = 0; i < count; i++) sum[i] = root[i];
  sum[count].factor = grz_big_neg(grz_big_mul(arena, bound, r->placing.scale));
  sum[count].radicand = grz_bvec_dot(arena, d, d);
  int sign = grz_radical_sign(arena, rational, sum, count + 1);
  arena->used = mark;
  return sign;
}
