/* From GJK's proposal to a proved answer, where doubles suffice: floating-point filters with proven constants. */
#ifndef GRAZE_NARROW_CERTIFY_H
#define GRAZE_NARROW_CERTIFY_H

#include "narrow/gjk.h"

/* The cores are apart, beyond r, as d shows. */
static inline void grz_certify_separated(graze_vec d, grz_result *result) {
  result->answer.relation = GRAZE_SEPARATED;
  result->proof.kind = GRAZE_CERTIFICATE_SEPARATED;
  result->proof.direction.form = GRAZE_DIRECTION_VECTOR;
  result->proof.direction.vector = d;
}

/* Does the direction surely separate? Then fills the relation with its certificate. */
static inline bool grz_certify_axis(const grz_obstacle *c, graze_vec d, grz_result *result) {
  const double gap = c->dim == 2 ? grz_obstacle_gap_alone(c, d, 2) : grz_obstacle_gap_alone(c, d, 3);
  if (!(gap - c->support_error > c->radius + c->radius_error)) return false;
  grz_certify_separated(d, result);
  return true;
}

/* How far (u × v)·w as computed is from the true one at most, of points that are off by point_error; u, v, w: the sums
 * of the magnitudes of their coordinates. */
static inline double grz_det_error(double u, double v, double w, double point_error) {
  return 1.01 * point_error * ((u * v + v * w) + w * u) + 16 * GRZ_U * (u * v * w);
}

/* Decides the relation and fills it with its certificate. False where the filter cannot decide. */
bool grz_certify_relation(const grz_obstacle *obstacle, const grz_gjk *gjk, grz_result *result);

/* The hull of these points surely holds the origin inside, or one nearer than r. */
void grz_certify_overlapping(const grz_obstacle *obstacle, const grz_cso_point *point, int count, grz_result *result);

/* Surely apart, and yet rounding put the origin into the simplex: it gives no upper bound. */
static inline bool grz_certify_misled(const grz_gjk *gjk, const grz_result *result) {
  return result->answer.relation == GRAZE_SEPARATED && (gjk->holds_origin || gjk->simplex.vv == 0);
}

/* Fills distance, interval, normal and witness points of a decided or undecided pair from the simplex and the best
 * direction. For overlapping cores: NaN, and the interval [-(least support width found), 0]. */
void grz_certify_numbers(const grz_obstacle *obstacle, double clearance, const grz_gjk *gjk, grz_result *result);

/* The rigorous lower bound of the signed distance along gjk's best direction, and that direction as certificate. */
void grz_certify_lower(const grz_obstacle *obstacle, const grz_gjk *gjk, grz_result *result);

/* How deep overlapping cores are, in units of `unit`. */
typedef struct grz_depth {
  double low, high;         /* surely low <= depth <= high */
  double best;              /* as near as is known */
  graze_vec direction;      /* unit; the support width along it is at most high */
  graze_vec core_a, core_b; /* witness points, in the caller's units, without their bodies' positions */
} grz_depth;

/* Fills distance, interval, normal, witness points and the direction of overlapping cores. */
void grz_certify_depth(const grz_obstacle *obstacle, double clearance, const grz_depth *depth, grz_result *result);

/* Moves the witness points so that point_b - point_a is distance·normal: their rounding is shared between them. */
void grz_certify_fit(grz_result *result);

/* Is the origin surely strictly inside the hull of the dim + 1 points? */
bool grz_certify_inside(const grz_obstacle *obstacle, const grz_cso_point *point);

/* The sign of det[u, v, w], in 2D of u × v, where it is beyond doubt, else 0. Each vector may be off by point_error. */
int grz_certify_volume(const grz_obstacle *obstacle, graze_vec u, graze_vec v, graze_vec w);
int grz_certify_turn(const grz_obstacle *obstacle, graze_vec u, graze_vec v);

/* Is a point of the hull of a simplex, of this computed length, surely nearer than r? */
bool grz_certify_near(const grz_obstacle *obstacle, double length);

#endif
