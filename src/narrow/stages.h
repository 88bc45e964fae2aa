/* The interface of a query of two convex shapes, and of those of its stages that have files of their own. Their order
 * is in distance.c. */
#ifndef GRAZE_NARROW_STAGES_H
#define GRAZE_NARROW_STAGES_H

#include "narrow/axes.h"
#include "narrow/query.h"
#include "shape/placed.h"

/* ---- The query (distance.c). Compounds: compound/queries.c */

/* graze_intersect() of convex shapes; GRAZE_UNSUPPORTED for compounds. */
graze_status grz_intersect_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result);

/* graze_distance() of convex shapes; GRAZE_UNSUPPORTED for compounds. */
graze_status grz_distance_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               grz_result *result);

/* ---- The relation without a search (relation.c): bounding spheres, separating axes, the line of centres and its
 * reflections */

/* Fills a blank answer about the relation. Returns false, with a blank answer, if no test decides. */
bool grz_relation_without_search(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 grz_result *result);

/* The reflection of d at the plane that is perpendicular to the vector between the support points along d. `radius`:
 * the sum of radii, margins and the clearance. Source: Chung and Wang, "Quick Collision Detection of Polytopes in
 * Virtual Environments", VRST 1996. */
graze_vec grz_reflected_direction(const graze_placed *a, const graze_placed *b, double radius, graze_vec d);

/* ---- The nearest points of simple cores (nearest.c): a point or sphere and a point, sphere, capsule, box, cylinder,
 * cone or triangle in 3D, and two capsules */

static inline bool grz_nearest_applies(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  const unsigned points = 1u << GRAZE_POINT | 1u << GRAZE_SPHERE, both = 1u << a->shape.kind | 1u << b->shape.kind;
  const unsigned others = 1u << GRAZE_CAPSULE | 1u << GRAZE_BOX | 1u << GRAZE_CYLINDER | 1u << GRAZE_CONE |
                          (a->shape.dim == 3 ? 1u << GRAZE_TRIANGLE : 0);
  const bool simple = both == 1u << GRAZE_CAPSULE || ((both & points) != 0 && (both & ~(points | others)) == 0);
  return simple && options->method == GRAZE_METHOD_AUTO && !placed_is_moving(a);
}

/* Fills a blank answer about the relation, or the distance. Returns false, with a blank answer, near touching, and for
 * the distance if two segments intersect, or if a requested surface must prove the depth. Precondition: it applies. */
bool grz_nearest_relation(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          grz_result *result);
bool grz_nearest_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          grz_result *result);

/* The parameters of the nearest points of two segments: s·e - t·f + corner is the shortest such vector with s and t in
 * [low, 1]. ee and inverse_e: |e|² and its inverse, 0 for a segment of length 0. Source: Ericson 2005, 5.1.9. */
typedef struct grz_segments {
  double s, t;
} grz_segments;

static inline double grz_segment_clamp(double t, double low) { return real_min(real_max(t, low), 1); }

static inline grz_segments grz_nearest_on_segments(graze_vec e, double ee, double inverse_e, graze_vec f, double ff,
                                                   double inverse_f, graze_vec corner, double low) {
  const double ef = vec_dot(e, f), ec = vec_dot(e, corner), fc = vec_dot(f, corner), area = ee * ff - ef * ef;
  const double start = area > 0 ? grz_segment_clamp((ef * fc - ff * ec) / area, low) : 0;
  const double t = grz_segment_clamp((fc + ef * start) * inverse_f, low);
  return (grz_segments){grz_segment_clamp((ef * t - ec) * inverse_e, low), t};
}

/* ---- The nearest points in closed form (closed_form.c): points, segments, triangles in 3D, and two boxes in 3D */

/* dim: triangles in 2D have other searches. measure: the distance is wanted; relations of two boxes have their axes. */
static inline bool grz_closed_form_applies(graze_shape_kind a, graze_shape_kind b, int dim, bool measure) {
  const unsigned points = 1u << GRAZE_POINT | 1u << GRAZE_SPHERE, segments = 1u << GRAZE_SEGMENT | 1u << GRAZE_CAPSULE;
  const unsigned simplices = points | segments | (dim == 3 ? 1u << GRAZE_TRIANGLE : 0), both = 1u << a | 1u << b;
  if (both == 1u << GRAZE_BOX) return measure && dim == 3;
  return (both & ~simplices) == 0;
}

/* Fills a blank answer; with `measure` also the numbers. Returns false, with a blank answer, if doubles do not decide
 * the relation or the interval is too wide; with `across` also for two triangles of which each possibly intersects the
 * plane of the other. Precondition: the closed form applies. */
bool grz_closed_form(const grz_query *query, const grz_obstacle *obstacle, bool measure, bool across,
                     grz_result *result);

/* ---- Two polygons in 2D that a direction separates: a walk on the boundary of the CSO (boundary_walk.c) */

/* True if both cores have vertices in convex order. */
bool grz_boundary_walk_applies(const graze_placed *a, const graze_placed *b);

/* Fills an answer about the distance. Returns false, with a blank answer, if `start` does not separate the cores or the
 * support value along the normal does not verify the nearest point. `traced`: NULL, or the obstacle whose tracer
 * receives the steps. Counts two iterations, or one if the first direction shows that the distance exceeds
 * max_distance. Precondition: it applies, and the shapes do not move. */
bool grz_boundary_walk(const graze_placed *a, const graze_placed *b, const graze_options *options, graze_vec start,
                       const grz_obstacle *traced, grz_result *result);

/* Fills an answer about the distance of two cores for which the walk applies. A walk starts from the line of centres.
 * If this line does not separate them, the normals of all edges of polygons, triangles and boxes give the depth, or the
 * direction from which a walk starts. Returns false, with a blank answer except for the number of iterations, if these
 * do not decide. Two boxes have their own axes, and a requested surface needs EPA. `traced`: as above. */
bool grz_polygon_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          const grz_obstacle *traced, grz_result *result);

/* ---- A half-space against any shape (halfspace.c): one support point decides
 *
 * Theory: docs/theory/rounding.md, "Half-spaces in doubles". */

/* Fills a blank answer about the relation, in doubles. Returns false if these do not decide; then
 * grz_halfspace_answer() must fill it again. */
bool grz_halfspace_relation(const graze_placed *a, const graze_placed *b, const graze_options *options,
                            grz_result *result);

/* Fills a blank answer. Exactly one shape is a half-space. Polytopes: in doubles if these suffice, else exactly;
 * GRAZE_METHOD_EXACT is always exact. Curved shapes: an interval, and TOUCHING if the certificate proves it. */
void grz_halfspace_answer(grz_query *query, const graze_placed *a, const graze_placed *b, grz_result *result);

/* For moving bodies: returns 1 if the bodies approach each other, 0 if not, exactly, or -1 if the arena is full. */
int grz_halfspace_approaches(const grz_obstacle *obstacle);

/* ---- Refinement of curved shapes near contact (curved.c)
 *
 * Portal refinement (Snethen, "XenoCollide", 2008) keeps a well-defined direction where rounding makes that of GJK
 * meaningless. Inscribed polytopes decide the relation where its interval contains 0. */

/* Refines pairs that GJK left undecided: improves the bounds, and fills relation, certificate and numbers. The relation
 * can stay UNDECIDED. */
void grz_portal_refine(const grz_obstacle *obstacle, const graze_options *options, grz_gjk *gjk, grz_result *result);

/* Narrows the interval of disjoint shapes, starting from the simplex of GJK. */
void grz_portal_narrow(const grz_obstacle *obstacle, const graze_options *options, grz_gjk *gjk, grz_result *result);

/* ---- Depth of overlapping cores (penetrate.c): separating axes, EPA in doubles, EPA with exact predicates
 *
 * Theory: docs/theory/depth.md. */

/* Fills distance, interval, normal, witness points and the certificate of the bounds. The relation must be OVERLAPPING
 * with the pairs of its certificate. */
void grz_penetrate(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* Fills the same from the axes alone, for two boxes or outlines that overlap by them. Returns false if the interval is
 * too wide. */
bool grz_penetrate_by_axes(const grz_query *query, const grz_obstacle *obstacle, const grz_axis_depth *axes,
                           grz_result *result);

/* Fills the missing numbers of overlapping cores with rough bounds, after a budget ended the search. */
void grz_penetrate_roughly(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* Writes the start points of EPA. */
typedef void (*grz_polytope_fill)(const grz_obstacle *obstacle, grz_polytope *polytope);

/* Computes grz_penetrate() by EPA with exact predicates from these points. */
void grz_penetrate_from(const grz_query *query, const grz_obstacle *obstacle, grz_polytope_fill fill,
                        grz_result *result);

/* Calls `work` with the workspace of the options. Without a workspace, the buffer lies on the stack and has at least
 * graze_workspace_size(GRAZE_WORKSPACE_POINTS) bytes. */
void grz_with_workspace(const graze_options *options, void (*work)(void *context, void *buffer, size_t size),
                        void *context);

/* ---- Curved shapes whose least depth is reached along a ring or in all directions (curved_depth.c)
 *
 * EPA then needs too many points for the workspace. Two reductions give the same depth. Coaxial solids of revolution
 * are replaced by their profile curves, and an ellipsoid by the sum of a smaller body and a sphere. Theory:
 * docs/theory/depth.md, "Balls" and "Rings". */

/* An ellipsoid as the sum of a smaller body and a sphere.
 *
 * The largest such sphere has the least radius of curvature, min²/max of the radii (Blaschke's rolling theorem). If the
 * sphere is part of r, the ring of points of least depth becomes a single point. */
typedef struct grz_summand {
  graze_placed placed; /* the same body: the remainder as a user shape, the sphere as its margin */
  graze_shape ellipsoid;
  double ball, error;
} grz_summand;

/* Splits the sphere off. `summand` must not move in memory. Returns false, with a plain copy in summand->placed, if the
 * shape is not an ellipsoid or is a flat one. */
bool grz_summand_make(const graze_placed *body, grz_summand *summand);

/* Two solids of revolution about one axis, or a ball and a solid of revolution.
 *
 * The depth is that of the profiles in 2D: about one axis, a ring of points of least depth becomes one point. A ball
 * lies in the plane through its centre and the axis. */
typedef struct grz_coaxial {
  graze_placed a, b;    /* the profiles: x is the distance from the axis, y the coordinate along the axis */
  graze_vec axial, out; /* unit vectors of the world: y and x */
  double at_a;          /* x of the centre of A, in the caller's units */
  double error;         /* bound of the difference of the depths, in the caller's units */
} grz_coaxial;

/* Makes the profiles. Returns false for other shapes, or if the axes differ by more than `most` (in the caller's
 * units). */
bool grz_coaxial_make(const grz_obstacle *obstacle, double most, grz_coaxial *coaxial);

/* ---- Traces of queries that are decided without a search (trace_decided.c) */

/* Reports a direction that separates. */
void grz_trace_separation(const grz_obstacle *obstacle, graze_phase phase, graze_vec direction);

/* Reports the axes that were tested. best: NULL, or the axis to report for shapes that are not boxes, triangles or
 * polygons, whose other axes are not known. */
void grz_trace_tested_axes(const grz_obstacle *obstacle, const graze_vec *best, graze_trace_stop stop);

/* Reports the axes; of separated shapes only the one that separates. */
void grz_trace_axes(const grz_obstacle *obstacle, const grz_result *result);

/* Reports the steps of a query that was decided without an obstacle. */
void grz_trace_decided(const grz_obstacle *obstacle, const graze_options *options, const grz_result *result);

/* ---- The contact manifold (manifold.c). Theory: docs/theory/contact.md */

/* Computes graze_manifold() for valid options and `capacity` > 0. Compounds are rejected (GRAZE_UNSUPPORTED). */
graze_status grz_manifold_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               double speculative, grz_result *result, graze_contact *contacts, size_t capacity,
                               size_t *count);

#endif
