/* Graze: the steps of a query, for teaching and debugging. Set graze_options::tracer; graze_compare_… accept one, too.
 *
 * A trace shows the run that produced the answer: each algorithm records its own steps. A query of a half-space has no
 * steps. The depth of coaxial solids is that of their profiles in 2D, whose steps are not recorded. Guide:
 * docs/guide/explain.md. */
#ifndef GRAZE_TRACE_H
#define GRAZE_TRACE_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup trace Traces
 * @{ */

/** The algorithm that a step belongs to. */
typedef enum graze_phase {
  GRAZE_PHASE_GJK = 1,
  GRAZE_PHASE_PORTAL, /**< curved shapes near contact: portal refinement */
  GRAZE_PHASE_EXACT,  /**< exact refinement; for curved shapes, of inscribed polytopes. The numbers are rounded */
  GRAZE_PHASE_EPA,    /**< the expanding polytope, in doubles or exact */
  GRAZE_PHASE_BOUNDING_SPHERES, /**< one step: the direction between the local origins separates bounding spheres */
  GRAZE_PHASE_DIRECTION,        /**< each step is a direction: the cached one, the line of centres and its reflections,
                                   or the edge normal of two polygons with the largest gap. The last one separates,
                                   unless axes or GJK follow */
  GRAZE_PHASE_BOUNDARY_WALK, /**< two polygons: each step is the next vertex of the CSO, and its direction points from
                                that vertex to the origin. The last step is the support point of the nearest edge */
  GRAZE_PHASE_AXES,          /**< each step is a candidate axis of the separating-axis test; `support` is its support */
  GRAZE_PHASE_CLOSED_FORM,   /**< one step: the direction from the nearest point of C, in closed form, to the origin; if
                                the cores overlap, that of the least depth */
  GRAZE_PHASE_NEWTON         /**< curved cores: Newton's method on the direction, after a few steps of GJK */
} graze_phase;

GRAZE_API const char *graze_phase_text(graze_phase phase);

/** Why an algorithm stopped. */
typedef enum graze_trace_stop {
  GRAZE_TRACE_CONTINUE = 0,      /**< it does not stop, or the next algorithm continues */
  GRAZE_TRACE_ORIGIN_NOT_PASSED, /**< the support point does not pass the origin: a (weakly) separating direction */
  GRAZE_TRACE_CONTAINS_ORIGIN,   /**< the simplex contains the origin */
  GRAZE_TRACE_VERTEX_REPEATED,   /**< the support point is in the simplex; the nearest point of the simplex is that of C
                                  */
  GRAZE_TRACE_BOUNDS_MET,        /**< upper - lower is within the tolerance, or both decide the query */
  GRAZE_TRACE_BUDGET,            /**< max_iterations; EPA: the workspace is full */
  GRAZE_TRACE_NO_PROGRESS /**< the query is undecided, and the next algorithm continues; for GJK and EPA, because of
                             rounding */
} graze_trace_stop;

GRAZE_API const char *graze_trace_stop_text(graze_trace_stop stop);

/** A point of the CSO and its parents. */
typedef struct graze_cso_point {
  graze_vec point;            /**< a - b in the world, rounded */
  int32_t a, b;               /**< the core vertices; -1 for curved shapes */
  graze_vec point_a, point_b; /**< the parents in their local frames */
} graze_cso_point;

/** One step. */
typedef struct graze_trace_step {
  graze_phase phase;
  int iteration;           /**< from 0, through all phases */
  graze_vec direction;     /**< the search direction d: `support` is the farthest point of the CSO along it. EPA: the
                                outward normal of the nearest face. EXACT: zero if no new point is needed */
  graze_cso_point support; /**< the support point w */
  double origin_check;     /**< d·w: w passes the origin if > 0 */
  int simplex_count;       /**< GJK: the simplex after this step; PORTAL and EXACT: before it; EPA: the nearest face */
  graze_cso_point simplex[4];
  double lower, upper; /**< bounds of the distance of the cores, rounded; -inf and inf if unknown. EPA, AXES: of the
                            signed distance */
  const graze_surface *polytope; /**< EPA: the polytope before w is inserted; otherwise NULL. Valid during the call */
  graze_trace_stop stop;         /**< why this algorithm stops; GRAZE_TRACE_CONTINUE if it does not */
} graze_trace_step;

/** Receives one step; `step` is valid only during the call. The function must not use the workspace of the query. */
typedef void (*graze_trace_function)(void *context, const graze_trace_step *step);

typedef struct graze_tracer {
  graze_trace_function step;
  void *context;
} graze_tracer;
/** @} */

#ifdef __cplusplus
}
#endif

#endif
