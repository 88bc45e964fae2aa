/* The search for the point of a set nearest the origin: an active-set method on integers. Proposes only; oracle.c
 * proves. */
#include "support/oracle/exact.h"

#include <stdlib.h>

/* Weights of the point nearest the origin in the affine hull of the picked points of s. False unless independent and
 * all weights > 0. */
static bool z_weights(const simplex *s, const int pick[4], int n, mpz_t weight[4]) {
  const zvec *p = &s->w[pick[0]], *q = &s->w[pick[n > 1]], *r = &s->w[pick[n > 2 ? 2 : 0]];
  const zvec *t = &s->w[pick[n > 3 ? 3 : 0]];
  LOCAL_ZVEC(e);
  LOCAL_ZVEC(f);
  LOCAL_ZVEC(m);
  if (n == 2 || n == 3) orc_z_sub(&e, q, p);
  if (n == 1) mpz_set_ui(weight[0], 1);
  if (n == 2) {
    orc_z_dot(weight[0], &e, q);
    orc_z_dot(weight[1], &e, p);
    mpz_neg(weight[1], weight[1]);
  }
  if (n == 3) {
    orc_z_sub(&f, r, p);
    orc_z_cross(&m, &e, &f);
  }
  if (n >= 3) { /* as seen along the normal; of a tetrahedron from the last point */
    orc_z_det(weight[0], q, r, n == 4 ? t : &m);
    orc_z_det(weight[1], r, p, n == 4 ? t : &m);
    orc_z_det(weight[2], p, q, n == 4 ? t : &m);
  }
  if (n == 4) {
    orc_z_det(weight[3], q, p, r);
    if (mpz_sgn(weight[0]) < 0)
      for (int i = 0; i < 4; i++) mpz_neg(weight[i], weight[i]);
  }
  for (int i = 0; i < n; i++)
    if (mpz_sgn(weight[i]) <= 0) return false;
  return true;
}

/* The sign of v·w - v·v for the s of which total·v is known. */
static int beyond(const simplex *s, const zvec *w) {
  LOCAL_MPZ(vw, vv);
  orc_z_dot(vw, &s->v, w);
  mpz_mul(vw, vw, s->total);
  orc_z_dot(vv, &s->v, &s->v);
  return mpz_cmp(vw, vv);
}

/* Shrinks s to the picked points with these weights. */
static void z_keep(simplex *s, const int pick[4], int n, mpz_t weight[4]) {
  for (int i = 0; i < n; i++) { /* pick[i] >= i, ascending */
    s->a[i] = s->a[pick[i]];
    s->b[i] = s->b[pick[i]];
    if (pick[i] != i) orc_z_set(&s->w[i], &s->w[pick[i]]);
    mpz_set(s->weight[i], weight[i]);
  }
  s->count = n;
  orc_z_combine(s);
}

/* Is the face `pick` of s the one that holds the point of s nearest the origin? Then s shrinks to it. */
static bool try_face(simplex *s, const int pick[4], int n, mpz_t weight[4]) {
  if (!z_weights(s, pick, n, weight)) return false;
  __attribute__((cleanup(orc_simplex_clear))) simplex face;
  orc_simplex_init(&face);
  face.count = n;
  for (int i = 0; i < n; i++) {
    orc_z_set(&face.w[i], &s->w[pick[i]]);
    mpz_set(face.weight[i], weight[i]);
  }
  orc_z_combine(&face);
  for (int i = 0; i < s->count; i++)
    if (beyond(&face, &s->w[i]) < 0) return false;
  z_keep(s, pick, n, weight);
  return true;
}

/* Shrinks s to the independent face that holds its point nearest the origin in its relative interior. It has the last
 * point, which is nearer than the others' hull. */
static void z_nearest(simplex *s) {
  LOCAL_QUAT(weight);
  bool found = false;
  const int count = s->count;
  for (int size = 1; size <= 4 && !found; size++)
    for (int mask = 1 << (count - 1); mask < 1 << count && !found; mask++) {
      int pick[SIMPLEX_CAPACITY], n = 0;
      for (int i = 0; i < count; i++)
        if (mask >> i & 1) pick[n++] = i;
      if (n == size) found = try_face(s, pick, n, weight);
    }
  orc_require(found, "no face holds the nearest point");
}

/* The index of the point of the list with the least (sign 1) or greatest (-1) v·p. */
static int extreme_point(const zlist *list, const zvec *v, int sign) {
  int best = 0;
  LOCAL_MPZ(x, least);
  for (int i = 0; i < list->count; i++) {
    orc_z_dot(x, v, &list->at[i]);
    if (i > 0 && mpz_cmp(x, least) * sign >= 0) continue;
    mpz_set(least, x);
    best = i;
  }
  return best;
}

static int rough_extreme(double (*f)[3], int count, const double v[3], int sign) {
  int best = 0;
  for (int i = 1; i < count; i++)
    if ((orc_f_dot(v, f[i]) - orc_f_dot(v, f[best])) * sign < 0) best = i;
  return best;
}

/* Adds the point of the set with the least v·w: by doubles, or exactly where that makes no progress. False: none is
 * nearer along v. */
static bool add_point(simplex *s, const pointset *set) {
  const int n = s->count;
  double v[3];
  orc_round_list(&v, &(zlist){&s->v, 1, 1});
  for (int exact = 0; exact < 2; exact++) {
    s->a[n] = exact ? extreme_point(&set->a, &s->v, 1) : rough_extreme(set->fa, set->a.count, v, 1);
    s->b[n] = exact ? extreme_point(&set->b, &s->v, -1) : rough_extreme(set->fb, set->b.count, v, -1);
    orc_set_point(&s->w[n], set, s->a[n], s->b[n]);
    if (beyond(s, &s->w[n]) >= 0) continue;
    s->count++;
    return true;
  }
  return false;
}

/* Ends: |v|² falls strictly and there are finitely many faces. */
void orc_solve_nearest(simplex *s, pointset *set) {
  orc_round_set(set);
  s->count = 1;
  s->a[0] = s->b[0] = 0;
  orc_set_point(&s->w[0], set, 0, 0);
  do z_nearest(s);
  while (!orc_z_zero(&s->v) && add_point(s, set));
}
