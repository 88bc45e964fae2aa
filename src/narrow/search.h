/* The searches of a query: their states and the functions for the stages. They are GJK in doubles (gjk.c), GJK in exact
 * arithmetic (exact_search.c), EPA in doubles (epa.c), and EPA with exact predicates (epa_exact.c). At the end, the
 * filters that certify the results of searches in doubles (certify.c). */
#ifndef GRAZE_NARROW_SEARCH_H
#define GRAZE_NARROW_SEARCH_H

#include "exact/exact.h"
#include "exact/fixed.h"
#include "geometry/polytope.h"
#include "narrow/simplex.h"

#include <graze/trace.h>

/* ---- GJK in doubles, with a lower and an upper bound
 *
 * Its result is a proposal: certify.c proves it with bounds that include rounding, or the exact search continues. */

/* When the search may stop. Distances are between the cores. */
typedef struct grz_goal {
  double enough_lower; /* stop if the cores are certainly farther apart than this */
  double enough_upper; /* stop if the cores are certainly nearer than this */
  double width;        /* stop if the raw bounds are this close … */
  double doubt;        /* … or, if they leave the relation open, this close */
  bool boolean;        /* plain GJK: stop at the first support point that does not pass the origin */
  int pause;           /* after so many steps, return although nothing stops the search */
} grz_goal;

typedef struct grz_gjk {
  grz_simplex simplex;       /* the best so far; its v is the upper bound */
  bool holds_origin;         /* up to rounding */
  double lower;              /* the largest gap(d)/|d|, rounded, without support_error: see grz_gjk_lower() */
  graze_vec lower_direction; /* its d, from A to B */
  int iterations, stalls;
  bool climbs;    /* support points are proposals of hill climbing … */
  graze_vec last; /* … the last one in this direction */
  graze_trace_stop stop;
} grz_gjk;

/* Runs from the direction `start` (not zero) or, if `warm` is not NULL and has points, from that simplex. */
void grz_gjk_run(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, graze_vec start,
                 const grz_simplex *warm, const graze_options *options);

/* The same; for curved cores Newton's method takes over after a few steps (newton.c). */
void grz_gjk_run_smooth(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, graze_vec start,
                        const grz_simplex *warm, const graze_options *options);

/* Runs again from a direction in no plane of symmetry, without a reset of the iterations. If the first directions lie
 * in such a plane, the simplex contains the origin on its boundary. The simplex of the second run may contain it in its
 * interior. */
void grz_gjk_run_again(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, const graze_options *options);

/* Continues the loop if gjk->stop is GRAZE_TRACE_CONTINUE. */
void grz_gjk_continue(grz_gjk *gjk, const grz_obstacle *obstacle, const grz_goal *goal, const graze_options *options);

/* The gap of the cores is certainly at least this, along gjk->lower_direction. */
static inline double grz_gjk_lower(const grz_gjk *gjk, const grz_obstacle *c) { return gjk->lower - c->support_error; }

/* True if the lower bound of the search is close enough to `upper`. Close bounds that leave the relation open are not
 * enough, because the stages after GJK take far longer to decide the relation. */
static inline bool grz_gjk_is_converged(const grz_gjk *gjk, const grz_obstacle *c, const grz_goal *goal, double upper) {
  const double width = upper - gjk->lower;
  if (!(width <= goal->width)) return false;
  return width <= goal->doubt || gjk->lower - c->support_error > c->radius || upper + c->point_error < c->radius;
}

/* ---- Exact search: GJK (Gilbert, Johnson, Keerthi 1988) in exact arithmetic, for polytopes
 *
 * The exact search starts from the simplex of GJK in doubles, and decides the relation without tolerances. Termination:
 * docs/theory/termination.md. */

/* Clears the answer except its iterations, decides the relation and fills certificate, distance, interval, normal and
 * witness points. For overlapping cores, fills only the relation and its pairs. The hull of the pairs contains the
 * origin in its interior, and the caller computes the depth. `candidate` can be NULL or empty. If the large arena were
 * full, which docs/theory/exact.md excludes, the result would be UNDECIDED with GRAZE_STOP_PRECISION. */
void grz_exact_answer(const grz_obstacle *obstacle, double clearance, const grz_simplex *candidate, grz_result *result);

/* Up to 2·dim + 1 points of the CSO, exactly: scale·w. */
enum { EXACT_MOST = 7 };

typedef struct grz_exact {
  grz_arena *arena;
  const grz_obstacle *c;
  grz_placement placing;
  size_t mark; /* above it: points and temporaries of the current step */
  int steps;
  int count;
  grz_core_point a[EXACT_MOST], b[EXACT_MOST];
  int32_t end[EXACT_MOST]; /* end of the time interval, for moving bodies */
  grz_bvec w[EXACT_MOST];
} grz_exact;

/* Runs `work` on a new grz_exact in a small arena, and again in a large one if the small one is full. Returns false if
 * both are full; the results of `work` are then invalid. */
bool grz_exact_run(const grz_obstacle *obstacle, void (*work)(grz_exact *x, void *context), void *context);

/* Fills the answer after such a failure. */
void grz_exact_fail(const grz_obstacle *obstacle, grz_result *result);

/* The farthest vertex of one core along a local direction. */
grz_core_point grz_exact_support(grz_exact *x, const graze_placed *placed, grz_bvec local);

/* scale·r: both radii, margins and the clearance, exactly. */
grz_big grz_exact_radius(grz_exact *x, double clearance);

/* Fills distance, lower and upper around excess/divisor, whose relative error is 12 roundings. */
void grz_exact_interval(grz_scaled excess, grz_scaled divisor, grz_result *result);

/* Replaces the points of x by up to EXACT_MOST pairs, and returns the nearest point of their hull. */
grz_nearest grz_exact_nearest(grz_exact *x, const grz_pair *pairs, int count);

/* Keeps only the points of the carrier. */
void grz_exact_keep(grz_exact *x, const grz_nearest *nearest);

/* Computes witness points of the cores (world axes, without positions) from x's points, which are the carrier of the
 * nearest point. Call it before later steps overwrite the weights in the arena. */
void grz_exact_core_points(const grz_exact *x, const grz_nearest *nearest, graze_vec *core_a, graze_vec *core_b);

/* Point i as a pair. */
static inline grz_pair grz_exact_pair(const grz_exact *x, int i) {
  grz_pair pair = {x->a[i].index, x->b[i].index, x->a[i].local, x->b[i].local, x->end[i]};
  return pair;
}

/* ---- Convex hulls of points of the CSO with exact predicates
 *
 * The test of the side of a face on which a point lies is exact. Doubles replace exact arithmetic only where their
 * result is certain. The polytope names its points by their parents. */
typedef struct grz_exact_hull {
  grz_exact *x;
  grz_polytope *polytope; /* in 2D a face is an edge */
} grz_exact_hull;

/* scale·w of a point. */
grz_bvec grz_hull_point(const grz_exact_hull *hull, int point);

/* The sign of N·(w - face): 1 beyond the plane, 0 on the plane. */
int grz_hull_side(const grz_exact_hull *hull, const int32_t *vertex, int point);

/* The sign of N·w for a face: 1 if the origin lies on its inner side, 0 if on its plane. */
int grz_hull_height_sign(const grz_exact_hull *hull, int face);

/* The number of affinely independent points, up to dim + 1; `basis` receives the first such points. */
int grz_hull_basis(const grz_exact_hull *hull, int basis[4]);

/* Builds the hull of all points of the polytope, of which the dim + 1 in `basis` are affinely independent. Returns
 * false if the arena is full. */
bool grz_hull_build(grz_exact_hull *hull, const int basis[4]);

/* ---- EPA, the expanding polytope algorithm (van den Bergen 2001): the penetration depth of two cores
 *
 * A polytope inside the CSO grows around the origin. Each step inserts the support point along the normal of the
 * nearest face, until that face lies on the boundary of the CSO. The distance of the nearest face is a lower bound
 * of the depth, and the support width along any direction is an upper bound. Theory: docs/theory/depth.md. */
typedef enum grz_epa_end {
  GRZ_EPA_CLOSED = 1, /* the bounds met, within the rounding of this arithmetic */
  GRZ_EPA_NO_SPACE,   /* the workspace is full */
  GRZ_EPA_BROKEN      /* rounding: the polytope is not a surface around the origin */
} grz_epa_end;

typedef struct grz_epa {
  const grz_obstacle *c;
  grz_polytope polytope; /* in 2D a face is an edge, vertex[0] to vertex[1] */
  double tolerance;      /* EPA stops if high - low is at most this */
  double high;           /* least support width so far, rounded, without support_error */
  graze_vec direction;   /* unit direction of that width */
  double low;            /* proved lower bound of the depth; set by grz_epa_low() */
  double seen;           /* the best lower bound of earlier checks; 0: none */
  int steps;
} grz_epa;

/* Runs EPA in doubles from the points of the polytope. Only their pairs must be set. Support points are added until dim
 * + 1 points are independent. */
grz_epa_end grz_epa_run(grz_epa *epa);

/* The face nearest to the origin. */
int grz_epa_nearest(const grz_polytope *polytope);

/* True if `direction` is the normal of the face, up to the rounding of unit vectors. */
bool grz_epa_in_one_plane(const grz_face *face, graze_vec direction);

/* Sets epa->low to the lower bound that the distances of all faces prove, all rounding included. Returns false if the
 * origin is possibly not inside the polytope. The polytope must be that of grz_epa_run(). */
bool grz_epa_low(grz_epa *epa);

/* Computes witness points of the cores (world axes, without positions): the parents of the projection of the origin on
 * the nearest face. */
void grz_epa_witness(const grz_epa *epa, graze_vec *core_a, graze_vec *core_b);

/* The k-th of six trial directions that are linearly independent of the points flat[0] … flat[rank - 1]. They are the
 * two normals if the rank determines them, otherwise directions along the axes. The largest coordinate is 1 or -1.
 * Returns false if there is no k-th direction. */
bool grz_epa_independent_direction(const grz_polytope *polytope, const int *flat, int rank, int k, int dim,
                                   graze_vec *d);

/* Appends a point by its parents. Returns its index, or -1 if the workspace is full. */
int grz_epa_point(grz_epa *epa, const grz_cso_point *point);

/* ---- EPA with exact predicates */
typedef struct grz_epa_depth {
  grz_epa_end end;
  int face;                   /* the nearest face */
  graze_vec core_a, core_b;   /* witness points of the cores, without positions */
  grz_scaled excess, divisor; /* if closed, and the cores are polytopes: the depth including r is excess / divisor, with
                               * a relative error of 12 roundings */
} grz_epa_depth;

/* Runs EPA with exact predicates from the hull of the points of the polytope. Only their pairs must be set. Sets
 * epa->low, and for curved cores epa->high and epa->direction. CLOSED with polytopes: the nearest face is a facet of
 * the CSO. BROKEN: the CSO is flat, or the origin is not strictly inside. */
void grz_epa_exactly(grz_epa *epa, double clearance, grz_epa_depth *depth);

/* ---- Floating-point filters (certify.c): prove the proposal of a search in doubles, if rounding permits. Every
 * constant is derived in docs/theory/rounding.md. */

static inline void grz_certify_vector(graze_vec d, grz_result *result) {
  result->proof.direction.form = GRAZE_DIRECTION_VECTOR;
  result->proof.direction.vector = d;
}

/* Fills a separation along d. */
static inline void grz_certify_separated(graze_vec d, grz_result *result) {
  result->answer.relation = GRAZE_SEPARATED;
  result->proof.kind = GRAZE_CERTIFICATE_SEPARATED;
  grz_certify_vector(d, result);
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

/* True if the cores are certainly separated, but rounding placed the origin in the simplex. The simplex then gives no
 * upper bound. */
static inline bool grz_certify_has_no_upper(const grz_gjk *gjk, const grz_result *result) {
  return result->answer.relation == GRAZE_SEPARATED && (gjk->holds_origin || gjk->simplex.vv == 0);
}

/* Fills distance, interval, normal and witness points from the simplex and the best direction. For overlapping cores
 * the distance is NaN, and the interval is [-(least support width computed), 0]. */
void grz_certify_numbers(const grz_obstacle *obstacle, double clearance, const grz_gjk *gjk, grz_result *result);

/* The nearest point of C in closed form. Its parents must give it within 66u·size of a point of C. */
typedef struct grz_closest {
  graze_vec v;              /* from the core of B to that of A, accurate in direction also near the origin */
  double length;            /* |v| */
  double gap;               /* the gap of the cores along -v is certainly at least this */
  graze_vec core_a, core_b; /* its parents in world axes, without positions */
} grz_closest;

/* Fills the relation, and with `measure` the numbers; not the pairs. Returns false if the relation is uncertain. */
bool grz_certify_closest(const grz_obstacle *obstacle, double clearance, const grz_closest *closest, bool measure,
                         grz_result *result);

/* Two cores at rest without a CSO: nearest.h. */
typedef struct grz_cores_pair {
  const graze_placed *a, *b;
  const graze_options *options;
  graze_vec offset;
  double r, error; /* of r and of the distance of the cores together */
} grz_cores_pair;

/* The difference of their nearest points. */
typedef struct grz_cores_difference {
  graze_vec d;          /* from the core of B to that of A, in world axes */
  double square;        /* |d|² */
  double gap;           /* the distance of the cores is at least gap / |d| … */
  double near, divisor; /* … and at most the root of near / divisor; the divisor is 1 if it is measured */
  bool inside;   /* measured, and a core contains the other, which is a point, up to rounding: d is the normal of the
                  * nearest face. If near is 0, the signed distance of the cores is gap / |d| */
  bool interior; /* the hull of the pairs certainly has the origin in its interior */
  graze_vec core_a, core_b; /* the nearest points in world axes, without positions, if they are measured */
} grz_cores_difference;

/* Fills the numbers of a decided relation; `most` is the upper bound of the distance of the cores. Returns whether the
 * interval is as narrow as promised. */
bool grz_certify_cores(const grz_cores_pair *p, const grz_cores_difference *v, double most, grz_result *result);

/* Fills the certain lower bound of the signed distance along gjk->lower_direction, and the certificate: that
 * direction. */
void grz_certify_lower(const grz_obstacle *obstacle, const grz_gjk *gjk, grz_result *result);

/* Fills the witness points: core points (relative to the positions of the bodies), displaced along the normal of the
 * answer by the radii. The clearance is added to the radius of A. */
void grz_certify_witness(const graze_placed *a, const graze_placed *b, graze_vec core_a, graze_vec core_b,
                         double clearance, grz_result *result);

/* The depth of overlapping cores, times `unit`. */
typedef struct grz_depth {
  double low, high;         /* certainly low <= depth <= high */
  double best;              /* the best approximation */
  graze_vec direction;      /* unit; the support width along it is at most high */
  graze_vec core_a, core_b; /* witness points in the caller's units, relative to the positions of the bodies */
} grz_depth;

/* Fills distance, interval, normal, witness points and the direction of overlapping cores. */
void grz_certify_depth(const grz_obstacle *obstacle, double clearance, const grz_depth *depth, grz_result *result);

/* The same without an obstacle; `unit` is 1, and `size` is at least |w| of every point w of C. */
void grz_certify_depth_of(const graze_placed *a, const graze_placed *b, double size, double clearance,
                          const grz_depth *depth, grz_result *result);

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
