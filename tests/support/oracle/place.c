/* Shapes, poses and doubles as exact integers. */
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
  case GRAZE_HULL: return (int)shape->vertex_count;
  default: return 0;
  }
}

graze_vec oracle_core_vertex(const graze_shape *shape, int i) {
  graze_vec v = {0, 0, 0}, e = shape->extents;
  double end = i ? shape->half_length : -shape->half_length;
  switch (shape->kind) {
  case GRAZE_SEGMENT:
  case GRAZE_TRIANGLE: v = shape->corners[i]; break;
  case GRAZE_POLYGON:
  case GRAZE_HULL: v = shape->vertices[i]; break;
  case GRAZE_CAPSULE: v = shape->dim == 2 ? (graze_vec){end, 0, 0} : (graze_vec){0, 0, end}; break;
  case GRAZE_BOX:
    v = (graze_vec){i & 1 ? e.x : -e.x, i & 2 ? e.y : -e.y, shape->dim == 3 ? (i & 4 ? e.z : -e.z) : 0};
    break;
  default: break;
  }
  return v;
}

/* The exponent of the last bit of x, lowered into *unit. */
void orc_take_unit(long *unit, double x) {
  if (x == 0) return;
  int e;
  (void)frexp(x, &e);
  if (e - 53 < *unit) *unit = e - 53;
}

void orc_take_unit_vec(long *unit, graze_vec v) {
  orc_take_unit(unit, v.x);
  orc_take_unit(unit, v.y);
  orc_take_unit(unit, v.z);
}

/* out = x / 2^unit, which must be whole. */
void orc_put(mpz_t out, double x, long unit) {
  int e;
  double m = frexp(x, &e);
  mpz_set_d(out, ldexp(m, 53));
  if (x != 0) mpz_mul_2exp(out, out, (mp_bitcnt_t)(e - 53 - unit));
}

void orc_put_vec(zvec *out, graze_vec v, long unit) {
  orc_put(out->at[0], v.x, unit);
  orc_put(out->at[1], v.y, unit);
  orc_put(out->at[2], v.z, unit);
}

void orc_take_shape_unit(long *unit, const graze_shape *s, const graze_pose *pose) {
  for (int i = 0; i < oracle_core_count(s); i++) orc_take_unit_vec(unit, oracle_core_vertex(s, i));
  orc_take_unit_vec(unit, pose->position);
  orc_take_unit(unit, s->margin);
  if (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE) orc_take_unit(unit, s->radius);
  if (s->kind == GRAZE_HALFSPACE) orc_take_unit(unit, s->offset);
}

/* shift += every radius of the shape (and the offset of a half-space). */
void orc_add_radii(mpz_t shift, const graze_shape *s, long unit) {
  mpz_t x;
  mpz_init(x);
  orc_put(x, s->margin, unit);
  mpz_add(shift, shift, x);
  if (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE)
    orc_put(x, s->radius, unit);
  else if (s->kind == GRAZE_HALFSPACE)
    orc_put(x, s->offset, unit);
  else
    mpz_set_ui(x, 0);
  mpz_add(shift, shift, x);
  mpz_clear(x);
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
  long unit = 1 << 20;
  mpz_t given[4], g;
  mpz_init(g);
  for (int k = 0; k < 4; k++) orc_take_unit(&unit, part[k]);
  for (int k = 0; k < 4; k++) {
    mpz_init(given[k]);
    orc_put(given[k], part[k], unit);
  }
  multiply(q, turn, given);
  for (int k = 0; k < 4; k++) mpz_gcd(g, g, q[k]);
  for (int k = 0; k < 4; k++) mpz_divexact(q[k], q[k], g);
  for (int k = 0; k < 4; k++) mpz_clear(given[k]);
  mpz_clear(g);
}

/* The rows of M(q) and q·q. */
static void rotation_of(zvec row[3], mpz_t length, const graze_pose *pose, mpz_t turn[4]) {
  mpz_t q[4], t;
  mpz_init(t);
  for (int k = 0; k < 4; k++) mpz_init(q[k]);
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
  for (int k = 0; k < 4; k++) mpz_clear(q[k]);
  mpz_clear(t);
}

/* list = factor·(rows · vertex) + add, for every core vertex. */
static void place_core(zlist *list, const graze_shape *shape, zvec row[3], const mpz_t factor, const zvec *add,
                       long unit) {
  zvec v;
  orc_z_init(&v);
  orc_list_resize(list, oracle_core_count(shape));
  for (int i = 0; i < list->count; i++) {
    orc_put_vec(&v, oracle_core_vertex(shape, i), unit);
    for (int k = 0; k < 3; k++) {
      orc_z_dot(list->at[i].at[k], &row[k], &v);
      mpz_mul(list->at[i].at[k], list->at[i].at[k], factor);
      if (add) mpz_add(list->at[i].at[k], list->at[i].at[k], add->at[k]);
    }
  }
  orc_z_clear(&v);
}

/* Both cores in one frame, cleared of denominators: a_i - b_j = denominator·(w / 2^unit). */
void orc_place_both(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                    const graze_pose *pose_b) {
  zvec row_a[3], row_b[3], pa, pb;
  mpz_t na, nb;
  mpz_inits(na, nb, NULL);
  orc_z_init(&pa);
  orc_z_init(&pb);
  for (int k = 0; k < 3; k++) {
    orc_z_init(&row_a[k]);
    orc_z_init(&row_b[k]);
  }
  rotation_of(row_a, na, pose_a, o->turn[0]);
  rotation_of(row_b, nb, pose_b, o->turn[1]);
  mpz_mul(o->denominator, na, nb);
  orc_put_vec(&pa, pose_a->position, o->unit);
  orc_put_vec(&pb, pose_b->position, o->unit);
  orc_z_sub(&pa, &pa, &pb);
  for (int k = 0; k < 3; k++) mpz_mul(pa.at[k], pa.at[k], o->denominator);
  place_core(&o->set.a, a, row_a, nb, &pa, o->unit);
  place_core(&o->set.b, b, row_b, na, NULL, o->unit);
  for (int k = 0; k < 3; k++) {
    orc_z_clear(&row_a[k]);
    orc_z_clear(&row_b[k]);
  }
  orc_z_clear(&pa);
  orc_z_clear(&pb);
  mpz_clears(na, nb, NULL);
}
