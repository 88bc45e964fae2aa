/* The exact truth about two placed polytopal shapes. What makes it trustworthy: the proofs below. */
#include "support/oracle/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a contact: is the origin interior? Descent through quotient spaces. */

/* One level: the image of C in R^dim; coordinate k is lift[k]·(world). */
typedef struct level {
  pointset set;
  zvec lift[3];
  int dim;
} level;

static void level_init(level *l, int dim) {
  memset(l, 0, sizeof *l);
  l->dim = dim;
  for (int k = 0; k < 3; k++) orc_z_init(&l->lift[k]);
}

static void level_clear(level *l) {
  orc_set_clear(&l->set);
  for (int k = 0; k < 3; k++) orc_z_clear(&l->lift[k]);
}

/* Rows whose kernel is the span of s (which holds the origin): dim - (s->count - 1) of them. */
static void kernel_rows(zvec row[2], const simplex *s, int dim) {
  zvec u, x;
  orc_z_init(&u);
  orc_z_init(&x);
  orc_z_sub(&u, &s->w[1], &s->w[0]);
  if (s->count == 3) {
    orc_z_sub(&x, &s->w[2], &s->w[0]);
    orc_z_cross(&row[0], &u, &x);
  } else if (dim == 2) {
    mpz_neg(row[0].at[0], u.at[1]);
    mpz_set(row[0].at[1], u.at[0]);
    mpz_set_ui(row[0].at[2], 0);
  } else {
    int k = mpz_sgn(u.at[0]) ? 0 : mpz_sgn(u.at[1]) ? 1 : 2;
    for (int n = 0; n < 2; n++) { /* u × e_i and u × e_j are independent when u_k != 0 */
      for (int c = 0; c < 3; c++) mpz_set_ui(x.at[c], c == (k + 1 + n) % 3);
      orc_z_cross(&row[n], &u, &x);
    }
  }
  orc_z_clear(&u);
  orc_z_clear(&x);
}

static void project_list(zlist *out, const zlist *in, zvec row[2], int dim) {
  orc_list_resize(out, in->count);
  for (int i = 0; i < in->count; i++)
    for (int k = 0; k < 3; k++) {
      if (k < dim)
        orc_z_dot(out->at[i].at[k], &row[k], &in->at[i]);
      else
        mpz_set_ui(out->at[i].at[k], 0);
    }
}

static void level_project(level *out, const level *in, const simplex *s) {
  zvec row[2];
  orc_z_init(&row[0]);
  orc_z_init(&row[1]);
  kernel_rows(row, s, in->dim);
  project_list(&out->set.a, &in->set.a, row, out->dim);
  project_list(&out->set.b, &in->set.b, row, out->dim);
  for (int k = 0; k < out->dim; k++)
    for (int j = 0; j < 3; j++) {
      mpz_set_ui(out->lift[k].at[j], 0);
      for (int c = 0; c < in->dim; c++) mpz_addmul(out->lift[k].at[j], row[k].at[c], in->lift[c].at[j]);
    }
  orc_z_clear(&row[0]);
  orc_z_clear(&row[1]);
}

/* Marks the pairs at the origin; true when there is any other. */
static bool omit_zeros(pointset *set) {
  size_t count = (size_t)set->a.count * (size_t)set->b.count, zeros = 0;
  set->omit = orc_room_for(set->omit, count, 1);
  for (int i = 0; i < set->a.count; i++)
    for (int j = 0; j < set->b.count; j++) {
      bool zero = orc_z_equal(&set->a.at[i], &set->b.at[j]);
      set->omit[(size_t)i * (size_t)set->b.count + (size_t)j] = zero;
      zeros += zero;
    }
  return zeros < count;
}

/* -v, taken back to the world, is a weakly separating direction. */
static void set_touch(oracle *o, const level *l, const zvec *v) {
  for (int j = 0; j < 3; j++) {
    mpz_set_ui(o->touch.at[j], 0);
    for (int c = 0; c < l->dim; c++) mpz_submul(o->touch.at[j], v->at[c], l->lift[c].at[j]);
  }
}

static bool interior_of_quotient(oracle *o, const level *l, const simplex *s);

/* The origin belongs to the image of C. Is it interior? Fills the proof. */
static bool interior(oracle *o, level *l) {
  simplex s;
  orc_simplex_init(&s);
  bool inside = false;
  if (!omit_zeros(&l->set)) {
    mpz_set_si(s.v.at[0], -1);
    set_touch(o, l, &s.v);
  } else {
    orc_solve_nearest(&s, &l->set);
    if (!orc_z_zero(&s.v))
      set_touch(o, l, &s.v);
    else
      inside = interior_of_quotient(o, l, &s);
  }
  orc_simplex_clear(&s);
  return inside;
}

/* The span of s lies in the cone of C: what is left is the question in the quotient by that span. */
static bool interior_of_quotient(oracle *o, const level *l, const simplex *s) {
  for (int i = 0; i < s->count; i++) {
    o->proof_a[o->proof_count] = s->a[i];
    o->proof_b[o->proof_count++] = s->b[i];
  }
  level next;
  level_init(&next, l->dim - (s->count - 1));
  bool inside = next.dim == 0;
  if (!inside) {
    level_project(&next, l, s);
    inside = interior(o, &next);
  }
  level_clear(&next);
  return inside;
}

static bool contact_is_interior(oracle *o) {
  level whole;
  memset(&whole, 0, sizeof whole);
  whole.set = o->set;
  whole.dim = o->dim;
  for (int k = 0; k < 3; k++) {
    orc_z_init(&whole.lift[k]);
    mpz_set_ui(whole.lift[k].at[k], 1);
  }
  o->proof_count = 0;
  bool inside = o->nearest.count > 1 ? interior_of_quotient(o, &whole, &o->nearest) : interior(o, &whole);
  o->set = whole.set; /* its buffers may have moved */
  free(o->set.omit);
  o->set.omit = NULL;
  for (int k = 0; k < 3; k++) orc_z_clear(&whole.lift[k]);
  return inside;
}

/* ---- the proofs: nothing above needs to be right */

/* extreme = the least (which < 0) or greatest d·w over all pairs. */
void orc_extreme_value(mpz_t extreme, const pointset *set, const zvec *d, int which) {
  mpz_t x, best_a, best_b;
  mpz_inits(x, best_a, best_b, NULL);
  for (int i = 0; i < set->a.count; i++) {
    orc_z_dot(x, d, &set->a.at[i]);
    if (i == 0 || mpz_cmp(x, best_a) * which > 0) mpz_set(best_a, x);
  }
  for (int j = 0; j < set->b.count; j++) {
    orc_z_dot(x, d, &set->b.at[j]);
    if (j == 0 || mpz_cmp(x, best_b) * which < 0) mpz_set(best_b, x);
  }
  mpz_sub(extreme, best_a, best_b);
  mpz_clears(x, best_a, best_b, NULL);
}

/* v is a convex combination of points of C, and no point of C lies nearer along it. */
static void prove_nearest(oracle *o) {
  simplex *s = &o->nearest;
  mpz_t least, square;
  mpz_inits(least, square, NULL);
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
  mpz_clears(least, square, NULL);
}

static void prove_touch(const oracle *o) {
  mpz_t most;
  mpz_init(most);
  orc_require(!orc_z_zero(&o->touch) && (o->dim == 3 || mpz_sgn(o->touch.at[2]) == 0), "no touching direction");
  orc_extreme_value(most, &o->set, &o->touch, 1);
  orc_require(mpz_sgn(most) <= 0, "the touching direction does not separate weakly");
  mpz_clear(most);
}

/* Some point lies strictly on the positive side of d. */
static bool some_positive(const zvec w[], int count, const zvec *d) {
  mpz_t x;
  mpz_init(x);
  bool some = false;
  for (int i = 0; i < count && !some; i++) {
    orc_z_dot(x, d, &w[i]);
    some = mpz_sgn(x) > 0;
  }
  mpz_clear(x);
  return some;
}

/* Were the origin not strictly inside, some normal of a plane through it and two of the points would see no point. */
static void prove_inside(const oracle *o) {
  zvec w[PROOF_ROOM], d, up;
  orc_z_init(&d);
  orc_z_init(&up);
  mpz_set_ui(up.at[2], 1);
  orc_require(o->proof_count <= 2 * o->dim, "more points than Steinitz allows");
  for (int i = 0; i < o->proof_count; i++) {
    orc_z_init(&w[i]);
    orc_set_point(&w[i], &o->set, o->proof_a[i], o->proof_b[i]);
  }
  bool any = false, inside = true;
  for (int i = 0; i < o->proof_count; i++)
    for (int j = 0; j < (o->dim == 3 ? i : 1); j++) {
      orc_z_cross(&d, &w[i], o->dim == 3 ? &w[j] : &up);
      if (orc_z_zero(&d)) continue;
      any = true;
      inside = inside && some_positive(w, o->proof_count, &d);
      for (int k = 0; k < 3; k++) mpz_neg(d.at[k], d.at[k]);
      inside = inside && some_positive(w, o->proof_count, &d);
    }
  orc_require(any && inside, "the origin is not strictly inside the proof");
  for (int i = 0; i < o->proof_count; i++) orc_z_clear(&w[i]);
  orc_z_clear(&d);
  orc_z_clear(&up);
}

/* The cores meet. Is the origin interior to C? Proved, whatever the answer; o->touch is a direction where it is not. */
bool orc_interior(oracle *o) {
  bool inside = contact_is_interior(o);
  if (inside)
    prove_inside(o);
  else
    prove_touch(o);
  return inside;
}

/* ---- questions */

oracle *oracle_new(void) {
  oracle *o = orc_room_for(NULL, 1, sizeof *o);
  memset(o, 0, sizeof *o);
  orc_simplex_init(&o->nearest);
  orc_z_init(&o->touch);
  orc_z_init(&o->deepest);
  orc_z_init(&o->way[0]);
  orc_z_init(&o->way[1]);
  mpz_inits(o->denominator, o->square, o->divisor, o->shift, NULL);
  for (int k = 0; k < 8; k++) mpz_init(o->turn[k / 4][k % 4]);
  orc_turn_none(o);
  return o;
}

void oracle_free(oracle *o) {
  if (!o) return;
  orc_set_clear(&o->set);
  orc_simplex_clear(&o->nearest);
  orc_z_clear(&o->touch);
  orc_z_clear(&o->deepest);
  orc_z_clear(&o->way[0]);
  orc_z_clear(&o->way[1]);
  orc_features_clear(&o->of_a);
  orc_features_clear(&o->of_b);
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
  o->sign = o->meet ? 0 : 1;
  orc_z_dot(o->square, &s->v, &s->v);
  mpz_mul(o->divisor, s->total, o->denominator);
  mpz_mul(o->divisor, o->divisor, o->divisor);
  if (o->meet && o->moves && !o->turns) {
    o->sign = orc_interior(o) ? -1 : 0;
  } else if (o->meet) {
    bool inside = orc_interior(o);
    orc_require(orc_depth(o) == inside || o->forgotten_edge, "the two proofs of an overlap differ");
    if (!inside) orc_z_set(&o->deepest, &o->touch);
  }
  o->relation = relation_of_sign(oracle_compare(o, 0));
}

/* With A the half-space: distance = min over x of (R n)·(x - p) / |n| - offset - r. */
static void solve_halfspace(oracle *o, const graze_shape *plane, const graze_pose *pose, const graze_shape *body,
                            const graze_pose *pose_body, int sign) {
  graze_shape tip = {.kind = GRAZE_SEGMENT, .dim = 3};
  graze_pose turn = *pose;
  zvec normal;
  long unit = 1 << 20;
  orc_z_init(&normal);
  turn.position = (graze_vec){0, 0, 0};
  orc_place_both(o, body, pose_body, &(graze_shape){.kind = GRAZE_POINT, .dim = body->dim}, pose);
  if (o->moves) orc_sweep(o, sign);
  /* the placed normal, at any scale, as the difference of a placed segment's ends */
  orc_take_unit_vec(&unit, plane->extents);
  pointset keep = o->set;
  mpz_t least;
  mpz_init(least);
  oracle *other = oracle_new();
  other->unit = unit;
  tip.corners[1] = plane->extents;
  graze_pose still = {{0, 0, 0}, 1, 0, 0, 0};
  orc_place_both(other, &tip, &turn, &(graze_shape){.kind = GRAZE_POINT, .dim = 3}, &still);
  orc_z_sub(&normal, &other->set.a.at[1], &other->set.a.at[0]);
  oracle_free(other);
  orc_extreme_value(least, &keep, &normal, -1);
  o->sign = mpz_sgn(least);
  mpz_mul(o->square, least, least);
  orc_z_dot(o->divisor, &normal, &normal);
  mpz_mul(o->divisor, o->divisor, o->denominator);
  mpz_mul(o->divisor, o->divisor, o->denominator);
  mpz_clear(least);
  orc_z_clear(&normal);
  o->meet = false;
  o->relation = relation_of_sign(oracle_compare(o, 0));
}

static void take_units(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                       const graze_pose *pose_b, double clearance) {
  orc_take_unit(&o->unit, clearance);
  orc_take_shape_unit(&o->unit, a, pose_a);
  orc_take_shape_unit(&o->unit, b, pose_b);
  orc_put(o->shift, clearance, o->unit);
  orc_add_radii(o->shift, a, o->unit);
  orc_add_radii(o->shift, b, o->unit);
}

static bool solve_any(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                      const graze_pose *pose_b, double clearance, const oracle_motion *motion) {
  bool plane_a = a->kind == GRAZE_HALFSPACE, plane_b = b->kind == GRAZE_HALFSPACE;
  if (!(plane_a || oracle_core_count(a)) || !(plane_b || oracle_core_count(b)) || (plane_a && plane_b)) return false;
  o->dim = a->dim;
  o->halfspace = plane_a || plane_b;
  o->unit = 1 << 20;
  o->moves = motion != NULL;
  if (motion) orc_take_motion_unit(&o->unit, motion);
  take_units(o, a, pose_a, b, pose_b, clearance);
  if (motion) orc_put_motion(o, motion);
  if (plane_a)
    solve_halfspace(o, a, pose_a, b, pose_b, -1);
  else if (plane_b)
    solve_halfspace(o, b, pose_b, a, pose_a, 1);
  else {
    orc_place_both(o, a, pose_a, b, pose_b);
    if (motion) orc_sweep(o, 1);
    if (!o->only_placed) solve_polytopes(o);
  }
  return true;
}

bool oracle_solve_moving(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                         const graze_pose *pose_b, double clearance, const oracle_motion *motion) {
  orc_turn_none(o);
  return solve_any(o, a, pose_a, b, pose_b, clearance, motion);
}

static bool turn_and_solve(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                           const graze_pose *pose_b, double clearance, const oracle_turning *m, bool whole) {
  const oracle_motion way = {m->a.velocity, m->b.velocity, m->t, m->t};
  bool plane = a->kind == GRAZE_HALFSPACE;
  orc_turn_none(o);
  o->turns = true;
  o->only_placed = !whole;
  o->blur = m->t == 0 ? 0 : orc_turn_blur(a, m->a.angular) + orc_turn_blur(b, m->b.angular);
  orc_turn(o->turn[0], plane ? m->b.angular : m->a.angular, m->t);
  if (!plane && b->kind != GRAZE_HALFSPACE) orc_turn(o->turn[1], m->b.angular, m->t);
  return solve_any(o, a, pose_a, b, pose_b, clearance, &way);
}

bool oracle_solve_turning(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                          const graze_pose *pose_b, double clearance, const oracle_turning *motion) {
  return turn_and_solve(o, a, pose_a, b, pose_b, clearance, motion, true);
}

bool oracle_place_turning(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                          const graze_pose *pose_b, double clearance, const oracle_turning *motion) {
  return turn_and_solve(o, a, pose_a, b, pose_b, clearance, motion, false);
}

bool oracle_solve(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                  const graze_pose *pose_b, double clearance) {
  return oracle_solve_moving(o, a, pose_a, b, pose_b, clearance, NULL);
}

graze_relation oracle_relation(const oracle *o) { return o->relation; }

bool oracle_cores_meet(const oracle *o) { return o->meet; }

/* out = x / 2^fine + shift·2^(unit - fine), where fine <= unit is small enough for both. */
long orc_shifted(mpz_t out, const oracle *o, const mpz_t shift, double x) {
  long fine = o->unit;
  mpz_t t;
  mpz_init(t);
  orc_take_unit(&fine, x);
  orc_put(out, x, fine);
  mpz_mul_2exp(t, shift, (mp_bitcnt_t)(o->unit - fine));
  mpz_add(out, out, t);
  mpz_clear(t);
  return fine;
}

int oracle_compare(const oracle *o, double x) {
  if (isinf(x)) return x > 0 ? -1 : 1;
  mpz_t y, left, right;
  mpz_inits(y, left, right, NULL);
  long fine = orc_shifted(y, o, o->shift, x);
  int result = o->sign - mpz_sgn(y);
  if (result == 0 && o->sign != 0) { /* both sides of one sign: compare the squares */
    mpz_mul_2exp(left, o->square, 2 * (mp_bitcnt_t)(o->unit - fine));
    mpz_mul(right, y, y);
    mpz_mul(right, right, o->divisor);
    result = mpz_cmp(left, right) * o->sign;
  }
  mpz_clears(y, left, right, NULL);
  return (result > 0) - (result < 0);
}

static double outward(double x, double blur, double way) {
  return blur > 0 ? nextafter(x + way * blur, way * INFINITY) : x;
}

int oracle_surely(const oracle *o, double x) {
  if (oracle_compare(o, outward(x, o->blur, 1)) > 0) return 1;
  return oracle_compare(o, outward(x, o->blur, -1)) < 0 ? -1 : 0;
}

bool oracle_surely_apart_along(const oracle *o, graze_vec direction, double x) {
  return oracle_ends_overlap(o, direction, -outward(x, o->blur, 1));
}

/* sign·sqrt(square / divisor) - shift, in the caller's unit. */
static double rounded_distance(const oracle *o, const mpz_t shift) {
  mpz_t root, t;
  mpz_inits(root, t, NULL);
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
  mpz_clears(root, t, NULL);
  return ldexp(m, (int)(e + o->unit - bits));
}

double oracle_distance(const oracle *o) { return o->relation == GRAZE_TOUCHING ? 0 : rounded_distance(o, o->shift); }

double oracle_core_distance(const oracle *o) {
  mpz_t none;
  mpz_init(none);
  double distance = rounded_distance(o, none);
  mpz_clear(none);
  return distance;
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
