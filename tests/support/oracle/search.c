/* The search for the point of a set nearest the origin. Proposes only; oracle.c proves. */
#include "support/oracle/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the proposal, in doubles */

int orc_largest_exponent(const zlist *list, int so_far) {
  for (int i = 0; i < list->count; i++)
    for (int k = 0; k < 3; k++) {
      int bits = mpz_sgn(list->at[i].at[k]) == 0 ? 0 : (int)mpz_sizeinbase(list->at[i].at[k], 2);
      if (bits > so_far) so_far = bits;
    }
  return so_far;
}

void orc_round_list(double (*out)[3], const zlist *list, int exponent) {
  for (int i = 0; i < list->count; i++)
    for (int k = 0; k < 3; k++) {
      signed long e;
      double m = mpz_get_d_2exp(&e, list->at[i].at[k]);
      out[i][k] = ldexp(m, (int)(e - exponent));
    }
}

void orc_round_set(pointset *set) {
  if (set->a.count > set->vertices_a)
    set->fa = orc_room_for(set->fa, (size_t)(set->vertices_a = set->a.count), sizeof *set->fa);
  if (set->b.count > set->vertices_b)
    set->fb = orc_room_for(set->fb, (size_t)(set->vertices_b = set->b.count), sizeof *set->fb);
  int exponent = orc_largest_exponent(&set->b, orc_largest_exponent(&set->a, 0));
  orc_round_list(set->fa, &set->a, exponent);
  orc_round_list(set->fb, &set->b, exponent);
}

double orc_f_dot(const double u[3], const double v[3]) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

static void f_sub(double out[3], const double u[3], const double v[3]) {
  for (int k = 0; k < 3; k++) out[k] = u[k] - v[k];
}

void orc_f_cross(double out[3], const double u[3], const double v[3]) {
  out[0] = u[1] * v[2] - u[2] * v[1];
  out[1] = u[2] * v[0] - u[0] * v[2];
  out[2] = u[0] * v[1] - u[1] * v[0];
}

static double f_det(const double u[3], const double v[3], const double w[3]) {
  double c[3];
  orc_f_cross(c, u, v);
  return orc_f_dot(c, w);
}

/* The pair with the least x·w. */
static void f_support(const pointset *set, const double x[3], int *a, int *b) {
  double best = INFINITY, least_a = INFINITY, most_b = -INFINITY;
  *a = *b = -1;
  for (int i = 0; i < set->a.count; i++) {
    double at = orc_f_dot(x, set->fa[i]);
    if (!set->omit && at < least_a) {
      least_a = at;
      *a = i;
    }
    for (int j = 0; set->omit && j < set->b.count; j++) {
      double value = at - orc_f_dot(x, set->fb[j]);
      if (value >= best || orc_omitted(set, i, j)) continue;
      best = value;
      *a = i;
      *b = j;
    }
  }
  for (int j = 0; !set->omit && j < set->b.count; j++) {
    double at = orc_f_dot(x, set->fb[j]);
    if (at <= most_b) continue;
    most_b = at;
    *b = j;
  }
}

/* Weights of the point nearest the origin in the affine hull of n points; false unless all are > 0. */
static bool f_weights(double (*w[4])[3], int n, double weight[4]) {
  double e1[3], e2[3], m[3];
  const double *p = *w[0], *q = n > 1 ? *w[1] : p, *r = n > 2 ? *w[2] : p, *s = n > 3 ? *w[3] : p;
  f_sub(e1, q, p);
  f_sub(e2, r, p);
  orc_f_cross(m, e1, e2);
  if (n == 1) weight[0] = 1;
  if (n == 2) {
    weight[1] = -orc_f_dot(e1, p);
    weight[0] = orc_f_dot(e1, q);
  }
  if (n == 3) {
    weight[0] = f_det(q, r, m);
    weight[1] = f_det(r, p, m);
    weight[2] = f_det(p, q, m);
  }
  if (n == 4) {
    weight[0] = f_det(q, r, s);
    weight[1] = -f_det(p, r, s);
    weight[2] = f_det(p, q, s);
    weight[3] = -f_det(p, q, r);
    if (weight[0] < 0)
      for (int i = 0; i < 4; i++) weight[i] = -weight[i];
  }
  double total = 0;
  for (int i = 0; i < n; i++) {
    if (!(weight[i] > 0)) return false;
    total += weight[i];
  }
  for (int i = 0; i < n; i++) weight[i] /= total;
  return true;
}

/* Of all faces of at most 5 points: the mask of the one nearest the origin, and the point. */
static int f_nearest(double w[SIMPLEX_ROOM][3], int count, double v[3]) {
  int best_mask = 1;
  double best = INFINITY;
  for (int mask = 1; mask < 1 << count; mask++) {
    double(*face[SIMPLEX_ROOM])[3] = {&w[0]}, weight[4], x[3] = {0, 0, 0};
    int n = 0;
    for (int i = 0; i < count; i++)
      if (mask >> i & 1) face[n++] = &w[i];
    if (n > 4 || !f_weights(face, n, weight)) continue;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++) x[k] += weight[i] * (*face[i])[k];
    if (!(orc_f_dot(x, x) < best)) continue;
    best = orc_f_dot(x, x);
    best_mask = mask;
    memcpy(v, x, sizeof x);
  }
  return best_mask;
}

static void keep_masked(simplex *s, double w[SIMPLEX_ROOM][3], int mask) {
  int kept = 0;
  for (int i = 0; i < s->count; i++) {
    if (!(mask >> i & 1)) continue;
    s->a[kept] = s->a[i];
    s->b[kept] = s->b[i];
    if (w) memmove(w[kept], w[i], sizeof w[0]);
    kept++;
  }
  s->count = kept;
}

static bool has_pair(const simplex *s, int a, int b) {
  for (int i = 0; i < s->count; i++)
    if (s->a[i] == a && s->b[i] == b) return true;
  return false;
}

/* Indices of the points that seem to carry the nearest point. */
static void propose(simplex *s, pointset *set) {
  double w[SIMPLEX_ROOM][3], v[3] = {1, 0, 0};
  orc_round_set(set);
  s->count = 0;
  for (int step = 0; step < 64; step++) {
    int a, b;
    f_support(set, v, &a, &b);
    if (s->count && has_pair(s, a, b)) return;
    double x[3];
    f_sub(x, set->fa[a], set->fb[b]);
    if (s->count && orc_f_dot(v, x) >= orc_f_dot(v, v) * (1 - 1e-13)) return;
    s->a[s->count] = a;
    s->b[s->count] = b;
    memcpy(w[s->count++], x, sizeof x);
    keep_masked(s, w, f_nearest(w, s->count, v));
    if (orc_f_dot(v, v) < 1e-32) return;
  }
}

/* ---- the search on integers */

/* As f_weights(), on the points picked out of s. False unless independent and all weights > 0. */
static bool z_weights(simplex *s, const int pick[4], int n, mpz_t weight[4]) {
  zvec e1, e2, m;
  orc_z_init(&e1);
  orc_z_init(&e2);
  orc_z_init(&m);
  const zvec *p = &s->w[pick[0]], *q = n > 1 ? &s->w[pick[1]] : p, *r = n > 2 ? &s->w[pick[2]] : p;
  const zvec *t = n > 3 ? &s->w[pick[3]] : p;
  if (n > 1) orc_z_sub(&e1, q, p);
  if (n == 1) mpz_set_ui(weight[0], 1);
  if (n == 2) {
    orc_z_dot(weight[0], &e1, q);
    orc_z_dot(weight[1], &e1, p);
    mpz_neg(weight[1], weight[1]);
  }
  if (n == 3) {
    orc_z_sub(&e2, r, p);
    orc_z_cross(&m, &e1, &e2);
    orc_z_det(weight[0], q, r, &m);
    orc_z_det(weight[1], r, p, &m);
    orc_z_det(weight[2], p, q, &m);
  }
  if (n == 4) {
    orc_z_det(weight[0], q, r, t);
    orc_z_det(weight[1], r, p, t);
    orc_z_det(weight[2], p, q, t);
    orc_z_det(weight[3], q, p, r);
    if (mpz_sgn(weight[0]) < 0)
      for (int i = 0; i < 4; i++) mpz_neg(weight[i], weight[i]);
  }
  bool ok = true;
  for (int i = 0; i < n; i++) ok = ok && mpz_sgn(weight[i]) > 0;
  orc_z_clear(&e1);
  orc_z_clear(&e2);
  orc_z_clear(&m);
  return ok;
}

/* The sign of v·w - v·v for the s of which total·v is known. */
static int beyond(const simplex *s, const zvec *w) {
  mpz_t vw, vv;
  mpz_inits(vw, vv, NULL);
  orc_z_dot(vw, &s->v, w);
  mpz_mul(vw, vw, s->total);
  orc_z_dot(vv, &s->v, &s->v);
  int sign = mpz_cmp(vw, vv);
  mpz_clears(vw, vv, NULL);
  return sign;
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
  simplex face; /* shares the points, owns the rest */
  orc_simplex_init(&face);
  face.count = n;
  for (int i = 0; i < n; i++) {
    orc_z_set(&face.w[i], &s->w[pick[i]]);
    mpz_set(face.weight[i], weight[i]);
  }
  orc_z_combine(&face);
  bool nearest = true;
  for (int i = 0; i < s->count && nearest; i++) nearest = beyond(&face, &s->w[i]) >= 0;
  orc_simplex_clear(&face);
  if (nearest) z_keep(s, pick, n, weight);
  return nearest;
}

/* Shrinks s to the independent face that holds its point nearest the origin in its relative interior. */
static void z_nearest(simplex *s) {
  static const int all[4] = {0, 1, 2, 3};
  mpz_t weight[4];
  for (int i = 0; i < 4; i++) mpz_init(weight[i]);
  bool found = s->count <= 4 && z_weights(s, all, s->count, weight);
  if (found) z_keep(s, all, s->count, weight);
  int count = s->count;
  for (int size = 1; size <= 4 && !found; size++)
    for (int mask = 1; mask < 1 << count && !found; mask++) {
      int pick[SIMPLEX_ROOM], n = 0;
      for (int i = 0; i < count; i++)
        if (mask >> i & 1) pick[n++] = i;
      if (n == size) found = try_face(s, pick, n, weight);
    }
  orc_require(found, "no face holds the nearest point");
  for (int i = 0; i < 4; i++) mpz_clear(weight[i]);
}

/* The pair with the least v·w, over all pairs that are not omitted. */
static void z_support(const pointset *set, const zvec *v, int *a, int *b) {
  int na = set->a.count, nb = set->b.count;
  mpz_t *at = orc_room_for(NULL, (size_t)(na + nb), sizeof *at), value, best;
  mpz_inits(value, best, NULL);
  for (int i = 0; i < na + nb; i++) {
    mpz_init(at[i]);
    orc_z_dot(at[i], v, i < na ? &set->a.at[i] : &set->b.at[i - na]);
  }
  *a = *b = set->omit ? -1 : 0;
  for (int i = 1; i < na && !set->omit; i++)
    if (mpz_cmp(at[i], at[*a]) < 0) *a = i;
  for (int j = 1; j < nb && !set->omit; j++)
    if (mpz_cmp(at[na + j], at[na + *b]) > 0) *b = j;
  for (int i = 0; i < na && set->omit; i++)
    for (int j = 0; j < nb; j++) {
      mpz_sub(value, at[i], at[na + j]);
      if (orc_omitted(set, i, j) || (*a >= 0 && mpz_cmp(value, best) >= 0)) continue;
      mpz_set(best, value);
      *a = i;
      *b = j;
    }
  for (int i = 0; i < na + nb; i++) mpz_clear(at[i]);
  free(at);
  mpz_clears(value, best, NULL);
}

/* The nearest point of the set, exactly. Ends: |v|² falls strictly and there are finitely many faces. */
void orc_solve_nearest(simplex *s, pointset *set) {
  propose(s, set);
  for (int i = 0; i < s->count; i++) orc_set_point(&s->w[i], set, s->a[i], s->b[i]);
  for (;;) {
    z_nearest(s);
    if (orc_z_zero(&s->v)) return;
    int a, b, n = s->count;
    z_support(set, &s->v, &a, &b);
    orc_set_point(&s->w[n], set, a, b);
    if (beyond(s, &s->w[n]) >= 0) return;
    s->a[n] = a;
    s->b[n] = b;
    s->count++;
  }
}
