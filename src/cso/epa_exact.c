/* EPA with exact predicates: which side of a face a point lies on is never guessed, and for polytopal cores neither is
 * the support point. Then every face that grows comes nearer to the boundary of C, which has finitely many vertices,
 * and the nearest face at the end is a facet of C. Doubles only say where to look. docs/theory/depth.md. */
#include "cso/epa_exact.h"

typedef struct exact_epa {
  grz_exact *x;
  grz_epa *epa;
  grz_exact_hull hull;
  int start_count;
  double clearance;
  grz_epa_depth *depth;
} exact_epa;

static grz_cso_point epa_exact_join(const exact_epa *e, grz_core_point a, grz_core_point b) {
  return e->x->c->dim == 2 ? grz_obstacle_point(e->x->c, a, b, 2) : grz_obstacle_point(e->x->c, a, b, 3);
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
static bool epa_exact_span(exact_epa *e, int basis[4]) {
  int rank = grz_hull_basis(&e->hull, basis);
  for (int k = 0; k < 6 && rank <= e->x->c->dim; k++) {
    graze_vec d = epa_exact_away(e, basis, rank, k);
    if (vec_largest(d) == 0) continue;
    double slack = 0;
    grz_cso_point w = grz_obstacle_support(e->x->c, d, &slack, e->x->c->dim);
    int before = rank;
    if (grz_epa_point(e->epa, &w) < 0) return false;
    rank = grz_hull_basis(&e->hull, basis);
    if (rank == before)
      e->epa->polytope.point_count--;
    else
      k = -1;
  }
  return rank > e->x->c->dim;
}

/* The hull of the points given. */
static bool epa_exact_begin(exact_epa *e) {
  grz_polytope *p = &e->epa->polytope;
  int basis[4];
  grz_polytope_clear(p);
  p->point_count = e->start_count;
  for (int i = 0; i < e->start_count; i++) {
    grz_core_point a = {p->pair[i].point_a, p->pair[i].a}, b = {p->pair[i].point_b, p->pair[i].b};
    p->w[i] = epa_exact_join(e, a, b).w;
  }
  return epa_exact_span(e, basis) && grz_hull_build(&e->hull, basis);
}

/* The farthest point along a face's exact normal joins the points. False: the face is a facet of C. */
static bool epa_exact_support(exact_epa *e, int face, grz_cso_point *w) {
  grz_exact *x = e->x;
  size_t mark = x->arena->used;
  const int32_t *v = e->epa->polytope.face[face].vertex;
  grz_bvec on, normal = grz_hull_normal(&e->hull, v, &on);
  grz_core_point a = grz_exact_support(x, x->c->a, grz_placing_local_a(x->arena, &x->placing, normal));
  grz_core_point b = grz_exact_support(x, x->c->b, grz_bvec_neg(grz_placing_local_b(x->arena, &x->placing, normal)));
  grz_bvec far = grz_placing_point(x->arena, &x->placing, a.local, b.local);
  int beyond = grz_bvec_dot(x->arena, normal, grz_bvec_sub(x->arena, far, on)).sign;
  x->arena->used = mark;
  *w = epa_exact_join(e, a, b);
  return beyond > 0;
}

/* The same for curved cores, in doubles. False: the bounds have met, or rounding hides what lies beyond. */
static bool epa_curved_support(exact_epa *e, int face, grz_cso_point *w) {
  grz_epa *epa = e->epa;
  graze_vec d = epa->polytope.face[face].normal;
  double high = -grz_obstacle_gap(epa->c, d, w, epa->c->dim);
  bool closed = !(high - epa->polytope.height[face] > epa->tolerance);
  if (closed || high < epa->high) epa->high = high, epa->direction = d;
  return !closed;
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
    if (epa->c->curved && grz_hull_side(&e->hull, epa->polytope.face[face].vertex, point) <= 0) return GRZ_EPA_CLOSED;
    if (!grz_hull_add(&e->hull, face, point)) return GRZ_EPA_BROKEN;
  }
}

/* The plane's distance with r, as the quotient of (N·w + R·|N|) and |N|·scale. */
static void epa_exact_facet(exact_epa *e) {
  grz_arena *arena = e->x->arena;
  grz_bvec on, normal = grz_hull_normal(&e->hull, e->epa->polytope.face[e->depth->face].vertex, &on);
  grz_scaled length = scaled_sqrt(scaled_of_big(grz_bvec_dot(arena, normal, normal)));
  grz_scaled rise = scaled_of_big(grz_bvec_dot(arena, normal, on));
  grz_scaled round = scaled_mul(length, scaled_of_big(grz_exact_radius(e->x, e->clearance)));
  e->depth->divisor = scaled_mul(length, scaled_of_big(e->x->placing.scale));
  e->depth->excess = scaled_add(rise, round);
}

/* The nearest point of one face, exactly; *least: |v|^2 of the nearest so far. */
static void epa_exact_witness_on(exact_epa *e, int face, grz_scaled *least) {
  grz_exact *x = e->x;
  const grz_polytope *p = &e->epa->polytope;
  x->count = x->c->dim;
  for (int i = 0; i < x->count; i++) {
    const graze_pair *pair = &p->pair[p->face[face].vertex[i]];
    x->a[i] = (grz_core_point){pair->point_a, pair->a};
    x->b[i] = (grz_core_point){pair->point_b, pair->b};
  }
  grz_exact_refresh(x);
  grz_nearest n = grz_nearest_of(x->arena, x->w, x->count, x->c->dim);
  if (x->arena->full || n.count == 0) return;
  grz_scaled square = scaled_div(scaled_of_big(n.square), scaled_of_big(n.divisor));
  if (least->m != 0 && !scaled_is_less(square, *least)) return;
  *least = square;
  grz_exact_keep(x, &n);
  grz_exact_core_points(x, &n, &e->depth->core_a, &e->depth->core_b);
}

/* The facet along epa->direction may be many faces; the foot of the perpendicular lies in the one nearest the origin.
 */
static void epa_exact_witness(exact_epa *e) {
  const grz_polytope *p = &e->epa->polytope;
  grz_scaled least = {0, 0};
  double enough = p->height[e->depth->face] * (1 + 64 * GRZ_U) + (e->x->c->curved ? e->epa->tolerance : 0);
  epa_exact_witness_on(e, e->depth->face, &least);
  for (int i = 0; i < p->face_count && !e->x->arena->full; i++) {
    if (p->face[i].vertex[0] < 0 || !(p->height[i] <= enough) || i == e->depth->face) continue;
    if (grz_epa_in_one_plane(&p->face[i], e->epa->direction)) epa_exact_witness_on(e, i, &least);
  }
  e->x->arena->used = e->x->mark;
}

static void epa_exact_work(grz_exact *x, void *context) {
  exact_epa *e = context;
  e->x = e->hull.x = x;
  e->epa->high = __builtin_inf();
  e->epa->steps = 0;
  e->depth->end = GRZ_EPA_BROKEN;
  if (!epa_exact_begin(e)) return;
  e->depth->end = epa_exact_loop(e);
  if (x->arena->full) return;
  double height = e->epa->polytope.height[e->depth->face];
  e->epa->low = height * (1 - 32 * GRZ_U);
  if (!(height > 0)) e->depth->end = GRZ_EPA_BROKEN;
  bool facet = e->depth->end == GRZ_EPA_CLOSED && !x->c->curved;
  if (facet) {
    e->epa->high = height;
    e->epa->direction = e->epa->polytope.face[e->depth->face].normal;
  }
  epa_exact_witness(e);
  if (facet) epa_exact_facet(e);
}

void grz_epa_exactly(grz_epa *epa, double clearance, grz_epa_depth *depth) {
  exact_epa e = {.epa = epa, .start_count = epa->polytope.point_count, .clearance = clearance, .depth = depth};
  e.hull.polytope = &epa->polytope;
  if (!grz_exact_run(epa->c, epa_exact_work, &e)) depth->end = GRZ_EPA_BROKEN;
}
