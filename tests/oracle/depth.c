/* Exact proofs of penetration depths. */
#include "oracle/exact.h"

#include <math.h>
#include <stdlib.h>

/* Is h(n)/|n| + r <= x, exactly, h the support value of C along n? */
static bool normal_proves(const oracle *o, const zvec *n, double x) {
  mpz_t h, y, t;
  mpz_inits(h, y, t, NULL);
  orc_extreme_value(h, &o->set, n, 1);
  mpz_neg(t, o->shift);
  long fine = orc_shifted(y, o, t, x);
  mpz_mul_2exp(h, h, (mp_bitcnt_t)(o->unit - fine));
  bool ok = mpz_sgn(y) >= 0;
  if (ok && mpz_sgn(h) > 0) { /* h² <= (y·denominator)² n·n */
    mpz_mul(h, h, h);
    mpz_mul(y, y, o->denominator);
    mpz_mul(y, y, y);
    orc_z_dot(t, n, n);
    mpz_mul(y, y, t);
    ok = mpz_cmp(h, y) <= 0;
  }
  mpz_clears(h, y, t, NULL);
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
          else if (rough <= best + 1e-9 * fabs(best))
            ok = candidate_proves(&c, i, j, sign, x);
        }
  free(f);
  orc_list_clear(&edge);
  return ok;
}
