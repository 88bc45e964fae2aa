/* Exact proofs of penetration depths. */
#include "support/oracle/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Is h(n)/|n| + r <= x, exactly, h the support value of C along n? */
static bool normal_proves(const oracle *o, const zvec *n, double x) {
  mpz_t h, y, t;
  mpz_inits(h, y, t, NULL);
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
  mpz_clears(h, y, t, NULL);
  return by <= 0;
}

bool oracle_ends_overlap(const oracle *o, graze_vec direction, double x) {
  long unit = 1 << 20;
  zvec n;
  orc_z_init(&n);
  orc_take_unit_vec(&unit, direction);
  orc_put_vec(&n, direction, unit);
  bool ok = !orc_z_zero(&n) && normal_proves(o, &n, x);
  orc_z_clear(&n);
  return ok;
}

/* All differences of two vertices of one shape: exactly, and in doubles. */
static int differences(zlist *out, const pointset *set) {
  int na = set->a.count, nb = set->b.count, n = 0;
  orc_list_resize(out, na * (na - 1) / 2 + nb * (nb - 1) / 2);
  for (int i = 0; i < na; i++)
    for (int j = 0; j < i; j++) orc_z_sub(&out->at[n++], &set->a.at[i], &set->a.at[j]);
  for (int i = 0; i < nb; i++)
    for (int j = 0; j < i; j++) orc_z_sub(&out->at[n++], &set->b.at[i], &set->b.at[j]);
  return n;
}

/* h(n)/|n| in doubles; infinite for a normal too short to trust. */
static double rough_depth(const pointset *set, const double n[3], double size) {
  double length = sqrt(orc_f_dot(n, n)), most_a = -INFINITY, least_b = INFINITY;
  if (!(length > 1e-14 * size)) return INFINITY;
  for (int i = 0; i < set->a.count; i++) most_a = fmax(most_a, orc_f_dot(n, set->fa[i]));
  for (int j = 0; j < set->b.count; j++) least_b = fmin(least_b, orc_f_dot(n, set->fb[j]));
  return (most_a - least_b) / length;
}

/* One candidate normal: n = ±(e × f); its rough depth, or, when `exact`, whether it proves the depth. */
typedef struct candidate {
  const oracle *o;
  const zlist *edge;
  double (*f)[3];
} candidate;

static double candidate_rough(const candidate *c, int i, int j, int sign) {
  double n[3], e[3], up[3] = {0, 0, 1};
  const double *other = c->o->dim == 2 ? up : c->f[j];
  orc_f_cross(n, c->f[i], other);
  for (int k = 0; k < 3; k++) e[k] = sign * n[k];
  return rough_depth(&c->o->set, e, sqrt(orc_f_dot(c->f[i], c->f[i]) * orc_f_dot(other, other)));
}

static bool candidate_proves(const candidate *c, int i, int j, int sign, double x) {
  zvec n, up;
  orc_z_init(&n);
  orc_z_init(&up);
  mpz_set_si(up.at[2], 1);
  orc_z_cross(&n, &c->edge->at[i], c->o->dim == 2 ? &up : &c->edge->at[j]);
  for (int k = 0; k < 3 && sign < 0; k++) mpz_neg(n.at[k], n.at[k]);
  bool ok = !orc_z_zero(&n) && normal_proves(c->o, &n, x);
  orc_z_clear(&n);
  orc_z_clear(&up);
  return ok;
}

bool oracle_depth_at_most(oracle *o, double x) {
  if (!orc_interior(o)) return normal_proves(o, &o->touch, x); /* flat, or on the boundary: the cores are 0 deep */
  zlist edge = {0};
  int count = differences(&edge, &o->set);
  orc_round_set(&o->set);
  double(*f)[3] = orc_room_for(NULL, (size_t)count, sizeof *f), best = INFINITY;
  orc_round_list(f, &edge, orc_largest_exponent(&edge, 0));
  candidate c = {o, &edge, f};
  bool ok = false;
  for (int pass = 0; pass < 2 && !ok; pass++)
    for (int i = 0; i < count && !ok; i++)
      for (int j = 0; j < (o->dim == 2 ? 1 : i) && !ok; j++)
        for (int sign = -1; sign <= 1 && !ok; sign += 2) {
          double rough = candidate_rough(&c, i, j, sign);
          if (pass == 0)
            best = fmin(best, rough);
          else if (rough <= best + 1e-9 * fabs(best) + 1e-12)
            ok = candidate_proves(&c, i, j, sign, x);
        }
  free(f);
  orc_list_clear(&edge);
  return ok;
}

/* ---- the depth itself: every normal that a facet of C can have */

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
  int count, room;
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
  if (c->count == c->room) c->at = orc_room_for(c->at, (size_t)(c->room = 2 * c->room + 64), sizeof *c->at);
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
      if (i + 1 == c->o->forgotten_edge) continue;
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
    c->edge[body] = orc_room_for(NULL, (size_t)of[body]->edge.count, sizeof *c->edge[body]);
    c->wing[body] = orc_room_for(NULL, (size_t)of[body]->wing.count, sizeof *c->wing[body]);
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
  mpz_t g;
  mpz_init(g);
  if (which->b < 0)
    orc_z_set(n, &c->faces[which->b + 2]->at[which->a]);
  else
    orc_z_cross(n, &c->o->of_a.edge.at[which->a], &c->o->of_b.edge.at[which->b]);
  for (int k = 0; k < 3; k++) mpz_gcd(g, g, n->at[k]);
  for (int k = 0; k < 3 && mpz_sgn(g) > 0; k++) {
    mpz_divexact(n->at[k], n->at[k], g);
    if (which->sign < 0) mpz_neg(n->at[k], n->at[k]);
  }
  mpz_clear(g);
}

/* Takes the candidate if its h²/n·n is the least so far. */
static void take_least(oracle *o, const zvec *n, bool first) {
  mpz_t h, nn, left, right;
  mpz_inits(h, nn, left, right, NULL);
  orc_extreme_value(h, &o->set, n, 1);
  orc_require(mpz_sgn(h) >= 0, "the cores meet, but a direction separates them");
  mpz_mul(h, h, h);
  orc_z_dot(nn, n, n);
  mpz_mul(left, h, o->divisor);
  mpz_mul(right, o->square, nn);
  if (first || mpz_cmp(left, right) < 0) {
    mpz_set(o->square, h);
    mpz_set(o->divisor, nn);
    orc_z_set(&o->deepest, n);
  }
  mpz_clears(h, nn, left, right, NULL);
}

bool orc_depth(oracle *o) {
  normals c;
  zvec n;
  orc_z_init(&n);
  orc_features(&o->of_a, &o->set.a, o->dim);
  orc_features(&o->of_b, &o->set.b, o->dim);
  orc_round_set(&o->set);
  normals_init(&c, o);
  consider_faces(&c);
  if (o->dim == 3) consider_edges(&c);
  o->candidates = 0;
  mpz_set_ui(o->square, 0);
  mpz_set_ui(o->divisor, 1);
  for (int i = 0; i < c.count; i++) {
    if (c.at[i].low > c.best) continue;
    exact_normal(&n, &c, &c.at[i]);
    if (!orc_z_zero(&n)) take_least(o, &n, o->candidates++ == 0);
  }
  o->sign = -mpz_sgn(o->square);
  mpz_mul(o->divisor, o->divisor, o->denominator);
  mpz_mul(o->divisor, o->divisor, o->denominator);
  normals_clear(&c);
  orc_z_clear(&n);
  return o->sign != 0;
}
