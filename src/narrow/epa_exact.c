/* EPA with exact predicates, for depths that EPA in doubles does not reach with the guaranteed width. The test of the
 * side of a face on which a point lies is exact. For polytopes, support points are exact too.
 *
 * For polytopes, each step therefore adds one of the finitely many differences of two vertices. The last nearest face
 * is a facet of the CSO. Doubles only select the nearest face. Theory: docs/theory/depth.md. */
#include "narrow/search.h"

#include "narrow/trace.h"

/* ---- Convex hulls with exact predicates, built by inserting points */

grz_bvec grz_hull_point(const grz_exact_hull *hull, int point) {
  const grz_pair named = grz_polytope_pair(hull->polytope, point), *pair = &named;
  return grz_placement_point(hull->x->arena, &hull->x->placing, pair->point_a, pair->point_b);
}

/* A positive multiple of the outward normal of the face with these vertices; *on: scale·w of the first vertex. */
static grz_bvec hull_normal(const grz_exact_hull *hull, const int32_t *v, grz_bvec *on) {
  grz_arena *arena = hull->x->arena;
  *on = grz_hull_point(hull, v[0]);
  grz_bvec u = grz_bvec_sub(arena, grz_hull_point(hull, v[1]), *on);
  if (hull->x->c->dim == 2) return (grz_bvec){u.y, grz_big_neg(u.x), grz_big_zero()};
  return grz_bvec_cross(arena, u, grz_bvec_sub(arena, grz_hull_point(hull, v[2]), *on));
}

int grz_hull_side(const grz_exact_hull *hull, const int32_t *v, int point) {
  grz_arena *arena = hull->x->arena;
  size_t mark = arena->used;
  grz_bvec on, normal = hull_normal(hull, v, &on);
  int sign = grz_bvec_dot(arena, normal, grz_bvec_sub(arena, grz_hull_point(hull, point), on)).sign;
  arena->used = mark;
  return sign;
}

int grz_hull_height_sign(const grz_exact_hull *hull, int face) {
  grz_arena *arena = hull->x->arena;
  size_t mark = arena->used;
  grz_bvec on, normal = hull_normal(hull, hull->polytope->face[face].vertex, &on);
  int sign = grz_bvec_dot(arena, normal, on).sign;
  arena->used = mark;
  return sign;
}

static bool hull_plane(void *context, grz_polytope *p, int index) {
  const grz_exact_hull *hull = context;
  grz_arena *arena = hull->x->arena;
  grz_face *face = &p->face[index];
  size_t mark = arena->used;
  grz_bvec on, normal = hull_normal(hull, face->vertex, &on);
  bool good = !grz_bvec_is_zero(normal) && !arena->full;
  if (good) {
    grz_scaled length = scaled_sqrt(scaled_of_big(grz_bvec_dot(arena, normal, normal)));
    grz_scaled divisor = scaled_mul(length, scaled_of_big(hull->x->placing.scale));
    grz_scaled rise = scaled_div(scaled_of_big(grz_bvec_dot(arena, normal, on)), divisor);
    face->normal = vec_unit(scaled_direction(normal));
    face->tilt = 8 * GRZ_U;
    p->height[index] = scaled_to_double(rise) * hull->x->c->unit;
  }
  arena->used = mark;
  return good;
}

/* Returns the sign in doubles, or 0 if uncertain: |n·(w - v) - exact| <= 2·point_error + (tilt + 8u)·|w - v|. */
static int hull_side_in_doubles(const grz_exact_hull *hull, int index, int point) {
  const grz_polytope *p = hull->polytope;
  const grz_face *face = &p->face[index];
  graze_vec step = vec_sub(p->w[point], p->w[face->vertex[0]]);
  double side = vec_dot(face->normal, step);
  double error = 2.1 * hull->x->c->point_error + (face->tilt + 8 * GRZ_U) * 2 * vec_norm_inf(step);
  return side > error ? 1 : side < -error ? -1 : 0;
}

static bool hull_sees(void *context, const grz_polytope *p, int index, int point) {
  const grz_exact_hull *hull = context;
  int side = hull_side_in_doubles(hull, index, point);
  return side != 0 ? side > 0 : grz_hull_side(hull, p->face[index].vertex, point) >= 0;
}

/* Inserts the point, which lies beyond `face`. Returns false if the polytope is full. */
static bool hull_add(grz_exact_hull *hull, int face, int point) {
  if (hull->x->c->dim == 2) return grz_polygon_add(hull->polytope, face, point, hull_sees, hull_plane, hull);
  return grz_polytope_add(hull->polytope, face, point, hull_sees, hull_plane, hull);
}

int grz_hull_basis(const grz_exact_hull *hull, int basis[4]) {
  grz_arena *arena = hull->x->arena;
  int rank = 1;
  basis[0] = 0;
  for (int i = 1; i < hull->polytope->point_count && rank <= hull->x->c->dim; i++) {
    size_t mark = arena->used;
    grz_bvec on = grz_hull_point(hull, 0), step = grz_bvec_sub(arena, grz_hull_point(hull, i), on);
    bool free = !grz_bvec_is_zero(step);
    if (rank >= 2) {
      grz_bvec u = grz_bvec_sub(arena, grz_hull_point(hull, basis[1]), on);
      if (rank == 2)
        free = !grz_bvec_is_zero(grz_bvec_cross(arena, u, step));
      else
        free = grz_bvec_det(arena, u, grz_bvec_sub(arena, grz_hull_point(hull, basis[2]), on), step).sign != 0;
    }
    arena->used = mark;
    if (free) basis[rank++] = i;
  }
  return rank;
}

/* Returns a face with the point on its outer side, or -1 if the point lies in the hull. */
static int hull_face_below(const grz_exact_hull *hull, int point) {
  const grz_polytope *p = hull->polytope;
  for (int face = 0; face < p->face_count; face++) {
    if (grz_face_is_removed(&p->face[face])) continue;
    int side = hull_side_in_doubles(hull, face, point);
    if (side == 0) side = grz_hull_side(hull, p->face[face].vertex, point);
    if (side > 0) return face;
  }
  return -1;
}

bool grz_hull_build(grz_exact_hull *hull, const int basis[4]) {
  grz_polytope *p = hull->polytope;
  const int dim = hull->x->c->dim;
  const int32_t facet[3] = {basis[0], basis[1], dim == 3 ? basis[2] : -1};
  bool swap = grz_hull_side(hull, facet, basis[dim]) > 0;
  const int order[4] = {basis[0], basis[swap ? 2 : 1], basis[swap ? 1 : 2], basis[dim]};
  bool good = dim == 2 ? grz_polygon_start(p, order, hull_plane, hull) : grz_polytope_start(p, order, hull_plane, hull);
  for (int i = 0; good && i < p->point_count; i++) {
    int face = hull_face_below(hull, i);
    if (face >= 0) good = hull_add(hull, face, i);
  }
  return good && !hull->x->arena->full;
}

/* ---- EPA */

typedef struct exact_epa {
  grz_exact *x;
  grz_epa *epa;
  grz_exact_hull hull;
  int start_count;
  double clearance;
  double width; /* the support width along the last normal, rounded */
  grz_epa_depth *depth;
} exact_epa;

/* Adds support points until dim + 1 points are independent. Returns false if the CSO is flat, up to rounding. */
static bool epa_exact_span(exact_epa *e, int basis[4]) {
  int rank = grz_hull_basis(&e->hull, basis);
  for (int k = 0; k < 6 && rank <= e->x->c->dim; k++) {
    graze_vec d;
    double slack = 0;
    if (!grz_epa_independent_direction(&e->epa->polytope, basis, rank, k, e->x->c->dim, &d)) continue;
    grz_cso_point w = grz_obstacle_support(e->x->c, d, &slack);
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

/* Builds the hull of the start points. */
static bool epa_exact_begin(exact_epa *e) {
  const grz_exact *x = e->x;
  grz_polytope *p = &e->epa->polytope;
  int basis[4];
  grz_polytope_clear(p);
  p->point_count = e->start_count;
  for (int i = 0; i < e->start_count; i++) {
    const grz_pair pair = grz_polytope_pair(p, i);
    p->w[i] = grz_obstacle_of_pair(x->c, &pair, x->c->dim).w;
  }
  return epa_exact_span(e, basis) && grz_hull_build(&e->hull, basis);
}

/* Computes the support point along the exact normal of a face. Returns false if the face is a facet of the CSO. */
static bool epa_exact_support(exact_epa *e, int face, grz_cso_point *w) {
  grz_exact *x = e->x;
  size_t mark = x->arena->used;
  const int32_t *v = e->epa->polytope.face[face].vertex;
  grz_bvec on, normal = hull_normal(&e->hull, v, &on);
  grz_core_point a = grz_exact_support(x, x->c->a, grz_placement_local_a(x->arena, &x->placing, normal));
  grz_core_point b = grz_exact_support(x, x->c->b, grz_bvec_neg(grz_placement_local_b(x->arena, &x->placing, normal)));
  grz_bvec support = grz_placement_point(x->arena, &x->placing, a.local, b.local);
  int beyond = grz_bvec_dot(x->arena, normal, grz_bvec_sub(x->arena, support, on)).sign;
  x->arena->used = mark;
  *w = grz_obstacle_point(x->c, a, b, x->c->dim);
  e->width = vec_dot(e->epa->polytope.face[face].normal, w->w);
  return beyond > 0;
}

/* The same for curved cores, in doubles. Returns false if the bounds met. */
static bool epa_curved_support(exact_epa *e, int face, grz_cso_point *w) {
  grz_epa *epa = e->epa;
  graze_vec d = epa->polytope.face[face].normal;
  double high = -grz_obstacle_gap(epa->c, d, w);
  bool closed = !(high - epa->polytope.height[face] > epa->tolerance);
  e->width = high;
  if (closed || high < epa->high) epa->high = high, epa->direction = d;
  return !closed;
}

static void epa_exact_trace(exact_epa *e, int points, const grz_cso_point *w, graze_trace_stop stop) {
  const grz_epa *epa = e->epa;
  int face = e->depth->face;
  bool around = epa->polytope.height[face] > 0;
  if (stop == GRAZE_TRACE_BOUNDS_MET && !around) stop = GRAZE_TRACE_NO_PROGRESS;
  if (!e->x->arena->full) grz_trace_epa(epa, &(grz_expansion){face, points, w, e->width}, stop);
}

/* EPA with exact predicates: the loop of epa_expand() in epa.c. */
static grz_epa_end epa_exact_expand(exact_epa *e) {
  grz_epa *epa = e->epa;
  grz_polytope *p = &epa->polytope;
  const bool curved = epa->c->curved;
  for (;;) {
    /* The face nearest to the origin, and the support point along its normal. */
    const int face = e->depth->face = grz_epa_nearest(p), count = p->point_count;
    grz_cso_point w;
    epa->steps++;
    const bool beyond = curved ? epa_curved_support(e, face, &w) : epa_exact_support(e, face, &w);
    graze_trace_stop stop = beyond ? GRAZE_TRACE_CONTINUE : GRAZE_TRACE_BOUNDS_MET;
    if (beyond && grz_epa_point(epa, &w) < 0) {
      (void)epa_curved_support(e, face, &w); /* polytopes have no upper bound yet */
      stop = GRAZE_TRACE_BUDGET;
    } else if (beyond && curved && grz_hull_side(&e->hull, p->face[face].vertex, count) <= 0) {
      stop = GRAZE_TRACE_BOUNDS_MET; /* rounding hides the progress */
    }
    if (epa->c->tracer) epa_exact_trace(e, count, &w, stop);
    if (stop == GRAZE_TRACE_BOUNDS_MET) return GRZ_EPA_CLOSED;
    if (stop == GRAZE_TRACE_BUDGET) return GRZ_EPA_NO_SPACE;

    /* Insert the point. */
    if (hull_add(&e->hull, face, count)) continue;
    if (epa->c->tracer && !e->x->arena->full) grz_trace_epa_broken(epa);
    return GRZ_EPA_BROKEN;
  }
}

/* The distance of the plane plus r, as the quotient of (N·w + R·|N|) and |N|·scale, with R = scale·r. */
static void epa_exact_facet(exact_epa *e) {
  grz_arena *arena = e->x->arena;
  grz_bvec on, normal = hull_normal(&e->hull, e->epa->polytope.face[e->depth->face].vertex, &on);
  grz_scaled length = scaled_sqrt(scaled_of_big(grz_bvec_dot(arena, normal, normal)));
  grz_scaled rise = scaled_of_big(grz_bvec_dot(arena, normal, on));
  grz_scaled round = scaled_mul(length, scaled_of_big(grz_exact_radius(e->x, e->clearance)));
  e->depth->divisor = scaled_mul(length, scaled_of_big(e->x->placing.scale));
  e->depth->excess = scaled_add(rise, round);
}

/* Computes the exact nearest point v of one face. *least: |v|^2 of the nearest face so far. */
static void epa_exact_witness_on(exact_epa *e, int face, grz_scaled *least) {
  grz_exact *x = e->x;
  grz_pair corner[3];
  for (int i = 0; i < x->c->dim; i++) corner[i] = grz_face_pair(&e->epa->polytope, face, i);
  grz_nearest n = grz_exact_nearest(x, corner, x->c->dim);
  if (x->arena->full || n.count == 0) return;
  grz_scaled square = scaled_div(scaled_of_big(n.square), scaled_of_big(n.divisor));
  if (least->m != 0 && !scaled_is_less(square, *least)) return;
  *least = square;
  grz_exact_keep(x, &n);
  grz_exact_core_points(x, &n, &e->depth->core_a, &e->depth->core_b);
}

/* Several faces can form the facet along epa->direction. The projection of the origin lies in the face that is nearest
 * to the origin. */
static void epa_exact_witness(exact_epa *e) {
  const grz_polytope *p = &e->epa->polytope;
  grz_scaled least = {0, 0};
  double enough = p->height[e->depth->face] * (1 + 64 * GRZ_U) + (e->x->c->curved ? e->epa->tolerance : 0);
  epa_exact_witness_on(e, e->depth->face, &least);
  for (int i = 0; i < p->face_count && !e->x->arena->full; i++) {
    if (grz_face_is_removed(&p->face[i]) || !(p->height[i] <= enough) || i == e->depth->face) continue;
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
  e->depth->end = epa_exact_expand(e);
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
