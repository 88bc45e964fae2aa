/* Floating-point filters: prove the proposal of a search in doubles, if rounding permits. Every constant is derived in
 * docs/theory/rounding.md. */
#ifndef GRAZE_NARROW_CERTIFY_H
#define GRAZE_NARROW_CERTIFY_H

#include "narrow/search.h"

/* Fills a separation along d. */
static inline void grz_certify_separated(graze_vec d, grz_result *result) {
  result->answer.relation = GRAZE_SEPARATED;
  result->proof.kind = GRAZE_CERTIFICATE_SEPARATED;
  result->proof.direction.form = GRAZE_DIRECTION_VECTOR;
  result->proof.direction.vector = d;
}

/* If the direction certainly separates, fills the relation with its certificate and returns true. */
static inline bool grz_certify_axis(const grz_obstacle *c, graze_vec d, grz_result *result) {
  const double gap = c->dim == 2 ? grz_obstacle_gap_alone(c, d, 2) : grz_obstacle_gap_alone(c, d, 3);
  if (!(gap - c->support_error > c->radius + c->radius_error)) return false;
  grz_certify_separated(d, result);
  return true;
}

/* The largest error of a computed (u × v)·w, if each vector has an error of point_error; u, v, w are the 1-norms. */
static inline double grz_det_error(double u, double v, double w, double point_error) {
  return 1.01 * point_error * ((u * v + v * w) + w * u) + 16 * GRZ_U * (u * v * w);
}

/* Fills the relation and its certificate. Returns false if the filter cannot decide. */
bool grz_certify_relation(const grz_obstacle *obstacle, const grz_gjk *gjk, grz_result *result);

/* Fills an overlap: the hull of these points certainly contains the origin, or a point nearer to it than r. */
void grz_certify_overlapping(const grz_obstacle *obstacle, const grz_cso_point *point, int count, grz_result *result);

/* True if the cores are certainly separated, but rounding placed the origin in the simplex. The simplex then gives no
 * upper bound. */
static inline bool grz_certify_misled(const grz_gjk *gjk, const grz_result *result) {
  return result->answer.relation == GRAZE_SEPARATED && (gjk->holds_origin || gjk->simplex.vv == 0);
}

/* Fills distance, interval, normal and witness points from the simplex and the best direction. For overlapping cores
 * the distance is NaN, and the interval is [-(least support width computed), 0]. */
void grz_certify_numbers(const grz_obstacle *obstacle, double clearance, const grz_gjk *gjk, grz_result *result);

/* Fills the certain lower bound of the signed distance along gjk->lower_direction, and the certificate: that
 * direction. */
void grz_certify_lower(const grz_obstacle *obstacle, const grz_gjk *gjk, grz_result *result);

/* The depth of overlapping cores, times `unit`. */
typedef struct grz_depth {
  double low, high;         /* certainly low <= depth <= high */
  double best;              /* the best approximation */
  graze_vec direction;      /* unit; the support width along it is at most high */
  graze_vec core_a, core_b; /* witness points in the caller's units, relative to the positions of the bodies */
} grz_depth;

/* Fills distance, interval, normal, witness points and the direction of overlapping cores. */
void grz_certify_depth(const grz_obstacle *obstacle, double clearance, const grz_depth *depth, grz_result *result);

/* Moves the witness points so that point_b - point_a is distance·normal. Each point moves by half of the rounding
 * error. */
void grz_certify_fit(grz_result *result);

/* True if the origin is certainly strictly inside the hull of the dim + 1 points. */
bool grz_certify_inside(const grz_obstacle *obstacle, const grz_cso_point *point);

/* The certain sign of det[u, v, w], in 2D of u × v; 0 if uncertain. Each vector has an error of point_error. */
int grz_certify_volume(const grz_obstacle *obstacle, graze_vec u, graze_vec v, graze_vec w);
int grz_certify_turn(const grz_obstacle *obstacle, graze_vec u, graze_vec v);

/* True if a point of the hull of a simplex, with this computed length, is certainly nearer than r. */
bool grz_certify_near(const grz_obstacle *obstacle, double length);

#endif
