/* The configuration-space obstacle (CSO) of two placed shapes: C = A - B, given by its support function. A point of C
 * stores its two parents, from which witness points and certificates are made.
 *
 * Points in doubles have errors. `point_error` and `support_error` bound them for the whole query:
 * docs/theory/rounding.md, section "Support points".
 *
 * For moving bodies the obstacle is the swept CSO, C + [0, T]. T is the displacement of A relative to B in the time
 * interval of the query. The swept CSO is convex, and its points also store their end of the interval. */
#ifndef GRAZE_NARROW_OBSTACLE_H
#define GRAZE_NARROW_OBSTACLE_H

#include "simd/f64x2.h"
#include "shape/proof.h"
#include "shape/shape.h"
#include "shape/support.h"

#include <graze/graze.h>

/* |rounded r - r| <= GRZ_RADIUS_ERROR·r; r is the sum of both radii, margins and the clearance. */
#define GRZ_RADIUS_ERROR (4 * GRZ_U)

typedef struct grz_cso_point {
  graze_vec w;         /* a - b in world axes, rounded */
  grz_core_point a, b; /* the parents */
  int32_t end;         /* 1: at the end of the interval, displaced by T */
} grz_cso_point;

/* The half edges of boxes A and B, interleaved, in world axes. */
typedef struct grz_box_edges {
  f64x2 half[3]; /* their lengths */
  f64x2 x[3], y[3], z[3];
} grz_box_edges;

typedef struct grz_obstacle {
  const graze_placed *a, *b;
  struct grz_tracer *tracer; /* NULL: no trace (trace.h) */
  int dim;
  bool curved; /* a core has no vertices */
  bool climbs; /* a core is a large hull with adjacency */
  bool boxes;  /* both cores are boxes in 3D */
  double unit; /* a power of two, 1 unless the shapes are tiny. All lengths below, and every w, are the caller's lengths
                  times `unit`, so that no product underflows */
  const double *rotate_a, *rotate_b; /* the rotations, times unit */
  double scaled[2][9];               /* storage of the rotations if unit is not 1 */
  graze_vec offset;                  /* p_a - p_b, rounded; of moving bodies, at the start of the interval */
  bool swept;                        /* the bodies move, and the interval is not a single time */
  graze_vec sweep;                   /* T, rounded */
  double size;                       /* >= |w| of every core point: both bounding radii + |offset| */
  double point_error;                /* |stored w - w| <= point_error */
  double support_error; /* w the support point: max d·w' over C is <= d·w + |d|·(support_error + slack) */
  double radius;        /* r, rounded: both radii, margins and the clearance */
  double radius_error;  /* |radius - r| <= radius_error */
  double scale;         /* the scale of promised widths: the larger bounding radius, with radius and margin */
  grz_box_edges edges;  /* only if `boxes` */
} grz_obstacle;

/* Neither shape may be a half-space. The obstacle contains pointers to its own members, so it must not be copied. */
void grz_obstacle_make(grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b, double clearance);

/* The obstacle of the bodies as placed, with error bounds that hold for the motion of A relative to B until time `end`.
 */
void grz_obstacle_make_for(grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b, double clearance,
                           graze_vec speed, double end);

/* The point of C of two core points. */
GRZ_TEMPLATE grz_cso_point grz_obstacle_point(const grz_obstacle *c, grz_core_point a, grz_core_point b,
                                              const int dim) {
  graze_vec wa = vec_rotate(c->rotate_a, a.local, dim), wb = vec_rotate(c->rotate_b, b.local, dim);
  grz_cso_point p = {vec_add(vec_sub(wa, wb), c->offset), a, b, 0};
  return p;
}

/* Displaces the point to the end of the interval. */
static inline void obstacle_move(const grz_obstacle *c, grz_cso_point *p) {
  p->w = vec_add(p->w, c->sweep);
  p->end = 1;
}

/* The point of C of a pair. */
GRZ_TEMPLATE grz_cso_point grz_obstacle_of_pair(const grz_obstacle *c, const grz_pair *pair, const int dim) {
  grz_core_point a = {pair->point_a, pair->a}, b = {pair->point_b, pair->b};
  grz_cso_point p = grz_obstacle_point(c, a, b, dim);
  if (pair->end && c->swept) obstacle_move(c, &p);
  return p;
}

/* The support heights of two boxes: A along d and B along -d. */
typedef struct grz_box_support {
  f64x2 height;   /* the heights */
  u64x2 minus[3]; /* the sign bit of each edge that is subtracted */
} grz_box_support;

static inline grz_box_support grz_obstacle_box_extent(const grz_box_edges *e, graze_vec d) {
  grz_box_support extent;
  f64x2 height[3];
  for (int k = 0; k < 3; k++) {
    const f64x2 x = e->x[k] * (f64x2){d.x, -d.x}, y = e->y[k] * (f64x2){d.y, -d.y};
    const f64x2 projection = (x + y) + e->z[k] * (f64x2){d.z, -d.z};
    extent.minus[k] = f64x2_signs(projection);
    height[k] = f64x2_abs(projection);
  }
  extent.height = (height[0] + height[1]) + height[2];
  return extent;
}

/* A coordinate of the support vertex of A minus that of B. */
static inline double obstacle_box_coordinate(const f64x2 edge[3], const grz_box_support *extent) {
  const f64x2 first = f64x2_negate_by(edge[0], extent->minus[0]), second = f64x2_negate_by(edge[1], extent->minus[1]);
  const f64x2 corner = (first + second) + f64x2_negate_by(edge[2], extent->minus[2]);
  return corner[0] - corner[1];
}

/* The support point of C relative to its centre. */
static inline graze_vec grz_obstacle_box_corner(const grz_box_edges *e, const grz_box_support *extent) {
  return vec_make(obstacle_box_coordinate(e->x, extent), obstacle_box_coordinate(e->y, extent),
                  obstacle_box_coordinate(e->z, extent));
}

/* The indices of the support vertices of A and B. */
static inline void grz_obstacle_box_indices(const grz_box_support *extent, int32_t *a, int32_t *b) {
  const int x = f64x2_sign_mask(extent->minus[0]), y = f64x2_sign_mask(extent->minus[1]),
            z = f64x2_sign_mask(extent->minus[2]);
  *a = ((x & 1) | (y & 1) << 1 | (z & 1) << 2) ^ 7;
  *b = (x >> 1 | (y & 2) | (z & 2) << 1) ^ 7;
}

/* obstacle_support() of boxes. For the same vertices w has the same bits, because a product with -1 is exact. Among
 * vertices that are equal up to rounding it may select another one. */
static inline grz_cso_point grz_obstacle_box_support(const grz_obstacle *c, graze_vec d) {
  const grz_box_support extent = grz_obstacle_box_extent(&c->edges, d);
  const f64x2 local[3] = {f64x2_negate_by(c->edges.half[0], extent.minus[0]),
                          f64x2_negate_by(c->edges.half[1], extent.minus[1]),
                          f64x2_negate_by(c->edges.half[2], extent.minus[2])};
  grz_cso_point p = {.w = vec_add(grz_obstacle_box_corner(&c->edges, &extent), c->offset), .end = 0};
  p.a.local = vec_make(local[0][0], local[1][0], local[2][0]);
  p.b.local = vec_make(local[0][1], local[1][1], local[2][1]);
  grz_obstacle_box_indices(&extent, &p.a.index, &p.b.index);
  return p;
}

/* The support point of C along the world direction d (not zero). *slack: the error of the caller's support functions.
 */
GRZ_TEMPLATE grz_cso_point obstacle_support(const grz_obstacle *c, graze_vec d, double *slack, const int dim) {
  double error = 0;
  const graze_vec direction_a = vec_unrotate(c->rotate_a, d, dim),
                  direction_b = vec_unrotate(c->rotate_b, vec_neg(d), dim);
  grz_core_point a = grz_support_short(&c->a->shape, direction_a, &error, dim);
  grz_core_point b = grz_support_short(&c->b->shape, direction_b, &error, dim);
  *slack = 2 * error * c->unit;
  grz_cso_point p = grz_obstacle_point(c, a, b, dim);
  if (c->swept && vec_dot(d, c->sweep) > 0) obstacle_move(c, &p);
  return p;
}

/* gap(d)/|d| of the support point along d and its slack. */
static inline double grz_obstacle_gap_at(graze_vec d, const grz_cso_point *point, double slack) {
  return -vec_dot(d, point->w) / vec_length(d) - slack;
}

/* Computes the support point along d and returns gap(d)/|d| in doubles. The true gap of the cores is at least this
 * minus support_error. |d| must be in the range of docs/theory/rounding.md, "Range of d". */
GRZ_TEMPLATE double obstacle_gap(const grz_obstacle *c, graze_vec d, grz_cso_point *point, const int dim) {
  double slack = 0;
  *point = obstacle_support(c, d, &slack, dim);
  return grz_obstacle_gap_at(d, point, slack);
}

/* obstacle_support() and obstacle_gap() for code outside of loops: not inline. */
grz_cso_point grz_obstacle_support(const grz_obstacle *c, graze_vec d, double *slack);
double grz_obstacle_gap(const grz_obstacle *c, graze_vec d, grz_cso_point *point);

/* obstacle_gap() without the point. |d| >= 2^-200, so that squares of extents times d do not underflow. */
GRZ_TEMPLATE double grz_obstacle_gap_alone(const grz_obstacle *c, graze_vec d, const int dim) {
  double error = 0;
  const double a = grz_support_value(&c->a->shape, vec_unrotate(c->rotate_a, d, dim), &error);
  const double b = grz_support_value(&c->b->shape, vec_unrotate(c->rotate_b, vec_neg(d), dim), &error);
  double most = (a + b) + vec_dot(d, c->offset);
  if (c->swept) most += real_max(vec_dot(d, c->sweep), 0);
  return -most / vec_length(d) - 2 * error * c->unit;
}

/* obstacle_gap() by hill climbing: a proposal. On hulls with flat regions the gap can be smaller than this. */
double grz_obstacle_climbed_gap(const grz_obstacle *c, graze_vec d, grz_cso_point *point);

/* The pair of the parents. */
static inline grz_pair grz_obstacle_pair(const grz_cso_point *p) {
  grz_pair pair = {p->a.index, p->b.index, p->a.local, p->b.local, p->end};
  return pair;
}

/* True if both have the same core points. Points of curved shapes are compared by their coordinates. Most pairs differ:
 * one branch compares all indices. */
static inline bool grz_obstacle_same(const grz_cso_point *p, const grz_cso_point *q) {
  if (((p->a.index ^ q->a.index) | (p->b.index ^ q->b.index) | (p->end ^ q->end)) != 0) return false;
  return (p->a.index >= 0 || vec_equal(p->a.local, q->a.local)) &&
         (p->b.index >= 0 || vec_equal(p->b.local, q->b.local));
}

#endif
