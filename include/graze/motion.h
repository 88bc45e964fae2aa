/* Graze: casts of moving bodies and rays. Part of graze.h, which includes it. Guide: docs/guide/motion.md. */
#ifndef GRAZE_MOTION_H
#define GRAZE_MOTION_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup motion Motion
 * The first contact of two moving bodies. No contact is missed: `clear` is proved, rounding included. An undecided
 * motion is `possible`; callers treat it as a hit. Times are in the unit of the velocities.
 * @{ */

/** A motion at constant velocity with rotation about the position at a constant rate. */
typedef struct graze_motion {
  graze_vec velocity;
  graze_vec angular; /**< radians per time about the world axis of this direction; 2D: (0, 0, rate) */
} graze_motion;

/** Returns the pose at time t, rounded. The error of the rotation is about 32 + 6α ulps, for an angle of α radians.
 * @param pose    a pose that graze_check() accepts.
 * @param motion  NULL: at rest. */
GRAZE_API graze_pose graze_pose_after(const graze_pose *pose, const graze_motion *motion, double t);

/** Returns the motion that leads from one pose to another in a time > 0, rounded: the shortest rotation, by at most π.
 */
GRAZE_API graze_motion graze_motion_between(const graze_pose *from, const graze_pose *to, double time);

typedef enum graze_cast_outcome {
  GRAZE_HIT = 1,
  GRAZE_CLEAR,   /**< certainly no contact in [0, t_max] */
  GRAZE_POSSIBLE /**< undecided in [t_lower, t_upper]: see docs/guide/motion.md for the cases */
} graze_cast_outcome;

GRAZE_API const char *graze_cast_outcome_text(graze_cast_outcome outcome);

/** The algorithm for graze_cast(). LCCD of any polytopes, and sampling, are in compare.h. */
typedef enum graze_cast_method {
  GRAZE_CAST_AUTO = 0, /**< with rotation SWEEP; otherwise LCCD for two boxes, or small polygons in 2D, that are neither
                          rounded nor parts of compounds, and FCCD for all others: docs/guide/motion.md */
  GRAZE_CAST_FCCD,     /**< fast continuous collision detection: the swept CSO and a ray cast; no rotation */
  GRAZE_CAST_SWEEP,    /**< time intervals, each with one separating direction; also without rotation */
  GRAZE_CAST_CA        /**< conservative advancement: repeated distance over the greatest speed */
} graze_cast_method;

/** Options of casts. Start from graze_default_cast_options(); zeros are not defaults. */
typedef struct graze_cast_options {
  double clearance;   /**< >= 0, a radius added to A exactly: "stop at this distance". Default 0 */
  double tolerance;   /**< >= 0: the bracket of a hit may be as wide as tolerance / relative speed. Default 0 */
  int max_iterations; /**< >= 1: a budget for each GJK search. Default 64 */
  bool min_distance;  /**< whether to compute the least distance of bodies that stay clear. Default true */
  graze_cast_method method;
  void *workspace; /**< as graze_options::workspace */
  size_t workspace_size;
  graze_error *error;                    /**< NULL, or receives the reason if the call fails */
  struct graze_certificate *certificate; /**< NULL, or receives the certificate of the result */
  struct graze_cast_step *steps; /**< NULL, or receives the intervals that prove that a motion with rotation has no
                                    contact before t_lower; certificate->steps then points to them */
  size_t step_capacity; /**< of `steps`; if too small, the outcome is `possible` from the first missing interval on */
} graze_cast_options;

/** Returns the defaults named above. */
GRAZE_API graze_cast_options graze_default_cast_options(void);

/** The result of a cast. The first contact is in [t_lower, t_upper]. */
typedef struct graze_cast_result {
  graze_cast_outcome outcome;
  graze_relation start_relation; /**< the relation at t = 0 */
  graze_algorithm algorithm;
  graze_stop stopped; /**< PRECISION: an interval is wider than promised. BUDGET: the work limit was reached */
  int iterations;
  int32_t part_a, part_b; /**< compounds, meshes: the parts that meet first; clear: the nearest parts, or
                             0 for sweeps, which compute no least distance */
  size_t pairs_tested; /**< the number of casts of pairs of parts that bounds did not exclude, with repetitions; at an
                          overlap at the start as in graze_answer; 0 for convex shapes */
  bool exact, conditional; /**< as in graze_answer */
  double t_lower, t_upper; /**< NaN if clear */
  double t;                /**< = t_lower: at this time the bodies do not overlap, unless they overlap at the start; NaN
                              if clear */
  graze_vec point;         /**< the contact point; NaN if clear */
  graze_vec normal; /**< unit, from A to B, at t; for an overlap at the start, as in graze_distance(). NaN if clear */
  graze_vec position_a;        /**< of body A at t, or at t_max if clear; for a part that of its compound. Rounded */
  graze_vec position_b;        /**< the same of body B */
  double min_lower, min_upper; /**< if clear, an interval of the least distance in [0, t_max]; [0, NaN] if it is not
                                  computed. NaN for sweeps and other outcomes */
  double t_min; /**< if clear, the time of the least distance, rounded. t_min and min_upper are NaN if t_max exceeds
                   2^20 times the time after which the bodies only move apart */
} graze_cast_result;

/** Computes the first contact of two bodies that move for 0 <= t <= t_max (may be INFINITY).
 *
 * Bodies that start touching and do not approach each other (they separate, rest or slide) are clear. Overlapping
 * bodies hit at 0. A tangential contact is a hit. Without rotation, hits of polytopes, rounded polytopes, and
 * half-spaces against them are decided exactly. With rotation, a hit is an overlap deeper than the rounding of the
 * pose; bodies that come within that rounding of each other are `possible`. The first contact of compounds and meshes
 * is that of their first two parts in contact.
 * @param motion_a, motion_b  NULL: at rest. Half-spaces do not rotate.
 * @param options             NULL: defaults.
 * @return GRAZE_BAD_NUMBER for a NaN time, and for velocities that are not finite or too large. GRAZE_BAD_OPTION for a
 *         negative time. GRAZE_UNSUPPORTED for a method that does not accept the motion. Otherwise as graze_distance().
 *
 * Widths, work limits and the meaning of `possible`: docs/guide/motion.md. Source: van den Bergen 2004 (ray cast
 * against the CSO), docs/theory/cast.md; Mirtich 1996 (conservative advancement), docs/theory/sweep.md. */
GRAZE_API graze_status graze_cast(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                  const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                                  graze_cast_result *result);

/** Computes the first point of a solid on the ray origin + t·direction, 0 <= t <= t_max (may be INFINITY).
 *
 * A ray that starts inside or on the surface hits at t = 0 for any direction; inside, the normal is NaN. A zero
 * direction is a point test. The normal points out of the solid. In the result, A is the solid and B the point. */
GRAZE_API graze_status graze_raycast(const graze_placed *placed, graze_vec origin, graze_vec direction, double t_max,
                                     const graze_cast_options *options, graze_cast_result *result);

/** Called for one part that a ray hits; `result` names it in part_a, and is valid only during the call. Returns false
 * to end the search. */
typedef bool (*graze_raycast_function)(void *context, const graze_cast_result *result);

/** Reports each part that a ray hits, for example all faces of a mesh: for each the first point of the part on the ray.
 *
 * The order is deterministic, and not that of t. To find out whether the ray hits any part, return false from the first
 * call. A face that the ray meets only at an edge or vertex is hit. A ray that starts inside a solid mesh, off its
 * faces, hits nothing at the start.
 * @return as graze_raycast(). */
GRAZE_API graze_status graze_raycast_parts(const graze_placed *placed, graze_vec origin, graze_vec direction,
                                           double t_max, const graze_cast_options *options,
                                           graze_raycast_function report, void *context);

/** A function with the contract of graze_cast(), for scenes: graze_scene_def::cast. */
typedef graze_status (*graze_cast_function)(void *context, const graze_placed *a, const graze_motion *motion_a,
                                            const graze_placed *b, const graze_motion *motion_b, double t_max,
                                            const graze_cast_options *options, graze_cast_result *result);

/** An interval of time without contact, and a direction from A to B that proves it. At both ends of the interval, the
 * gap along the direction exceeds the sum of ρα²/8 over both bodies. ρ is the bounding radius, α is the angle by which
 * the body turns in the interval, and ρα²/8 is the sagitta of the arcs of its points. */
typedef struct graze_cast_step {
  double from, to;
  graze_vec direction;
} graze_cast_step;

/** Verifies a result of graze_cast() or graze_raycast() exactly: the relation at the start, no contact before t_lower,
 * a contact by t_upper, and the least distance if clear. For a hit at 0 it proves the contact, but not that the bodies
 * approach each other. A motion with rotation needs `steps`, otherwise GRAZE_UNPROVEN. A ray is verified as the cast of
 * a point.
 * @param options  NULL: defaults; only `clearance` and `error` are used.
 * @return as graze_verify(); GRAZE_UNSUPPORTED for compounds and meshes (verify graze_part() part_a against part_b). */
GRAZE_API graze_status graze_verify_cast(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                         const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                                         const graze_cast_result *result, const struct graze_certificate *certificate);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
