/* Casts of convex bodies: the interface, and the state that the files of this folder share. */
#ifndef GRAZE_CCD_CCD_H
#define GRAZE_CCD_CCD_H

#include "narrow/axes.h"
#include "narrow/query.h"
#include "shape/motion.h"
#include "shape/placed.h"

#include <stdint.h>

/* ---- GJK ray cast (ray_cast.c)
 *
 * Each separating direction gives a time until which the bodies are disjoint. The cast advances to that time. */

typedef enum grz_ray_cast_end {
  GRZ_RAY_CAST_UNKNOWN = 0, /* nothing is known beyond `free` */
  GRZ_RAY_CAST_MISS,        /* certainly no contact until the end */
  GRZ_RAY_CAST_HIT          /* certainly a contact in [free, late] */
} grz_ray_cast_end;

/* Times start at the moment for which the obstacle was made. Lengths and the speed are the caller's times its unit. */
typedef struct grz_ray_cast {
  graze_vec speed; /* of A relative to B, rounded */
  double fast;     /* >= |speed| */
  double end;
  /* Results: */
  double free;         /* certainly no contact in [0, free]; 0: possibly an immediate contact */
  graze_vec direction; /* separates at both ends of [0, free]; for MISS, if `shown`, also at `end` */
  bool known, shown;   /* known: a direction is known */
  double doubt;        /* the uncertainty of `free` caused by rounding; 0: unknown */
  double late;
  grz_simplex simplex; /* the nearest simplex at time `free` */
  int iterations;
} grz_ray_cast;

/* Runs the ray cast with the first direction `start`. The error bounds of the obstacle must cover the whole motion; its
 * offset is that of time 0. With `stops_early`, the run stops if the first direction does not separate. */
grz_ray_cast_end grz_ray_cast_run(grz_ray_cast *cast, const grz_obstacle *obstacle, graze_vec start, bool stops_early);

/* Initializes a result for single steps along directions of the caller. */
void grz_ray_cast_start(grz_ray_cast *cast);

/* Advances time to the supporting plane with normal d, which has about unit length. Returns MISS or UNKNOWN. */
grz_ray_cast_end grz_ray_cast_by(grz_ray_cast *cast, const grz_obstacle *obstacle, graze_vec d);

/* As grz_ray_cast_by(), if the gap of the cores along d at time 0 is known within support_error, and `free` is 0. */
grz_ray_cast_end grz_ray_cast_across(grz_ray_cast *cast, const grz_obstacle *obstacle, graze_vec d, double gap);

/* Tests for a certain hit soon after `free`. The simplex must have dim points at time 0, and the cores no margins.
 * Returns HIT or UNKNOWN. */
grz_ray_cast_end grz_ray_cast_soon(grz_ray_cast *cast, const grz_obstacle *obstacle);

/* ---- LCCD (facets.c): the facet planes of C = A - B against the relative path of A
 *
 * Sources: Cyrus and Beck 1978 (clipping), Zhang (LCCD). Theory: docs/theory/cast.md, "LCCD".
 * The origin enters C when it passes the last plane inward, unless it has passed another plane outward before. These
 * times are rounded proposals; grz_ray_cast_by() and grz_ray_cast_soon() prove them. */

/* A vertex of A or B, in any frame. */
typedef struct grz_facet_path_vertex {
  graze_vec at;
  int32_t index;
} grz_facet_path_vertex;

enum { GRZ_FACET_VERTICES = 16 };

typedef struct grz_facet_path_face {
  grz_facet_path_vertex vertex[GRZ_FACET_VERTICES];
  int count;
} grz_facet_path_face;

/* Selects dim of the points a - b + offset, in a plane with normal n, whose hull contains the origin. */
void grz_facet_path_pick(grz_facet_path *path, const grz_facet_path_face *a, const grz_facet_path_face *b, graze_vec n,
                         graze_vec offset, int dim);

/* As grz_ray_cast_run(), for polytopes without margins; *end receives the outcome. Returns GRAZE_NO_SPACE if the
 * workspace is too small for the faces and edges of the shapes, and GRAZE_UNSUPPORTED if the GJK ray cast must replace
 * the planes. */
typedef graze_status grz_facet_planes(grz_ray_cast *out, const grz_obstacle *obstacle, const graze_options *options,
                                      grz_ray_cast_end *end);

/* The facet planes of two boxes in 3D. */
graze_status grz_cast_box_planes(grz_ray_cast *out, const grz_obstacle *obstacle, const graze_options *options,
                                 grz_ray_cast_end *end);

/* The edge lines of boxes, triangles and polygons in 2D. Returns GRAZE_UNSUPPORTED if all corners of a core lie on one
 * line, and for very short edges. */
graze_status grz_cast_polygon_planes(grz_ray_cast *out, const grz_obstacle *obstacle, const graze_options *options,
                                     grz_ray_cast_end *end);

/* Culling: true if the direction of the nearest point of the path separates the bodies at all times. Returns false
 * without a test if that point is nearer than `share` of the sizes. */
bool grz_facets_cull(grz_ray_cast *out, const grz_obstacle *obstacle, double share);

/* Proves the proposal of the planes. */
grz_ray_cast_end grz_facets_settle(grz_ray_cast *out, const grz_obstacle *obstacle, const grz_facet_path *path);

/* ---- Linear casts of two convex bodies (cast.c, cast_clear.c) */

/* Computes graze_cast() of convex shapes without rotation. If `ray` is true, B is a point that moves along a ray,
 * and touching at the start is a hit. If `planes` is not NULL, it replaces the GJK ray cast (LCCD). */
graze_status grz_cast_pair(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                           double t_max, bool ray, const graze_cast_options *options, grz_facet_planes *planes,
                           grz_cast_result *result);

/* The options of the static queries within a cast. */
graze_options grz_still_options(const graze_cast_options *options);

/* More than the displacement after which two bodies in linear motion only move apart: their sizes and their gap. */
static inline double cast_extent(const graze_placed *a, const graze_placed *b, double clearance) {
  const double rounded = (a->hidden.radius + b->hidden.radius) + clearance;
  return 4 * (((a->hidden.bounding_radius + b->hidden.bounding_radius) + rounded) + vec_norm1(placed_offset(a, b)));
}

/* ---- Results of casts, for all kinds of motion */

/* Initializes a result in which nothing is known. */
static inline void cast_result_clear(grz_cast_result *result, graze_algorithm algorithm, bool conditional) {
  const double nan = __builtin_nan("");
  const graze_vec none = {nan, nan, nan};
  grz_proof *proof = &result->proof;
  result->cast.outcome = GRAZE_POSSIBLE;
  result->cast.start_relation = GRAZE_SEPARATED;
  result->cast.algorithm = algorithm;
  result->cast.stopped = GRAZE_STOP_NONE;
  result->cast.iterations = 0;
  result->cast.exact = false;
  result->cast.conditional = conditional;
  result->cast.part_a = result->cast.part_b = 0;
  result->cast.pairs_tested = 0;
  proof->kind = GRAZE_CERTIFICATE_NONE;
  proof->direction.form = GRAZE_DIRECTION_NONE;
  proof->direction.count = proof->pair_count = 0;
  proof->vertex = -1;
  proof->depth_proof = GRAZE_DEPTH_BY_PAIRS;
  proof->surface = NULL;
  result->cast.t = result->cast.t_lower = result->cast.t_upper = nan;
  result->cast.min_lower = result->cast.min_upper = result->cast.t_min = nan;
  result->cast.point = result->cast.normal = none;
  result->steps = NULL;
  result->step_count = 0;
}

static inline void cast_result_times(grz_cast_result *result, graze_cast_outcome outcome, double from, double to) {
  result->cast.outcome = outcome;
  result->cast.t = result->cast.t_lower = from;
  result->cast.t_upper = to;
}

/* Sets `stopped` if the bracket of a hit is wider than promised. */
static inline void cast_result_check_width(grz_cast_result *result, double promised) {
  if (result->cast.t_upper - result->cast.t_lower > promised) result->cast.stopped = GRAZE_STOP_PRECISION;
}

/* Reports no contact; point and normal are undefined. */
static inline void cast_result_miss(grz_cast_result *result) {
  const double nan = __builtin_nan("");
  result->cast.outcome = GRAZE_CLEAR;
  result->cast.point = result->cast.normal = vec_make(nan, nan, nan);
}

/* Copies the result of the query at the start, if the bodies are not certainly separated there. Overlapping bodies
 * hit at time 0. */
static inline void cast_result_start(const graze_placed *a, const graze_placed *b, const grz_result *start,
                                     grz_cast_result *result) {
  result->cast.start_relation = start->answer.relation;
  result->cast.stopped = start->answer.stopped;
  result->cast.exact = start->answer.exact;
  result->cast.part_a = start->answer.part_a, result->cast.part_b = start->answer.part_b;
  result->cast.normal = start->answer.normal;
  result->cast.point = vec_scale(vec_add(start->answer.point_a, start->answer.point_b), 0.5);
  result->cast.position_a = placed_reference_point(a), result->cast.position_b = placed_reference_point(b);
  result->proof = start->proof;
  if (start->answer.relation == GRAZE_OVERLAPPING) cast_result_times(result, GRAZE_HIT, 0, 0);
}

/* ---- The state of a linear cast */

enum { CAST_HALVINGS = 60 };

typedef struct grz_linear_cast {
  const graze_placed *at_a, *at_b; /* as given by the caller */
  graze_vec velocity_a, velocity_b;
  bool copied;
  grz_moved a, b; /* copies in motion; most casts do not need them */
  graze_options options;
  bool plane, ray;
  bool nearest;             /* true: the minimum distance is required if there is no contact */
  grz_facet_planes *planes; /* NULL, or the facet planes that replace the GJK ray cast */
  double t_requested;       /* t_max of the caller */
  double t_max, end;        /* t_max: of the motion; end: the time after which the bodies only move apart */
  double scale;             /* a lower bound of the time in which the bodies move by their distance and sizes */
  bool never_closer;        /* true: the bodies never approach each other */
  graze_vec speed;          /* of A relative to B, rounded */
  double fast;              /* >= |speed|, with rounding errors within 4u of it */
  double free;              /* certainly no contact in [0, free] */
  grz_direction by;         /* the direction that separates at both ends of [0, free] */
  bool shown;               /* true: `by` also separates at the end of the motion, if there is no contact */
  double doubt;             /* the uncertainty of `free` caused by rounding */
  double min_reliable;      /* the nearest point of the CSO gives a reliable direction only beyond this distance */
  grz_ray_cast gjk;
  bool stops_early;    /* the ray cast stops if the line of centres does not separate the bodies at the start */
  graze_status status; /* if not GRAZE_OK, there is no result */
  grz_cast_result *result;
} grz_linear_cast;

/* Sets the motion of the copies for a query about this time interval. */
static inline void cast_between(grz_linear_cast *c, double from, double to) {
  if (!c->copied) {
    grz_moved_make(&c->a, c->at_a);
    grz_moved_make(&c->b, c->at_b);
    c->copied = true;
  }
  moving_between(&c->a, c->velocity_a, from, to);
  moving_between(&c->b, c->velocity_b, from, to);
}

static inline grz_direction cast_vector(graze_vec d) {
  return (grz_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = d};
}

static inline void cast_positions(const grz_linear_cast *c, double t) {
  t = motion_last_time(t);
  c->result->cast.position_a = moving_position(c->at_a, c->velocity_a, t);
  c->result->cast.position_b = moving_position(c->at_b, c->velocity_b, t);
}

/* Fills the result of a cast without contact. The minimum distance is the distance of the CSO, swept over the whole
 * motion, from the origin. */
void grz_cast_clear(grz_linear_cast *c);

/* ---- Casts of two convex bodies that move and rotate (sweep.c, sweep_state.c). Theory: docs/theory/sweep.md */

/* The remaining work of a sweep, shared by all pairs of parts. The cost is counted, not measured in time, so it is
 * equal on all machines. sweep_state.c defines its unit. */
typedef struct grz_sweep_budget {
  int steps;    /* steps of time */
  int64_t cost; /* <= 0: exhausted */
} grz_sweep_budget;

/* A cast of two bodies that move and rotate. */
typedef struct grz_cast_query {
  const graze_placed *a, *b;
  const graze_motion *motion_a, *motion_b;
  double from;              /* certainly no contact until this time; 0: unknown */
  double to;                /* the search ends here */
  double last;              /* the latest time of an overlap that proves an earlier contact */
  grz_sweep_budget *budget; /* starts with GRZ_SWEEP_STEPS and GRZ_SWEEP_COST; each query uses one step at least */
} grz_cast_query;

enum { GRZ_SWEEP_STEPS = 1 << 16, GRZ_SWEEP_COST = 1 << 22 };

/* Computes graze_cast() by the methods AUTO, SWEEP (intervals of time) and CA (conservative advancement). The input
 * is valid. */
graze_status grz_sweep_pair(const grz_cast_query *query, const graze_cast_options *options, grz_cast_result *result);

/* ---- The state of a sweep: two bodies in time, and lower bounds of their gap */

typedef struct grz_sweep {
  grz_moving_body a, b;
  grz_moved at_a, at_b; /* at the last evaluated time; core points are within `error` of the exact positions */
  double error;
  double noise; /* the rounding error of a gap at that time, including `error` */
  double size;  /* a bound of the distance of core points from each other, and from the position of the rotating body */
  graze_options options; /* of the static queries */
  graze_cache cache;
  bool plane;
  double end, last; /* of the query, limited to the time after which the bodies only move apart */
  graze_vec speed;  /* of A relative to B, rounded */
  double fast;      /* at least the length of `speed` */
  double fastest;   /* the maximum closing speed of any two points */
  double free;      /* certainly no contact until this time */
  grz_result seen;  /* at the last evaluated time */
  graze_vec by;     /* a unit direction that separates at that time */
  double gap;       /* a lower bound of the gap along `by`; <= 0: unknown */
  double doubt;     /* `noise` of that evaluation */
  int evaluations;
  grz_sweep_budget *budget;
  int64_t cost[2]; /* of an iteration in doubles, and of one in exact arithmetic */
  grz_cast_result *result;
} grz_sweep;

void grz_sweep_make(grz_sweep *sweep, const grz_cast_query *query, const graze_cast_options *options);

/* Counts the iterations of a query and their cost. */
void grz_sweep_charge(grz_sweep *sweep, const grz_result *inner);

/* True if the budget is not exhausted. */
static inline bool grz_sweep_can_go_on(const grz_sweep *sweep) { return sweep->budget->cost > 0; }

/* Places both bodies at time t. */
void grz_sweep_place(grz_sweep *sweep, double t);

/* A lower bound of the gap along the unit direction at the current poses, for the exact motion. The bound is negative
 * if the bodies overlap along d. */
double grz_sweep_gap(grz_sweep *sweep, graze_vec d);

/* Evaluates the relation at time t and the best separating direction. */
void grz_sweep_evaluate(grz_sweep *sweep, double t);

/* True if the bodies overlap at time t despite all rounding errors of their poses. */
bool grz_sweep_overlaps(grz_sweep *sweep, double t, grz_result *inner);

/* An upper bound of the closing speed along the unit direction, at any time. */
double grz_sweep_rate(const grz_sweep *sweep, graze_vec d);

/* A direction that is fixed, or that rotates with one body, as the normal of its face does. */
typedef struct grz_rotating_direction {
  const grz_moving_body *on, *other; /* NULL: fixed */
  const graze_placed *now;           /* the body `on` at its current pose */
  graze_vec world, local;            /* at the start, and in the frame of `on` */
  double error;                      /* of the rounded pose at the start */
} grz_rotating_direction;

/* The direction of the last evaluation, which rotates with `on` from the current poses on. `on` is NULL (fixed) or one
 * of the bodies. */
grz_rotating_direction grz_sweep_rotating_direction(const grz_sweep *sweep, const grz_moving_body *on);

/* The body with more core points at the nearest point: its face or edge defines the normal. NULL if the numbers are
 * equal, or if that body does not rotate. */
const grz_moving_body *grz_sweep_rotating_body(const grz_sweep *sweep);

/* As grz_sweep_gap() along `direction`, at the current poses and the time t. */
double grz_sweep_gap_rotating(grz_sweep *sweep, const grz_rotating_direction *direction, double t);

/* The sum of the sagittas of both bodies: in an interval of this length, no difference of core points deviates more
 * from its chord. */
double grz_sweep_bend(const grz_sweep *sweep, const grz_rotating_direction *direction, double time);

/* True if bounding balls about the positions stay disjoint until the end. */
bool grz_sweep_balls_miss(const grz_sweep *sweep);

#endif
