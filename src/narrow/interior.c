/* Touching or overlapping? The origin is a point of C; it is interior exactly when no direction supports C there.
 *
 * Carrier: points whose hull holds the origin in its relative interior; L, the flat they span. A direction that
 * supports C at the origin is perpendicular to L, so the question is asked in the space perpendicular to L, of
 * dimension 0: interior.   1: two directions.   2: walk around L.   3 (2 in 2D), the carrier is one point at the
 * origin: descend among the other points until a direction supports C or a larger carrier is found.
 * docs/theory/termination.md. */
#include "narrow/exact_search.h"

static void interior_touch(const grz_exact *x, int carrier, grz_result *result) {
  result->answer.relation = GRAZE_TOUCHING;
  result->answer.distance = result->answer.lower = result->answer.upper = 0;
  result->proof.kind = GRAZE_CERTIFICATE_TOUCH;
  result->proof.pair_count = carrier;
  for (int i = 0; i < carrier; i++) result->proof.pairs[i] = grz_exact_pair(x, i);
}

static void interior_inside(const grz_exact *x, grz_result *result) {
  result->answer.relation = GRAZE_OVERLAPPING;
  result->proof.kind = GRAZE_CERTIFICATE_INSIDE;
  result->proof.pair_count = x->count;
  for (int i = 0; i < x->count; i++) result->proof.pairs[i] = grz_exact_pair(x, i);
}

static void interior_direction(const grz_exact *x, grz_result *result, graze_direction_form form, int sign,
                               const int *pairs, int count) {
  grz_direction *d = &result->proof.direction;
  d->form = form, d->sign = sign, d->axis = 0, d->count = count;
  for (int i = 0; i < count; i++) d->pairs[i] = grz_exact_pair(x, pairs[i]);
}

/* sign·(w1 - w0) × (w2 - w0); in 2D the left perpendicular of w1 - w0. */
static grz_bvec interior_facet(grz_exact *x, const int *pairs, int sign) {
  grz_bvec e = grz_bvec_sub(x->arena, x->w[pairs[1]], x->w[pairs[0]]), normal;
  if (x->c->dim == 2) {
    normal = (grz_bvec){grz_big_neg(e.y), e.x, grz_big_zero()};
  } else {
    normal = grz_bvec_cross(x->arena, e, grz_bvec_sub(x->arena, x->w[pairs[2]], x->w[pairs[0]]));
  }
  return sign > 0 ? normal : grz_bvec_neg(normal);
}

/* C on both sides of the flat through the origin that `pairs` span, or a touch. True when decided: touching. Otherwise
 * a point on each side has been appended. */
static bool interior_both_sides(grz_exact *x, int carrier, const int *pairs, grz_result *result,
                                grz_bvec *direction) {
  for (int sign = 1; sign >= -1; sign -= 2) {
    *direction = interior_facet(x, pairs, sign);
    if (grz_exact_extend(x, *direction) > 0) continue;
    interior_touch(x, carrier, result);
    interior_direction(x, result, GRAZE_DIRECTION_FACET, sign, pairs, x->c->dim);
    return true;
  }
  return false;
}

/* The sign of det[w1 - w0, w_i, w_j]: does j lie to the left of i, seen along the carrier's edge? */
static int interior_left(grz_exact *x, int i, int j) {
  size_t mark = x->arena->used;
  grz_bvec e = grz_bvec_sub(x->arena, x->w[1], x->w[0]);
  int sign = grz_bvec_det(x->arena, e, x->w[i], x->w[j]).sign;
  x->arena->used = mark;
  return sign;
}

/* Some direction perpendicular to the carrier's edge: its cross product with the first axis that is not parallel. */
static grz_bvec interior_edge(grz_exact *x, grz_result *result) {
  grz_bvec e = grz_bvec_sub(x->arena, x->w[1], x->w[0]), d = e;
  grz_big zero = grz_big_zero();
  const int pairs[2] = {0, 1};
  int axis = e.y.sign != 0 || e.z.sign != 0 ? 0 : 1;
  if (axis == 0)
    d = (grz_bvec){zero, e.z, grz_big_neg(e.y)};
  else
    d = (grz_bvec){grz_big_neg(e.z), zero, e.x};
  interior_direction(x, result, GRAZE_DIRECTION_EDGE, 1, pairs, 2);
  result->proof.direction.axis = axis;
  return d;
}

/* 3D, the carrier is an edge through the origin (points 0 and 1). Seen along it, C is a plane figure that holds the
 * origin: turn left from its point `right` (2) through `left` until a direction supports it or the turn reaches 180°.
 */
static void interior_around_edge(grz_exact *x, grz_result *result, grz_bvec *direction) {
  *direction = interior_edge(x, result);
  if (grz_exact_extend(x, *direction) <= 0) {
    interior_touch(x, 2, result);
    return;
  }
  x->steps++;
  for (bool first = true; !x->arena->full; first = false) {
    const int left = first ? 2 : 3, pairs[3] = {0, 1, left};
    *direction = interior_facet(x, pairs, 1);
    if (grz_exact_extend(x, *direction) <= 0) {
      interior_touch(x, 2, result);
      interior_direction(x, result, GRAZE_DIRECTION_FACET, 1, pairs, 3);
      return;
    }
    x->steps++;
    int beyond = interior_left(x, 2, x->count - 1);
    if (beyond < 0) {
      interior_inside(x, result);
      return;
    }
    if (!first) { /* the newest point takes the place of `left` */
      x->a[3] = x->a[4], x->b[3] = x->b[4], x->end[3] = x->end[4];
      x->count = 4;
    }
    grz_exact_refresh(x);
    if (beyond == 0) {
      const int plane[3] = {0, 1, 2};
      if (!interior_both_sides(x, 2, plane, result, direction)) interior_inside(x, result);
      return;
    }
  }
}

static void interior_of_carrier(grz_exact *x, grz_result *result, grz_bvec *direction) {
  const int pairs[3] = {0, 1, 2};
  if (x->count == x->c->dim + 1) {
    interior_inside(x, result);
  } else if (x->count == x->c->dim) {
    int carrier = x->count;
    if (!interior_both_sides(x, carrier, pairs, result, direction)) interior_inside(x, result);
  } else {
    interior_around_edge(x, result, direction);
  }
}

/* A supporting direction found while the carrier is the single pair at the origin, kept apart in `at`. */
static void interior_touch_vertex(const grz_exact *x, grz_pair at, grz_result *result) {
  result->answer.relation = GRAZE_TOUCHING;
  result->answer.distance = result->answer.lower = result->answer.upper = 0;
  result->proof.kind = GRAZE_CERTIFICATE_TOUCH;
  result->proof.pair_count = 1;
  result->proof.pairs[0] = at;
  grz_direction *d = &result->proof.direction;
  d->form = GRAZE_DIRECTION_NEAREST, d->count = x->count;
  for (int i = 0; i < x->count; i++) d->pairs[i] = grz_exact_pair(x, i);
}

/* The carrier is one pair with w = 0. GJK among the points other than the origin: the descent ends at a direction that
 * supports C, or with the origin in the hull of at least two of them. */
static void interior_of_vertex(grz_exact *x, grz_result *result, grz_bvec *direction) {
  grz_pair at = grz_exact_pair(x, 0);
  graze_vec axis = {1, 0, 0};
  x->count = 0;
  *direction = grz_bvec_of(x->arena, axis);
  if (grz_exact_extend(x, *direction) <= 0) {
    x->count = 0;
    interior_touch_vertex(x, at, result);
    result->proof.direction = (grz_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = axis};
    return;
  }
  while (!x->arena->full) {
    grz_exact_refresh(x);
    grz_nearest n = grz_nearest_guessed(x->arena, x->w, x->count, x->c->dim, grz_exact_guess(x));
    if (n.count == 0) return; /* the arena is full */
    grz_exact_keep(x, &n);
    x->steps++;
    if (grz_bvec_is_zero(n.direction)) {
      interior_of_carrier(x, result, direction);
      return;
    }
    *direction = grz_bvec_neg(n.direction);
    if (grz_exact_extend(x, *direction) > 0) continue;
    x->count--;
    interior_touch_vertex(x, at, result);
    return;
  }
}

void grz_exact_interior(grz_exact *x, grz_result *result, grz_bvec *direction) {
  if (x->count > 1)
    interior_of_carrier(x, result, direction);
  else
    interior_of_vertex(x, result, direction);
}
