/* Declarations of all checks of the verifier.
 *
 * A certificate of a pair of convex shapes has at most two parts. A direction d bounds the signed distance from below
 * by gap(d)/|d| - r. Points of the CSO C = A - B of the cores bound it from above by |v| - r, where v is the point of
 * their hull nearest to the origin. Here gap(d) = min d·b - max d·a, and r is the sum of all radii. Proofs:
 * docs/theory/certificates.md. */
#ifndef GRAZE_VERIFY_VERIFY_H
#define GRAZE_VERIFY_VERIFY_H

#include "exact/exact.h"
#include "shape/motion.h"
#include "shape/proof.h"

/* No signed distance of valid shapes is larger: all lengths in it add up to less than 20·GRAZE_LARGEST. */
#define GRZ_DISTANCE_MAX (100 * GRAZE_LARGEST)

/* ---- The certificate parser: shapes and certificates as exact numbers (cso.c). */

/* Faces `first` … first + count - 1 of a mesh in an order; NULL: 0, 1, 2, … */
typedef struct grz_faces {
  const graze_mesh_def *def;
  const uint32_t *order;
  size_t first, count;
} grz_faces;

/* Two placed shapes. Every point w = a - b of C is scaled by placement.scale > 0.
 *
 * A half-space has one core point, its local origin, and its offset counts as a radius. Its signed distance from a
 * point x is (normal·x)/|normal| - offset, which is a gap along a known direction. */
typedef struct grz_exact_cso {
  grz_arena *arena;
  const graze_shape *a, *b;
  const grz_faces *faces_a, *faces_b; /* of a mesh; NULL: not a mesh */
  int dim;
  grz_placement placement;
  grz_big radius; /* r: both radii, both margins, the clearance, the offset of a half-space */
} grz_exact_cso;

/* scale·gap(direction) = rational + root[0] + root[1]. With a user shape the sum is a lower bound. */
typedef struct grz_gap {
  grz_bvec direction;
  grz_big rational;
  grz_root root[2];
} grz_gap;

grz_exact_cso grz_exact_cso_make(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance);

/* Computes the points w of `count` pairs, at most `max_count`. Returns false for a malformed pair, and for a point
 * outside its core. */
bool grz_parse_pairs(grz_exact_cso *exact, const grz_pair *pairs, int count, int max_count, grz_bvec *w);

/* Computes the direction d of every form except NONE. Returns false if it is malformed or zero. */
bool grz_parse_direction(grz_exact_cso *exact, const grz_direction *direction, grz_bvec *d);

/* Computes d, the normal of the half-space with the sign that points from A to B. */
grz_bvec grz_halfspace_direction(const grz_exact_cso *exact);

/* Computes this d, and w for the core point that the certificate names on the other shape. Returns false for a
 * malformed certificate. */
bool grz_parse_halfspace(grz_exact_cso *exact, const grz_proof *certificate, grz_bvec *d, grz_bvec *w);

/* Computes gap(d). Returns false if the support function of a user shape returns an invalid bound. */
bool grz_gap_make(grz_exact_cso *exact, grz_bvec d, grz_gap *gap);

/* Returns the sign of gap(d) - bound·|d|. */
int grz_gap_sign(grz_exact_cso *exact, const grz_gap *gap, grz_big bound);

/* ---- The certificate check of one pair of convex shapes (polytope.c). */

typedef struct grz_check {
  const grz_proof *certificate;
  grz_exact_cso exact;
  bool is_halfspace; /* one shape is a half-space: w[0] is the named point */
  bool has_gap;      /* the certificate has a direction with a known gap */
  grz_gap gap;
  int count; /* of w */
  grz_bvec w[6];
  grz_nearest nearest; /* of the hull of w; count 0: not computed yet */
} grz_check;

/* Parses a certificate about two placed convex shapes. Returns GRAZE_REFUTED if it is malformed, and GRAZE_UNPROVEN if
 * a half-space has none. */
graze_status grz_check_parse(grz_check *check, grz_arena *arena, const graze_placed *a, const graze_placed *b,
                             double clearance, const grz_proof *certificate);

/* Returns the relation that the certificate's kind states, and for HALFSPACE the strongest one that holds. Returns 0
 * for a kind that does not apply to two convex shapes. */
int grz_check_kind(grz_check *check);

/* Checks that the certificate proves the relation. UNDECIDED needs no proof. */
graze_status grz_check_relation(grz_check *check, graze_relation relation);

/* Checks that the direction proves `lower`. NaN and bounds below every possible distance need no proof. */
graze_status grz_check_lower(grz_check *check, double lower);

/* Returns whether the three numbers of an answer (NaN: unknown) are ordered, possible, and agree with the relation. */
bool grz_check_is_consistent(const graze_answer *answer, graze_certificate_kind kind);

/* Returns whether the answer states every number that it needs. */
bool grz_check_is_complete(const graze_answer *answer);

static inline graze_status grz_check_result(bool holds) { return holds ? GRAZE_OK : GRAZE_REFUTED; }

/* The weaker of two results, in the order refuted, unproven, proved. */
static inline graze_status grz_check_weaker(graze_status x, graze_status y) {
  if (x == GRAZE_REFUTED || y == GRAZE_REFUTED) return GRAZE_REFUTED;
  return x != GRAZE_OK ? x : y;
}

/* Runs `check` in a small arena. If that overflows, runs it in a large one; if that overflows too, returns
 * GRAZE_UNPROVEN. */
graze_status grz_check_in_arena(graze_status (*check)(grz_arena *arena, void *context), void *context);

/* ---- Proofs by candidate axes: cso.c. */

/* Returns whether the axes of two shapes can prove an overlap or a depth. If both are flat outlines, perhaps no axis is
 * parallel to C. */
bool grz_axes_prove(const graze_shape *a, const graze_shape *b);

/* Checks by all candidate axes of two boxes, or of two outlines in 2D, that C contains the ball of radius `depth` about
 * the origin. `strictly`: that C has an interior and contains a larger ball. */
graze_status grz_check_axes(grz_exact_cso *exact, grz_big depth, bool strictly);

/* ---- Upper bounds of the signed distance, and the depth proofs behind the negative ones: polytope.c. */

/* A surface with more faces is not checked, because the search for reversed edges takes quadratic time. */
enum { GRZ_DEPTH_FACES = 4096 };

/* Checks that the points or the depth proof give `upper` for shapes with this relation. Returns GRAZE_UNPROVEN if the
 * depth proof is BY_PAIRS, which proves no depth, or if it is too large. */
graze_status grz_check_upper(grz_check *check, graze_relation relation, double upper);

/* ---- Containment in solid meshes: containment.c. */

/* A point of a body, and a ray from it along an axis of a solid mesh. The point is the mean of up to four local points
 * of the body. */
typedef struct grz_inner_point {
  const graze_placed *mesh, *body;
  int count;
  graze_vec local[4];
  graze_vec at; /* in the frame of the mesh, rounded … */
  double error; /* … with this bound of the error of each coordinate */
  int axis;
  bool positive; /* the direction of the ray */
} grz_inner_point;

/* Returns false if the point is certainly outside the bounds of the mesh. The body is convex or a mesh. */
bool grz_inner_point_make(grz_inner_point *point, const graze_placed *mesh, const graze_placed *body,
                          const graze_vec *local, int count);

/* Bounds of the ray in the frame of the mesh: only faces whose bounds overlap them can be crossed. */
graze_aabb grz_inner_point_ray(const grz_inner_point *point);

/* Returns 1 if the ray certainly crosses the face, 0 if it certainly does not, -1 if doubles do not decide. */
int grz_inner_point_crosses(const grz_inner_point *point, size_t face);

/* Returns whether a ray from the perturbed origin crosses a triangle (2D: an edge) with these vertices. The origin is
 * perturbed by basis[0]·e + basis[1]·e² + basis[2]·e³ for an infinitesimal e > 0; basis has full rank. */
bool grz_ray_crosses(grz_arena *arena, int dim, const grz_bvec *vertices, grz_bvec ray, const grz_bvec basis[3]);

/* Returns whether the origin is in the hull of up to three points. False for a triangle of zero area. */
bool grz_face_contains_origin(grz_arena *arena, const grz_bvec *vertices, int count);

/* The same ray in exact numbers, from the point perturbed along the axes of the world. */
typedef struct grz_inner_exact {
  grz_arena *arena;
  const grz_inner_point *p;
  grz_placement placement;
  grz_bvec ray, basis[3];
} grz_inner_exact;

grz_inner_exact grz_inner_exact_make(grz_arena *arena, const grz_inner_point *point);
bool grz_inner_exact_crosses(const grz_inner_exact *exact, size_t face);

/* The mean of up to four points of the core. */
typedef struct grz_inner_points {
  int count;
  graze_vec local[4];
  int32_t vertex[4]; /* -1: not a vertex */
} grz_inner_points;

/* Finds an interior point of a convex shape. Returns false if the shape is flat; then the point is any point of it. */
bool grz_inner_find(const graze_placed *body, grz_inner_points *inner);

/* Checks that a point of each component of a body, or of each convex part, is outside a solid mesh. Precondition: no
 * part of the body and no face of the solid have a common point; so no component or part is inside. `touches`: they
 * have none in the interior of a part. Then components of meshes and flat parts are GRAZE_UNPROVEN. */
graze_status grz_verify_outside(grz_arena *arena, const graze_placed *solid, const graze_placed *body, bool touches);

/* Checks a certificate IN_A or IN_B of two bodies and their parts: it proves an overlap, and no depth. */
graze_status grz_verify_containment(grz_arena *arena, const graze_placed *a, int32_t part_a, const graze_placed *b,
                                    int32_t part_b, const grz_proof *proof);

/* ---- Contacts on internal edges of decomposed polygons: internal_edges.c. */

/* Checks that the certificate proves an overlap of two bodies on an internal edge of one of them. */
graze_status grz_verify_internal_edge(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance,
                                      const grz_proof *certificate);

/* Checks that two touching parts without radius do not touch inside an internal edge, because there the compounds
 * overlap. Returns GRAZE_REFUTED if they do, and GRAZE_UNPROVEN for a user shape, which may be flat. */
graze_status grz_verify_off_internal_edges(grz_arena *arena, const graze_placed *a, const graze_placed *b,
                                           int32_t part_a, int32_t part_b);

/* ---- Bounds for all pairs of parts: frontier.c. */

/* The statement about all pairs of parts, and its proof. */
typedef struct grz_frontier_check {
  const graze_placed *a, *b;
  double clearance;
  graze_relation relation; /* SEPARATED: all pairs are separated. TOUCHING: none overlaps. Otherwise nothing */
  double lower;            /* no pair is nearer; NaN: no bound */
  const graze_frontier *frontier;
  /* Checks the statement for node number `index` of kind PAIR. */
  graze_status (*check_pair)(void *context, size_t index, int32_t part_a, int32_t part_b);
  void *context;
} grz_frontier_check;

/* Checks the directions of a frontier, and that its nodes include all pairs of parts. */
graze_status grz_verify_frontier(const grz_frontier_check *check);

/* The length of the subranges of a range of count >= 2 parts. */
static inline size_t grz_frontier_step(size_t count) {
  size_t step = 1;
  while (8 * step < count) step *= 8;
  return step;
}

/* ---- Complete answers: compound.c. */

/* Does what graze_verify() does, for two valid convex shapes. */
graze_status grz_verify_pair(const graze_placed *a, const graze_placed *b, double clearance, const graze_answer *answer,
                             const grz_proof *proof);

/* ---- Casts: motion.c. */

/* Checks that two bodies at one instant have a common point. The errors of the core points of both bodies add up to at
 * most `error`. The proof is the named point for the kind HALFSPACE, otherwise the pairs. */
graze_status grz_verify_contact(const graze_placed *a, const graze_placed *b, double clearance, double error,
                                const grz_proof *certificate);

/* Does what graze_verify_cast() does for bodies that do not rotate. Precondition: the arguments are valid. */
graze_status grz_verify_linear_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                    graze_vec velocity_b, double t_max, double clearance,
                                    const graze_cast_result *result, const grz_proof *proof);

#endif
