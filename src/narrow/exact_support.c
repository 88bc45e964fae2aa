/* Exact support points of vertex lists: doubles sort out all but the nearly equal, exact dot products decide those. */
#include "narrow/exact_search.h"

#include "narrow/trace.h"
#include "shape/core.h"

static size_t exact_farther(grz_exact *x, const graze_shape *shape, grz_bvec local, size_t best, size_t other) {
  size_t mark = x->arena->used;
  grz_bvec step = grz_bvec_sub(x->arena, grz_bvec_of(x->arena, grz_core_vertex(shape, other)),
                               grz_bvec_of(x->arena, grz_core_vertex(shape, best)));
  int sign = grz_bvec_dot(x->arena, local, step).sign;
  x->arena->used = mark;
  return sign > 0 ? other : best;
}

/* |fl(d'·v) - d·v| <= 8u·reach + 2^-1070 for d' = scaled_direction(d), |d'| <= sqrt(3): docs/theory/rounding.md. */
static size_t exact_best_of_list(grz_exact *x, const graze_shape *shape, double reach, grz_bvec local) {
  graze_vec d = scaled_direction(local);
  size_t count = grz_core_count(shape), best = 0;
  double most = -__builtin_inf(), error = 8 * GRZ_U * reach + 0x1p-1070;
  for (size_t i = 0; i < count; i++) {
    double score = vec_dot(grz_core_vertex(shape, i), d);
    if (score > most) most = score, best = i;
  }
  for (size_t i = 0, first = best; i < count; i++) {
    if (i == first || !(vec_dot(grz_core_vertex(shape, i), d) >= most - 2 * error)) continue;
    best = exact_farther(x, shape, local, best, i);
  }
  return best;
}

grz_core_point grz_exact_support(grz_exact *x, const graze_placed *placed, grz_bvec local) {
  const graze_shape *shape = &placed->shape;
  size_t best;
  if (shape->kind == GRAZE_BOX) {
    best = (size_t)((local.x.sign > 0) | (local.y.sign > 0) << 1 | (shape->dim == 3 && local.z.sign > 0) << 2);
  } else if (grz_bvec_is_zero(local)) {
    best = 0;
  } else {
    best = exact_best_of_list(x, shape, placed->hidden.bounding_radius, local);
  }
  grz_core_point point = {grz_core_vertex(shape, best), (int32_t)best};
  return point;
}

int grz_exact_extend(grz_exact *x, grz_bvec d) {
  size_t mark = x->arena->used;
  int i = x->count++;
  x->a[i] = grz_exact_support(x, x->c->a, grz_placement_local_a(x->arena, &x->placing, d));
  x->b[i] = grz_exact_support(x, x->c->b, grz_bvec_neg(grz_placement_local_b(x->arena, &x->placing, d)));
  x->end[i] = grz_bvec_dot(x->arena, d, x->placing.sweep).sign > 0;
  x->arena->used = mark;
  x->w[i] = grz_placement_point_at(x->arena, &x->placing, x->a[i].local, x->b[i].local, x->end[i]);
  mark = x->arena->used;
  grz_big product = grz_bvec_dot(x->arena, d, x->w[i]);
  if (x->c->tracer) grz_trace_exact_point(x, d, product);
  x->arena->used = mark;
  return product.sign;
}

void grz_exact_refresh(grz_exact *x) {
  x->arena->used = x->mark;
  for (int i = 0; i < x->count; i++) {
    x->w[i] = grz_placement_point_at(x->arena, &x->placing, x->a[i].local, x->b[i].local, x->end[i]);
  }
}

grz_pair grz_exact_pair(const grz_exact *x, int i) {
  grz_pair pair = {x->a[i].index, x->b[i].index, x->a[i].local, x->b[i].local, x->end[i]};
  return pair;
}
