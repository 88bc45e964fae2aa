/* Graze: reference methods, for comparison, teaching and tests. They are in the library graze_compare, which is linked
 * instead of graze and contains it.
 *
 * graze_distance() and graze_cast() are faster and prove more. Sampling misses contacts. */
#ifndef GRAZE_COMPARE_H
#define GRAZE_COMPARE_H

#include <graze/graze.h>
#include <graze/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup compare Reference methods
 * @{ */

/** Computes relation and signed distance from all vertex pairs and their convex hull, exactly: O(n·m) points.
 * @param options  as graze_distance(); `method` must be GRAZE_METHOD_AUTO. The workspace must hold n·m points.
 * @return GRAZE_UNSUPPORTED for curved shapes, half-spaces and compounds; GRAZE_NO_SPACE if the workspace is too small;
 *         otherwise as graze_distance(). */
GRAZE_API graze_status graze_compare_brute(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                           graze_answer *answer);

/** Computes relation and signed distance by the separating-axis test. The axes of hulls come from their faces and
 * edges.
 * @return GRAZE_UNSUPPORTED for curved shapes, half-spaces and compounds; otherwise as graze_distance().
 * Source: Gottschalk, Lin, Manocha 1996; Gregorius 2013 (Gauss map). */
GRAZE_API graze_status graze_compare_sat(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                         graze_answer *answer);

/** The origin of a candidate axis. */
typedef enum graze_axis_kind {
  GRAZE_AXIS_FACE_A = 1, /**< normal of a face (2D: of an edge) of A */
  GRAZE_AXIS_FACE_B,
  GRAZE_AXIS_EDGES /**< product of an edge of A and one of B; 3D */
} graze_axis_kind;

/** One candidate axis of the separating-axis test (SAT). All numbers are rounded. */
typedef struct graze_axis {
  graze_axis_kind kind;
  int feature_a, feature_b; /**< the face or edge, in the order of the test; -1 if none. Boxes: local axis 0, 1 or 2 */
  graze_vec direction;      /**< unit, toward B: the sign with the greater separation */
  double separation;        /**< b.min - a.max: > 0 a gap, a lower bound of the distance; < 0 minus the overlap */
  graze_interval a, b;      /**< the projections on `direction` */
} graze_axis;

/** Called for each tested axis; `axis` is valid only during the call. Returns false to end the test. */
typedef bool (*graze_axis_function)(void *context, const graze_axis *axis);

/** Enumerates the candidate axes of two polytopes or rounded polytopes: 4 for boxes in 2D, 15 in 3D. Parallel edges
 * give none. Ignores the clearance.
 * @param visit  NULL, or is called for every axis.
 * @param best   receives the axis with the greatest separation. Among equal axes, the first wins, in the order faces of
 *               A, faces of B, edges.
 * @return GRAZE_UNSUPPORTED for curved shapes, half-spaces and shapes without an axis; GRAZE_NO_SPACE for hulls in 3D
 *         if the workspace is too small. */
GRAZE_API graze_status graze_compare_axes(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                          graze_axis_function visit, void *context, graze_axis *best);

/** The set of all a - b, or of all a + b. */
typedef enum graze_minkowski_of { GRAZE_MINKOWSKI_DIFFERENCE = 1, GRAZE_MINKOWSKI_SUM } graze_minkowski_of;

/** Computes the Minkowski difference or sum by brute force: all vertex pairs and their convex hull, exactly.
 * @param points    receives up to `capacity` vertices, rounded: in 2D counter-clockwise, in 3D in the order of indices.
 * @param pairs     receives the parents of the vertices; for equal points, the first pair.
 * @param count     receives the number of vertices, also with GRAZE_NO_SPACE because of `capacity`.
 * @param contains  receives whether the closed set contains the origin.
 * @param options   only the workspace is used: n·m + 3 points for shapes of n and m vertices.
 * @return GRAZE_UNSUPPORTED for curved shapes, half-spaces, and shapes with a radius or margin; GRAZE_NO_SPACE. */
GRAZE_API graze_status graze_compare_minkowski(const graze_placed *a, const graze_placed *b, graze_minkowski_of of,
                                               const graze_options *options, graze_vec *points, graze_pair *pairs,
                                               size_t capacity, size_t *count, bool *contains);

/** Casts by LCCD: culling by projections, then the facets of the CSO against the relative path. The signature is that
 * of graze_cast_function. `context` and the options' `error` are not used.
 * @return GRAZE_UNSUPPORTED for curved and rounded shapes, half-spaces, rotation and a clearance. */
GRAZE_API graze_status graze_compare_lccd(void *context, const graze_placed *a, const graze_motion *motion_a,
                                          const graze_placed *b, const graze_motion *motion_b, double t_max,
                                          const graze_cast_options *options, graze_cast_result *result);

/** Casts by discrete sampling, as engines without continuous detection do: `clear` if no sample touches. Contacts
 * between samples are missed.
 * @param context  a const int *: the number of samples >= 2, the first and last moment included. NULL: 64.
 * @param options  `error` is not used.
 * @return GRAZE_BAD_NUMBER if a rounded pose is too far away; GRAZE_UNSUPPORTED for a graze_part(). */
GRAZE_API graze_status graze_compare_sampling(void *context, const graze_placed *a, const graze_motion *motion_a,
                                              const graze_placed *b, const graze_motion *motion_b, double t_max,
                                              const graze_cast_options *options, graze_cast_result *result);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
