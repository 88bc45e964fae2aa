/* The configuration-space obstacle (CSO) of two placed shapes: C = A - B, seen by the solvers through its support
 * function only. A point of C remembers its two parents, so witnesses and certificates cost nothing.
 *
 * In doubles every point carries an error; `point_error` and `support_error` bound it once for the whole query:
 * docs/theory/rounding.md, section "Support points".
 *
 * Where the bodies move, the obstacle is the swept one, C + [0, T]: T is how far A moves, as B sees it, in the interval
 * asked about. It is convex as any other, and a point of it remembers also at which end it is. */
#ifndef GRAZE_NARROW_OBSTACLE_H
#define GRAZE_NARROW_OBSTACLE_H

#include "simd/f64x2.h"
#include "shape/proof.h"
#include "shape/core.h"
#include "shape/support.h"
#include "narrow/result.h"

#include <graze/graze.h>

/* |r as rounded - r| <= GRZ_RADIUS_ERROR·r, r the sum of both radii, margins and the clearance. */
#define GRZ_RADIUS_ERROR (4 * GRZ_U)

typedef struct grz_cso_point {
  graze_vec w;         /* a - b in world axes, rounded */
  grz_core_point a, b; /* its parents */
  int32_t end;         /* 1: at the end of the interval, moved by T */
} grz_cso_point;

/* Half the edges of two boxes, side by side, in world axes. */
typedef struct grz_box_edges {
  f64x2 half[3]; /* their lengths */
  f64x2 x[3], y[3], z[3];
} grz_box_edges;

typedef struct grz_obstacle {
  const graze_placed *a, *b;
  struct grz_tracer *tracer; /* NULL, or what tells the caller of every step: trace.h */
  int dim;
  bool curved; /* some core is no list of vertices */
  bool climbs; /* some core is a large hull that knows its edges */
  bool boxes;  /* both cores are boxes in space */
  double unit; /* a power of two, 1 unless the shapes are tiny: all lengths below, and every w, are in caller's
                  units times this, so that no product of lengths underflows */
  const double *rotate_a, *rotate_b; /* the rotations, times unit */
  double scaled[2][9];               /* where they stand when unit is not 1 */
  graze_vec offset;                  /* p_a - p_b, rounded; of moving bodies, at the beginning */
  bool swept;                        /* they move, and the interval is longer than a moment */
  graze_vec sweep;                   /* T, rounded */
  double size;                       /* >= |w| of every core point: reach_a + reach_b + |offset| */
  double point_error;                /* |w as stored - w| <= point_error */
  double support_error; /* max over C of d·w' <= d·w + |d|·(support_error + slack), w the support point along d */
  double radius;        /* r, rounded: both radii, margins and the clearance */
  double radius_error;  /* |radius - r| <= radius_error */
  double scale;         /* what widths are measured by: max(rho_a, rho_b), rho = reach + radius */
  grz_box_edges edges;  /* of boxes */
} grz_obstacle;

/* Neither shape may be a half-space. The obstacle points into itself: do not copy it. */
void grz_obstacle_make(grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b, double clearance);

/* The obstacle of bodies where they are placed, with errors that hold on the whole way, until time `end`, of A as B
 * sees it. */
void grz_obstacle_make_for(grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b, double clearance,
                           graze_vec speed, double end);

/* Where two core points lie as a point of C. */
GRZ_TEMPLATE grz_cso_point grz_obstacle_point(const grz_obstacle *c, grz_core_point a, grz_core_point b,
                                              const int dim) {
  graze_vec wa = vec_rotate(c->rotate_a, a.local, dim), wb = vec_rotate(c->rotate_b, b.local, dim);
  grz_cso_point p = {vec_add(vec_sub(wa, wb), c->offset), a, b, 0};
  return p;
}

/* The same at the end of the interval. */
static inline void obstacle_move(const grz_obstacle *c, grz_cso_point *p) {
  p->w = vec_add(p->w, c->sweep);
  p->end = 1;
}

/* The same of a pair, whose points stand as they are. */
GRZ_TEMPLATE grz_cso_point grz_obstacle_of_pair(const grz_obstacle *c, const grz_pair *pair, const int dim) {
  grz_core_point a = {pair->point_a, pair->a}, b = {pair->point_b, pair->b};
  grz_cso_point p = grz_obstacle_point(c, a, b, dim);
  if (pair->end && c->swept) obstacle_move(c, &p);
  return p;
}

/* What two boxes reach along d: A along it and B against it. */
typedef struct grz_box_support {
  f64x2 far;      /* how far */
  u64x2 minus[3]; /* edges that are taken backward: the sign bit */
} grz_box_support;

static inline grz_box_support grz_obstacle_box_extent(const grz_box_edges *e, graze_vec d) {
  grz_box_support reach;
  f64x2 far[3];
  for (int k = 0; k < 3; k++) {
    const f64x2 x = e->x[k] * (f64x2){d.x, -d.x}, y = e->y[k] * (f64x2){d.y, -d.y};
    const f64x2 along = (x + y) + e->z[k] * (f64x2){d.z, -d.z};
    reach.minus[k] = f64x2_signs(along);
    far[k] = f64x2_abs(along);
  }
  reach.far = (far[0] + far[1]) + far[2];
  return reach;
}

/* A coordinate of the corner of A, less that of B. */
static inline double obstacle_box_coordinate(const f64x2 edge[3], const grz_box_support *reach) {
  const f64x2 first = f64x2_negate_by(edge[0], reach->minus[0]), second = f64x2_negate_by(edge[1], reach->minus[1]);
  const f64x2 corner = (first + second) + f64x2_negate_by(edge[2], reach->minus[2]);
  return corner[0] - corner[1];
}

/* The point of C where they reach so far, seen from its centre. */
static inline graze_vec grz_obstacle_box_corner(const grz_box_edges *e, const grz_box_support *reach) {
  return vec_make(obstacle_box_coordinate(e->x, reach), obstacle_box_coordinate(e->y, reach),
                  obstacle_box_coordinate(e->z, reach));
}

/* The indices of the corners of A and B. */
static inline void grz_obstacle_box_indices(const grz_box_support *reach, int32_t *a, int32_t *b) {
  const int x = f64x2_sign_mask(reach->minus[0]), y = f64x2_sign_mask(reach->minus[1]),
            z = f64x2_sign_mask(reach->minus[2]);
  *a = ((x & 1) | (y & 1) << 1 | (z & 1) << 2) ^ 7;
  *b = (x >> 1 | (y & 2) | (z & 2) << 1) ^ 7;
}

/* As grz_obstacle_support(), of boxes: of the same corners to the last bit the same w, as multiplying by -1 rounds
 * nothing. Which corners, where several are equal up to rounding or an edge has length 0, is its own choice. */
static inline grz_cso_point grz_obstacle_box_support(const grz_obstacle *c, graze_vec d) {
  const grz_box_support reach = grz_obstacle_box_extent(&c->edges, d);
  const f64x2 local[3] = {f64x2_negate_by(c->edges.half[0], reach.minus[0]),
                          f64x2_negate_by(c->edges.half[1], reach.minus[1]),
                          f64x2_negate_by(c->edges.half[2], reach.minus[2])};
  grz_cso_point p = {.w = vec_add(grz_obstacle_box_corner(&c->edges, &reach), c->offset), .end = 0};
  p.a.local = vec_make(local[0][0], local[1][0], local[2][0]);
  p.b.local = vec_make(local[0][1], local[1][1], local[2][1]);
  grz_obstacle_box_indices(&reach, &p.a.index, &p.b.index);
  return p;
}

/* The farthest point of C along the world direction d (not zero). *slack: the error of the callers' support functions.
 */
GRZ_TEMPLATE grz_cso_point grz_obstacle_support(const grz_obstacle *c, graze_vec d, double *slack, const int dim) {
  double error = 0;
  const graze_vec along_a = vec_unrotate(c->rotate_a, d, dim), along_b = vec_unrotate(c->rotate_b, vec_neg(d), dim);
  grz_core_point a = grz_support_short(&c->a->shape, along_a, &error, dim);
  grz_core_point b = grz_support_short(&c->b->shape, along_b, &error, dim);
  *slack = 2 * error * c->unit;
  grz_cso_point p = grz_obstacle_point(c, a, b, dim);
  if (c->swept && vec_dot(d, c->sweep) > 0) obstacle_move(c, &p);
  return p;
}

/* gap(d)/|d| if `point` is the support point along d, `slack` as there. */
static inline double grz_obstacle_gap_at(graze_vec d, const grz_cso_point *point, double slack) {
  return -vec_dot(d, point->w) / vec_length(d) - slack;
}

/* The support point along d and, returned, gap(d)/|d| as doubles see it: the cores' true gap is not below that by more
 * than support_error. |d| must lie within the range of docs/theory/rounding.md, "Range of d". */
GRZ_TEMPLATE double grz_obstacle_gap(const grz_obstacle *c, graze_vec d, grz_cso_point *point, const int dim) {
  double slack = 0;
  *point = grz_obstacle_support(c, d, &slack, dim);
  return grz_obstacle_gap_at(d, point, slack);
}

/* The same without the point. |d| >= 2^-200: squares of extents times d must not underflow. */
GRZ_TEMPLATE double grz_obstacle_gap_alone(const grz_obstacle *c, graze_vec d, const int dim) {
  double error = 0;
  const double a = grz_support_value(&c->a->shape, vec_unrotate(c->rotate_a, d, dim), &error);
  const double b = grz_support_value(&c->b->shape, vec_unrotate(c->rotate_b, vec_neg(d), dim), &error);
  double most = (a + b) + vec_dot(d, c->offset);
  if (c->swept) most += real_max(vec_dot(d, c->sweep), 0);
  return -most / vec_length(d) - 2 * error * c->unit;
}

/* As grz_obstacle_gap(), by climbing: a proposal. Where hulls have flat places, the gap may be smaller than this. */
double grz_obstacle_climbed_gap(const grz_obstacle *c, graze_vec d, grz_cso_point *point);

/* The public form of a point's parents. */
static inline grz_pair grz_obstacle_pair(const grz_cso_point *p) {
  grz_pair pair = {p->a.index, p->b.index, p->a.local, p->b.local, p->end};
  return pair;
}

/* Fills the witness points: core points (without their bodies' positions) moved out along answer->normal by the radii.
 * The clearance is counted as A's. */
void grz_obstacle_witness(const grz_obstacle *obstacle, graze_vec core_a, graze_vec core_b, double clearance,
                          grz_result *result);

/* The same core points? Curved ones are the same when their coordinates are. Few are: one branch for all indices. */
static inline bool grz_obstacle_same(const grz_cso_point *p, const grz_cso_point *q) {
  if (((p->a.index ^ q->a.index) | (p->b.index ^ q->b.index) | (p->end ^ q->end)) != 0) return false;
  return (p->a.index >= 0 || vec_equal(p->a.local, q->a.local)) && (p->b.index >= 0 || vec_equal(p->b.local, q->b.local));
}

#endif
