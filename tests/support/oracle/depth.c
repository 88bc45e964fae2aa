/* Exact penetration depths: of all normals that a facet of C can have, the one with the least. */
#include "support/oracle/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Is h(n)/|n| + r <= x, exactly, h the support value of C along n? */
static bool normal_proves(const oracle *o, const zvec *n, double x) {
  LOCAL_MPZ(h, y, t);
  orc_extreme_value(h, &o->set, n, 1);
  mpz_neg(t, o->shift);
  long fine = orc_shifted(y, o, t, x);
  mpz_mul_2exp(h, h, (mp_bitcnt_t)(o->unit - fine));
  int by = mpz_sgn(h) - mpz_sgn(y);
  if (by == 0 && mpz_sgn(h) != 0) { /* of one sign: compare h² with (y·denominator)² n·n */
    int sign = mpz_sgn(h);
    mpz_mul(h, h, h);
    mpz_mul(y, y, o->denominator);
    mpz_mul(y, y, y);
    orc_z_dot(t, n, n);
    mpz_mul(y, y, t);
    by = sign * mpz_cmp(h, y);
  }
  return by <= 0;
}

bool oracle_ends_overlap(const oracle *o, graze_vec direction, double x) {
  long unit = NO_UNIT;
  LOCAL_ZVEC(n);
  orc_refine_unit_vec(&unit, direction);
  orc_z_set_vec(&n, direction, unit);
  return !orc_z_zero(&n) && normal_proves(o, &n, x);
}

/* A vector's direction in doubles: components below 1, each off by at most 2^-53. */
static void round_direction(double out[3], const zvec *v) {
  signed long e[3], most = 0;
  double m[3];
  bool any = false;
  for (int k = 0; k < 3; k++) {
    m[k] = mpz_get_d_2exp(&e[k], v->at[k]);
    if (m[k] == 0 || (any && e[k] <= most)) continue;
    most = e[k];
    any = true;
  }
  for (int k = 0; k < 3; k++) out[k] = m[k] == 0 || e[k] - most < -1000 ? 0 : ldexp(m[k], (int)(e[k] - most));
}

/* A candidate normal: `sign` times a face normal (b < 0), or the product of edges a and b; and where its depth lies. */
typedef struct normal {
  int a, b, sign;
  double low;
} normal;

typedef struct normals {
  const oracle *o;
  const zlist *faces[2];
  double (*edge[2])[3], (*wing[2])[3];
  normal *at;
  int count, capacity;
  double best; /* no less than the least depth */
} normals;

/* Keeps a candidate unless its depth is surely more than the best. With |n| = length, every point of C within 3.5 (the
 * set is scaled) and n off by 2^-50, the quotient is off by less than 2e-14·(1 + 1/length). */
static void consider(normals *c, const double n[3], int a, int b, int sign) {
  const pointset *set = &c->o->set;
  double length = sqrt(orc_f_dot(n, n)), most_a = -INFINITY, least_b = INFINITY, low = -INFINITY;
  if (length > 1e-10) {
    for (int i = 0; i < set->a.count; i++) most_a = fmax(most_a, sign * orc_f_dot(n, set->fa[i]));
    for (int j = 0; j < set->b.count; j++) least_b = fmin(least_b, sign * orc_f_dot(n, set->fb[j]));
    double depth = (most_a - least_b) / length, off = 2e-14 * (1 + 1 / length);
    low = depth - off;
    c->best = fmin(c->best, depth + off);
  }
  if (low > c->best) return;
  if (c->count == c->capacity) c->at = orc_resize(c->at, (size_t)(c->capacity = 2 * c->capacity + 64), sizeof *c->at);
  c->at[c->count++] = (normal){a, b, sign, low};
}

/* May the edge with these wings support its body along n? The product of rounded edges is off by 2^-50. */
static bool may_support(double wing[2][3], const double n[3], int sign) {
  return sign * orc_f_dot(n, wing[0]) <= 1e-14 && sign * orc_f_dot(n, wing[1]) <= 1e-14;
}

static void consider_edges(normals *c) {
  for (int i = 0; i < c->o->of_a.edge.count; i++)
    for (int j = 0; j < c->o->of_b.edge.count; j++) {
      double n[3];
      orc_f_cross(n, c->edge[0][i], c->edge[1][j]);
      for (int sign = -1; sign <= 1; sign += 2)
        if (may_support(&c->wing[0][2 * i], n, sign) && may_support(&c->wing[1][2 * j], n, -sign))
          consider(c, n, i, j, sign);
    }
}

static void consider_faces(normals *c) {
  for (int body = 0; body < 2; body++)
    for (int i = 0; i < c->faces[body]->count; i++) {
      double n[3];
      round_direction(n, &c->faces[body]->at[i]);
      for (int sign = -1; sign <= 1; sign += 2) consider(c, n, i, body - 2, sign);
    }
}

static void normals_init(normals *c, const oracle *o) {
  const features *of[2] = {&o->of_a, &o->of_b};
  memset(c, 0, sizeof *c);
  c->o = o;
  c->best = INFINITY;
  for (int body = 0; body < 2; body++) {
    c->faces[body] = &of[body]->normal;
    c->edge[body] = orc_resize(NULL, (size_t)of[body]->edge.count, sizeof *c->edge[body]);
    c->wing[body] = orc_resize(NULL, (size_t)of[body]->wing.count, sizeof *c->wing[body]);
    for (int i = 0; i < of[body]->edge.count; i++) round_direction(c->edge[body][i], &of[body]->edge.at[i]);
    for (int i = 0; i < of[body]->wing.count; i++) round_direction(c->wing[body][i], &of[body]->wing.at[i]);
  }
}

static void normals_clear(normals *c) {
  for (int body = 0; body < 2; body++) {
    free(c->edge[body]);
    free(c->wing[body]);
  }
  free(c->at);
}

static void exact_normal(zvec *n, const normals *c, const normal *which) {
  LOCAL_MPZ(g);
  if (which->b < 0)
    orc_z_set(n, &c->faces[which->b + 2]->at[which->a]);
  else
    orc_z_cross(n, &c->o->of_a.edge.at[which->a], &c->o->of_b.edge.at[which->b]);
  for (int k = 0; k < 3; k++) mpz_gcd(g, g, n->at[k]);
  for (int k = 0; k < 3 && mpz_sgn(g) > 0; k++) {
    mpz_divexact(n->at[k], n->at[k], g);
    if (which->sign < 0) mpz_neg(n->at[k], n->at[k]);
  }
}

/* Takes the candidate if its h²/n·n is the least so far. */
static void update_least(oracle *o, const zvec *n) {
  LOCAL_MPZ(h, nn, left, right);
  orc_extreme_value(h, &o->set, n, 1);
  orc_require(mpz_sgn(h) >= 0, "the cores meet, but a direction separates them");
  mpz_mul(h, h, h);
  orc_z_dot(nn, n, n);
  mpz_mul(left, h, o->divisor);
  mpz_mul(right, o->square, nn);
  if (!orc_z_zero(&o->deepest) && mpz_cmp(left, right) >= 0) return;
  mpz_set(o->square, h);
  mpz_set(o->divisor, nn);
  orc_z_set(&o->deepest, n);
}

/* C is a point or lies on a line, so it has no facets: the direction is any perpendicular. */
static void set_perpendicular(oracle *o) {
  const zlist *edge = o->of_a.edge.count ? &o->of_a.edge : &o->of_b.edge;
  LOCAL_ZVEC(axis);
  mpz_set_ui(o->deepest.at[0], 1);
  for (int k = 0; k < o->dim && edge->count > 0; k++) {
    mpz_set_ui(axis.at[o->dim == 2 ? 2 : k], 1);
    orc_z_cross(&o->deepest, &edge->at[0], &axis);
    if (!orc_z_zero(&o->deepest)) return;
    mpz_set_ui(axis.at[k], 0);
  }
}

void orc_depth(oracle *o) {
  normals c;
  LOCAL_ZVEC(n);
  orc_features(&o->of_a, &o->set.a, o->dim);
  orc_features(&o->of_b, &o->set.b, o->dim);
  normals_init(&c, o);
  consider_faces(&c);
  if (o->dim == 3) consider_edges(&c);
  mpz_set_ui(o->square, 0);
  mpz_set_ui(o->divisor, 1);
  orc_z_set(&o->deepest, &n);
  for (int i = 0; i < c.count; i++) {
    if (c.at[i].low > c.best) continue;
    exact_normal(&n, &c, &c.at[i]);
    if (!orc_z_zero(&n)) update_least(o, &n);
  }
  normals_clear(&c);
  if (orc_z_zero(&o->deepest)) set_perpendicular(o);
  o->sign = -mpz_sgn(o->square);
  mpz_mul(o->divisor, o->divisor, o->denominator);
  mpz_mul(o->divisor, o->divisor, o->denominator);
}
