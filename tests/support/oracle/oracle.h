/* The truth about two placed polytopal shapes, in exact rational arithmetic (GMP).
 *
 * Shares no line with the library: of Graze it sees only the public types. Point, segment, triangle, box, polygon,
 * hull, sphere, capsule, all with margins and a clearance, and half-spaces against them; 2D and 3D; placements exactly
 * rigid, R(q) = M(q)/(q·q).
 *
 * Why it can be trusted: every truth rests on an exact proof over ALL core vertices, and the program aborts when one
 * fails:
 *   distance      weights >= 0 give a point v of C, and v·w >= v·v for every w of C (the optimality condition);
 *   touching      v = 0, and some d != 0 has d·w <= 0 for every w of C;
 *   overlapping   v = 0, and the origin is inside every facet of C by the depth or more: every normal that a facet can
 *                 have is that of a face of A or B or the product of an edge of each, and hull.c tries all of these.
 * The search for v may be as wrong as it likes. */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include <graze/graze.h>

typedef struct oracle oracle;

/* A workspace, used for any number of pairs, one after the other. Aborts when there is no memory. */
oracle *oracle_new(void);
void oracle_free(oracle *o);

/* Finds the truth about a pair. False: not two polytopal shapes (or such a shape and a half-space). */
bool oracle_solve(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                  const graze_pose *pose_b, double clearance);

/* Two bodies that move at these velocities, at all times from `from` to `to`. */
typedef struct oracle_motion {
  graze_vec velocity_a, velocity_b;
  double from, to;
} oracle_motion;

/* The truth about the obstacle swept in this time: its distance from the origin is the least of the motion. NULL: as
 * oracle_solve(). */
bool oracle_solve_moving(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                         const graze_pose *pose_b, double clearance, const oracle_motion *motion);

/* Two bodies that move and rotate, at one time. */
typedef struct oracle_turning {
  graze_motion a, b;
  double t;
} oracle_turning;

/* The truth about the bodies at that time, except for a rotation error of 2^-200. MPFR computes and rounds the sine and
 * cosine of the rotation; everything else is exact. False: as oracle_solve(). */
bool oracle_solve_turning(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                          const graze_pose *pose_b, double clearance, const oracle_turning *motion);

/* The certain sign of (signed distance - x) of the rotated bodies; 0: nearer to x than the error of the rotation. Exact
 * if nothing rotates. */
int oracle_surely(const oracle *o, double x);

/* Whether the direction certainly separates the bodies by more than x >= 0. Not for half-spaces. */
bool oracle_surely_separates(const oracle *o, graze_vec direction, double x);

/* The largest distance of a core point of a body from its axis of rotation; rounded up. */
double oracle_lever(const graze_shape *shape, const graze_pose *pose, graze_vec angular);

/* The largest distance of a rotating point from the chord of its arc, at distance `lever` from the axis:
 * lever·angle²/8, but at most the diameter of its circle. Rounded up. */
double oracle_sagitta(double lever, graze_vec angular, double from, double to);

graze_relation oracle_relation(const oracle *o);

/* Whether the cores intersect. If so, the signed distance is minus their depth minus r. Never true for half-spaces. */
bool oracle_cores_meet(const oracle *o);

/* The sign of (signed distance - x), exactly: -1, 0 or 1. */
int oracle_compare(const oracle *o, double x);

/* The same signed distance, rounded (within a few ulps), for messages. */
double oracle_distance(const oracle *o);

/* Whether moving B by x along the direction ends the overlap, exactly. x < 0: whether the direction separates the
 * bodies by -x. Not for half-spaces. */
bool oracle_ends_overlap(const oracle *o, graze_vec direction, double x);

/* Is the penetration depth, plus r, at most x? */
static inline bool oracle_depth_at_most(const oracle *o, double x) { return oracle_compare(o, -x) >= 0; }

/* The distance of the cores alone, or minus their depth; rounded. */
double oracle_core_distance(const oracle *o);

/* The nearest points: `count` pairs of core vertices with weights that sum to 1 (rounded). Not for half-spaces. */
int oracle_nearest(const oracle *o, int pair_a[4], int pair_b[4], double weight[4]);

/* The rounded unit normal from A to B; where the cores meet, one along which the depth is least. Not for half-spaces.
 */
graze_vec oracle_normal(const oracle *o);

/* Core vertices and the radius sum of a shape, read from the public fields. Count 0: not polytopal. */
int oracle_core_count(const graze_shape *shape);
graze_vec oracle_core_vertex(const graze_shape *shape, int i);

#endif
