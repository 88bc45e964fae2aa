/* Motion: casts, rays and sweeps. Part of graze.h, which includes it. */
#ifndef GRAZE_MOTION_H
#define GRAZE_MOTION_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup motion Motion
 * Do they meet on the way, and when? Nothing is missed: where that cannot be decided the answer is `possible`, which
 * callers treat as a hit. Times are in the unit of the velocities.
 * @{ */

typedef enum graze_cast_outcome {
  GRAZE_HIT = 1,
  GRAZE_CLEAR, /**< surely no contact in [0, t_max] */
  /** Perhaps, in [t_lower, t_upper]: curved shapes that graze within about 1e-14 of their size or start `undecided`,
   * a flat body (a point, a segment) that touches a decomposed polygon at first, in whatever direction it moves, and
   * turning bodies that come within rounding of each other: graze_sweep(). */
  GRAZE_POSSIBLE
} graze_cast_outcome;

GRAZE_API const char *graze_cast_outcome_text(graze_cast_outcome result);

/** An interval of time in which nothing is met, and the direction, from A to B, that shows it: at both ends the bodies
 * are apart along it by more than the points of both can leave their chords by meanwhile, ρα²/8 each. */
struct graze_cast_step {
  double from, to;
  graze_direction direction; /**< always three doubles */
};

/** How a body moves: its position at constant velocity, while it turns about it at a constant rate. */
typedef struct graze_motion {
  graze_vec velocity;
  graze_vec angular; /**< radians per time about the world axis of this direction; 2D: (0, 0, rate) */
} graze_motion;

/** What comes of a motion. */
typedef struct graze_cast_result {
  graze_cast_outcome result;
  graze_relation starts;   /**< the relation at t = 0 */
  double t_lower, t_upper; /**< the first contact is surely in this bracket; NaN where clear */
  double t;                /**< = t_lower: the bodies, moved there, do not overlap; NaN where clear */
  graze_vec point;         /**< where they meet; NaN where clear */
  graze_vec normal;        /**< unit, from A to B, at t; starts overlapping: as in graze_distance(). NaN where clear */
  graze_vec position_a, position_b; /**< of the bodies at t, or where clear at t_max, rounded: far from the origin that
                                       alone may move them into each other. Of a graze_part() that of its compound */
  double min_lower, min_upper;      /**< where clear: surely the least distance in [0, t_max]; otherwise NaN */
  double t_min; /**< where clear: when they are so near, rounded; otherwise NaN. It and min_upper are
                   NaN, too, where the motion is a million times longer than what matters */
  graze_algorithm algorithm;
  graze_stop stopped; /**< PRECISION: the bracket of a hit, or the interval of the least distance, is wider than
                         promised. BUDGET: the work ended first (graze_sweep()) */
  int iterations;
  bool exact, conditional;
  int32_t part_a, part_b; /**< compounds: the parts that meet first; where clear, those that come nearest */
  /** Of a pair of convex shapes. Its kind shows how they start; none, where that is undecided. A hit later than 0: the
   * direction separates at 0 and at t_lower, and the pairs, each where it is at its end of the bracket, hold the origin
   * or come within r of it. Clear: the direction separates at 0 and at t_max, by min_lower at least, and the hull of
   * the pairs comes as near as min_upper. Clear that starts in touch: the direction of the touch is one along which
   * they do not approach. Of sweeps the direction is that of the start, and the pairs of a hit meet at t_upper. */
  graze_certificate certificate;
  /** NULL, or graze_options::steps, in order and without a gap from 0 to t_lower. The list is empty where the bodies
   * are separated at 0 and t_lower is 0 (where clear: t_max is 0): then the certificate proves the start. */
  const graze_cast_step *steps;
  size_t step_count;
} graze_cast_result;

/** The first contact of two bodies that move at constant velocity for 0 <= t <= t_max (INFINITY counts as the
 * largest double): fast continuous collision detection (FCCD). Bodies that start in touch and do not approach (leaving,
 * resting, sliding) are clear of each other; overlapping ones hit at 0. A tangential contact on the way is a hit. A hit
 * is decided exactly for polytopes, rounded polytopes, and half-spaces against them. The clearance counts as A's
 * radius: "stop at c". GRAZE_BAD_NUMBER for velocities that are not finite or beyond GRAZE_LARGEST, and a time that is
 * NaN; GRAZE_BAD_OPTION for a negative time. Status otherwise as graze_distance(). Source: the Minkowski difference
 * swept by the relative motion; van den Bergen 2004 (ray cast against it); docs/theory/cast.md. GRAZE_BAD_OPTION also
 * for a cache, a trace, a surface or a place for parts; with a max_distance of 0 the least distance
 * of bodies that stay clear is not looked for (min_lower is 0, min_upper and t_min are NaN, and what shows it may not
 * be kept), otherwise it does not count; tolerance and max_iterations are those of each of the searches, and the
 * bracket of a hit may be as wide as the tolerance over the relative speed. Otherwise it is no wider than 2^-26 of the
 * time in which the relative motion covers four times the sizes and the distance of the bodies, or `stopped` is
 * GRAZE_STOP_PRECISION: a user shape's error, or rounding near a grazing contact of curved shapes. Two bodies in touch
 * approach, or do not, however short the motion, even with t_max = 0.
 *
 * Compounds meet when the first two of their parts do. Where a body slides over parts that lie flush, it may hit the
 * edge of the next; the normal of a ray into a notch of a decomposed polygon may be that of an inner edge. Such a hit
 * can be checked: graze_verify_cast() of graze_part() part_a and part_b. */
GRAZE_API graze_status graze_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                  graze_vec velocity_b, double t_max, const graze_options *options,
                                  graze_cast_result *impact);

/** The first point of the solid `placed` on a ray: origin + t·direction, 0 <= t <= t_max (may be INFINITY). A ray that
 * starts inside or on the surface hits at t = 0, whatever its direction; inside, the normal is NaN. A zero direction
 * is a point test. The normal points out of the solid. B is the point, and min_lower … t_min how it passes. */
GRAZE_API graze_status graze_raycast(const graze_placed *placed, graze_vec origin, graze_vec direction, double t_max,
                                     const graze_options *options, graze_cast_result *impact);

/** The first contact of two bodies that move and turn at constant rates for 0 <= t <= t_max, however often they turn.
 * No contact is missed: `clear` is proved, with all rounding. A hit is an overlap, by t_upper, deeper than what is lost
 * by rounding the pose there; where bodies that turn come so near that neither is found the answer is `possible`:
 * within some 1e-14 of their size, and 1e-15 of it for each radian they turned. Nothing turns (a body without extent
 * does not): as graze_cast(). The bracket of a hit is no wider
 * than 2^-20 of the time in which two points that approach at the greatest possible speed cover the sizes of both
 * bodies, or `stopped` is GRAZE_STOP_PRECISION. Bodies that start in touch: clear where they part at once, a hit where
 * they surely overlap soon after, otherwise (what rolls, or spins flat in its place) possible. min_lower … t_min are
 * NaN. With `steps` the certificate of a hit later than 0 has pairs that meet at t_upper.
 *
 * Two limits bound the work, over all pairs of parts; where one is reached, `stopped` is GRAZE_STOP_BUDGET:
 * - 65,536 steps; 1,024 if `steps` is NULL and convex shapes turn by more than 2^20 radians before they are far past
 *   each other;
 * - 2^22 units. An iteration costs 1 unit, and 1 more for each 256 vertices of a list. An iteration in exact arithmetic
 *   costs 128 units, and 1 more for each vertex. An evaluated moment costs two iterations. The step in which the units
 *   run out is finished, so the result is the same on all machines.
 *
 * GRAZE_BAD_NUMBER also for an angular velocity that is not finite or beyond GRAZE_LARGEST; GRAZE_DIM_MISMATCH for one
 * in 2D about another axis than z; GRAZE_UNSUPPORTED for half-spaces that turn. Status otherwise as graze_cast().
 * Source: conservative advancement (Mirtich 1996) and the chord's sagitta; docs/theory/sweep.md. */
GRAZE_API graze_status graze_sweep(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                   const graze_motion *motion_b, double t_max, const graze_options *options,
                                   graze_cast_result *impact);

/** Where a body that moves so is at time t, rounded: the rotation by some 32 + 6·angle units in the last place,
 * radians. Precondition: a pose that graze_check() accepts. */
GRAZE_API graze_pose graze_pose_after(const graze_pose *pose, const graze_motion *motion, double t);

/** Checks an impact of graze_sweep(): that the steps leave no gap and each is free, and, where it is a hit, that the
 * pairs meet at t_upper whatever rounding did to the pose. Without steps, of bodies that do not turn: as
 * graze_verify_cast(); of others GRAZE_UNPROVEN. */
GRAZE_API graze_status graze_verify_sweep(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                          const graze_motion *motion_b, double t_max, const graze_options *options,
                                          const graze_cast_result *impact);

/** Checks an impact, exactly, as graze_verify() checks an answer: how the bodies start, that nothing touches before
 * t_lower, that something does by t_upper, and what holds where clear. Of a hit at 0 the contact is shown, not that the
 * bodies approach. GRAZE_UNSUPPORTED for compounds. A ray is a cast of a point. */
GRAZE_API graze_status graze_verify_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                         graze_vec velocity_b, double t_max, const graze_options *options,
                                         const graze_cast_result *impact);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
