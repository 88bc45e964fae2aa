/* Queries of compounds: pairs of parts, relation and distance, casts. */
#ifndef GRAZE_COMPOUND_COMPOUND_H
#define GRAZE_COMPOUND_COMPOUND_H

#include "narrow/search.h"
#include "shape/placed.h"
#include "shape/shape.h"

/* ---- The search for pairs of parts (search.c)
 *
 * A query shape in the frame of a target compound, and lower bounds of its signed distance from the contents of a box
 * of that frame. The bounds include rounding. Theory: docs/theory/compounds.md, "Bounds". */

typedef struct grz_query_shape {
  int dim;
  const grz_tree *tree;   /* of the parts of the query shape; NULL: convex */
  const graze_mesh *mesh; /* the query shape; NULL: not a mesh */
  double turn[9];         /* its rotation relative to the target */
  graze_vec shift;
  bool plane; /* a half-space: normal·x <= height in the frame of the target */
  graze_vec normal;
  double height;
  graze_aabb box;  /* of the query shape, in the frame of the target */
  graze_vec sweep; /* the displacement of a moving query shape relative to the target; boxes and bounds cover the whole
                      motion */
  double less;     /* the sum of margins and clearance, subtracted from every distance */
  double error;    /* an upper bound of rounding errors */
} grz_query_shape;

/* The bounding radius of a placed shape about its reference point, rounded by a few ulps. Not for half-spaces. */
double grz_query_shape_size(const graze_placed *placed);

/* `target` is not a half-space; `placed` has the same dimension. */
void grz_query_shape_make(grz_query_shape *query, const graze_placed *target, const graze_placed *placed,
                          double clearance);

/* Moves the query shape, which is not a half-space, by `displacement`, in world coordinates. */
void grz_query_shape_move(grz_query_shape *query, const graze_placed *target, graze_vec displacement);

/* Sets the motion of the query shape: by `displacement`, in world coordinates, relative to the target. */
void grz_query_shape_sweep(grz_query_shape *query, const graze_placed *target, graze_vec displacement);

/* The bounds of the query shape during its motion, in the frame of the target. The margin of a shape with parts is not
 * included. */
graze_aabb grz_query_shape_box(const grz_query_shape *query);

/* A lower bound of the signed distance of the parts in `target`, a box of the target's frame, and the parts of the
 * query shape in `box`. */
double grz_query_shape_bound(const grz_query_shape *query, const graze_aabb *target, const graze_aabb *box);

typedef struct grz_search {
  const graze_shape *target; /* has parts */
  const grz_query_shape *query;
  graze_vec axis; /* `visit` may set an axis in the frame of the target, from the target to the query shape, not longer
                     than 1: pairs that are beyond the limit along it are excluded */
  bool in_any_order; /* true: `visit` does not depend on the order, and sets neither axis nor limit */
  double limit;      /* pairs beyond are excluded; `visit` may reduce it */
  double beyond;     /* no excluded pair is nearer than this */
  /* Returns false to end the search. `query_part` is 0 for a convex query shape. */
  bool (*visit)(void *context, int32_t target_part, int32_t query_part);
  void *context;
} grz_search;

/* Returns a world direction from A to B as an axis of a search. The target is A if A has parts, otherwise B. Returns
 * zero for zero and NaN. */
graze_vec grz_search_axis(const graze_placed *a, const graze_placed *b, graze_vec direction);

/* Runs the search. It visits at least one pair. */
void grz_search_run(grz_search *search);

/* ---- Relation and signed distance of compounds, and internal edges of polygons (distance.c) */

/* Two bodies, at least one of them a compound, and their touching parts. */
typedef struct grz_contact_parts {
  const graze_placed *a, *b; /* as given by the caller */
  int32_t index_a, index_b;
  graze_placed part_a, part_b; /* placed, in these frames */
  graze_frame frame_a, frame_b;
} grz_contact_parts;

/* True if this convex body can be inside an internal edge without overlapping a piece: flat bodies without margin,
 * and all user shapes. */
bool grz_internal_edge_may_hold(const graze_placed *body);

/* The normals of pairs that touch, and the gap of the whole bodies along each, from A to B. */
enum { GRZ_TOUCH_NORMALS = 8 };
typedef struct grz_touch_normals {
  int count;
  graze_vec normal[GRZ_TOUCH_NORMALS];
  double gap[GRZ_TOUCH_NORMALS];
  double best; /* that of the deciding pair */
} grz_touch_normals;

typedef struct grz_compound_query {
  graze_options options;  /* of the caller */
  graze_options inner;    /* of a pair of parts */
  bool measure;           /* true: the signed distance is required; false: only the relation */
  bool all_pairs;         /* every pair gets a certificate */
  bool solid;             /* one body is a solid mesh, the other is not a half-space */
  grz_contact_parts pair; /* the last pair tested */
  grz_query_shape shape;
  grz_search search;
  grz_result best; /* of the deciding pair */
  grz_touch_normals touch;
  double lower, upper; /* of all pairs so far */
  graze_stop stopped;  /* the reason why `lower` is not greater */
  size_t tested;
  size_t frontier_pairs; /* certificates of single pairs in the frontier */
  int iterations;
  bool exact;
  graze_status status;
} grz_compound_query;

/* Runs the query. If the status is GRAZE_OK, compound->best contains the answer. Also handles convex shapes with
 * options->parts. */
graze_status grz_compound_query_run(grz_compound_query *compound, const graze_placed *a, const graze_placed *b,
                                    const graze_options *options, bool measure);

/* Runs the query for one pair of parts, of a finished query. Its surface stays. */
graze_status grz_compound_query_pair(grz_compound_query *compound, int32_t a, int32_t b, grz_result *result);

/* Places the parts of the deciding pair in compound->pair. */
void grz_compound_query_place_best(grz_compound_query *compound);

/* Replaces the answer of the deciding pair. */
void grz_compound_query_replace(grz_compound_query *compound, const grz_result *again);

/* Computes the frontier of the answer of a finished query: frontier.c. Widens the interval of the answer by some ulps
 * if the frontier proves no more. Returns GRAZE_NO_SPACE if the capacities are too small. */
graze_status grz_frontier_make(grz_compound_query *compound, graze_frontier *frontier);

/* True if the result depends on a user support function. */
bool grz_is_conditional(const graze_placed *placed);

/* ---- Solid meshes (solid.c, touch.c) */

/* Returns whether two bodies overlap, at least one of them a solid mesh, of which no pair of parts overlaps: 1, 0, or
 * -1 if it is not decided. `touches`: some pair of parts touches, and the bodies have no radius. If a point of one body
 * is inside the other, sets the parts and the proof of the result. */
int grz_solid_overlaps(const graze_placed *a, const graze_placed *b, bool touches, grz_result *result);

/* Sets `distance`, `lower`, normal and points of two bodies that overlap, at least one of them a solid mesh: a short
 * translation of B that certainly ends the overlap. */
void grz_solid_depth(const graze_placed *a, const graze_placed *b, double clearance, grz_result *result);

/* Returns whether two bodies that touch, at least one of them a solid mesh, overlap as soon as they move by these
 * velocities, although no pair of parts does: 1, 0, or -1 if it is not decided. Precondition: no radius. */
int grz_solid_enters(const graze_placed *a, const graze_placed *b, const graze_vec velocity[2]);

/* Returns whether two bodies overlap near the contact of two parts that touch: 1, 0, or -1 if it is not decided. One
 * body is a solid mesh. The other is a mesh or a flat convex shape; of that, the part is not used. If `velocity` is not
 * NULL: whether they overlap as soon as they move by these velocities. */
int grz_touch_overlaps(const graze_placed *a, size_t part_a, const graze_placed *b, size_t part_b,
                       const graze_vec velocity[2]);

/* ---- Casts of convex shapes and compounds (cast.c, linear_cast.c) */

/* Computes graze_cast() without rotation. If `ray` is true, B is a point that moves along a ray. */
graze_status grz_cast_linear(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                             double t_max, bool ray, const graze_cast_options *options, grz_cast_result *result);

/* Limits t_max to the time that matters, so that bounds stay finite. */
double grz_motion_horizon(const graze_placed *a, const graze_placed *b, graze_vec speed, double clearance,
                          double t_max);

/* True if r is earlier, or nearer if both are clear. */
static inline bool grz_motion_is_better(const grz_cast_result *r, const grz_cast_result *best) {
  bool meets = r->cast.outcome != GRAZE_CLEAR, met = best->cast.outcome != GRAZE_CLEAR;
  if (meets != met) return meets;
  if (!meets) return r->cast.min_lower < best->cast.min_lower;
  if (r->cast.t_lower != best->cast.t_lower) return r->cast.t_lower < best->cast.t_lower;
  return r->cast.outcome == GRAZE_HIT && best->cast.outcome != GRAZE_HIT;
}

/* A certain hit of one pair bounds t_upper of a possible contact of the other. */
static inline void grz_motion_join(grz_cast_result *r, grz_cast_result *best) {
  if (r->cast.outcome == GRAZE_POSSIBLE && best->cast.outcome == GRAZE_HIT)
    r->cast.t_upper = real_min(r->cast.t_upper, best->cast.t_upper);
  if (r->cast.outcome == GRAZE_HIT && best->cast.outcome == GRAZE_POSSIBLE)
    best->cast.t_upper = real_min(r->cast.t_upper, best->cast.t_upper);
}

/* Visits the parts of the target near the path of a convex shape that moves by `speed` relative to the target, roughly
 * in the order of first contact. The shape is not a half-space, `query` is made of it, and t_max is limited by
 * grz_motion_horizon(). visit() gets the end of the time and returns the new one. */
void grz_tree_cast_path(const grz_query_shape *query, const graze_placed *target, graze_vec speed, double t_max,
                        double (*visit)(void *context, uint32_t part, double end), void *context);

/* Computes graze_raycast() from a placed point. */
graze_status grz_raycast(const graze_placed *placed, const graze_placed *point, graze_vec direction, double t_max,
                         const graze_cast_options *options, grz_cast_result *result);

/* The options of the queries behind a manifold, and the error of a wrong speculative distance (queries.c). */
graze_options grz_manifold_query_options(const graze_manifold_options *options);
graze_error grz_speculative_error(double distance);

/* Stores the reason of a rejected query in options->error, if there is one, and returns its status. */
graze_status grz_query_reject(const graze_placed *a, const graze_placed *b, const graze_options *options,
                              graze_status status);

#endif
