/* The simplex of GJK: at most dim + 1 points of C, reduced to those whose hull contains the point nearest the origin.
 *
 * All region tests use the same minors, the cross products w_i × w_j, so two adjacent regions cannot both exclude a
 * point. The nearest of the remaining regions wins. Rounding can still select a wrong region if the simplex is nearly
 * flat; therefore every result is certified (certify.c). Source: Gilbert, Johnson, Keerthi 1988; Montanari, Petrinic,
 * Barbieri 2017 (signed volumes); Ericson 2005, 5.1. */
#ifndef GRAZE_NARROW_SIMPLEX_H
#define GRAZE_NARROW_SIMPLEX_H

#include "narrow/obstacle.h"

typedef struct grz_simplex {
  int count;
  grz_cso_point point[4];
  double weight[4]; /* v = sum weight_i w_i, weights >= 0, sum 1 up to rounding; unset if the origin is inside */
  graze_vec v;      /* the point nearest the origin; zero if the origin is inside */
  double vv;        /* |v|^2 */
} grz_simplex;

typedef struct simplex_best {
  double vv;
  graze_vec v;
  unsigned members;
  double weight[4];
} simplex_best;

GRZ_TEMPLATE void simplex_offer(simplex_best *best, graze_vec v, unsigned members, double wi, double wj, double wk,
                                int i, int j, int k) {
  double vv = vec_dot(v, v);
  if (!(vv < best->vv)) return;
  best->vv = vv, best->v = v, best->members = members;
  best->weight[k] = wk, best->weight[j] = wj, best->weight[i] = wi;
}

/* In 2D, v is computed along the normal of the edge: near the origin, w_i + t e would have no significant digits. */
GRZ_TEMPLATE void simplex_try_edge(simplex_best *best, const graze_vec *w, int i, int j, const int dim) {
  graze_vec e = vec_sub(w[j], w[i]), v;
  double t = -vec_dot(w[i], e), square = vec_dot(e, e);
  if (t <= 0) {
    simplex_offer(best, w[i], 1u << i, 1, 0, 0, i, j, j);
  } else if (t >= square) {
    simplex_offer(best, w[j], 1u << j, 1, 0, 0, j, i, i);
  } else {
    t /= square;
    if (dim == 2)
      v = vec_scale(vec_make(-e.y, e.x, 0), (w[i].y * e.x - w[i].x * e.y) / square);
    else
      v = vec_add(w[i], vec_scale(e, t));
    simplex_offer(best, v, 1u << i | 1u << j, 1 - t, t, 0, i, j, j);
  }
}

/* a × b, accurate also for two near points far from the origin. */
GRZ_TEMPLATE graze_vec simplex_minor(graze_vec a, graze_vec b) { return vec_cross(a, vec_sub(b, a)); }

/* i < j < k, so that two faces compute the same minor of their common edge. `normal` need not be a unit vector. */
GRZ_TEMPLATE void simplex_try_face(simplex_best *best, const graze_vec *w, int i, int j, int k, graze_vec normal) {
  const double li = vec_dot(normal, simplex_minor(w[j], w[k])), lj = -vec_dot(normal, simplex_minor(w[i], w[k])),
               lk = vec_dot(normal, simplex_minor(w[i], w[j]));
  if (li > 0 && lj > 0 && lk > 0) {
    const graze_vec v = vec_scale(normal, vec_dot(normal, w[k]) / vec_dot(normal, normal));
    const double share = 1 / ((li + lj) + lk);
    simplex_offer(best, v, 1u << i | 1u << j | 1u << k, li * share, lj * share, lk * share, i, j, k);
    return;
  }
  if (!(li > 0)) simplex_try_edge(best, w, j, k, 3);
  if (!(lj > 0)) simplex_try_edge(best, w, i, k, 3);
  if (!(lk > 0)) simplex_try_edge(best, w, i, j, 3);
}

GRZ_TEMPLATE void simplex_triangle3(simplex_best *best, const graze_vec *w) {
  simplex_try_face(best, w, 0, 1, 2, vec_cross(vec_sub(w[1], w[0]), vec_sub(w[2], w[0])));
}

/* Returns true if the triangle contains the origin. */
GRZ_TEMPLATE bool simplex_triangle2(simplex_best *best, const graze_vec *w) {
  double l0 = simplex_minor(w[1], w[2]).z, l1 = simplex_minor(w[2], w[0]).z, l2 = simplex_minor(w[0], w[1]).z;
  double sum = (l0 + l1) + l2;
  if (sum < 0) l0 = -l0, l1 = -l1, l2 = -l2;
  if (sum != 0 && l0 >= 0 && l1 >= 0 && l2 >= 0) return true;
  if (!(l0 > 0)) simplex_try_edge(best, w, 1, 2, 2);
  if (!(l1 > 0)) simplex_try_edge(best, w, 0, 2, 2);
  if (!(l2 > 0)) simplex_try_edge(best, w, 0, 1, 2);
  return false;
}

/* Returns true if the tetrahedron contains the origin. All faces of a flat tetrahedron are tested. */
GRZ_TEMPLATE bool simplex_tetrahedron(simplex_best *best, const graze_vec *w) {
  graze_vec e0 = vec_sub(w[0], w[3]), e1 = vec_sub(w[1], w[3]), e2 = vec_sub(w[2], w[3]);
  graze_vec n013 = vec_cross(e0, e1), n123 = vec_cross(e1, e2), n023 = vec_cross(e0, e2);
  graze_vec n012 = vec_cross(vec_sub(w[1], w[0]), vec_sub(w[2], w[0]));
  double volume = vec_dot(e2, n013); /* of (e0, e1, e2) */
  /* the signed volume of the origin over each face, times that of the opposite vertex */
  double s2 = -vec_dot(w[3], n013) * volume, s0 = -vec_dot(w[3], n123) * volume, s1 = vec_dot(w[3], n023) * volume;
  double s3 = vec_dot(w[0], n012) * volume;
  bool held = true;
  if (!(s2 > 0)) simplex_try_face(best, w, 0, 1, 3, n013), held = false;
  if (!(s0 > 0)) simplex_try_face(best, w, 1, 2, 3, n123), held = false;
  if (!(s1 > 0)) simplex_try_face(best, w, 0, 2, 3, n023), held = false;
  if (!(s3 > 0)) simplex_try_face(best, w, 0, 1, 2, n012), held = false;
  return held;
}

/* Computes the point of the hull nearest the origin; the newest point is the last. Returns true if the simplex contains
 * the origin. Does not change `s`; grz_simplex_accept() changes it. */
GRZ_TEMPLATE bool simplex_nearest(const grz_simplex *s, simplex_best *best, const int dim) {
  const grz_cso_point *p = s->point;
  best->vv = __builtin_inf();
  switch (s->count) { /* each case with its own array, which then lies in registers */
  case 1: simplex_offer(best, p[0].w, 1, 1, 0, 0, 0, 1, 1); return false;
  case 2: {
    const graze_vec w[2] = {p[0].w, p[1].w};
    simplex_try_edge(best, w, 0, 1, dim);
    return false;
  }
  case 3: {
    const graze_vec w[3] = {p[0].w, p[1].w, p[2].w};
    if (dim == 2) return simplex_triangle2(best, w);
    simplex_triangle3(best, w);
    return false;
  }
  default: {
    const graze_vec w[4] = {p[0].w, p[1].w, p[2].w, p[3].w};
    return dim == 3 && simplex_tetrahedron(best, w);
  }
  }
}

/* simplex_nearest() for code outside the loops of GJK: not inline. */
bool grz_simplex_nearest(const grz_simplex *s, simplex_best *best, int dim);

/* Keeps only the points whose hull defines the nearest point. */
GRZ_TEMPLATE void grz_simplex_accept(grz_simplex *s, const simplex_best *best) {
  int kept = 0;
  for (int i = 0; i < s->count; i++) {
    if (!(best->members >> i & 1u)) continue;
    if (kept != i) s->point[kept] = s->point[i];
    s->weight[kept++] = best->weight[i];
  }
  s->count = kept, s->v = best->v, s->vv = best->vv;
}

/* The simplex contains the origin: all its points stay. */
GRZ_TEMPLATE void grz_simplex_hold(grz_simplex *s) {
  s->v = vec_make(0, 0, 0);
  s->vv = 0;
}

/* Computes the nearest point and reduces the simplex. Returns true if the simplex contains the origin. */
bool grz_simplex_reduce(grz_simplex *s, int dim);

#endif
