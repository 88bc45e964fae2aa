/* Contact points: ids, order, and the reduction to at most four.
 *
 * Source: Gregorius, "Robust Contact Creation for Physics Simulations", GDC 2015. Theory: docs/theory/contact.md. */
#include "narrow/contact.h"

/* ---- Ids of contact points */
/* Returns the point that gets the id of a corner: the nearest within `near`, or -1. */
static int id_holder(const grz_contact_points *t, graze_vec corner, double near) {
  double least = near * near;
  int holder = -1;
  for (int i = 0; i < t->count; i++) {
    double distance = flat_square(vec_sub(t->at[i].at, corner));
    if (distance > least || t->at[i].feature == GRZ_WITNESS_ID) continue;
    least = distance, holder = i;
  }
  return holder;
}

static void id_from_corners(grz_contact_points *t, const grz_contact_face *f, const grz_contact_face *other, bool is_a,
                            double near) {
  if (f->disk || f->plane || f->count < 2) return;
  for (int k = 0; k < f->count; k++) {
    int i = id_holder(t, f->corner[k], near);
    if (i < 0 || t->at[i].has_corner_id) continue;
    t->at[i].feature = contact_corner_id(f, k, other, is_a);
    t->at[i].has_corner_id = true;
  }
}

/* True if the corners of two edges in 2D are certainly not within `near` of one another. */
static bool id_corners_are_distinct(const grz_contact_face *a, const grz_contact_face *b, double near) {
  if (a->count != 2 || b->count != 2) return false;
  const double p = a->corner[0].x, q = a->corner[1].x, r = b->corner[0].x, s = b->corner[1].x;
  const double first = real_min(real_abs(p - r), real_abs(p - s)), last = real_min(real_abs(q - r), real_abs(q - s));
  return real_min(real_min(first, last), real_min(real_abs(p - q), real_abs(r - s))) > 2 * near;
}

void grz_contact_points_set_ids(grz_contact_points *t, const grz_contact_face *a, const grz_contact_face *b, int dim,
                                double near) {
  if (dim == 2 && id_corners_are_distinct(a, b, near)) return; /* the points are corners, and have their ids */
  id_from_corners(t, a, b, true, near);
  id_from_corners(t, b, a, false, near);
}

enum { ID_FREE, ID_HOLDER, ID_DUPLICATE };

/* Marks one point at each corner as its holder (an earlier holder, or the nearest point) and the others as
 * duplicates. */
static void id_mark_duplicates(const grz_contact_points *t, const grz_contact_face *f, double near, double equal,
                               int *role) {
  if (f->disk || f->plane || f->count < 2) return;
  for (int c = 0; c < f->count; c++) {
    int holder = id_holder(t, f->corner[c], near);
    for (int i = 0; i < t->count; i++) {
      if (role[i] == ID_HOLDER && flat_square(vec_sub(t->at[i].at, f->corner[c])) <= near * near) holder = i;
    }
    if (holder < 0) continue;
    role[holder] = ID_HOLDER;
    for (int i = 0; i < t->count; i++) {
      bool beside = flat_square(vec_sub(t->at[i].at, f->corner[c])) <= near * near;
      bool deeper = t->at[i].depth > t->at[holder].depth + equal || t->at[i].feature == GRZ_WITNESS_ID;
      if (beside && !deeper && role[i] != ID_HOLDER) role[i] = ID_DUPLICATE;
    }
  }
}

void grz_contact_points_remove_duplicates(grz_contact_points *t, const grz_contact_face *a, const grz_contact_face *b,
                                          double near, double equal) {
  int role[GRZ_CONTACT_POINTS] = {ID_FREE}, kept = 0;
  id_mark_duplicates(t, a, near, equal, role);
  id_mark_duplicates(t, b, near, equal, role);
  for (int i = 0; i < t->count; i++) {
    if (role[i] != ID_DUPLICATE) t->at[kept++] = t->at[i];
  }
  t->count = kept;
}

/* ---- Order and reduction. Noise in depth or position must not change the result. */
/* A point replaces an earlier one only if it is better by this factor, so that noise does not decide between equals. */
#define REDUCE_BETTER (1 + 1e-3)

static bool reduce_is_witness(const grz_contact_point *t) { return t->feature == GRZ_WITNESS_ID; }

static graze_vec reduce_step(const grz_contact_point *p, const grz_contact_point *q) { return vec_sub(q->at, p->at); }

static int reduce_lowest(const grz_contact_points *t) {
  int lowest = 0;
  for (int i = 1; i < t->count; i++)
    if (t->at[i].feature < t->at[lowest].feature) lowest = i;
  return lowest;
}

static graze_vec reduce_middle(const grz_contact_points *t) {
  graze_vec sum = {0, 0, 0};
  for (int i = 0; i < t->count; i++) sum = vec_add(sum, t->at[i].at);
  return vec_scale(sum, 1.0 / t->count);
}

/* Increases with the angle from u to v, counter-clockwise: 0 to 4. */
static double reduce_angle(graze_vec u, graze_vec v) {
  double x = flat_dot(u, v), y = flat_cross(u, v), length = real_abs(x) + real_abs(y);
  if (!(length > 0)) return 0;
  return y < 0 ? 3 + x / length : 1 - x / length;
}

/* The point farthest from point i; a later point must be farther by more than noise. */
static int reduce_farthest(const grz_contact_points *t, int i) {
  int best = i;
  double most = 0;
  for (int k = 0; k < t->count; k++) {
    double distance = flat_square(reduce_step(&t->at[i], &t->at[k]));
    if (distance > most * REDUCE_BETTER) most = distance, best = k;
  }
  return best;
}

/* The point farthest from the line through points i and k; -1 if all lie on the line within the slack. */
static int reduce_off_line(const grz_contact_points *t, int i, int k, double slack) {
  graze_vec line = reduce_step(&t->at[i], &t->at[k]);
  double most = 10 * slack * real_sqrt(flat_square(line));
  int best = -1;
  for (int p = 0; p < t->count; p++) {
    double off = real_abs(flat_cross(line, reduce_step(&t->at[i], &t->at[p])));
    if (off > most * REDUCE_BETTER) most = off, best = p;
  }
  return best;
}

/* True unless all points lie on the line through points i and k within the slack. */
static bool reduce_spans_area(const grz_contact_points *t, int i, int k, double slack) {
  const graze_vec line = reduce_step(&t->at[i], &t->at[k]);
  const double most = 10 * REDUCE_BETTER * slack, square = most * most * flat_square(line);
  for (int p = 0; p < t->count; p++) {
    const double off = flat_cross(line, reduce_step(&t->at[i], &t->at[p]));
    if (off * off > square) return true;
  }
  return false;
}

/* The point that adds the largest triangle to a triangle; -1 if no point adds one. */
static int reduce_outside(const grz_contact_points *t, const int corner[3], double slack) {
  const grz_contact_point *a = &t->at[corner[0]], *b = &t->at[corner[1]], *c = &t->at[corner[2]];
  double sign = flat_cross(reduce_step(a, b), reduce_step(a, c)) > 0 ? 1 : -1, most = 0;
  int best = -1;
  for (int p = 0; p < t->count; p++)
    for (int i = 0; i < 3; i++) {
      const grz_contact_point *from = &t->at[corner[i]];
      graze_vec side = reduce_step(from, &t->at[corner[(i + 1) % 3]]);
      double out = -sign * flat_cross(side, reduce_step(from, &t->at[p]));
      if (out <= 10 * slack * real_sqrt(flat_square(side)) || out <= most * REDUCE_BETTER) continue;
      most = out, best = p;
    }
  return best;
}

void grz_contact_points_sort(grz_contact_points *t, double slack) {
  if (t->count < 2) return;
  if (t->count == 2) { /* two points are collinear, and a witness has the highest id */
    const grz_contact_point first = t->at[0];
    if (t->at[1].feature < first.feature) t->at[0] = t->at[1], t->at[1] = first;
    return;
  }
  double key[GRZ_CONTACT_POINTS];
  const int lowest = reduce_lowest(t);
  const bool around = reduce_spans_area(t, lowest, reduce_farthest(t, lowest), slack);
  graze_vec middle = reduce_middle(t), first = vec_sub(t->at[lowest].at, middle);
  for (int i = 0; i < t->count; i++) {
    grz_contact_point point = t->at[i];
    double turn = around ? reduce_angle(first, vec_sub(point.at, middle)) : (double)point.feature;
    turn = reduce_is_witness(&point) ? __builtin_inf() : turn;
    int k = i;
    for (; k > 0 && turn < key[k - 1]; k--) t->at[k] = t->at[k - 1], key[k] = key[k - 1];
    t->at[k] = point, key[k] = turn;
  }
}

/* The deepest point. Among equally deep ones the lowest id: corners come before intersections inside an edge. */
static int reduce_deepest(const grz_contact_points *t, double equal) {
  int best = -1;
  double most = t->at[0].depth;
  for (int i = 1; i < t->count; i++) most = real_max(most, t->at[i].depth);
  for (int i = 0; i < t->count; i++) {
    if (t->at[i].depth >= most - equal && (best < 0 || t->at[i].feature < t->at[best].feature)) best = i;
  }
  return best;
}

/* Selects up to `most` points in order of importance, and returns their number. */
static int reduce_choose(const grz_contact_points *t, int most, double equal, double slack, int chosen[4]) {
  chosen[0] = reduce_deepest(t, equal);
  if (most == 1) return 1;
  chosen[1] = reduce_farthest(t, chosen[0]);
  if (chosen[1] == chosen[0]) return 1;
  if (most == 2) return 2;
  chosen[2] = reduce_off_line(t, chosen[0], chosen[1], slack);
  if (chosen[2] < 0) return 2;
  if (most == 3) return 3;
  chosen[3] = reduce_outside(t, chosen, slack);
  return chosen[3] < 0 ? 3 : 4;
}

void grz_contact_points_reduce(grz_contact_points *t, int most, double equal, double slack) {
  int chosen[4], kept = 0, count = reduce_choose(t, most, equal, slack, chosen);
  for (int i = 0; i < t->count; i++)
    for (int k = 0; k < count; k++)
      if (chosen[k] == i) t->at[kept++] = t->at[i];
  t->count = kept;
}
