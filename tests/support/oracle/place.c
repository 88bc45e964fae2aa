/* Shapes, poses, linear motions and doubles as exact integers. */
#include "support/oracle/exact.h"

#include <math.h>

int oracle_core_count(const graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: return 1;
  case GRAZE_SEGMENT:
  case GRAZE_CAPSULE: return 2;
  case GRAZE_TRIANGLE: return 3;
  case GRAZE_BOX: return 1 << shape->dim;
  case GRAZE_POLYGON:
  case GRAZE_HULL: return (int)shape->as.hull.count;
  default: return 0;
  }
}

graze_vec oracle_core_vertex(const graze_shape *shape, int i) {
  graze_vec v = {0, 0, 0}, e = shape->as.box.half_extents;
  double end = i ? shape->as.capsule.half_length : -shape->as.capsule.half_length;
  switch (shape->kind) {
  case GRAZE_SEGMENT:
  case GRAZE_TRIANGLE: v = shape->as.triangle.vertices[i]; break;
  case GRAZE_POLYGON:
  case GRAZE_HULL: v = shape->as.hull.vertices[i]; break;
  case GRAZE_CAPSULE: v = shape->dim == 2 ? (graze_vec){end, 0, 0} : (graze_vec){0, 0, end}; break;
  case GRAZE_BOX:
    v = (graze_vec){i & 1 ? e.x : -e.x, i & 2 ? e.y : -e.y, shape->dim == 3 ? (i & 4 ? e.z : -e.z) : 0};
    break;
  default: break;
  }
  return v;
}

void orc_refine_unit(long *unit, double x) {
  if (x == 0) return;
  int e;
  (void)frexp(x, &e);
  if (e - 53 < *unit) *unit = e - 53;
}

void orc_refine_unit_vec(long *unit, graze_vec v) {
  orc_refine_unit(unit, v.x);
  orc_refine_unit(unit, v.y);
  orc_refine_unit(unit, v.z);
}

void orc_z_set_double(mpz_t out, double x, long unit) {
  int e;
  double m = frexp(x, &e);
  mpz_set_d(out, ldexp(m, 53));
  if (x != 0) mpz_mul_2exp(out, out, (mp_bitcnt_t)(e - 53 - unit));
}

void orc_z_set_vec(zvec *out, graze_vec v, long unit) {
  orc_z_set_double(out->at[0], v.x, unit);
  orc_z_set_double(out->at[1], v.y, unit);
  orc_z_set_double(out->at[2], v.z, unit);
}

void orc_refine_shape_unit(long *unit, const graze_shape *s, const graze_pose *pose) {
  for (int i = 0; i < oracle_core_count(s); i++) orc_refine_unit_vec(unit, oracle_core_vertex(s, i));
  orc_refine_unit_vec(unit, pose->position);
  orc_refine_unit(unit, s->margin);
  if (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE) orc_refine_unit(unit, s->as.sphere.radius);
  if (s->kind == GRAZE_HALFSPACE) orc_refine_unit(unit, s->as.halfspace.offset);
}

void orc_add_radii(mpz_t shift, const graze_shape *s, long unit) {
  LOCAL_MPZ(x);
  orc_z_set_double(x, s->margin, unit);
  mpz_add(shift, shift, x);
  if (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE)
    orc_z_set_double(x, s->as.capsule.radius, unit);
  else if (s->kind == GRAZE_HALFSPACE)
    orc_z_set_double(x, s->as.halfspace.offset, unit);
  else
    mpz_set_ui(x, 0);
  mpz_add(shift, shift, x);
}

/* out = p·q, of quaternions; out is neither. */
static void multiply(mpz_t out[4], mpz_t p[4], mpz_t q[4]) {
  static const int other[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  static const int minus[4][4] = {{0, 1, 1, 1}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  for (int k = 0; k < 4; k++) {
    mpz_set_ui(out[k], 0);
    for (int i = 0; i < 4; i++) {
      if (minus[k][i])
        mpz_submul(out[k], p[i], q[other[k][i]]);
      else
        mpz_addmul(out[k], p[i], q[other[k][i]]);
    }
  }
}

/* The quaternion of the pose, turned, as integers with one common factor taken out (R(q) does not see it). */
static void quaternion_of(mpz_t q[4], const graze_pose *pose, mpz_t turn[4]) {
  double part[4] = {pose->w, pose->x, pose->y, pose->z};
  long unit = NO_UNIT;
  LOCAL_QUAT(given);
  LOCAL_MPZ(g);
  for (int k = 0; k < 4; k++) orc_refine_unit(&unit, part[k]);
  for (int k = 0; k < 4; k++) orc_z_set_double(given[k], part[k], unit);
  multiply(q, turn, given);
  for (int k = 0; k < 4; k++) mpz_gcd(g, g, q[k]);
  for (int k = 0; k < 4; k++) mpz_divexact(q[k], q[k], g);
}

/* The rows of M(q) and q·q. */
static void rotation_of(zvec row[3], mpz_t length, const graze_pose *pose, mpz_t turn[4]) {
  LOCAL_QUAT(q);
  LOCAL_MPZ(t);
  quaternion_of(q, pose, turn);
  mpz_set_ui(length, 0);
  for (int k = 0; k < 4; k++) mpz_addmul(length, q[k], q[k]);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    /* diagonal: |q|² - 2 (the two other axes squared); off it: 2 (xi xj ∓ w xk) */
    mpz_mul(t, q[1 + j], q[1 + j]);
    mpz_addmul(t, q[1 + k], q[1 + k]);
    mpz_mul_2exp(t, t, 1);
    mpz_sub(row[i].at[i], length, t);
    mpz_mul(t, q[1 + i], q[1 + j]);
    mpz_submul(t, q[0], q[1 + k]);
    mpz_mul_2exp(row[i].at[j], t, 1);
    mpz_mul(t, q[1 + i], q[1 + j]);
    mpz_addmul(t, q[0], q[1 + k]);
    mpz_mul_2exp(row[j].at[i], t, 1);
  }
}

/* list = factor·(rows · vertex) + add, for every core vertex. */
static void place_core(zlist *list, const graze_shape *shape, zvec row[3], const mpz_t factor, const zvec *add,
                       long unit) {
  LOCAL_ZVEC(v);
  orc_list_resize(list, oracle_core_count(shape));
  for (int i = 0; i < list->count; i++) {
    orc_z_set_vec(&v, oracle_core_vertex(shape, i), unit);
    for (int k = 0; k < 3; k++) {
      orc_z_dot(list->at[i].at[k], &row[k], &v);
      mpz_mul(list->at[i].at[k], list->at[i].at[k], factor);
      if (add) mpz_add(list->at[i].at[k], list->at[i].at[k], add->at[k]);
    }
  }
}

void orc_place_both(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                    const graze_pose *pose_b) {
  LOCAL_ZLIST(row_a);
  LOCAL_ZLIST(row_b);
  LOCAL_ZVEC(pa);
  LOCAL_ZVEC(pb);
  LOCAL_MPZ(na, nb);
  orc_list_resize(&row_a, 3), orc_list_resize(&row_b, 3);
  rotation_of(row_a.at, na, pose_a, o->turn[0]);
  rotation_of(row_b.at, nb, pose_b, o->turn[1]);
  mpz_mul(o->denominator, na, nb);
  orc_z_set_vec(&pa, pose_a->position, o->unit);
  orc_z_set_vec(&pb, pose_b->position, o->unit);
  orc_z_sub(&pa, &pa, &pb);
  for (int k = 0; k < 3; k++) mpz_mul(pa.at[k], pa.at[k], o->denominator);
  place_core(&o->set.a, a, row_a.at, nb, &pa, o->unit);
  place_core(&o->set.b, b, row_b.at, na, NULL, o->unit);
}

/* ---- linear motions: how far A moves, as B sees it, until the beginning and the end */

/* The exponent of the last bit of velocity times time. */
static long product_unit(graze_vec v, double time) {
  long unit_v = NO_UNIT, unit_t = NO_UNIT;
  if (time == 0) return NO_UNIT;
  orc_refine_unit_vec(&unit_v, v);
  orc_refine_unit(&unit_t, time);
  return unit_v == NO_UNIT ? unit_v : unit_v + unit_t;
}

void orc_refine_motion_unit(long *unit, const oracle_motion *m) {
  const graze_vec v[2] = {m->velocity_a, m->velocity_b};
  for (int i = 0; i < 4; i++) {
    long used = product_unit(v[i / 2], i % 2 ? m->from : m->to);
    if (used < *unit) *unit = used;
  }
}

/* out += sign·time·v / 2^unit */
static void add_product(zvec *out, graze_vec v, double time, int sign, long unit) {
  long unit_v = NO_UNIT, unit_t = NO_UNIT;
  if (product_unit(v, time) == NO_UNIT) return;
  LOCAL_ZVEC(scaled);
  LOCAL_MPZ(t);
  orc_refine_unit_vec(&unit_v, v);
  orc_refine_unit(&unit_t, time);
  orc_z_set_vec(&scaled, v, unit_v);
  orc_z_set_double(t, time, unit_t);
  mpz_mul_si(t, t, sign);
  mpz_mul_2exp(t, t, (mp_bitcnt_t)(unit_v + unit_t - unit));
  for (int k = 0; k < 3; k++) mpz_addmul(out->at[k], scaled.at[k], t);
}

void orc_set_motion(oracle *o, const oracle_motion *m) {
  for (int end = 0; end < 2; end++) {
    for (int k = 0; k < 3; k++) mpz_set_ui(o->displacement[end].at[k], 0);
    add_product(&o->displacement[end], m->velocity_a, end ? m->to : m->from, 1, o->unit);
    add_product(&o->displacement[end], m->velocity_b, end ? m->to : m->from, -1, o->unit);
  }
}

void orc_sweep(oracle *o, int sign) {
  zlist *list = &o->set.a;
  int count = list->count;
  bool still = orc_z_equal(&o->displacement[0], &o->displacement[1]);
  LOCAL_MPZ(factor);
  mpz_mul_si(factor, o->denominator, sign);
  orc_list_resize(list, still ? count : 2 * count);
  for (int i = list->count - 1; i >= 0; i--) {
    if (i >= count) orc_z_set(&list->at[i], &list->at[i - count]);
    for (int k = 0; k < 3; k++) mpz_addmul(list->at[i].at[k], o->displacement[i >= count].at[k], factor);
  }
}
