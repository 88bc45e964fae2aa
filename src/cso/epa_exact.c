/* EPA with exact predicates: which side of a face a point lies on is never guessed, and for polytopal cores neither is
 * the support point. Then every face that grows comes nearer to the boundary of C, which has finitely many vertices,
 * and the nearest face at the end is a facet of C. Doubles only say where to look. docs/theory/depth.md. */
#include "cso/epa_exact.h"

typedef struct exact_epa {
  grz_exact *x;
  grz_epa *epa;
  const graze_pair *start;
  int start_count;
  double clearance;
  grz_epa_depth *depth;
} exact_epa;

static grz_bvec epa_exact_point(const exact_epa *e, int point) {
  const graze_pair *pair = &e->epa->polytope.pair[point];
  return grz_placing_point(e->x->arena, &e->x->placing, pair->point_a, pair->point_b);
}

/* scale²·N, N the outward normal of a face by its vertices; *on: scale·w of one of them. */
static grz_bvec epa_exact_normal(const exact_epa *e, const int32_t *v, grz_bvec *on) {
  grz_arena *arena = e->x->arena;
  *on = epa_exact_point(e, v[0]);
  grz_bvec u = grz_bvec_sub(arena, epa_exact_point(e, v[1]), *on);
  if (e->x->c->dim == 2) return (grz_bvec){u.y, grz_big_neg(u.x), grz_big_zero()};
  return grz_bvec_cross(arena, u, grz_bvec_sub(arena, epa_exact_point(e, v[2]), *on));
}

/* The sign of N·(w - face). */
static int epa_exact_side(const exact_epa *e, const int32_t *v, int point) {
  grz_arena *arena = e->x->arena;
  size_t mark = arena->used;
  grz_bvec on, normal = epa_exact_normal(e, v, &on);
  int sign = grz_bvec_dot(arena, normal, grz_bvec_sub(arena, epa_exact_point(e, point), on)).sign;
  arena->used = mark;
  return sign;
}

/* N·w/|N|, in the caller's units. */
static grz_scaled epa_exact_rise(const exact_epa *e, grz_bvec normal, grz_bvec on) {
  grz_arena *arena = e->x->arena;
  grz_scaled length = scaled_sqrt(scaled_of_big(grz_bvec_dot(arena, normal, normal)));
  grz_scaled divisor = scaled_mul(length, scaled_of_big(e->x->placing.scale));
  return scaled_div(scaled_of_big(grz_bvec_dot(arena, normal, on)), divisor);
}

static bool epa_exact_plane(void *context, grz_polytope *p, int index) {
  const exact_epa *e = context;
  grz_arena *arena = e->x->arena;
  grz_face *face = &p->face[index];
  size_t mark = arena->used;
  grz_bvec on, normal = epa_exact_normal(e, face->vertex, &on);
  bool good = !grz_bvec_is_zero(normal) && !arena->full;
  if (good) {
    graze_vec n = scaled_direction(normal);
    face->normal = vec_scale(n, 1 / vec_length(n));
    face->tilt = 8 * GRZ_U;
    p->height[index] = scaled_to_double(epa_exact_rise(e, normal, on)) * e->x->c->unit;
  }
  arena->used = mark;
  return good;
}

/* Beyond the plane or on it: doubles where they are sure, |n·(w - v) - exact| <= 2·point_error + (tilt + 8u)·|w - v|.
 */
static bool epa_exact_sees(void *context, const grz_polytope *p, int index, int point) {
  const exact_epa *e = context;
  const grz_face *face = &p->face[index];
  graze_vec step = vec_sub(p->w[point], p->w[face->vertex[0]]);
  double side = vec_dot(face->normal, step);
  double error = 2.1 * e->x->c->point_error + (face->tilt + 8 * GRZ_U) * 2 * vec_largest(step);
  if (real_abs(side) > error) return side > 0;
  return epa_exact_side(e, face->vertex, point) >= 0;
}

/* How many of the points are affinely independent, up to dim + 1: their indices in `basis`. */
static int epa_exact_basis(const exact_epa *e, int basis[4]) {
  grz_arena *arena = e->x->arena;
  const int points = e->epa->polytope.point_count;
  int rank = 1;
  basis[0] = 0;
  for (int i = 1; i < points && rank <= e->x->c->dim; i++) {
    size_t mark = arena->used;
    grz_bvec on = epa_exact_point(e, basis[0]), step = grz_bvec_sub(arena, epa_exact_point(e, i), on);
    bool free = !grz_bvec_is_zero(step);
    if (rank >= 2) {
      grz_bvec u = grz_bvec_sub(arena, epa_exact_point(e, basis[1]), on);
      if (rank == 2)
        free = !grz_bvec_is_zero(grz_bvec_cross(arena, u, step));
      else
        free = grz_bvec_det(arena, u, grz_bvec_sub(arena, epa_exact_point(e, basis[2]), on), step).sign != 0;
    }
    arena->used = mark;
    if (free) basis[rank++] = i;
  }
  return rank;
}

/* A direction away from the flat of the first `rank` points of the basis: the k-th to try, 0 when there are no more. */
static graze_vec epa_exact_away(const exact_epa *e, const int *basis, int rank, int k) {
  const graze_vec *w = e->epa->polytope.w;
  const int dim = e->x->c->dim;
  graze_vec d = {k / 2 == 0, k / 2 == 1, dim == 3 && k / 2 == 2};
  if (rank >= 2) {
    graze_vec u = vec_sub(w[basis[1]], w[basis[0]]);
    if (dim == 2)
      d = k < 2 ? vec_make(-u.y, u.x, 0) : vec_make(0, 0, 0);
    else
      d = rank == 2 ? vec_cross(u, d) : k < 2 ? vec_cross(u, vec_sub(w[basis[2]], w[basis[0]])) : vec_make(0, 0, 0);
  }
  double largest = vec_largest(d);
  if (!(largest > 0)) return vec_make(0, 0, 0);
  return vec_scale(vec_by_largest(d), k % 2 ? -1 : 1);
}

/* Adds support points until dim + 1 points are independent. False: C is flat, or looks so. */
static bool epa_exact_span(const exact_epa *e, int basis[4]) {
  int rank = epa_exact_basis(e, basis);
  for (int k = 0; k < 6 && rank <= e->x->c->dim; k++) {
    graze_vec d = epa_exact_away(e, basis, rank, k);
    if (vec_largest(d) == 0) continue;
    double slack = 0;
    grz_cso_point w = grz_obstacle_support(e->x->c, d, &slack, e->x->c->dim);
    int before = rank;
    if (grz_epa_point(e->epa, &w) < 0) return false;
    rank = epa_exact_basis(e, basis);
    if (rank == before)
      e->epa->polytope.point_count--;
    else
      k = -1;
  }
  return rank > e->x->c->dim;
}

static bool epa_exact_add(exact_epa *e, int face, int point) {
  grz_polytope *p = &e->epa->polytope;
  if (e->x->c->dim == 2) return grz_polygon_add(p, face, point, epa_exact_sees, epa_exact_plane, e);
  return grz_polytope_add(p, face, point, epa_exact_sees, epa_exact_plane, e);
}

/* The hull of the points given. */
static bool epa_exact_begin(exact_epa *e) {
  grz_polytope *p = &e->epa->polytope;
  int basis[4];
  grz_polytope_clear(p);
  p->point_count = 0;
  for (int i = 0; i < e->start_count; i++) {
    grz_core_point a = {e->start[i].point_a, e->start[i].a}, b = {e->start[i].point_b, e->start[i].b};
    const bool flat = e->x->c->dim == 2;
    grz_cso_point w = flat ? grz_obstacle_point(e->x->c, a, b, 2) : grz_obstacle_point(e->x->c, a, b, 3);
    (void)grz_epa_point(e->epa, &w);
  }
  if (!epa_exact_span(e, basis)) return false;
  const int32_t facet[3] = {basis[0], basis[1], basis[2]}, edge[2] = {basis[0], basis[1]};
  bool swap = epa_exact_side(e, e->x->c->dim == 2 ? edge : facet, basis[e->x->c->dim]) > 0;
  const int order[4] = {basis[0], basis[swap ? 2 : 1], basis[swap ? 1 : 2], basis[3]};
  bool good = e->x->c->dim == 2 ? grz_polygon_start(p, order, epa_exact_plane, e)
                                : grz_polytope_start(p, order, epa_exact_plane, e);
  for (int i = 0; good && i < p->point_count; i++) {
    if (i == basis[0] || i == basis[1] || i == basis[2] || (e->x->c->dim == 3 && i == basis[3])) continue;
    for (int face = 0; good && face < p->face_count; face++) {
      if (p->face[face].vertex[0] < 0 || epa_exact_side(e, p->face[face].vertex, i) <= 0) continue;
      good = epa_exact_add(e, face, i);
      break;
    }
  }
  return good && !e->x->arena->full;
}

/* The farthest point along a face's exact normal joins the points. False: the face is a facet of C. */
static bool epa_exact_support(exact_epa *e, int face, grz_cso_point *w) {
  grz_exact *x = e->x;
  size_t mark = x->arena->used;
  const int32_t *v = e->epa->polytope.face[face].vertex;
  grz_bvec on, normal = epa_exact_normal(e, v, &on);
  grz_core_point a = grz_exact_support(x, x->c->a, grz_placing_local_a(x->arena, &x->placing, normal));
  grz_core_point b = grz_exact_support(x, x->c->b, grz_bvec_neg(grz_placing_local_b(x->arena, &x->placing, normal)));
  grz_bvec far = grz_placing_point(x->arena, &x->placing, a.local, b.local);
  int beyond = grz_bvec_dot(x->arena, normal, grz_bvec_sub(x->arena, far, on)).sign;
  x->arena->used = mark;
  *w = x->c->dim == 2 ? grz_obstacle_point(x->c, a, b, 2) : grz_obstacle_point(x->c, a, b, 3);
  return beyond > 0;
}

/* The same for curved cores, in doubles. False: the bounds have met, or rounding hides what lies beyond. */
static bool epa_curved_support(exact_epa *e, int face, grz_cso_point *w) {
  grz_epa *epa = e->epa;
  graze_vec d = epa->polytope.face[face].normal;
  double high = -grz_obstacle_gap(epa->c, d, w, epa->c->dim);
  if (high < epa->high) epa->high = high, epa->direction = d;
  return epa->high - epa->polytope.height[face] > epa->tolerance;
}

static grz_epa_end epa_exact_loop(exact_epa *e) {
  grz_epa *epa = e->epa;
  for (;;) {
    grz_cso_point w;
    int face = e->depth->face = grz_epa_nearest(&epa->polytope);
    epa->steps++;
    bool more = epa->c->curved ? epa_curved_support(e, face, &w) : epa_exact_support(e, face, &w);
    if (!more) return GRZ_EPA_CLOSED;
    int point = grz_epa_point(epa, &w);
    if (point < 0) {
      (void)epa_curved_support(e, face, &w); /* polytopes have no upper bound yet */
      return GRZ_EPA_ROOM;
    }
    if (epa->c->curved && epa_exact_side(e, epa->polytope.face[face].vertex, point) <= 0) return GRZ_EPA_CLOSED;
    if (!epa_exact_add(e, face, point)) return e->x->arena->full ? GRZ_EPA_BROKEN : GRZ_EPA_ROOM;
  }
}

/* The plane's distance with r, as the quotient of (N·w + R·|N|) and |N|·scale. */
static void epa_exact_facet(exact_epa *e) {
  grz_arena *arena = e->x->arena;
  grz_bvec on, normal = epa_exact_normal(e, e->epa->polytope.face[e->depth->face].vertex, &on);
  grz_scaled length = scaled_sqrt(scaled_of_big(grz_bvec_dot(arena, normal, normal)));
  grz_scaled rise = scaled_of_big(grz_bvec_dot(arena, normal, on));
  grz_scaled round = scaled_mul(length, scaled_of_big(grz_exact_radius(e->x, e->clearance)));
  e->depth->divisor = scaled_mul(length, scaled_of_big(e->x->placing.scale));
  e->depth->excess = scaled_add(rise, round);
}

static void epa_exact_work(grz_exact *x, void *context) {
  exact_epa *e = context;
  e->x = x;
  e->epa->high = __builtin_inf();
  e->epa->steps = 0;
  e->depth->end = GRZ_EPA_BROKEN;
  if (!epa_exact_begin(e)) return;
  e->depth->end = epa_exact_loop(e);
  if (x->arena->full) return;
  double height = e->epa->polytope.height[e->depth->face];
  e->epa->low = height * (1 - 32 * GRZ_U);
  if (!(height > 0)) e->depth->end = GRZ_EPA_BROKEN;
  if (e->depth->end != GRZ_EPA_CLOSED || x->c->curved) return;
  e->epa->high = height;
  e->epa->direction = e->epa->polytope.face[e->depth->face].normal;
  epa_exact_facet(e);
}

void grz_epa_exactly(grz_epa *epa, double clearance, const graze_pair *start, int count, grz_epa_depth *depth) {
  exact_epa e = {.epa = epa, .start = start, .start_count = count, .clearance = clearance, .depth = depth};
  if (!grz_exact_run(epa->c, epa_exact_work, &e)) depth->end = GRZ_EPA_BROKEN;
}
