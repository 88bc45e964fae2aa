/* The exact truth about two placed polytopal shapes. Each truth is proved by the checks below. */
#include "support/oracle/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the proofs */

void orc_extreme_value(mpz_t extreme, const pointset *set, const zvec *d, int which) {
  LOCAL_MPZ(x, best_a, best_b);
  for (int i = 0; i < set->a.count; i++) {
    orc_z_dot(x, d, &set->a.at[i]);
    if (i == 0 || mpz_cmp(x, best_a) * which > 0) mpz_set(best_a, x);
  }
  for (int j = 0; j < set->b.count; j++) {
    orc_z_dot(x, d, &set->b.at[j]);
    if (j == 0 || mpz_cmp(x, best_b) * which < 0) mpz_set(best_b, x);
  }
  mpz_sub(extreme, best_a, best_b);
}

/* v is a convex combination of points of C, and no point of C lies nearer along it. */
static void prove_nearest(oracle *o) {
  simplex *s = &o->nearest;
  LOCAL_MPZ(least, square);
  for (int i = 0; i < s->count; i++) {
    orc_require(mpz_sgn(s->weight[i]) >= 0, "negative weight");
    orc_set_point(&s->w[i], &o->set, s->a[i], s->b[i]);
  }
  orc_z_combine(s);
  orc_require(mpz_sgn(s->total) > 0, "no weight");
  orc_extreme_value(least, &o->set, &s->v, -1);
  mpz_mul(least, least, s->total);
  orc_z_dot(square, &s->v, &s->v);
  orc_require(mpz_cmp(least, square) >= 0, "the nearest point is not proved");
}

/* v = 0, and no weight is: the origin is strictly inside points that span the space. */
static bool is_simplex_about_origin(const oracle *o) {
  const simplex *s = &o->nearest;
  const int last = s->count - 1;
  LOCAL_ZVEC(u);
  LOCAL_ZVEC(v);
  LOCAL_ZVEC(w);
  LOCAL_MPZ(volume);
  if (s->count != o->dim + 1) return false;
  mpz_set_ui(w.at[2], 1);
  orc_z_sub(&u, &s->w[1], &s->w[0]);
  orc_z_sub(&v, &s->w[2], &s->w[0]);
  if (o->dim == 3) orc_z_sub(&w, &s->w[3], &s->w[0]);
  orc_z_det(volume, &u, &v, &w);
  bool inside = mpz_sgn(volume) != 0;
  for (int i = 0; i <= last; i++) inside = inside && mpz_sgn(s->weight[i]) > 0;
  return inside;
}

/* If the depth is 0, the direction of least depth separates weakly. */
static void prove_touch(const oracle *o) {
  LOCAL_MPZ(most);
  orc_require(!orc_z_zero(&o->deepest) && (o->dim == 3 || mpz_sgn(o->deepest.at[2]) == 0), "no touching direction");
  orc_extreme_value(most, &o->set, &o->deepest, 1);
  orc_require(mpz_sgn(most) <= 0, "the touching direction does not separate weakly");
}

/* ---- queries */

oracle *oracle_new(void) {
  oracle *o = orc_resize(NULL, 1, sizeof *o);
  memset(o, 0, sizeof *o);
  orc_simplex_init(&o->nearest);
  orc_z_init(&o->deepest);
  orc_z_init(&o->displacement[0]);
  orc_z_init(&o->displacement[1]);
  mpz_inits(o->denominator, o->square, o->divisor, o->shift, NULL);
  for (int k = 0; k < 8; k++) mpz_init(o->turn[k / 4][k % 4]);
  orc_turn_none(o);
  return o;
}

void oracle_free(oracle *o) {
  if (!o) return;
  orc_set_clear(&o->set);
  orc_simplex_clear(&o->nearest);
  orc_z_clear(&o->deepest);
  orc_z_clear(&o->displacement[0]);
  orc_z_clear(&o->displacement[1]);
  zlist *const lists[] = {&o->of_a.normal, &o->of_a.edge, &o->of_a.wing, &o->of_b.normal, &o->of_b.edge, &o->of_b.wing};
  for (int i = 0; i < 6; i++) orc_list_clear(lists[i]);
  mpz_clears(o->denominator, o->square, o->divisor, o->shift, NULL);
  for (int k = 0; k < 8; k++) mpz_clear(o->turn[k / 4][k % 4]);
  free(o);
}

static graze_relation relation_of_sign(int sign) {
  return sign > 0 ? GRAZE_SEPARATED : sign == 0 ? GRAZE_TOUCHING : GRAZE_OVERLAPPING;
}

static void solve_polytopes(oracle *o) {
  simplex *s = &o->nearest;
  orc_solve_nearest(s, &o->set);
  prove_nearest(o);
  o->meet = orc_z_zero(&s->v);
  orc_z_dot(o->square, &s->v, &s->v);
  mpz_mul(o->divisor, s->total, o->denominator);
  mpz_mul(o->divisor, o->divisor, o->divisor);
  if (!o->meet) {
    o->sign = 1;
  } else if (o->moves && !orc_z_equal(&o->displacement[0], &o->displacement[1]) && is_simplex_about_origin(o)) {
    o->sign = -1;
  } else {
    orc_depth(o);
    if (o->sign == 0) prove_touch(o);
  }
  o->relation = relation_of_sign(oracle_compare(o, 0));
}

/* With A the half-space: distance = min over x of (R n)·(x - p) / |n| - offset - r. */
static void solve_halfspace(oracle *o, const graze_shape *plane, const graze_pose *pose, const graze_shape *body,
                            const graze_pose *pose_body, int sign) {
  const graze_shape point = {.kind = GRAZE_POINT, .dim = 3};
  const graze_pose still = {{0, 0, 0}, 1, 0, 0, 0};
  graze_shape tip = {.kind = GRAZE_SEGMENT, .dim = 3};
  graze_pose turn = *pose;
  LOCAL_ZVEC(normal);
  LOCAL_MPZ(least);
  orc_place_both(o, body, pose_body, &point, pose);
  if (o->moves) orc_sweep(o, sign);
  /* the placed normal, at any scale, as the difference of a placed segment's ends */
  oracle *other = oracle_new();
  other->unit = NO_UNIT;
  orc_refine_unit_vec(&other->unit, plane->as.box.half_extents);
  tip.as.triangle.vertices[1] = plane->as.box.half_extents;
  turn.position = still.position;
  orc_place_both(other, &tip, &turn, &point, &still);
  orc_z_sub(&normal, &other->set.a.at[1], &other->set.a.at[0]);
  oracle_free(other);
  orc_extreme_value(least, &o->set, &normal, -1);
  o->sign = mpz_sgn(least);
  mpz_mul(o->square, least, least);
  orc_z_dot(o->divisor, &normal, &normal);
  mpz_mul(o->divisor, o->divisor, o->denominator);
  mpz_mul(o->divisor, o->divisor, o->denominator);
  o->meet = false;
  o->relation = relation_of_sign(oracle_compare(o, 0));
}

static bool solve_any(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                      const graze_pose *pose_b, double clearance, const oracle_motion *motion) {
  bool plane_a = a->kind == GRAZE_HALFSPACE, plane_b = b->kind == GRAZE_HALFSPACE;
  if (!(plane_a || oracle_core_count(a)) || !(plane_b || oracle_core_count(b)) || (plane_a && plane_b)) return false;
  o->dim = a->dim;
  o->unit = NO_UNIT;
  o->moves = motion != NULL;
  if (motion) orc_refine_motion_unit(&o->unit, motion);
  orc_refine_unit(&o->unit, clearance);
  orc_refine_shape_unit(&o->unit, a, pose_a);
  orc_refine_shape_unit(&o->unit, b, pose_b);
  orc_z_set_double(o->shift, clearance, o->unit);
  orc_add_radii(o->shift, a, o->unit);
  orc_add_radii(o->shift, b, o->unit);
  if (motion) orc_set_motion(o, motion);
  if (plane_a)
    solve_halfspace(o, a, pose_a, b, pose_b, -1);
  else if (plane_b)
    solve_halfspace(o, b, pose_b, a, pose_a, 1);
  else {
    orc_place_both(o, a, pose_a, b, pose_b);
    if (motion) orc_sweep(o, 1);
    solve_polytopes(o);
  }
  return true;
}

bool oracle_solve_moving(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                         const graze_pose *pose_b, double clearance, const oracle_motion *motion) {
  orc_turn_none(o);
  return solve_any(o, a, pose_a, b, pose_b, clearance, motion);
}

bool oracle_solve_turning(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                          const graze_pose *pose_b, double clearance, const oracle_turning *m) {
  const oracle_motion displacement = {m->a.velocity, m->b.velocity, m->t, m->t};
  bool plane = a->kind == GRAZE_HALFSPACE;
  orc_turn_none(o);
  o->blur = m->t == 0 ? 0 : orc_turn_blur(a, m->a.angular) + orc_turn_blur(b, m->b.angular);
  orc_turn(o->turn[0], plane ? m->b.angular : m->a.angular, m->t);
  if (!plane && b->kind != GRAZE_HALFSPACE) orc_turn(o->turn[1], m->b.angular, m->t);
  return solve_any(o, a, pose_a, b, pose_b, clearance, &displacement);
}

bool oracle_solve(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                  const graze_pose *pose_b, double clearance) {
  return oracle_solve_moving(o, a, pose_a, b, pose_b, clearance, NULL);
}

graze_relation oracle_relation(const oracle *o) { return o->relation; }

bool oracle_cores_meet(const oracle *o) { return o->meet; }

long orc_shifted(mpz_t out, const oracle *o, const mpz_t shift, double x) {
  long fine = o->unit;
  LOCAL_MPZ(t);
  orc_refine_unit(&fine, x);
  orc_z_set_double(out, x, fine);
  mpz_mul_2exp(t, shift, (mp_bitcnt_t)(o->unit - fine));
  mpz_add(out, out, t);
  return fine;
}

int oracle_compare(const oracle *o, double x) {
  if (isinf(x)) return x > 0 ? -1 : 1;
  LOCAL_MPZ(y, left, right);
  long fine = orc_shifted(y, o, o->shift, x);
  int result = o->sign - mpz_sgn(y);
  if (result == 0 && o->sign != 0) { /* both sides of one sign: compare the squares */
    mpz_mul_2exp(left, o->square, 2 * (mp_bitcnt_t)(o->unit - fine));
    mpz_mul(right, y, y);
    mpz_mul(right, right, o->divisor);
    result = mpz_cmp(left, right) * o->sign;
  }
  return (result > 0) - (result < 0);
}

static double outward(double x, double blur, double sign) {
  return blur > 0 ? nextafter(x + sign * blur, sign * INFINITY) : x;
}

int oracle_surely(const oracle *o, double x) {
  if (oracle_compare(o, outward(x, o->blur, 1)) > 0) return 1;
  return oracle_compare(o, outward(x, o->blur, -1)) < 0 ? -1 : 0;
}

bool oracle_surely_separates(const oracle *o, graze_vec direction, double x) {
  return oracle_ends_overlap(o, direction, -outward(x, o->blur, 1));
}

/* sign·sqrt(square / divisor) - shift, in the caller's unit. */
static double rounded_distance(const oracle *o, const mpz_t shift) {
  LOCAL_MPZ(root, t);
  long gap = ((long)mpz_sizeinbase(o->divisor, 2) - (long)mpz_sizeinbase(o->square, 2)) / 2;
  long bits = 400 + (gap > 0 ? gap : 0);
  mpz_mul_2exp(root, o->square, 2 * (mp_bitcnt_t)bits);
  mpz_tdiv_q(root, root, o->divisor);
  mpz_sqrt(root, root);
  if (o->sign < 0) mpz_neg(root, root);
  mpz_mul_2exp(t, shift, (mp_bitcnt_t)bits);
  mpz_sub(root, root, t);
  signed long e;
  double m = mpz_get_d_2exp(&e, root);
  return ldexp(m, (int)(e + o->unit - bits));
}

double oracle_distance(const oracle *o) { return o->relation == GRAZE_TOUCHING ? 0 : rounded_distance(o, o->shift); }

double oracle_core_distance(const oracle *o) {
  LOCAL_MPZ(none);
  return rounded_distance(o, none);
}

int oracle_nearest(const oracle *o, int pair_a[4], int pair_b[4], double weight[4]) {
  const simplex *s = &o->nearest;
  mpq_t q;
  mpq_init(q);
  for (int i = 0; i < s->count; i++) {
    pair_a[i] = s->a[i];
    pair_b[i] = s->b[i];
    mpz_set(mpq_numref(q), s->weight[i]);
    mpz_set(mpq_denref(q), s->total);
    mpq_canonicalize(q);
    weight[i] = mpq_get_d(q);
  }
  mpq_clear(q);
  return s->count;
}

graze_vec oracle_normal(const oracle *o) {
  double x[3];
  signed long e[3], most = -(1L << 30);
  for (int k = 0; k < 3; k++) {
    x[k] = o->meet ? mpz_get_d_2exp(&e[k], o->deepest.at[k]) : -mpz_get_d_2exp(&e[k], o->nearest.v.at[k]);
    if (x[k] != 0 && e[k] > most) most = e[k];
  }
  for (int k = 0; k < 3; k++) x[k] = x[k] == 0 ? 0 : ldexp(x[k], (int)(e[k] - most));
  double length = sqrt(orc_f_dot(x, x));
  if (length == 0) return (graze_vec){0, 0, 0};
  return (graze_vec){x[0] / length, x[1] / length, x[2] / length};
}
