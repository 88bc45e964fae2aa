/* Vectors of integers, lists and sets of them. */
#include "support/oracle/exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void orc_require(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "oracle: %s\n", what);
  abort();
}

void *orc_resize(void *old, size_t count, size_t size) {
  void *p = realloc(old, (count ? count : 1) * size);
  orc_require(p != NULL, "out of memory");
  return p;
}

void orc_mpz_clear(mpz_t *x) { mpz_clear(*x); }

void orc_quat_clear(mpz_t (*q)[4]) { mpz_clears((*q)[0], (*q)[1], (*q)[2], (*q)[3], NULL); }

void orc_z_init(zvec *v) {
  for (int k = 0; k < 3; k++) mpz_init(v->at[k]);
}

void orc_z_clear(zvec *v) {
  for (int k = 0; k < 3; k++) mpz_clear(v->at[k]);
}

void orc_z_set(zvec *out, const zvec *v) {
  for (int k = 0; k < 3; k++) mpz_set(out->at[k], v->at[k]);
}

void orc_z_sub(zvec *out, const zvec *u, const zvec *v) {
  for (int k = 0; k < 3; k++) mpz_sub(out->at[k], u->at[k], v->at[k]);
}

bool orc_z_zero(const zvec *v) { return mpz_sgn(v->at[0]) == 0 && mpz_sgn(v->at[1]) == 0 && mpz_sgn(v->at[2]) == 0; }

bool orc_z_equal(const zvec *u, const zvec *v) {
  return mpz_cmp(u->at[0], v->at[0]) == 0 && mpz_cmp(u->at[1], v->at[1]) == 0 && mpz_cmp(u->at[2], v->at[2]) == 0;
}

void orc_z_dot(mpz_t out, const zvec *u, const zvec *v) {
  mpz_mul(out, u->at[0], v->at[0]);
  mpz_addmul(out, u->at[1], v->at[1]);
  mpz_addmul(out, u->at[2], v->at[2]);
}

void orc_z_cross(zvec *out, const zvec *u, const zvec *v) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    mpz_mul(out->at[k], u->at[i], v->at[j]);
    mpz_submul(out->at[k], u->at[j], v->at[i]);
  }
}

void orc_z_det(mpz_t out, const zvec *u, const zvec *v, const zvec *w) {
  LOCAL_ZVEC(c);
  orc_z_cross(&c, u, v);
  orc_z_dot(out, &c, w);
}

void orc_list_resize(zlist *list, int count) {
  if (count > list->capacity) {
    list->at = orc_resize(list->at, (size_t)count, sizeof *list->at);
    for (int i = list->capacity; i < count; i++) orc_z_init(&list->at[i]);
    list->capacity = count;
  }
  list->count = count;
}

zvec *orc_append(zlist *list) {
  orc_list_resize(list, list->count + 1);
  return &list->at[list->count - 1];
}

void orc_list_clear(zlist *list) {
  for (int i = 0; i < list->capacity; i++) orc_z_clear(&list->at[i]);
  free(list->at);
}

void orc_set_clear(pointset *set) {
  orc_list_clear(&set->a);
  orc_list_clear(&set->b);
  free(set->fa);
  free(set->fb);
}

void orc_set_point(zvec *w, const pointset *set, int i, int j) { orc_z_sub(w, &set->a.at[i], &set->b.at[j]); }

void orc_simplex_init(simplex *s) {
  memset(s, 0, sizeof *s);
  for (int i = 0; i < SIMPLEX_CAPACITY; i++) {
    orc_z_init(&s->w[i]);
    mpz_init(s->weight[i]);
  }
  orc_z_init(&s->v);
  mpz_init(s->total);
}

void orc_simplex_clear(simplex *s) {
  for (int i = 0; i < SIMPLEX_CAPACITY; i++) {
    orc_z_clear(&s->w[i]);
    mpz_clear(s->weight[i]);
  }
  orc_z_clear(&s->v);
  mpz_clear(s->total);
}

void orc_z_combine(simplex *s) {
  mpz_set_ui(s->total, 0);
  for (int k = 0; k < 3; k++) mpz_set_ui(s->v.at[k], 0);
  for (int i = 0; i < s->count; i++) {
    mpz_add(s->total, s->total, s->weight[i]);
    for (int k = 0; k < 3; k++) mpz_addmul(s->v.at[k], s->weight[i], s->w[i].at[k]);
  }
}

/* ---- in doubles */

static long largest_exponent(const zlist *list) {
  long largest = 0;
  for (int i = 0; i < 3 * list->count; i++) {
    mpz_srcptr x = list->at[i / 3].at[i % 3];
    const long bits = mpz_sgn(x) == 0 ? 0 : (long)mpz_sizeinbase(x, 2);
    if (bits > largest) largest = bits;
  }
  return largest;
}

static void round_by(double (*out)[3], const zlist *list, long exponent) {
  for (int i = 0; i < 3 * list->count; i++) {
    signed long e;
    const double m = mpz_get_d_2exp(&e, list->at[i / 3].at[i % 3]);
    out[i / 3][i % 3] = ldexp(m, (int)(e - exponent));
  }
}

void orc_round_list(double (*out)[3], const zlist *list) { round_by(out, list, largest_exponent(list)); }

void orc_round_set(pointset *set) {
  const long a = largest_exponent(&set->a), b = largest_exponent(&set->b);
  set->fa = orc_resize(set->fa, (size_t)set->a.count, sizeof *set->fa);
  set->fb = orc_resize(set->fb, (size_t)set->b.count, sizeof *set->fb);
  round_by(set->fa, &set->a, a > b ? a : b);
  round_by(set->fb, &set->b, a > b ? a : b);
}

double orc_f_dot(const double u[3], const double v[3]) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

void orc_f_cross(double out[3], const double u[3], const double v[3]) {
  for (int k = 0; k < 3; k++) out[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}
