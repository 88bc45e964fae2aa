/* Linear motions as exact integers: of two bodies, how far A moves, as B sees it, until the beginning and the end. */
#include "support/oracle/exact.h"

/* The exponent of the last bit of velocity times time. */
static long product_unit(graze_vec v, double time) {
  long unit_v = 1 << 20, unit_t = 1 << 20;
  if (time == 0) return 1 << 20;
  orc_take_unit_vec(&unit_v, v);
  orc_take_unit(&unit_t, time);
  return unit_v == 1 << 20 ? unit_v : unit_v + unit_t;
}

void orc_take_motion_unit(long *unit, const oracle_motion *m) {
  const graze_vec v[2] = {m->velocity_a, m->velocity_b};
  for (int i = 0; i < 4; i++) {
    long used = product_unit(v[i / 2], i % 2 ? m->from : m->to);
    if (used < *unit) *unit = used;
  }
}

/* out += sign·time·v / 2^unit */
static void add_product(zvec *out, graze_vec v, double time, int sign, long unit) {
  long unit_v = 1 << 20, unit_t = 1 << 20;
  zvec scaled;
  mpz_t t;
  if (product_unit(v, time) == 1 << 20) return;
  orc_z_init(&scaled);
  mpz_init(t);
  orc_take_unit_vec(&unit_v, v);
  orc_take_unit(&unit_t, time);
  orc_put_vec(&scaled, v, unit_v);
  orc_put(t, time, unit_t);
  mpz_mul_si(t, t, sign);
  mpz_mul_2exp(t, t, (mp_bitcnt_t)(unit_v + unit_t - unit));
  for (int k = 0; k < 3; k++) mpz_addmul(out->at[k], scaled.at[k], t);
  orc_z_clear(&scaled);
  mpz_clear(t);
}

void orc_put_motion(oracle *o, const oracle_motion *m) {
  for (int end = 0; end < 2; end++) {
    for (int k = 0; k < 3; k++) mpz_set_ui(o->way[end].at[k], 0);
    add_product(&o->way[end], m->velocity_a, end ? m->to : m->from, 1, o->unit);
    add_product(&o->way[end], m->velocity_b, end ? m->to : m->from, -1, o->unit);
  }
}

void orc_sweep(oracle *o, int sign) {
  zlist *list = &o->set.a;
  int count = list->count;
  bool still = orc_z_equal(&o->way[0], &o->way[1]);
  mpz_t factor;
  mpz_init(factor);
  mpz_mul_si(factor, o->denominator, sign);
  orc_list_resize(list, still ? count : 2 * count);
  for (int i = list->count - 1; i >= 0; i--) {
    if (i >= count) orc_z_set(&list->at[i], &list->at[i - count]);
    for (int k = 0; k < 3; k++) mpz_addmul(list->at[i].at[k], o->way[i >= count].at[k], factor);
  }
  mpz_clear(factor);
}
