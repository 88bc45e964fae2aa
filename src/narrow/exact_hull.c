/* Convex hulls with exact predicates, built by inserting points. Theory: docs/theory/depth.md. */
#include "narrow/exact_hull.h"

grz_bvec grz_hull_point(const grz_exact_hull *hull, int point) {
  const grz_pair named = grz_polytope_pair(hull->polytope, point), *pair = &named;
  return grz_placement_point(hull->x->arena, &hull->x->placing, pair->point_a, pair->point_b);
}

grz_bvec grz_hull_normal(const grz_exact_hull *hull, const int32_t *v, grz_bvec *on) {
  grz_arena *arena = hull->x->arena;
  *on = grz_hull_point(hull, v[0]);
  grz_bvec u = grz_bvec_sub(arena, grz_hull_point(hull, v[1]), *on);
  if (hull->x->c->dim == 2) return (grz_bvec){u.y, grz_big_neg(u.x), grz_big_zero()};
  return grz_bvec_cross(arena, u, grz_bvec_sub(arena, grz_hull_point(hull, v[2]), *on));
}

int grz_hull_side(const grz_exact_hull *hull, const int32_t *v, int point) {
  grz_arena *arena = hull->x->arena;
  size_t mark = arena->used;
  grz_bvec on, normal = grz_hull_normal(hull, v, &on);
  int sign = grz_bvec_dot(arena, normal, grz_bvec_sub(arena, grz_hull_point(hull, point), on)).sign;
  arena->used = mark;
  return sign;
}

int grz_hull_height_sign(const grz_exact_hull *hull, int face) {
  grz_arena *arena = hull->x->arena;
  size_t mark = arena->used;
  grz_bvec on, normal = grz_hull_normal(hull, hull->polytope->face[face].vertex, &on);
  int sign = grz_bvec_dot(arena, normal, on).sign;
  arena->used = mark;
  return sign;
}

static bool hull_plane(void *context, grz_polytope *p, int index) {
  const grz_exact_hull *hull = context;
  grz_arena *arena = hull->x->arena;
  grz_face *face = &p->face[index];
  size_t mark = arena->used;
  grz_bvec on, normal = grz_hull_normal(hull, face->vertex, &on);
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

bool grz_hull_add(grz_exact_hull *hull, int face, int point) {
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

/* Returns a face that the point lies beyond, or -1 if the point lies in the hull. */
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
    if (face >= 0) good = grz_hull_add(hull, face, i);
  }
  return good && !hull->x->arena->full;
}
